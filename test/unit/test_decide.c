/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision where a job runs, against trying every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "decide/places.h"
#include "decide_case.h"
#include "decide_no_memory.h"
#include "random.h"

#define CASES RANDOM_CASES(100000)

/* The numbers wanted come first from the most to the fewest, then those above. */
static uint32_t distance(const torus_decide_request_t *request, set_t set)
{
	uint32_t nodes = (uint32_t)__builtin_popcountll(set);

	return nodes <= request->wanted_nodes ? request->wanted_nodes - nodes : nodes;
}

/* Of the places that meet the need the first one verified has the number liked best. */
static void check_first(const decide_case_t *c, const all_places_t *all)
{
	uint32_t best = UINT32_MAX;

	if (!c->seen_count || c->shapes.count || c->request.most_work != UINT64_MAX)
		return;
	for (int i = 0; i < all->count; i++) {
		if (distance(&c->request, all->set[i]) < best)
			best = distance(&c->request, all->set[i]);
	}
	assert_int_equal(distance(&c->request, c->seen[0]), best);
}

/* What decides which place comes first, as decide/places.h has it. */
enum { SHAPE, DISTANCE, WEIGHT, HOPS, WASTE, TORUS, LOWEST, CRITERIA };

/* Hops between the routers of a set, over all ordered pairs. */
static uint64_t summed_distance(const torus_map_t *map, int t, set_t set)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	bool *in = calloc(cells, sizeof(*in));
	uint64_t sum = 0;

	assert_non_null(in);
	for (uint32_t i = 0; i < map->nodes; i++) {
		if (set & set_of_node(t, i))
			in[map->cell_of_rank[i]] = true;
	}
	for (uint32_t a = 0; a < cells; a++) {
		for (uint32_t b = 0; in[a] && b < cells; b++)
			sum += in[b] ? torus_hops_cells(geometry, a, b) : 0;
	}
	free(in);
	return sum;
}

/* Whether a box of nodes with sides [side] is one of the shape. */
static bool is_box_of(const torus_geometry_t *geometry, const torus_shape_t *box,
		      const torus_shape_t *shape)
{
	torus_shape_t in_chips = *box, node = *box;
	int32_t left[TORUS_MAX_DIMS], right[TORUS_MAX_DIMS];
	bool single = true, holds = true;

	for (int axis = 0; shape->in_chips && axis < box->dims; axis++) {
		node.side[axis] = torus_node_side(geometry, axis);
		in_chips.side[axis] *= node.side[axis];
		single &= box->side[axis] == 1;
	}
	torus_shape_sides(shape, TORUS_MAX_DIMS, right);
	torus_shape_sides(&in_chips, TORUS_MAX_DIMS, left);
	if (memcmp(left, right, sizeof(left)) == 0)
		return true;
	/* Part of one node: sorted, no side is longer than the node's. */
	torus_shape_sides(&node, TORUS_MAX_DIMS, left);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		holds &= right[axis] <= left[axis];
	return shape->in_chips && single && holds;
}

/* The number of the shape of which the set is a box: the first with its sides. */
static int shape_of(const decide_case_t *c, int t, set_t set)
{
	const torus_geometry_t *geometry = &c->map[t]->geometry;
	uint64_t seen[TORUS_MAX_DIMS] = {0}; /* coordinates */
	torus_shape_t box = {.dims = geometry->dims};
	int number = 0;

	for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
		int32_t coord[TORUS_MAX_DIMS];

		if (!(set & set_of_node(t, i)))
			continue;
		torus_cell_to_coord(geometry, c->map[t]->cell_of_rank[i], coord);
		for (int axis = 0; axis < geometry->dims; axis++)
			seen[axis] |= (uint64_t)1 << coord[axis];
	}
	for (int axis = 0; axis < geometry->dims; axis++)
		box.side[axis] = __builtin_popcountll(seen[axis]);
	while (!is_box_of(geometry, &box, &c->shapes.shape[number]))
		assert_true(++number < c->shapes.count);
	return number;
}

