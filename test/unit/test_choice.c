/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions in terms of a table of nodes (decide/choice.h): against decide/decide.h asked
 * about candidates that are found by their names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "decide/bounds.h"
#include "decide/choice.h"
#include "machine/cluster_near.h"
#include "node_list.h"
#include "random.h"

#define CASES RANDOM_CASES(4000)
#define CONF                                                                             \
	"TorusName=a Dims=4x3 Nodes=a[0-9],c0,c1\n"                                      \
	"TorusName=b Dims=5 NodesPerRouter=2 Nodes=b[0-9] Span=linear\n"
#define MOST_ASKED 64

/* Names that a table may have: those of CONF and others. */
static const char *const names[] = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
				    "a8", "a9", "c0", "c1", "b0", "b1", "b2", "b3",
				    "b4", "b5", "b6", "b7", "b8", "b9", "x0", "x1",
				    "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9"};
enum { NAMES = sizeof(names) / sizeof(*names), MOST_TABLE = 40 };
_Static_assert(MOST_TABLE <= LIST_MOST && MOST_TABLE < 64, "a set in a word");

/* ---- sets of nodes: a word ---- */

static int set_next(const void *set, int from)
{
	uint64_t left = from < 64 ? *(const uint64_t *)set >> from : 0;

	return left ? from + __builtin_ctzll(left) : -1;
}

static uint32_t set_count(const void *set)
{
	return (uint32_t)__builtin_popcountll(*(const uint64_t *)set);
}

static void set_clear(void *set)
{
	*(uint64_t *)set = 0;
}

static void set_add(void *set, int index)
{
	assert_false(*(uint64_t *)set >> index & 1);
	*(uint64_t *)set |= UINT64_C(1) << index;
}

static uint64_t weight[MOST_TABLE];

static uint64_t set_weight(int index, bool planned)
{
	return weight[index] + planned;
}

static const torus_node_sets_t sets = {set_next, set_count, set_clear, set_add,
				       set_weight};

/* ---- a case ---- */

typedef struct choice_case {
	torus_listed_node_t list[LIST_MOST];
	torus_node_table_t table;
	uint64_t free, required, never;
	uint64_t has[MOST_TABLE];
	torus_need_t need;
	torus_shapes_t shapes;
	torus_choice_request_t request;
	uint32_t refused_by_lot; /* of 4 places */
	bool confines;
	/* What was asked. */
	uint64_t asked[MOST_ASKED];
	int count;
} choice_case_t;

static bool bit_of(uint64_t set, int index)
{
	return set >> index & 1;
}

static void shuffle(choice_case_t *c)
{
	const char *order[NAMES];
	int nodes = (int)random_in(0, NAMES);

	for (int i = 0; i < NAMES; i++) {
		int j = (int)random_in(0, (uint32_t)i);

		order[i] = order[j];
		order[j] = names[i];
	}
	memset(c->list, 0, sizeof(c->list));
	for (int i = 0; i < nodes; i++)
		c->list[i].name = random_in(0, 15) ? order[i] : NULL;
	c->table = table_of(c->list, nodes);
}

static void random_shape(choice_case_t *c)
{
	static const int32_t sides[][2] = {{2, 1}, {2, 2}, {3, 2}, {4, 1}, {3, 1}};
	torus_shape_t *shape = &c->shapes.shape[0];

	c->shapes = (torus_shapes_t){.count = 1};
	*shape = (torus_shape_t){.dims = 2};
	memcpy(shape->side, sides[random_in(0, 4)], 2 * sizeof(*shape->side));
	c->request.shapes = &c->shapes;
}

