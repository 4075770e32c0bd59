/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nearest point with room: see nearest.h. Tree nodes cut their box in the middle of
 * its longest side, so that points on a lattice make a tree about as deep as the
 * logarithm of the box's volume.
 */
#include "geometry/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"

#define LEAF_POINTS 8

typedef struct tree_node {
	int32_t low[TORUS_MAX_DIMS], high[TORUS_MAX_DIMS]; /* box around the points */
	uint32_t first, count;				   /* index in order[] */
	uint32_t tie_rank;				   /* lowest of the points */
	uint32_t child[2];				   /* 0: a leaf */
	uint64_t room; /* total room left in its points */
} tree_node_t;

struct torus_nearest {
	const int32_t *points;
	int dims;
	uint32_t *order;    /* [count] points, those of a tree node together */
	uint32_t *tie_rank; /* [count] of a point in tie order */
	uint32_t *room;	    /* [count] left in each point */
	uint32_t *scratch;
	tree_node_t *nodes;
	uint32_t used;
};

/* The state of one search. */
typedef struct query {
	torus_nearest_t *nearest;
	const int32_t *target;
	uint64_t distance; /* of the best point so far */
	uint32_t best;
} query_t;

static const int32_t *point_of(const torus_nearest_t *nearest, uint32_t index)
{
	return nearest->points + (size_t)index * (size_t)nearest->dims;
}

static void measure_node(const torus_nearest_t *nearest, tree_node_t *node)
{
	for (uint32_t i = 0; i < node->count; i++) {
		uint32_t index = nearest->order[node->first + i];
		const int32_t *point = point_of(nearest, index);

		for (int axis = 0; axis < nearest->dims; axis++) {
			if (!i || point[axis] < node->low[axis])
				node->low[axis] = point[axis];
			if (!i || point[axis] > node->high[axis])
				node->high[axis] = point[axis];
		}
		node->room += nearest->room[index];
	}
}

/* Move points beyond [middle] along [axis] behind the others, keeping their order. */
static uint32_t partition(torus_nearest_t *nearest, uint32_t first, uint32_t count,
			  int axis, int32_t middle)
{
	uint32_t *order = nearest->order + first;
	uint32_t low = 0, high = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (point_of(nearest, order[i])[axis] <= middle)
			order[low++] = order[i];
		else
			nearest->scratch[high++] = order[i];
	}
	memcpy(order + low, nearest->scratch, high * sizeof(*order));
	return low;
}

static uint32_t build(torus_nearest_t *nearest, uint32_t first, uint32_t count)
{
	uint32_t number = nearest->used++;
	tree_node_t *node = &nearest->nodes[number];
	uint32_t low;
	int axis = 0;

	/* Points arrive in tie order; cutting the children will mix them. */
	*node = (tree_node_t){.first = first,
			      .count = count,
			      .tie_rank = nearest->tie_rank[nearest->order[first]]};
	measure_node(nearest, node);
	for (int other = 1; other < nearest->dims; other++) {
		if (node->high[other] - node->low[other] >
		    node->high[axis] - node->low[axis])
			axis = other;
	}
	if (count <= LEAF_POINTS || node->high[axis] == node->low[axis])
		return number;
	low = partition(nearest, first, count, axis,
			node->low[axis] + (node->high[axis] - node->low[axis]) / 2);
	node->child[0] = build(nearest, first, low);
	node->child[1] = build(nearest, first + low, count - low);
	return number;
}

static int compare_points(const int32_t *a, const int32_t *b, int dims)
{
	for (int axis = 0; axis < dims; axis++) {
		if (a[axis] != b[axis])
			return a[axis] < b[axis] ? -1 : 1;
	}
	return 0;
}

/* Merge sort of order[0 .. count-1] into tie order; equal points keep their order. */
static void sort_order(torus_nearest_t *nearest, uint32_t *order, uint32_t count)
{
	uint32_t half = count / 2, left = 0, right = half;

	if (count < 2)
		return;
	sort_order(nearest, order, half);
	sort_order(nearest, order + half, count - half);
	for (uint32_t i = 0; i < count; i++) {
		if (right == count ||
		    (left < half &&
		     compare_points(point_of(nearest, order[left]),
				    point_of(nearest, order[right]), nearest->dims) <= 0))
			nearest->scratch[i] = order[left++];
		else
			nearest->scratch[i] = order[right++];
	}
	memcpy(order, nearest->scratch, count * sizeof(*order));
}

