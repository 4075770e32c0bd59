/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator on random workloads: against slow schedulers that count nodes
 * (sim_oracle.h), and what must hold whatever the machine, the strategy and the
 * scheduler.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "machine/cluster.h"
#include "machine/cluster_place.h"
#include "random.h"
#include "sim_oracle.h"

static const torus_scheduler_t schedulers[] = {
	TORUS_FCFS,   TORUS_EASY,   TORUS_CONSERVATIVE,
	TORUS_CPLANT, TORUS_GREEDY, TORUS_RECORDED,
};
/* Jobs of a workload, where few do. */
enum { FEW = 16 };
enum { SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

/* A machine of one torus of at most [cells] cells with any strategy of the engine. */
static torus_map_t *random_map(const char *name, uint32_t cells)
{
	torus_geometry_t geometry = random_geometry(3, cells);
	torus_error_t error;
	torus_map_t *map = torus_map_create(name, &geometry,
					    random_in(0, 1) ? TORUS_CURVE_HILBERT
							    : TORUS_CURVE_SNAKE,
					    random_in(1, 2), &error);

	assert_non_null(map);
	map->allocator = torus_allocators[random_in(0, 3)];
	map->span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
	return map;
}

/* Times are short and often the same, so that much happens at once. */
static torus_workload_t random_workload(uint32_t jobs, uint32_t nodes)
{
	torus_workload_t workload = {0};
	uint32_t gap = random_in(0, 6), longest = random_in(0, 12);
	int64_t submit = random_in(0, 5);

	for (uint32_t i = 0; i < jobs; i++) {
		torus_sim_job_t job = {
			.number = i + 1,
			.submit = submit,
			.wait = (int64_t)random_in(0, 20) - 1,
			.run_time = random_in(0, longest),
			.nodes = random_in(0, 2) ? random_in(1, (nodes + 2) / 3)
						 : random_in(1, nodes),
			.line = i + 1,
		};

		job.estimate =
			job.run_time + (random_in(0, 1) ? random_in(0, longest) : 0);
		submit += random_in(0, gap);
		assert_int_equal(torus_workload_add(&workload, &job, NULL), 0);
	}
	return workload;
}

static torus_sim_result_t simulate(const torus_workload_t *workload,
				   const torus_sim_config_t *config)
{
	torus_sim_result_t result;
	torus_error_t error = {""};

	if (torus_simulate(workload, config, &result, &error) != 0)
		fail_msg("%s", error.text);
	return result;
}

/* Some of one torus, sorted, at most one of a node at a time. */
static torus_outages_t random_failures(uint32_t nodes)
{
	torus_outages_t outages = {
		.outage = calloc(ORACLE_OUTAGES, sizeof(torus_outage_t))};
	uint32_t wanted = random_in(0, ORACLE_OUTAGES);
	int64_t from = 0;

	assert_non_null(outages.outage);
	for (uint32_t i = 0; i < wanted; i++) {
		torus_outage_t next = {from, from + random_in(1, 30), 0,
				       random_in(0, nodes - 1)};
		bool apart = true;

		for (size_t k = 0; k < outages.count; k++)
			apart = apart && (outages.outage[k].rank != next.rank ||
					  outages.outage[k].until < next.from);
		if (apart)
			outages.outage[outages.count++] = next;
		from += random_in(0, 12);
	}
	return outages;
}

static bool has_rank(const torus_sim_result_t *result, const torus_sim_record_t *record,
		     uint32_t rank)
{
	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run = &result->run[record->first_run + i];

		if (rank >= run->first && rank - run->first < run->count)
			return true;
	}
	return false;
}

/*
 * Tell the oracle of the outages, and which jobs they ended: the records say it, and must
 * say that the job had the node.
 */
static void tell_outages(oracle_t *oracle, const torus_outages_t *outages,
			 const torus_sim_result_t *result)
{
	size_t explained = 0;

	for (size_t k = 0; k < outages->count; k++) {
		const torus_outage_t *outage = &outages->outage[k];
		uint32_t job = ORACLE_NO_JOB;

		for (size_t i = 0; i < result->lost_count; i++) {
			const torus_sim_record_t *lost = &result->lost[i];

			if (lost->end == outage->from &&
			    has_rank(result, lost, outage->rank) && job == ORACLE_NO_JOB)
				job = (uint32_t)lost->job;
		}
		oracle->outage[oracle->outages++] =
			(oracle_outage_t){outage->from, outage->until, job, false, false};
	}
	for (size_t i = 0; i < result->lost_count; i++) {
		bool hit = false;

		for (size_t k = 0; k < outages->count; k++)
			hit = hit || (outages->outage[k].from == result->lost[i].end &&
				      has_rank(result, &result->lost[i],
					       outages->outage[k].rank));
		explained += hit;
	}
	assert_int_equal(explained, result->lost_count);
}

