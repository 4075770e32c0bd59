/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random small clusters of unequal nodes with a verifier that knows more than it says,
 * and the decision about a job there by trying every place: the slow twin of
 * decide/decide.h. Used by the unit test and by the fuzzer, which bring the numbers.
 */
#ifndef TORUS_TEST_DECIDE_CASE_H
#define TORUS_TEST_DECIDE_CASE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bitmap.h"
#include "box_oracle.h"
#include "decide/decide.h"
#include "geometry/chips.h"
#include "torus/cubes.h"
#include "torus/fit.h"
#include "torus/joined.h"

#define MOST_TORI 3
#define MOST_NODES 20 /* of a torus */
#define MOST_PAIRS 6
#define MOST_SEEN 4096

/* A number in low .. high, both included, from whoever brings the numbers. */
typedef uint32_t number_t(uint32_t low, uint32_t high);

/* A set of nodes: node i of torus t is bit MOST_NODES * t + i. */
typedef uint64_t set_t;
_Static_assert(MOST_TORI *MOST_NODES <= 64, "all nodes in one word");

typedef struct decide_case {
	int tori;
	torus_map_t *map[MOST_TORI];
	uint64_t free[MOST_TORI][1], required[MOST_TORI][1];
	torus_candidates_t candidates[MOST_TORI];
	uint64_t weights[MOST_TORI][MOST_NODES];
	/* What the verifier says that nodes have, and what it goes by. */
	uint64_t has[MOST_TORI][MOST_NODES][TORUS_MAX_KINDS];
	uint64_t truly_has[MOST_TORI][MOST_NODES][TORUS_MAX_KINDS];
	set_t never;		/* nodes that it refuses */
	set_t told;		/* those of them that narrow() takes away */
	set_t pair[MOST_PAIRS]; /* nodes that it refuses together */
	int pairs;
	uint32_t refused_by_lot; /* of 8 places, which only a number tells */
	torus_need_t need;
	uint32_t subset[TORUS_MAX_KINDS]; /* features that a kind stands for */
	torus_shapes_t shapes;
	torus_decide_request_t request;
	torus_cluster_placer_t *placer;
	/* What was verified. */
	set_t seen[MOST_SEEN];
	int seen_count;
	bool seen_twice;
	bool has_cubes;		  /* some torus is a machine of cubes */
	bool narrowed, seen_gone; /* a place with nodes that narrow() has taken away */
} decide_case_t;

static inline set_t set_of_node(int torus, uint32_t rank)
{
	return (set_t)1 << (MOST_NODES * (uint32_t)torus + rank);
}

/* ---- making one ---- */

/* Cut the machine into cubes, few enough to try all sets of them. */
static inline void case_cubes(torus_geometry_t *geometry, number_t *number)
{
	torus_geometry_t cut = *geometry, grid;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		cut.cube[axis] = (int32_t)number(1, (uint32_t)cut.length[axis]);
		while (cut.length[axis] % cut.cube[axis])
			cut.cube[axis]--;
		cut.wrap[axis] = false;
	}
	grid = torus_cubes_grid(&cut);
	if (torus_geometry_cells(&grid) <= 8)
		*geometry = cut;
}

static inline torus_map_t *case_map(number_t *number)
{
	torus_geometry_t geometry = {.dims = (int)number(1, 3)};
	uint32_t cells = 1, nodes = 0, cell_of_node[MOST_NODES];
	uint32_t missing = number(0, 1) * number(0, 9),
		 twice = number(0, 1) * number(0, 9);
	bool has_chips = number(0, 2);
	torus_map_t *map;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t most = MOST_NODES / cells;

		geometry.length[axis] = 1;
		if (axis >= geometry.dims)
			continue;
		if (most > 5 && geometry.dims > 1)
			most = 5;
		geometry.length[axis] = (int32_t)number(1, most);
		geometry.wrap[axis] = number(0, 1);
		geometry.chips[axis] = has_chips ? (int32_t)number(1, 2) : 0;
		cells *= (uint32_t)geometry.length[axis];
	}
	if (!number(0, 5))
		case_cubes(&geometry, number);
	for (uint32_t cell = 0; cell < cells; cell++) {
		if (nodes < MOST_NODES && number(0, 9) >= missing)
			cell_of_node[nodes++] = cell;
		if (nodes < MOST_NODES && number(0, 9) < twice)
			cell_of_node[nodes++] = cell;
	}
	if (!nodes)
		cell_of_node[nodes++] = 0;
	map = torus_map_create_nodes("t", &geometry,
				     number(0, 1) ? TORUS_CURVE_HILBERT
						  : TORUS_CURVE_ROW_MAJOR,
				     cell_of_node, nodes, NULL, NULL, NULL);
	if (map) {
		map->span = number(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		map->allocator = nodes % 2 ? &torus_compact : &torus_best_fit;
	}
	return map;
}

