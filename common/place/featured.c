/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes near each other with counted features: see place/featured.h. */
#include "place/featured.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

#define SUBSETS (1 << TORUS_FEATURED_MOST)

/* So many are sorted by inserting. */
#define FEW 8

/* The nodes of a set by what they have. */
typedef struct tally {
	uint32_t nodes;
	uint32_t with[SUBSETS]; /* nodes that have any of these features */
} tally_t;

typedef struct choosing {
	const torus_featured_t *ask;
	int subsets;		  /* of the features, the empty one too */
	uint32_t needed[SUBSETS]; /* nodes with any of these features, in the end */
	uint32_t free_count;
	uint32_t *order;  /* [free_count] ranks by weight, the required ones first */
	uint32_t *sorted; /* [free_count] the same, the nearest first in each weight */
	int32_t *coord;	  /* [ranks * dims] */
	uint32_t *hops;	  /* [ranks] to the middle */
	uint32_t *bucket; /* [hops + 2] */
	uint32_t most;	  /* hops that there can be */
	uint64_t *far;	  /* [ranks] hops to all chosen nodes */
	uint32_t *on[TORUS_MAX_DIMS];	  /* nodes of a set at each coordinate, */
	uint64_t *far_at[TORUS_MAX_DIMS]; /* and hops from there to all of them */
	uint64_t *taken;		  /* bitmap */
	uint32_t *best;			  /* [nodes] */
	uint64_t distance; /* of the best, over ordered pairs; UINT64_MAX: none */
	uint64_t weight;   /* of the best */
	uint64_t work;	   /* that is left */
} choosing_t;

/* ---- what is missing ---- */

static void add(const choosing_t *c, tally_t *tally, uint32_t rank)
{
	uint8_t has = c->ask->has[rank];

	tally->nodes++;
	for (int subset = 1; subset < c->subsets; subset++)
		tally->with[subset] += (has & subset) != 0;
}

static void subtract(const choosing_t *c, tally_t *tally, uint32_t rank)
{
	uint8_t has = c->ask->has[rank];

	tally->nodes--;
	for (int subset = 1; subset < c->subsets; subset++)
		tally->with[subset] -= (has & subset) != 0;
}

/*
 * Whether the nodes still to come, if each has what is missing, make the set one that has
 * all: by Hall's theorem it is enough that for no features together more are missing.
 */
static bool may_be_completed(const choosing_t *c, const tally_t *tally)
{
	uint32_t left = c->ask->nodes - tally->nodes;

	for (int subset = 1; subset < c->subsets; subset++) {
		if (c->needed[subset] > tally->with[subset] + left)
			return false;
	}
	return true;
}

/* ---- around one node ---- */

static uint64_t weight_of(const choosing_t *c, uint32_t rank)
{
	return c->ask->weights ? c->ask->weights[rank] : 0;
}

static bool is_required(const choosing_t *c, uint32_t rank)
{
	return c->ask->required && torus_bit_test(c->ask->required, rank);
}

/* Whether two neighbours in order[] are of the same class: weight, and required. */
static bool are_equal(const choosing_t *c, uint32_t a, uint32_t b)
{
	return is_required(c, a) == is_required(c, b) &&
	       weight_of(c, a) == weight_of(c, b);
}

static uint32_t hops_between(const choosing_t *c, uint32_t a, uint32_t b)
{
	size_t dims = (size_t)c->ask->geometry->dims;

	return torus_straight_hops(c->ask->geometry, c->coord + a * dims,
				   c->coord + b * dims);
}

/* sort_class() of few. */
static void insert_class(choosing_t *c, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		uint32_t rank = c->order[i], at = i;

		for (; at > first && c->hops[c->sorted[at - 1]] > c->hops[rank]; at--)
			c->sorted[at] = c->sorted[at - 1];
		c->sorted[at] = rank;
	}
}