/* What was compared: a stream in which nobody ever waits would show nothing. */
static void count_job(const torus_workload_t *workload, const torus_sim_result_t *result,
		      uint32_t i)
{
	int64_t start = result->record[i].start;
	bool overtakes = false;

	for (uint32_t j = 0; j < i; j++)
		overtakes |= workload->job[j].submit < workload->job[i].submit &&
			     result->record[j].start > start;
	reached("a job that starts at once", start == workload->job[i].submit);
	reached("a job that waits", start > workload->job[i].submit);
	reached("a job that overtakes an earlier one", overtakes);
	reached("a job of no time", !workload->job[i].run_time);
	reached("a job that ends before its estimate",
		workload->job[i].run_time < workload->job[i].estimate);
	reached("jobs of the same second",
		i && workload->job[i].submit == workload->job[i - 1].submit);
}

/* Simulate a random workload and look at its starts; returns how many runs were lost. */
static size_t starts_agree(int round, torus_scheduler_t scheduler, uint32_t most,
			   bool fail)
{
	torus_map_t *map = random_map("one", 24);
	const torus_map_t *const maps[] = {map};
	torus_workload_t workload = random_workload(random_in(1, most), map->nodes);
	torus_outages_t outages = {0};
	torus_sim_config_t config = {
		.map = maps,
		.tori = 1,
		.scheduler = scheduler,
		.period = random_in(1, 9),
		.outages = &outages,
	};
	oracle_t oracle = {
		.job = workload.job,
		.jobs = (uint32_t)workload.count,
		.nodes = map->nodes,
		.scheduler = config.scheduler,
		.period = config.period,
	};
	torus_sim_result_t result;
	size_t lost;

	if (fail)
		outages = random_failures(map->nodes);
	result = simulate(&workload, &config);
	tell_outages(&oracle, &outages, &result);
	oracle_run(&oracle);
	assert_int_equal(result.count, workload.count);
	for (uint32_t i = 0; i < workload.count; i++) {
		if (result.record[i].start != oracle.start[i])
			fail_msg("round %d, %s: job %u starts at %lld, not %lld", round,
				 torus_scheduler_name(config.scheduler), i + 1,
				 (long long)result.record[i].start,
				 (long long)oracle.start[i]);
		count_job(&workload, &result, i);
		/* Neither a backfill nor an early end delays the first of the queue, or
		 * anyone who has a reservation; only a failure can. */
		if (oracle.promise[i] >= 0)
			assert_true(result.record[i].start <= oracle.promise[i]);
	}
	lost = result.lost_count;
	torus_sim_result_clear(&result);
	torus_workload_clear(&workload);
	torus_outages_clear(&outages);
	torus_map_destroy(map);
	return lost;
}

/* Start times are those of the slow schedulers, and keep what was promised. */
static void starts_as_the_slow_schedulers_do(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(4000); round++)
		starts_agree(round, schedulers[round % SCHEDULERS], FEW, false);
	assert_true(reached_all(RANDOM_CASES(1000)));
}

/* Where many wait, an early end lets one after the other gain. */
static void many_waiting_jobs_gain_as_in_the_slow_scheduler(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++)
		starts_agree(round, TORUS_CONSERVATIVE, ORACLE_JOBS, round % 3 == 2);
}

/* The same while nodes fail and return. */
static void outages_as_the_slow_schedulers_have_them(void **state)
{
	size_t lost[SCHEDULERS] = {0};

	(void)state;
	/* With sanitizers as many as without: of a fifth chance may hit too few. */
	for (int round = 0; round < 1600 * SCHEDULERS; round++)
		lost[round % SCHEDULERS] +=
			starts_agree(round, schedulers[round % SCHEDULERS], FEW, true);
	/* They did hit jobs. */
	for (int i = 0; i < SCHEDULERS; i++)
		assert_true(lost[i] > 500);
}

/* Jobs that run as long as the workload says, but tell it only in the end. */
typedef struct plain_runner {
	const torus_workload_t *workload;
	const torus_map_t *map;
	int64_t now, end[ORACLE_JOBS]; /* 0: does not run */
	uint32_t ranks;		       /* of all that were started */
} plain_runner_t;

