/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Communication patterns against their definitions; the reader of jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "contend/job.h"

#define MOST 40

/* How often each rank sends to each in one step, or in all (step -1). */
static int sent[MOST][MOST];

static contend_pattern_t make(const char *name, uint32_t ranks)
{
	contend_pattern_t pattern;

	assert_int_equal(contend_pattern_make(name, ranks, &pattern, NULL), 0);
	return pattern;
}

static void add_step(const contend_pattern_t *pattern, uint32_t step)
{
	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
			uint32_t to = contend_pattern_target(pattern, step, rank, lane);

			if (to == CONTEND_NOBODY)
				continue;
			assert_true(to < pattern->ranks && to != rank);
			sent[rank][to]++;
		}
	}
}

static void count_step(const contend_pattern_t *pattern, uint32_t step)
{
	memset(sent, 0, sizeof(sent));
	add_step(pattern, step);
}

static void count_round(const contend_pattern_t *pattern)
{
	memset(sent, 0, sizeof(sent));
	for (uint32_t step = 0; step < pattern->steps; step++)
		add_step(pattern, step);
}

static void nobody_gets_two_at_once(void **state)
{
	const contend_pattern_kind_t *kind;

	(void)state;
	for (int i = 0; (kind = contend_pattern_kind(i)); i++) {
		for (uint32_t ranks = 1; kind->lanes == 1 && ranks <= MOST; ranks++) {
			contend_pattern_t pattern = make(kind->name, ranks);

			assert_true(ranks > 1 || !pattern.steps);
			for (uint32_t step = 0; step < pattern.steps; step++) {
				count_step(&pattern, step);
				for (uint32_t to = 0; to < ranks; to++) {
					int got = 0;

					for (uint32_t rank = 0; rank < ranks; rank++)
						got += sent[rank][to];
					assert_true(got <= 1);
				}
			}
		}
	}
}

static void all_pairs_are_all_pairs_once(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= MOST; ranks++) {
		contend_pattern_t all = make("all_to_all", ranks);
		contend_pattern_t pairs = make("ping_pong", ranks);

		assert_int_equal(all.steps, ranks - 1);
		assert_int_equal(pairs.steps, 2 * (ranks - 1 + ranks % 2));
		for (int i = 0; i < 2; i++) {
			count_round(i ? &pairs : &all);
			for (uint32_t a = 0; a < ranks; a++) {
				for (uint32_t b = 0; b < ranks; b++)
					assert_int_equal(sent[a][b], a != b);
			}
		}
	}
}

static void every_ping_has_its_pong(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= MOST; ranks++) {
		contend_pattern_t pairs = make("ping_pong", ranks);

		for (uint32_t step = 0; step < pairs.steps; step += 2) {
			int ping[MOST][MOST], partners[MOST] = {0};

			count_step(&pairs, step);
			memcpy(ping, sent, sizeof(ping));
			count_step(&pairs, step + 1);
			for (uint32_t a = 0; a < ranks; a++) {
				for (uint32_t b = 0; b < ranks; b++) {
					assert_int_equal(ping[a][b], sent[b][a]);
					assert_true(!ping[a][b] || a < b);
					partners[a] += ping[a][b] + sent[a][b];
				}
				assert_true(partners[a] <= 1);
			}
		}
	}
}

static void one_rank_reaches_all_and_a_ring_closes(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= MOST; ranks++) {
		contend_pattern_t one = make("one_to_all", ranks);
		contend_pattern_t ring = make("ring", ranks);

		count_round(&one);
		for (uint32_t a = 0; a < ranks; a++) {
			for (uint32_t b = 0; b < ranks; b++)
				assert_int_equal(sent[a][b], !a && b);
		}
		assert_int_equal(ring.steps, 1);
		count_round(&ring);
		for (uint32_t a = 0; a < ranks; a++) {
			for (uint32_t b = 0; b < ranks; b++)
				assert_int_equal(sent[a][b], (a + 1) % ranks == b);
		}
	}
}

static void coordinate(const torus_task_grid_t *grid, uint32_t rank, int at[3])
{
	at[0] = (int)rank % grid->length[0];
	at[1] = (int)rank / grid->length[0] % grid->length[1];
	at[2] = (int)rank / grid->length[0] / grid->length[1];
}

/* Whether a and b, of those whose coordinates are multiples of [distance], are next to
 * each other. */
static int are_neighbors(const torus_task_grid_t *grid, uint32_t a, uint32_t b,
			 int distance)
{
	int from[3], to[3], steps = 0;

	coordinate(grid, a, from);
	coordinate(grid, b, to);
	for (int axis = 0; axis < 3; axis++) {
		int gap = from[axis] > to[axis] ? from[axis] - to[axis]
						: to[axis] - from[axis];

		if (from[axis] % distance || to[axis] % distance)
			return 0;
		steps += gap / distance;
	}
	return steps == 1;
}

