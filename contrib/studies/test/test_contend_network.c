/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that communicate, simulated by SimGrid, against a slow twin: progressive filling
 * over links that are counted hop by hop. SimGrid simulates once a process, so each case
 * has one of its own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "contend/network.h"
#include "random.h"

#define MOST_JOBS 4
#define MOST_RANKS 9
#define MOST_FLOWS (MOST_JOBS * MOST_RANKS * 6)
#define MOST_CELLS 210
#define LINKS (MOST_CELLS * TORUS_MAX_DIMS * 2)

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t per_router;
	double bandwidth[TORUS_MAX_DIMS], fastest;
} machine_t;

/* --- the slow twin ------------------------------------------------------ */

typedef struct flow {
	int job;
	double left, rate;
	uint32_t link[64];
	int links;
} flow_t;

/* Hop by hop along x, then y, ...; with no two ways equally long. */
static void find_links(const machine_t *machine, uint32_t from, uint32_t to, flow_t *flow)
{
	const torus_geometry_t *geometry = &machine->geometry;
	int32_t at[TORUS_MAX_DIMS], end[TORUS_MAX_DIMS];

	flow->links = 0;
	torus_cell_to_coord(geometry, from / machine->per_router, at);
	torus_cell_to_coord(geometry, to / machine->per_router, end);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		while (at[axis] != end[axis]) {
			int32_t up = (end[axis] - at[axis] + length) % length;
			bool is_up = geometry->wrap[axis] ? up < length - up
							  : end[axis] > at[axis];

			flow->link[flow->links++] =
				(torus_coord_to_cell(geometry, at) * TORUS_MAX_DIMS +
				 (uint32_t)axis) *
					2 +
				is_up;
			at[axis] = (at[axis] + (is_up ? 1 : length - 1)) % length;
		}
	}
}

/* What a link has, by find_links()'s number. */
static double bandwidth_of(const machine_t *machine, uint32_t link)
{
	return machine->bandwidth[link / 2 % TORUS_MAX_DIMS];
}

/* Max-min fair: all rates grow alike; a flow stops growing when a link of its is full. */
static void set_rates(const machine_t *machine, flow_t *flow, int flows)
{
	static double used[LINKS];
	static int growing[LINKS];
	bool grows[MOST_FLOWS];
	int left = flows;
	double level = 0;

	memset(used, 0, sizeof(used));
	for (int i = 0; i < flows; i++) {
		grows[i] = true;
		flow[i].rate = 0;
	}
	while (left) {
		double step = machine->fastest - level;

		memset(growing, 0, sizeof(growing));
		for (int i = 0; i < flows; i++) {
			for (int k = 0; grows[i] && k < flow[i].links; k++)
				growing[flow[i].link[k]]++;
		}
		for (uint32_t link = 0; link < LINKS; link++) {
			double free = bandwidth_of(machine, link) - used[link];

			if (growing[link])
				step = fmin(step, free / growing[link]);
		}
		level += step;
		for (int link = 0; link < LINKS; link++)
			used[link] += step * growing[link];
		for (int i = 0; i < flows; i++) {
			bool full = level >= machine->fastest * (1 - 1e-9);

			if (!grows[i])
				continue;
			flow[i].rate = level;
			for (int k = 0; k < flow[i].links; k++) {
				uint32_t link = flow[i].link[k];

				full |= used[link] >=
					bandwidth_of(machine, link) * (1 - 1e-9);
			}
			if (full) {
				grows[i] = false;
				left--;
			}
		}
	}
}

typedef struct progress {
	const contend_job_t *job;
	int pattern;
	uint32_t step, round;
	bool ended, sustained;
	double end;
} progress_t;

