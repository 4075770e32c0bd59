/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads of links: see taskmap/links.h. */
#include "taskmap/links.h"

#include <stdlib.h>
#include <string.h>

/* Whom a way is told, link by link. */
typedef struct way {
	const torus_geometry_t *geometry;
	void (*add)(void *context, size_t link, double weight);
	void *context;
} way_t;

size_t torus_links(const torus_geometry_t *geometry)
{
	return (size_t)torus_geometry_cells(geometry) * (size_t)geometry->dims * 2;
}

int torus_links_check(const torus_geometry_t *geometry, torus_error_t *err)
{
	if (torus_hops_add_up(geometry))
		return 0;
	return torus_fail(err,
			  "the ways between the nodes of a %s are not known: loads of "
			  "links cannot be told",
			  geometry->twist ? "twisted torus"
					  : "torus with Links= beside its own");
}

/* Send [weight] along [axis] from [at] on, [steps] hops, up or down. */
static void send_along(const way_t *way, const int32_t *at, int axis, int32_t steps,
		       bool up, double weight)
{
	int32_t here[TORUS_MAX_DIMS], length = way->geometry->length[axis];
	size_t dims = (size_t)way->geometry->dims;

	memcpy(here, at, sizeof(here));
	for (; steps > 0; steps--) {
		size_t cell = torus_coord_to_cell(way->geometry, here);

		way->add(way->context, (cell * dims + (size_t)axis) * 2 + !up, weight);
		here[axis] = (here[axis] + (up ? 1 : length - 1)) % length;
	}
}

void torus_links_send(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		      double weight,
		      void (*add)(void *context, size_t link, double weight),
		      void *context)
{
	const way_t way = {geometry, add, context};
	int32_t at[TORUS_MAX_DIMS], end[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, from, at);
	torus_cell_to_coord(geometry, to, end);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		int32_t up = (end[axis] - at[axis] + length) % length, down = length - up;

		if (!geometry->wrap[axis]) {
			bool rises = end[axis] > at[axis];

			send_along(&way, at, axis,
				   rises ? end[axis] - at[axis] : at[axis] - end[axis],
				   rises, weight);
		} else if (up) {
			if (up <= down)
				send_along(&way, at, axis, up, true,
					   up == down ? weight / 2 : weight);
			if (down <= up)
				send_along(&way, at, axis, down, false,
					   up == down ? weight / 2 : weight);
		}
		at[axis] = end[axis];
	}
}

static void add_load(void *context, size_t link, double weight)
{
	double *load = context;

	load[link] += weight;
}

/* Send what all tasks send. */
static void send_edges(const torus_task_job_t *job, const torus_task_graph_t *graph,
		       const uint32_t *node_of_task, double *load)
{
	for (uint32_t task = 0; task < graph->tasks; task++) {
		uint32_t from = job->cell[node_of_task[task]];

		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			torus_links_send(job->geometry, from,
					 job->cell[node_of_task[graph->neighbor[i]]],
					 graph->weight ? graph->weight[i] : 1, add_load,
					 load);
	}
}

int torus_link_loads(const torus_task_job_t *job, const uint32_t *node_of_task,
		     torus_link_loads_t *loads, torus_error_t *err)
{
	size_t links = torus_links(job->geometry);
	torus_task_graph_t *own = NULL;
	double *load;
	uint64_t used = 0;
	int rc = -1;

	if (torus_links_check(job->geometry, err))
		return -1;
	load = calloc(links, sizeof(*load));
	if (!load)
		return torus_fail(err, "out of memory for %zu links", links);
	if (!job->graph)
		own = torus_task_graph_stencil(job->grid, err);
	if (!job->graph && !own)
		goto done;
	send_edges(job, job->graph ? job->graph : own, node_of_task, load);
	*loads = (torus_link_loads_t){0};
	for (size_t i = 0; i < links; i++) {
		loads->most = load[i] > loads->most ? load[i] : loads->most;
		loads->mean += load[i];
		used += load[i] > 0;
	}
	loads->mean /= used ? (double)used : 1;
	rc = 0;
done:
	torus_task_graph_destroy(own);
	free(load);
	return rc;
}