/* Candidates and what the nodes have: processors, two kinds of GPUs, memory. */
static inline void case_torus(decide_case_t *c, int t, number_t *number, bool equal,
			      uint32_t busy)
{
	for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
		if (number(0, 9) >= busy)
			torus_bit_set(c->free[t], i);
		c->weights[t][i] = equal ? 1 : number(0, 2);
		for (int kind = 0; kind < c->need.kinds; kind++) {
			uint64_t has = equal ? 2 : number(0, 9) < 7 ? 1 : number(0, 4);

			c->has[t][i][kind] = c->truly_has[t][i][kind] = has;
			if (has && number(0, 19) == 0)
				c->truly_has[t][i][kind]--;
		}
	}
	c->candidates[t] = (torus_candidates_t){
		.free = c->free[t],
		.weights = number(0, 3) ? NULL : c->weights[t],
	};
}

/* Count nodes with features, up to three: beside the single ones, those of which nodes
 * have several. */
static inline void case_features(decide_case_t *c, number_t *number)
{
	uint32_t features = number(0, 2) ? 0 : number(1, 3), likely = number(1, 5);
	uint32_t own = number(0, 4), count[3] = {0};
	torus_need_t *need = &c->need;

	need->first_feature = need->kinds;
	need->features = (int)features;
	for (uint32_t i = 0; i < features; i++)
		count[i] = number(1, likely);
	for (uint32_t size = 1; size <= features; size++) {
		for (uint32_t subset = 1; subset < 1u << features; subset++) {
			if ((uint32_t)__builtin_popcount(subset) != size)
				continue;
			need->each[need->kinds] = need->sum[need->kinds] = 0;
			for (uint32_t i = 0; i < features; i++)
				need->sum[need->kinds] +=
					(subset >> i & 1) ? count[i] : 0;
			c->subset[need->kinds++] = subset;
		}
	}
	for (int t = 0; features && t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			uint32_t has = own ? 1u << number(0, features) : number(0, 7);

			for (int kind = need->first_feature; kind < need->kinds; kind++)
				c->has[t][i][kind] = c->truly_has[t][i][kind] =
					(has & c->subset[kind]) != 0;
		}
	}
}

static inline void case_required(decide_case_t *c, number_t *number)
{
	uint32_t count = number(0, 3) ? 0 : number(1, 3);
	int torus = (int)number(0, (uint32_t)c->tori - 1);

	for (uint32_t i = 0; i < count; i++) {
		int t = number(0, 19) ? torus : (int)number(0, (uint32_t)c->tori - 1);

		torus_bit_set(c->required[t], number(0, c->map[t]->nodes - 1));
	}
	for (int t = 0; count && t < c->tori; t++)
		c->candidates[t].required = c->required[t];
}

static inline void case_verifier(decide_case_t *c, number_t *number)
{
	uint32_t stern = number(0, 2) ? number(0, 3) : 0;

	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			if (number(0, 19) < stern)
				c->never |= set_of_node(t, i);
		}
	}
	c->told = number(0, 2) == 0   ? c->never
		  : number(0, 1) == 0 ? 0
				      : c->never & (c->never - 1);
	c->pairs = number(0, 3) ? 0 : (int)number(1, MOST_PAIRS);
	for (int i = 0; i < c->pairs; i++) {
		int t = (int)number(0, (uint32_t)c->tori - 1);

		c->pair[i] = set_of_node(t, number(0, c->map[t]->nodes - 1)) |
			     set_of_node(t, number(0, c->map[t]->nodes - 1));
	}
	c->refused_by_lot = number(0, 3) ? 0 : number(1, 8);
}

/* Whether a box of the shape may be a single node or part of one: of two such shapes any
 * node is a box. */
static inline bool case_is_single(const decide_case_t *c, const torus_shape_t *shape)
{
	uint32_t volume = 1;

	for (int axis = 0; axis < shape->dims; axis++)
		volume *= (uint32_t)shape->side[axis];
	for (int t = 0; t < c->tori; t++) {
		if (shape->in_chips && volume <= torus_node_chips(&c->map[t]->geometry))
			return true;
	}
	return false;
}

