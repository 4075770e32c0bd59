/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement in clusters: against the rules of cluster_place.h, one by one, the slow way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "box_oracle.h"
#include "machine/cluster_place.h"
#include "place_oracle.h"
#include "random.h"

#define MOST_TORI 4
#define MOST_RANKS 64
#define MOST_ELSEWHERE 20

/* The nodes of one place; bitmaps of them are made for the engine. */
typedef struct place {
	uint32_t nodes;
	bool free[MOST_RANKS];
	bool required[MOST_RANKS];
	uint64_t weights[MOST_RANKS];
	uint64_t free_words[TORUS_WORDS(MOST_RANKS)];
	uint64_t required_words[TORUS_WORDS(MOST_RANKS)];
} place_t;

/* A cluster, what is free of it, and what a job asks for. */
typedef struct cluster {
	int tori;
	torus_map_t *map[MOST_TORI];
	place_t torus[MOST_TORI];
	place_t elsewhere;
	bool weighted;
	uint32_t nodes;
	bool has_shape;
	torus_shape_t shape;
	bool contiguous;
	bool spread;
	bool isolated, loose, whether;
} cluster_t;

/* What was decided; on torus t the ranks rank[t][0 .. count[t]-1]. */
typedef struct decision {
	int made;
	torus_cluster_placement_t placement;
	uint32_t count[MOST_TORI];
	uint32_t span[MOST_TORI];
	uint32_t rank[MOST_TORI][MOST_RANKS];
	bool elsewhere[MOST_ELSEWHERE];
} decision_t;

/* How often each kind of decision came up. */
static uint32_t seen_one, seen_spread, seen_elsewhere, seen_none, seen_lighter,
	seen_required, seen_box, seen_mix, seen_mix_alone, seen_mix_chosen;

/* ---- random clusters ---- */

static void random_place(place_t *place, uint32_t nodes, uint32_t heaviest, bool fixed)
{
	uint32_t holes = random_in(0, 12), run = 0;

	memset(place, 0, sizeof(*place));
	place->nodes = nodes;
	for (uint32_t i = 0; i < nodes; i++) {
		place->free[i] = random_in(1, 12) > holes;
		/* Runs of one weight, as racks are. */
		if (!run--)
			run = random_in(0, 9);
		place->weights[i] = run && i ? place->weights[i - 1]
					     : random_in(0, fixed ? 0 : heaviest);
		if (fixed)
			place->weights[i] = heaviest;
	}
}

static uint32_t count_free(const place_t *place)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < place->nodes; i++)
		count += place->free[i];
	return count;
}

/* A few nodes more than any place has free, so that the job has to be divided. */
static void make_divided(cluster_t *cluster)
{
	uint32_t most = count_free(&cluster->elsewhere);

	for (int t = 0; t < cluster->tori; t++) {
		uint32_t count = count_free(&cluster->torus[t]);

		if (count > most)
			most = count;
	}
	cluster->nodes = most + random_in(1, 8);
	cluster->has_shape = cluster->contiguous = false;
}

static void random_cluster(cluster_t *cluster)
{
	uint32_t heaviest = random_in(0, 4), total = 0;

	memset(cluster, 0, sizeof(*cluster));
	cluster->tori = (int)random_in(1, MOST_TORI);
	cluster->weighted = heaviest || random_in(0, 1);
	for (int t = 0; t < cluster->tori; t++) {
		uint32_t per_router = random_in(1, 2);
		torus_geometry_t geometry = random_geometry(4, MOST_RANKS / per_router);
		torus_curve_t curve = (torus_curve_t)random_in(TORUS_CURVE_ROW_MAJOR,
							       TORUS_CURVE_HILBERT);
		torus_map_t *map =
			torus_map_create("t", &geometry, curve, per_router, NULL);

		assert_non_null(map);
		map->allocator = torus_allocators[random_in(0, 3)];
		if (random_in(0, 3) == 0)
			map->span = TORUS_SPAN_LINEAR;
		cluster->map[t] = map;
		/* Tori of one weight each are usual. */
		random_place(&cluster->torus[t], map->nodes, random_in(0, heaviest),
			     random_in(0, 1));
		total += map->nodes;
	}
	random_place(&cluster->elsewhere, random_in(0, MOST_ELSEWHERE),
		     random_in(0, heaviest), random_in(0, 1));
	cluster->nodes =
		random_in(1, random_in(0, 2) ? random_in(1, random_in(1, total)) : total);
	cluster->contiguous = !random_in(0, 3);
	cluster->spread = random_in(0, 1);
	if (!random_in(0, 4)) {
		cluster->has_shape = true;
		cluster->nodes = 0;
		cluster->shape.dims = (int)random_in(1, 3);
		cluster->shape.closed = !random_in(0, 3);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			cluster->shape.side[axis] =
				axis < cluster->shape.dims ? (int32_t)random_in(1, 3) : 1;
	}
}