static void place_order(const decide_case_t *c, set_t set, uint64_t order[CRITERIA])
{
	bool box = c->request.shapes;
	int t = __builtin_ctzll(set) / MOST_NODES;
	uint32_t nodes = c->map[t]->nodes, lowest = nodes, highest = 0, first = 0;

	for (int i = 0; i < CRITERIA; i++)
		order[i] = 0;
	for (uint32_t i = 0; i < nodes; i++) {
		if (!(set & set_of_node(t, i)))
			continue;
		lowest = i < lowest ? i : lowest;
		highest = i;
		if (!(set & set_of_node(t, (i + nodes - 1) % nodes)))
			first = i;
		order[WEIGHT] += c->candidates[t].weights ? c->weights[t][i] : 0;
		order[WASTE] += c->need.kinds ? c->has[t][i][0] : 0;
	}
	order[TORUS] = (uint64_t)t;
	order[LOWEST] = box ? lowest : first;
	if (box)
		order[WASTE] = highest - lowest;
	if (c->shapes.count > 1)
		order[SHAPE] = (uint64_t)shape_of(c, t, set);
	if (!c->shapes.count)
		order[DISTANCE] = distance(&c->request, set);
	if (c->shapes.any)
		order[HOPS] = summed_distance(c->map[t], t, set);
}

/* Below 0 if [a] comes before [b] by the first [criteria], 0 if either may. */
static int compare_places(const decide_case_t *c, set_t a, set_t b, int criteria)
{
	uint64_t left[CRITERIA], right[CRITERIA];

	place_order(c, a, left);
	place_order(c, b, right);
	for (int i = 0; i < criteria; i++) {
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	}
	return 0;
}

/*
 * The engine's place, and once more that among the candidates that are left, is followed
 * by all others in their order; so it is for each of several shapes, and for each number
 * of nodes of a box of any sides.
 */
static void check_order(const decide_case_t *c, const all_places_t *all)
{
	int groups = c->request.shapes ? DISTANCE + 1 : 0, chosen = 0;

	if (c->request.most_work != UINT64_MAX || c->has_cubes)
		return;
	for (int i = 1; i < c->seen_count; i++) {
		int order = compare_places(c, c->seen[i - 1], c->seen[i], groups);

		assert_true(order <= 0);
		chosen = order ? i : chosen;
		if (i >= chosen + 3)
			assert_true(compare_places(c, c->seen[i - 1], c->seen[i],
						   CRITERIA) <= 0);
	}
	reached("a box of the next shape", chosen && c->shapes.count);
	reached("a box of another number of nodes", chosen && c->shapes.any);
	if (c->seen_count < chosen + 3)
		return;
	for (int i = 0; i < all->count; i++) {
		bool seen = all->set[i] & c->told;

		for (int j = 0; j < c->seen_count; j++)
			seen |= c->seen[j] == all->set[i];
		if (!seen)
			assert_true(compare_places(c, c->seen[c->seen_count - 1],
						   all->set[i], CRITERIA) <= 0);
	}
	reached("a box in its turn", c->request.shapes);
	reached("a box of any sides in its turn", c->shapes.any);
	reached("an interval in its turn", !c->request.shapes);
}

/* How many of the candidates that are left have what each node must have. */
static uint32_t count_candidates(const decide_case_t *c)
{
	uint32_t count = 0;

	for (int t = 0; t < c->tori; t++) {
		for (uint32_t i = 0; i < c->map[t]->nodes; i++) {
			bool enough = torus_bit_test(c->free[t], i);

			for (int kind = 0; kind < c->need.kinds; kind++)
				enough &= c->has[t][i][kind] >= c->need.each[kind];
			count += enough;
		}
	}
	return count;
}

