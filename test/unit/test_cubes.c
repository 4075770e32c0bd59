/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines of cubes, on random machines with random holes: distances on the job's own
 * torus against a search through its links, and each placement against every place there
 * is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "geometry/chips.h"
#include "machine/nearness.h"
#include "random.h"
#include "taskmap/hops.h"
#include "taskmap/search/move_cost.h"
#include "taskmap/taskmap.h"
#include "torus/choose.h"
#include "torus/cubes.h"
#include "torus/fit.h"
#include "torus/joined.h"

#define MOST 512 /* ranks and cells */

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t cells, cubes, each;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST];
	uint64_t free[TORUS_WORDS(MOST)];
	uint64_t weights[MOST];
	const uint64_t *use_weights; /* weights or NULL */
	bool closed;		     /* only closed boxes will do */
} machine_t;

static void random_machine(machine_t *machine)
{
	uint32_t room = 160, taken = random_in(0, 10), per_router = random_in(1, 2);
	bool uneven = !random_in(0, 3), lumpy = random_in(0, 1);
	bool busy[MOST];
	int dims = (int)random_in(1, 4);

	memset(machine, 0, sizeof(*machine));
	machine->geometry.dims = dims;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t side = 1, cubes = 1;

		if (axis < dims) {
			side = random_in(1, room < 4 ? room : 4);
			room /= side;
			cubes = random_in(1, room < 4 ? room : 4);
			room /= cubes;
		}
		machine->geometry.cube[axis] = (int32_t)side;
		machine->geometry.length[axis] = (int32_t)(side * cubes);
	}
	machine->cells = torus_geometry_cells(&machine->geometry);
	machine->each = 1;
	for (int axis = 0; axis < dims; axis++)
		machine->each *= (uint32_t)machine->geometry.cube[axis];
	machine->cubes = machine->cells / machine->each;
	for (uint32_t i = 0; i < MOST; i++)
		busy[i] = lumpy && random_in(0, 1);
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		uint32_t nodes = uneven ? random_in(0, 2) : per_router;

		while (nodes--)
			machine->cell_of_rank[machine->ranks++] = cell;
	}
	if (!machine->ranks)
		machine->cell_of_rank[machine->ranks++] = 0;
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		uint32_t other = random_in(rank, machine->ranks - 1);
		uint32_t cell = machine->cell_of_rank[rank];

		machine->cell_of_rank[rank] = machine->cell_of_rank[other];
		machine->cell_of_rank[other] = cell;
	}
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		machine->weights[rank] = random_in(1, 3);
		if (!busy[machine->cell_of_rank[rank] % machine->cubes] &&
		    random_in(1, 60) > taken)
			torus_bit_set(machine->free, rank);
	}
	machine->use_weights = random_in(0, 2) ? NULL : machine->weights;
	machine->closed = !random_in(0, 3);
}

/* The cube of a cell, by its coordinate. */
static uint32_t slow_cube(const torus_geometry_t *geometry, uint32_t cell)
{
	int32_t coord[TORUS_MAX_DIMS];
	uint32_t cube = 0;

	torus_cell_to_coord(geometry, cell, coord);
	for (int axis = geometry->dims - 1; axis >= 0; axis--)
		cube = cube * (uint32_t)(geometry->length[axis] / geometry->cube[axis]) +
		       (uint32_t)(coord[axis] / geometry->cube[axis]);
	return cube;
}

static void numbers_cells(void **state)
{
	static machine_t machine;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		random_machine(&machine);
		for (uint32_t cell = 0; cell < machine.cells; cell++) {
			uint32_t inner;
			uint32_t cube = torus_cube_of(&machine.geometry, cell, &inner);
			const torus_geometry_t one = torus_cubes_one(&machine.geometry);
			int32_t coord[TORUS_MAX_DIMS], within[TORUS_MAX_DIMS];

			assert_int_equal(cube, slow_cube(&machine.geometry, cell));
			assert_int_equal(torus_cube_cell(&machine.geometry, cube, inner),
					 cell);
			torus_cell_to_coord(&machine.geometry, cell, coord);
			torus_cell_to_coord(&one, inner, within);
			for (int axis = 0; axis < machine.geometry.dims; axis++)
				assert_int_equal(within[axis],
						 coord[axis] %
							 machine.geometry.cube[axis]);
		}
	}
}

/* The cell one step on along [axis] on the job's torus, through its links. */
static uint32_t neighbour(const torus_joined_t *joined, uint32_t cell, int axis)
{
	const torus_geometry_t *geometry = &joined->geometry;
	int32_t coord[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, cell, coord);
	if (++coord[axis] < geometry->length[axis])
		return torus_coord_to_cell(geometry, coord);
	if (!geometry->wrap[axis])
		return cell;
	coord[axis] = 0;
	for (int i = 0;
	     geometry->twist && !(geometry->twist >> axis & 1) && i < geometry->dims;
	     i++) {
		if (geometry->twist >> i & 1)
			coord[i] = (coord[i] + geometry->length[i] / 2) %
				   geometry->length[i];
	}
	return torus_coord_to_cell(geometry, coord);
}

