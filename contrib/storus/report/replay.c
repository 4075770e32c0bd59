/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the same jobs would have done. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "sim/simulate.h"
#include "storus/cli/progress.h"
#include "storus/report/replay.h"
#include "strategies/strategies.h"

/* A simulation being measured. */
typedef struct simulated {
	const torus_sim_result_t *result;
	storus_weeks_t weeks; /* one span, as long as all of it */
	storus_run_t *run;
	storus_measured_t *measured;
} simulated_t;

/* How many nodes a run had, if all are on tori; else 0. */
static uint32_t nodes_of(const storus_accounts_t *accounts, const storus_run_t *run)
{
	const torus_sacct_field_t *list = &accounts->history.job[run->job].nodelist;
	storus_nodes_t nodes;
	uint32_t count;

	if (!run->ran || storus_nodes_find(accounts->cluster, list->at, list->length,
					   &nodes, NULL) != 0)
		return 0;
	count = nodes.elsewhere ? 0 : nodes.count;
	storus_nodes_clear(&nodes);
	return count;
}

static int make_workload(const storus_accounts_t *accounts, storus_replayed_t *replayed,
			 torus_workload_t *workload, torus_error_t *err)
{
	int64_t from = accounts->weeks.begin[0];

	for (size_t i = 0; i < accounts->runs; i++) {
		const storus_run_t *run = &accounts->run[i];
		/* What was there at the beginning is placed a second before. */
		int64_t submit = run->began ? run->start : from - 1;
		torus_sim_job_t job = {
			.number = i,
			.estimate = accounts->history.job[run->job].limit * TORUS_SECOND,
			.nodes = nodes_of(accounts, run),
		};

		if (run->began && run->waited >= 0)
			submit = run->waited > from ? run->waited : from;
		job.submit = submit * TORUS_SECOND;
		job.wait = run->began ? (run->start - submit) * TORUS_SECOND : 0;
		job.run_time = run->end * TORUS_SECOND - job.submit - job.wait;
		if (!job.nodes) {
			replayed->skipped += run->ran;
			continue;
		}
		if (job.estimate < job.run_time)
			job.estimate = job.run_time;
		if (torus_workload_add(workload, &job, err) != 0)
			return -1;
		storus_sums_count(&replayed->recorded, run);
		storus_sums_add(&replayed->recorded, &accounts->measured[i], run->nodes,
				(uint64_t)(run->end - run->start) * run->nodes);
	}
	return torus_workload_sort(workload, err);
}

/* The nodes that the simulation gave a run. */
static int find_nodes(void *context, const storus_run_t *run, storus_nodes_t *nodes,
		      torus_error_t *err)
{
	const simulated_t *simulated = context;
	const torus_sim_record_t *record = &simulated->result->record[run->job];
	const torus_sim_run_t *part = simulated->result->run + record->first_run;

	if (storus_nodes_reserve(nodes, record->nodes, (int)record->runs, err) != 0)
		return -1;
	for (size_t i = 0; i < record->runs; i++)
		storus_nodes_add(nodes, part[i].torus, part[i].first, part[i].count);
	return 0;
}

/* The jobs as they ran in the simulation, and the span that they took. */
static int make_runs(simulated_t *simulated, const storus_accounts_t *accounts,
		     const torus_workload_t *workload, torus_error_t *err)
{
	const torus_sim_result_t *result = simulated->result;
	int64_t from = accounts->weeks.begin[0];
	int64_t to = accounts->weeks.begin[accounts->weeks.count];

	simulated->run = malloc((result->count + 1) * sizeof(*simulated->run));
	simulated->measured = calloc(result->count + 1, sizeof(*simulated->measured));
	simulated->weeks.begin = malloc(2 * sizeof(*simulated->weeks.begin));
	if (!simulated->run || !simulated->measured || !simulated->weeks.begin)
		return torus_fail(err, "out of memory for %zu jobs", result->count);
	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];
		const storus_run_t *run =
			&accounts->run[workload->job[record->job].number];
		int64_t start = record->start / TORUS_SECOND;
		int64_t end = record->end / TORUS_SECOND;

		simulated->run[i] = (storus_run_t){
			.job = i,
			.waited = run->waited,
			.ran = true,
			.start = start < from ? from : start,
			.end = end < from ? from : end,
			.began = run->began,
			.nodes = record->nodes,
		};
		if (end > to)
			to = end;
	}
	simulated->weeks.begin[0] = from;
	simulated->weeks.begin[1] = to;
	simulated->weeks.count = 1;
	return 0;
}