/* What was decided: what a job may ask for, together, and each way to end. */
static void count_case(const decide_case_t *c, torus_outcome_t outcome)
{
	bool box = c->request.shapes, named = false;
	bool found = outcome == TORUS_PLACE_FOUND, none = outcome == TORUS_NO_PLACE;
	int sums = 0, each = 0;

	for (int t = 0; t < c->tori; t++)
		named |= *c->required[t] != 0;
	for (int kind = 0; kind < c->need.kinds; kind++) {
		sums += c->need.sum[kind] > 0;
		each += c->need.each[kind] > 0;
	}
	reached("a box, a sum", found && box && sums);
	reached("an interval, a sum", found && !box && sums);
	reached("two sums and something of each node", found && sums > 1 && each);
	reached("a box with required nodes", found && box && named);
	reached("an interval with required nodes", found && !box && named);
	reached("required nodes and a sum", found && named && sums);
	reached("required nodes and a sum, impossible", none && named && sums);
	reached("a box after a refusal", found && box && c->seen_count > 1);
	reached("an interval after a refusal", found && !box && c->seen_count > 1);
	reached("required nodes after a refusal", found && named && c->seen_count > 1);
	reached("a closed box", found && box && c->shapes.closed);
	reached("no closed box", none && box && c->shapes.closed);
	reached("whole cubes or a box inside one", found && box && c->has_cubes);
	reached("no such cubes", none && box && c->has_cubes);
	reached("cubes after a refusal",
		found && box && c->has_cubes && c->seen_count > 1);
	reached("no box", none && box);
	reached("no interval", none && !box);
	reached("on one of several tori", found && c->tori > 1);
	reached("on none of several tori", none && c->tori > 1);
	reached("all places refused", none && c->seen_count > 1);
}

static void random_decisions(void **state)
{
	static all_places_t all;
	static decide_case_t c;
	int found = 0, none = 0, undecided = 0, asked_on = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint64_t seed = random_state;
		torus_cluster_placement_t placement;
		torus_outcome_t outcome;
		torus_error_t err = {.text = ""};
		const char *wrong;

		assert_true(case_make(&c, random_in));
		case_all_places(&c, &all); /* before candidates go */
		outcome = case_decide(&c, &placement, &err);
		wrong = case_check(&c, &all, outcome);
		if (wrong)
			fail_msg("case %d (TORUS_TEST_SEED=%llu): %s (%d %s)", i,
				 (unsigned long long)seed, wrong, outcome, err.text);
		check_first(&c, &all);
		check_order(&c, &all);
		if (outcome == TORUS_PLACE_FOUND)
			assert_int_equal(placement.nodes,
					 __builtin_popcountll(case_set(&c)));
		if (outcome == TORUS_PLACE_FOUND && c.seen_count > 2)
			assert_int_equal(placement.candidates, count_candidates(&c));
		found += outcome == TORUS_PLACE_FOUND;
		none += outcome == TORUS_NO_PLACE;
		undecided += outcome == TORUS_UNDECIDED;
		asked_on += c.seen_count > 1;
		count_case(&c, outcome);
		case_free(&c);
	}
	printf("# %d found, %d proved impossible, %d undecided, %d after a refusal\n",
	       found, none, undecided, asked_on);
	assert_true(found > CASES / 20 && none > CASES / 20);
	assert_true(undecided > CASES / 1000 && asked_on > CASES / 100);
	assert_true(reached_all(CASES / 4000));
}

/* On equal nodes of which nothing is refused: the place of torus_cluster_place(). */
static void equal_nodes(void **state)
{
	static torus_shape_t any;
	static decide_case_t c;
	int compared = 0;

	(void)state;
	for (int i = 0; i < CASES / 10; i++) {
		torus_cluster_placement_t placement, expected;
		torus_error_t err = {.text = ""};
		torus_outcome_t outcome;
		set_t set = 0;
		int made;

		assert_true(case_make(&c, random_in));
		c.need.kinds = c.need.features = 0;
		c.never = c.told = 0;
		c.pairs = 0;
		c.refused_by_lot = 0;
		c.request.most_verified = 1;
		c.request.most_work = UINT64_MAX;
		if (!c.shapes.count)
			c.request.max_nodes = c.request.wanted_nodes =
				c.request.min_nodes;
		else
			c.shapes.count = 1;
		any.closed = c.shapes.closed;
		c.request.cluster.nodes = c.request.min_nodes;
		c.request.cluster.shape = c.shapes.any	   ? &any
					  : c.shapes.count ? c.shapes.shape
							   : NULL;
		made = torus_cluster_place(c.placer, &c.request.cluster, &expected, &err);
		if (made == 1 && expected.nodes >= c.request.min_nodes &&
		    expected.nodes <= c.request.max_nodes) {
			set = case_set(&c);
			outcome = case_decide(&c, &placement, &err);
			assert_int_equal(outcome, TORUS_PLACE_FOUND);
			assert_true(case_set(&c) == set);
			assert_int_equal(placement.span, expected.span);
			compared++;
		}
		case_free(&c);
	}
	assert_true(compared > CASES / 100);
}