/* Sort order[first .. end-1], of one class, by hops into sorted[]; stable. */
static void sort_class(choosing_t *c, uint32_t first, uint32_t end)
{
	if (end - first <= FEW) {
		insert_class(c, first, end);
		return;
	}
	memset(c->bucket, 0, ((size_t)c->most + 2) * sizeof(*c->bucket));
	for (uint32_t i = first; i < end; i++)
		c->bucket[c->hops[c->order[i]] + 1]++;
	for (uint32_t hops = 0; hops <= c->most; hops++)
		c->bucket[hops + 1] += c->bucket[hops];
	for (uint32_t i = first; i < end; i++)
		c->sorted[first + c->bucket[c->hops[c->order[i]]]++] = c->order[i];
}

static void sort_around(choosing_t *c, uint32_t middle)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < c->free_count; i++)
		c->hops[c->order[i]] = hops_between(c, middle, c->order[i]);
	for (uint32_t i = 1; i <= c->free_count; i++) {
		if (i == c->free_count || !are_equal(c, c->order[i - 1], c->order[i])) {
			sort_class(c, first, i);
			first = i;
		}
	}
}

static void count_looks(choosing_t *c, uint64_t looks)
{
	c->work = c->work > looks ? c->work - looks : 0;
}

/* Fill on[] and far_at[] for the nodes of a set. */
static void measure_axes(choosing_t *c, const uint32_t *set)
{
	const torus_geometry_t *geometry = c->ask->geometry;
	size_t dims = (size_t)geometry->dims;

	for (int axis = 0; axis < geometry->dims; axis++) {
		size_t length = (size_t)geometry->length[axis];

		memset(c->on[axis], 0, length * sizeof(*c->on[axis]));
		memset(c->far_at[axis], 0, length * sizeof(*c->far_at[axis]));
	}
	for (uint32_t i = 0; i < c->ask->nodes; i++) {
		for (int axis = 0; axis < geometry->dims; axis++)
			c->on[axis][c->coord[set[i] * dims + (size_t)axis]]++;
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		for (int32_t from = 0; from < geometry->length[axis]; from++) {
			uint64_t nodes = c->on[axis][from];

			if (!nodes)
				continue;
			for (int32_t at = 0; at < geometry->length[axis]; at++)
				c->far_at[axis][at] +=
					nodes * (uint64_t)torus_hops_axis(geometry, axis,
									  at, from);
			count_looks(c, (uint64_t)geometry->length[axis]);
		}
	}
	count_looks(c, c->ask->nodes);
}

/* Hops from [rank] to all nodes of the set that was measured. */
static uint64_t far_from(const choosing_t *c, uint32_t rank)
{
	size_t dims = (size_t)c->ask->geometry->dims;
	uint64_t hops = 0;

	for (size_t axis = 0; axis < dims; axis++)
		hops += c->far_at[axis][c->coord[rank * dims + axis]];
	return hops;
}

/* Keep a set of nodes if it is better than the best so far. */
static void keep(choosing_t *c, const uint32_t *set)
{
	uint64_t distance = 0, weight = 0;

	measure_axes(c, set);
	for (uint32_t i = 0; i < c->ask->nodes; i++) {
		weight += weight_of(c, set[i]);
		distance += far_from(c, set[i]);
	}
	if (c->distance != UINT64_MAX &&
	    (weight > c->weight || (weight == c->weight && distance >= c->distance)))
		return;
	c->weight = weight;
	c->distance = distance;
	memcpy(c->best, set, c->ask->nodes * sizeof(*set));
}

/* The set around [middle]. Whether there is one. */
static bool gather(choosing_t *c, uint32_t middle)
{
	uint32_t required = 0, *set = c->sorted;
	tally_t tally = {0};

	sort_around(c, middle);
	count_looks(c, 4 * (uint64_t)c->free_count);
	for (uint32_t i = 0; i < c->free_count && tally.nodes < c->ask->nodes; i++) {
		uint32_t rank = c->sorted[i];

		required += is_required(c, rank);
		count_looks(c, 1 + (uint64_t)c->subsets / 2);
		add(c, &tally, rank);
		if (may_be_completed(c, &tally))
			set[tally.nodes - 1] = rank; /* never beyond i */
		else if (is_required(c, rank))
			return false;
		else
			subtract(c, &tally, rank);
	}
	if (tally.nodes < c->ask->nodes ||
	    (c->ask->required &&
	     required < torus_bitmap_count(c->ask->required, c->ask->ranks)))
		return false;
	keep(c, set);
	return true;
}

