/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random cases of jobs of segments on the clusters of decide_case.h, and the decision by
 * trying every set of nodes: the slow twin of decide/segments.c. Used by the unit test
 * and by the fuzzer, which bring the numbers.
 */
#ifndef TORUS_TEST_SEGMENTS_CASE_H
#define TORUS_TEST_SEGMENTS_CASE_H

#include <stdlib.h>

#include "decide_case.h"

static inline set_t segments_required(const decide_case_t *c)
{
	set_t required = 0;

	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; c->candidates[t].required && i < c->map[t]->nodes;
		     i++) {
			if (torus_bit_test(c->required[t], i))
				required |= set_of_node(t, i);
		}
	}
	return required;
}

/*
 * A case of segments: the number of nodes often a multiple, required nodes often as many
 * as the job has. False when memory is short; to be freed either way.
 */
static inline bool segments_case_make(decide_case_t *c, number_t *number)
{
	torus_decide_request_t *request = &c->request;
	uint32_t segment, required;

	if (!case_make(c, number))
		return false;
	segment = number(1, 5);
	request->cluster.contiguous = false;
	request->shapes = NULL;
	request->cluster.segment = segment;
	if (request->max_nodes > 64)
		request->max_nodes = number(request->min_nodes, 24);
	if (number(0, 3)) {
		request->min_nodes = segment * number(1, 4);
		request->max_nodes =
			request->min_nodes + (number(0, 1) ? 0 : number(0, 2 * segment));
		request->wanted_nodes = number(request->min_nodes, request->max_nodes);
	}
	if (number(0, 1)) {
		for (int t = 0; t < c->tori; t++) {
			memset(c->required[t], 0, sizeof(c->required[t]));
			c->candidates[t].required = NULL;
		}
	} else if (!number(0, 2)) { /* a row of neighbours */
		uint32_t count = request->min_nodes;

		memset(c->required, 0, sizeof(c->required));
		for (uint32_t i = 0; i < count && i < c->map[0]->nodes; i++) {
			torus_bit_set(c->required[0], i);
			torus_bit_set(c->free[0], i);
		}
		for (int t = 0; t < c->tori; t++)
			c->candidates[t].required = c->required[t];
	} else if (number(0, 2)) { /* some of the free nodes of a torus */
		int on = (int)number(0, (uint32_t)c->tori - 1);

		memset(c->required, 0, sizeof(c->required));
		for (uint32_t n = number(1, 3); n; n--) {
			uint32_t i = number(0, c->map[on]->nodes - 1);

			if (torus_bit_test(c->free[on], i))
				torus_bit_set(c->required[on], i);
		}
		for (int t = 0; t < c->tori; t++)
			c->candidates[t].required = c->required[t];
	}
	/* As many nodes as are required Slurm gives every job. */
	required = (uint32_t)__builtin_popcountll(segments_required(c));
	if (request->min_nodes < required)
		request->min_nodes = required;
	if (request->wanted_nodes < request->min_nodes)
		request->wanted_nodes = request->min_nodes;
	if (request->max_nodes < request->wanted_nodes)
		request->max_nodes = request->wanted_nodes;
	return true;
}

/* ---- by trying every set ---- */

#define MOST_SEGMENT_PIECES 512
#define MOST_PARTS (1u << MOST_NODES) /* sets of nodes of one torus */

/* The part of a set that is on torus [t], bit 0 being its first node. */
static inline uint32_t segments_part(set_t set, int t)
{
	return (uint32_t)(set >> (MOST_NODES * (uint32_t)t)) & (MOST_PARTS - 1);
}

/* The nodes of each torus that are free and have what is needed of each. */
static inline set_t segments_usable(const decide_case_t *c)
{
	set_t usable = 0;

	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			bool has = torus_bit_test(c->free[t], i);

			for (int kind = 0; kind < c->need.kinds; kind++)
				has &= c->has[t][i][kind] >= c->need.each[kind];
			if (has)
				usable |= set_of_node(t, i);
		}
	}
	return usable;
}

/* The pieces of a torus: its intervals and boxes of [segment] nodes, free or not. */
typedef struct segments_pieces {
	uint32_t piece[MOST_SEGMENT_PIECES];
	int count;
} segments_pieces_t;