static int run_plainly(void *context, size_t job, const uint32_t *rank, uint32_t ranks,
		       torus_error_t *err)
{
	plain_runner_t *runner = context;

	(void)err;
	for (uint32_t i = 0; i < ranks; i++)
		assert_true(rank[i] < runner->map->nodes);
	assert_int_equal(runner->end[job], 0);
	runner->ranks += ranks;
	/* One more, as 0 says that it does not run */
	runner->end[job] = runner->now + runner->workload->job[job].run_time + 1;
	return 0;
}

static int wait_plainly(void *context, int64_t until, size_t *job, int64_t *end,
			torus_error_t *err)
{
	plain_runner_t *runner = context;
	size_t next = ORACLE_JOBS;

	(void)err;
	for (size_t i = 0; i < ORACLE_JOBS; i++) {
		if (runner->end[i] && runner->end[i] - 1 <= until &&
		    (next == ORACLE_JOBS || runner->end[i] < runner->end[next]))
			next = i;
	}
	if (next == ORACLE_JOBS) {
		assert_true(until < INT64_MAX);
		runner->now = until;
		return 0;
	}
	*job = next;
	*end = runner->end[next] - 1;
	assert_true(*end >= runner->now);
	runner->now = *end;
	runner->end[next] = 0;
	return 1;
}

/* A simulation that learns of each end when it comes is the one that knew it before. */
static void a_runner_tells_the_same_ends(void **state)
{
	static const torus_scheduler_t without_plans[] = {TORUS_FCFS, TORUS_CPLANT,
							  TORUS_GREEDY};
	uint32_t waited = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(2000); round++) {
		torus_map_t *map = random_map("one", 30);
		const torus_map_t *const maps[] = {map};
		torus_workload_t workload =
			random_workload(random_in(1, FEW), map->nodes);
		plain_runner_t plain = {.workload = &workload, .map = map};
		torus_sim_runner_t runner = {run_plainly, wait_plainly, &plain};
		torus_sim_config_t config = {.map = maps,
					     .tori = 1,
					     .scheduler = without_plans[round % 3],
					     .period = random_in(1, 9),
					     .seed = random_next()};
		torus_sim_result_t known = simulate(&workload, &config), told;
		uint32_t nodes = 0;

		plain.now = workload.job[0].submit;
		config.runner = &runner;
		told = simulate(&workload, &config);
		assert_int_equal(told.count, known.count);
		for (size_t i = 0; i < told.count; i++) {
			const torus_sim_record_t *a = &told.record[i],
						 *b = &known.record[i];

			assert_int_equal(a->start, b->start);
			assert_int_equal(a->end, b->end);
			assert_int_equal(a->runs, b->runs);
			for (size_t k = 0; k < a->runs; k++)
				assert_memory_equal(&told.run[a->first_run + k],
						    &known.run[b->first_run + k],
						    sizeof(torus_sim_run_t));
			nodes += a->nodes;
			waited += a->start > workload.job[a->job].submit;
		}
		assert_int_equal(plain.ranks, nodes);
		torus_sim_result_clear(&told);
		torus_sim_result_clear(&known);
		torus_workload_clear(&workload);
		torus_map_destroy(map);
	}
	assert_true(waited > RANDOM_CASES(2000));
}

/* Without run times nobody can plan with them. */
static void a_runner_is_for_schedulers_without_plans(void **state)
{
	static const torus_scheduler_t planning[] = {TORUS_EASY, TORUS_CONSERVATIVE,
						     TORUS_RECORDED};
	torus_map_t *map = random_map("one", 30);
	const torus_map_t *const maps[] = {map};
	torus_workload_t workload = random_workload(2, map->nodes);
	plain_runner_t plain = {.workload = &workload, .map = map};
	torus_sim_runner_t runner = {run_plainly, wait_plainly, &plain};

	(void)state;
	for (int i = 0; i < 3; i++) {
		torus_sim_config_t config = {.map = maps,
					     .tori = 1,
					     .scheduler = planning[i],
					     .runner = &runner};
		torus_sim_result_t result;
		torus_error_t error;

		assert_int_equal(torus_simulate(&workload, &config, &result, &error), -1);
		assert_non_null(strstr(error.text, "plans with run times"));
		assert_non_null(strstr(error.text, torus_scheduler_name(planning[i])));
	}
	assert_int_equal(plain.ranks, 0);
	torus_workload_clear(&workload);
	torus_map_destroy(map);
}

