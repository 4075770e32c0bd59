/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions made of numbers, and what they cost: see question.h. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "decide/bounds.h"
#include "decide/decide.h"
#include "geometry/chips.h"
#include "machine/chip_boxes.h"
#include "machine/cluster_near.h"
#include "machine/no_box.h"
#include "machine/network_option.h"
#include "machine/token.h"
#include "torus/cubes.h"
#include "torus/other_boxes.h"

#define MOST_TEXT 1024 /* that Slurm takes */

/*
 * What a decision costs Slurm's own plugin is in no block of ours: with each question it
 * looks at all nodes of its table. A start of an ordinary job takes 75 ns for each of
 * 4,608 nodes (docs/performance.md), in which 250 blocks are run through. So much is
 * added for each question, on both sides.
 */
#define BLOCKS_AT_LEAST 2000
#define BLOCKS_A_NODE 250
#define BYTES_AT_LEAST (64 << 10)
#define BYTES_A_NODE 200

#define MOST_TORI 3
#define KINDS 2
#define MOST_UNIONS 4 /* of two features, what a job counts of them together */

/* ---- machines ---- */

/* Of 1,000 nodes [missing] are not there. The first ones are quickly built. */
static const struct machine {
	const char *dims, *wrap;
	int tori;
	torus_curve_t curve;
	uint32_t per_router, missing;
	const char *chips, *cube;
	const char *allocator;
} machines[] = {
	{"8x8x5", "xyz", 1, TORUS_CURVE_HILBERT, 1, 0, NULL, NULL, "best_fit"},
	{"8x8x5", "xyz", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "compact"},
	{"16x16", "x", 1, TORUS_CURVE_ROW_MAJOR, 2, 30, NULL, NULL, "compact"},
	{"16x8x8", NULL, 1, TORUS_CURVE_SNAKE, 1, 0, NULL, "4x4x4", "best_fit"},
	{"6x6x6", "xyz", 3, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "best_fit"},
	{"16x16x16", "xyz", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "best_fit"},
	{"6x5x4", NULL, 1, TORUS_CURVE_SNAKE, 1, 80, NULL, NULL, "sum_of_squares"},
	{"512", "x", 1, TORUS_CURVE_ROW_MAJOR, 1, 0, NULL, NULL, "best_fit"},
	{"5x4x3x3x2", "xyzuv", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "compact"},
	{"4x4x3x3x2x2", "xyzuvw", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "best_fit"},
	{"8x8x4", "xyz", 1, TORUS_CURVE_HILBERT, 1, 0, "2x2x1", NULL, "compact"},
	{"8x8x8", NULL, 1, TORUS_CURVE_HILBERT, 1, 0, "2x2x1", "2x2x4", "compact"},
	{"10x10x10", "xyz", 1, TORUS_CURVE_HILBERT, 1, 10, NULL, NULL, "compact"},
	{"16x12x24", "xyz", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "compact"},
	{"16x16x16", NULL, 1, TORUS_CURVE_SNAKE, 1, 0, NULL, "4x4x4", "best_fit"},
	{"6x6x4x4x3x2", "xyzuvw", 1, TORUS_CURVE_SNAKE, 1, 0, NULL, NULL, "compact"},
	{"12x10x8", "xz", 2, TORUS_CURVE_SNAKE, 2, 20, NULL, NULL, "best_fit"},
};
#define MACHINES (sizeof(machines) / sizeof(machines[0]))
_Static_assert(QUICK_MACHINES <= MACHINES, "the first of these");

static struct built {
	torus_map_t *map[MOST_TORI];
	torus_cluster_placer_t *placer;
	torus_cluster_t *cluster;
	uint32_t nodes; /* of all tori */
} built[MACHINES];

/* splitmix64 of a number: the same state for the same numbers. */
static uint64_t scrambled(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
	return number ^ (number >> 31);
}

static void need_memory(const void *memory)
{
	if (memory)
		return;
	fprintf(stderr, "out of memory\n");
	exit(1);
}

