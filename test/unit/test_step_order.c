/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which node has which task of a step: against its rules, followed node by node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "machine/network_option.h"
#include "random.h"
#include "taskmap/segment_order.h"
#include "taskmap/step_order.h"
#include "torus/segments.h"

#define TORI 3
#define NODES 32 /* of a torus */
#define PER_NODE 3
#define TASKS (NODES * PER_NODE)
#define NAME 8

/* ---- random clusters and steps ---- */

typedef struct random_step {
	torus_cluster_t *cluster;
	int torus; /* with all nodes of the job */
	char names[NODES + 1][NAME];
	char *name[NODES + 1];
	uint32_t tasks_on_node[NODES];
	char own[64], job[64], partition[8];
	torus_ordered_step_t step;
} random_step_t;

/* The nodes' names, in an order that has nothing to do with where they are. */
static char **random_names(int torus, uint32_t nodes)
{
	char **name = malloc(nodes * (sizeof(*name) + NAME)), *text;

	assert_non_null(name);
	text = (char *)(name + nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t other = random_in(0, i);

		name[i] = text + (size_t)i * NAME;
		memcpy(name[i], name[other], NAME);
		snprintf(name[other], NAME, "t%dn%03u", torus, i);
	}
	return name;
}

/* Half of the time a machine of cubes, which are 2 long along each axis. */
static torus_map_t *random_map(int torus)
{
	torus_geometry_t geometry = random_geometry(3, NODES / 2);
	uint32_t per_router = random_in(1, 2), nodes = 0, cell_of_node[NODES];
	char title[NAME];
	torus_map_t *map;

	if (random_in(0, 1)) {
		geometry = (torus_geometry_t){.dims = 2, .length = {4, 2, 1, 1, 1, 1}};
		geometry.length[1] = random_in(0, 2) ? 2 : 4;
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			geometry.cube[axis] = axis < 2 ? 2 : 1;
	}
	for (uint32_t i = 0; i < torus_geometry_cells(&geometry) * per_router; i++)
		cell_of_node[nodes++] = i / per_router;
	snprintf(title, sizeof(title), "t%d", torus);
	map = torus_map_create_nodes(title, &geometry, TORUS_CURVE_SNAKE, cell_of_node,
				     nodes, random_names(torus, nodes), NULL, NULL);
	assert_non_null(map);
	return map;
}

static const char *random_words(char *text, size_t size, uint32_t tasks)
{
	static const char *const words[] = {"torus:order=off",
					    "torus:head=free",
					    "torus:shape=4x2,twist",
					    "torus:shape=4x2,twist",
					    "ib0",
					    "torus:nonsense",
					    "torus:grid=any"};
	uint32_t kind = random_in(0, 20);

	if (kind > 18)
		return NULL;
	if (kind > 14)
		snprintf(text, size, "torus:grid=%ux1%s", tasks + random_in(0, 1),
			 random_in(0, 1) ? ",head=free" : "");
	else
		snprintf(text, size, "%s", words[kind % 7]);
	return text;
}

static void random_step(random_step_t *random)
{
	int tori = (int)random_in(1, TORI);
	torus_map_t **map = malloc((size_t)tori * sizeof(*map));
	torus_ordered_step_t *step = &random->step;
	uint32_t most, number[NODES];
	torus_map_t *on;

	assert_non_null(map);
	for (int i = 0; i < tori; i++)
		map[i] = random_map(i);
	random->cluster = torus_cluster_create(map, tori, NULL, NULL);
	assert_non_null(random->cluster);
	if (!random_in(0, 3))
		assert_int_equal(torus_order_scope_parse(
					 random_in(0, 1) ? "batch" : "except:batch,x",
					 &random->cluster->task_order, NULL),
				 0);
	random->torus = (int)random_in(0, (uint32_t)tori - 1);
	on = random->cluster->map[random->torus];
	most = on->nodes;
	*step = (torus_ordered_step_t){
		.nodes = random_in(0, 1) ? random_in(1, most) : most,
		.name = random->name,
		.tasks_on_node = random->tasks_on_node,
		.deal = random_in(0, 1) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC,
		.segment = random_in(0, 5)};
	for (uint32_t i = 0; i < most; i++) {
		uint32_t other = random_in(0, i);

		number[i] = number[other];
		number[other] = i;
	}
	for (uint32_t i = 0; i < step->nodes; i++) {
		random->name[i] = random->names[i];
		strcpy(random->names[i], on->node_name[number[i]]);
		random->tasks_on_node[i] = random_in(1, PER_NODE);
		step->tasks += random->tasks_on_node[i];
	}
	step->network = random_words(random->own, sizeof(random->own), step->tasks);
	step->job_network = random_words(random->job, sizeof(random->job), step->tasks);
	if (step->network && !random_in(0, 3))
		step->job_network = step->network;
	snprintf(random->partition, sizeof(random->partition), "%s",
		 random_in(0, 1) ? "batch" : "x");
	step->partition = random_in(0, 5) ? random->partition : NULL;
}

/* ---- the rules, followed slowly ---- */