/* The ranks of a record, in a bitmap a torus. */
static uint32_t add_ranks(const torus_sim_result_t *result,
			  const torus_sim_record_t *record, uint64_t **used)
{
	uint32_t count = 0;

	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run = &result->run[record->first_run + i];

		for (uint32_t r = run->first; r < run->first + run->count; r++) {
			assert_false(torus_bit_test(used[run->torus], r));
			torus_bit_set(used[run->torus], r);
			count++;
		}
	}
	return count;
}

/* At no time two records have the same node, or one that is down. */
static void nobody_shares(const torus_sim_config_t *config,
			  const torus_sim_result_t *result)
{
	size_t total = result->count + result->lost_count;
	uint64_t *used[4];

	for (size_t i = 0; i < total; i++) {
		const torus_sim_record_t *record =
			i < result->count ? &result->record[i]
					  : &result->lost[i - result->count];
		int64_t now = record->start;

		/* Overlaps begin when one of the two starts. */
		for (int t = 0; t < config->tori; t++)
			used[t] = torus_bitmap_create(config->map[t]->nodes);
		assert_int_equal(add_ranks(result, record, used), record->nodes);
		for (size_t j = 0; record->end > now && j < total; j++) {
			const torus_sim_record_t *other =
				j < result->count ? &result->record[j]
						  : &result->lost[j - result->count];

			if (j != i && other->start <= now && now < other->end)
				add_ranks(result, other, used);
		}
		for (size_t j = 0; config->outages && j < config->outages->count; j++) {
			const torus_outage_t *outage = &config->outages->outage[j];

			if (outage->from <= now && now < outage->until &&
			    record->end > now)
				assert_false(torus_bit_test(used[outage->torus],
							    outage->rank));
		}
		for (int t = 0; t < config->tori; t++)
			free(used[t]);
	}
}

/* What torus_sim_config_t.ended is called with, against the records kept. */
typedef struct handed_on {
	const torus_sim_result_t *kept;
	size_t count;
} handed_on_t;

static int hand_on(const torus_sim_record_t *record, const torus_sim_run_t *run,
		   void *context, torus_error_t *err)
{
	handed_on_t *handed_on = context;
	const torus_sim_record_t *kept = &handed_on->kept->record[handed_on->count++];

	(void)err;
	assert_int_equal(record->job, kept->job);
	assert_int_equal(record->start, kept->start);
	assert_int_equal(record->end, kept->end);
	assert_memory_equal(&record->metrics, &kept->metrics, sizeof(kept->metrics));
	assert_int_equal(record->runs, kept->runs);
	assert_memory_equal(run, handed_on->kept->run + kept->first_run,
			    kept->runs * sizeof(*run));
	return 0;
}

static int refuse(const torus_sim_record_t *record, const torus_sim_run_t *run,
		  void *context, torus_error_t *err)
{
	(void)record;
	(void)run;
	(void)context;
	return torus_fail(err, "no");
}

/* Each job once, in the workload's order, whether or not the result keeps it. */
static void jobs_are_handed_on(const torus_workload_t *workload,
			       const torus_sim_config_t *config,
			       const torus_sim_result_t *kept)
{
	torus_sim_config_t changed = *config;
	handed_on_t handed_on = {.kept = kept};
	torus_sim_result_t result;
	torus_error_t error;

	changed.forget = random_in(0, 3);
	changed.ended = hand_on;
	changed.context = &handed_on;
	result = simulate(workload, &changed);
	assert_int_equal(handed_on.count, kept->count);
	assert_int_equal(result.count, kept->count);
	assert_true(!result.record == changed.forget);
	assert_memory_equal(&result.summary, &kept->summary, sizeof(kept->summary));
	torus_sim_result_clear(&result);
	changed.ended = refuse;
	if (kept->count) {
		assert_int_equal(torus_simulate(workload, &changed, &result, &error), -1);
		assert_string_equal(error.text, "no");
	}
}

static void outages_end_runs(const torus_sim_config_t *config,
			     const torus_sim_result_t *result)
{
	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];

		for (size_t j = 0; j < config->outages->count; j++) {
			const torus_outage_t *outage = &config->outages->outage[j];

			if (outage->from <= record->start || outage->from >= record->end)
				continue;
			for (size_t r = 0; r < record->runs; r++) {
				const torus_sim_run_t *run =
					&result->run[record->first_run + r];

				assert_false(run->torus == outage->torus &&
					     outage->rank >= run->first &&
					     outage->rank < run->first + run->count);
			}
		}
	}
}

