/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sides a box of so many nodes may have: see box_sizes.h. */
#include "place/box_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "place/box_distance.h"

uint64_t torus_distance_of_nodes(uint64_t a, uint64_t factor)
{
	uint64_t product;

	if (a == UINT64_MAX || __builtin_mul_overflow(a, factor * factor, &product))
		return UINT64_MAX;
	return product;
}

torus_router_nodes_t torus_router_nodes(const torus_geometry_t *geometry,
					const uint32_t *cell_of_rank, uint32_t ranks,
					uint32_t *nodes_on)
{
	uint32_t cells = torus_geometry_cells(geometry);
	torus_router_nodes_t on_router = {.fewest = UINT32_MAX};
	uint64_t routers = 0;

	memset(nodes_on, 0, cells * sizeof(*nodes_on));
	for (uint32_t rank = 0; rank < ranks; rank++)
		nodes_on[cell_of_rank[rank]]++;
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t nodes = nodes_on[cell];

		if (nodes && nodes < on_router.fewest)
			on_router.fewest = nodes;
		if (nodes > on_router.most)
			on_router.most = nodes;
		routers += nodes != 0;
	}
	on_router.lacking = (uint32_t)(routers * on_router.most - ranks);
	on_router.extra = (uint32_t)(ranks - routers * on_router.fewest);
	return on_router;
}

/*
 * Of full boxes with the sides side[]: the least and the most that the hops of one router
 * to all others can be in sum, which are those of a middle one and of one at a corner.
 */
static void hops_of_routers(const torus_geometry_t *geometry, const int32_t *side,
			    uint64_t volume, uint64_t *least, uint64_t *most)
{
	*least = *most = 0;
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint64_t here = (uint64_t)side[axis], half, beyond = 0;
		uint64_t corner = here * (here - 1) / 2;

		half = (uint64_t)geometry->length[axis] / 2;
		if (geometry->wrap[axis] && here - 1 > half)
			beyond = here - 1 - half;
		/* A distance d beyond the half of a ring of k is k-d: 2d-k less. */
		corner -= beyond * (2 * half + beyond + 1) -
			  beyond * (uint64_t)geometry->length[axis];
		*least += here * here / 4 * (volume / here);
		*most += corner * (volume / here);
	}
}

/*
 * With f nodes on each router and e more in all, the distance is at least what it is with
 * f on each, and for each of the e twice f times the hops of its router. In the same way
 * it is at least what it would be with the most on each, less what those lacking are
 * counted for.
 */
uint64_t torus_box_distance_at_least(const torus_geometry_t *geometry,
				     const int32_t *side, torus_router_nodes_t on_router,
				     uint32_t nodes)
{
	uint64_t routers = torus_box_distance(geometry, side), volume = 1;
	uint64_t low = torus_distance_of_nodes(routers, on_router.fewest);
	uint64_t high = torus_distance_of_nodes(routers, on_router.most);
	uint64_t least, most, more, less;

	for (int axis = 0; axis < geometry->dims; axis++)
		volume *= (uint64_t)side[axis];
	if (low == UINT64_MAX || on_router.fewest == on_router.most ||
	    nodes < volume * on_router.fewest || nodes > volume * on_router.most)
		return low;
	hops_of_routers(geometry, side, volume, &least, &most);
	more = 2 * on_router.fewest * (nodes - volume * on_router.fewest);
	less = 2 * on_router.most * (volume * on_router.most - nodes);
	if (__builtin_mul_overflow(more, least, &more) ||
	    __builtin_add_overflow(low, more, &low))
		return UINT64_MAX;
	if (high == UINT64_MAX || __builtin_mul_overflow(less, most, &less) ||
	    less >= high || high - less < low)
		return low;
	return high - less;
}

typedef void found_size_t(void *context, const int32_t *side);

/*
 * Call [found] for all ascending sides whose product is [volume], the longest along the
 * longest dimension and so on. The first [axis] are chosen.
 */
static void every_size(int dims, const int32_t *length, uint32_t volume, int axis,
		       int32_t *side, found_size_t *found, void *context)
{
	uint32_t least = axis ? (uint32_t)side[axis - 1] : 1;
	uint32_t most = (uint32_t)length[axis];

	if (axis == dims - 1) {
		side[axis] = (int32_t)volume;
		if (volume >= least && volume <= most)
			found(context, side);
		return;
	}
	for (uint32_t here = least; here <= most && here <= volume / here; here++) {
		if (volume % here == 0) {
			side[axis] = (int32_t)here;
			every_size(dims, length, volume / here, axis + 1, side, found,
				   context);
		}
	}
}

