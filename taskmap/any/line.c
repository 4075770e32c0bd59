/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes that are neighbours along one dimension, without a gap, are a line, or a ring
 * where they go all the way around a wrapped one. Programs for such machines know them as
 * that: their order is kept, from the first node on, even if grids had fewer hops in
 * another.
 */
#include "taskmap/any/line.h"

#include <stdlib.h>

#include "taskmap/layout.h"

typedef struct line {
	int axis;
	int32_t length;
	bool closed;
	int dims;
	int32_t *point;	 /* [nodes * dims] unrolled */
	uint32_t *count; /* [length + 1] then: nodes on each place, and before it */
} line_t;

/* The only axis in which the box is longer than 1; -1: there are several, or none. */
static int only_axis(const torus_geometry_t *geometry, const int32_t *box)
{
	int only = -1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (box[axis] == 1)
			continue;
		if (only >= 0)
			return -1;
		only = axis;
	}
	return only;
}

/* The place of [node] if the line is gone through from [start], and so on, or back. */
static uint32_t place_of(const line_t *line, uint32_t node, int32_t start, bool back)
{
	int32_t at =
		line->point[node * (size_t)line->dims + (size_t)line->axis] - start;

	at = back ? -at : at;
	return (uint32_t)(at < 0 ? at + line->length : at);
}

/* Fill order[] with the nodes from [start] on; false: a place has none. */
static bool go_along(const torus_any_search_t *search, const line_t *line, int32_t start,
		     bool back, uint32_t *order)
{
	uint32_t nodes = search->job->nodes;

	for (int32_t place = 0; place <= line->length; place++)
		line->count[place] = 0;
	for (uint32_t node = 0; node < nodes; node++)
		line->count[place_of(line, node, start, back) + 1]++;
	for (int32_t place = 1; place <= line->length; place++) {
		if (!line->count[place])
			return false;
		line->count[place] += line->count[place - 1];
	}
	for (uint32_t node = 0; node < nodes; node++)
		order[line->count[place_of(line, node, start, back)]++] = node;
	return true;
}

/* Whether the search may come to the order, and it is allowed. */
static bool is_possible(const torus_any_search_t *search, const uint32_t *order)
{
	uint64_t hops[TORUS_ANY_PATTERNS];

	if (!search->free_head && order[0] != 0)
		return false;
	for (uint32_t p = 0; search->tasks_on && p < search->job->nodes; p++) {
		if (search->tasks_on[order[p]] != search->tasks_on[p])
			return false;
	}
	torus_any_hops(search, order, hops);
	return torus_any_is_allowed(search, hops);
}

/* From the first node on, or, where it is in the middle and need not be in front, from an
 * end. */
static bool find_order(const torus_any_search_t *search, const line_t *line,
		       uint32_t *order)
{
	int32_t start = line->point[line->axis], last = line->length - 1;

	if (!line->closed && start > 0 && start < last) {
		if (!search->free_head)
			return false;
		start = 0;
	}
	if (!line->closed)
		return go_along(search, line, start, start == last && last, order) &&
		       is_possible(search, order);
	return (go_along(search, line, start, false, order) &&
		is_possible(search, order)) ||
	       (go_along(search, line, start, true, order) && is_possible(search, order));
}

int torus_any_line(const torus_any_job_t *job, const torus_any_search_t *search,
		   uint32_t *order, bool *is_line, torus_error_t *err)
{
	const torus_geometry_t *geometry = job->geometry;
	uint32_t nodes = job->nodes;
	const torus_task_job_t places = {
		.geometry = geometry, .cell = job->cell, .nodes = nodes};
	int32_t box[TORUS_MAX_DIMS];
	line_t line = {
		.dims = geometry->dims,
		.point = malloc((size_t)nodes * (size_t)geometry->dims *
				sizeof(*line.point)),
		.count = malloc(((size_t)nodes + 1) * sizeof(*line.count)),
	};
	int rc = -1;

	*is_line = false;
	if (!line.point || !line.count) {
		torus_fail(err, "out of memory for ordering %u nodes", nodes);
		goto done;
	}
	if (torus_unroll(&places, box, line.point, err))
		goto done;
	rc = 0;
	line.axis = geometry->twist ? -1 : only_axis(geometry, box);
	if (line.axis < 0)
		goto done;
	line.length = box[line.axis];
	line.closed =
		geometry->wrap[line.axis] && line.length == geometry->length[line.axis];
	if ((uint32_t)line.length <= nodes)
		*is_line = find_order(search, &line, order);
done:
	free(line.point);
	free(line.count);
	return rc;
}
