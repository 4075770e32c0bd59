/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Task grids: the box of MPI tasks that a stencil code runs on, and which of them are
 * neighbours.
 *
 * Task t of an AxBxC grid sits at (t mod A, t/A mod B, t/(AB)): the first dimension is
 * fastest. Two tasks are neighbours if their stencil says so; each unordered pair of
 * neighbours is one *edge*, however many ways lead around a short periodic dimension (a
 * periodic dimension of length 1 or 2 has the edges of one that is not periodic).
 */
#ifndef TORUS_TASKGRID_GRID_H
#define TORUS_TASKGRID_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/* What a stencil of so many points means on a grid of any number of dimensions. */
typedef enum torus_stencil {
	TORUS_STENCIL_FACES,   /* one step along one axis: 5 points in 2D, 7 in 3D */
	TORUS_STENCIL_CORNERS, /* one step in any set of axes: 9 in 2D, 27 in 3D */
} torus_stencil_t;

/* Offsets to all neighbours of a 6D task with corners: 3^6 - 1. */
#define TORUS_STENCIL_OFFSETS 728

typedef struct torus_task_grid {
	int dims;			/* 1 .. TORUS_MAX_DIMS */
	int32_t length[TORUS_MAX_DIMS]; /* each >= 1, product <= TORUS_MAX_CELLS; 1 in the
					 * dimensions not used */
	bool periodic[TORUS_MAX_DIMS];	/* whether the last task is the first one's
					 * neighbour */
	torus_stencil_t stencil;
} torus_task_grid_t;

/*
 * Read a stencil: "5" and "7" are TORUS_STENCIL_FACES, "9" and "27"
 * TORUS_STENCIL_CORNERS, whatever the number of dimensions. Returns 0, or -1 with [err]
 * filled.
 */
int torus_stencil_parse(const char *text, torus_stencil_t *stencil, torus_error_t *err);

/*
 * Factor [tasks] (>= 1) into [dims] lengths, longest first, as near to a cube as
 * possible: the factoring with the smallest sum of lengths; ties: the smallest difference
 * of the longest and the shortest, then the longest longest. For two and three dimensions
 * that is what MPICH's MPI_Dims_create() gives, compared up to 4,096 tasks; Open MPI's
 * 4.1.4 gives another in 142 of these 8,192 cases. Fills dims and length[] of [grid]; the
 * other members stay. O(dims * divisors^2).
 */
void torus_task_grid_factor(uint32_t tasks, int dims, torus_task_grid_t *grid);

/*
 * The grid of programs that let MPI choose: MPI_Dims_create() gives lengths that fall,
 * those of torus_task_grid_factor(), and in MPI_Cart_create()'s order the last of them,
 * the shortest, is the fastest. So the shortest is the first one here. Fills dims and
 * length[] of [grid]; the other members stay.
 */
void torus_task_grid_mpi(uint32_t tasks, int dims, torus_task_grid_t *grid);

/*
 * Reverse the lengths of [grid], and which of them are periodic: from MPI's notation, in
 * which the last dimension is fastest, to the one of this header, or back.
 */
void torus_task_grid_reverse(torus_task_grid_t *grid);

/* Number of tasks: the product of the lengths. */
uint32_t torus_task_grid_tasks(const torus_task_grid_t *grid);

/* Number of edges, each unordered pair of neighbours once. */
uint64_t torus_task_grid_edges(const torus_task_grid_t *grid);

/*
 * The stencil as steps per axis. The first [forward] offsets lead to one end of each edge
 * of a task, the others, up to [count], are their negatives in the same order.
 */
typedef struct torus_offsets {
	int forward;
	int count;
	int8_t step[TORUS_STENCIL_OFFSETS][TORUS_MAX_DIMS];
} torus_offsets_t;

/* Fill [offsets] for [grid]; axes of length 1 are not stepped along. */
void torus_task_grid_offsets(const torus_task_grid_t *grid, torus_offsets_t *offsets);

/* Advance [coord] from task t to task t+1. */
static inline void torus_task_grid_next(const torus_task_grid_t *grid,
					int32_t coord[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < grid->dims; axis++) {
		if (++coord[axis] < grid->length[axis])
			return;
		coord[axis] = 0;
	}
}

/*
 * List in neighbors[] (room for [count]) the neighbours of the task at [coord] by the
 * first [count] of [offsets]. Returns their number. With count = offsets->count these are
 * all neighbours; with offsets->forward, each edge is listed once over all tasks.
 */
int torus_task_grid_neighbors(const torus_task_grid_t *grid,
			      const torus_offsets_t *offsets, int count,
			      const int32_t coord[TORUS_MAX_DIMS], uint32_t *neighbors);

#endif