/* Hops from [from] to all cells by following links. */
static void search_links(const torus_joined_t *joined, uint32_t from, uint32_t *hops)
{
	uint32_t cells = torus_geometry_cells(&joined->geometry);
	bool more = true;

	for (uint32_t cell = 0; cell < cells; cell++)
		hops[cell] = cell == from ? 0 : UINT32_MAX / 2;
	while (more) {
		more = false;
		for (uint32_t a = 0; a < cells; a++) {
			for (int axis = 0; axis < joined->geometry.dims; axis++) {
				uint32_t b = neighbour(joined, a, axis);

				if (hops[a] + 1 < hops[b]) {
					hops[b] = hops[a] + 1;
					more = true;
				}
				if (hops[b] + 1 < hops[a]) {
					hops[a] = hops[b] + 1;
					more = true;
				}
			}
		}
	}
}

static void check_distances(const torus_joined_t *joined)
{
	uint32_t cells = torus_geometry_cells(&joined->geometry);
	uint64_t sum = 0, center = UINT64_MAX, summed;
	uint32_t hops[MOST], diameter = 0, n = joined->nodes;
	torus_metrics_t metrics;
	torus_error_t err;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t from = 0;

		search_links(joined, joined->cell[i], hops);
		for (uint32_t cell = 0; !i && cell < cells; cell++)
			assert_int_equal(torus_hops_cells(&joined->geometry,
							  joined->cell[i], cell),
					 hops[cell]);
		for (uint32_t j = 0; j < n; j++) {
			from += hops[joined->cell[j]];
			diameter = hops[joined->cell[j]] > diameter
					   ? hops[joined->cell[j]]
					   : diameter;
		}
		sum += from;
		center = from < center ? from : center;
	}
	assert_int_equal(
		torus_summed_distance(&joined->geometry, joined->cell, n, &summed, &err),
		0);
	assert_int_equal(summed, sum);
	assert_int_equal(torus_metrics(&joined->geometry, joined->cell, NULL, n, n, false,
				       &metrics, &err),
			 0);
	assert_int_equal(metrics.summed_distance, sum);
	assert_int_equal(metrics.distance_from_center, center);
	assert_int_equal(metrics.diameter, diameter);
	if (n > 1)
		assert_true(metrics.average_distance ==
			    (double)sum / ((double)n * (n - 1)));
}

#define FEW 64 /* nodes whose mappings are looked at */
static uint32_t far[FEW][MOST];

/* The hops that a mapping comes to, far[] by following links. */
static double slow_hop_bytes(const torus_joined_t *joined,
			     const torus_task_graph_t *graph,
			     const uint32_t *node_of_task)
{
	double sum = 0;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		const uint32_t *hops = far[node_of_task[task]];

		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			sum += hops[joined->cell[node_of_task[graph->neighbor[i]]]];
	}
	return sum / 2;
}

/*
 * A task on each node of the job: mappings are made and measured by the hops of the job's
 * own torus, with and without a list of all distances.
 */
static void check_tasks(const torus_geometry_t *machine, const uint32_t *cells,
			uint32_t n, const torus_shape_t *shape,
			const torus_joined_t *joined)
{
	const torus_shapes_t shapes = {.count = 1, .shape = {*shape}};
	torus_geometry_t geometry = *machine;
	uint32_t cell[MOST], one[MOST], mapped[MOST], a = random_in(0, n - 1);
	uint32_t b = random_in(0, n - 1);
	torus_task_grid_t grid = {0};
	torus_task_graph_t *graph;
	torus_hop_stats_t stats, first;
	torus_hop_table_t table;
	torus_error_t err;

	if (n > FEW || (!joined->geometry.twist && random_in(0, 3)))
		return;
	for (uint32_t i = 0; i < n; i++)
		search_links(joined, joined->cell[i], far[i]);
	memcpy(cell, cells, n * sizeof(*cells));
	assert_int_equal(torus_join_cells(&geometry, cell, n, &shapes, &err), 0);
	assert_memory_equal(&geometry, &joined->geometry, sizeof(geometry));
	assert_memory_equal(cell, joined->cell, n * sizeof(*cell));
	for (uint32_t i = 0; i < n; i++)
		one[i] = 1;
	torus_task_grid_factor(n, 3, &grid);
	graph = torus_task_graph_stencil(&grid, &err);
	assert_non_null(graph);

	const torus_task_job_t job = {.grid = &grid,
				      .graph = graph,
				      .geometry = &geometry,
				      .nodes = n,
				      .cell = cell,
				      .tasks_on_node = one};

	assert_int_equal(torus_taskmap(TORUS_MAPPER_BASELINE, &job, NULL, mapped, &err),
			 0);
	assert_int_equal(torus_hop_stats(&job, mapped, &first, &err), 0);
	assert_true(first.hop_bytes == slow_hop_bytes(joined, graph, mapped));
	assert_int_equal(torus_hop_table_init(&job, &table, &err), 0);
	for (int listed = 0; listed < 2; listed++) {
		uint32_t swapped[MOST];
		double before = first.hop_bytes;

		memcpy(swapped, mapped, n * sizeof(*mapped));
		swapped[a] = mapped[b];
		swapped[b] = mapped[a];
		assert_true(torus_move_cost_swap(graph, &table, mapped, a, b) ==
			    slow_hop_bytes(joined, graph, swapped) - before);
		assert_int_equal(torus_hop_table_expand(&job, &table, &err), 0);
	}
	torus_hop_table_destroy(&table);
	if (!geometry.twist && random_in(0, 9)) {
		torus_task_graph_destroy(graph);
		return;
	}
	for (int mapper = 0; mapper < TORUS_MAPPERS; mapper++) {
		const torus_mapper_budget_t budget = torus_mapper_budget(0.0002, 1);

		assert_int_equal(torus_taskmap((torus_mapper_t)mapper, &job, &budget,
					       mapped, &err),
				 0);
		assert_int_equal(torus_hop_stats(&job, mapped, &stats, &err), 0);
		assert_true(stats.hop_bytes == slow_hop_bytes(joined, graph, mapped));
	}
	assert_true(stats.hop_bytes <= first.hop_bytes); /* of the best */
	reached("tasks on a twisted torus", geometry.twist);
	torus_task_graph_destroy(graph);
}