/* The ranks of a record on a torus, in rank[]; returns how many, and finds its links. */
static uint32_t list_ranks(const torus_sim_config_t *config,
			   const torus_sim_result_t *result,
			   const torus_sim_record_t *record, int torus, uint32_t *rank,
			   torus_links_t *links)
{
	const torus_map_t *map = config->map[torus];
	uint32_t *cells = malloc(map->nodes * sizeof(*cells));
	uint32_t count = 0;

	assert_non_null(cells);
	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run = &result->run[record->first_run + i];

		for (uint32_t r = 0; run->torus == torus && r < run->count; r++) {
			rank[count] = run->first + r;
			cells[count++] = map->cell_of_rank[run->first + r];
		}
	}
	*links = (torus_links_t){0};
	if (count)
		assert_int_equal(
			torus_links_used(&map->geometry, cells, count, links, NULL), 0);
	free(cells);
	return count;
}

/* Measure [record] again against those of [all] that ran when it started. */
static torus_isolation_t measure_again(const torus_sim_config_t *config,
				       const torus_sim_result_t *result,
				       const torus_sim_record_t *record,
				       const torus_sim_record_t *const *all, size_t total)
{
	const torus_map_t *map = config->map[record->torus];
	torus_occupancy_t *occupancy = torus_occupancy_create(
		&map->geometry, map->cell_of_rank, map->nodes, NULL);
	uint32_t *rank = malloc(map->nodes * sizeof(*rank)), count;
	torus_isolation_t isolation;
	torus_links_t links;

	assert_true(occupancy && rank);
	for (size_t i = 0; i < total; i++) {
		if (all[i]->start >= record->start || all[i]->end <= record->start)
			continue;
		count = list_ranks(config, result, all[i], record->torus, rank, &links);
		assert_int_equal(
			torus_occupancy_add(occupancy, rank, count, &links, NULL), 0);
		torus_links_clear(&links);
	}
	count = list_ranks(config, result, record, record->torus, rank, &links);
	assert_int_equal(torus_occupancy_measure(occupancy, rank, count, &links, false,
						 &isolation, NULL),
			 0);
	torus_links_clear(&links);
	free(rank);
	torus_occupancy_destroy(occupancy);
	return isolation;
}

/* Isolation is that from the jobs that run at the start, lost and spread ones as well. */
static void isolation_is_right(const torus_sim_config_t *config,
			       const torus_sim_result_t *result)
{
	size_t total = result->count + result->lost_count;
	const torus_sim_record_t **all = malloc((total + 1) * sizeof(*all));

	assert_non_null(all);
	for (size_t i = 0; i < total; i++)
		all[i] = i < result->count ? &result->record[i]
					   : &result->lost[i - result->count];
	for (size_t i = 0; i < total; i++) {
		torus_isolation_t again;
		bool alone = true;

		/* In which order jobs start at one time is not in the records. */
		for (size_t j = 0; j < total; j++)
			alone &= j == i || all[j]->start != all[i]->start;
		if (!alone || all[i]->torus < 0)
			continue;
		again = measure_again(config, result, all[i], all, total);
		assert_memory_equal(&again, &all[i]->isolation, sizeof(again));
	}
	free(all);
}

/* The summary, added up again from the records. */
static void summary_is_right(const torus_workload_t *workload,
			     const torus_sim_config_t *config,
			     const torus_sim_result_t *result)
{
	const torus_summary_t *summary = &result->summary;
	int64_t begin = result->record[0].end, end = 0, used = 0;
	double wait = 0, nodes = 0;
	uint64_t jobs = 0;

	for (size_t i = config->warmup; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];
		int64_t submit = workload->job[record->job].submit;

		if (i == config->warmup)
			begin = submit;
		wait += (double)(record->start - submit) / 1e6;
		jobs++;
	}
	if (!jobs)
		begin = workload->job[result->record[result->count - 1].job].submit;
	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];
		int64_t from = record->start > begin ? record->start : begin;

		end = record->end > end ? record->end : end;
		if (record->end > from)
			used += (record->end - from) * record->nodes;
	}
	for (int t = 0; t < config->tori; t++)
		nodes += config->map[t]->nodes;
	assert_int_equal(summary->jobs, jobs);
	assert_int_equal(summary->begin, begin);
	if (end > begin)
		assert_true(fabs(summary->utilization -
				 (double)used / (nodes * (double)(end - begin))) < 1e-12);
	if (jobs)
		assert_true(fabs(summary->mean_wait - wait / (double)jobs) < 1e-9);
	assert_int_equal(summary->lost_runs, result->lost_count);
}

