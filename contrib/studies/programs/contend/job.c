/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/random.h"
#include "lists/ranklist.h"

#define WORDS 5

int contend_job_set_patterns(contend_job_t *job, const char *text, torus_error_t *err)
{
	char name[32];

	job->patterns = 0;
	for (;; text++) {
		size_t length = strcspn(text, "+");

		if (job->patterns == CONTEND_PATTERNS)
			return torus_fail(err, "more than %d patterns", CONTEND_PATTERNS);
		if (length >= sizeof(name))
			return torus_fail(err, "unknown pattern '%s'", text);
		memcpy(name, text, length);
		name[length] = '\0';
		if (contend_pattern_make(name, job->ranks, &job->pattern[job->patterns],
					 err))
			return -1;
		job->patterns++;
		text += length;
		if (!*text)
			return 0;
	}
}

uint32_t contend_job_steps(const contend_job_t *job)
{
	uint32_t steps = 0;

	for (int i = 0; i < job->patterns; i++)
		steps += job->pattern[i].steps;
	return steps;
}

uint64_t contend_job_lanes(const contend_job_t *job)
{
	uint64_t most = 0;

	for (int i = 0; i < job->patterns; i++) {
		const contend_pattern_t *pattern = &job->pattern[i];
		uint64_t lanes = (uint64_t)pattern->senders * pattern->kind->lanes;

		if (pattern->steps && lanes > most)
			most = lanes;
	}
	return most;
}

static uint64_t step_messages(const contend_pattern_t *pattern, uint32_t step)
{
	uint64_t messages = 0;

	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++)
			messages += contend_pattern_target(pattern, step, rank, lane) !=
				    CONTEND_NOBODY;
	}
	return messages;
}

uint64_t contend_job_messages(const contend_job_t *job)
{
	uint64_t messages = 0;

	for (int i = 0; i < job->patterns; i++) {
		for (uint32_t step = 0; step < job->pattern[i].steps; step++)
			messages += step_messages(&job->pattern[i], step);
	}
	return messages;
}

uint64_t contend_job_steps_for(const contend_job_t *job, uint64_t messages)
{
	uint64_t of_round = contend_job_messages(job), steps, left;

	if (!of_round)
		return 0;
	/* Whole rounds but the last, which may go on to its end. */
	steps = (messages - 1) / of_round * contend_job_steps(job);
	left = (messages - 1) % of_round + 1;
	for (int i = 0; i < job->patterns; i++) {
		for (uint32_t step = 0; step < job->pattern[i].steps; step++) {
			uint64_t sent = step_messages(&job->pattern[i], step);

			steps++;
			if (sent >= left)
				return steps;
			left -= sent;
		}
	}
	return steps;
}

uint32_t contend_job_flits(const contend_job_t *job, uint64_t step, uint64_t slot,
			   uint32_t mean)
{
	uint64_t chance = job->sizes ^ (step + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
			  (slot + 1) * UINT64_C(0xbf58476d1ce4e5b9);
	double longer;

	if (!job->sizes || mean == 1)
		return mean;
	/* 0 < 1 - u <= 1 */
	longer = log(1 - (double)(torus_random_next(&chance) >> 11) * 0x1p-53) /
		 log1p(-1.0 / mean);
	return longer < CONTEND_MOST_FLITS - 1 ? 1 + (uint32_t)longer
					       : CONTEND_MOST_FLITS;
}

/* The rate of the slowest message of a step; 0: nobody sends. */
static double slowest_rate(const contend_job_t *job, const contend_pattern_t *pattern,
			   uint32_t step, contend_rate_t *rate, const void *network)
{
	double slowest = 0;

	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
			uint32_t to = contend_pattern_target(pattern, step, rank, lane);
			double its;

			if (to == CONTEND_NOBODY)
				continue;
			its = rate(network, job->node[rank], job->node[to]);
			if (slowest <= 0 || its < slowest)
				slowest = its;
		}
	}
	return slowest;
}

