/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wormhole routers against a simulation cycle by cycle, in which each worm moves on by a
 * flit or stays. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "contend/wormhole.h"
#include "random.h"

#define JOBS 6
#define RANKS 24
#define WORMS (JOBS * RANKS * 6)
#define HOPS 128 /* more than a line of so many cells */
#define CHANNELS 4096

typedef struct worm {
	int job;
	uint32_t route[HOPS];
	uint32_t hops;
	uint32_t flits;
	uint32_t moved; /* by how many flits: the header has taken so many channels */
	bool waits, done;
	uint32_t since, moved_at;
} worm_t;

typedef struct twin {
	uint32_t flits, now, worms;
	worm_t worm[WORMS];
	int owner[CHANNELS];
	uint32_t queue[CHANNELS][WORMS], queued[CHANNELS];
	double end[JOBS], waited[JOBS];
} twin_t;

/* The channels from a cell to another, one hop of the shorter way after another. */
static void twin_route(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		       worm_t *worm)
{
	int32_t here[TORUS_MAX_DIMS], there[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, from, here);
	torus_cell_to_coord(geometry, to, there);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], begin = here[axis];
		int32_t hops = torus_hops_axis(geometry, axis, begin, there[axis]);
		bool up =
			begin + hops == there[axis] ||
			(geometry->wrap[axis] && (begin + hops) % length == there[axis]);

		for (int32_t i = 0; i < hops; i++) {
			int32_t gone = up ? begin + i : begin - i;
			bool second = gone < 0 || gone >= length;

			here[axis] = (gone + length) % length;
			worm->route[worm->hops++] =
				((torus_coord_to_cell(geometry, here) * TORUS_MAX_DIMS +
				  (uint32_t)axis) *
					 2 +
				 up) * 2 +
				second;
		}
		here[axis] = there[axis];
	}
}

static void move(twin_t *twin, uint32_t number)
{
	worm_t *worm = &twin->worm[number];
	uint32_t left;

	worm->moved_at = twin->now;
	if (worm->moved < worm->hops)
		twin->owner[worm->route[worm->moved]] = (int)number;
	worm->moved++;
	if (worm->moved > worm->flits && worm->moved - worm->flits <= worm->hops) {
		left = worm->route[worm->moved - worm->flits - 1];
		twin->owner[left] = -1;
		if (twin->queued[left]) {
			uint32_t next = twin->queue[left][0];

			memmove(twin->queue[left], twin->queue[left] + 1,
				--twin->queued[left] * sizeof(uint32_t));
			twin->worm[next].waits = false;
			twin->waited[twin->worm[next].job] +=
				twin->now - twin->worm[next].since;
			move(twin, next);
		}
	}
	if (worm->moved == worm->hops + worm->flits) {
		worm->done = true;
		if (twin->end[worm->job] < twin->now)
			twin->end[worm->job] = twin->now;
	}
}

static void twin_run(twin_t *twin)
{
	bool left = true;

	for (twin->now = 0; left; twin->now++) {
		left = false;
		for (uint32_t i = 0; i < twin->worms; i++) {
			worm_t *worm = &twin->worm[i];

			left |= !worm->done;
			if (worm->done || worm->waits || worm->moved_at == twin->now)
				continue;
			if (worm->moved < worm->hops &&
			    twin->owner[worm->route[worm->moved]] >= 0) {
				uint32_t channel = worm->route[worm->moved];

				worm->waits = true;
				worm->since = twin->now;
				twin->queue[channel][twin->queued[channel]++] = i;
			} else {
				move(twin, i);
			}
		}
	}
}

static void twin_send(twin_t *twin, const torus_geometry_t *geometry,
		      const contend_job_t *job, int number, uint32_t rank, uint32_t lane,
		      uint32_t to)
{
	worm_t *worm = &twin->worm[twin->worms++];

	*worm = (worm_t){.job = number, .moved_at = UINT32_MAX};
	worm->flits = contend_job_flits(
		job, 0, (uint64_t)rank * job->pattern[0].kind->lanes + lane, twin->flits);
	twin_route(geometry, job->node[rank], job->node[to], worm);
	/* Within a router the last flit is there after as many cycles as there are. */
	if (!worm->hops) {
		worm->done = true;
		if (twin->end[number] < worm->flits)
			twin->end[number] = worm->flits;
	}
}