/* A few nodes of one place, seldom of two; seldom one that is not free. */
static void random_required(cluster_t *cluster)
{
	for (int times = random_in(0, 9) ? 1 : 2; times; times--) {
		uint32_t which = random_in(0, (uint32_t)cluster->tori);
		place_t *place = which ? &cluster->torus[which - 1] : &cluster->elsewhere;
		uint32_t want = random_in(1, 3);

		for (uint32_t i = 0; i < place->nodes && want; i++) {
			if ((place->free[i] && !random_in(0, 5)) || !random_in(0, 199)) {
				place->required[i] = true;
				want--;
			}
		}
	}
}

/* One time in four with required nodes. */
static void random_question(cluster_t *cluster)
{
	random_cluster(cluster);
	if (!random_in(0, 3))
		random_required(cluster);
}

static void destroy(cluster_t *cluster)
{
	for (int t = 0; t < cluster->tori; t++)
		torus_map_destroy(cluster->map[t]);
}

/* ---- the engine ---- */

static uint64_t weight_of(const cluster_t *cluster, const place_t *place, uint32_t node)
{
	return cluster->weighted ? place->weights[node] : 0;
}

static torus_candidates_t candidates_of(const cluster_t *cluster, place_t *place)
{
	torus_candidates_t candidates = {.free = place->free_words};
	bool any = false;

	memset(place->free_words, 0, sizeof(place->free_words));
	memset(place->required_words, 0, sizeof(place->required_words));
	for (uint32_t i = 0; i < place->nodes; i++) {
		if (place->free[i])
			torus_bit_set(place->free_words, i);
		if (place->required[i])
			torus_bit_set(place->required_words, i);
		any |= place->required[i];
	}
	/* Without a bit is as good as NULL. */
	if (any || place->nodes % 2)
		candidates.required = place->required_words;
	if (cluster->weighted)
		candidates.weights = place->weights;
	return candidates;
}

static void decide(cluster_t *cluster, decision_t *decision)
{
	torus_candidates_t torus[MOST_TORI];
	torus_cluster_request_t request = {
		.nodes = cluster->nodes,
		.shape = cluster->has_shape ? &cluster->shape : NULL,
		.contiguous = cluster->contiguous,
		.spread = cluster->spread,
		.isolated = cluster->isolated,
		.loose = cluster->loose,
		.whether = cluster->whether,
		.torus = torus,
		.elsewhere_nodes = cluster->elsewhere.nodes,
	};
	torus_cluster_placer_t *placer = torus_cluster_placer_create(
		(const torus_map_t *const *)cluster->map, cluster->tori);
	torus_error_t err;

	assert_non_null(placer);
	memset(decision, 0, sizeof(*decision));
	for (int t = 0; t < cluster->tori; t++)
		torus[t] = candidates_of(cluster, &cluster->torus[t]);
	request.elsewhere = candidates_of(cluster, &cluster->elsewhere);
	decision->made =
		torus_cluster_place(placer, &request, &decision->placement, &err);
	if (decision->made) {
		for (int t = 0; t < cluster->tori; t++) {
			decision->count[t] = placer->part[t].count;
			decision->span[t] = placer->part[t].span;
			memcpy(decision->rank[t], placer->part[t].rank,
			       decision->count[t] * sizeof(uint32_t));
		}
	}
	if (decision->made) {
		uint32_t nodes = cluster->elsewhere.nodes, from = 0, i;

		while ((i = torus_cluster_next_elsewhere(&request.elsewhere, nodes,
							 &decision->placement, from)) <
		       nodes) {
			assert_true(i >= from);
			decision->elsewhere[i] = true;
			from = i + 1;
		}
		assert_int_equal(i, nodes);
	}
	torus_cluster_placer_destroy(placer);
}

/* ---- its slow twin ---- */

static bool any_required(const place_t *place)
{
	for (uint32_t i = 0; i < place->nodes; i++) {
		if (place->required[i])
			return true;
	}
	return false;
}

