/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics: the literature's example, and every metric against its O(n^2) definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "metrics/metrics.h"
#include "place/place.h"
#include "random_chords.h"

#define MOST_NODES 400

/* An allocation to measure: a set of ranks, and the cell of each. */
typedef struct allocation {
	torus_geometry_t geometry;
	uint32_t total_ranks;
	uint32_t n;
	uint32_t cells[MOST_NODES];
	uint32_t ranks[MOST_NODES];
} allocation_t;

/* Distinct ranks, descending; one time in four the two ends of the line. */
static void random_ranks(allocation_t *allocation)
{
	uint32_t n = allocation->n, all = allocation->total_ranks, low;

	if (!random_in(0, 3)) {
		low = random_in(0, n);
		for (uint32_t i = 0; i < n; i++)
			allocation->ranks[i] = i < n - low ? all - 1 - i : n - 1 - i;
		return;
	}
	for (uint32_t rank = 0, left = n; left; rank++) {
		if (random_in(0, all - rank - 1) < left)
			allocation->ranks[--left] = rank;
	}
}

/* Cells anywhere, or of a small part of the machine that may go around its ends. */
static void random_allocation(allocation_t *allocation)
{
	const torus_geometry_t *geometry = &allocation->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	int32_t corner[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
	bool compact = random_in(0, 1);

	torus_cell_to_coord(geometry, random_in(0, cells - 1), corner);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = (int32_t)random_in(1, (uint32_t)geometry->length[axis]);
	allocation->n = random_in(1, random_in(1, 2 * cells < 150 ? 2 * cells : 150));
	/* Every cell has room for as many nodes as there are; ranks are just distinct. */
	allocation->total_ranks = allocation->n * random_in(1, 4);
	for (uint32_t i = 0; i < allocation->n; i++) {
		allocation->cells[i] = random_in(0, cells - 1);
		if (compact) {
			torus_cell_to_coord(geometry, allocation->cells[i], coord);
			for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
				coord[axis] = (corner[axis] + coord[axis] % side[axis]) %
					      geometry->length[axis];
			allocation->cells[i] = torus_coord_to_cell(geometry, coord);
		}
	}
	random_ranks(allocation);
}

#define LONGEST 60

/* Which coordinates the nodes have in one dimension. */
typedef struct used_coords {
	int32_t length;
	bool wrap;
	bool used[LONGEST];
} used_coords_t;

static used_coords_t coords_along(const allocation_t *allocation, int axis)
{
	used_coords_t along = {.length = allocation->geometry.length[axis],
			       .wrap = allocation->geometry.wrap[axis]};

	for (uint32_t i = 0; i < allocation->n; i++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&allocation->geometry, allocation->cells[i], coord);
		along.used[coord[axis]] = true;
	}
	return along;
}

/* The shortest arc or range that holds all used coordinates, by trying all. */
static void slow_box_axis(const used_coords_t *along, int32_t *origin, int32_t *side)
{
	for (*side = 1;; ++*side) {
		for (*origin = 0; *origin < along->length; ++*origin) {
			bool outside = !along->wrap && *origin + *side > along->length;

			for (int32_t step = *side; step < along->length; step++)
				outside |= along->used[(*origin + step) % along->length];
			if (!outside)
				return;
		}
	}
}

/* Largest number of unused coordinates in a row, around the end. */
static int32_t slow_gap(const used_coords_t *along)
{
	int32_t run = 0, gap = 0;

	for (int32_t step = 0; step < 2 * along->length; step++) {
		run = along->used[step % along->length] ? 0 : run + 1;
		gap = run > gap ? run : gap;
	}
	return gap;
}

static void check_box(const allocation_t *allocation, const torus_metrics_t *metrics)
{
	const torus_geometry_t *geometry = &allocation->geometry;
	int32_t links[TORUS_MAX_DIMS], used[TORUS_MAX_DIMS] = {0};
	int32_t box[TORUS_MAX_DIMS], origin[TORUS_MAX_DIMS];
	uint64_t volume = 1, nodes = 1, all_links = 0;
	uint32_t sum = 0, longest = 0;

	assert_int_equal(torus_bounding_box(geometry, allocation->cells, allocation->n,
					    box, origin, NULL),
			 0);
	assert_memory_equal(box, metrics->box, sizeof(box));
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], first, side, factor;
		used_coords_t along = coords_along(allocation, axis);
		int32_t gap = slow_gap(&along);

		slow_box_axis(&along, &first, &side);
		assert_int_equal(box[axis], side);
		assert_int_equal(origin[axis], first);
		factor = side;
		links[axis] = side - 1;
		if (geometry->wrap[axis]) {
			bool enough = gap > length / 2.0 - 1;

			factor = enough ? length - gap : length;
			links[axis] = enough ? length - gap - 1 : length;
		}
		for (int32_t at = 0; at < length; at++)
			used[axis] += along.used[at];
		nodes *= (uint64_t)factor;
		volume *= (uint64_t)side;
		sum += (uint32_t)side;
		longest = (uint32_t)side > longest ? (uint32_t)side : longest;
	}
	for (int axis = geometry->dims; axis < TORUS_MAX_DIMS; axis++) {
		assert_int_equal(box[axis], 1);
		assert_int_equal(origin[axis], 0);
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint64_t product = (uint64_t)links[axis];

		for (int other = 0; other < geometry->dims; other++) {
			if (other != axis)
				product *= (uint64_t)used[other];
		}
		all_links += product;
	}
	assert_int_equal(metrics->volume, volume);
	assert_int_equal(metrics->side_sum, sum);
	assert_int_equal(metrics->cube_side, longest);
	assert_int_equal(metrics->nodes_affected, nodes);
	assert_int_equal(metrics->links_affected, all_links);
}