static void as_the_twin_says(void **state)
{
	static twin_t twin;
	double waited = 0;

	(void)state;
	for (int round = 0; round < 400; round++) {
		torus_geometry_t geometry = random_geometry(3, HOPS);
		uint32_t cells = torus_geometry_cells(&geometry);
		contend_job_t job[JOBS];
		contend_run_t *run[JOBS], *ended;
		wormhole_t *network;
		torus_error_t error;
		int jobs = (int)random_in(1, JOBS);

		memset(&twin, 0, sizeof(twin));
		memset(twin.owner, 0xff, sizeof(twin.owner));
		twin.flits = random_in(1, 20);
		network = wormhole_create(&geometry, 1, twin.flits, &error);
		assert_non_null(network);
		for (int j = 0; j < jobs; j++) {
			const contend_pattern_t *pattern = &job[j].pattern[0];

			job[j] = (contend_job_t){
				.ranks = random_in(1, RANKS),
				.rounds = 1,
				.bytes = 1,
				.sizes = random_in(0, 1) ? random_in(1, 1000) : 0};
			job[j].node = calloc(job[j].ranks, sizeof(uint32_t));
			assert_non_null(job[j].node);
			for (uint32_t i = 0; i < job[j].ranks; i++)
				job[j].node[i] = random_in(0, cells - 1);
			assert_int_equal(contend_job_set_patterns(
						 &job[j],
						 random_in(0, 1) ? "ring" : "halo",
						 &error),
					 0);
			for (uint32_t rank = 0; pattern->steps && rank < pattern->senders;
			     rank++) {
				for (uint32_t lane = 0; lane < pattern->kind->lanes;
				     lane++) {
					uint32_t to = contend_pattern_target(pattern, 0,
									     rank, lane);

					if (to != CONTEND_NOBODY)
						twin_send(&twin, &geometry, &job[j], j,
							  rank, lane, to);
				}
			}
			run[j] = wormhole_start(network, &job[j], &error);
			assert_non_null(run[j]);
		}
		twin_run(&twin);
		for (int j = 0; j < jobs; j++)
			assert_int_equal(
				wormhole_next_end(network, INT64_MAX, &ended, &error), 1);
		for (int j = 0; j < jobs; j++) {
			assert_true(run[j]->end == twin.end[j]);
			assert_true(run[j]->waited == twin.waited[j]);
			assert_true(run[j]->end >=
				    wormhole_undisturbed(network, &job[j]));
			waited += run[j]->waited;
			free(run[j]);
			free(job[j].node);
		}
		wormhole_destroy(network);
		random_next();
	}
	print_message("# headers were blocked for %.0f cycles\n", waited);
	assert_true(waited > 10000);
}

/* The length by mean, and how many are 1, of all messages of a job. */
static void lengths_are_exponential(void **state)
{
	const contend_job_t job = {.sizes = 12345};
	const contend_job_t alike = {0};
	const uint32_t means[] = {1, 2, 16, 1000};
	const int messages = 200000;

	(void)state;
	for (int m = 0; m < 4; m++) {
		double mean = means[m], sum = 0, ones = 0;

		for (int i = 0; i < messages; i++) {
			uint32_t flits = contend_job_flits(&job, (uint64_t)i / 50,
							   (uint64_t)i % 50, means[m]);

			assert_in_range(flits, 1, CONTEND_MOST_FLITS);
			sum += flits;
			ones += flits == 1;
			assert_int_equal(
				contend_job_flits(&alike, 7, (uint64_t)i, means[m]),
				means[m]);
		}
		/* Five standard deviations; that of a length is below its mean. */
		assert_true(fabs(sum / messages - mean) <= 5 * mean / sqrt(messages));
		assert_true(fabs(ones / messages - 1 / mean) <=
			    5 * sqrt(1 / mean / messages));
	}
}

/* Step by step until enough is sent. */
static void steps_for_a_quota(void **state)
{
	static const char *const patterns[] = {
		"ring", "halo", "fft", "all_to_all", "multigrid+ring", "one_to_all"};

	(void)state;
	for (int round = 0; round < 2000; round++) {
		contend_job_t job = {.ranks = random_in(1, 20)};
		uint64_t wanted = random_in(1, 500), sent = 0, steps = 0;
		torus_error_t error;

		assert_int_equal(
			contend_job_set_patterns(&job, patterns[random_in(0, 5)], &error),
			0);
		while (contend_job_messages(&job) && sent < wanted) {
			uint32_t step = (uint32_t)(steps++ % contend_job_steps(&job));
			const contend_pattern_t *pattern = job.pattern;

			while (step >= pattern->steps)
				step -= pattern++->steps;
			for (uint32_t rank = 0; rank < pattern->senders; rank++) {
				for (uint32_t lane = 0; lane < pattern->kind->lanes;
				     lane++)
					sent += contend_pattern_target(pattern, step,
								       rank, lane) !=
						CONTEND_NOBODY;
			}
		}
		assert_int_equal(contend_job_steps_for(&job, wanted), steps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_twin_says),
		cmocka_unit_test(lengths_are_exponential),
		cmocka_unit_test(steps_for_a_quota),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