/* ---- nodes exchanged ---- */

static void fill_far(choosing_t *c)
{
	measure_axes(c, c->best);
	for (uint32_t i = 0; i < c->free_count; i++)
		c->far[c->order[i]] = far_from(c, c->order[i]);
}

/* Exchange the node that is best given up for another. Whether that helps. */
static bool exchange(choosing_t *c, tally_t *tally)
{
	uint64_t most_gained = 0;
	uint32_t out = 0, in = 0;

	for (uint32_t j = 0; j < c->ask->nodes; j++) {
		uint32_t old = c->best[j];

		if (is_required(c, old))
			continue;
		subtract(c, tally, old);
		for (uint32_t i = 0; i < c->free_count; i++) {
			uint32_t next = c->order[i];
			uint64_t far = c->far[next], gained;

			/* Nothing can be gained, however near the two are. */
			if (far >= c->far[old] + c->most - most_gained)
				continue;
			if (torus_bit_test(c->taken, next) ||
			    weight_of(c, next) > weight_of(c, old))
				continue;
			far -= hops_between(c, next, old);
			if (far >= c->far[old])
				continue;
			gained = c->far[old] - far;
			if (gained <= most_gained)
				continue;
			add(c, tally, next);
			if (may_be_completed(c, tally)) {
				most_gained = gained;
				out = j;
				in = next;
			}
			subtract(c, tally, next);
		}
		add(c, tally, old);
	}
	if (!most_gained)
		return false;
	subtract(c, tally, c->best[out]);
	add(c, tally, in);
	torus_bit_clear(c->taken, c->best[out]);
	torus_bit_set(c->taken, in);
	for (uint32_t i = 0; i < c->free_count; i++) {
		uint32_t rank = c->order[i];

		c->far[rank] += hops_between(c, rank, in);
		c->far[rank] -= hops_between(c, rank, c->best[out]);
	}
	c->best[out] = in;
	return true;
}

static void descend(choosing_t *c)
{
	uint64_t cost = (uint64_t)c->free_count * (c->ask->nodes + 4);
	tally_t tally = {0};

	for (uint32_t j = 0; j < c->ask->nodes; j++) {
		add(c, &tally, c->best[j]);
		torus_bit_set(c->taken, c->best[j]);
	}
	fill_far(c);
	while (c->work > cost) {
		c->work -= cost;
		if (!exchange(c, &tally))
			break;
	}
}

/* ---- all ---- */

typedef struct by_weight {
	uint64_t weight;
	uint32_t rank;
	bool required;
} by_weight_t;