/* By the torus's own links alone. */
static void check_own_distance(const allocation_t *allocation)
{
	torus_geometry_t own = allocation->geometry;
	uint64_t sum = 0, alone;

	own.chords = NULL;
	for (uint32_t i = 0; i < allocation->n; i++) {
		for (uint32_t j = 0; j < allocation->n; j++)
			sum += torus_hops_cells(&own, allocation->cells[i],
						allocation->cells[j]);
	}
	assert_int_equal(torus_summed_own_distance(&allocation->geometry,
						   allocation->cells, allocation->n,
						   &alone, NULL),
			 0);
	assert_int_equal(alone, sum);
}

static void check_distances(const allocation_t *allocation,
			    const torus_metrics_t *metrics)
{
	uint64_t sum = 0, center = UINT64_MAX, alone;
	uint32_t n = allocation->n, diameter = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t from_here = 0;

		for (uint32_t j = 0; j < n; j++) {
			uint32_t hops = torus_hops_cells(&allocation->geometry,
							 allocation->cells[i],
							 allocation->cells[j]);

			from_here += hops;
			diameter = hops > diameter ? hops : diameter;
		}
		sum += from_here;
		center = from_here < center ? from_here : center;
	}
	assert_int_equal(metrics->summed_distance, sum);
	assert_int_equal(metrics->distance_from_center, center);
	assert_int_equal(metrics->diameter, diameter);
	assert_float_equal(metrics->average_distance,
			   n > 1 ? (double)sum / ((double)n * (n - 1)) : 0, 1e-9);
	assert_float_equal(metrics->apd, 2 * (sum / 2.0) / ((double)n * (n + 1)), 1e-9);
	assert_int_equal(torus_summed_distance(&allocation->geometry, allocation->cells,
					       n, &alone, NULL),
			 0);
	assert_int_equal(alone, sum);
	check_own_distance(allocation);
}

/* Flood from node to node, every pair looked at. */
static uint32_t slow_components(const allocation_t *allocation)
{
	uint32_t queue[MOST_NODES], components = 0;
	bool seen[MOST_NODES] = {false};

	for (uint32_t start = 0; start < allocation->n; start++) {
		uint32_t head = 0, tail = 0;

		if (seen[start])
			continue;
		components++;
		seen[start] = true;
		queue[tail++] = start;
		while (head < tail) {
			uint32_t from = queue[head++];

			for (uint32_t to = 0; to < allocation->n; to++) {
				if (seen[to] ||
				    torus_hops_cells(&allocation->geometry,
						     allocation->cells[from],
						     allocation->cells[to]) > 1)
					continue;
				seen[to] = true;
				queue[tail++] = to;
			}
		}
	}
	return components;
}

static void check_span(const allocation_t *allocation, const torus_metrics_t *metrics,
		       bool ring)
{
	uint32_t n = allocation->n, total = allocation->total_ranks;
	uint32_t lowest = allocation->ranks[n - 1], highest = allocation->ranks[0];
	uint32_t around = total;

	/* Ring: the shortest window, from any rank, that holds all. */
	for (uint32_t first = 0; first < total; first++) {
		uint32_t last = 0;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t step = (allocation->ranks[i] + total - first) % total;

			last = step > last ? step : last;
		}
		around = last + 1 < around ? last + 1 : around;
	}
	assert_int_equal(metrics->span_linear, highest - lowest + 1);
	assert_int_equal(metrics->span_ring, around);
	if (!ring)
		around = highest - lowest + 1;
	assert_float_equal(metrics->stretch_span, (double)around / n, 1e-9);
	assert_int_equal(metrics->contiguous, around == n);
}