/* Each allocation of a decision fails once: an error that says so, and nothing lost. */
static void no_memory(void **state)
{
	static decide_case_t c;
	long failures = 0;

	(void)state;
	for (int i = 0; i < CASES / 200; i++) {
		assert_true(case_make(&c, random_in));
		failures += decide_without_memory(&c);
	}
	assert_true(failures > CASES / 200);
}

/* ---- jobs that may be anywhere ---- */

/* Two rings of 8; a job may run on torus [t] one day if the bit is set. */
typedef struct free_case {
	uint32_t could_run;
	int asked;
	uint64_t free[2];
	bool refuse_first;
	uint64_t narrowed;
} free_case_t;

static bool could_ever_run(void *context, int torus)
{
	free_case_t *c = context;

	c->asked++;
	return c->could_run >> torus & 1;
}

static bool verify(void *context, const torus_cluster_request_t *request,
		   const torus_cluster_placement_t *placement)
{
	free_case_t *c = context;

	(void)request;
	(void)placement;
	if (!c->refuse_first)
		return true;
	c->refuse_first = false;
	return false;
}

static bool narrow(void *context)
{
	free_case_t *c = context;

	c->free[0] &= ~c->narrowed;
	return c->narrowed;
}

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	(void)context;
	has[0] = torus == 0 && number < 4 ? 1 : 2;
}

/* The ranks chosen on the first torus, and on the second from bit 8 on. */
static uint32_t decide_freely(free_case_t *c, uint32_t min, uint32_t wanted, uint32_t max,
			      uint32_t processors)
{
	const torus_verifier_t verifier = {
		.context = c,
		.verify = verify,
		.has = has,
		.narrow = narrow,
		.could_ever_run = could_ever_run,
	};
	const torus_need_t need = {.kinds = 1, .sum = {processors}};
	torus_geometry_t ring = {.dims = 1, .length = {8, 1, 1, 1, 1, 1}, .wrap = {true}};
	torus_map_t *map[2] = {
		torus_map_create("a", &ring, TORUS_CURVE_ROW_MAJOR, 1, NULL),
		torus_map_create("b", &ring, TORUS_CURVE_ROW_MAJOR, 1, NULL)};
	torus_cluster_placer_t *placer =
		torus_cluster_placer_create((const torus_map_t *const *)map, 2);
	torus_candidates_t candidates[2] = {{.free = &c->free[0]}, {.free = &c->free[1]}};
	torus_decider_t decider = {.placer = placer, .verifier = &verifier};
	torus_decide_request_t request = {
		.cluster = {.torus = candidates},
		.min_nodes = min,
		.wanted_nodes = wanted,
		.max_nodes = max,
		.need = &need,
	};
	torus_cluster_placement_t placement;
	torus_error_t err;
	uint32_t set = 0;

	if (torus_decide(&decider, &request, &placement, &err) == TORUS_PLACE_FOUND) {
		for (int t = 0; t < 2; t++) {
			for (uint32_t i = 0; i < placer->part[t].count; i++)
				set |= UINT32_C(1)
				       << (8 * t + (int)placer->part[t].rank[i]);
		}
	}
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(map[0]);
	torus_map_destroy(map[1]);
	return set;
}