/* The cell that a node of a whole cube must have, by coordinates. */
static uint32_t slow_cell(const machine_t *machine, const torus_joined_t *joined,
			  uint32_t cell)
{
	const torus_geometry_t *geometry = &machine->geometry;
	uint32_t cube = slow_cube(geometry, cell), place = 0;
	int32_t coord[TORUS_MAX_DIMS];

	while (joined->cube[place] != cube)
		place++;
	torus_cell_to_coord(geometry, cell, coord);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t along = joined->geometry.length[axis] / geometry->cube[axis];

		coord[axis] = coord[axis] % geometry->cube[axis] +
			      (int32_t)(place % (uint32_t)along) * geometry->cube[axis];
		place /= (uint32_t)along;
	}
	return torus_coord_to_cell(&joined->geometry, coord);
}

/* A shape for whole cubes, half of the time one that can be twisted. */
static torus_shape_t random_whole_shape(const machine_t *machine)
{
	torus_shape_t shape = {.dims = machine->geometry.dims};
	bool twist = random_in(0, 1);
	int32_t k = 1;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		shape.side[axis] = 1;
	for (int axis = 0; twist && axis < shape.dims; axis++)
		k *= machine->geometry.cube[axis] > 1 ? machine->geometry.cube[axis] : 1;
	for (int axis = 0; axis < shape.dims; axis++) {
		int32_t cube = machine->geometry.cube[axis];

		shape.side[axis] = twist ? cube : cube * (int32_t)random_in(1, 3);
	}
	for (int axis = 0; twist && axis < shape.dims; axis++)
		shape.side[axis] *= (int32_t)random_in(1, 2);
	shape.twist = twist && torus_sides_twist(&machine->geometry, shape.side);
	return shape;
}

static void joins_cubes(void **state)
{
	static machine_t machine;

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(6000); i++) {
		uint32_t cells[MOST], n = 0, cubes, count = 0;
		bool used[MOST] = {false};
		torus_shape_t shape;
		torus_joined_t joined;
		int32_t side[TORUS_MAX_DIMS];
		torus_error_t err;

		random_machine(&machine);
		shape = random_whole_shape(&machine);
		if (torus_shape_fit(&machine.geometry, &shape, side) !=
		    TORUS_FIT_JOINED) {
			assert_int_equal(
				torus_shape_explain(&machine.geometry, &shape, &err), -1);
			continue;
		}
		cubes = torus_cubes_needed(&machine.geometry, side);
		while (count < cubes) {
			uint32_t cube = random_in(0, machine.cubes - 1);

			count += !used[cube];
			used[cube] = true;
		}
		for (uint32_t cell = 0; cell < machine.cells; cell++) {
			for (uint32_t k = random_in(1, 2);
			     used[slow_cube(&machine.geometry, cell)] && k && n < MOST;
			     k--)
				cells[n++] = cell;
		}
		if (n == MOST)
			continue;
		assert_int_equal(
			torus_join(&machine.geometry, cells, n, &shape, &joined, &err),
			0);
		assert_int_equal(joined.kind, TORUS_WHOLE_CUBES);
		assert_int_equal(joined.cubes, cubes);
		assert_int_equal(joined.geometry.twist != 0, shape.twist);
		assert_memory_equal(joined.geometry.length, side, sizeof(side));
		for (uint32_t c = 0; c < cubes; c++) {
			assert_true(used[joined.cube[c]]);
			assert_true(!c || joined.cube[c - 1] < joined.cube[c]);
		}
		for (uint32_t c = 0; c < n; c++)
			assert_int_equal(joined.cell[c],
					 slow_cell(&machine, &joined, cells[c]));
		check_distances(&joined);
		check_tasks(&machine.geometry, cells, n, &shape, &joined);
		reached("a twisted torus", joined.geometry.twist);
		reached("one cube, all of it", cubes == 1);
		reached("several cubes", cubes > 1);
		torus_joined_clear(&joined);

		/* Without one router it is no whole cube. */
		if (machine.each == 1 || n < 2)
			continue;
		for (n--; n && cells[n - 1] == cells[n]; n--)
			continue;
		assert_int_equal(
			torus_join(&machine.geometry, cells, n, &shape, &joined, &err),
			0);
		assert_int_equal(joined.kind, cubes == 1 ? TORUS_IN_ONE_CUBE
					      : n	 ? TORUS_NOT_JOINED
							 : TORUS_WHOLE_CUBES);
		for (uint32_t c = 0; cubes > 1 && c < n; c++)
			assert_int_equal(joined.cell[c], cells[c]);
		assert_false(torus_geometry_wraps(&joined.geometry));
		torus_joined_clear(&joined);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

/* The most compact torus of so many cubes, by its pairs, is as compact as ours. */
static void finds_compact(void **state)
{
	static machine_t machine;

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(2000); i++) {
		uint32_t cubes;
		int32_t side[TORUS_MAX_DIMS], other[TORUS_MAX_DIMS];
		uint64_t ours = 0, theirs, least = UINT64_MAX;

		random_machine(&machine);
		cubes = random_in(1, machine.cubes);
		torus_cubes_compact(&machine.geometry, cubes, side);
		assert_int_equal(torus_cubes_needed(&machine.geometry, side), cubes);
		for (uint32_t code = 0; code < 8 * 8 * 8 * 8; code++) {
			uint32_t left = code, product = 1;
			uint64_t *sum;

			for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
				uint32_t along =
					axis < machine.geometry.dims ? left % 8 + 1 : 1;

				left /= axis < machine.geometry.dims ? 8 : 1;
				other[axis] =
					machine.geometry.cube[axis] * (int32_t)along;
				product *= along;
			}
			if (product != cubes || left)
				continue;
			sum = memcmp(other, side, sizeof(side)) ? &theirs : &ours;
			*sum = 0;
			for (int axis = 0; axis < machine.geometry.dims; axis++) {
				uint64_t ring = 0;

				for (int32_t at = 0; at < other[axis]; at++)
					ring += (uint64_t)(at < other[axis] - at
								   ? at
								   : other[axis] - at);
				*sum += ring *
					(machine.each * cubes / (uint32_t)other[axis]);
			}
			least = *sum < least ? *sum : least;
		}
		if (ours) {
			assert_int_equal(ours, least);
			reached("compared", true);
		}
	}
	assert_true(reached_all(RANDOM_CASES(200)));
}

