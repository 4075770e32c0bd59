/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulation as the options describe it. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/textfile.h"
#include "sim/transform.h"
#include "storus/cli/progress.h"
#include "storus/cli/skipped.h"
#include "storus/sim/counted.h"
#include "storus/sim/jobs.h"
#include "storus/sim/mix.h"
#include "storus/sim/replay.h"
#include "storus/sim/wish.h"

static int read_outages(storus_replay_t *replay, const char *path)
{
	torus_error_t error;
	char *text = NULL;
	size_t length;
	int result = torus_textfile_read(path, &text, &length, &error);

	if (result == 0)
		result = torus_outages_read(text, length, path, replay->cluster,
					    &replay->outages, &error);
	if (result != 0)
		warnx("%s", error.text);
	free(text);
	return result;
}

static int read_jobs(storus_replay_t *replay)
{
	const storus_sim_options_t *options = replay->options;
	const torus_transform_t transform = {
		.max_jobs = options->max_jobs,
		.replicate = (uint32_t)options->replicate,
		.work_multiple = options->work_multiple,
		.memory = storus_source_memory(),
		.seed = options->seed,
	};
	const storus_shares_t shares = {
		.boxes = options->boxes,
		.preemptible = options->preemptible,
		.isolate = options->isolate,
		.loose = options->loose,
		.cubes = options->cubes,
		.whole = options->whole,
	};
	torus_error_t error;

	if (storus_source_read(options, replay->cluster, &replay->workload) != 0)
		return -1;
	if (torus_workload_transform(&replay->workload, &transform, &error) != 0) {
		warnx("%s", error.text);
		return -1;
	}
	storus_mix(&replay->workload, replay->cluster->map[0], &shares, options->seed);
	storus_mix_wishes(&replay->workload, options->wishes, options->seed);
	return 0;
}

static int write_job(const torus_sim_record_t *record, const torus_sim_run_t *run,
		     void *context, torus_error_t *err)
{
	return storus_jobs_csv_add(context, record, run, err);
}

static int simulate(storus_replay_t *replay)
{
	const storus_sim_options_t *options = replay->options;
	torus_sim_config_t config = {
		.map = (const torus_map_t *const *)replay->cluster->map,
		.tori = replay->cluster->maps,
		.spreads = replay->cluster->spreads_at_once,
		.scheduler = options->scheduler,
		.period = (int64_t)ceil(options->period * 1e6 - 1e-3),
		.slowdown = options->slowdown,
		.outages = &replay->outages,
		.warmup = options->warmup,
		.seed = options->seed,
		.isolation = options->isolation,
		.wish = replay->wish,
		.segment = (uint32_t)options->segment,
		.segments = replay->segments,
		.advise = options->advise >= 0,
		.advise_after = options->advise >= 0
					? (int64_t)ceil(options->advise * 1e6 - 1e-3)
					: 0,
		.forget = !options->figure && !options->gantt && !options->frames,
		.progress = storus_progress,
	};
	storus_jobs_csv_t *csv = NULL;
	torus_error_t error;
	int result = 0;

	if (replay->jobs) {
		csv = storus_jobs_csv_begin(replay->jobs, replay, &error);
		config.ended = write_job;
		config.context = csv;
		result = csv ? 0 : -1;
	}
	storus_progress_begin("simulating");
	if (result == 0)
		result = torus_simulate(&replay->workload, &config, &replay->result,
					&error);
	storus_progress_end();
	storus_jobs_csv_end(csv);
	if (result != 0)
		warnx("%s", error.text);
	return result;
}

/* Whether there are jobs to be counted. Returns 0, or -1 (message printed). */
static int check_counted(const storus_replay_t *replay)
{
	const storus_sim_options_t *options = replay->options;
	storus_counted_t counted = {
		.is_trace = options->source[STORUS_SOURCE_TRACE] != NULL,
		.warmup_option = "--warmup ",
		.warmup = options->warmup,
	};
	torus_error_t error;

	for (int i = 0; i < STORUS_SOURCES; i++) {
		if (options->source[i])
			counted.source = options->source[i];
	}
	if (storus_counted_check(&counted, &replay->result, &error) == 0)
		return 0;
	warnx("%s", error.text);
	return -1;
}

/* One line on jobs that stand in the log more than once, if there are such. */
static void report_repeated(const torus_repeated_t *repeated)
{
	if (repeated->count)
		warnx("%" PRIu64 " of the jobs stand in the log before, number by number "
		      "(first on line %" PRIu64 "); they are replayed as well",
		      repeated->count, repeated->first_line);
}

int storus_replay_run(storus_replay_t *replay)
{
	const storus_sim_options_t *options = replay->options;
	torus_patience_site_t patience;

	replay->cluster = storus_cluster_open(&options->machine);
	if (!replay->cluster ||
	    storus_cluster_set_rules(replay->cluster, options->allocator, options->span,
				     options->isolation_weight) != 0)
		return -1;
	if (storus_segment_options_read(&options->segments, options->segment,
					replay->cluster, &replay->segments) != 0)
		return -1;
	patience = torus_cluster_patience(replay->cluster, NULL);
	replay->wish = storus_wish_of(&options->asked, &patience);
	if ((options->outages && read_outages(replay, options->outages) != 0) ||
	    read_jobs(replay) != 0 || simulate(replay) != 0)
		return -1;
	storus_skipped_report(&replay->result.skipped);
	report_repeated(&replay->workload.repeated);
	return check_counted(replay);
}

void storus_replay_clear(storus_replay_t *replay)
{
	torus_sim_result_clear(&replay->result);
	torus_outages_clear(&replay->outages);
	torus_workload_clear(&replay->workload);
	torus_cluster_destroy(replay->cluster);
}
