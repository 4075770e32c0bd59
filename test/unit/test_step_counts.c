/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many tasks of a step Slurm gives each node: against the rules followed CPU by CPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random.h"
#include "taskmap/step_counts.h"

#define NODES 6

/* ---- random steps ---- */

typedef struct random_case {
	uint16_t cpus[NODES], used[NODES];
	uint64_t memory[NODES];
	char *gres[NODES];
	torus_held_t held;
	torus_step_asks_t asks;
	bool hidden;
} random_case_t;

static void random_case(random_case_t *random)
{
	static char *const gres[] = {"gpu:2(IDX:0-1)", "gpu:2(IDX:2,3)", "gpu:1(IDX:0)",
				     "", NULL};
	bool alike = random_in(0, 1), same_use = random_in(0, 1);
	bool has_gres = !random_in(0, 3);
	uint32_t cores = 0;

	*random = (random_case_t){
		.held = {.nodes = random_in(1, NODES),
			 .cpus = random->cpus,
			 .cpus_used = random->used,
			 .memory = random_in(0, 1) ? random->memory : NULL,
			 .same_cores = random_in(0, 9)},
		.asks = {.cpus_per_task = random_in(0, 1) ? 1 : random_in(1, 3),
			 .mem_per_cpu = random_in(0, 1) ? random_in(1, 100) : 0,
			 .exact = random_in(0, 1),
			 .overlaps = !random_in(0, 4),
			 .by_gres = !random_in(0, 4)},
		.hidden = !random_in(0, 4),
	};
	for (uint32_t i = 0; i < random->held.nodes; i++) {
		random->cpus[i] =
			alike && i ? random->cpus[0] : (uint16_t)random_in(1, 6);
		random->used[i] = same_use && i ? random->used[0]
						: (uint16_t)random_in(0, random->cpus[i]);
		random->memory[i] = alike && i ? random->memory[0] : random_in(1, 400);
		random->gres[i] = gres[random_in(0, has_gres ? 4 : 1)];
		cores += random->cpus[i];
	}
	if (random_in(0, 3)) {
		random->held.gres = random->gres;
		random->held.gres_nodes = random->held.nodes;
	}
	random->held.cores = random_in(0, 3) ? cores : random_in(0, cores);
	if (random_in(0, 3)) {
		random->asks.per_node = random_in(1, 4);
		random->asks.tasks = random->asks.per_node * random->held.nodes;
	}
	if (!random->asks.tasks || !random_in(0, 3))
		random->asks.tasks =
			random_in(random->held.nodes, 3 * random->held.nodes);
}

/* ---- the rules, followed slowly ---- */

/* Without what stands in parentheses. */
static void slow_gres(const char *text, char *plain)
{
	bool inside = false;

	for (; text && *text; text++) {
		inside = inside || *text == '(';
		if (!inside)
			*plain++ = *text;
		if (*text == ')')
			inside = false;
	}
	*plain = '\0';
}

static bool slow_alike(const torus_held_t *held)
{
	bool alike = held->same_cores;

	for (uint32_t a = 0; a < held->nodes; a++) {
		for (uint32_t b = 0; b < held->nodes; b++) {
			alike = alike && held->cpus[a] == held->cpus[b];
			alike = alike &&
				(!held->memory || held->memory[a] == held->memory[b]);
		}
	}
	for (uint32_t a = 0; a < held->gres_nodes; a++) {
		for (uint32_t b = 0; b < held->gres_nodes; b++) {
			char one[32], other[32];

			slow_gres(held->gres[a], one);
			slow_gres(held->gres[b], other);
			alike = alike && strcmp(one, other) == 0;
		}
	}
	return alike;
}

/* Take CPU by CPU, as long as there is memory for it. */
static uint32_t slow_cpus(const torus_held_t *held, const torus_step_asks_t *asks,
			  uint32_t node)
{
	uint64_t left = held->memory ? held->memory[node] : UINT64_MAX;
	uint32_t cpus = 0;

	while (cpus < held->cpus[node] && left >= asks->mem_per_cpu) {
		left -= asks->mem_per_cpu;
		cpus++;
	}
	return cpus;
}

/* How many tasks fit in so many CPUs, one after the other. */
static uint32_t slow_fit(const torus_step_asks_t *asks, uint32_t cpus)
{
	uint32_t tasks = 0;

	for (; cpus >= asks->cpus_per_task; cpus -= asks->cpus_per_task)
		tasks++;
	return tasks;
}