/* A place found by trying all. */
typedef struct slow {
	bool found;
	uint64_t weight, hops;
	uint32_t left;
	int64_t open;
	uint32_t cube;
	bool in[MOST]; /* ranks */
} slow_t;

static bool slow_usable(const machine_t *machine, uint32_t cell, uint32_t per_router)
{
	uint32_t nodes = 0;

	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		if (machine->cell_of_rank[rank] != cell)
			continue;
		nodes++;
		if (!torus_bit_test(machine->free, rank))
			return false;
	}
	return per_router ? nodes == per_router : nodes;
}

/* Try the box with these corner and sides of the machine's grid. */
static void try_box(const machine_t *machine, uint32_t corner, const int32_t *side,
		    uint32_t per_router, bool by_hops, const bool *usable, slow_t *best)
{
	const torus_geometry_t *geometry = &machine->geometry;
	slow_t box = {.found = true, .cube = slow_cube(geometry, corner)};
	uint32_t box_cells[MOST], count = 0, volume = 1;
	int32_t from[TORUS_MAX_DIMS];

	(void)per_router;
	torus_cell_to_coord(geometry, corner, from);
	for (int axis = 0; axis < geometry->dims; axis++) {
		volume *= (uint32_t)side[axis];
		if (from[axis] + side[axis] > geometry->length[axis])
			return;
	}
	for (uint32_t cell = 0; cell < machine->cells; cell++) {
		if (!torus_box_has(geometry, from, side, cell))
			continue;
		if (slow_cube(geometry, cell) != box.cube || !usable[cell])
			return;
		box_cells[count++] = cell;
	}
	assert_int_equal(count, volume);
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		uint32_t cell = machine->cell_of_rank[rank];

		if (slow_cube(geometry, cell) != box.cube ||
		    !torus_bit_test(machine->free, rank))
			continue;
		box.left++;
		box.in[rank] = torus_box_has(geometry, from, side, cell);
		if (box.in[rank] && machine->use_weights)
			box.weight += machine->weights[rank];
	}
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t cell = 0; cell < machine->cells; cell++)
			box.open += torus_hops_cells(geometry, box_cells[i], cell) == 1 &&
				    slow_cube(geometry, cell) == box.cube &&
				    !torus_box_has(geometry, from, side, cell) &&
				    usable[cell];
	}
	for (uint32_t a = 0; by_hops && a < machine->ranks; a++) {
		for (uint32_t b = 0; box.in[a] && b < machine->ranks; b++) {
			if (box.in[b])
				box.hops += torus_hops_cells(geometry,
							     machine->cell_of_rank[a],
							     machine->cell_of_rank[b]);
		}
	}
	if (best->found) {
		if (box.weight != best->weight) {
			if (box.weight > best->weight)
				return;
		} else if (box.hops != best->hops) {
			if (box.hops > best->hops)
				return;
		} else if (box.left != best->left) {
			if (box.left > best->left)
				return;
		} else if (box.open != best->open) {
			if (box.open > best->open)
				return;
		} else if (box.cube >= best->cube) {
			return;
		}
	}
	*best = box;
}

/* All boxes inside cubes: with the shape's sides, or any with [nodes] nodes. */
static void slow_inside(const machine_t *machine, const torus_shape_t *shape,
			uint32_t nodes, uint32_t per_router, slow_t *best)
{
	const torus_geometry_t *geometry = &machine->geometry;
	int32_t side[TORUS_MAX_DIMS], wanted[TORUS_MAX_DIMS], sorted[TORUS_MAX_DIMS];
	bool usable[MOST];

	for (uint32_t cell = 0; cell < machine->cells; cell++)
		usable[cell] = slow_usable(machine, cell, per_router);
	if (shape && !torus_shape_sides(shape, geometry->dims, wanted))
		return;
	for (uint32_t code = 0; code < machine->each; code++) {
		uint32_t left = code, volume = 1;
		int32_t longest = 1;

		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			side[axis] = axis < geometry->dims
					     ? (int32_t)(left %
							 (uint32_t)geometry->cube[axis]) +
						       1
					     : 1;
			left /= axis < geometry->dims ? (uint32_t)geometry->cube[axis]
						      : 1;
			volume *= (uint32_t)side[axis];
			longest = side[axis] > longest ? side[axis] : longest;
		}
		if (machine->closed && longest > 2)
			continue;
		memcpy(sorted, side, sizeof(sorted));
		torus_first_rotation(geometry->dims, sorted);
		if (shape ? memcmp(sorted, wanted, sizeof(sorted)) != 0
			  : volume * per_router != nodes)
			continue;
		for (uint32_t cell = 0; cell < machine->cells; cell++)
			try_box(machine, cell, side, per_router, !shape, usable, best);
	}
}