/* [nodes] nodes on torus [t] into [offer], as if there were no other. */
static void slow_torus(const cluster_t *cluster, int t, uint32_t nodes, decision_t *offer)
{
	const place_t *place = &cluster->torus[t];
	const torus_map_t *map = cluster->map[t];
	static oracle_request_t request;
	static oracle_choice_t choice;
	uint64_t weights[MOST_RANKS];

	if (!nodes || nodes > place->nodes)
		return;
	memset(&request, 0, sizeof(request));
	request.ranks = place->nodes;
	request.nodes = nodes;
	request.allocator = map->allocator;
	request.span = map->span;
	request.contiguous = cluster->contiguous;
	for (uint32_t i = 0; i < place->nodes; i++) {
		request.free[i] = place->free[i];
		request.required[i] = place->required[i];
		weights[i] = weight_of(cluster, place, i);
	}
	oracle_place_weighted(&request, weights, &choice);
	if (!choice.found)
		return;
	offer->made = true;
	offer->count[t] = nodes;
	offer->span[t] = choice.placement.span;
	memcpy(offer->rank[t], choice.chosen, nodes * sizeof(uint32_t));
	offer->placement.contiguous = choice.placement.contiguous;
	offer->placement.score = choice.placement.score;
}

static void slow_box(const cluster_t *cluster, int t, decision_t *offer)
{
	const place_t *place = &cluster->torus[t];
	const torus_map_t *map = cluster->map[t];
	uint64_t free_words[TORUS_WORDS(MOST_RANKS)] = {0};
	oracle_machine_t machine = {map->geometry, map->nodes, map->cell_of_rank,
				    free_words,
				    cluster->weighted ? place->weights : NULL};
	static oracle_box_t box;

	for (uint32_t i = 0; i < place->nodes; i++) {
		if (place->free[i])
			torus_bit_set(free_words, i);
	}
	oracle_box_place(&machine, &cluster->shape, &box);
	if (!box.found)
		return;
	offer->made = true;
	offer->count[t] = box.count;
	memcpy(offer->rank[t], box.ranks, box.count * sizeof(uint32_t));
	offer->span[t] = oracle_span(box.ranks, box.count, map->nodes, map->span);
	offer->placement.contiguous = offer->span[t] == box.count;
	offer->placement.score = offer->span[t];
}

/* Of the nodes not [taken] the first of the lightest; their number if all are taken. */
static uint32_t lightest_left(const cluster_t *cluster, const place_t *place,
			      const bool *taken)
{
	uint32_t best = place->nodes;

	for (uint32_t i = 0; i < place->nodes; i++) {
		if (place->free[i] && !taken[i] &&
		    (best == place->nodes ||
		     weight_of(cluster, place, i) < weight_of(cluster, place, best)))
			best = i;
	}
	return best;
}

/* Take the lightest one by one; then all that weigh as much as the last. */
static void slow_elsewhere(const cluster_t *cluster, decision_t *offer)
{
	const place_t *place = &cluster->elsewhere;
	uint32_t left = cluster->nodes, counted = 0;
	uint64_t last = 0;

	if (cluster->has_shape || cluster->contiguous)
		return;
	for (uint32_t i = 0; i < place->nodes; i++) {
		if (!place->required[i])
			continue;
		if (!place->free[i] || !left)
			return;
		left--;
		offer->elsewhere[i] = true;
		offer->placement.weight += weight_of(cluster, place, i);
	}
	offer->made = true;
	for (; left; left--) {
		uint32_t best = lightest_left(cluster, place, offer->elsewhere);

		if (best == place->nodes) {
			offer->made = false;
			return;
		}
		offer->elsewhere[best] = true;
		last = weight_of(cluster, place, best);
		offer->placement.weight += last;
		counted++;
	}
	for (uint32_t i = 0; i < place->nodes; i++) {
		if (place->free[i] && counted && weight_of(cluster, place, i) <= last)
			offer->elsewhere[i] = true;
		offer->placement.elsewhere += offer->elsewhere[i];
	}
	offer->placement.nodes = offer->placement.elsewhere;
}

/* Sum up what is on the tori. */
static void sum_up(const cluster_t *cluster, decision_t *decision)
{
	for (int t = 0; t < cluster->tori; t++) {
		decision->placement.nodes += decision->count[t];
		decision->placement.span += decision->span[t];
		for (uint32_t i = 0; i < decision->count[t]; i++)
			decision->placement.weight += weight_of(
				cluster, &cluster->torus[t], decision->rank[t][i]);
	}
}

