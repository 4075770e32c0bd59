/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs: see storus.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "geometry/chords.h"
#include "libstorus/private.h"
#include "machine/network_option.h"

/* A node and its place in the caller's array, to be sorted by node. */
typedef struct seat {
	uint32_t node;
	uint32_t place;
} seat_t;

static int by_node(const void *a, const void *b)
{
	uint32_t first = ((const seat_t *)a)->node, second = ((const seat_t *)b)->node;

	return first < second ? -1 : first > second;
}

/* Fill job->sorted[]; no node may be there twice. */
static int sort_nodes(storus_job_t *job, torus_error_t *err)
{
	seat_t *seat = malloc(job->nodes * sizeof(*seat));
	int rc = 0;

	if (!seat)
		return torus_fail(err, "out of memory for %u nodes", job->nodes);
	for (uint32_t i = 0; i < job->nodes; i++)
		seat[i] = (seat_t){job->node[i], i};
	qsort(seat, job->nodes, sizeof(*seat), by_node);
	for (uint32_t i = 0; i < job->nodes; i++) {
		job->sorted[i] = seat[i].place;
		if (i && seat[i].node == seat[i - 1].node)
			rc = torus_fail(err, "node number %u is in the job twice",
					seat[i].node);
	}
	free(seat);
	return rc;
}

uint32_t storus_job_find(const storus_job_t *job, uint32_t node)
{
	uint32_t low = 0, high = job->nodes;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t there = job->node[job->sorted[middle]];

		if (there == node)
			return job->sorted[middle];
		if (there < node)
			low = middle + 1;
		else
			high = middle;
	}
	return UINT32_MAX;
}

/* Where the nodes are: all on one torus, or on the job's own. */
static int find_cells(const storus_machine_t *machine, const char *network,
		      storus_job_t *job, torus_error_t *err)
{
	torus_network_request_t request;
	const torus_shapes_t *shapes = NULL;
	int rc;

	if (torus_network_parse(network, &request, err))
		return -1;
	if (request.has_shape)
		shapes = &request.shapes;
	rc = torus_cluster_cells(machine->cluster, job->node, job->nodes, shapes,
				 &job->geometry, job->cell, err);
	torus_chords_hold(job->geometry.chords);
	return rc;
}

static int count_tasks(const uint32_t *tasks_on_node, storus_job_t *job,
		       torus_error_t *err)
{
	uint64_t tasks = 0;

	for (uint32_t i = 0; i < job->nodes; i++) {
		job->tasks_on_node[i] = tasks_on_node ? tasks_on_node[i] : 1;
		if (!job->tasks_on_node[i])
			return torus_fail(err, "node number %u takes no task",
					  job->node[i]);
		tasks += job->tasks_on_node[i];
	}
	if (tasks > TORUS_MAX_CELLS)
		return torus_fail(err, "%llu tasks are more than %u",
				  (unsigned long long)tasks, TORUS_MAX_CELLS);
	job->tasks = (uint32_t)tasks;
	return 0;
}

/* A job with room for its nodes, to be filled. NULL with [err] filled. */
static storus_job_t *allocate(uint32_t nodes, torus_error_t *err)
{
	storus_job_t *job = calloc(1, sizeof(*job));

	if (job) {
		job->nodes = nodes;
		job->node = malloc(nodes * sizeof(*job->node));
		job->cell = malloc(nodes * sizeof(*job->cell));
		job->tasks_on_node = malloc(nodes * sizeof(*job->tasks_on_node));
		job->sorted = malloc(nodes * sizeof(*job->sorted));
		if (job->node && job->cell && job->tasks_on_node && job->sorted)
			return job;
	}
	storus_job_free(job);
	torus_fail(err, "out of memory for %u nodes", nodes);
	return NULL;
}

storus_job_t *storus_job_join(const storus_machine_t *machine, uint32_t nodes,
			      const uint32_t *node, const uint32_t *tasks_on_node,
			      const char *network, char *error, size_t error_size)
{
	storus_job_t *job = NULL;
	torus_error_t err;

	if (!machine || !node || !nodes || nodes > TORUS_MAX_NODES) {
		torus_fail(&err,
			   "no machine or no nodes, or %u of them are not in 1 .. %u",
			   nodes, TORUS_MAX_NODES);
		goto fail;
	}
	job = allocate(nodes, &err);
	if (!job)
		goto fail;
	for (uint32_t i = 0; i < nodes; i++)
		job->node[i] = node[i];
	if (find_cells(machine, network, job, &err) ||
	    count_tasks(tasks_on_node, job, &err) || sort_nodes(job, &err))
		goto fail;
	return job;
fail:
	storus_report(&err, error, error_size);
	storus_job_free(job);
	return NULL;
}

storus_job_t *storus_job_create(const storus_machine_t *machine, uint32_t nodes,
				const uint32_t *node, const uint32_t *tasks_on_node,
				char *error, size_t error_size)
{
	return storus_job_join(machine, nodes, node, tasks_on_node, NULL, error,
			       error_size);
}

int storus_job_torus(const storus_job_t *job, int32_t lengths[STORUS_MAX_DIMS],
		     unsigned char wraps[STORUS_MAX_DIMS],
		     unsigned char twists[STORUS_MAX_DIMS], char *error,
		     size_t error_size)
{
	torus_error_t err;

	if (!job) {
		torus_fail(&err, "no job");
		return storus_report(&err, error, error_size);
	}
	for (int axis = 0; axis < STORUS_MAX_DIMS; axis++) {
		if (lengths)
			lengths[axis] = job->geometry.length[axis];
		if (wraps)
			wraps[axis] = job->geometry.wrap[axis];
		if (twists)
			twists[axis] = job->geometry.twist >> axis & 1;
	}
	return job->geometry.dims;
}

int storus_job_coordinates(const storus_job_t *job, uint32_t node,
			   int32_t coordinates[STORUS_MAX_DIMS], char *error,
			   size_t error_size)
{
	uint32_t place = job && coordinates ? storus_job_find(job, node) : UINT32_MAX;
	torus_error_t err;

	if (place == UINT32_MAX) {
		if (!job || !coordinates)
			torus_fail(&err, "no job or no place for coordinates");
		else
			torus_fail(&err, "node number %u is not in the job", node);
		return storus_report(&err, error, error_size);
	}
	torus_cell_to_coord(&job->geometry, job->cell[place], coordinates);
	return job->geometry.dims;
}

void storus_job_free(storus_job_t *job)
{
	if (!job)
		return;
	free(job->node);
	free(job->cell);
	free(job->tasks_on_node);
	free(job->sorted);
	torus_chords_release(job->geometry.chords);
	free(job);
}

uint32_t storus_job_nodes(const storus_job_t *job)
{
	return job ? job->nodes : 0;
}

uint32_t storus_job_tasks(const storus_job_t *job)
{
	return job ? job->tasks : 0;
}
