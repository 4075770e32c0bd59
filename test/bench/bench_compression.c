/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What conservative backfilling comes to, by what happens to the reservations of the
 * waiting jobs when a job ends before its estimate:
 *
 *   submission  one after the other, in the order of submission, each gives up its
 *               reservation and takes the earliest beside those of all others: what the
 *               simulator does
 *   start       the same in the order of the reserved starts
 *   now         as submission, but who cannot start at once keeps the reservation
 *   anew        all give up their reservations, then each gets a new one in the order
 *               of submission: it may be later than the old one
 *   none        nothing: they start when they were told
 *
 *   bench_compression LOG NODES [MULTIPLE]
 *
 * LOG is a workload in the Standard Workload Format (not compressed), run times and
 * estimates times MULTIPLE. This is a scheduler of its own, which only counts nodes;
 * every start of the first reading is compared with the simulator's, and the exit status
 * is 1 if one differs. Prints CSV: mean wait in seconds and by that of the first reading,
 * mean bounded slowdown, and the jobs that start later than they were first promised.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "sim/profile.h"
#include "sim/simulate.h"
#include "sim/swf.h"
#include "sim/transform.h"

enum reading { SUBMISSION, START, NOW, ANEW, NONE, READINGS };

static const char *const names[READINGS] = {"submission", "start", "now", "anew", "none"};

#define NOT_YET INT64_MIN

typedef struct job {
	const torus_sim_job_t *of_log;
	int64_t estimate;
	int64_t reserved, promised, start; /* NOT_YET */
} job_t;

typedef struct schedule {
	job_t *job; /* [jobs] in the order of submission */
	size_t jobs, arrived, left;
	job_t **waiting; /* [waits] in that order */
	size_t waits;
	job_t **running; /* [runs] */
	size_t runs;
	torus_profile_t *profile;
	int64_t now;
} schedule_t;

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);

	if (!memory)
		err(2, NULL);
	return memory;
}

/* Take the job's nodes from [from] on for its estimate, or give them back. */
static void book(schedule_t *s, const job_t *job, int64_t from, int sign)
{
	const int64_t nodes = sign * (int64_t)job->of_log->nodes;

	if (torus_profile_add(s->profile, from > s->now ? from : s->now,
			      from + job->estimate, &nodes) != 0)
		err(2, NULL);
}

static void reserve(schedule_t *s, job_t *job)
{
	int64_t least;

	job->reserved = torus_profile_earliest(s->profile, s->now, job->of_log->nodes,
					       job->estimate, false, NULL, &least)
				.start;
	if (job->promised == NOT_YET)
		job->promised = job->reserved;
	book(s, job, job->reserved, -1);
}

static int by_start(const void *a, const void *b)
{
	const job_t *first = *(job_t *const *)a, *second = *(job_t *const *)b;

	if (first->reserved != second->reserved)
		return first->reserved < second->reserved ? -1 : 1;
	return first < second ? -1 : first > second;
}

static void compress(schedule_t *s, enum reading reading)
{
	job_t **order = allocate(s->waits, sizeof(job_t *));

	memcpy(order, s->waiting, s->waits * sizeof(job_t *));
	if (reading == START)
		qsort(order, s->waits, sizeof(job_t *), by_start);
	for (size_t i = 0; reading == ANEW && i < s->waits; i++)
		book(s, order[i], order[i]->reserved, 1);
	for (size_t i = 0; reading != NONE && i < s->waits; i++) {
		int64_t before = order[i]->reserved;

		if (reading != ANEW)
			book(s, order[i], before, 1);
		reserve(s, order[i]);
		if (reading == NOW && order[i]->reserved > s->now) {
			book(s, order[i], order[i]->reserved, 1);
			order[i]->reserved = before;
			book(s, order[i], before, -1);
		}
	}
	free(order);
}

/* Whether a job has ended before its estimate. */
static bool end_jobs(schedule_t *s)
{
	bool early = false;

	for (size_t i = 0; i < s->runs;) {
		job_t *job = s->running[i];

		if (job->start + job->of_log->run_time > s->now) {
			i++;
			continue;
		}
		if (s->now < job->start + job->estimate) {
			early = true;
			book(s, job, job->start, 1);
		}
		s->running[i] = s->running[--s->runs];
		s->left--;
	}
	return early;
}

static void start_jobs(schedule_t *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->waits; i++) {
		job_t *job = s->waiting[i];

		if (job->reserved > s->now) {
			s->waiting[kept++] = job;
			continue;
		}
		job->start = s->now;
		s->running[s->runs++] = job;
	}
	s->waits = kept;
}

static int64_t next_event(const schedule_t *s)
{
	int64_t next = INT64_MAX;

	if (s->arrived < s->jobs)
		next = s->job[s->arrived].of_log->submit;
	for (size_t i = 0; i < s->runs; i++) {
		int64_t end = s->running[i]->start + s->running[i]->of_log->run_time;

		next = end < next ? end : next;
	}
	for (size_t i = 0; i < s->waits; i++)
		next = s->waiting[i]->reserved < next ? s->waiting[i]->reserved : next;
	return next;
}