static void make(choice_case_t *c)
{
	uint32_t most, weights = random_in(0, 2), busy = random_in(0, 6);

	*c = (choice_case_t){.refused_by_lot = random_in(0, 3),
			     .confines = random_in(0, 1)};
	shuffle(c);
	for (int i = 0; i < c->table.nodes; i++) {
		weight[i] = weights ? random_in(0, weights) : 7;
		c->free |= (uint64_t)(random_in(0, 9) >= busy) << i;
		c->never |= (uint64_t)(random_in(0, 9) == 0) << i;
		c->has[i] = random_in(0, 3);
	}
	most = set_count(&c->free);
	c->request = (torus_choice_request_t){
		.nodes = random_in(0, most < 12 ? most + 1 : 12),
		.contiguous = random_in(0, 4) == 0,
		.planned = random_in(0, 1),
		.loose = random_in(0, 9) == 0,
		.near = random_in(0, 5) ? 0 : random_in(1000, 3000),
	};
	c->request.min_nodes = random_in(0, c->request.nodes);
	c->request.max_nodes = c->request.nodes ? c->request.nodes + random_in(0, 2)
						: random_in(0, 1) * 8;
	if (random_in(0, 4) == 0)
		random_shape(c);
	if (random_in(0, 3) == 0)
		c->required = c->free & random_next() & random_next() & random_next();
	if (random_in(0, 3) == 0) {
		c->need.kinds = 1;
		c->need.each[0] = random_in(0, 2);
		c->need.sum[0] = random_in(0, 8);
	}
}

/* ---- the verifier: alike for both ---- */

static bool agrees(choice_case_t *c, uint64_t nodes)
{
	uint64_t lot = nodes * UINT64_C(0x9e3779b97f4a7c15) >> 62;

	if (c->count < MOST_ASKED)
		c->asked[c->count] = nodes;
	c->count++;
	return !(nodes & c->never) && lot >= c->refused_by_lot;
}

static bool ask_verify(void *context, const void *nodes)
{
	return agrees(context, *(const uint64_t *)nodes);
}

static void ask_has(void *context, int node, uint64_t *has)
{
	const choice_case_t *c = context;

	assert_true(bit_of(c->free, node));
	*has = c->has[node];
}

static bool ask_narrow(void *context, void *candidates)
{
	const choice_case_t *c = context;
	uint64_t *set = candidates, before = *set;

	*set &= ~c->never;
	return *set != before;
}

static bool ask_could_run(void *context, int t)
{
	const choice_case_t *c = context;

	return c->confines && t >= 0;
}

/* ---- the twin ---- */

typedef struct twin {
	choice_case_t *c;
	torus_cluster_t *cluster;
	torus_cluster_placer_t *placer;
	int node[2][16]; /* of torus and rank; -1: none */
	int elsewhere[MOST_TABLE];
	uint64_t free[3][1], required[3][1], weights[3][MOST_TABLE];
	torus_candidates_t candidates[3];
	torus_cluster_placement_t placement;
	uint64_t chosen;
} twin_t;

static int twin_node(const twin_t *w, int torus, uint32_t number)
{
	return torus < 0 ? w->elsewhere[number] : w->node[torus][number];
}

static uint64_t twin_set(const twin_t *w, const torus_cluster_request_t *request,
			 const torus_cluster_placement_t *placement)
{
	uint64_t set = 0;

	for (int t = 0; t < 2; t++) {
		for (uint32_t i = 0; i < w->placer->part[t].count; i++)
			set_add(&set, w->node[t][w->placer->part[t].rank[i]]);
	}
	for (uint32_t i = 0; i < request->elsewhere_nodes; i++) {
		if (torus_cluster_next_elsewhere(&request->elsewhere,
						 request->elsewhere_nodes, placement,
						 i) == i)
			set_add(&set, w->elsewhere[i]);
	}
	return set;
}

static bool twin_verify(void *context, const torus_cluster_request_t *request,
			const torus_cluster_placement_t *placement)
{
	twin_t *w = context;
	torus_error_t err;

	if (w->c->request.near &&
	    !torus_cluster_is_near(w->placer, placement, w->c->request.near, &err))
		return false;
	w->chosen = twin_set(w, request, placement);
	return agrees(w->c, w->chosen);
}

static void twin_has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const twin_t *w = context;

	*has = w->c->has[twin_node(w, torus, number)];
}