/* Whether [a] is preferred to [b], which is earlier in the cluster. */
static bool preferred(const decision_t *a, const decision_t *b)
{
	if (!a->made || !b->made)
		return a->made;
	if (a->placement.weight != b->placement.weight)
		return a->placement.weight < b->placement.weight;
	if (a->placement.torus == TORUS_ELSEWHERE)
		return false;
	if (a->placement.contiguous != b->placement.contiguous)
		return a->placement.contiguous;
	return a->placement.score < b->placement.score;
}

/*
 * Torus [t] and elsewhere: one node after the other, the lightest that is left of both,
 * of the torus if they weigh the same. Which nodes of the torus is then decided anew.
 */
static void slow_mix(const cluster_t *cluster, int t, decision_t *offer)
{
	const place_t *torus = &cluster->torus[t], *others = &cluster->elsewhere;
	bool taken[MOST_RANKS] = {false};
	uint32_t on_torus = 0;
	decision_t part = {0};

	if (cluster->has_shape || cluster->contiguous)
		return;
	for (uint32_t left = cluster->nodes; left; left--) {
		uint32_t here = lightest_left(cluster, torus, taken);
		uint32_t there = lightest_left(cluster, others, offer->elsewhere);

		if (here == torus->nodes && there == others->nodes)
			return;
		if (here < torus->nodes && (there == others->nodes ||
					    weight_of(cluster, torus, here) <=
						    weight_of(cluster, others, there))) {
			taken[here] = true;
			on_torus++;
		} else {
			offer->elsewhere[there] = true;
			offer->placement.elsewhere++;
			offer->placement.weight += weight_of(cluster, others, there);
		}
	}
	if (!on_torus || on_torus == cluster->nodes)
		return;
	slow_torus(cluster, t, on_torus, &part);
	assert_true(part.made);
	offer->made = true;
	offer->count[t] = on_torus;
	offer->span[t] = part.span[t];
	memcpy(offer->rank[t], part.rank[t], sizeof(part.rank[t]));
	offer->placement.score = part.placement.score;
	/* for the comparison with other mixes; in the end it is not one interval */
	offer->placement.contiguous = part.placement.contiguous;
	offer->placement.nodes = offer->placement.elsewhere;
	sum_up(cluster, offer);
}

/* The best mix. */
static void slow_best_mix(const cluster_t *cluster, decision_t *best)
{
	for (int t = 0; t < cluster->tori; t++) {
		decision_t offer = {.placement.torus = t};

		slow_mix(cluster, t, &offer);
		if (preferred(&offer, best))
			*best = offer;
	}
	best->placement.contiguous = false;
}

/* Nodes of torus [t] that weigh up to [most]. */
static uint32_t count_up_to(const cluster_t *cluster, int t, int64_t most)
{
	const place_t *place = &cluster->torus[t];
	uint32_t count = 0;

	for (uint32_t i = 0; i < place->nodes; i++)
		count += place->free[i] && (int64_t)weight_of(cluster, place, i) <= most;
	return count;
}

/* *passed_over: whether a node elsewhere weighs less than one of those. */
static void slow_spread(const cluster_t *cluster, decision_t *decision, bool *passed_over)
{
	uint32_t share[MOST_TORI] = {0}, total = 0, left = cluster->nodes;
	bool full[MOST_TORI] = {false};
	int64_t limit = -1;

	if (!cluster->spread || cluster->has_shape || cluster->contiguous)
		return;
	while (total < cluster->nodes) {
		if (++limit > ORACLE_HEAVIEST)
			return;
		total = 0;
		for (int t = 0; t < cluster->tori; t++)
			total += count_up_to(cluster, t, limit);
	}
	for (int t = 0; t < cluster->tori; t++) {
		share[t] = count_up_to(cluster, t, limit - 1);
		left -= share[t];
	}
	while (left) { /* one node more for the torus that has most and is not full yet */
		int on = -1;

		for (int t = 0; t < cluster->tori; t++) {
			full[t] |= share[t] == count_up_to(cluster, t, limit);
			if (!full[t] &&
			    (on < 0 || count_up_to(cluster, t, limit) >
					       count_up_to(cluster, on, limit)))
				on = t;
		}
		share[on]++;
		left--;
	}
	decision->made = true;
	for (int t = 0; t < cluster->tori; t++) {
		decision_t part = {0};

		slow_torus(cluster, t, share[t], &part);
		decision->count[t] = part.count[t];
		decision->span[t] = part.span[t];
		memcpy(decision->rank[t], part.rank[t], sizeof(part.rank[t]));
	}
	sum_up(cluster, decision);
	decision->placement.torus = TORUS_SPREAD;
	*passed_over = false;
	for (uint32_t i = 0; i < cluster->elsewhere.nodes; i++)
		*passed_over |=
			cluster->elsewhere.free[i] &&
			(int64_t)weight_of(cluster, &cluster->elsewhere, i) < limit;
}