static void check_grid_step(const contend_pattern_t *pattern, uint32_t step, int distance)
{
	count_step(pattern, step);
	for (uint32_t a = 0; a < pattern->ranks; a++) {
		for (uint32_t b = 0; b < pattern->ranks; b++)
			assert_int_equal(sent[a][b],
					 are_neighbors(&pattern->grid, a, b, distance));
	}
}

static void grids_exchange_with_neighbors(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= MOST; ranks++) {
		contend_pattern_t halo = make("halo", ranks);
		contend_pattern_t multigrid = make("multigrid", ranks);
		uint32_t levels = (multigrid.steps + 1) / 2;

		assert_int_equal(torus_task_grid_tasks(&halo.grid), ranks);
		assert_int_equal(halo.steps, 1);
		check_grid_step(&halo, 0, 1);
		assert_int_equal(multigrid.steps % 2, 1);
		for (uint32_t level = 0; level < levels; level++) {
			check_grid_step(&multigrid, level, 1 << level);
			check_grid_step(&multigrid, multigrid.steps - 1 - level,
					1 << level);
		}
		/* On the last level there are neighbours, on the next there would be
		 * none. */
		assert_true(1 << (levels - 1) < multigrid.grid.length[2]);
		assert_true(1 << levels >= multigrid.grid.length[2]);
	}
}

/* A grid of one's own: here with its longest side first. */
static void grids_of_another_shape(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= MOST; ranks++) {
		contend_pattern_t halo = make("halo", ranks);
		contend_pattern_t multigrid = make("multigrid", ranks);
		contend_pattern_t ring = make("ring", ranks), same = ring;
		torus_task_grid_t grid = multigrid.grid;
		uint32_t steps = multigrid.steps;

		grid.length[0] = multigrid.grid.length[2];
		grid.length[2] = multigrid.grid.length[0];
		contend_pattern_set_grid(&halo, &grid);
		contend_pattern_set_grid(&multigrid, &grid);
		contend_pattern_set_grid(&ring, &grid);
		assert_memory_equal(&ring, &same, sizeof(ring));
		assert_int_equal(halo.grid.length[0], grid.length[0]);
		check_grid_step(&halo, 0, 1);
		assert_int_equal(multigrid.steps, steps);
		for (uint32_t step = 0; step < (steps + 1) / 2; step++)
			check_grid_step(&multigrid, step, 1 << step);
	}
}

static void butterflies_exchange_bit_by_bit(void **state)
{
	static const int partner[3][8] = {{1, 0, 3, 2, 5, 4, 7, 6},
					  {2, 3, 0, 1, 6, 7, 4, 5},
					  {4, 5, 6, 7, 0, 1, 2, 3}};

	(void)state;
	for (uint32_t ranks = 8; ranks < 16; ranks++) {
		contend_pattern_t fft = make("fft", ranks);

		assert_int_equal(fft.steps, 3);
		assert_int_equal(fft.senders, 8);
		for (uint32_t step = 0; step < 3; step++) {
			for (uint32_t rank = 0; rank < 8; rank++)
				assert_int_equal(
					contend_pattern_target(&fft, step, rank, 0),
					partner[step][rank]);
		}
	}
}

/* As the program of NAS CG sets up its partners: (in its words) npcols, nprows,
 * reduce_exch_proc(1 .. l2npcols) and exch_proc of process [me]. */
static void cg_oracle(int processes, int me, int *steps, int partner[16])
{
	int rows = 1, columns = 1, row, column, divisor;

	for (int left = processes; left > 1; left /= 2) {
		if (columns == rows)
			columns *= 2;
		else
			rows *= 2;
	}
	row = me / columns;
	column = me - row * columns;
	*steps = 0;
	for (divisor = columns; divisor > 1; divisor /= 2) {
		int j = (column + divisor / 2) % divisor + column / divisor * divisor;

		partner[(*steps)++] = row * columns + j;
	}
	if (columns == rows)
		partner[*steps] = me % rows * rows + me / rows;
	else
		partner[*steps] = 2 * (me / 2 % rows * rows + me / 2 / rows) + me % 2;
	++*steps;
}