static bool twin_narrow(void *context)
{
	twin_t *w = context;
	bool any = false;

	for (int t = 0; t < 3; t++) {
		for (uint32_t i = 0; i < MOST_TABLE; i++) {
			if (torus_bit_test(w->free[t], i) &&
			    bit_of(w->c->never, twin_node(w, t == 2 ? -1 : t, i))) {
				torus_bit_clear(w->free[t], i);
				any = true;
			}
		}
	}
	return any;
}

static bool twin_could_run(void *context, int torus)
{
	const twin_t *w = context;

	return !w->cluster->spreads_at_once && w->c->confines && torus >= 0;
}

/* Node [index] of the table, or -1, is number [i] of [t], 2 being elsewhere. */
static void twin_add(twin_t *w, int t, uint32_t i, int index)
{
	const choice_case_t *c = w->c;

	if (index < 0)
		return;
	if (bit_of(c->free, index))
		torus_bit_set(w->free[t], i);
	if (bit_of(c->required, index))
		torus_bit_set(w->required[t], i);
	w->weights[t][i] = set_weight(index, c->request.planned);
}

static bool weights_differ(const choice_case_t *c)
{
	int first = set_next(&c->free, 0);

	for (int i = 0; i < c->table.nodes; i++) {
		if (bit_of(c->free, i) && weight[i] != weight[first])
			return true;
	}
	return false;
}

static uint32_t find_nodes(twin_t *w)
{
	const choice_case_t *c = w->c;
	uint32_t elsewhere = 0;
	int found, t;

	for (t = 0; t < 2; t++) {
		const torus_map_t *map = w->cluster->map[t];

		for (uint32_t rank = 0; rank < map->nodes; rank++) {
			found = list_find(c->list,
					  map->node_name[map->node_of_rank[rank]]);
			w->node[t][rank] = found;
			twin_add(w, t, rank, found);
		}
	}
	for (int i = 0; i < c->table.nodes; i++) {
		uint32_t number;

		if (c->list[i].name &&
		    torus_cluster_find(w->cluster, c->list[i].name, &t, &number))
			continue;
		w->elsewhere[elsewhere] = i;
		twin_add(w, 2, elsewhere++, i);
	}
	for (t = 0; t < 3; t++)
		w->candidates[t] = (torus_candidates_t){
			.free = w->free[t],
			.required = c->required ? w->required[t] : NULL,
			.weights = weights_differ(c) ? w->weights[t] : NULL,
		};
	return elsewhere;
}

/* The fewest nodes that a box has: on the second torus there are two on each router. */
static uint32_t twin_fewest(const choice_case_t *c)
{
	uint32_t least = c->request.min_nodes ? c->request.min_nodes : 1, box;

	if (!c->request.shapes)
		return least;
	box = (uint32_t)(c->shapes.shape[0].side[0] * c->shapes.shape[0].side[1]);
	return box > least ? box : least;
}

static torus_outcome_t twin_choose(twin_t *w, uint32_t turn)
{
	static const torus_need_t nothing;
	const torus_choice_request_t *asked = &w->c->request;
	const torus_verifier_t verifier = {w, twin_verify, twin_has, twin_narrow,
					   twin_could_run};
	torus_decider_t decider = {.placer = w->placer, .verifier = &verifier};
	uint32_t elsewhere = find_nodes(w), nodes = (uint32_t)w->c->table.nodes;
	const torus_decide_request_t request = {
		.cluster = {.contiguous = asked->contiguous && !asked->shapes,
			    .loose = asked->loose,
			    .torus = w->candidates,
			    .elsewhere_nodes = elsewhere,
			    .elsewhere = w->candidates[2]},
		.shapes = asked->shapes,
		.min_nodes = asked->min_nodes ? asked->min_nodes : 1,
		.wanted_nodes = asked->nodes ? asked->nodes : 1,
		.max_nodes = asked->max_nodes ? asked->max_nodes : UINT32_MAX,
		.need = asked->need ? asked->need : &nothing,
		.most_verified = torus_decide_most_verified(nodes),
		.most_work = torus_decide_most_work(nodes),
		.turn = turn,
	};
	torus_error_t err;

	if (set_count(&w->c->free) < twin_fewest(w->c))
		return TORUS_NO_PLACE;
	return torus_decide(&decider, &request, &w->placement, &err);
}