/* The whole cubes for a job, one after the other. */
static bool slow_whole(const machine_t *machine, uint32_t cubes, uint32_t per_router,
		       slow_t *best)
{
	bool taken[MOST] = {false};

	memset(best, 0, sizeof(*best));
	while (cubes--) {
		uint64_t least = UINT64_MAX;
		uint32_t lightest = 0;

		for (uint32_t cube = 0; cube < machine->cubes; cube++) {
			uint64_t weight = 0;
			bool whole = !taken[cube];

			for (uint32_t cell = 0; cell < machine->cells; cell++)
				whole = whole &&
					(slow_cube(&machine->geometry, cell) != cube ||
					 slow_usable(machine, cell, per_router));
			for (uint32_t rank = 0; rank < machine->ranks; rank++) {
				if (machine->use_weights &&
				    slow_cube(&machine->geometry,
					      machine->cell_of_rank[rank]) == cube)
					weight += machine->weights[rank];
			}
			if (whole && weight < least) {
				least = weight;
				lightest = cube;
			}
		}
		if (least == UINT64_MAX)
			return false;
		taken[lightest] = true;
	}
	for (uint32_t rank = 0; rank < machine->ranks; rank++)
		best->in[rank] =
			taken[slow_cube(&machine->geometry, machine->cell_of_rank[rank])];
	return best->found = true;
}

/* The choice in chosen[] and that of the twin are equally good, or the same. */
static void check_choice(const machine_t *machine, const slow_t *best, int found,
			 const uint32_t *chosen, uint32_t count, bool same)
{
	uint64_t weight = 0;
	uint32_t in = 0;

	assert_int_equal(found, best->found);
	if (!found)
		return;
	for (uint32_t rank = 0; rank < machine->ranks; rank++)
		in += best->in[rank];
	if (same) /* boxes on routers with more nodes or fewer may be equally good */
		assert_int_equal(count, in);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(!i || chosen[i - 1] < chosen[i]);
		assert_true(torus_bit_test(machine->free, chosen[i]));
		weight += machine->use_weights ? machine->weights[chosen[i]] : 0;
		if (same)
			assert_true(best->in[chosen[i]]);
		else
			assert_int_equal(slow_cube(&machine->geometry,
						   machine->cell_of_rank[chosen[i]]),
					 best->cube);
	}
	if (!same)
		assert_int_equal(weight, best->weight);
}

/*
 * That the box chosen is as good as the best that the twin finds among those that are
 * that box.
 */
static void check_inside(const machine_t *machine, const torus_shape_t *shape,
			 uint32_t nodes, uint32_t per_router, const slow_t *best,
			 const uint32_t *chosen, uint32_t count)
{
	static machine_t only;
	slow_t again = {0};
	int64_t open = 0;
	bool in[MOST] = {false};

	for (uint32_t i = 0; i < count; i++)
		in[machine->cell_of_rank[chosen[i]]] = true;
	/* Its faces towards free routers, on the machine as it is. */
	for (uint32_t a = 0; a < machine->cells; a++) {
		for (uint32_t b = 0; in[a] && b < machine->cells; b++)
			open += !in[b] &&
				torus_hops_cells(&machine->geometry, a, b) == 1 &&
				slow_cube(&machine->geometry, b) == best->cube &&
				slow_usable(machine, b, per_router);
	}
	assert_int_equal(open, best->open);
	/* On a machine where nothing else is free it is a box of the shape. */
	only = *machine;
	memset(only.free, 0, sizeof(only.free));
	for (uint32_t i = 0; i < count; i++)
		torus_bit_set(only.free, chosen[i]);
	slow_inside(&only, shape, nodes, per_router, &again);
	assert_true(again.found);
	assert_int_equal(again.hops, best->hops);
}

static torus_shape_t random_shape(const machine_t *machine)
{
	torus_shape_t shape = {.dims = (int)random_in(1, 4)};
	bool fits = random_in(0, 3);

	if (!random_in(0, 2))
		return random_whole_shape(machine);
	if (fits)
		shape.dims = machine->geometry.dims;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		int32_t most =
			fits && axis < shape.dims ? machine->geometry.cube[axis] : 3;

		shape.side[axis] =
			axis < shape.dims ? (int32_t)random_in(1, (uint32_t)most) : 1;
	}
	return shape;
}