/* Up to three shapes, each once; in chips mostly of whole nodes, and one single node at
 * most. */
static inline void case_shapes(decide_case_t *c, number_t *number)
{
	uint32_t count = number(0, 3) ? number(2, 3) : 1;
	bool in_chips = number(0, 1);

	for (uint32_t i = 0; i < count; i++) {
		torus_shape_t *shape = &c->shapes.shape[c->shapes.count];
		torus_shapes_t seen;
		char text[TORUS_SHAPES_TEXT];

		shape->dims = (int)number(1, 3);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			shape->side[axis] =
				axis < shape->dims ? (int32_t)number(1, 3) : 1;
		shape->in_chips = in_chips;
		for (int axis = 0; in_chips && axis < shape->dims && number(0, 4); axis++)
			shape->side[axis] *= torus_node_side(&c->map[0]->geometry, axis);
		c->shapes.count++;
		torus_shapes_format(&c->shapes, text);
		if (torus_shapes_parse(text, &seen, NULL) ||
		    (c->shapes.count > 1 && case_is_single(c, shape)))
			c->shapes.count--;
	}
}

static inline void case_request(decide_case_t *c, number_t *number)
{
	torus_decide_request_t *request = &c->request;
	uint32_t likely = number(1, 9);

	request->min_nodes = number(1, likely);
	request->max_nodes = number(0, 1) ? request->min_nodes
					  : number(request->min_nodes, likely + 4);
	request->wanted_nodes = number(request->min_nodes, request->max_nodes);
	if (number(0, 1)) {
		request->shapes = &c->shapes;
		c->shapes.any = number(0, 1);
		if (!c->shapes.any)
			case_shapes(c, number);
		if (number(0, 3) && !c->shapes.any) {
			request->min_nodes = request->wanted_nodes = 1;
			request->max_nodes = UINT32_MAX;
		}
		torus_shapes_close(&c->shapes, number(0, 2) == 0);
	} else {
		request->cluster.contiguous = true;
	}
	for (int kind = 0; kind < c->need.kinds; kind++) {
		c->need.each[kind] = number(0, 3) ? 0 : number(0, 2);
		c->need.sum[kind] = number(0, 1) ? 0 : number(0, likely + 4);
	}
	/* Mostly so many that all can be tried. */
	request->most_verified = number(0, 3) ? MOST_SEEN : (int)number(1, 5);
	request->most_work = number(0, 7) ? UINT64_MAX : number(0, 4000);
	request->need = &c->need;
	request->cluster.torus = c->candidates;
}

/* False when memory is short; to be freed either way. */
static inline bool case_make(decide_case_t *c, number_t *number)
{
	bool equal = number(0, 4) == 0;
	uint32_t busy = number(0, 5);

	memset(c, 0, sizeof(*c));
	c->tori = number(0, 2) ? 1 : (int)number(1, MOST_TORI);
	c->need.kinds = (int)number(0, 4);
	for (int t = 0; t < c->tori; t++) {
		c->map[t] = case_map(number);
		if (!c->map[t])
			return false;
		case_torus(c, t, number, equal, busy);
		c->has_cubes |= torus_has_cubes(&c->map[t]->geometry);
	}
	case_required(c, number);
	if (!equal)
		case_verifier(c, number);
	case_request(c, number);
	case_features(c, number);
	c->placer =
		torus_cluster_placer_create((const torus_map_t *const *)c->map, c->tori);
	return c->placer;
}

static inline void case_free(decide_case_t *c)
{
	torus_cluster_placer_destroy(c->placer);
	for (int t = 0; t < c->tori; t++)
		torus_map_destroy(c->map[t]);
}

/* ---- the verifier ---- */

static inline bool case_accepts(const decide_case_t *c, set_t set)
{
	uint64_t sum[TORUS_MAX_KINDS] = {0};

	if (set & c->never)
		return false;
	for (int i = 0; i < c->pairs; i++) {
		if ((set & c->pair[i]) == c->pair[i])
			return false;
	}
	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			if (!(set & set_of_node(t, i)))
				continue;
			for (int kind = 0; kind < c->need.kinds; kind++)
				sum[kind] += c->truly_has[t][i][kind];
		}
	}
	for (int kind = 0; kind < c->need.kinds; kind++) {
		if (sum[kind] < c->need.sum[kind])
			return false;
	}
	return (set * UINT64_C(0x9e3779b97f4a7c15) >> 61) >= c->refused_by_lot;
}

