/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that share links, against a slow twin: progressive filling of all flows, anew for
 * each end, over links that are counted hop by hop.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Hop by hop along x, then y, ...; of two ways equally long upwards, but down to 0. */
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
			int32_t shorter = up - (length - up);
			bool is_up = geometry->wrap[axis]
					     ? shorter < 0 || (!shorter && end[axis])
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
	uint64_t done; /* steps */
	bool ended;
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

/* Go on to the next step. False if the job is over. */
static bool advance(progress_t *at, double now, bool sustain)
{
	const contend_job_t *job = at->job;
	bool done = ++at->done == job->steps;

	at->step++;
	while (at->step >= job->pattern[at->pattern].steps) {
		at->step = 0;
		if (++at->pattern < job->patterns)
			continue;
		at->pattern = 0;
		done |= ++at->round == job->rounds;
	}
	if (done && !at->ended) {
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
		while (!at[i].ended && !job[i].pattern[at[i].pattern].steps)
			at[i].pattern++;
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

static machine_t random_machine(void)
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
		geometry->wrap[axis] = axis < geometry->dims && random_in(0, 1);
	}
	return machine;
}

/*
 * A few steps: jobs that wait for each other make a chaos of them, in which what the two
 * round differently doubles every ten steps or so.
 */
static void random_job(const machine_t *machine, contend_job_t *job)
{
	uint32_t nodes = torus_geometry_cells(&machine->geometry) * machine->per_router;
	int kinds = 0;
	char text[128];

	while (contend_pattern_kind(kinds))
		kinds++;
	job->ranks = (uint32_t)random_in(1, MOST_RANKS);
	job->rounds = (uint32_t)random_in(1, 3);
	job->steps = random_in(1, 20);
	job->bytes = (double)random_in(1, 5) * 1e6;
	job->node = calloc(job->ranks, sizeof(uint32_t));
	for (uint32_t rank = 0; rank < job->ranks; rank++)
		job->node[rank] = (uint32_t)random_in(0, nodes - 1);
	snprintf(text, sizeof(text), "%s+%s",
		 contend_pattern_kind((int)random_in(0, (uint64_t)kinds - 1))->name,
		 contend_pattern_kind((int)random_in(0, (uint64_t)kinds - 1))->name);
	contend_job_set_patterns(job, text, NULL);
}

static contend_run_t *run_of(contend_network_t *network, double until)
{
	contend_run_t *run;
	torus_error_t err;
	int ended = contend_next_end(network, until, &run, &err);

	assert_int_equal(ended, run != NULL);
	return run;
}

/* Start all jobs, wait for all ends, and here and there for a while in which none may be. */
static void simulate(contend_network_t *network, const contend_job_t *job, int jobs,
		     bool sustain, contend_run_t **run)
{
	torus_error_t err;
	double last = 0;

	for (int i = 0; i < jobs; i++) {
		run[i] = contend_start(network, &job[i], sustain, &err);
		assert_non_null(run[i]);
	}
	for (int ended = 0; ended < jobs;) {
		double until = random_in(0, 1)
				       ? INFINITY
				       : contend_now(network) + (double)random_in(0, 9);
		const contend_run_t *next = run_of(network, until);

		ended += next != NULL;
		assert_true(next ? contend_now(network) == next->end && next->end <= until
				 : contend_now(network) == until);
		assert_true(contend_now(network) >= last);
		last = contend_now(network);
	}
	/* A sustained job has ended, too, and is not returned again. */
	assert_null(run_of(network, last + 5));
}

static void takes_as_long_as_the_slow_twin_says(void **state)
{
	(void)state;
	for (int trial = 0; trial < 2000; trial++) {
		machine_t machine = random_machine();
		contend_job_t job[MOST_JOBS] = {{0}};
		contend_run_t *run[MOST_JOBS];
		int jobs = (int)random_in(1, MOST_JOBS);
		bool sustain = random_in(0, 1);
		double end[MOST_JOBS];
		torus_error_t err;
		contend_network_t *network = contend_network_create(
			&machine.geometry, machine.per_router, machine.bandwidth, &err);

		assert_non_null(network);
		for (int i = 0; i < jobs; i++)
			random_job(&machine, &job[i]);
		simulate(network, job, jobs, sustain, run);
		slow_simulate(&machine, job, jobs, sustain, end);
		contend_network_destroy(network);
		for (int i = 0; i < jobs; i++) {
			if (fabs(run[i]->end - end[i]) > 1e-6 * end[i] + 1e-9)
				fail_msg("trial %d, job %d: %.12g, by the slow twin %.12g",
					 trial, i, run[i]->end, end[i]);
			free(run[i]);
			free(job[i].node);
		}
	}
}

/* A job that is started later than others; its times are from then on. */
static void jobs_start_at_any_time(void **state)
{
	const double bandwidth[TORUS_MAX_DIMS] = {1e6};
	machine_t machine = {.geometry = {.dims = 1, .length = {4, 1, 1, 1, 1, 1}}};
	contend_job_t job[2] = {{.ranks = 2, .rounds = 1, .bytes = 3e6},
				{.ranks = 2, .rounds = 1, .bytes = 1e6}};
	uint32_t node[2][2] = {{0, 3}, {1, 2}};
	contend_network_t *network;
	contend_run_t *run[2];
	torus_error_t err;

	(void)state;
	network = contend_network_create(&machine.geometry, 1, bandwidth, &err);
	assert_non_null(network);
	for (int i = 0; i < 2; i++) {
		job[i].node = node[i];
		assert_int_equal(contend_job_set_patterns(&job[i], "one_to_all", &err), 0);
	}
	run[0] = contend_start(network, &job[0], false, &err);
	assert_null(run_of(network, 1));
	run[1] = contend_start(network, &job[1], false, &err);
	/* Each has half of the link, until the second has its byte at 3 s; the first sent
	 * two by then, and has the link to itself. */
	assert_ptr_equal(run_of(network, INFINITY), run[1]);
	assert_true(fabs(run[1]->start - 1) <= 1e-9);
	assert_true(fabs(run[1]->end - 3) <= 1e-9);
	assert_true(fabs(run[1]->waited - 1) <= 1e-9);
	assert_ptr_equal(run_of(network, INFINITY), run[0]);
	assert_true(fabs(run[0]->end - 4) <= 1e-9);
	assert_true(fabs(run[0]->waited - 1) <= 1e-9);
	assert_int_equal(run[0]->messages, 1);
	assert_null(run_of(network, INFINITY));
	contend_network_destroy(network);
	free(run[0]);
	free(run[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_as_long_as_the_slow_twin_says),
		cmocka_unit_test(jobs_start_at_any_time),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