static void places_shapes(void **state)
{
	static machine_t machine;
	static uint32_t chosen[MOST];

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(5000); i++) {
		const torus_place_request_t request = {
			.geometry = &machine.geometry,
			.cell_of_rank = machine.cell_of_rank,
		};
		torus_fit_t fit;
		torus_shape_t shape;
		int32_t side[TORUS_MAX_DIMS];
		uint32_t count = 0;
		slow_t best = {0};
		torus_error_t err;
		int found;

		random_machine(&machine);
		shape = random_shape(&machine);
		shape.closed = machine.closed;
		fit = torus_shape_fit(&machine.geometry, &shape, side);
		found = torus_choose_box(NULL, machine.free, machine.use_weights,
					 machine.ranks, &request, &shape, chosen, &count,
					 &err);
		if (fit == TORUS_FIT_JOINED) {
			slow_whole(&machine, torus_cubes_needed(&machine.geometry, side),
				   0, &best);
		} else if (fit == TORUS_FIT_BOX) {
			slow_inside(&machine, &shape, 0, 0, &best);
		}
		check_choice(&machine, &best, found, chosen, count,
			     fit == TORUS_FIT_JOINED);
		if (found && fit == TORUS_FIT_BOX)
			check_inside(&machine, &shape, 0, 0, &best, chosen, count);
		reached("a closed box", found && shape.closed && fit == TORUS_FIT_BOX);
		reached("whole cubes", found && fit == TORUS_FIT_JOINED);
		reached("inside a cube", found && fit == TORUS_FIT_BOX);
		reached("no such cubes free", !found && fit == TORUS_FIT_JOINED);
		reached("no such box free", !found && fit == TORUS_FIT_BOX);
		reached("never", fit == TORUS_FIT_NEVER);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

static void places_any(void **state)
{
	static machine_t machine;
	static uint32_t chosen[MOST], cells[MOST];

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(4000); i++) {
		uint32_t per_router = 0, nodes, on[MOST] = {0};
		uint64_t distance = 0;
		slow_t best = {0};
		torus_joined_t joined;
		torus_error_t err;
		bool whole;
		int found;

		random_machine(&machine);
		for (uint32_t rank = 0; rank < machine.ranks; rank++) {
			uint32_t here = ++on[machine.cell_of_rank[rank]];

			per_router = here > per_router ? here : per_router;
		}
		nodes = random_in(0, 2)
				? random_in(1, machine.each * per_router)
				: per_router * machine.each * random_in(1, machine.cubes);
		whole = nodes % (machine.each * per_router) == 0;
		found = torus_choose_any_box(&machine.geometry, machine.cell_of_rank,
					     machine.ranks, machine.free,
					     machine.use_weights, nodes, machine.closed,
					     chosen, &distance, &err);
		if (whole)
			slow_whole(&machine, nodes / machine.each / per_router,
				   per_router, &best);
		else
			slow_inside(&machine, NULL, nodes, per_router, &best);
		check_choice(&machine, &best, found, chosen, nodes, whole);
		reached("whole cubes", found && whole);
		reached("inside a cube", found && !whole);
		reached("none", !found);
		if (!found)
			continue;
		if (!whole) {
			assert_int_equal(distance, best.hops);
			check_inside(&machine, NULL, nodes, per_router, &best, chosen,
				     nodes);
			continue;
		}
		for (uint32_t n = 0; n < nodes; n++)
			cells[n] = machine.cell_of_rank[chosen[n]];
		assert_int_equal(
			torus_join(&machine.geometry, cells, nodes, NULL, &joined, &err),
			0);
		if (nodes < 200) {
			uint64_t sum = 0;

			for (uint32_t a = 0; a < nodes; a++) {
				for (uint32_t b = 0; b < nodes; b++)
					sum += torus_hops_cells(&joined.geometry,
								joined.cell[a],
								joined.cell[b]);
			}
			assert_int_equal(distance, sum);
		}
		torus_joined_clear(&joined);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

/* The distance of a job alone, by following links on the torus of its own. */
static void check_alone(const machine_t *machine, torus_placer_t *placer,
			const torus_place_request_t *asked)
{
	static uint32_t chosen[MOST];
	torus_place_request_t request = *asked;
	uint64_t all[TORUS_WORDS(MOST)] = {0}, sum = 0, alone;
	uint32_t hops[MOST];
	torus_placement_t placement;
	torus_joined_t joined;
	torus_error_t err;

	request.nodes = random_in(1, machine->ranks < 24 ? machine->ranks : 24);
	torus_bitmap_set_range(all, 0, machine->ranks);
	assert_int_equal(torus_choose_nodes(placer, all, NULL, machine->ranks, &request,
					    chosen, &placement, &err),
			 1);
	for (uint32_t i = 0; i < request.nodes; i++)
		chosen[i] = machine->cell_of_rank[chosen[i]];
	assert_int_equal(torus_join(&machine->geometry, chosen, request.nodes, NULL,
				    &joined, &err),
			 0);
	for (uint32_t i = 0; i < request.nodes; i++) {
		search_links(&joined, joined.cell[i], hops);
		for (uint32_t j = 0; j < request.nodes; j++)
			sum += hops[joined.cell[j]];
	}
	assert_int_equal(
		torus_alone_distance(placer, machine->ranks, &request, &alone, &err), 1);
	assert_int_equal(alone, sum);
	reached("alone on whole cubes", joined.kind == TORUS_WHOLE_CUBES);
	reached("alone in one cube", joined.kind == TORUS_IN_ONE_CUBE);
	reached("alone, not joined", joined.kind == TORUS_NOT_JOINED);
	torus_joined_clear(&joined);
}

static void places_nodes(void **state)
{
	static machine_t machine;
	static uint32_t chosen[MOST], part[MOST];

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(5000); i++) {
		torus_place_request_t request = {
			.geometry = &machine.geometry,
			.cell_of_rank = machine.cell_of_rank,
			.allocator = random_in(0, 1) ? &torus_best_fit : &torus_compact,
			.span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR,
		};
		torus_placement_t placement;
		torus_placer_t *placer;
		uint32_t left, cubes = 0, count;
		uint64_t free_ranks[TORUS_WORDS(MOST)];
		bool wanted[MOST] = {false};
		torus_error_t err;
		int found;

		random_machine(&machine);
		memcpy(free_ranks, machine.free, sizeof(free_ranks));
		count = torus_bitmap_count(free_ranks, machine.ranks);
		if (!count)
			continue;
		request.nodes = left = random_in(1, count);
		placer = torus_placer_create(machine.ranks);
		assert_non_null(placer);
		found = torus_choose_nodes(placer, machine.free, NULL, machine.ranks,
					   &request, chosen, &placement, &err);
		assert_int_equal(found, 1);
		while (left) {
			uint64_t within[TORUS_WORDS(MOST)] = {0};
			uint32_t holds[MOST] = {0}, best = MOST, most = 0;

			for (uint32_t rank = 0; rank < machine.ranks; rank++) {
				if (torus_bit_test(free_ranks, rank))
					holds[slow_cube(&machine.geometry,
							machine.cell_of_rank[rank])]++;
			}
			for (uint32_t cube = 0; cube < machine.cubes; cube++) {
				if (holds[cube] >= left &&
				    (best == MOST || holds[cube] < holds[best]))
					best = cube;
				if (holds[cube] > holds[most])
					most = cube;
			}
			best = best == MOST ? most : best;
			request.nodes = left < holds[best] ? left : holds[best];
			for (uint32_t rank = 0; rank < machine.ranks; rank++) {
				if (slow_cube(&machine.geometry,
					      machine.cell_of_rank[rank]) != best ||
				    !torus_bit_test(free_ranks, rank))
					continue;
				torus_bit_set(within, rank);
				torus_bit_clear(free_ranks, rank);
			}
			assert_int_equal(torus_place_weighted(placer, within, NULL,
							      &request, part, NULL, &err),
					 1);
			for (uint32_t n = 0; n < request.nodes; n++)
				wanted[part[n]] = true;
			left -= request.nodes;
			cubes++;
		}
		for (uint32_t rank = 0, at = 0; rank < machine.ranks; rank++) {
			if (wanted[rank])
				assert_int_equal(chosen[at++], rank);
		}
		if (random_in(0, 1))
			check_alone(&machine, placer, &request);
		reached("one cube", cubes == 1);
		reached("several cubes", cubes > 1);
		torus_placer_destroy(placer);
	}
	assert_true(reached_all(RANDOM_CASES(200)));
}

/* What can never be had is explained, with what can. */
static void explains(void **state)
{
	static const struct {
		const char *shape;
		int twist; /* 1: twisted, 2: closed */
		const char *says;
	} table[] = {
		{"8x8x12", 0, NULL},
		{"4x4x8", 1, NULL},
		{"4x8x8", 1, NULL},
		{"1x2x4", 0, NULL},
		{"4x4x4", 0, NULL},
		{"6x6x6", 0,
		 "6x6x6 is neither within a cube of 4x4x4 nor made of whole ones; made of "
		 "whole ones is 8x8x8"},
		{"5", 0,
		 "5 is neither within a cube of 4x4x4 nor made of whole ones; made of whole "
		 "ones is 8x4x4"},
		{"16x16x20", 0,
		 "16x16x20 takes 80 cubes of 4x4x4, and the machine has 64"},
		{"8x8x8", 1,
		 "8x8x8 cannot be twisted: a twisted torus has sides k and 2k, as 4x4x8 and "
		 "4x8x8"},
		{"2x2x4", 1,
		 "2x2x4 is less than a cube of 4x4x4, a mesh that cannot be twisted: whole "
		 "cubes can"},
		{"2x2x3", 2,
		 "2x2x3 is no torus within a cube of 4x4x4, and not made of whole ones; made "
		 "of whole ones is 4x4x4"},
		{"2x2x2x2", 0, "2x2x2x2 has more sides than the machine's 3"},
	};
	torus_geometry_t geometry;
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_geometry_parse("16x16x16", NULL, &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse("4x4x4", &geometry, &err), 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_shape_t shape;

		assert_int_equal(torus_shape_parse(table[i].shape, &shape, &err), 0);
		shape.twist = table[i].twist == 1;
		shape.closed = table[i].twist == 2;
		if (!table[i].says) {
			assert_int_not_equal(torus_shape_fit(&geometry, &shape, NULL),
					     TORUS_FIT_NEVER);
			continue;
		}
		assert_int_equal(torus_shape_fit(&geometry, &shape, NULL),
				 TORUS_FIT_NEVER);
		assert_int_equal(torus_shape_explain(&geometry, &shape, &err), -1);
		assert_string_equal(err.text, table[i].says);
	}
}

/* Whether the box with its lowest cell at [corner], which does not go beyond the machine,
 * is within the cube that has it. */
static bool in_one_cube(const torus_geometry_t *geometry, const int32_t *corner,
			const int32_t *side)
{
	uint32_t cube =
		torus_cube_of(geometry, torus_coord_to_cell(geometry, corner), NULL);

	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		int32_t coord[TORUS_MAX_DIMS];
		bool in = true;

		torus_cell_to_coord(geometry, cell, coord);
		for (int axis = 0; axis < geometry->dims; axis++)
			in = in && coord[axis] >= corner[axis] &&
			     coord[axis] < corner[axis] + side[axis];
		if (in && torus_cube_of(geometry, cell, NULL) != cube)
			return false;
	}
	return true;
}