static inline set_t case_set(const decide_case_t *c)
{
	set_t set = 0;

	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->placer->part[t].count; i++)
			set |= set_of_node(t, c->placer->part[t].rank[i]);
	}
	return set;
}

static inline bool case_verify(void *context, const torus_cluster_request_t *request,
			       const torus_cluster_placement_t *placement)
{
	decide_case_t *c = context;
	set_t set = case_set(c);

	(void)request;
	(void)placement;
	for (int i = 0; i < c->seen_count; i++)
		c->seen_twice |= c->seen[i] == set;
	c->seen_gone |= c->narrowed && (set & c->told);
	if (c->seen_count < MOST_SEEN)
		c->seen[c->seen_count++] = set;
	return case_accepts(c, set);
}

static inline void case_has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const decide_case_t *c = context;

	memcpy(has, c->has[torus][number], (size_t)c->need.kinds * sizeof(*has));
}

static inline bool case_narrow(void *context)
{
	decide_case_t *c = context;
	bool changed = false;

	c->narrowed = true;
	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			if (!(c->told & set_of_node(t, i)) ||
			    !torus_bit_test(c->free[t], i))
				continue;
			torus_bit_clear(c->free[t], i);
			changed = true;
		}
	}
	return changed;
}

static inline torus_outcome_t
case_decide(decide_case_t *c, torus_cluster_placement_t *placement, torus_error_t *err)
{
	const torus_verifier_t verifier = {
		.context = c,
		.verify = case_verify,
		.has = case_has,
		.narrow = case_narrow,
	};
	torus_decider_t decider = {.placer = c->placer, .verifier = &verifier};

	return torus_decide(&decider, &c->request, placement, err);
}

/* ---- by trying every place ---- */

typedef struct all_places {
	set_t set[MOST_SEEN * 4];
	int count;
} all_places_t;

/* Whether the set, of [nodes] on torus [t], meets all that is not the verifier's. */
static inline bool case_meets(const decide_case_t *c, int t, set_t set)
{
	const torus_decide_request_t *request = &c->request;
	uint64_t sum[TORUS_MAX_KINDS] = {0};
	uint32_t nodes = 0;

	for (int other = 0; other < c->tori; other++) {
		for (uint32_t i = 0; i < c->map[other]->nodes; i++) {
			bool in = set & set_of_node(other, i);

			if (c->candidates[other].required &&
			    torus_bit_test(c->required[other], i) && !in)
				return false;
			if (!in)
				continue;
			nodes++;
			if (other != t || !torus_bit_test(c->free[t], i))
				return false;
			for (int kind = 0; kind < c->need.kinds; kind++) {
				sum[kind] += c->has[t][i][kind];
				if (c->has[t][i][kind] < c->need.each[kind])
					return false;
			}
		}
	}
	for (int kind = 0; kind < c->need.kinds; kind++) {
		if (sum[kind] < c->need.sum[kind])
			return false;
	}
	return nodes >= request->min_nodes && nodes <= request->max_nodes;
}

static inline void case_add(const decide_case_t *c, all_places_t *all, int t, set_t set)
{
	if (!case_meets(c, t, set))
		return;
	for (int i = 0; i < all->count; i++) {
		if (all->set[i] == set)
			return;
	}
	if (all->count < MOST_SEEN * 4)
		all->set[all->count++] = set;
}

static inline void case_intervals(const decide_case_t *c, all_places_t *all, int t)
{
	uint32_t ranks = c->map[t]->nodes;

	for (uint32_t first = 0; first < ranks; first++) {
		set_t set = 0;

		for (uint32_t i = 0; i < ranks; i++) {
			if (first + i >= ranks && c->map[t]->span != TORUS_SPAN_RING)
				break;
			set |= set_of_node(t, (first + i) % ranks);
			case_add(c, all, t, set);
		}
	}
}

/* The box of these sides at [corner]; 0 if it leaves a mesh or has a cell without nodes.
 */