static torus_outages_t random_outages(const torus_sim_config_t *config)
{
	torus_outages_t outages = {.outage = calloc(8, sizeof(torus_outage_t))};
	uint32_t times = random_in(0, 8);
	int64_t from = 0;

	for (uint32_t i = 0; i < times; i++) {
		int torus = (int)random_in(0, (uint32_t)config->tori - 1);
		int64_t last = from;

		from += random_in(0, 12);
		/* One after the other, so that none overlap. */
		outages.outage[outages.count++] =
			(torus_outage_t){from + (i > 0), from + random_in(2, 12), torus,
					 random_in(0, config->map[torus]->nodes - 1)};
		from = outages.outage[outages.count - 1].until;
		assert_true(from > last);
	}
	return outages;
}

/* What holds for every machine, with several tori, shapes, outages and warmup. */
static void every_schedule_is_possible(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		torus_map_t *map[3];
		torus_sim_config_t config = {
			.map = (const torus_map_t *const *)map,
			.tori = (int)random_in(1, 3),
			.scheduler = schedulers[round % SCHEDULERS],
			.period = random_in(1, 9),
			.warmup = random_in(0, 3) ? 0 : random_in(0, 12),
			.isolation = true,
		};
		torus_outages_t outages;
		torus_workload_t workload;
		torus_sim_result_t result;
		uint64_t nodes = 0;

		for (int t = 0; t < config.tori; t++) {
			map[t] = random_map("some", 20);
			nodes += map[t]->nodes;
		}
		/* Some are larger than the machine. */
		workload = random_workload(random_in(1, 30), (uint32_t)nodes + 1);
		for (size_t i = 0; i < workload.count; i++) {
			torus_sim_job_t *job = &workload.job[i];

			if (random_in(0, 3))
				continue;
			job->has_shape = true;
			job->shape = (torus_shape_t){.dims = 2,
						     .side = {(int32_t)random_in(1, 3),
							      (int32_t)random_in(1, 3), 1,
							      1, 1, 1}};
			job->nodes = (uint32_t)(job->shape.side[0] * job->shape.side[1]);
		}
		outages = random_outages(&config);
		if (random_in(0, 1))
			config.outages = &outages;
		result = simulate(&workload, &config);
		assert_int_equal(result.count + torus_skipped_total(&result.skipped),
				 workload.count);
		for (size_t i = 0; i < result.count; i++) {
			const torus_sim_record_t *record = &result.record[i];
			const torus_sim_job_t *job = &workload.job[record->job];

			assert_true(record->start >= job->submit);
			if (config.scheduler == TORUS_RECORDED)
				assert_true(record->start >= job->submit + job->wait);
			assert_int_equal(record->end - record->start, job->run_time);
			assert_true(job->has_shape || record->nodes == job->nodes);
			reached("a shape", job->has_shape);
			reached("a job over several tori", record->torus < 0);
			assert_int_equal(record->torus < 0 ? 0 : record->metrics.nodes,
					 record->torus < 0 ? 0 : record->nodes);
		}
		reached("a job that is too large", torus_skipped_total(&result.skipped));
		reached("a run that an outage ends", result.lost_count);
		reached("several tori", config.tori > 1);
		nobody_shares(&config, &result);
		isolation_is_right(&config, &result);
		if (config.outages)
			outages_end_runs(&config, &result);
		if (result.count)
			summary_is_right(&workload, &config, &result);
		jobs_are_handed_on(&workload, &config, &result);
		torus_sim_result_clear(&result);
		torus_workload_clear(&workload);
		free(outages.outage);
		for (int t = 0; t < config.tori; t++)
			torus_map_destroy(map[t]);
	}
	assert_true(reached_all(RANDOM_CASES(100)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_as_the_slow_schedulers_do),
		cmocka_unit_test(many_waiting_jobs_gain_as_in_the_slow_scheduler),
		cmocka_unit_test(outages_as_the_slow_schedulers_have_them),
		cmocka_unit_test(a_runner_tells_the_same_ends),
		cmocka_unit_test(a_runner_is_for_schedulers_without_plans),
		cmocka_unit_test(every_schedule_is_possible),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