/* Wired are the boxes within a cube, and all of a machine without; whole cubes, and what
 * is wired, are all the numbers of routers there are. */
static void tells_wired(void **state)
{
	static machine_t machine;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(300); i++) {
		const torus_geometry_t *geometry = &machine.geometry;
		uint64_t volumes[TORUS_WORDS(MOST + 1)] = {0};
		bool possible[MOST + 1] = {false};
		torus_geometry_t without;

		random_machine(&machine);
		without = machine.geometry;
		memset(without.cube, 0, sizeof(without.cube));
		assert_false(torus_joined_volumes(&without, volumes));
		assert_int_equal(torus_bitmap_count(volumes, MOST + 1), 0);
		assert_true(torus_joined_volumes(geometry, volumes));
		for (uint32_t cell = 0; cell < machine.cells; cell++) {
			int32_t corner[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
			uint32_t volume = 1;
			bool wired;

			torus_cell_to_coord(geometry, cell, corner);
			for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
				side[axis] = (int32_t)random_in(
					1, (uint32_t)(geometry->length[axis] -
						      corner[axis]));
			}
			wired = in_one_cube(geometry, corner, side);
			assert_int_equal(torus_box_is_wired(geometry, side, cell), wired);
			assert_true(torus_box_is_wired(&without, side, cell));
			reached("a box in a cube", wired);
			reached("a box of several", !wired);
			/* The box from the first cell to this one. */
			for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
				side[axis] = corner[axis] + 1;
				corner[axis] = 0;
				volume *= (uint32_t)side[axis];
			}
			possible[volume] |= in_one_cube(geometry, corner, side);
		}
		for (uint32_t cubes = 1; cubes <= machine.cubes; cubes++)
			possible[cubes * machine.each] = true;
		for (uint32_t volume = 0; volume <= machine.cells; volume++)
			assert_int_equal(torus_bit_test(volumes, volume),
					 possible[volume]);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