static void number_of_nodes(void **state)
{
	free_case_t c = {.free = {0xff, 0xff}};

	(void)state;
	/* As many as wanted; more for more processors, where nodes have two. */
	assert_int_equal(decide_freely(&c, 1, 3, 8, 0), 0x07);
	assert_int_equal(decide_freely(&c, 1, 1, 8, 8), 0xf0);
	/* One of each is enough from eight nodes on. */
	assert_int_equal(__builtin_popcount(decide_freely(&c, 1, 1, 16, 9)), 5);
	/* One node has two, four have one: where few nodes have not enough, more do. */
	c = (free_case_t){.free = {0x1f, 0}};
	assert_int_equal(decide_freely(&c, 1, 1, 8, 4), 0x0f);
	/* Of a range what there is. */
	c = (free_case_t){.free = {0x0f, 0}};
	assert_int_equal(decide_freely(&c, 2, 6, 6, 0), 0x0f);
	assert_int_equal(decide_freely(&c, 5, 6, 6, 0), 0);
}

/* Ordinary jobs: what they get has as many nodes with each feature as they count. */
static void counted_features(void **state)
{
	static decide_case_t c;

	(void)state;
	for (int i = 0; i < CASES / 5; i++) {
		torus_cluster_placement_t placement;
		torus_error_t err = {.text = ""};
		bool found;

		assert_true(case_make(&c, random_in));
		c.request.cluster.contiguous = false;
		c.request.shapes = NULL;
		c.never = c.told = 0;
		c.pairs = 0;
		c.refused_by_lot = 0;
		memcpy(c.truly_has, c.has, sizeof(c.has));
		found = case_decide(&c, &placement, &err) == TORUS_PLACE_FOUND;
		if (found) {
			assert_true(placement.nodes >= c.request.min_nodes);
			assert_true(placement.nodes <= c.request.max_nodes);
			assert_true(!c.need.features || case_accepts(&c, case_set(&c)));
		}
		reached("found with features", found && c.need.features);
		reached("several features", found && c.need.features > 1);
		reached("none with features", !found && c.need.features);
		reached("with required nodes and features",
			found && c.need.features && c.candidates[0].required);
		case_free(&c);
	}
	assert_true(reached_all(CASES / 2000));
}

static void confinement(void **state)
{
	free_case_t c = {.free = {0x1f, 0x1f}, .could_run = 2};

	(void)state;
	/* It waits for the torus where it could run; is spread where there is none; and
	 * nobody is asked when one torus has room. */
	assert_int_equal(decide_freely(&c, 7, 7, 7, 0), 0);
	assert_int_equal(c.asked, 2);
	/* Of a range it has what one torus holds. */
	assert_int_equal(decide_freely(&c, 2, 7, 7, 0), 0x1f);
	c.could_run = 0;
	assert_int_equal(__builtin_popcount(decide_freely(&c, 7, 7, 7, 0)), 7);
	c.asked = 0;
	assert_int_equal(decide_freely(&c, 5, 5, 5, 0), 0x1f);
	assert_int_equal(c.asked, 0);
	/* Nor when all tori together have too few; and one where it could run is enough.
	 */
	assert_int_equal(decide_freely(&c, 11, 11, 11, 0), 0);
	assert_int_equal(c.asked, 0);
	c.could_run = 1;
	assert_int_equal(decide_freely(&c, 7, 7, 7, 0), 0);
	assert_int_equal(c.asked, 1);
}

static void learning(void **state)
{
	free_case_t c = {.free = {0xff, 0}, .refuse_first = true, .narrowed = 0x03};

	(void)state;
	assert_int_equal(decide_freely(&c, 2, 2, 2, 0), 0x0c);
	c = (free_case_t){.free = {0xff, 0}, .refuse_first = true};
	assert_int_equal(decide_freely(&c, 2, 2, 2, 0), 0);
	/* Where nothing was refused there is nothing to learn. */
	c = (free_case_t){.free = {0x01, 0}, .narrowed = 0x01};
	assert_int_equal(decide_freely(&c, 2, 2, 2, 0), 0);
	assert_true(c.free[0] == 0x01);
}