static int compare_weights(const void *a, const void *b)
{
	const by_weight_t *one = a, *other = b;

	if (one->required != other->required)
		return one->required ? -1 : 1;
	if (one->weight != other->weight)
		return one->weight < other->weight ? -1 : 1;
	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static int list_free(choosing_t *c)
{
	const torus_featured_t *ask = c->ask;
	by_weight_t *list = malloc(((size_t)c->free_count + 1) * sizeof(*list));
	uint32_t count = 0;

	if (!list)
		return -1;
	for (uint32_t rank = torus_bitmap_next_set(ask->free, ask->ranks, 0);
	     rank < ask->ranks;
	     rank = torus_bitmap_next_set(ask->free, ask->ranks, rank + 1))
		list[count++] =
			(by_weight_t){weight_of(c, rank), rank, is_required(c, rank)};
	qsort(list, count, sizeof(*list), compare_weights);
	for (uint32_t i = 0; i < count; i++)
		c->order[i] = list[i].rank;
	free(list);
	return 0;
}

static int make(choosing_t *c)
{
	const torus_featured_t *ask = c->ask;
	size_t count, dims = (size_t)ask->geometry->dims;

	c->subsets = 1 << ask->features;
	for (int subset = 1; subset < c->subsets; subset++) {
		for (int i = 0; i < ask->features; i++)
			c->needed[subset] += (subset >> i & 1) ? ask->count[i] : 0;
	}
	c->distance = UINT64_MAX;
	c->free_count = torus_bitmap_count(ask->free, ask->ranks);
	for (int axis = 0; axis < ask->geometry->dims; axis++)
		c->most += (uint32_t)ask->geometry->length[axis];
	count = (size_t)c->free_count + 1;
	c->order = malloc(count * sizeof(*c->order));
	c->sorted = malloc(count * sizeof(*c->sorted));
	c->coord = malloc(ask->ranks * dims * sizeof(*c->coord));
	c->hops = malloc((size_t)ask->ranks * sizeof(*c->hops));
	c->bucket = malloc(((size_t)c->most + 2) * sizeof(*c->bucket));
	c->far = malloc((size_t)ask->ranks * sizeof(*c->far));
	c->on[0] = malloc(c->most * sizeof(*c->on[0]));
	c->far_at[0] = malloc(c->most * sizeof(*c->far_at[0]));
	c->taken = torus_bitmap_create(ask->ranks);
	c->best = malloc(ask->nodes * sizeof(*c->best));
	if (!c->order || !c->sorted || !c->coord || !c->hops || !c->bucket || !c->far ||
	    !c->taken || !c->best || !c->on[0] || !c->far_at[0])
		return -1;
	for (int axis = 1; axis < ask->geometry->dims; axis++) {
		c->on[axis] = c->on[axis - 1] + ask->geometry->length[axis - 1];
		c->far_at[axis] = c->far_at[axis - 1] + ask->geometry->length[axis - 1];
	}
	for (uint32_t rank = 0; rank < ask->ranks; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(ask->geometry, ask->cell_of_rank[rank], coord);
		memcpy(c->coord + rank * dims, coord, dims * sizeof(*coord));
	}
	return list_free(c);
}

static void clear(choosing_t *c)
{
	free(c->order);
	free(c->sorted);
	free(c->coord);
	free(c->hops);
	free(c->bucket);
	free(c->far);
	free(c->on[0]);
	free(c->far_at[0]);
	free(c->taken);
	free(c->best);
}

/* Whether the set is the same around every node, as no two are of the same class. */
static bool is_same_everywhere(const choosing_t *c)
{
	for (uint32_t i = 1; i < c->free_count; i++) {
		if (are_equal(c, c->order[i - 1], c->order[i]))
			return false;
	}
	return true;
}

/* Around as many nodes as half of the looks allow, evenly spread, and around one. */
static void gather_around_all(choosing_t *c)
{
	uint64_t all = c->work, cost, middles;

	if (!gather(c, c->order[0]) || is_same_everywhere(c))
		return; /* nor would there be one around another */
	cost = all - c->work;
	middles = cost ? all / 2 / cost : 1;
	if (middles > c->free_count)
		middles = c->free_count;
	for (uint64_t i = 1; i < middles; i++)
		gather(c, c->order[i * c->free_count / middles]);
}

int torus_featured_place(const torus_featured_t *ask, uint32_t *chosen,
			 torus_error_t *err)
{
	uint64_t all = ask->work ? *ask->work : TORUS_FEATURED_WORK;
	choosing_t c = {.ask = ask, .work = all};
	int result = 0;

	if (make(&c)) {
		clear(&c);
		return torus_fail(err, "out of memory for %u nodes with features",
				  ask->nodes);
	}
	if (c.free_count >= ask->nodes)
		gather_around_all(&c);
	if (c.distance != UINT64_MAX) {
		descend(&c);
		qsort(c.best, ask->nodes, sizeof(*c.best), compare_ranks);
		memcpy(chosen, c.best, ask->nodes * sizeof(*chosen));
		result = 1;
	}
	if (ask->work)
		*ask->work = c.work;
	clear(&c);
	return result;
}