static inline set_t case_box(const torus_map_t *map, int t, const int32_t *corner,
			     const int32_t *side)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	set_t set = 0;

	for (uint32_t cell = 0; cell < cells; cell++) {
		int32_t at[TORUS_MAX_DIMS];
		bool in = true, any = false;

		torus_cell_to_coord(geometry, cell, at);
		for (int axis = 0; axis < geometry->dims; axis++) {
			int32_t length = geometry->length[axis];
			int32_t steps = at[axis] - corner[axis];

			if (corner[axis] + side[axis] > length && !geometry->wrap[axis])
				return 0;
			if (side[axis] > length)
				return 0;
			if (steps < 0)
				steps += length;
			in &= steps < side[axis];
		}
		for (uint32_t i = 0; in && i < map->nodes; i++) {
			if (map->cell_of_rank[i] != cell)
				continue;
			set |= set_of_node(t, i);
			any = true;
		}
		if (in && !any)
			return 0;
	}
	return set;
}

/* On a machine of cubes, whether a box with this corner and these sides is inside one. */
static inline bool case_inside(const torus_geometry_t *geometry, const int32_t *corner,
			       const int32_t *side)
{
	bool all = true;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (corner[axis] % geometry->cube[axis] + side[axis] >
		    geometry->cube[axis])
			return false;
		all = all && side[axis] == geometry->cube[axis];
	}
	return !all; /* a whole cube is a torus: see case_cube_sets() */
}

/* All sets of [cubes] cubes with nodes on each router. */
static inline void case_cube_sets(const decide_case_t *c, all_places_t *all, int t,
				  uint32_t cubes)
{
	const torus_map_t *map = c->map[t];
	const torus_geometry_t grid = torus_cubes_grid(&map->geometry);

	for (uint32_t choice = 1; choice < 1u << torus_geometry_cells(&grid); choice++) {
		set_t set = 0;
		bool holes = false;

		if ((uint32_t)__builtin_popcount(choice) != cubes)
			continue;
		for (uint32_t cell = 0; cell < torus_geometry_cells(&map->geometry);
		     cell++) {
			bool any = false;

			if (!(choice >> torus_cube_of(&map->geometry, cell, NULL) & 1))
				continue;
			for (uint32_t i = 0; i < map->nodes; i++) {
				if (map->cell_of_rank[i] != cell)
					continue;
				set |= set_of_node(t, i);
				any = true;
			}
			holes |= !any;
		}
		if (!holes)
			case_add(c, all, t, set);
	}
}

/* Whether all routers of the set have as many nodes as the fullest of the machine. */
static inline bool case_is_even(const torus_map_t *map, int t, set_t set)
{
	uint32_t on[MOST_NODES] = {0}, most = 0;

	for (uint32_t i = 0; i < map->nodes; i++) {
		uint32_t here = ++on[map->cell_of_rank[i]];

		most = here > most ? here : most;
	}
	for (uint32_t i = 0; i < map->nodes; i++) {
		if ((set & set_of_node(t, i)) && on[map->cell_of_rank[i]] != most)
			return false;
	}
	return true;
}

/* All boxes with these sides: in chips if [in_chips], and then of whole nodes or in one.
 */
static inline void case_boxes_of(const decide_case_t *c, all_places_t *all, int t,
				 const int32_t *given, bool in_chips)
{
	const torus_geometry_t *geometry = &c->map[t]->geometry;
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, chips[TORUS_MAX_DIMS];
	torus_geometry_t machine = in_chips ? torus_chip_machine(geometry) : *geometry;
	bool whole = true, part = true;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t of_node = in_chips ? torus_node_side(geometry, axis) : 1;

		whole &= given[axis] % of_node == 0;
		part &= in_chips && given[axis] <= of_node;
		side[axis] = given[axis] / of_node;
	}
	if (!whole && !part)
		return;
	for (int axis = 0; axis < geometry->dims; axis++) {
		side[axis] = whole ? side[axis] : 1;
		chips[axis] =
			side[axis] * (in_chips ? torus_node_side(geometry, axis) : 1);
	}
	if (c->shapes.closed && torus_sides_fit(geometry, side) &&
	    !oracle_is_closed(&machine, chips))
		return;
	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		int32_t corner[TORUS_MAX_DIMS];
		set_t set;

		torus_cell_to_coord(geometry, cell, corner);
		if (torus_has_cubes(geometry) && !case_inside(geometry, corner, side))
			continue;
		set = case_box(c->map[t], t, corner, side);
		if (set && torus_has_cubes(geometry) && c->shapes.any &&
		    !case_is_even(c->map[t], t, set))
			continue;
		if (set)
			case_add(c, all, t, set);
	}
}