/* The averages of k x k x 2k that Jouppi et al. and Camara et al. build on: twisting
 * never lengthens a path. */
static void twist_shortens(void **state)
{
	static const char *const shapes[] = {"4x4x8", "4x8x8", "8x8x16", "4x8"};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		torus_geometry_t straight, twisted;
		torus_error_t err;
		uint32_t cells, diameter[2] = {0, 0};
		uint64_t sum[2] = {0, 0};

		assert_int_equal(torus_geometry_parse(shapes[i], "all", &straight, &err),
				 0);
		twisted = straight;
		twisted.twist = torus_sides_twist(&twisted, twisted.length);
		cells = torus_geometry_cells(&straight);
		for (uint32_t cell = 0; cell < cells; cell++) {
			uint32_t hops[2] = {torus_hops_cells(&straight, 0, cell),
					    torus_hops_cells(&twisted, 0, cell)};

			for (int t = 0; t < 2; t++) {
				sum[t] += hops[t];
				diameter[t] =
					hops[t] > diameter[t] ? hops[t] : diameter[t];
			}
		}
		assert_true(sum[1] < sum[0]);
		assert_true(diameter[1] < diameter[0]);
	}
}

/* Shapes in chips, on cubes of 4x4x4 chips whose nodes have 2x2x1. */
static void takes_chips(void **state)
{
	static const struct {
		const char *chips;
		bool twist;
		torus_fit_t fit;
		int32_t side[3]; /* of whole cubes, in nodes */
		unsigned long_axes;
	} table[] = {
		{"4x4x8", false, TORUS_FIT_JOINED, {2, 2, 8}, 0},
		{"4x4x8", true, TORUS_FIT_JOINED, {2, 2, 8}, 4},
		{"8x4x8", true, TORUS_FIT_JOINED, {4, 2, 8}, 5},
		{"8x8x8", true, TORUS_FIT_NEVER, {0}, 0},
		{"4x4x2", false, TORUS_FIT_BOX, {0}, 0},
		{"1x2", false, TORUS_FIT_BOX, {0}, 0},
		{"3x4x4", false, TORUS_FIT_BOX, {0}, 0}, /* turned: 4x4x3 */
		{"3x3x4", false, TORUS_FIT_NEVER, {0}, 0},
	};
	torus_geometry_t geometry;
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_geometry_parse("8x8x16", NULL, &geometry, &err), 0);
	assert_int_equal(torus_node_shape_parse("2x2x1", &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse("2x2x4", &geometry, &err), 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int32_t side[TORUS_MAX_DIMS] = {0};
		torus_shapes_t shapes;

		assert_int_equal(torus_chip_shapes_parse(table[i].chips, &shapes, &err),
				 0);
		torus_shapes_twist(&shapes, table[i].twist);
		assert_int_equal(torus_shape_fit(&geometry, &shapes.shape[0], side),
				 table[i].fit);
		assert_memory_equal(side, table[i].side, sizeof(table[i].side));
		if (table[i].twist && table[i].fit == TORUS_FIT_JOINED)
			assert_int_equal(torus_sides_twist(&geometry, side),
					 table[i].long_axes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_cells), cmocka_unit_test(joins_cubes),
		cmocka_unit_test(finds_compact), cmocka_unit_test(places_shapes),
		cmocka_unit_test(places_any),	 cmocka_unit_test(places_nodes),
		cmocka_unit_test(explains),	 cmocka_unit_test(twist_shortens),
		cmocka_unit_test(takes_chips),	 cmocka_unit_test(tells_wired),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