static torus_map_t *build_map(const struct machine *machine, int t)
{
	torus_geometry_t geometry;
	uint32_t cells, nodes = 0, *cell_of_node;
	torus_map_t *map;
	torus_error_t err;

	if (torus_geometry_parse(machine->dims, machine->wrap, &geometry, &err) ||
	    (machine->chips && torus_node_shape_parse(machine->chips, &geometry, &err)) ||
	    (machine->cube && torus_cubes_parse(machine->cube, &geometry, &err))) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	cells = torus_geometry_cells(&geometry);
	cell_of_node = calloc((size_t)cells * machine->per_router, sizeof(*cell_of_node));
	need_memory(cell_of_node);
	for (uint32_t i = 0; i < cells * machine->per_router; i++) {
		if (scrambled(i) % 1000 >= machine->missing)
			cell_of_node[nodes++] = i / machine->per_router;
	}
	map = torus_map_create_nodes(t ? "other" : "main", &geometry, machine->curve,
				     cell_of_node, nodes, NULL, NULL, NULL);
	free(cell_of_node);
	need_memory(map);
	if (torus_allocator_parse(machine->allocator, torus_allocators, &map->allocator,
				  &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return map;
}

/* The first decisions on a torus also prepare what those after them use, once. */
static void warm_up(struct built *one, int tori)
{
	torus_candidates_t candidates[MOST_TORI] = {0};
	torus_cluster_placement_t placement;
	uint64_t *free_ranks[MOST_TORI];

	for (int t = 0; t < tori; t++) {
		uint32_t nodes = one->map[t]->nodes;

		free_ranks[t] = calloc(TORUS_WORDS(nodes), sizeof(uint64_t));
		need_memory(free_ranks[t]);
		for (uint32_t rank = 0; rank < nodes; rank += 2)
			torus_bit_set(free_ranks[t], rank);
		candidates[t].free = free_ranks[t];
	}
	for (int isolated = 0; isolated < 2; isolated++) {
		const torus_cluster_request_t request = {
			.nodes = 5,
			.isolated = isolated,
			.torus = candidates,
		};

		torus_cluster_place(one->placer, &request, &placement, NULL);
	}
	for (int t = 0; t < tori; t++)
		free(free_ranks[t]);
}

static struct built *build(uint32_t number)
{
	const struct machine *machine = &machines[number];
	struct built *one = &built[number];
	torus_map_t **maps;

	if (one->placer)
		return one;
	maps = calloc((size_t)machine->tori, sizeof(torus_map_t *));
	need_memory(maps);
	for (int t = 0; t < machine->tori; t++) {
		maps[t] = one->map[t] = build_map(machine, t);
		one->nodes += maps[t]->nodes;
	}
	one->cluster = torus_cluster_create(maps, machine->tori, NULL, NULL);
	need_memory(one->cluster);
	one->placer = torus_cluster_placer_create((const torus_map_t *const *)one->map,
						  machine->tori);
	need_memory(one->placer);
	warm_up(one, machine->tori);
	return one;
}

void question_end(void)
{
	for (size_t i = 0; i < MACHINES; i++) {
		torus_cluster_placer_destroy(built[i].placer);
		torus_cluster_destroy(built[i].cluster);
		built[i] = (struct built){0};
	}
}

/* ---- what the numbers mean ---- */

static uint32_t machine_of(const question_t *question)
{
	return question->gene[GENE_MACHINE] % (uint32_t)MACHINES;
}

uint32_t question_machine_nodes(const question_t *question)
{
	return build(machine_of(question))->nodes;
}

/* A number of nodes or a side, 1 to [most]: small, large and in between. */
static uint32_t number_of(uint32_t gene, uint32_t most)
{
	uint32_t value = gene >> 3;

	switch (gene & 7) {
	case 0:
		return 1 + value % (most < 4 ? most : 4);
	case 1:
		return most - value % (most < 4 ? most : 4);
	case 2: /* a power of two */
		value = UINT32_C(1) << value % 28;
		return value < most ? value : most;
	case 3:
		return most / 2 ? most / 2 : 1;
	case 4: /* with many divisors */
		value = 12 << value % 6;
		return value < most ? value : most;
	default:
		return 1 + value % most;
	}
}

/* What a question asks in one state. */
typedef struct asked {
	const question_t *question;
	struct built *built;
	int tori;
	char text[MOST_TEXT + 1];
	uint64_t *free[MOST_TORI], *required[MOST_TORI], *weights[MOST_TORI];
	uint32_t free_nodes, segment;
	torus_candidates_t candidates[MOST_TORI];
	torus_need_t need;
	uint32_t min_nodes, max_nodes;
	int verified;
	bool is_ordinary;
} asked_t;

static bool is_busy(const asked_t *asked, int t, uint32_t rank)
{
	const uint32_t *gene = asked->question->gene;
	const torus_map_t *map = asked->built->map[t];
	uint32_t share = gene[GENE_BUSY] % 11, block = 1 + gene[GENE_SEED] % 64;
	int32_t at[TORUS_MAX_DIMS];
	uint32_t sum = 0;

	torus_cell_to_coord(&map->geometry, map->cell_of_rank[rank], at);
	switch (gene[GENE_STATE] % 5) {
	case 0: /* at random */
		return scrambled(rank + ((uint64_t)gene[GENE_SEED] << 32)) % 11 < share;
	case 1: /* in blocks on the curve */
		return scrambled(rank / block + ((uint64_t)gene[GENE_SEED] << 32)) % 11 <
		       share;
	case 2: /* a chess board */
		for (int axis = 0; axis < map->geometry.dims; axis++)
			sum += (uint32_t)at[axis];
		return sum % 2;
	case 3: /* planes */
		return (uint32_t)at[gene[GENE_SEED] % (uint32_t)map->geometry.dims] %
			       (2 + share) ==
		       0;
	default:
		return false;
	}
}

static void make_state(asked_t *asked)
{
	const uint32_t *gene = asked->question->gene;

	for (int t = 0; t < asked->tori; t++) {
		uint32_t nodes = asked->built->map[t]->nodes;

		asked->free[t] = calloc(TORUS_WORDS(nodes), sizeof(uint64_t));
		asked->required[t] = calloc(TORUS_WORDS(nodes), sizeof(uint64_t));
		asked->weights[t] = calloc(nodes, sizeof(uint64_t));
		need_memory(asked->free[t]);
		need_memory(asked->required[t]);
		need_memory(asked->weights[t]);
		for (uint32_t rank = 0; rank < nodes; rank++) {
			static const uint32_t differ[] = {1, 2, 16, UINT32_MAX};

			asked->weights[t][rank] =
				scrambled(rank) % differ[gene[GENE_WEIGHTS] % 4];
			if (is_busy(asked, t, rank))
				continue;
			torus_bit_set(asked->free[t], rank);
			asked->free_nodes++;
		}
		asked->candidates[t] = (torus_candidates_t){
			.free = asked->free[t],
			.weights = gene[GENE_WEIGHTS] % 4 ? asked->weights[t] : NULL,
		};
	}
}

static void free_state(asked_t *asked)
{
	for (int t = 0; t < asked->tori; t++) {
		free(asked->free[t]);
		free(asked->required[t]);
		free(asked->weights[t]);
	}
}

/* Nodes that the job names, of the first torus, all free. */
static void require(asked_t *asked)
{
	uint32_t gene = asked->question->gene[GENE_REQUIRED], left = gene / 4 % 16;
	uint32_t nodes = asked->built->map[0]->nodes;

	if (gene % 4)
		return;
	for (uint32_t i = 0; i < nodes && left && left <= asked->min_nodes; i++) {
		uint32_t rank = (uint32_t)((i + (uint64_t)gene * 7919) % nodes);

		if (!torus_bit_test(asked->free[0], rank))
			continue;
		torus_bit_set(asked->required[0], rank);
		left--;
	}
	for (int t = 0; t < asked->tori; t++)
		asked->candidates[t].required = asked->required[t];
}

static void count_nodes(asked_t *asked)
{
	const uint32_t *gene = asked->question->gene;
	uint32_t nodes = asked->built->nodes;

	asked->min_nodes = number_of(gene[GENE_NODES], nodes);
	asked->max_nodes = asked->min_nodes;
	if (gene[GENE_MORE] % 3 == 0)
		asked->max_nodes =
			asked->min_nodes +
			number_of(gene[GENE_MORE] / 3, nodes - asked->min_nodes + 1) - 1;
}

/* ---- the words ---- */

static void add_text(asked_t *asked, const char *text)
{
	size_t length = strlen(asked->text);

	if (length + strlen(text) < sizeof(asked->text))
		memcpy(asked->text + length, text, strlen(text) + 1);
}

static void add_word(asked_t *asked, const char *word, const char *value)
{
	add_text(asked, *asked->text ? ";" : "torus:");
	add_text(asked, word);
	add_text(asked, value);
}

static void add_shapes(asked_t *asked, bool in_chips)
{
	const uint32_t *gene = asked->question->gene;
	const torus_geometry_t *geometry = &asked->built->map[0]->geometry;
	uint32_t alternatives = 1 + gene[GENE_ALTERNATIVES] % 8;
	int dims = geometry->dims;

	add_word(asked, in_chips ? "chips" : "shape", "=");
	for (uint32_t i = 0; i < alternatives; i++) {
		for (int axis = 0; axis < dims; axis++) {
			uint32_t most =
				(uint32_t)geometry->length[axis] *
				(in_chips ? (uint32_t)torus_node_side(geometry, axis)
					  : 1);
			char side[16];

			snprintf(side, sizeof(side), "%s%u",
				 axis ? "x"
				 : i  ? "|"
				      : "",
				 number_of(gene[GENE_SIDES + 6 * i + (uint32_t)axis],
					   most));
			add_text(asked, side);
		}
	}
}

static void add_grid(asked_t *asked)
{
	static const char *const stencils[] = {"5", "7", "9", "27"};
	const uint32_t *gene = asked->question->gene;
	uint32_t dims = 1 + gene[GENE_GRID_DIMS] % 6, room = TORUS_MAX_CELLS;
	char text[TORUS_DIMS_TEXT] = "";
	size_t length = 0;

	if (gene[GENE_GRID] % 3 == 0)
		return;
	if (gene[GENE_GRID] % 3 == 1) {
		add_word(asked, "grid", "=auto");
	} else {
		for (uint32_t axis = 0; axis < dims; axis++) {
			uint32_t side = number_of(gene[GENE_LENGTHS + axis],
						  room < 4096 ? room : 4096);

			room /= side;
			length += (size_t)snprintf(text + length, sizeof(text) - length,
						   "%s%u", axis ? "x" : "", side);
		}
		add_word(asked, "grid=", text);
	}
	if (gene[GENE_STENCIL] % 5)
		add_word(asked, "stencil=", stencils[gene[GENE_STENCIL] % 4]);
	if (gene[GENE_PERIODIC] % 2)
		add_word(asked, "periodic=", "all");
}

static void write_words(asked_t *asked)
{
	static const char *const near[] = {"1", "1.1", "1.5", "3"};
	const uint32_t *gene = asked->question->gene;
	uint32_t kind = gene[GENE_KIND] % 6;
	bool shaped = kind >= 2 && kind <= 4;

	*asked->text = '\0';
	if (kind == 2)
		add_word(asked, "shape", "=any");
	if (kind == 3 || kind == 4)
		add_shapes(asked, kind == 4);
	if (shaped && gene[GENE_CLOSED] % 4 == 0)
		add_word(asked, "closed", "");
	if (shaped && kind != 2 && gene[GENE_TWIST] % 6 == 0)
		add_word(asked, "twist", "");
	if (gene[GENE_ISOLATE] % 5 == 0)
		add_word(asked, "isolate", "");
	if (!shaped && gene[GENE_ISOLATE] % 5 == 1)
		add_word(asked, "loose", "");
	if (!shaped && gene[GENE_ISOLATE] % 5 != 1 && gene[GENE_NEAR] % 4 == 0)
		add_word(asked, "near=", near[gene[GENE_NEAR] / 4 % 4]);
	if (gene[GENE_OTHERS] % 4 == 0)
		add_word(asked,
			 "within=", gene[GENE_OTHERS] / 4 % 2 ? "7-00:00:00" : "5");
	add_grid(asked);
	if (gene[GENE_GRID] % 3 == 0 && gene[GENE_OTHERS] % 3 == 0)
		add_word(asked, "order=", "off");
	else if (gene[GENE_OTHERS] % 3 == 1)
		add_word(asked, "head=", "free");
	for (uint32_t i = gene[GENE_JUNK] % 4 ? 0 : gene[GENE_JUNK] / 4 % 400; i; i--)
		add_text(asked, *asked->text ? ",a" : "a");
}

/* ---- asking ---- */

static void add_cost(answer_t *answer, cost_door_t door)
{
	counted_t cost = counted_end();

	answer->door[door].blocks += cost.blocks;
	answer->all.blocks += cost.blocks;
	if (cost.bytes > answer->door[door].bytes)
		answer->door[door].bytes = cost.bytes;
	if (cost.bytes > answer->all.bytes)
		answer->all.bytes = cost.bytes;
}

/* Which of six features a node has, a bit each: none, one, many; at random or in blocks.
 */
static uint32_t features_of(const asked_t *asked, uint32_t number)
{
	uint32_t gene = asked->question->gene[GENE_FEATURES] >> 8;
	uint64_t at = gene % 2 ? number : number / 16;
	uint32_t bits = (uint32_t)scrambled(at + ((uint64_t)gene << 32));

	switch (gene / 2 % 3) {
	case 0:
		return bits & (bits >> 8) & 63;
	case 1:
		return UINT32_C(1) << bits % 6;
	default:
		return (bits | bits >> 8) & 63;
	}
}

/* The features that kind first_feature + i is about. */
static uint32_t features_in_kind(const torus_need_t *need, int i)
{
	int first = i - need->features;

	return i < need->features ? UINT32_C(1) << i : UINT32_C(3) << first;
}

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const asked_t *asked = context;
	const torus_need_t *need = &asked->need;
	uint32_t gene = asked->question->gene[GENE_HAS];
	int resources = need->kinds < KINDS ? need->kinds : KINDS;

	(void)torus;
	for (int kind = 0; kind < resources; kind++)
		has[kind] = gene % 3 == 0 ? 4
			    : gene % 3 == 1
				    ? scrambled(number * 2 + (uint32_t)kind) % 5
				    : scrambled(number / 16 * 2 + (uint32_t)kind) % 5;
	for (int kind = resources; kind < need->kinds; kind++)
		has[kind] = (features_of(asked, number) &
			     features_in_kind(need, kind - resources)) != 0;
}

static bool verify(void *context, const torus_cluster_request_t *request,
		   const torus_cluster_placement_t *placement)
{
	asked_t *asked = context;
	uint32_t gene = asked->question->gene[GENE_VERIFIER];

	(void)request;
	(void)placement;
	asked->verified++;
	return asked->is_ordinary || gene % 3 == 0 ||
	       (gene % 3 == 1 && scrambled(gene) % 4 == 0);
}

/* So many nodes with each of one to six features, and what follows from that for two of
 * them together. */
static void count_features(asked_t *asked)
{
	uint32_t gene = asked->question->gene[GENE_FEATURES];
	torus_need_t *need = &asked->need;
	uint32_t left = asked->min_nodes;

	if (gene % 4)
		return;
	need->kinds = need->first_feature = KINDS;
	need->features = 1 + (int)(gene / 4 % TORUS_MAX_FEATURES);
	for (int i = 0; i < need->features; i++) {
		uint32_t count = number_of(gene >> (i + 5), left ? left : 1);

		if (count > left)
			count = left;
		need->sum[need->kinds++] = count;
		left -= count;
	}
	for (int i = 0; i + 1 < need->features && i < MOST_UNIONS; i++)
		need->sum[need->kinds++] =
			need->sum[KINDS + i] + need->sum[KINDS + i + 1];
}

static void make_need(asked_t *asked)
{
	uint32_t gene = asked->question->gene[GENE_NEED];

	count_features(asked);
	if (gene % 2)
		return;
	if (!asked->need.kinds)
		asked->need.kinds = KINDS;
	asked->need.each[0] = gene / 2 % 3;
	asked->need.each[1] = gene / 6 % 2;
	asked->need.sum[0] = gene / 12 % 3 * asked->min_nodes;
	asked->need.sum[1] = gene / 36 % 3 * asked->min_nodes / 2;
}

/* --segment: of a job of one of the numbers of nodes that can be cut into them. */
static void cut(asked_t *asked)
{
	uint32_t gene = asked->question->gene[GENE_SEGMENT], more;

	if (gene % 3)
		return;
	asked->segment = number_of(gene / 3, asked->min_nodes);
	more = asked->min_nodes % asked->segment;
	if (asked->max_nodes == asked->min_nodes)
		asked->max_nodes -= more;
	asked->min_nodes -= more;
}

/* A decision with the words of [network]; those of the ordinary job are none. */
static torus_outcome_t choose(asked_t *asked, const torus_network_request_t *network,
			      bool hostile, torus_cluster_placement_t *placement)
{
	const uint32_t *gene = asked->question->gene;
	const torus_verifier_t verifier = {
		.context = asked,
		.verify = verify,
		.has = asked->need.kinds ? has : NULL,
	};
	torus_decider_t decider = {.placer = asked->built->placer, .verifier = &verifier};
	uint32_t nodes = asked->built->nodes;
	bool strict = hostile && (network->has_shape || gene[GENE_KIND] % 6 == 1);
	torus_decide_request_t request = {
		.cluster.torus = asked->candidates,
		.cluster.isolated = network->isolated,
		.cluster.loose = network->loose,
		.cluster.contiguous = strict && !network->has_shape,
		.cluster.segment = hostile ? asked->segment : 0,
		.shapes = network->has_shape ? &network->shapes : NULL,
		.min_nodes = asked->min_nodes,
		.wanted_nodes = asked->max_nodes,
		.max_nodes = asked->max_nodes,
		.need = &asked->need,
		.most_work = torus_decide_most_work(nodes),
		.most_verified = torus_decide_most_verified(nodes),
	};

	if (network->shapes.count) {
		request.min_nodes = request.wanted_nodes = 1;
		request.max_nodes = UINT32_MAX;
	}
	return torus_decide(&decider, &request, placement, NULL);
}

static bool wants_near(const asked_t *asked, const torus_network_request_t *network,
		       const torus_cluster_placement_t *placement)
{
	return network->near && torus_cluster_is_near(asked->built->placer, placement,
						      network->near, NULL) < 0;
}

/* What slurmctld's log, or a user, is told of a job that has no place. */
static void explain(const asked_t *asked, const torus_network_request_t *network)
{
	char others[TORUS_OTHER_BOXES_TEXT];
	torus_error_t why;

	if (!network->has_shape)
		return;
	torus_cluster_lacks_chip_box(asked->built->cluster, &network->shapes, &why);
	torus_cluster_lacks_cubes(asked->built->cluster, &network->shapes, &why);
	torus_other_boxes(&asked->built->map[0]->geometry,
			  torus_map_nodes_per_router(asked->built->map[0]),
			  &network->shapes, asked->min_nodes, others);
}

static void ask(asked_t *asked, const char *text, bool hostile, answer_t *answer)
{
	torus_cluster_placer_t *placer = asked->built->placer;
	torus_cluster_placement_t placement = {0};
	torus_network_request_t network;
	const torus_part_t *part;
	torus_outcome_t outcome;
	int parsed;

	*answer = (answer_t){0};
	asked->verified = 0;
	asked->is_ordinary = !hostile;
	counted_begin();
	parsed = torus_network_parse(text, &network, NULL);
	add_cost(answer, DOOR_WORDS);
	if (parsed)
		return;
	counted_begin();
	outcome = choose(asked, &network, hostile, &placement);
	if (outcome == TORUS_PLACE_FOUND && wants_near(asked, &network, &placement))
		outcome = TORUS_OUTCOME_ERROR;
	add_cost(answer, DOOR_CHOICE);
	answer->verified = asked->verified;
	answer->placed = outcome == TORUS_PLACE_FOUND;
	if (outcome != TORUS_PLACE_FOUND) {
		counted_begin();
		explain(asked, &network);
		add_cost(answer, DOOR_REASON);
		return;
	}
	if (placement.torus < 0 || placement.elsewhere)
		return;
	part = &placer->part[placement.torus];
	counted_begin();
	free(torus_token_format(placer->map[placement.torus], part->rank, part->count,
				network.has_shape ? &network.shapes : NULL, NULL));
	add_cost(answer, DOOR_TOKEN);
}

/* The nodes of the shape, where the job's own number of them does not count. */
static uint32_t nodes_of_shape(const asked_t *asked)
{
	torus_network_request_t network;
	uint64_t most = 0;

	if (torus_network_parse(asked->text, &network, NULL))
		return 0;
	for (int i = 0; i < network.shapes.count; i++) {
		uint64_t nodes = asked->built->map[0]->nodes /
				 torus_geometry_cells(&asked->built->map[0]->geometry);

		nodes = nodes ? nodes : 1;
		for (int axis = 0; axis < network.shapes.shape[i].dims; axis++)
			nodes *= (uint64_t)network.shapes.shape[i].side[axis];
		if (torus_shapes_in_chips(&network.shapes))
			nodes /= torus_node_chips(&asked->built->map[0]->geometry);
		if (nodes > most)
			most = nodes;
	}
	return most > asked->built->nodes ? asked->built->nodes : (uint32_t)most;
}

static void prepare(const question_t *question, asked_t *asked)
{
	memset(asked, 0, sizeof(*asked));
	asked->question = question;
	asked->built = build(machine_of(question));
	asked->tori = machines[machine_of(question)].tori;
	make_state(asked);
	count_nodes(asked);
	cut(asked);
	require(asked);
	make_need(asked);
	write_words(asked);
}

/*
 * An ordinary job of as many nodes, or of as many as there are: one that has a place, so
 * that the comparison is not with somebody who is turned away at the door.
 */
static void ask_ordinary(asked_t *asked, answer_t *ordinary)
{
	uint32_t nodes = nodes_of_shape(asked);

	if (nodes)
		asked->min_nodes = asked->max_nodes = nodes;
	if (asked->max_nodes > asked->free_nodes)
		asked->max_nodes = asked->free_nodes ? asked->free_nodes : 1;
	if (asked->min_nodes > asked->max_nodes)
		asked->min_nodes = asked->max_nodes;
	asked->need = (torus_need_t){.kinds = asked->need.kinds ? KINDS : 0};
	for (int t = 0; t < asked->tori; t++)
		asked->candidates[t].required = NULL;
	ask(asked, NULL, false, ordinary);
}

void question_ask(const question_t *question, answer_t *hostile, answer_t *ordinary)
{
	asked_t asked;

	prepare(question, &asked);
	if (asked.min_nodes <= asked.free_nodes || nodes_of_shape(&asked))
		ask(&asked, asked.text, true, hostile);
	else /* the plugins ask nothing then */
		*hostile = (answer_t){0};
	ask_ordinary(&asked, ordinary);
	for (answer_t *one = hostile; one; one = one == hostile ? ordinary : NULL) {
		uint64_t questions = one->verified ? (uint64_t)one->verified : 1;

		one->all.blocks += questions *
				   (BLOCKS_AT_LEAST + BLOCKS_A_NODE * asked.built->nodes);
		one->all.bytes += BYTES_AT_LEAST + BYTES_A_NODE * asked.built->nodes;
	}
	free_state(&asked);
}

double question_work_ratio(const answer_t *hostile, const answer_t *ordinary)
{
	return (double)hostile->all.blocks / (double)ordinary->all.blocks;
}

double question_memory_ratio(const answer_t *hostile, const answer_t *ordinary)
{
	return (double)hostile->all.bytes / (double)ordinary->all.bytes;
}

void question_print(const question_t *question, FILE *to)
{
	static const char *const states[] = {"random", "blocks", "chess", "planes",
					     "empty"};
	const struct machine *machine = &machines[machine_of(question)];
	const uint32_t *gene = question->gene;
	asked_t asked;

	prepare(question, &asked);
	fprintf(to, "%s%s%s%s%s%s %s free=%u/%u %s", machine->dims,
		machine->tori > 1 ? " x several" : "", machine->chips ? " chips " : "",
		machine->chips ? machine->chips : "", machine->cube ? " cubes " : "",
		machine->cube ? machine->cube : "", machine->allocator, asked.free_nodes,
		asked.built->nodes, states[gene[GENE_STATE] % 5]);
	if (gene[GENE_WEIGHTS] % 4)
		fprintf(to, " weights");
	fprintf(to, ": -N %u", asked.min_nodes);
	if (asked.max_nodes > asked.min_nodes)
		fprintf(to, "-%u", asked.max_nodes);
	if (gene[GENE_KIND] % 6 == 1)
		fprintf(to, " --contiguous");
	if (asked.segment)
		fprintf(to, " --segment=%u", asked.segment);
	if (gene[GENE_REQUIRED] % 4 == 0)
		fprintf(to, " -w (%u nodes)", gene[GENE_REQUIRED] / 4 % 16);
	if (asked.need.kinds)
		fprintf(to, " need each %u,%u all %u,%u", (unsigned)asked.need.each[0],
			(unsigned)asked.need.each[1], (unsigned)asked.need.sum[0],
			(unsigned)asked.need.sum[1]);
	for (int i = 0; i < asked.need.features; i++)
		fprintf(to, "%sf%d*%u", i ? "&" : " features ", i,
			(unsigned)asked.need.sum[KINDS + i]);
	fprintf(to, " %s", gene[GENE_VERIFIER] % 3 ? "refused" : "accepted");
	fprintf(to, " --network=%.200s\n", asked.text);
	free_state(&asked);
}