static void add_flows(const machine_t *machine, const progress_t *at, int number,
		      flow_t *flow, int *flows)
{
	const contend_pattern_t *pattern = &at->job->pattern[at->pattern];

	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
			uint32_t to =
				contend_pattern_target(pattern, at->step, rank, lane);

			if (to == CONTEND_NOBODY)
				continue;
			find_links(machine, at->job->node[rank], at->job->node[to],
				   &flow[*flows]);
			flow[*flows].job = number;
			flow[(*flows)++].left = at->job->bytes;
		}
	}
}

/* Go on to a step in which somebody sends. Until then, false if the job is over. */
static bool advance(progress_t *at, double now, bool sustain)
{
	if (++at->step < at->job->pattern[at->pattern].steps)
		return true;
	at->step = 0;
	if (++at->pattern < at->job->patterns)
		return at->job->pattern[at->pattern].steps > 0 ||
		       advance(at, now, sustain);
	at->pattern = 0;
	if (++at->round == at->job->rounds) {
		at->ended = true;
		at->end = now;
	}
	return sustain || !at->ended;
}

static bool all_ended(const progress_t *at, int jobs)
{
	bool all = true;

	for (int i = 0; i < jobs; i++)
		all &= at[i].ended;
	return all;
}

static void slow_simulate(const machine_t *machine, const contend_job_t *job, int jobs,
			  bool sustain, double *end)
{
	static flow_t flow[MOST_FLOWS];
	progress_t at[MOST_JOBS] = {0};
	int flows = 0;
	double now = 0;

	for (int i = 0; i < jobs; i++) {
		at[i].job = &job[i];
		at[i].ended = !contend_job_steps(&job[i]);
		if (!at[i].ended)
			add_flows(machine, &at[i], i, flow, &flows);
	}
	while (flows) {
		double step = INFINITY;
		int busy[MOST_JOBS] = {0}, kept = 0;
		bool sends[MOST_JOBS] = {false};

		set_rates(machine, flow, flows);
		for (int i = 0; i < flows; i++) {
			sends[flow[i].job] = true;
			step = fmin(step, flow[i].left / flow[i].rate);
		}
		now += step;
		for (int i = 0; i < flows; i++) {
			flow[i].left -= step * flow[i].rate;
			if (flow[i].left > 1e-6) {
				busy[flow[i].job]++;
				flow[kept++] = flow[i];
			}
		}
		flows = kept;
		for (int i = 0; i < jobs; i++) {
			int before = flows;

			/* Steps in which nobody sends take no time. */
			while (sends[i] && !busy[i] && flows == before &&
			       advance(&at[i], now, sustain))
				add_flows(machine, &at[i], i, flow, &flows);
		}
		if (sustain && all_ended(at, jobs))
			flows = 0;
	}
	for (int i = 0; i < jobs; i++)
		end[i] = at[i].end;
}

/* --- cases -------------------------------------------------------------- */

typedef struct task {
	contend_job_t job[MOST_JOBS];
	contend_run_t *run[MOST_JOBS];
	int jobs;
	bool sustain;
} task_t;

static void run_all(contend_network_t *network, void *data)
{
	task_t *task = data;

	for (int i = 0; i < task->jobs; i++)
		task->run[i] = contend_start(network, &task->job[i], task->sustain, NULL);
	for (int i = 0; i < task->jobs; i++) {
		const contend_run_t *run = contend_next_end(network);

		if (run->end != contend_now())
			exit(3);
	}
}

static contend_network_t *network_of(const machine_t *machine)
{
	torus_error_t err;
	contend_network_t *network = contend_network_create(
		&machine->geometry, machine->per_router, machine->bandwidth, &err);

	if (!network) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
	return network;
}

