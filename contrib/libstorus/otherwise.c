/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other ways to a mapping: see storus_map_otherwise() in private.h. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libstorus/private.h"
#include "taskmap/chips.h"
#include "taskmap/head.h"
#include "taskmap/hops.h"
#include "taskmap/mappers/from.h"
#include "taskmap/mappers/points.h"

/* Map the tasks by their coordinates. */
static int map_points(const storus_pattern_t *pattern, const torus_task_job_t *tasks,
		      double seconds, uint32_t *place, torus_error_t *err)
{
	torus_mapper_budget_t budget = torus_mapper_budget(seconds, TORUS_MAPPER_SEED);

	if (torus_taskmap_points(tasks, pattern->axes, pattern->at, place, err) ||
	    torus_taskmap_from(tasks, NULL, false, &budget, place, err))
		return -1;
	return torus_keep_head(tasks, &budget, place, err);
}

/* A node by how far it is from the first. */
typedef struct far {
	uint32_t hops, place;
} far_t;

static int compare_far(const void *a, const void *b)
{
	const far_t *first = a, *second = b;

	if (first->hops != second->hops)
		return first->hops < second->hops ? -1 : 1;
	return first->place < second->place ? -1 : first->place > second->place;
}

/* Places in a job, the first node's before those near to it, with room for a job on
 * them. */
typedef struct few {
	far_t *far; /* [nodes] of the whole job */
	storus_job_t job;
	uint32_t *place; /* [tasks] where its tasks are */
} few_t;

static void free_few(few_t *few)
{
	free(few->far);
	free(few->job.cell);
	free(few->job.tasks_on_node);
	free(few->place);
}

static int allocate_few(const storus_job_t *job, few_t *few, torus_error_t *err)
{
	few->far = malloc(job->nodes * sizeof(*few->far));
	few->job.cell = malloc(job->nodes * sizeof(*few->job.cell));
	few->job.tasks_on_node = malloc(job->nodes * sizeof(*few->job.tasks_on_node));
	few->place = malloc(job->tasks * sizeof(*few->place));
	if (few->far && few->job.cell && few->job.tasks_on_node && few->place)
		return 0;
	return torus_fail(err, "out of memory for %u nodes", job->nodes);
}

/* A job of [tasks] tasks on as few nodes as they need, of those nearest to the first. */
static void choose_few(const storus_job_t *job, uint32_t tasks, few_t *few)
{
	int32_t first[TORUS_MAX_DIMS], at[TORUS_MAX_DIMS];

	torus_cell_to_coord(&job->geometry, job->cell[0], first);
	for (uint32_t i = 0; i < job->nodes; i++) {
		torus_cell_to_coord(&job->geometry, job->cell[i], at);
		few->far[i] = (far_t){torus_hops(&job->geometry, first, at), i};
	}
	/* The first node comes first, whoever is in the same place. */
	qsort(few->far + 1, job->nodes - 1, sizeof(*few->far), compare_far);
	few->job.geometry = job->geometry;
	few->job.tasks = tasks;
	while (tasks) {
		uint32_t from = few->far[few->job.nodes].place;
		uint32_t takes = job->tasks_on_node[from] < tasks
					 ? job->tasks_on_node[from]
					 : tasks;

		few->job.cell[few->job.nodes] = job->cell[from];
		few->job.tasks_on_node[few->job.nodes++] = takes;
		tasks -= takes;
	}
}

/* Map the tasks that are not idle onto few nodes, and then go on with all of them. */
static int map_few(const storus_job_t *job, const storus_pattern_t *pattern,
		   const torus_task_job_t *tasks, double seconds, uint32_t *place,
		   torus_error_t *err)
{
	torus_mapper_budget_t budget =
		torus_mapper_budget(seconds / 2, TORUS_MAPPER_SEED);
	uint32_t busy = pattern->busy->tasks, idle = busy;
	bool *stays = calloc(job->tasks, sizeof(*stays));
	uint32_t *taken = calloc(job->nodes, sizeof(*taken));
	few_t few = {0};
	int rc = -1;

	if (!stays || !taken) {
		torus_fail(err, "out of memory for %u tasks", job->tasks);
		goto done;
	}
	if (allocate_few(job, &few, err))
		goto done;
	choose_few(job, busy, &few);
	if (storus_map_places(&few.job, pattern->busy, seconds / 2, few.place, err))
		goto done;
	for (uint32_t task = 0; task < busy; task++) {
		place[task] = few.far[few.place[task]].place;
		taken[place[task]]++;
	}
	for (uint32_t node = 0; node < job->nodes; node++) {
		for (; taken[node] < job->tasks_on_node[node]; taken[node]++)
			place[idle++] = node;
	}
	stays[0] = true; /* on the first node */
	rc = torus_taskmap_from(tasks, stays, false, &budget, place, err);
done:
	free(stays);
	free(taken);
	free_few(&few);
	return rc;
}

int storus_map_otherwise(const storus_job_t *job, const storus_pattern_t *pattern,
			 double seconds, uint32_t *place, torus_error_t *err)
{
	torus_task_grid_t grid = pattern->grid;
	torus_hop_stats_t here, there;
	torus_task_job_t tasks;
	uint32_t *other;
	int rc;

	/* Hops between chips are none of these ways' business. */
	if (pattern->at &&
	    torus_tasks_on_chips(&job->geometry, job->nodes, job->tasks_on_node))
		return 0;
	if (pattern->kind == STORUS_PATTERN_GRAPH)
		torus_task_grid_factor(job->tasks, 1, &grid);
	tasks = storus_engine_job(job, &grid, pattern->graph);
	other = malloc(job->tasks * sizeof(*other));
	if (!other)
		return torus_fail(err, "out of memory for %u tasks", job->tasks);
	rc = pattern->busy ? map_few(job, pattern, &tasks, seconds, other, err)
			   : map_points(pattern, &tasks, seconds, other, err);
	if (!rc)
		rc = torus_hop_stats(&tasks, place, &here, err);
	if (!rc)
		rc = torus_hop_stats(&tasks, other, &there, err);
	if (!rc && there.hop_bytes < here.hop_bytes)
		memcpy(place, other, job->tasks * sizeof(*other));
	free(other);
	return rc;
}