/* Whether the counts would be others, or the step would not wait, for what is in use. */
static bool slow_others(const random_case_t *random)
{
	const torus_held_t *held = &random->held;
	const torus_step_asks_t *asks = &random->asks;
	uint32_t room = 0, most = 1;
	bool differ = false, short_of = false;

	if (!asks->exact || asks->overlaps)
		return false;
	if (random->hidden)
		return true;
	while (most * held->nodes < asks->tasks)
		most++;
	for (uint32_t i = 0; i < held->nodes; i++) {
		uint32_t cpus = slow_cpus(held, asks, i), free_cpus = 0;

		while (free_cpus + held->cpus_used[i] < cpus)
			free_cpus++;
		differ = differ || held->cpus_used[i] != held->cpus_used[0];
		short_of = short_of || slow_fit(asks, free_cpus) < most;
		room += slow_fit(asks, free_cpus);
	}
	if (!differ)
		return false;
	return asks->by_gres || (short_of && room >= asks->tasks);
}

/* What is in the way of Slurm's own function; NULL: nothing. */
static const char *slow_room(const torus_held_t *held, const torus_step_asks_t *asks)
{
	uint32_t room = 0, cpus = 0, least = UINT32_MAX;

	for (uint32_t i = 0; i < held->nodes; i++) {
		uint32_t fit = slow_fit(asks, slow_cpus(held, asks, i));

		cpus += held->cpus[i];
		room += fit;
		least = fit < least ? fit : least;
	}
	if (asks->by_gres)
		return "the nodes are not alike, and GRES, threads or --overcommit may "
		       "limit the tasks on each";
	if (asks->per_node && asks->per_node * held->nodes != asks->tasks)
		return "the nodes are not alike, and --ntasks-per-node does not say how "
		       "many tasks there are";
	if (held->cores != cpus)
		return "the nodes are not alike, and have several CPUs a core";
	if (!least)
		return "the nodes are not alike, and one has too little for a task";
	if (room < asks->tasks)
		return "the nodes are not alike, and have too little for all tasks at "
		       "once";
	return NULL;
}

static const char *slow_counts(const random_case_t *random, torus_step_counts_t *counts)
{
	const char *why = NULL;

	*counts = TORUS_COUNTS_EVEN;
	if (random->asks.tasks == random->held.nodes)
		return NULL;
	if (slow_others(random)) {
		why = "other steps hold CPUs";
	} else if (!slow_alike(&random->held)) {
		why = slow_room(&random->held, &random->asks);
		*counts = TORUS_COUNTS_SLURM;
	}
	if (why)
		*counts = TORUS_COUNTS_UNKNOWN;
	return why;
}

/* ---- tests ---- */

static void follows_the_rules(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(40000); round++) {
		random_case_t random;
		torus_step_counts_t expected, counts;
		torus_error_t err = {""};
		const char *why;

		random_case(&random);
		assert_int_equal(torus_held_alike(&random.held),
				 slow_alike(&random.held));
		for (uint32_t i = 0; i < random.held.nodes; i++)
			assert_int_equal(torus_held_cpus(&random.held, &random.asks, i),
					 slow_cpus(&random.held, &random.asks, i));
		why = slow_counts(&random, &expected);
		counts = torus_step_counts(&random.held, &random.asks, random.hidden,
					   &err);
		assert_int_equal(counts, expected);
		assert_string_equal(err.text, why ? why : "");
		reached("as many on each", counts == TORUS_COUNTS_EVEN);
		reached("as Slurm lays them out", counts == TORUS_COUNTS_SLURM);
		reached("other steps",
			!random.hidden && why && strncmp(why, "other", 5) == 0);
		reached("GRES", why && strstr(why, "GRES"));
		reached("tasks a node", why && strstr(why, "--ntasks-per-node"));
		reached("threads", why && strstr(why, "several CPUs"));
		reached("a small node", why && strstr(why, "one has"));
		reached("small nodes", why && strstr(why, "at once"));
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

/* One task after the other, from the first node on and around. */
static void even_counts(void **state)
{
	(void)state;
	for (uint32_t nodes = 1; nodes <= 20; nodes++) {
		for (uint32_t tasks = nodes; tasks <= 70; tasks++) {
			uint32_t counts[20], slow[20] = {0};

			for (uint32_t task = 0; task < tasks; task++)
				slow[task % nodes]++;
			torus_even_counts(tasks, nodes, counts);
			assert_memory_equal(counts, slow, nodes * sizeof(*slow));
		}
	}
}

/* Slurm counts a node's tasks in 16 bits. */
static void too_many_tasks(void **state)
{
	const uint16_t cpus[] = {1, 1}, used[] = {0, 0};
	const torus_held_t held = {
		.nodes = 2, .cpus = cpus, .cpus_used = used, .same_cores = true};
	torus_step_asks_t asks = {.tasks = 2 * UINT16_MAX - 1, .cpus_per_task = 1};
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_step_counts(&held, &asks, false, &err), TORUS_COUNTS_EVEN);
	asks.tasks++;
	assert_int_equal(torus_step_counts(&held, &asks, false, &err),
			 TORUS_COUNTS_UNKNOWN);
	assert_string_equal(err.text, "too many tasks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_rules),
		cmocka_unit_test(even_counts),
		cmocka_unit_test(too_many_tasks),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