/* ---- the comparison ---- */

static void check_found(const twin_t *w, uint64_t chosen, const torus_choice_t *choice)
{
	assert_int_equal(chosen, w->chosen);
	assert_int_equal(choice->nodes, w->placement.nodes);
	assert_int_equal(choice->span, w->placement.span);
	assert_int_equal(choice->score, w->placement.score);
	if (w->placement.torus < 0) {
		assert_null(choice->map);
		assert_null(choice->allocator);
	} else {
		assert_string_equal(choice->map->name,
				    w->cluster->map[w->placement.torus]->name);
		assert_non_null(choice->allocator);
	}
}

/* Returns what came of it. */
static torus_outcome_t compare(torus_tori_t *tori, choice_case_t *c, twin_t *w)
{
	torus_chooser_t chooser = {tori, &sets, c, ask_could_run, {0}};
	uint64_t candidates = c->free, chosen = 0, asked[MOST_ASKED];
	uint32_t turn = tori->turn;
	torus_outcome_t outcome;
	torus_choice_t choice;
	torus_error_t err;
	int count;

	c->request.required = c->required ? &c->required : NULL;
	c->request.need = c->need.kinds ? &c->need : NULL;
	c->request.verify = ask_verify;
	c->request.has = ask_has;
	c->request.narrow = ask_narrow;
	outcome =
		torus_choose(&chooser, &c->request, &candidates, &chosen, &choice, &err);
	count = c->count;
	memcpy(asked, c->asked, sizeof(asked));
	c->count = 0;
	assert_int_equal(outcome, twin_choose(w, turn));
	assert_int_equal(count, c->count);
	for (int i = 0; i < count && i < MOST_ASKED; i++)
		assert_int_equal(asked[i], c->asked[i]);
	assert_int_equal(choice.candidates, w->placement.candidates);
	if (outcome == TORUS_PLACE_FOUND)
		check_found(w, chosen, &choice);
	return outcome;
}

static void chooses_as_decided_by_name(void **state)
{
	torus_error_t err;
	torus_tori_t *tori = torus_tori_create(make_cluster(CONF), &err);
	torus_cluster_t *cluster = make_cluster(CONF);
	torus_cluster_placer_t *placer = torus_cluster_placer_create(
		(const torus_map_t *const *)cluster->map, cluster->maps);
	uint32_t found = 0, none = 0, refused = 0;

	(void)state;
	assert_true(tori && placer);
	for (int i = 0; i < CASES; i++) {
		choice_case_t c;
		twin_t w = {.c = &c, .cluster = cluster, .placer = placer};

		make(&c);
		tori->cluster->spreads_at_once = cluster->spreads_at_once =
			random_in(0, 1);
		assert_int_equal(torus_tori_join(tori, &c.table, &err), 0);
		switch (compare(tori, &c, &w)) {
		case TORUS_PLACE_FOUND:
			found++;
			refused += c.count > 1;
			break;
		case TORUS_NO_PLACE:
			none++;
			break;
		default:
			break;
		}
	}
	print_message("%u found, %u of them not at once, %u proved to be none\n", found,
		      refused, none);
	assert_true(found > CASES / 8 && refused > CASES / 50 && none > CASES / 50);
	torus_cluster_placer_destroy(placer);
	torus_cluster_destroy(cluster);
	torus_tori_destroy(tori);
}

