/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders by recursive halving: see torus_order_halves(). */
#include <stdlib.h>

#include "order/search.h"

typedef struct bisection {
	const torus_task_graph_t *near;
	uint32_t *order;
	uint32_t *list;	   /* the nodes of the current walk */
	uint32_t *part_of; /* each node's part, by number */
	uint32_t *seen;	   /* number, from 1, of the last walk that saw each node */
	uint32_t parts, walks;
} bisection_t;

/*
 * Unless the walk has seen [node], append it and all nodes of its part that can be
 * reached from it to list[0 .. count-1]. Returns the new length of the list.
 */
static uint32_t spread(bisection_t *bisection, uint32_t node, uint32_t count)
{
	const torus_task_graph_t *near = bisection->near;
	uint32_t part = bisection->part_of[node], at = count;

	if (bisection->seen[node] == bisection->walks)
		return count;
	bisection->seen[node] = bisection->walks;
	bisection->list[count++] = node;
	for (; at < count; at++) {
		uint32_t here = bisection->list[at];

		for (uint64_t i = near->first[here]; i < near->first[here + 1]; i++) {
			uint32_t next = near->neighbor[i];

			if (bisection->part_of[next] != part ||
			    bisection->seen[next] == bisection->walks)
				continue;
			bisection->seen[next] = bisection->walks;
			bisection->list[count++] = next;
		}
	}
	return count;
}

/*
 * List the part order[begin .. end-1] breadth-first from [node]; pieces that cannot be
 * reached follow, each from its first node.
 */
static void walk(bisection_t *bisection, uint32_t begin, uint32_t end, uint32_t node)
{
	uint32_t count;

	bisection->walks++;
	count = spread(bisection, node, 0);
	for (uint32_t p = begin; p < end; p++)
		count = spread(bisection, bisection->order[p], count);
}

/*
 * The node to begin the part order[begin .. end-1] with: if possible, one near the last
 * node before it.
 */
static uint32_t entrance(const bisection_t *bisection, uint32_t begin)
{
	const torus_task_graph_t *near = bisection->near;
	uint32_t first = bisection->order[begin], last;

	if (begin == 0)
		return first;
	last = bisection->order[begin - 1];
	for (uint64_t i = near->first[last]; i < near->first[last + 1]; i++) {
		if (bisection->part_of[near->neighbor[i]] == bisection->part_of[first])
			return near->neighbor[i];
	}
	return first;
}

static void bisect(bisection_t *bisection, uint32_t begin, uint32_t end)
{
	uint32_t count = end - begin, middle = begin + count / 2;

	if (count < 2)
		return;
	walk(bisection, begin, end, entrance(bisection, begin));
	walk(bisection, begin, end, bisection->list[count - 1]);
	/* The second half is the one near where this walk began. */
	for (uint32_t i = 0; i < count; i++)
		bisection->order[end - 1 - i] = bisection->list[i];
	bisection->parts++;
	for (uint32_t p = middle; p < end; p++)
		bisection->part_of[bisection->order[p]] = bisection->parts;
	bisect(bisection, begin, middle);
	bisect(bisection, middle, end);
}

int torus_order_halves(const torus_task_graph_t *near, uint32_t *order,
		       torus_error_t *err)
{
	uint32_t nodes = near->tasks;
	bisection_t bisection = {.near = near, .order = order};
	int rc = 0;

	bisection.list = malloc(nodes * sizeof(*bisection.list));
	bisection.part_of = calloc(nodes, sizeof(*bisection.part_of));
	bisection.seen = calloc(nodes, sizeof(*bisection.seen));
	for (uint32_t node = 0; node < nodes; node++)
		order[node] = node;
	if (bisection.list && bisection.part_of && bisection.seen)
		bisect(&bisection, 0, nodes);
	else
		rc = torus_fail(err, "out of memory to order %u nodes", nodes);
	free(bisection.list);
	free(bisection.part_of);
	free(bisection.seen);
	return rc;
}