/* All orders of the shape's sides that are not 1, put on any of the axes. */
static inline void case_boxes(const decide_case_t *c, all_places_t *all, int t,
			      const torus_shape_t *shape, int32_t *side, int next)
{
	const torus_geometry_t *geometry = &c->map[t]->geometry;

	if (next < shape->dims && shape->side[next] == 1) {
		case_boxes(c, all, t, shape, side, next + 1);
		return;
	}
	for (int axis = 0; next < shape->dims && axis < geometry->dims; axis++) {
		if (side[axis] != 1)
			continue;
		side[axis] = shape->side[next];
		case_boxes(c, all, t, shape, side, next + 1);
		side[axis] = 1;
	}
	if (next == shape->dims)
		case_boxes_of(c, all, t, side, shape->in_chips);
}

/* All boxes there are, whatever their sides. */
static inline void case_any_boxes(const decide_case_t *c, all_places_t *all, int t)
{
	const torus_geometry_t *geometry = &c->map[t]->geometry;
	torus_shape_t shape = {.dims = geometry->dims, .side = {1, 1, 1, 1, 1, 1}};
	int axis = 0;

	while (axis < geometry->dims) {
		int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

		case_boxes(c, all, t, &shape, side, 0);
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++shape.side[axis] <= geometry->length[axis])
				break;
			shape.side[axis] = 1;
		}
	}
}

/* The places of a shape, or of none (any), that are whole cubes. */
static inline void case_whole(const decide_case_t *c, all_places_t *all, int t,
			      const torus_shape_t *shape)
{
	const torus_geometry_t *geometry = &c->map[t]->geometry;
	int32_t side[TORUS_MAX_DIMS];
	all_places_t sets = {.count = 0};

	if (!torus_has_cubes(geometry))
		return;
	if (shape) {
		if (torus_shape_fit(geometry, shape, side) == TORUS_FIT_JOINED)
			case_cube_sets(c, all, t, torus_cubes_needed(geometry, side));
		return;
	}
	for (uint32_t cubes = 1; cubes <= 8; cubes++)
		case_cube_sets(c, &sets, t, cubes);
	for (int i = 0; i < sets.count; i++) {
		if (case_is_even(c->map[t], t, sets.set[i]))
			case_add(c, all, t, sets.set[i]);
	}
}

/* All places that meet the need, whatever the verifier says of them. */
static inline void case_all_places(const decide_case_t *c, all_places_t *all)
{
	all->count = 0;
	for (int t = 0; t < c->tori; t++) {
		for (int i = 0; i < c->shapes.count; i++) {
			int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

			case_boxes(c, all, t, &c->shapes.shape[i], side, 0);
			case_whole(c, all, t, &c->shapes.shape[i]);
		}
		if (c->shapes.any) {
			case_any_boxes(c, all, t);
			case_whole(c, all, t, NULL);
		}
		if (!c->request.shapes)
			case_intervals(c, all, t);
	}
}

/*
 * What is wrong with an answer, as text, or NULL: found if and only if there is a place,
 * unless the bounds were reached; a place that is one; no place verified twice.
 */
static inline const char *case_check(const decide_case_t *c, const all_places_t *all,
				     torus_outcome_t outcome)
{
	bool bounded = c->request.most_verified < MOST_SEEN ||
		       c->request.most_work != UINT64_MAX;
	int accepted = 0, known = 0;

	for (int i = 0; i < all->count; i++)
		accepted += case_accepts(c, all->set[i]);
	for (int j = 0; j < c->seen_count; j++) {
		for (int i = 0; i < all->count; i++)
			known += c->seen[j] == all->set[i];
	}
	if (outcome == TORUS_OUTCOME_ERROR)
		return "an error";
	/* On cubes another shape may be the same nodes, joined otherwise. */
	if (c->seen_twice && !(c->has_cubes && c->shapes.count > 1))
		return "a place was verified twice";
	if (c->seen_gone)
		return "a place was verified with nodes that will never do";
	if (known != c->seen_count)
		return "a place was verified that is none";
	if (c->seen_count > c->request.most_verified)
		return "more places were verified than allowed";
	if (outcome == TORUS_NO_PLACE && accepted)
		return "there is a place, though none was 'proved'";
	if (outcome == TORUS_UNDECIDED && !bounded)
		return "undecided, though all could be tried";
	if (outcome == TORUS_PLACE_FOUND &&
	    (!c->seen_count || !case_accepts(c, c->seen[c->seen_count - 1])))
		return "found a place that was refused";
	return NULL;
}

#endif