/* When no place has all of the job. */
static void slow_divide(const cluster_t *cluster, const decision_t *mix,
			decision_t *decision)
{
	decision_t spread = {0};
	bool passed_over = false;

	slow_spread(cluster, &spread, &passed_over);
	if (!cluster->spread && cluster->tori > 1)
		return;
	if (mix->made &&
	    (!spread.made || mix->placement.weight < spread.placement.weight)) {
		seen_mix_chosen += spread.made;
		*decision = *mix;
	} else if (spread.made && passed_over) {
		seen_lighter++;
	} else {
		*decision = spread;
	}
}

static void slow_decide(const cluster_t *cluster, decision_t *decision)
{
	int holders = any_required(&cluster->elsewhere);
	uint32_t candidates = 0;

	memset(decision, 0, sizeof(*decision));
	for (int t = 0; t < cluster->tori; t++) {
		candidates += count_free(&cluster->torus[t]);
		holders += any_required(&cluster->torus[t]);
	}
	if (holders < 2 && !(cluster->has_shape && holders)) {
		decision_t offer;

		for (int t = 0; t < cluster->tori; t++) {
			memset(&offer, 0, sizeof(offer));
			offer.placement.torus = t;
			if (holders && !any_required(&cluster->torus[t]))
				continue;
			if (cluster->has_shape)
				slow_box(cluster, t, &offer);
			else
				slow_torus(cluster, t, cluster->nodes, &offer);
			sum_up(cluster, &offer);
			if (preferred(&offer, decision))
				*decision = offer;
		}
		memset(&offer, 0, sizeof(offer));
		offer.placement.torus = TORUS_ELSEWHERE;
		if (!holders || any_required(&cluster->elsewhere))
			slow_elsewhere(cluster, &offer);
		if (preferred(&offer, decision))
			*decision = offer;
		if (!holders) {
			decision_t mix = {0};

			slow_best_mix(cluster, &mix);
			if (!decision->made)
				slow_divide(cluster, &mix, decision);
			else if (mix.made &&
				 mix.placement.weight < decision->placement.weight)
				*decision = mix;
		}
	}
	decision->placement.candidates = candidates;
}

/* ---- comparing ---- */

static void count_kind(const cluster_t *cluster, const decision_t *decision)
{
	seen_none += !decision->made;
	if (!decision->made)
		return;
	if (decision->placement.torus >= 0 && decision->placement.elsewhere) {
		seen_mix++;
		seen_mix_alone += cluster->tori == 1;
	} else {
		seen_one += decision->placement.torus >= 0;
	}
	seen_spread += decision->placement.torus == TORUS_SPREAD;
	seen_elsewhere += decision->placement.torus == TORUS_ELSEWHERE;
	seen_box += cluster->has_shape;
	for (int t = 0; t < cluster->tori; t++)
		seen_required += any_required(&cluster->torus[t]);
}

static void compare(cluster_t *cluster)
{
	decision_t expected, decision;

	slow_decide(cluster, &expected);
	decide(cluster, &decision);
	count_kind(cluster, &expected);
	assert_int_equal(decision.made, expected.made);
	assert_int_equal(decision.placement.candidates, expected.placement.candidates);
	if (!expected.made)
		return;
	assert_int_equal(decision.placement.torus, expected.placement.torus);
	assert_int_equal(decision.placement.nodes, expected.placement.nodes);
	assert_int_equal(decision.placement.elsewhere, expected.placement.elsewhere);
	assert_int_equal(decision.placement.span, expected.placement.span);
	assert_int_equal(decision.placement.weight, expected.placement.weight);
	assert_int_equal(decision.placement.contiguous, expected.placement.contiguous);
	assert_true(decision.placement.score == expected.placement.score);
	assert_memory_equal(decision.count, expected.count, sizeof(expected.count));
	assert_memory_equal(decision.span, expected.span, sizeof(expected.span));
	for (int t = 0; t < cluster->tori; t++)
		assert_memory_equal(decision.rank[t], expected.rank[t],
				    expected.count[t] * sizeof(uint32_t));
	assert_memory_equal(decision.elsewhere, expected.elsewhere,
			    sizeof(expected.elsewhere));
}