static void every_size_of(const torus_geometry_t *geometry, uint32_t volume,
			  found_size_t *found, void *context)
{
	int32_t length[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	/* The lengths of the machine's dimensions, ascending. */
	memcpy(length, geometry->length, sizeof(length));
	torus_first_rotation(geometry->dims, length);
	every_size(geometry->dims, length, volume, 0, side, found, context);
}

typedef struct possible {
	const torus_geometry_t *geometry;
	bool closed, found;
} possible_t;

static void note_size(void *context, const int32_t *side)
{
	possible_t *possible = context;
	torus_shape_t shape = {.dims = possible->geometry->dims};

	memcpy(shape.side, side, sizeof(shape.side));
	possible->found |=
		!possible->closed || torus_shape_may_close(possible->geometry, &shape);
}

bool torus_any_box_possible(const torus_geometry_t *geometry, uint32_t volume,
			    bool closed)
{
	possible_t possible = {.geometry = geometry, .closed = closed};

	if (volume)
		every_size_of(geometry, volume, note_size, &possible);
	return possible.found;
}

/* A list that grows. */
typedef struct listing {
	const torus_geometry_t *geometry;
	torus_router_nodes_t on_router;
	uint32_t nodes;
	bool closed;
	torus_box_sizes_t sizes;
	size_t room;
	bool out_of_memory;
} listing_t;

/* The least distance of all rotations of [side] that fit, and are closed if that is
 * asked for. Returns whether there is one. */
static bool least_distance(const listing_t *listing, const int32_t *side, uint64_t *least)
{
	const torus_geometry_t *geometry = listing->geometry;
	int32_t turned[TORUS_MAX_DIMS];
	bool found = false;

	*least = UINT64_MAX;
	memcpy(turned, side, sizeof(turned));
	do {
		uint64_t distance;

		if (!torus_sides_fit(geometry, turned) ||
		    (listing->closed && !torus_box_is_closed(geometry, turned)))
			continue;
		found = true;
		distance = torus_box_distance_at_least(
			geometry, turned, listing->on_router, listing->nodes);
		if (distance < *least)
			*least = distance;
	} while (torus_next_rotation(geometry->dims, turned));
	return found;
}

static void add_size(void *context, const int32_t *side)
{
	listing_t *listing = context;
	torus_box_sizes_t *sizes = &listing->sizes;
	torus_box_size_t *size;
	uint64_t distance;

	if (!least_distance(listing, side, &distance))
		return;
	if (sizes->count == listing->room) {
		size_t room = listing->room ? 2 * listing->room : 64;
		torus_box_size_t *grown = realloc(sizes->size, room * sizeof(*grown));

		if (!grown) {
			listing->out_of_memory = true;
			return;
		}
		sizes->size = grown;
		listing->room = room;
	}
	size = &sizes->size[sizes->count++];
	size->shape = (torus_shape_t){.dims = listing->geometry->dims,
				      .closed = listing->closed};
	memcpy(size->shape.side, side, sizeof(size->shape.side));
	size->distance = distance;
}

static int compare_sizes(const void *a, const void *b)
{
	const torus_box_size_t *left = a, *right = b;

	if (left->distance != right->distance)
		return left->distance < right->distance ? -1 : 1;
	return memcmp(left->shape.side, right->shape.side, sizeof(left->shape.side));
}

int torus_box_sizes_list(const torus_geometry_t *geometry, torus_router_nodes_t on_router,
			 uint32_t nodes, bool closed, torus_box_sizes_t *sizes,
			 torus_error_t *err)
{
	listing_t listing = {
		.geometry = geometry,
		.on_router = on_router,
		.nodes = nodes,
		.closed = closed,
	};
	uint32_t volume = (nodes - 1) / on_router.most + 1;

	for (; torus_fewest_in_box(on_router, volume) <= nodes; volume++) {
		if (torus_most_in_box(on_router, volume) >= nodes)
			every_size_of(geometry, volume, add_size, &listing);
	}
	if (listing.out_of_memory) {
		free(listing.sizes.size);
		return torus_fail(err, "out of memory for the sizes of boxes");
	}
	*sizes = listing.sizes;
	if (sizes->count)
		qsort(sizes->size, sizes->count, sizeof(*sizes->size), compare_sizes);
	return 0;
}

void torus_box_sizes_free(torus_box_sizes_t *sizes)
{
	free(sizes->size);
	*sizes = (torus_box_sizes_t){0};
}