/* The components if there were no links beside the torus's own. */
static uint32_t own_components(const allocation_t *allocation)
{
	allocation_t alone = *allocation;

	alone.geometry.chords = NULL;
	return slow_components(&alone);
}

/* What has been checked: the literature's rule for wrapped dimensions has two branches.
 */
static void count_case(const allocation_t *allocation, const torus_metrics_t *metrics)
{
	const torus_geometry_t *geometry = &allocation->geometry;
	bool gap = false, whole = false, full = false;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis],
			free = length - metrics->box[axis];

		if (!geometry->wrap[axis] || length < 3)
			continue;
		full |= !free;
		gap |= free > 0 && free > length / 2.0 - 1;
		whole |= free > 0 && free <= length / 2.0 - 1;
	}
	reached("a ring with a gap so wide that it is cut open", gap);
	reached("a ring with gaps that counts as a whole", whole);
	reached("a ring without a gap", full);
	reached("several components", metrics->components > 1);
	reached("one component of several nodes",
		metrics->components == 1 && allocation->n > 1);
	reached("one node", allocation->n == 1);
	reached("an interval around the end",
		metrics->contiguous && metrics->span_ring < metrics->span_linear);
	reached("six dimensions", geometry->dims == TORUS_MAX_DIMS);
	reached("several components of a twisted torus",
		geometry->twist && metrics->components > 1);
	reached("components that links beside the torus's own join",
		geometry->chords && metrics->components < own_components(allocation));
}

static void check(const allocation_t *allocation)
{
	bool ring = random_in(0, 1);
	torus_metrics_t metrics;
	torus_error_t err;

	assert_int_equal(torus_metrics(&allocation->geometry, allocation->cells,
				       allocation->ranks, allocation->n,
				       allocation->total_ranks, ring, &metrics, &err),
			 0);
	assert_int_equal(metrics.nodes, allocation->n);
	assert_int_equal(metrics.components, slow_components(allocation));
	check_box(allocation, &metrics);
	check_distances(allocation, &metrics);
	check_span(allocation, &metrics, ring);
	count_case(allocation, &metrics);
}

/* Sides k and 2k, at least one of each. */
static torus_geometry_t random_twisted(void)
{
	torus_geometry_t geometry = {.dims = (int)random_in(2, 4)};
	int32_t side = (int32_t)random_in(1, 4);
	unsigned all = (1u << geometry.dims) - 1;

	geometry.twist = random_in(1, all - 1);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		geometry.wrap[axis] = axis < geometry.dims;
		geometry.length[axis] = axis >= geometry.dims	     ? 1
					: geometry.twist >> axis & 1 ? 2 * side
								     : side;
	}
	return geometry;
}

static void definitions_on_random_machines(void **state)
{
	allocation_t allocation;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		allocation.geometry = random_geometry(TORUS_MAX_DIMS, random_in(1, 2000));
		if (allocation.geometry.length[0] > LONGEST) /* only with one dimension */
			allocation.geometry.length[0] = (int32_t)random_in(10, LONGEST);
		if (!random_in(0, 4))
			allocation.geometry = random_twisted();
		else if (!random_in(0, 3))
			random_chords(&allocation.geometry);
		random_allocation(&allocation);
		check(&allocation);
		torus_chords_release(allocation.geometry.chords);
	}
	assert_true(reached_all(20));
}

/* Rings of all lengths, odd and even, all sets: halves and gaps are where errors hide. */
static void every_set_on_short_rings(void **state)
{
	(void)state;
	for (int32_t length = 1; length <= 9; length++) {
		for (uint32_t set = 1; set < 1u << length; set++) {
			allocation_t allocation = {
				.geometry = {.dims = 1,
					     .length = {length, 1, 1, 1, 1, 1},
					     .wrap = {true}},
				.total_ranks = (uint32_t)length};

			for (int32_t at = length - 1; at >= 0; at--) {
				if (!(set >> at & 1))
					continue;
				allocation.cells[allocation.n] = (uint32_t)at;
				allocation.ranks[allocation.n++] = (uint32_t)at;
			}
			check(&allocation);
		}
	}
}

/*
 * A large box of nodes and a few far from it: so many that the diameter is found on the
 * grid of cells, and so placed that hardly more than one pair has it.
 */
