/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user says of how tasks communicate: see taskgrid/words.h. */
#include "taskgrid/words.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* The dimensions of the grid that "auto" stands for. */
#define AUTO_DIMS 3

/* What a grid in MPI's notation begins with. */
static const char mpi[] = "mpi:";

/* Fill the kind, and the lengths of a grid that is given. */
static int parse_grid(const char *text, torus_task_words_t *words, torus_error_t *err)
{
	torus_task_grid_t *grid = &words->grid;

	if (!text || strcasecmp(text, "any") == 0) {
		words->kind = TORUS_GRID_ANY;
		return 0;
	}
	if (strcasecmp(text, "auto") == 0) {
		words->kind = TORUS_GRID_AUTO;
		grid->dims = AUTO_DIMS;
		return 0;
	}
	words->kind = TORUS_GRID_GIVEN;
	words->mpi = strncasecmp(text, mpi, strlen(mpi)) == 0;
	return torus_lengths_parse(words->mpi ? text + strlen(mpi) : text, &grid->dims,
				   grid->length, err);
}

int torus_task_words_parse(const char *grid, const char *periodic, const char *stencil,
			   const char *before, const char *after,
			   torus_task_words_t *words, torus_error_t *err)
{
	torus_task_words_t parsed = {0};
	const char *other = periodic ? "periodic" : stencil ? "stencil" : NULL;

	if (parse_grid(grid, &parsed, err))
		return torus_fail_prefix(err, "%sgrid%s", before, after);
	if (other && parsed.kind == TORUS_GRID_ANY)
		return torus_fail(err,
				  "%s%s%s goes with a grid: give %sgrid%s8x8x4 or "
				  "%sgrid%sauto%s",
				  before, other, after, before, after, before, after,
				  grid ? " instead of any" : ", too");
	if (periodic &&
	    torus_wrap_parse(periodic, parsed.grid.dims, parsed.grid.periodic, err))
		return torus_fail_prefix(err, "%speriodic%s", before, after);
	if (stencil && torus_stencil_parse(stencil, &parsed.grid.stencil, err))
		return torus_fail_prefix(err, "%sstencil%s", before, after);
	if (parsed.mpi || parsed.kind == TORUS_GRID_AUTO)
		torus_task_grid_reverse(&parsed.grid);
	*words = parsed;
	return 0;
}

int torus_task_words_check(const torus_task_words_t *words, uint32_t tasks,
			   torus_error_t *err)
{
	torus_task_grid_t written = words->grid;
	char text[TORUS_DIMS_TEXT];
	uint32_t places;

	if (words->kind != TORUS_GRID_GIVEN)
		return 0;
	places = torus_task_grid_tasks(&words->grid);
	if (places == tasks)
		return 0;
	if (words->mpi)
		torus_task_grid_reverse(&written);
	return torus_fail(err,
			  "grid %s%s is for %u tasks, and the job has %u: ask for "
			  "--ntasks=%u, give a grid of %u tasks, or grid=auto",
			  words->mpi ? mpi : "",
			  torus_lengths_format(written.dims, written.length, text),
			  places, tasks, places, tasks);
}

int torus_task_words_check_cpus(const torus_task_words_t *words, uint64_t cpus,
				torus_error_t *err)
{
	char text[TORUS_DIMS_TEXT];
	uint32_t tasks;

	if (words->kind != TORUS_GRID_GIVEN)
		return 0;
	tasks = torus_task_grid_tasks(&words->grid);
	if (tasks <= cpus)
		return 0;
	return torus_fail(
		err,
		"grid=%s is for %" PRIu32 " tasks, and the job could have %" PRIu64
		" CPUs at most: give a smaller grid, more nodes or --overcommit",
		torus_lengths_format(words->grid.dims, words->grid.length, text), tasks,
		cpus);
}

void torus_task_words_grid(const torus_task_words_t *words, uint32_t tasks,
			   torus_task_grid_t *grid)
{
	*grid = words->grid;
	if (words->kind == TORUS_GRID_ANY)
		torus_task_grid_factor(tasks, 1, grid);
	else if (words->kind == TORUS_GRID_AUTO)
		torus_task_grid_mpi(tasks, AUTO_DIMS, grid);
}

bool torus_task_order_is_off(const char *setting)
{
	return setting && (!strcasecmp(setting, "off") || !strcasecmp(setting, "no") ||
			   !strcmp(setting, "0"));
}