static int measure(const storus_accounts_t *accounts, const torus_workload_t *workload,
		   const torus_sim_result_t *result, storus_replay_of_t *one,
		   torus_error_t *err)
{
	simulated_t simulated = {.result = result};
	storus_sweep_t sweep = {
		.cluster = accounts->cluster,
		.outages = &accounts->outages,
		.weeks = &simulated.weeks,
		.alone = accounts->alone,
		.runs = result->count,
		.nodes = find_nodes,
		.context = &simulated,
		.use = &one->use,
	};
	int status = make_runs(&simulated, accounts, workload, err);

	sweep.run = simulated.run;
	sweep.measured = simulated.measured;
	if (status == 0)
		status = storus_sweep(&sweep, err);
	for (size_t i = 0; status == 0 && i < result->count; i++) {
		const storus_run_t *run = &simulated.run[i];

		storus_sums_count(&one->sums, run);
		storus_sums_add(&one->sums, &simulated.measured[i], run->nodes,
				(uint64_t)(run->end - run->start) * run->nodes);
	}
	storus_weeks_clear(&simulated.weeks);
	free(simulated.run);
	free(simulated.measured);
	return status;
}

static int replay(const storus_accounts_t *accounts, const torus_workload_t *workload,
		  storus_replay_of_t *one, torus_error_t *err)
{
	const torus_sim_config_t config = {
		.map = (const torus_map_t *const *)accounts->cluster->map,
		.tori = accounts->cluster->maps,
		.spreads = accounts->cluster->spreads_at_once,
		.scheduler = accounts->options->scheduler,
		.outages = &accounts->outages,
		.seed = 1,
		.progress = storus_progress,
	};
	torus_sim_result_t result;
	int status;

	storus_progress_begin(one->name);
	status = torus_simulate(workload, &config, &result, err);
	if (status == 0) {
		status = measure(accounts, workload, &result, one, err);
		torus_sim_result_clear(&result);
	}
	storus_progress_end();
	return status;
}

int storus_replayed_read(storus_replayed_t *replayed, const char *names,
			 torus_error_t *err)
{
	const torus_allocator_t *allocator;

	*replayed = (storus_replayed_t){0};
	for (const char *at = names; *at || at == names;) {
		size_t length = strcspn(at, ",");
		storus_replay_of_t *more = realloc(
			replayed->one, (replayed->count + 1) * sizeof(*replayed->one));
		char *name = strndup(at, length);

		if (more)
			replayed->one = more;
		if (!more || !name) {
			free(name);
			return torus_fail(err, "out of memory");
		}
		replayed->one[replayed->count++] = (storus_replay_of_t){.name = name};
		if (torus_allocator_parse(name, torus_strategies, &allocator, err) != 0)
			return torus_fail_prefix(err, "--replay: ");
		at += length;
		if (*at == ',' && *++at == '\0')
			return torus_fail(err,
					  "--replay: a name is missing at the end "
					  "of '%s'",
					  names);
	}
	return 0;
}

int storus_replayed_make(storus_replayed_t *replayed, storus_accounts_t *accounts,
			 torus_error_t *err)
{
	torus_workload_t workload = {0};
	int status = make_workload(accounts, replayed, &workload, err);

	for (size_t i = 0; status == 0 && i < replayed->count; i++) {
		storus_replay_of_t *one = &replayed->one[i];

		for (int t = 0; status == 0 && t < accounts->cluster->maps; t++)
			status = torus_allocator_parse(
				one->name, torus_strategies,
				&accounts->cluster->map[t]->allocator, err);
		if (status == 0)
			status = replay(accounts, &workload, one, err);
	}
	torus_workload_clear(&workload);
	return status;
}

void storus_replayed_clear(storus_replayed_t *replayed)
{
	for (size_t i = 0; i < replayed->count; i++)
		free(replayed->one[i].name);
	free(replayed->one);
	*replayed = (storus_replayed_t){0};
}