static void cg_is_that_of_nas(void **state)
{
	(void)state;
	for (uint32_t ranks = 2; ranks <= 512; ranks++) {
		contend_pattern_t cg = make("cg", ranks);
		int steps, partner[16];

		assert_true(cg.senders <= ranks && 2 * cg.senders > ranks);
		for (uint32_t me = 0; me < cg.senders; me++) {
			cg_oracle((int)cg.senders, (int)me, &steps, partner);
			assert_int_equal(cg.steps, steps);
			for (int step = 0; step < steps; step++) {
				uint32_t to = contend_pattern_target(&cg, (uint32_t)step,
								     me, 0);

				assert_int_equal(to == CONTEND_NOBODY ? me : to,
						 partner[step]);
			}
		}
	}
}

/* contend_rate_t: a megabyte a second, and half of it from node 7. */
static double slow_from_7(const void *network, uint32_t from, uint32_t to)
{
	(void)network;
	(void)to;
	return from == 7 ? 5e5 : 1e6;
}

static void reads_jobs(void **state)
{
	static const char text[] = "# two jobs\n"
				   "one ring+all_to_all 3 1.5e6 0-2,7\n"
				   "\n"
				   "two halo 1 8 5,5  # both on node 5\n";
	contend_jobs_t jobs;

	(void)state;
	assert_int_equal(contend_jobs_read(text, strlen(text), "jobs", 8, &jobs, NULL),
			 0);
	assert_int_equal(jobs.count, 2);
	assert_string_equal(jobs.job[0].name, "one");
	assert_string_equal(jobs.job[0].word, "ring+all_to_all");
	assert_int_equal(jobs.job[0].ranks, 4);
	assert_int_equal(jobs.job[0].node[3], 7);
	assert_int_equal(jobs.job[0].rounds, 3);
	assert_true(jobs.job[0].bytes == 1.5e6);
	assert_int_equal(jobs.job[0].patterns, 2);
	assert_int_equal(contend_job_steps(&jobs.job[0]), 4);
	assert_int_equal(contend_job_lanes(&jobs.job[0]), 4);
	/* 3 rounds of 4 steps of 1.5 MB, in each of which node 7 sends. */
	assert_float_equal(contend_job_undisturbed(&jobs.job[0], slow_from_7, NULL), 36,
			   1e-9);
	assert_int_equal(contend_job_lanes(&jobs.job[1]), 12);
	contend_jobs_clear(&jobs);
}

static void refuses_jobs(void **state)
{
	static const struct {
		const char *text, *message;
	} table[] = {
		{"a ring 1 8", "jobs:1: 4 words"},
		{"a ring 1 8 0 1", "jobs:1: 6 words"},
		{"a ring 1 8 0-1\nb ring 1 8 8", "jobs:2: node '8' is not below 8"},
		{"a rung 1 8 0-1", "jobs:1: unknown pattern 'rung'; there are halo, "},
		{"a ring+ 1 8 0-1", "jobs:1: unknown pattern ''"},
		{"a ring+ring+ring+ring+ring+ring+ring+ring+ring 1 8 0-1",
		 "jobs:1: more than 8 patterns"},
		{"a a_pattern_with_a_name_longer_than_any 1 8 0-1",
		 "jobs:1: unknown pattern"},
		{"a ring 0 8 0-1", "jobs:1: '0' rounds"},
		{"a ring -1 8 0-1", "jobs:1: '-1' rounds"},
		{"a ring 1x 8 0-1", "jobs:1: '1x' rounds"},
		{"a ring 4294967296 8 0-1", "jobs:1: '4294967296' rounds"},
		{"a ring 1 0 0-1", "jobs:1: '0' bytes"},
		{"a ring 1 nan 0-1", "jobs:1: 'nan' bytes"},
		{"a ring 1 inf 0-1", "jobs:1: 'inf' bytes"},
		{"a ring 1 8k 0-1", "jobs:1: '8k' bytes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		contend_jobs_t jobs;
		torus_error_t err = {""};

		assert_int_equal(contend_jobs_read(table[i].text, strlen(table[i].text),
						   "jobs", 8, &jobs, &err),
				 -1);
		assert_null(jobs.job);
		if (strncmp(err.text, table[i].message, strlen(table[i].message)))
			fail_msg("'%s' gives '%s'", table[i].text, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_gets_two_at_once),
		cmocka_unit_test(all_pairs_are_all_pairs_once),
		cmocka_unit_test(every_ping_has_its_pong),
		cmocka_unit_test(one_rank_reaches_all_and_a_ring_closes),
		cmocka_unit_test(grids_exchange_with_neighbors),
		cmocka_unit_test(grids_of_another_shape),
		cmocka_unit_test(butterflies_exchange_bit_by_bit),
		cmocka_unit_test(cg_is_that_of_nas),
		cmocka_unit_test(reads_jobs),
		cmocka_unit_test(refuses_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