/* A node at an index that the table had not, when the tori were joined with it. */
static void leaves_out_nodes_that_are_new(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {{.name = "a0"}, {.name = "a1"}};
	torus_node_table_t table = table_of(list, 2);
	torus_error_t err;
	torus_tori_t *tori = torus_tori_create(make_cluster(CONF), &err);
	torus_chooser_t chooser = {.tori = tori, .sets = &sets};
	torus_choice_request_t request = {.min_nodes = 2, .nodes = 3, .max_nodes = 3};
	uint64_t candidates = 7, chosen, required = 4;
	torus_choice_t choice;
	uint32_t counts[2];

	(void)state;
	assert_int_equal(torus_tori_join(tori, &table, &err), 0);
	assert_int_equal(
		torus_choose(&chooser, &request, &candidates, &chosen, &choice, &err),
		TORUS_PLACE_FOUND);
	assert_int_equal(chosen, 3);
	assert_int_equal(torus_choice_ranks(tori, &sets, &candidates, counts), 1);
	request.required = &required;
	assert_int_equal(
		torus_choose(&chooser, &request, &candidates, &chosen, &choice, &err),
		TORUS_UNDECIDED);
	required = 0; /* none is */
	assert_int_equal(
		torus_choose(&chooser, &request, &candidates, &chosen, &choice, &err),
		TORUS_PLACE_FOUND);
	torus_tori_destroy(tori);
}

static void knows_ranks_and_nearness_of_sets(void **state)
{
	torus_error_t err;
	torus_tori_t *tori = torus_tori_create(make_cluster(CONF), &err);
	uint32_t near = 0, far = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		uint32_t counts[2], limit = random_in(1000, 3000);
		torus_cluster_placement_t placement = {.torus = TORUS_ELSEWHERE};
		uint64_t left;
		choice_case_t c;
		int expected;

		make(&c);
		if (!c.free)
			continue;
		left = c.free;
		assert_int_equal(torus_tori_join(tori, &c.table, &err), 0);
		placement.elsewhere = torus_choice_ranks(tori, &sets, &c.free, counts);
		for (int t = 0; t < 2; t++) {
			const torus_joined_torus_t *torus = &tori->torus[t];

			for (uint32_t k = 0; k < counts[t]; k++) {
				uint32_t rank = torus->chosen[k];
				const char *name =
					torus->map->node_name
						[torus->map->node_of_rank[rank]];
				int index = list_find(c.list, name);

				assert_true(!k || torus->chosen[k - 1] < rank);
				assert_true(torus_bit_test(torus->set[TORUS_TORI_FREE],
							   rank));
				assert_true(index >= 0 && bit_of(left, index));
				left &= ~(UINT64_C(1) << index);
			}
			tori->placer->part[t].count = counts[t];
			if (counts[t])
				placement.torus = placement.torus == TORUS_ELSEWHERE
							  ? t
							  : TORUS_SPREAD;
		}
		assert_int_equal(placement.elsewhere, set_count(&left));
		placement.nodes = set_count(&c.free);
		expected = torus_cluster_is_near(tori->placer, &placement, limit, &err);
		assert_int_equal(torus_choice_is_near(tori, &sets, &c.free, limit, &err),
				 expected);
		near += expected == 1;
		far += expected == 0;
	}
	assert_true(near > CASES / 50 && far > CASES / 50);
	torus_tori_destroy(tori);
}

static void is_confined_where_it_could_run(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {{.name = "a0"}};
	torus_node_table_t table = table_of(list, 1);
	torus_error_t err;
	torus_tori_t *tori = torus_tori_create(make_cluster(CONF), &err);

	(void)state;
	assert_int_equal(torus_tori_join(tori, &table, &err), 0);
	for (int i = 0; i < 8; i++) {
		choice_case_t c = {.confines = i & 1};
		torus_chooser_t chooser = {.tori = tori, .context = &c};

		tori->cluster->spreads_at_once = i & 2;
		if (i & 4)
			chooser.could_run = ask_could_run;
		assert_int_equal(torus_chooser_is_confined(&chooser), i == 5);
		c.confines = false; /* not asked again */
		assert_int_equal(torus_chooser_is_confined(&chooser), i == 5);
	}
	torus_tori_destroy(tori);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_as_decided_by_name),
		cmocka_unit_test(leaves_out_nodes_that_are_new),
		cmocka_unit_test(knows_ranks_and_nearness_of_sets),
		cmocka_unit_test(is_confined_where_it_could_run),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