static inline void segments_add_piece(segments_pieces_t *pieces, uint32_t piece,
				      uint32_t segment)
{
	if ((uint32_t)__builtin_popcount(piece) != segment)
		return;
	for (int i = 0; i < pieces->count; i++) {
		if (pieces->piece[i] == piece)
			return;
	}
	if (pieces->count < MOST_SEGMENT_PIECES)
		pieces->piece[pieces->count++] = piece;
}

/* ---- on machines of cubes: whole ones, or within one ---- */

/* The nodes of each cube, a bit each, and whether all its routers have some. Returns how
 * many the one with most has. */
static inline int segments_cubes(const torus_map_t *map, uint32_t cube[MOST_NODES],
				 bool whole[MOST_NODES])
{
	torus_geometry_t one = torus_cubes_one(&map->geometry);
	uint32_t routers[MOST_NODES] = {0}, inner[MOST_NODES];
	int most = 0;

	memset(cube, 0, MOST_NODES * sizeof(*cube));
	for (uint32_t i = 0; i < map->nodes; i++) {
		uint32_t number =
			torus_cube_of(&map->geometry, map->cell_of_rank[i], &inner[i]);

		cube[number] |= 1u << i;
		routers[number] |= 1u << inner[i];
	}
	for (uint32_t number = 0; number < MOST_NODES; number++) {
		whole[number] = (uint32_t)__builtin_popcount(routers[number]) ==
				torus_geometry_cells(&one);
		if (__builtin_popcount(cube[number]) > most)
			most = __builtin_popcount(cube[number]);
	}
	return most;
}

/* Add [part] with so many [more] of the whole cubes from [number] on. */
static inline void segments_add_whole(const uint32_t cube[MOST_NODES],
				      const bool whole[MOST_NODES], int most,
				      uint32_t part, uint32_t more, uint32_t number,
				      uint32_t segment, segments_pieces_t *pieces)
{
	if (!more)
		segments_add_piece(pieces, part, segment);
	for (; more && number < MOST_NODES; number++) {
		if (whole[number] && __builtin_popcount(cube[number]) == most)
			segments_add_whole(cube, whole, most, part | cube[number],
					   more - 1, number + 1, segment, pieces);
	}
}

/* Whether all routers of these nodes have equally many: only there boxes are pieces. */
static inline bool segments_even(const torus_map_t *map, uint32_t nodes)
{
	uint32_t on[MOST_NODES] = {0}, most = 0;

	for (uint32_t i = 0; i < map->nodes; i++) {
		uint32_t here = (nodes >> i & 1) ? ++on[map->cell_of_rank[i]] : 0;

		most = here > most ? here : most;
	}
	for (uint32_t cell = 0; cell < MOST_NODES; cell++) {
		if (on[cell] && on[cell] != most)
			return false;
	}
	return true;
}

/* Add the boxes of a torus, or those within cube [number] of it. */
static inline void segments_add_boxes(const torus_map_t *map, int t, bool cubes,
				      uint32_t number, uint32_t segment,
				      segments_pieces_t *pieces)
{
	const torus_geometry_t *geometry = &map->geometry;
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	int axis = 0;

	while (axis < geometry->dims) {
		for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
			int32_t corner[TORUS_MAX_DIMS];

			torus_cell_to_coord(geometry, cell, corner);
			if (cubes && (torus_cube_of(geometry, cell, NULL) != number ||
				      !case_inside(geometry, corner, side)))
				continue;
			segments_add_piece(
				pieces, segments_part(case_box(map, t, corner, side), t),
				segment);
		}
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++side[axis] <= geometry->length[axis])
				break;
			side[axis] = 1;
		}
	}
}

/* Add the intervals of the ranks of cube [number], whose nodes are [cube], and its boxes.
 */
static inline void segments_add_inside(const torus_map_t *map, int t, uint32_t number,
				       uint32_t cube, uint32_t segment,
				       segments_pieces_t *pieces)
{
	for (uint32_t i = 0; i < map->nodes; i++) {
		uint32_t piece = 0;

		for (uint32_t j = i;
		     j < map->nodes && (uint32_t)__builtin_popcount(piece) < segment; j++)
			piece |= cube & 1u << j;
		segments_add_piece(pieces, piece, segment);
	}
	if (segments_even(map, cube))
		segments_add_boxes(map, t, true, number, segment, pieces);
}

