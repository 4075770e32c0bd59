/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user says of how a job's tasks communicate: words that storus map has as
 * options, and --network=torus: as keys.
 */
#ifndef TORUS_TASKGRID_WORDS_H
#define TORUS_TASKGRID_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "taskgrid/grid.h"

typedef enum torus_grid_kind {
	TORUS_GRID_ANY,	 /* "any", or nothing said: an order for an unknown pattern */
	TORUS_GRID_AUTO, /* "auto": MPI's 3D grid, as near to a cube as the tasks allow */
	TORUS_GRID_GIVEN, /* "8x8x4", or "mpi:4x8x8" */
} torus_grid_kind_t;

/* Zeroed: nothing said. */
typedef struct torus_task_words {
	torus_grid_kind_t kind;
	/* ANY: nothing of it counts. AUTO: dims, periodic and stencil. GIVEN: all. The
	 * first dimension is fastest, however it was written. */
	torus_task_grid_t grid;
	bool mpi; /* GIVEN: in MPI's notation */
	/* Any node may have task 0; else the first one of the job's list has it, which is
	 * where scripts look for it. torus_task_words_parse() leaves it false. */
	bool free_head;
} torus_task_words_t;

/*
 * Read the words as given, NULL where not: [grid] is "any", "auto" (in any case), or
 * lengths as torus_lengths_parse() reads them, the first one fastest, or the last one
 * behind "mpi:", as MPI_Dims_create() and MPI_Cart_create() have them; [periodic] what
 * torus_wrap_parse() reads, for the grid's dimensions as they are written, for "auto" as
 * MPI_Dims_create() gives three; [stencil] what torus_stencil_parse() reads. Neither of
 * the last two goes with "any" or without a grid.
 *
 * In errors a word is called "[before]grid[after]", so "--" and ": " make "--grid: ".
 * Returns 0, or -1 with [err] filled.
 */
int torus_task_words_parse(const char *grid, const char *periodic, const char *stencil,
			   const char *before, const char *after,
			   torus_task_words_t *words, torus_error_t *err);

/*
 * Whether the words are for a job of [tasks] tasks: a grid that is given must have as
 * many. Returns 0, or -1 with [err] naming the cures.
 */
int torus_task_words_check(const torus_task_words_t *words, uint32_t tasks,
			   torus_error_t *err);

/*
 * Whether the words are for a job of which only is known that it could have [cpus] CPUs
 * at most, with a task on each: a grid that is given must not have more tasks. Returns 0,
 * or -1 with [err] naming the cures.
 */
int torus_task_words_check_cpus(const torus_task_words_t *words, uint64_t cpus,
				torus_error_t *err);

/*
 * The grid for [tasks] (>= 1) tasks: the one that is given, whatever its size, or one of
 * so many tasks; ANY makes it a line. AUTO is what programs have that let MPI choose:
 * MPI_Dims_create() gives lengths that fall (torus_task_grid_factor()), and of these the
 * last and shortest is the fastest in MPI_Cart_create().
 */
void torus_task_words_grid(const torus_task_words_t *words, uint32_t tasks,
			   torus_task_grid_t *grid);

/*
 * Whether a user wants no order of ours: [setting] is the value of the environment
 * variable TORUS_ORDER, NULL if it is not set; "off", "no" (in any case) and "0" say so.
 */
bool torus_task_order_is_off(const char *setting);

#endif