static uint32_t slow_number(const torus_map_t *map, const char *name)
{
	uint32_t node = 0;

	while (strcmp(map->node_name[node], name) != 0)
		node++;
	return node;
}

/* The rank of each node by looking, segments as torus_cut_segments() has them; then, for
 * each position, which segment it is in and which node of it. */
static bool slow_segments(const random_step_t *random, uint32_t size, uint32_t *order)
{
	const torus_ordered_step_t *step = &random->step;
	const torus_map_t *map = random->cluster->map[random->torus];
	const torus_segments_site_t site = {.geometry = &map->geometry,
					    .cell_of_rank = map->cell_of_rank,
					    .ranks = map->nodes,
					    .span = map->span};
	uint32_t set[NODES], cut[NODES], count = 0, head = 0;
	torus_segments_hops_t hops;
	bool pieces;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		for (uint32_t i = 0; i < step->nodes; i++) {
			if (map->rank_of_node[slow_number(map, step->name[i])] == rank)
				set[count++] = rank;
		}
	}
	assert_int_equal(count, step->nodes);
	assert_int_equal(torus_cut_segments(&site, set, size, count / size, cut, &pieces,
					    &hops, NULL),
			 0);
	while (strcmp(map->node_name[map->node_of_rank[cut[head]]], step->name[0]) != 0)
		head++;
	for (uint32_t segment = 0; segment < count / size; segment++) {
		uint32_t from = (head / size + segment) % (count / size);

		for (uint32_t i = 0; i < size; i++) {
			uint32_t at = segment ? i : (head + i) % size;
			uint32_t rank = cut[from * size + at], node = 0;

			while (map->rank_of_node[slow_number(map, step->name[node])] !=
			       rank)
				node++;
			order[segment * size + i] = node;
		}
	}
	return pieces;
}

/* Deal out one task at a time. */
static void slow_deal(const torus_ordered_step_t *step, const uint32_t *order,
		      uint32_t *node_of_task)
{
	uint32_t left[NODES], at = 0;

	memcpy(left, step->tasks_on_node, step->nodes * sizeof(*left));
	for (uint32_t task = 0; task < step->tasks; task++) {
		while (!left[order[at]])
			at = (at + 1) % step->nodes;
		node_of_task[task] = order[at];
		left[order[at]]--;
		if (step->deal == TORUS_DEAL_CYCLIC)
			at = (at + 1) % step->nodes;
	}
}

/* What the step says, else the job, and why words are left aside; false: no order. */
static bool slow_words(const torus_ordered_step_t *step, torus_task_words_t *words,
		       char aside[2][1024])
{
	const char *texts[] = {step->network, step->job_network};

	memset(words, 0, sizeof(*words));
	for (int i = 0; i < 2; i++)
		*aside[i] = '\0';
	for (int i = 0; i < 2; i++) {
		torus_network_request_t request;
		torus_error_t why;

		if (!texts[i] || torus_network_parse(texts[i], &request, NULL) != 0)
			continue;
		if (request.order_off)
			return false;
		if (request.tasks.kind == TORUS_GRID_ANY && !request.tasks.free_head)
			continue;
		if (request.tasks.kind == TORUS_GRID_ANY ||
		    !torus_task_words_check(&request.tasks, step->tasks, &why)) {
			*words = request.tasks;
			return true;
		}
		words->free_head = request.tasks.free_head;
		if (i == 0 || !texts[0] || strcmp(texts[1], texts[0]) != 0)
			strcpy(aside[i], why.text);
	}
	return true;
}

static uint32_t slow_size(const torus_ordered_step_t *step,
			  const torus_task_words_t *words)
{
	bool several = step->segment > 1 && step->segment < step->nodes;

	return words->kind == TORUS_GRID_ANY && several &&
			       step->nodes % step->segment == 0
		       ? step->segment
		       : 0;
}

/* The order of a job that is not cut; whether the box that it asked for matters. */
static bool slow_freely(const random_step_t *random, const torus_task_words_t *words,
			uint32_t *node_of_task)
{
	const torus_ordered_step_t *step = &random->step;
	const torus_map_t *map = random->cluster->map[random->torus];
	torus_network_request_t request;
	torus_geometry_t geometry, other;
	uint32_t number[NODES], cell[NODES], others[NODES];
	torus_ordered_job_t job = {.geometry = &geometry,
				   .nodes = step->nodes,
				   .cell = cell,
				   .tasks_on_node = step->tasks_on_node,
				   .deal = step->deal,
				   .words = *words};

	for (uint32_t i = 0; i < step->nodes; i++)
		number[i] = torus_cluster_number(random->cluster, random->torus,
						 slow_number(map, step->name[i]));
	assert_int_equal(
		torus_cluster_cells(random->cluster, number, step->nodes,
				    torus_network_shapes(step->job_network, &request),
				    &geometry, cell, NULL),
		0);
	assert_int_equal(torus_cluster_cells(random->cluster, number, step->nodes, NULL,
					     &other, others, NULL),
			 0);
	assert_int_equal(torus_job_assign(&job, node_of_task, NULL, NULL, NULL), 0);
	return geometry.twist != other.twist;
}