static void run(schedule_t *s, enum reading reading, uint32_t nodes)
{
	s->left = s->jobs;
	s->arrived = s->waits = s->runs = 0;
	for (size_t i = 0; i < s->jobs; i++)
		s->job[i].reserved = s->job[i].promised = s->job[i].start = NOT_YET;
	s->profile = torus_profile_create(1, &nodes, s->job[0].of_log->submit);
	if (!s->profile)
		err(2, NULL);
	while (s->left) {
		size_t old;

		s->now = next_event(s);
		torus_profile_advance(s->profile, s->now);
		if (end_jobs(s))
			compress(s, reading);
		old = s->waits;
		while (s->arrived < s->jobs &&
		       s->job[s->arrived].of_log->submit <= s->now)
			s->waiting[s->waits++] = &s->job[s->arrived++];
		for (; old < s->waits; old++)
			reserve(s, s->waiting[old]);
		start_jobs(s);
	}
	torus_profile_destroy(s->profile);
}

static double print(const schedule_t *s, enum reading reading, double first)
{
	double wait = 0, slowdown = 0;
	size_t late = 0;

	for (size_t i = 0; i < s->jobs; i++) {
		const job_t *job = &s->job[i];
		double waited = (double)(job->start - job->of_log->submit) / 1e6;
		double ran = (double)job->of_log->run_time / 1e6;
		double ratio = (waited + ran) / (ran > 10 ? ran : 10);

		wait += waited;
		slowdown += ratio > 1 ? ratio : 1;
		late += job->start > job->promised;
	}
	wait /= (double)s->jobs;
	printf("%s,%.1f,%.3f,%.2f,%zu\n", names[reading], wait, first ? wait / first : 1,
	       slowdown / (double)s->jobs, late);
	fflush(stdout);
	return first ? first : wait;
}

/* How many starts differ from the simulator's. */
static size_t differences(const schedule_t *s, const torus_workload_t *workload,
			  uint32_t nodes)
{
	torus_geometry_t geometry;
	torus_sim_config_t config = {.tori = 1, .scheduler = TORUS_CONSERVATIVE};
	torus_sim_result_t result;
	torus_error_t error;
	torus_map_t *map = NULL;
	size_t different = 0;
	char dims[16];

	snprintf(dims, sizeof(dims), "%u", nodes);
	if (torus_geometry_parse(dims, NULL, &geometry, &error) == 0)
		map = torus_map_create(dims, &geometry, TORUS_CURVE_ROW_MAJOR, 1, &error);
	config.map = (const torus_map_t *const *)&map;
	if (!map || torus_simulate(workload, &config, &result, &error) != 0)
		errx(2, "%s", error.text);
	if (result.count != s->jobs)
		errx(1, "the simulator replays %zu jobs, not %zu", result.count, s->jobs);
	for (size_t i = 0; i < s->jobs; i++)
		different += result.record[i].start != s->job[i].start;
	torus_sim_result_clear(&result);
	torus_map_destroy(map);
	return different;
}

static torus_workload_t read_workload(const char *path, double multiple)
{
	const torus_transform_t transform = {.replicate = 1, .work_multiple = multiple};
	torus_workload_t workload;
	torus_error_t error;
	size_t length;
	char *text;

	if (torus_textfile_read(path, &text, &length, &error) != 0 ||
	    torus_swf_read(text, length, 1, &workload, &error) != 0 ||
	    torus_workload_transform(&workload, &transform, &error) != 0)
		errx(2, "%s", error.text);
	free(text);
	return workload;
}

int main(int argc, char **argv)
{
	uint32_t nodes = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	torus_workload_t workload;
	schedule_t s = {0};
	size_t different = 0;
	double first = 0;

	if (!nodes)
		errx(2, "usage: bench_compression LOG NODES [MULTIPLE]");
	workload = read_workload(argv[1], argc > 3 ? strtod(argv[3], NULL) : 1);
	s.job = allocate(workload.count, sizeof(*s.job));
	s.waiting = allocate(workload.count, sizeof(job_t *));
	s.running = allocate(workload.count, sizeof(job_t *));
	for (size_t i = 0; i < workload.count; i++) {
		const torus_sim_job_t *job = &workload.job[i];

		if (job->nodes <= nodes)
			s.job[s.jobs++] = (job_t){
				.of_log = job,
				.estimate = job->estimate > 0 ? job->estimate : 1};
	}
	if (!s.jobs)
		errx(2, "no job fits on %u nodes", nodes);
	puts("reading,mean_wait,ratio,mean_bounded_slowdown,later_than_promised");
	for (int reading = 0; reading < READINGS; reading++) {
		run(&s, reading, nodes);
		first = print(&s, reading, first);
		if (reading == SUBMISSION)
			different = differences(&s, &workload, nodes);
	}
	if (different)
		warnx("%zu of %zu starts are not the simulator's", different, s.jobs);
	free(s.running);
	free(s.waiting);
	free(s.job);
	torus_workload_clear(&workload);
	return different ? 1 : 0;
}