/* Run [body] in a process of its own, which must end with 0. */
static void in_a_process(int (*body)(void))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(body());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Wraps of odd lengths only: there no two ways round are equally long. */
static machine_t random_machine(bool even_wraps)
{
	machine_t machine = {.per_router = (uint32_t)random_in(1, 3)};
	torus_geometry_t *geometry = &machine.geometry;
	bool alike = random_in(0, 1);

	geometry->dims = (int)random_in(1, 4);
	for (int axis = 0; axis < geometry->dims; axis++) {
		machine.bandwidth[axis] = alike ? 1e6 : 5e5 * (double)random_in(1, 4);
		machine.fastest = fmax(machine.fastest, machine.bandwidth[axis]);
	}
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		int32_t most = geometry->dims < 3 ? 7 : 3;

		geometry->length[axis] =
			axis < geometry->dims ? (int32_t)random_in(1, (uint64_t)most) : 1;
		geometry->wrap[axis] = axis < geometry->dims && random_in(0, 1) &&
				       (even_wraps || geometry->length[axis] % 2);
	}
	return machine;
}

static void random_job(const machine_t *machine, contend_job_t *job)
{
	uint32_t nodes = torus_geometry_cells(&machine->geometry) * machine->per_router;
	int kinds = 0;
	char text[128];

	while (contend_pattern_kind(kinds))
		kinds++;
	job->ranks = (uint32_t)random_in(1, MOST_RANKS);
	job->rounds = (uint32_t)random_in(1, 3);
	job->bytes = (double)random_in(1, 5) * 1e6;
	job->node = calloc(job->ranks, sizeof(uint32_t));
	for (uint32_t rank = 0; rank < job->ranks; rank++)
		job->node[rank] = (uint32_t)random_in(0, nodes - 1);
	snprintf(text, sizeof(text), "%s+%s",
		 contend_pattern_kind((int)random_in(0, (uint64_t)kinds - 1))->name,
		 contend_pattern_kind((int)random_in(0, (uint64_t)kinds - 1))->name);
	contend_job_set_patterns(job, text, NULL);
}

static int compare_random_jobs(void)
{
	machine_t machine = random_machine(false);
	task_t task = {.jobs = (int)random_in(1, MOST_JOBS), .sustain = random_in(0, 1)};
	contend_network_t *network = network_of(&machine);
	double end[MOST_JOBS];
	int wrong = 0;

	for (int i = 0; i < task.jobs; i++)
		random_job(&machine, &task.job[i]);
	contend_simulate(network, run_all, &task);
	slow_simulate(&machine, task.job, task.jobs, task.sustain, end);
	for (int i = 0; i < task.jobs; i++) {
		double got = task.run[i]->end - task.run[i]->start;

		if (fabs(got - end[i]) > 1e-6 * end[i] + 1e-9) {
			fprintf(stderr, "job %d: %.12g, by the slow twin %.12g\n", i, got,
				end[i]);
			wrong = 1;
		}
		free(task.run[i]);
		free(task.job[i].node);
	}
	contend_network_destroy(network);
	return wrong;
}

static void takes_as_long_as_the_slow_twin_says(void **state)
{
	(void)state;
	for (int i = 0; i < 60; i++) {
		in_a_process(compare_random_jobs);
		random_next();
	}
}

static int compare_routes(void)
{
	machine_t machine = random_machine(true);
	contend_network_t *network = network_of(&machine);
	uint32_t nodes = torus_geometry_cells(&machine.geometry) * machine.per_router;

	for (int i = 0; i < 500; i++) {
		uint32_t from = (uint32_t)random_in(0, nodes - 1);
		uint32_t to = (uint32_t)random_in(0, nodes - 1);
		uint32_t hops =
			torus_hops_cells(&machine.geometry, from / machine.per_router,
					 to / machine.per_router);

		if (contend_network_hops(network, from, to) != hops) {
			fprintf(stderr, "%u to %u: %u hops, not %u\n", from, to, hops,
				contend_network_hops(network, from, to));
			return 1;
		}
	}
	contend_network_destroy(network);
	return 0;
}

static void routes_are_shortest_with_wraps_and_without(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		in_a_process(compare_routes);
		random_next();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_are_shortest_with_wraps_and_without),
		cmocka_unit_test(takes_as_long_as_the_slow_twin_says),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