/* ---- tests ---- */

/* Whether each task's node is named, in this order. */
static void check_hosts(const torus_ordered_step_t *step, const uint32_t *node_of_task)
{
	char *hosts = torus_step_hosts(step, node_of_task, NULL);
	const char *at = hosts;

	assert_non_null(hosts);
	for (uint32_t task = 0; task < step->tasks; task++) {
		const char *name = step->name[node_of_task[task]];

		assert_int_equal(strncmp(at, name, strlen(name)), 0);
		at += strlen(name);
		assert_int_equal(*at, task + 1 < step->tasks ? ',' : '\0');
		at++;
	}
	free(hosts);
}

static void check_order(const random_step_t *random, const torus_step_words_t *words)
{
	const torus_ordered_step_t *step = &random->step;
	const char *partition = step->partition ? step->partition : "";
	uint32_t order[NODES], expected[TASKS], plain[TASKS], node_of_task[TASKS];
	bool has = torus_order_scope_has(&random->cluster->task_order, partition);
	bool twisted = false, pieces = true, same;
	torus_error_t err = {0};
	int rc = torus_step_order(step, words, random->cluster, node_of_task, &err);

	reached("the site wants no order", !has);
	if (!has) {
		char said[96];

		snprintf(said, sizeof(said),
			 "TaskOrder= in torus.conf is not for jobs in partition %s",
			 partition);
		assert_int_equal(rc, -1);
		assert_string_equal(err.text, said);
		return;
	}
	if (words->segment) {
		pieces = slow_segments(random, words->segment, order);
		slow_deal(step, order, expected);
		assert_int_equal(order[0], 0);
	} else {
		twisted = slow_freely(random, &words->tasks, expected);
	}
	for (uint32_t i = 0; i < step->nodes; i++)
		order[i] = i;
	slow_deal(step, order, plain);
	same = memcmp(plain, expected, step->tasks * sizeof(*plain)) == 0;
	reached("segments", words->segment);
	reached("segments that are no pieces", !pieces);
	reached("a box that was asked for", twisted);
	reached("the order of the names", same);
	reached("another order", !same);
	assert_int_equal(rc, same ? -1 : 0);
	if (same) {
		assert_string_equal(err.text, "it is that of the torus");
		return;
	}
	assert_memory_equal(node_of_task, expected, step->tasks * sizeof(*expected));
	check_hosts(step, node_of_task);
}

static void follows_the_rules(void **state)
{
	uint32_t grids = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		random_step_t random;
		torus_task_words_t expected;
		torus_step_words_t words;
		torus_error_t err = {0};
		char aside[2][1024];
		bool wanted;

		memset(&random, 0, sizeof(random));
		random_step(&random);
		wanted = slow_words(&random.step, &expected, aside);
		assert_int_equal(torus_step_words(&random.step, &words, &err),
				 wanted ? 0 : -1);
		for (int i = 0; i < 2; i++)
			assert_string_equal(words.aside[i].text, aside[i]);
		reached("no order is wanted", !wanted);
		reached("the step's words left aside", *aside[0]);
		reached("the job's words left aside", *aside[1]);
		reached("a grid", wanted && expected.kind == TORUS_GRID_GIVEN);
		if (wanted) {
			assert_memory_equal(&words.tasks, &expected, sizeof(expected));
			assert_int_equal(words.segment,
					 slow_size(&random.step, &expected));
			/* Mapping a grid takes a while: one of twenty. */
			if (expected.kind != TORUS_GRID_GIVEN || grids++ % 20 == 0)
				check_order(&random, &words);
		} else {
			assert_string_equal(err.text, "--network=torus:order=off");
		}
		torus_cluster_destroy(random.cluster);
	}
	assert_true(reached_all(RANDOM_CASES(5)));
}

/* A node that no torus has, and nodes of two tori, with segments and without. */
static void names_what_is_not_there(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(300); round++) {
		random_step_t random;
		torus_step_words_t words = {.segment = random_in(0, 1)};
		uint32_t node_of_task[TASKS], last;
		char nobody[] = "nobody";
		torus_error_t err = {0};
		bool far;

		memset(&random, 0, sizeof(random));
		random_step(&random);
		torus_order_scope_clear(&random.cluster->task_order);
		last = random.step.nodes - 1;
		far = random.cluster->maps > 1 && last && random_in(0, 1);
		if (far)
			random.name[last] =
				random.cluster
					->map[(random.torus + 1) % random.cluster->maps]
					->node_name[0];
		else
			random.name[last] = nobody;
		assert_int_equal(torus_step_order(&random.step, &words, random.cluster,
						  node_of_task, &err),
				 -1);
		if (!far)
			assert_non_null(strstr(err.text, "nobody"));
		if (!far)
			assert_int_equal(strncmp(err.text, "torus.conf: ", 12), 0);
		else if (words.segment)
			assert_string_equal(err.text, "the nodes are on several tori");
		else
			assert_non_null(strstr(err.text, "nodes of different tori"));
		torus_cluster_destroy(random.cluster);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_rules),
		cmocka_unit_test(names_what_is_not_there),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