static inline void segments_list_cubes(const torus_map_t *map, int t, uint32_t segment,
				       segments_pieces_t *pieces)
{
	uint32_t cube[MOST_NODES];
	bool whole[MOST_NODES];
	int most = segments_cubes(map, cube, whole);

	if (most && segment % (uint32_t)most == 0)
		segments_add_whole(cube, whole, most, 0, segment / (uint32_t)most, 0,
				   segment, pieces);
	for (uint32_t number = 0; segment <= (uint32_t)most && number < MOST_NODES;
	     number++)
		segments_add_inside(map, t, number, cube[number], segment, pieces);
}

static inline void segments_list(const decide_case_t *c, int t, segments_pieces_t *pieces)
{
	const torus_map_t *map = c->map[t];
	uint32_t segment = c->request.cluster.segment;

	pieces->count = 0;
	if (torus_has_cubes(&map->geometry)) {
		segments_list_cubes(map, t, segment, pieces);
		return;
	}
	for (uint32_t first = 0; first < map->nodes; first++) {
		uint32_t piece = 0;

		for (uint32_t i = first; i < first + segment; i++) {
			if (i < map->nodes || map->span == TORUS_SPAN_RING)
				piece |= 1u << i % map->nodes;
		}
		segments_add_piece(pieces, piece, segment);
	}
	if (segments_even(map, UINT32_MAX))
		segments_add_boxes(map, t, false, 0, segment, pieces);
}

/* What may be said of a set of segments that there is. */
typedef bool segments_visit_t(const decide_case_t *c, int t, set_t set);

/* The sets that were looked at, a bit each. */
typedef uint64_t segments_seen_t[MOST_PARTS / 64];

/* Whether [is] holds for a set of [usable] nodes of torus [t] that is [part] and some of
 * the pieces. */
static inline bool segments_any_from(const decide_case_t *c, int t, uint32_t usable,
				     const segments_pieces_t *pieces, uint32_t part,
				     segments_seen_t seen, segments_visit_t *is)
{
	if (seen[part / 64] >> part % 64 & 1)
		return false;
	seen[part / 64] |= UINT64_C(1) << part % 64;
	if ((uint32_t)__builtin_popcount(part) > c->request.max_nodes)
		return false;
	if (part && is(c, t, (set_t)part << (MOST_NODES * (uint32_t)t)))
		return true;
	for (int i = 0; i < pieces->count; i++) {
		uint32_t piece = pieces->piece[i];

		if (!(piece & part) && !(piece & ~usable) &&
		    segments_any_from(c, t, usable, pieces, part | piece, seen, is))
			return true;
	}
	return false;
}

/* Add a node of a job of not more than one segment, which may be anywhere. */
static inline bool segments_any_few(const decide_case_t *c, int t, uint32_t usable,
				    uint32_t part, uint32_t from, segments_visit_t *is)
{
	if (part && is(c, t, (set_t)part << (MOST_NODES * (uint32_t)t)))
		return true;
	if ((uint32_t)__builtin_popcount(part) == c->request.cluster.segment)
		return false;
	for (uint32_t i = from; i < MOST_NODES; i++) {
		if ((usable >> i & 1) &&
		    segments_any_few(c, t, usable, part | 1u << i, i + 1, is))
			return true;
	}
	return false;
}

/* Whether [is] holds for any set on one torus, of the [usable] nodes, that the job might
 * have: segments, or not more nodes than one. */
static inline bool segments_any(const decide_case_t *c, set_t usable,
				segments_visit_t *is)
{
	uint64_t *seen = malloc(sizeof(segments_seen_t));
	segments_pieces_t pieces;
	bool any = false;

	for (int t = 0; seen && !any && t < c->tori; t++) {
		uint32_t part = segments_part(usable, t);

		memset(seen, 0, sizeof(segments_seen_t));
		segments_list(c, t, &pieces);
		any = segments_any_from(c, t, part, &pieces, 0, seen, is) ||
		      segments_any_few(c, t, part, 0, 0, is);
	}
	free(seen);
	return any;
}