/* A ring of more nodes than a word of a bitmap has; only its last 8 are not told. */
enum { LONG = 200, WORDS = TORUS_WORDS(LONG) };

typedef struct long_ring {
	uint64_t free[WORDS];
	int verified;
} long_ring_t;

static bool refuse_once(void *context, const torus_cluster_request_t *request,
			const torus_cluster_placement_t *placement)
{
	long_ring_t *ring = context;

	(void)request;
	(void)placement;
	return ring->verified++ > 0;
}

static bool leave_the_last(void *context)
{
	long_ring_t *ring = context;

	torus_bitmap_clear_range(ring->free, 0, LONG - 8);
	return true;
}

static void learning_on_a_long_ring(void **state)
{
	torus_geometry_t geometry = {
		.dims = 1, .length = {LONG, 1, 1, 1, 1, 1}, .wrap = {true}};
	torus_map_t *map =
		torus_map_create("a", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	torus_cluster_placer_t *placer =
		torus_cluster_placer_create((const torus_map_t *const *)&map, 1);

	(void)state;
	for (int strict = 0; strict < 2; strict++) {
		long_ring_t ring = {.verified = 0};
		const torus_verifier_t verifier = {
			.context = &ring,
			.verify = refuse_once,
			.has = has,
			.narrow = leave_the_last,
		};
		const torus_need_t need = {.kinds = 1, .sum = {4}};
		torus_candidates_t candidates = {.free = ring.free};
		torus_decider_t decider = {.placer = placer, .verifier = &verifier};
		torus_decide_request_t request = {
			.cluster = {.torus = &candidates, .contiguous = strict},
			.min_nodes = 3,
			.wanted_nodes = 3,
			.max_nodes = 3,
			.need = &need,
			.most_verified = 9,
			.most_work = UINT64_MAX,
		};
		torus_cluster_placement_t placement;

		torus_bitmap_set_range(ring.free, 0, LONG);
		assert_int_equal(torus_decide(&decider, &request, &placement, NULL),
				 TORUS_PLACE_FOUND);
		assert_int_equal(ring.verified, 2);
		assert_int_equal(placer->part[0].count, 3);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(placer->part[0].rank[i], LONG - 8 + i);
	}
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(map);
}

static int compare_lowest(const void *a, const void *b)
{
	const torus_place_t *left = a, *right = b;

	return left->lowest < right->lowest ? -1 : left->lowest > right->lowest;
}

/* A list keeps the best places, and knows whether there were others. */
static void lists_keep_the_best(void **state)
{
	enum { MOST = 12 };

	(void)state;
	for (int round = 0; round < RANDOM_CASES(2000); round++) {
		torus_place_t all[MOST];
		int count = (int)random_in(0, MOST);
		torus_places_t places;

		assert_int_equal(torus_places_open(&places, (int)random_in(1, MOST)), 0);
		for (int i = 0; i < count; i++) {
			bool worse = true;

			all[i] = (torus_place_t){.lowest = random_in(0, 1000)};
			for (int k = 0; k < places.count; k++)
				worse &= places.place[k]->lowest <= all[i].lowest;
			assert_int_equal(torus_places_takes(&places, &all[i]),
					 places.count < places.room || !worse);
			torus_places_add(&places, &all[i]);
		}
		qsort(all, (size_t)count, sizeof(*all), compare_lowest);
		assert_int_equal(places.complete, count <= places.room);
		assert_int_equal(places.count, places.complete ? count : places.room);
		for (int i = 0; i < places.count; i++)
			assert_int_equal(places.place[i]->lowest, all[i].lowest);
		torus_places_close(&places);
	}
}

typedef struct wanted {
	torus_cluster_placer_t *placer;
	uint32_t first;
} wanted_t;

/* Accepts the place that begins at the rank [first]. */
static bool begins_there(void *context, const torus_cluster_request_t *request,
			 const torus_cluster_placement_t *placement)
{
	const wanted_t *wanted = context;

	(void)request;
	(void)placement;
	return wanted->placer->part[0].rank[0] == wanted->first;
}

/* More places than may be verified: who asks again asks about others, and finds it. */
static void others_come_in_turn(void **state)
{
	static const torus_need_t nothing;
	const torus_geometry_t geometry = {.dims = 1, .length = {28, 1, 1, 1, 1, 1}};
	torus_map_t *map =
		torus_map_create("a", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	torus_cluster_placer_t *placer =
		torus_cluster_placer_create((const torus_map_t *const *)&map, 1);
	wanted_t wanted = {placer, 23};
	const torus_verifier_t verifier = {.context = &wanted, .verify = begins_there};
	uint64_t all[1] = {(UINT64_C(1) << 28) - 1};
	const torus_candidates_t candidates = {.free = all};
	torus_decide_request_t request = {
		.cluster = {.torus = &candidates, .contiguous = true},
		.min_nodes = 3,
		.wanted_nodes = 3,
		.max_nodes = 3,
		.need = &nothing,
		.most_verified = 6,
		.most_work = UINT64_MAX,
	};
	torus_outcome_t outcome = TORUS_UNDECIDED;

	(void)state;
	for (request.turn = 7; outcome == TORUS_UNDECIDED && request.turn < 99;
	     request.turn++) {
		torus_decider_t decider = {.placer = placer, .verifier = &verifier};
		torus_cluster_placement_t placement;

		outcome = torus_decide(&decider, &request, &placement, NULL);
	}
	assert_int_equal(outcome, TORUS_PLACE_FOUND);
	assert_true(request.turn <= 7 + 28);
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(map);
}

/* Where the work allowed ends before the search, nothing is proved. */
static void what_was_not_looked_at_may_do(void **state)
{
	static const torus_need_t nothing;
	torus_geometry_t geometry = {.dims = 1, .length = {LONG, 1, 1, 1, 1, 1}};
	torus_map_t *map =
		torus_map_create("a", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	torus_cluster_placer_t *placer =
		torus_cluster_placer_create((const torus_map_t *const *)&map, 1);
	wanted_t wanted = {placer, LONG - 10};
	const torus_verifier_t verifier = {.context = &wanted, .verify = begins_there};
	uint64_t all[WORDS] = {0};
	torus_candidates_t candidates = {.free = all};
	torus_decide_request_t request = {
		.cluster = {.torus = &candidates, .contiguous = true},
		.min_nodes = 3,
		.wanted_nodes = 3,
		.max_nodes = 3,
		.need = &nothing,
		.most_verified = LONG,
	};
	static const torus_shapes_t shapes = {
		.count = 1, .shape = {{.dims = 1, .side = {3, 1, 1, 1, 1, 1}}}};

	(void)state;
	torus_bitmap_set_range(all, 0, LONG);
	for (int box = 0; box < 2; box++) {
		bool decided = false;

		request.cluster.contiguous = !box;
		request.shapes = box ? &shapes : NULL;
		for (request.most_work = 0; !decided; request.most_work++) {
			torus_decider_t decider = {.placer = placer,
						   .verifier = &verifier};
			torus_cluster_placement_t placement;
			torus_outcome_t outcome =
				torus_decide(&decider, &request, &placement, NULL);

			decided = outcome == TORUS_PLACE_FOUND;
			assert_true(decided || outcome == TORUS_UNDECIDED);
		}
		/* It has to look at every place before the one that will do. */
		assert_true(request.most_work > 6 * LONG + (box ? 0 : LONG - 10));
	}
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_decisions),
		cmocka_unit_test(equal_nodes),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(number_of_nodes),
		cmocka_unit_test(counted_features),
		cmocka_unit_test(confinement),
		cmocka_unit_test(learning),
		cmocka_unit_test(learning_on_a_long_ring),
		cmocka_unit_test(lists_keep_the_best),
		cmocka_unit_test(others_come_in_turn),
		cmocka_unit_test(what_was_not_looked_at_may_do),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
