/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mappings come to, and better ones from them: see storus.h. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "libstorus/private.h"
#include "taskmap/hops.h"
#include "taskmap/links.h"
#include "taskmap/mappers/from.h"
#include "taskmap/mappers/lighten.h"

int storus_check(const storus_job_t *job, const storus_pattern_t *pattern,
		 const void *result, torus_error_t *err)
{
	if (!job || !pattern || !result)
		return torus_fail(err, "no job, pattern or place for the result");
	if (job->tasks != pattern->tasks)
		return torus_fail(err, "the pattern has %u tasks, but the job takes %u",
				  pattern->tasks, job->tasks);
	return 0;
}

int storus_check_seconds(double seconds, torus_error_t *err)
{
	if (seconds >= 0 && seconds <= STORUS_SECONDS_MOST)
		return 0;
	return torus_fail(err, "%g seconds are not in 0 .. %g", seconds,
			  STORUS_SECONDS_MOST);
}

torus_task_job_t storus_engine_job(const storus_job_t *job, const torus_task_grid_t *grid,
				   const torus_task_graph_t *graph)
{
	return (torus_task_job_t){
		.grid = grid,
		.graph = graph,
		.geometry = &job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
	};
}

/* The places of the tasks' nodes in the job; each node must take as many tasks as it has
 * room for. Malloc'ed; NULL with [err] filled. */
static uint32_t *find_mapping(const storus_job_t *job, const uint32_t *node_of_task,
			      torus_error_t *err)
{
	uint32_t *place = malloc(job->tasks * sizeof(*place));
	uint32_t *taken = calloc(job->nodes, sizeof(*taken));

	if (!place || !taken) {
		torus_fail(err, "out of memory for %u tasks", job->tasks);
		goto fail;
	}
	/* As many tasks as there are places: if no node has too many, none has too few.
	 */
	for (uint32_t task = 0; task < job->tasks; task++) {
		place[task] = storus_job_find(job, node_of_task[task]);
		if (place[task] != UINT32_MAX &&
		    taken[place[task]]++ < job->tasks_on_node[place[task]])
			continue;
		torus_fail(err,
			   place[task] == UINT32_MAX
				   ? "node number %u is not in the job"
				   : "node number %u has more tasks than it takes",
			   node_of_task[task]);
		goto fail;
	}
	free(taken);
	return place;
fail:
	free(place);
	free(taken);
	return NULL;
}

static int look_at(const storus_job_t *job, const storus_pattern_t *pattern,
		   const uint32_t *node_of_task, torus_task_grid_t *grid,
		   torus_task_job_t *tasks, uint32_t **place, torus_error_t *err)
{
	*place = NULL;
	if (storus_check(job, pattern, node_of_task, err))
		return -1;
	if (pattern->kind == STORUS_PATTERN_ANY)
		return torus_fail(err,
				  "nobody knows which tasks of the pattern communicate");
	*place = find_mapping(job, node_of_task, err);
	if (!*place)
		return -1;
	*grid = pattern->grid;
	if (pattern->kind == STORUS_PATTERN_GRAPH)
		torus_task_grid_factor(job->tasks, 1, grid);
	*tasks = storus_engine_job(job, grid, pattern->graph);
	return 0;
}

int storus_hops(const storus_job_t *job, const storus_pattern_t *pattern,
		const uint32_t *node_of_task, double *average, uint32_t *maximum,
		char *error, size_t error_size)
{
	torus_task_grid_t grid;
	torus_hop_stats_t stats;
	torus_task_job_t tasks;
	uint32_t *place;
	torus_error_t err;
	int rc = look_at(job, pattern, node_of_task, &grid, &tasks, &place, &err);

	if (!rc)
		rc = torus_hop_stats(&tasks, place, &stats, &err);
	if (!rc && average)
		*average = stats.average;
	if (!rc && maximum)
		*maximum = stats.maximum;
	free(place);
	return rc ? storus_report(&err, error, error_size) : 0;
}

int storus_link_load(const storus_job_t *job, const storus_pattern_t *pattern,
		     const uint32_t *node_of_task, double *most, double *mean,
		     char *error, size_t error_size)
{
	torus_task_grid_t grid;
	torus_link_loads_t loads;
	torus_task_job_t tasks;
	uint32_t *place;
	torus_error_t err;
	int rc = look_at(job, pattern, node_of_task, &grid, &tasks, &place, &err);

	if (!rc)
		rc = torus_link_loads(&tasks, place, &loads, &err);
	if (!rc && most)
		*most = loads.most;
	if (!rc && mean)
		*mean = loads.mean;
	free(place);
	return rc ? storus_report(&err, error, error_size) : 0;
}

/* stays[tasks] as the engine wants it. NULL: out of memory. */
static bool *copy_stays(const unsigned char *stays, uint32_t tasks)
{
	bool *kept = malloc(tasks * sizeof(*kept));

	for (uint32_t task = 0; kept && task < tasks; task++)
		kept[task] = stays[task] != 0;
	return kept;
}

/* Improve the mapping node_of_task[]: for the busiest link, or by hops. */
static int improve(const storus_job_t *job, const storus_pattern_t *pattern,
		   const unsigned char *stays, double seconds, bool links,
		   uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t budget = torus_mapper_budget(seconds, TORUS_MAPPER_SEED);
	torus_task_graph_t *own = NULL;
	torus_task_grid_t grid;
	torus_task_job_t tasks;
	uint32_t *place = NULL;
	bool *kept = NULL;
	int rc = -1;

	if (storus_check_seconds(seconds, err) ||
	    look_at(job, pattern, node_of_task, &grid, &tasks, &place, err))
		goto done;
	if (stays) {
		kept = copy_stays(stays, job->tasks);
		if (!kept) {
			torus_fail(err, "out of memory for %u tasks", job->tasks);
			goto done;
		}
	}
	if (links && !tasks.graph) {
		tasks.graph = own = torus_task_graph_stencil(&grid, err);
		if (!own)
			goto done;
	}
	rc = links ? torus_taskmap_lighten(&tasks, kept, &budget, place, err)
		   : torus_taskmap_from(&tasks, kept, false, &budget, place, err);
	for (uint32_t task = 0; !rc && task < job->tasks; task++)
		node_of_task[task] = job->node[place[task]];
done:
	torus_task_graph_destroy(own);
	free(kept);
	free(place);
	return rc;
}

int storus_remap(const storus_job_t *job, const storus_pattern_t *pattern,
		 const unsigned char *stays, double seconds, uint32_t *node_of_task,
		 char *error, size_t error_size)
{
	torus_error_t err;

	if (!improve(job, pattern, stays, seconds, false, node_of_task, &err))
		return 0;
	return storus_report(&err, error, error_size);
}

int storus_lighten(const storus_job_t *job, const storus_pattern_t *pattern,
		   const unsigned char *stays, double seconds, uint32_t *node_of_task,
		   char *error, size_t error_size)
{
	torus_error_t err;

	if (!improve(job, pattern, stays, seconds, true, node_of_task, &err))
		return 0;
	return storus_report(&err, error, error_size);
}