/* Whether the part of a set on a torus is pieces, or nothing. */
static inline bool segments_cover(const segments_pieces_t *pieces, uint32_t part)
{
	for (int i = 0; part && i < pieces->count; i++) {
		uint32_t piece = pieces->piece[i];

		/* The lowest node has to be in one of them. */
		if ((piece & part & -part) && !(piece & ~part) &&
		    segments_cover(pieces, part & ~piece))
			return true;
	}
	return !part;
}

static inline bool segments_on_each(const decide_case_t *c, set_t set)
{
	segments_pieces_t pieces;

	for (int t = 0; t < c->tori; t++) {
		segments_list(c, t, &pieces);
		if (!segments_cover(&pieces, segments_part(set, t)))
			return false;
	}
	return true;
}

/* What is wrong with a set that was verified, or NULL. */
static inline const char *segments_check_set(const decide_case_t *c, set_t usable,
					     set_t set)
{
	const torus_decide_request_t *request = &c->request;
	uint32_t nodes = (uint32_t)__builtin_popcountll(set);
	uint64_t sum[TORUS_MAX_KINDS] = {0};

	if (set & ~usable)
		return "a node that is not free, or has too little";
	if (nodes < request->min_nodes || nodes > request->max_nodes)
		return "a number of nodes that was not asked for";
	if (nodes > request->cluster.segment && !segments_on_each(c, set))
		return "nodes that are no segments";
	if (segments_required(c) & ~set)
		return "a required node is missing";
	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			bool in = set & set_of_node(t, i);

			for (int kind = 0; in && kind < c->need.kinds; kind++)
				sum[kind] += c->has[t][i][kind];
		}
	}
	for (int kind = 0; kind < c->need.kinds; kind++) {
		if (sum[kind] < c->need.sum[kind])
			return "too little in all";
	}
	return NULL;
}

/* Whether looks may have been too few to find segments: not where the free intervals of
 * a torus hold as many as the least number of nodes has, and no node is required. */
static inline bool segments_may_give_up(const decide_case_t *c, set_t usable)
{
	uint32_t segment = c->request.cluster.segment;
	uint32_t least = (c->request.min_nodes + segment - 1) / segment;

	if (c->request.most_work == UINT64_MAX)
		return false;
	if (segments_required(c) || least * segment > c->request.max_nodes)
		return true;
	for (int t = 0; t < c->tori; t++) {
		const torus_map_t *map = c->map[t];
		const torus_segments_site_t site = {
			.geometry = &map->geometry,
			.cell_of_rank = map->cell_of_rank,
			.ranks = map->nodes,
			.span = map->span,
		};
		const uint64_t part = segments_part(usable, t);
		uint32_t count;

		if (torus_count_segments(&site, &part, segment,
					 c->request.cluster.segments, &count, NULL))
			return true;
		if (count >= least)
			return false;
	}
	return true;
}

/*
 * What is wrong with an answer, as text, or NULL. [usable]: segments_usable() before it
 * was asked for.
 */
static inline const char *segments_check(const decide_case_t *c, set_t usable,
					 torus_outcome_t outcome)
{
	bool sums = torus_need_sums(&c->need);

	if (outcome == TORUS_OUTCOME_ERROR)
		return "an error";
	if (c->seen_gone)
		return "a place was verified with nodes that will never do";
	for (int i = 0; i < c->seen_count; i++) {
		const char *wrong = segments_check_set(c, usable, c->seen[i]);

		if (wrong)
			return wrong;
	}
	if (outcome == TORUS_PLACE_FOUND &&
	    (!c->seen_count || !case_accepts(c, c->seen[c->seen_count - 1])))
		return "found a place that was refused";
	if (outcome == TORUS_UNDECIDED && !c->seen_count && !sums &&
	    !segments_may_give_up(c, usable))
		return "undecided, though nothing was refused";
	if (outcome == TORUS_NO_PLACE && !c->seen_count &&
	    segments_any(c, usable, case_meets))
		return "there is a place, though none was 'proved'";
	return NULL;
}

#endif