static void a_box_and_stragglers(void **state)
{
	(void)state;
	for (int round = 0; round < 1500; round++) {
		allocation_t allocation = {.geometry = {.dims = round % 3 ? 2 : 3}};
		torus_geometry_t *geometry = &allocation.geometry;
		int32_t corner[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
		uint32_t cells;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			int32_t length = (int32_t)(geometry->dims == 2 ? random_in(9, 17)
								       : random_in(6, 9));

			geometry->length[axis] = axis < geometry->dims ? length : 1;
			geometry->wrap[axis] = axis < geometry->dims && random_in(0, 4);
		}
		cells = torus_geometry_cells(geometry);
		torus_cell_to_coord(geometry, random_in(0, cells - 1), corner);
		allocation.total_ranks = cells;
		for (uint32_t cell = cells; cell-- > 0;) {
			bool inside = true;

			torus_cell_to_coord(geometry, cell, coord);
			for (int axis = 0; axis < geometry->dims; axis++) {
				int32_t length = geometry->length[axis];

				inside &= (coord[axis] - corner[axis] + length) % length <
					  (length + 1) / 2;
			}
			if (!inside && random_in(0, cells - 1) > 2 &&
			    (cell || allocation.n))
				continue;
			allocation.cells[allocation.n] = cell;
			allocation.ranks[allocation.n++] = cell;
		}
		check(&allocation);
	}
}

static void example_of_the_literature(void **state)
{
	static const int32_t at[4][2] = {{6, 0}, {7, 1}, {0, 2}, {1, 3}};
	torus_metrics_t metrics;
	torus_geometry_t geometry;
	uint32_t cells[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		cells[i] = (uint32_t)(at[i][0] + 8 * at[i][1]);
	assert_int_equal(torus_geometry_parse("8x4", "none", &geometry, NULL), 0);
	assert_int_equal(
		torus_metrics(&geometry, cells, NULL, 4, 32, false, &metrics, NULL), 0);
	assert_int_equal(metrics.nodes_affected, 32);
	assert_int_equal(metrics.links_affected, 40);
	assert_int_equal(metrics.span_ring, 0);
	assert_int_equal(metrics.span_linear, 0);
	assert_false(metrics.contiguous);
	assert_int_equal(torus_geometry_parse("8x4", "all", &geometry, NULL), 0);
	assert_int_equal(
		torus_metrics(&geometry, cells, NULL, 4, 32, false, &metrics, NULL), 0);
	assert_int_equal(metrics.nodes_affected, 16);
	assert_int_equal(metrics.links_affected, 28);
}

/* Two nodes on each router of a 2x2x2 box: figures worked out by hand. */
static void a_box_of_shared_routers(void **state)
{
	torus_metrics_t metrics;
	torus_geometry_t geometry;
	uint32_t cells[16], ranks[16];

	(void)state;
	assert_int_equal(torus_geometry_parse("8x8x5", "all", &geometry, NULL), 0);
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t corner = i / 2;

		cells[i] = (corner & 1) + 8 * (corner >> 1 & 1) + 64 * (corner >> 2);
		ranks[i] = (i + 632) % 640; /* goes around the end */
	}
	assert_int_equal(
		torus_metrics(&geometry, cells, ranks, 16, 640, true, &metrics, NULL), 0);
	assert_int_equal(metrics.span_ring, 16);
	assert_int_equal(metrics.span_linear, 640);
	assert_true(metrics.contiguous);
	assert_int_equal(metrics.components, 1);
	assert_int_equal(metrics.volume, 8);
	assert_int_equal(metrics.diameter, 3);
	/* To the 2 nodes of each other router: 3 at 1 hop, 3 at 2, 1 at 3. */
	assert_int_equal(metrics.distance_from_center, 2 * (3 * 1 + 3 * 2 + 1 * 3));
	assert_int_equal(metrics.summed_distance, 16 * 24);
	assert_float_equal(metrics.average_distance, 1.6, 1e-12);
	assert_float_equal(metrics.apd, 24.0 / 17, 1e-12);
}

/* Sums above 32 bits: all nodes of a long line, by the closed formula. */
static void sums_do_not_overflow(void **state)
{
	uint32_t n = 100000;
	uint32_t *cells = malloc(n * sizeof(*cells));
	torus_metrics_t metrics;
	torus_geometry_t geometry;

	(void)state;
	assert_non_null(cells);
	assert_int_equal(torus_geometry_parse("100000", "none", &geometry, NULL), 0);
	for (uint32_t i = 0; i < n; i++)
		cells[i] = n - 1 - i;
	assert_int_equal(
		torus_metrics(&geometry, cells, NULL, n, n, false, &metrics, NULL), 0);
	assert_int_equal(metrics.summed_distance, (uint64_t)(n - 1) * n * (n + 1) / 3);
	assert_int_equal(metrics.diameter, n - 1);
	assert_int_equal(metrics.distance_from_center, (uint64_t)n * n / 4);
	free(cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_on_random_machines),
		cmocka_unit_test(every_set_on_short_rings),
		cmocka_unit_test(a_box_and_stragglers),
		cmocka_unit_test(example_of_the_literature),
		cmocka_unit_test(a_box_of_shared_routers),
		cmocka_unit_test(sums_do_not_overflow),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