double contend_job_undisturbed(const contend_job_t *job, contend_rate_t *rate,
			       const void *network)
{
	/* Of a byte: a round, and what the last one has if it is not whole */
	double seconds = 0, last = 0;
	uint64_t of_round = contend_job_steps(job), whole = job->rounds, rest = 0, at = 0;

	if (job->steps && of_round) {
		whole = job->steps / of_round;
		rest = job->steps % of_round;
	}
	for (int i = 0; i < job->patterns; i++) {
		const contend_pattern_t *pattern = &job->pattern[i];

		for (uint32_t step = 0; step < pattern->steps; step++) {
			double slowest = slowest_rate(job, pattern, step, rate, network);

			if (slowest > 0)
				seconds += 1 / slowest;
			if (++at == rest)
				last = seconds;
		}
	}
	return ((double)whole * seconds + last) * job->bytes;
}

int contend_rounds_parse(const char *text, uint32_t *rounds, torus_error_t *err)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || !value || value > UINT32_MAX)
		return torus_fail(err, "'%s' rounds: must be a number from 1 to %u", text,
				  UINT32_MAX);
	*rounds = (uint32_t)value;
	return 0;
}

int contend_bytes_parse(const char *text, double *bytes, torus_error_t *err)
{
	char *end;

	*bytes = strtod(text, &end);
	if (end == text || *end || !isfinite(*bytes) || *bytes < 1)
		return torus_fail(err, "'%s' bytes: must be a number, at least 1", text);
	return 0;
}

static void clear_job(contend_job_t *job)
{
	free(job->name);
	free(job->word);
	free(job->node);
}

static int read_job(const torus_word_t *word, size_t words, uint32_t nodes,
		    contend_job_t *job, torus_error_t *err)
{
	if (words != WORDS)
		return torus_fail(err,
				  "%zu words; a job is NAME PATTERN ROUNDS BYTES "
				  "NODES",
				  words);
	if (torus_ranklist_parse_sequence(word[4].text, nodes, &job->node, &job->ranks,
					  err))
		return torus_fail_prefix(err, "node ");
	if (contend_job_set_patterns(job, word[1].text, err) ||
	    contend_rounds_parse(word[2].text, &job->rounds, err) ||
	    contend_bytes_parse(word[3].text, &job->bytes, err))
		return -1;
	job->name = strdup(word[0].text);
	job->word = strdup(word[1].text);
	return job->name && job->word ? 0 : torus_fail(err, "out of memory");
}

static int append(contend_jobs_t *jobs, const torus_lines_t *lines, uint32_t nodes,
		  torus_error_t *err)
{
	contend_job_t job = {0};
	contend_job_t *more;

	if (read_job(lines->word, lines->words, nodes, &job, err)) {
		clear_job(&job);
		return -1;
	}
	more = reallocarray(jobs->job, jobs->count + 1, sizeof(*more));
	if (!more) {
		clear_job(&job);
		return torus_fail(err, "out of memory");
	}
	jobs->job = more;
	jobs->job[jobs->count++] = job;
	return 0;
}

int contend_jobs_read(const char *text, size_t length, const char *path, uint32_t nodes,
		      contend_jobs_t *jobs, torus_error_t *err)
{
	torus_lines_t lines;
	int result;

	*jobs = (contend_jobs_t){0};
	result = torus_lines_open(&lines, text, length, path, err);
	while (!result) {
		int next = torus_lines_next(&lines, err);

		if (next <= 0) {
			result = next;
			break;
		}
		result = append(jobs, &lines, nodes, err);
		if (result)
			torus_fail_prefix(err, "%s:%u: ", path, lines.word[0].line);
	}
	torus_lines_close(&lines);
	if (result)
		contend_jobs_clear(jobs);
	return result;
}

void contend_jobs_clear(contend_jobs_t *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		clear_job(&jobs->job[i]);
	free(jobs->job);
	*jobs = (contend_jobs_t){0};
}