torus_nearest_t *torus_nearest_create(const int32_t *points, uint32_t count, int dims,
				      const uint32_t *room, torus_error_t *err)
{
	torus_nearest_t *nearest = calloc(1, sizeof(*nearest));

	if (!nearest)
		goto fail;
	nearest->points = points;
	nearest->dims = dims;
	nearest->order = malloc(count * sizeof(*nearest->order));
	nearest->tie_rank = malloc(count * sizeof(*nearest->tie_rank));
	nearest->room = malloc(count * sizeof(*nearest->room));
	nearest->scratch = malloc(count * sizeof(*nearest->scratch));
	/* A binary tree in which every cut leaves points on both sides. */
	nearest->nodes = malloc(2 * (size_t)count * sizeof(*nearest->nodes));
	if (!nearest->order || !nearest->tie_rank || !nearest->room ||
	    !nearest->scratch || !nearest->nodes)
		goto fail;
	memcpy(nearest->room, room, count * sizeof(*room));
	for (uint32_t i = 0; i < count; i++)
		nearest->order[i] = i;
	sort_order(nearest, nearest->order, count);
	for (uint32_t i = 0; i < count; i++)
		nearest->tie_rank[nearest->order[i]] = i;
	build(nearest, 0, count);
	return nearest;
fail:
	torus_fail(err, "out of memory for an index of %u points", count);
	torus_nearest_destroy(nearest);
	return NULL;
}

void torus_nearest_destroy(torus_nearest_t *nearest)
{
	if (!nearest)
		return;
	free(nearest->order);
	free(nearest->tie_rank);
	free(nearest->room);
	free(nearest->scratch);
	free(nearest->nodes);
	free(nearest);
}

/* Distance from the target to the box of a tree node. */
static uint64_t box_distance(const query_t *query, const tree_node_t *node)
{
	uint64_t distance = 0;

	for (int axis = 0; axis < query->nearest->dims; axis++) {
		int64_t at = query->target[axis];

		if (at < node->low[axis])
			distance += (uint64_t)(node->low[axis] - at);
		else if (at > node->high[axis])
			distance += (uint64_t)(at - node->high[axis]);
	}
	return distance;
}

/* Whether a point at [distance] with [tie_rank] would be better than the best so far. */
static int improves(const query_t *query, uint64_t distance, uint32_t tie_rank)
{
	if (query->best == TORUS_NEAREST_NONE || distance < query->distance)
		return 1;
	return distance == query->distance &&
	       tie_rank < query->nearest->tie_rank[query->best];
}

static void search_leaf(query_t *query, const tree_node_t *node)
{
	torus_nearest_t *nearest = query->nearest;

	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		uint32_t index = nearest->order[i];
		const int32_t *point = point_of(nearest, index);
		uint64_t distance = 0;

		if (!nearest->room[index])
			continue;
		for (int axis = 0; axis < nearest->dims; axis++)
			distance += (uint64_t)llabs((int64_t)point[axis] -
						    query->target[axis]);
		if (improves(query, distance, nearest->tie_rank[index])) {
			query->distance = distance;
			query->best = index;
		}
	}
}

static void search(query_t *query, uint32_t number, uint64_t distance)
{
	const torus_nearest_t *nearest = query->nearest;
	const tree_node_t *node = &nearest->nodes[number];
	uint64_t to_child[2];
	int near;

	if (!node->room || !improves(query, distance, node->tie_rank))
		return;
	if (!node->child[0]) {
		search_leaf(query, node);
		return;
	}
	for (int i = 0; i < 2; i++)
		to_child[i] = box_distance(query, &nearest->nodes[node->child[i]]);
	near = to_child[1] < to_child[0];
	search(query, node->child[near], to_child[near]);
	search(query, node->child[!near], to_child[!near]);
}

uint32_t torus_nearest_take(torus_nearest_t *nearest, const int32_t *target)
{
	query_t query = {
		.nearest = nearest, .target = target, .best = TORUS_NEAREST_NONE};
	const int32_t *taken;
	uint32_t number = 0;

	search(&query, 0, box_distance(&query, &nearest->nodes[0]));
	if (query.best == TORUS_NEAREST_NONE)
		return query.best;
	taken = point_of(nearest, query.best);
	nearest->room[query.best]--;
	for (;;) {
		tree_node_t *node = &nearest->nodes[number];
		const tree_node_t *left;
		int beyond = 0;

		node->room--;
		if (!node->child[0])
			return query.best;
		left = &nearest->nodes[node->child[0]];
		for (int axis = 0; axis < nearest->dims; axis++)
			beyond |= taken[axis] > left->high[axis];
		number = node->child[beyond];
	}
}