/*
 * A job that is isolated or loose gets what compact would give it on all tori, whatever
 * their allocators; one that asks for a shape as well gets what it would without.
 */
static void words_choose_compact(void **state)
{
	static cluster_t cluster;
	static decision_t decision, plain, expected;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		random_question(&cluster);
		for (int t = 0; t < cluster.tori; t++)
			cluster.map[t]->isolation =
				random_in(0, 1) * random_in(0, 2 * TORUS_ISOLATE_WEIGHT);
		decide(&cluster, &plain);
		cluster.loose = random_in(0, 1);
		cluster.isolated = !cluster.loose;
		decide(&cluster, &decision);
		for (int t = 0; t < cluster.tori && !cluster.has_shape; t++) {
			cluster.map[t]->allocator = &torus_compact;
			if (cluster.isolated &&
			    cluster.map[t]->isolation < TORUS_ISOLATE_WEIGHT)
				cluster.map[t]->isolation = TORUS_ISOLATE_WEIGHT;
		}
		cluster.isolated = false;
		cluster.loose &= !cluster.has_shape;
		decide(&cluster, &expected);
		assert_memory_equal(&decision, &expected, sizeof(decision));
		reached("a loose job elsewhere than another",
			cluster.loose &&
				memcmp(&decision, &plain, sizeof(decision)) != 0);
		reached("an isolated job elsewhere than another",
			!cluster.loose && !cluster.has_shape &&
				memcmp(&decision, &plain, sizeof(decision)) != 0);
		reached("a box", cluster.has_shape && decision.made);
		destroy(&cluster);
	}
	assert_true(reached_all(RANDOM_CASES(50)));
}

/* Whether there is a place is the same whoever is asked. */
static void compact_has_a_place_where_best_fit_has(void **state)
{
	static cluster_t cluster;
	static decision_t decision, any;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		random_question(&cluster);
		for (int t = 0; t < cluster.tori; t++)
			cluster.map[t]->allocator = &torus_compact;
		cluster.loose = random_in(0, 1);
		decide(&cluster, &decision);
		cluster.whether = true;
		decide(&cluster, &any);
		assert_int_equal(any.made, decision.made);
		reached("another place",
			any.made && memcmp(&any, &decision, sizeof(any)) != 0);
		reached("none", !any.made);
		reached("one interval", any.made && cluster.contiguous);
		destroy(&cluster);
	}
	assert_true(reached_all(RANDOM_CASES(50)));
}

static void random_clusters(void **state)
{
	static cluster_t cluster;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(12000); round++) {
		random_cluster(&cluster);
		if (!random_in(0, 4))
			make_divided(&cluster);
		if (!random_in(0, 3))
			random_required(&cluster);
		compare(&cluster);
		destroy(&cluster);
	}
	print_message("# one torus %u (required %u, boxes %u), spread %u, elsewhere %u, "
		      "none %u (lighter elsewhere %u)\n",
		      seen_one, seen_required, seen_box, seen_spread, seen_elsewhere,
		      seen_none, seen_lighter);
	print_message("# mixes %u (of the only torus %u, rather than spread %u)\n",
		      seen_mix, seen_mix_alone, seen_mix_chosen);
	assert_true(seen_one > RANDOM_CASES(1000) && seen_required > RANDOM_CASES(100) &&
		    seen_box > RANDOM_CASES(100));
	assert_true(seen_spread > RANDOM_CASES(50) &&
		    seen_elsewhere > RANDOM_CASES(100) && seen_none > RANDOM_CASES(100));
	assert_true(seen_lighter > RANDOM_CASES(10));
	assert_true(seen_mix > RANDOM_CASES(100) && seen_mix_alone > RANDOM_CASES(50) &&
		    seen_mix_chosen > RANDOM_CASES(15));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_clusters),
		cmocka_unit_test(words_choose_compact),
		cmocka_unit_test(compact_has_a_place_where_best_fit_has),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
