/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that a picture of the machine shows: the list, and its reading from a file. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "base/printable.h"
#include "storus/cli/jobs.h"

/*
 * Append an empty element of [size] bytes to the array *list of *count. Its room doubles
 * whenever the count is a power of two. NULL: out of memory.
 */
static void *append(void **list, uint32_t *count, size_t size)
{
	if ((*count & (*count - 1)) == 0) {
		void *grown = reallocarray(*list, *count ? 2 * (size_t)*count : 1, size);

		if (!grown)
			return NULL;
		*list = grown;
	}
	return memset((char *)*list + (*count)++ * size, 0, size);
}

storus_job_t *storus_jobs_add(storus_jobs_t *jobs)
{
	void *list = jobs->job;
	storus_job_t *job = append(&list, &jobs->count, sizeof(*job));

	jobs->job = list;
	return job;
}

storus_reserved_t *storus_jobs_add_reservation(storus_jobs_t *jobs)
{
	void *list = jobs->reservation;
	storus_reserved_t *reserved =
		append(&list, &jobs->reservations, sizeof(*reserved));

	jobs->reservation = list;
	return reserved;
}

storus_waiting_t *storus_jobs_add_waiting(storus_jobs_t *jobs)
{
	void *list = jobs->waiting;
	storus_waiting_t *waiting = append(&list, &jobs->waiting_count, sizeof(*waiting));

	jobs->waiting = list;
	return waiting;
}

bool storus_reserved_at(const storus_reserved_t *reserved, int64_t time)
{
	int64_t passed = time - reserved->start;

	if (passed < 0)
		return false;
	if (reserved->period)
		passed %= reserved->period;
	return reserved->end == INT64_MAX || passed < reserved->end - reserved->start;
}

const char *storus_reserved_name(const storus_reserved_t *reserved)
{
	return reserved->name ? reserved->name : "hidden";
}

int storus_jobs_mark(const storus_jobs_t *jobs, const char *nodelist, bool *marked,
		     torus_error_t *err)
{
	uint32_t count;
	char **names;

	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const storus_node_t *node = storus_jobs_find_node(jobs, names[i]);

		if (node)
			marked[node - jobs->node] = true;
	}
	free(names);
	return 0;
}

/* The nodes that are not marked and are busy, or else [reserved]: a hostlist, malloc'ed
 * and empty when there are none. NULL: out of memory. */
static char *left_over(const storus_jobs_t *jobs, const bool *marked, bool reserved)
{
	const char **names = malloc(((size_t)jobs->nodes + 1) * sizeof(*names));
	uint32_t count = 0;
	char *list;

	for (uint32_t i = 0; names && i < jobs->nodes; i++) {
		const storus_node_t *node = &jobs->node[i];

		if (!marked[i] && (reserved ? node->reserved : node->busy))
			names[count++] = node->name;
	}
	list = !names ? NULL : count ? torus_hostlist_format(names, count) : strdup("");
	free(names);
	return list;
}

static int add_hidden_job(storus_jobs_t *jobs, bool *marked, torus_error_t *err)
{
	storus_job_t *job;
	char *list;

	for (uint32_t i = 0; i < jobs->count; i++) {
		if (storus_jobs_mark(jobs, jobs->job[i].nodelist, marked, err) != 0)
			return -1;
	}
	list = left_over(jobs, marked, false);
	if (list && !*list) {
		free(list);
		return 0;
	}
	job = list ? storus_jobs_add(jobs) : NULL;
	if (!job) {
		free(list);
		return torus_fail(err, "out of memory");
	}
	job->nodelist = list;
	job->hidden = true;
	job->id = strdup("hidden");
	return job->id ? 0 : torus_fail(err, "out of memory");
}

static int add_hidden_reservation(storus_jobs_t *jobs, bool *marked, int64_t now,
				  torus_error_t *err)
{
	storus_reserved_t *reserved;
	char *list;

	for (uint32_t i = 0; i < jobs->reservations; i++) {
		const storus_reserved_t *other = &jobs->reservation[i];

		if (storus_reserved_at(other, now) &&
		    storus_jobs_mark(jobs, other->nodelist, marked, err) != 0)
			return -1;
	}
	list = left_over(jobs, marked, true);
	if (list && !*list) {
		free(list);
		return 0;
	}
	reserved = list ? storus_jobs_add_reservation(jobs) : NULL;
	if (!reserved) {
		free(list);
		return torus_fail(err, "out of memory");
	}
	reserved->nodelist = list;
	reserved->end = INT64_MAX;
	return 0;
}

int storus_jobs_add_hidden(storus_jobs_t *jobs, int64_t now, torus_error_t *err)
{
	bool *marked = calloc((size_t)jobs->nodes + 1, sizeof(*marked));
	int rc;

	if (!marked)
		return torus_fail(err, "out of memory");
	rc = add_hidden_job(jobs, marked, err);
	memset(marked, 0, jobs->nodes * sizeof(*marked));
	if (rc == 0)
		rc = add_hidden_reservation(jobs, marked, now, err);
	free(marked);
	return rc;
}

/* What storus_jobs_confine() does but for its reservation; [in] is for its use. */
static int close_nodes(storus_jobs_t *jobs, const char *nodelist, bool inside, bool *in,
		       torus_error_t *err)
{
	memset(in, 0, jobs->nodes * sizeof(*in));
	if (storus_jobs_mark(jobs, nodelist, in, err) != 0)
		return -1;
	for (uint32_t i = 0; i < jobs->nodes; i++) {
		storus_node_t *node = &jobs->node[i];

		if (!node->usable || in[i] == inside)
			continue;
		node->usable = false;
		node->state = "not for this job";
	}
	return 0;
}

int storus_jobs_confine(storus_jobs_t *jobs, const storus_waiting_t *waiting,
			const char *nodelist, torus_error_t *err)
{
	bool *in = calloc((size_t)jobs->nodes + 1, sizeof(*in));
	int rc = in ? 0 : torus_fail(err, "out of memory");

	if (rc == 0 && nodelist)
		rc = close_nodes(jobs, nodelist, true, in, err);
	if (rc == 0 && waiting->excluded)
		rc = close_nodes(jobs, waiting->excluded, false, in, err);
	for (uint32_t i = 0; rc == 0 && waiting->reservation && i < jobs->reservations;
	     i++) {
		storus_reserved_t gone = jobs->reservation[i];

		if (!gone.name || strcmp(gone.name, waiting->reservation) != 0)
			continue;
		rc = close_nodes(jobs, gone.nodelist, true, in, err);
		jobs->reservations--;
		memmove(&jobs->reservation[i], &jobs->reservation[i + 1],
			(jobs->reservations - i) * sizeof(*jobs->reservation));
		free(gone.name);
		free(gone.nodelist);
		break;
	}
	free(in);
	return rc;
}

char *storus_clean_copy(const char *text)
{
	size_t size = torus_printable_size(text ? text : "");
	char *copy = malloc(size);

	return copy ? torus_printable(text ? text : "", copy, size) : NULL;
}

/* Where a job keeps the text called [name], or NULL. */
static char **text_called(storus_job_t *job, const char *name)
{
#define STORUS_JOB_NAMED(text)                                                           \
	if (strcmp(name, #text) == 0)                                                    \
		return &job->text;
	STORUS_JOB_TEXTS(STORUS_JOB_NAMED)
#undef STORUS_JOB_NAMED
	return NULL;
}

/* Whether squeue prints a time that it does not know so. */
static bool unknown_time(const char *text)
{
	static const char *const words[] = {"NONE", "N/A", "Unknown"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

/* Read seconds since 1970, or local time as squeue prints it. */
static int read_time(const char *text, int64_t *time, torus_error_t *err)
{
	struct tm local = {.tm_isdst = -1};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &local);
	char *end;

	*time = 0;
	if (unknown_time(text))
		return 0;
	if (rest && !*rest) {
		*time = (int64_t)mktime(&local);
		return 0;
	}
	errno = 0;
	long long value = strtoll(text, &end, 10);

	if (end == text || *end || errno || value <= 0)
		return torus_fail(err,
				  "'%s' is not a time in seconds since 1970, nor one "
				  "such as 2026-11-22T18:00:00",
				  text);
	*time = value;
	return 0;
}

static int read_yes_no(const char *text, bool *yes, torus_error_t *err)
{
	*yes = strcasecmp(text, "yes") == 0;
	if (!*yes && strcasecmp(text, "no") != 0)
		return torus_fail(err, "'%s' is neither yes nor no", text);
	return 0;
}

static int read_period(const char *text, int64_t *period, torus_error_t *err)
{
	static const struct {
		const char *word;
		int64_t seconds;
	} known[] = {{"hourly", 3600}, {"daily", 24 * 3600}, {"weekly", 7 * 24 * 3600}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcasecmp(text, known[i].word) == 0) {
			*period = known[i].seconds;
			return 0;
		}
	}
	return torus_fail(err, "'%s' is none of hourly, daily and weekly", text);
}

/* What a line says beside the record of a job. */
typedef struct line_kind {
	bool reservation;
	int64_t period;
} line_kind_t;

/* A word "NAME=VALUE" behind the nodes of a job. */
static int read_more(storus_job_t *job, line_kind_t *kind, char *word, torus_error_t *err)
{
	char *value = strchr(word, '=');
	char **text;

	if (!value)
		return torus_fail(err, "unexpected '%s' behind the nodes of job '%s'",
				  word, job->id);
	*value++ = '\0';
	if (strcmp(word, "start") == 0)
		return read_time(value, &job->start, err);
	if (strcmp(word, "end") == 0)
		return read_time(value, &job->end, err);
	if (strcmp(word, "preemptible") == 0)
		return read_yes_no(value, &job->preemptible, err);
	if (strcmp(word, "reservation") == 0)
		return read_yes_no(value, &kind->reservation, err);
	if (strcmp(word, "repeat") == 0)
		return read_period(value, &kind->period, err);
	text = text_called(job, word);
	if (!text)
		return torus_fail(err, "unknown '%s=' of job '%s'", word, job->id);
	free(*text);
	*text = storus_clean_copy(value);
	return *text ? 0 : torus_fail(err, "out of memory");
}

static void clear_job(storus_job_t *job)
{
	free(job->id);
	free(job->nodelist);
#define STORUS_JOB_FREE(text) free(job->text);
	STORUS_JOB_TEXTS(STORUS_JOB_FREE)
#undef STORUS_JOB_FREE
}

/* Make a reservation of the last job. Returns 0, or -1 with [err] filled. */
static int turn_into_reservation(storus_jobs_t *jobs, int64_t period, torus_error_t *err)
{
	storus_job_t *job = &jobs->job[jobs->count - 1];
	storus_reserved_t *reserved = storus_jobs_add_reservation(jobs);

	if (!reserved)
		return torus_fail(err, "out of memory");
	*reserved = (storus_reserved_t){
		.name = job->id,
		.nodelist = job->nodelist,
		.start = job->start,
		.end = job->end ? job->end : INT64_MAX,
		.period = period,
	};
	job->id = job->nodelist = NULL;
	clear_job(job);
	jobs->count--;
	if (reserved->end <= reserved->start)
		return torus_fail(err, "reservation '%s' ends before it begins",
				  reserved->name);
	if (period && (!reserved->start || reserved->end == INT64_MAX))
		return torus_fail(err,
				  "reservation '%s' with repeat= needs start= and end=",
				  reserved->name);
	return 0;
}

/* One line; empty ones are fine. Returns 0, or -1 with [err] filled. */
static int read_line(storus_jobs_t *jobs, char *line, torus_error_t *err)
{
	static const char blanks[] = " \t\r\n";
	line_kind_t kind = {0};
	char *rest = NULL;
	char **names;
	uint32_t count;

	line[strcspn(line, "#")] = '\0';
	const char *id = strtok_r(line, blanks, &rest);
	const char *nodelist = strtok_r(NULL, blanks, &rest);

	if (!id)
		return 0;
	if (!nodelist)
		return torus_fail(err, "job '%s' without nodes", id);
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (strcmp(jobs->job[i].id, id) == 0)
			return torus_fail(err, "job '%s' was given before", id);
	}
	/* The list is expanded once more where it is drawn, but only here is the line
	 * number known. */
	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	free(names);

	storus_job_t *job = storus_jobs_add(jobs);

	if (!job)
		return torus_fail(err, "out of memory");
	job->id = storus_clean_copy(id);
	job->nodelist = strdup(nodelist);
	job->listed = true;
	if (!job->id || !job->nodelist)
		return torus_fail(err, "out of memory");
	for (char *more; (more = strtok_r(NULL, blanks, &rest));) {
		if (read_more(job, &kind, more, err) != 0)
			return -1;
	}
	if (kind.reservation)
		return turn_into_reservation(jobs, kind.period, err);
	if (kind.period)
		return torus_fail(err, "repeat= of job '%s' goes with reservation=yes",
				  job->id);
	return 0;
}

int storus_jobs_read(const char *path, storus_jobs_t *jobs, torus_error_t *err)
{
	bool standard_input = strcmp(path, "-") == 0;
	FILE *file = standard_input ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	unsigned long number = 0;
	int rc = 0;

	memset(jobs, 0, sizeof(*jobs));
	if (!file)
		return torus_fail(err, "%s: %s", path, strerror(errno));
	while (rc == 0 && getline(&line, &size, file) >= 0) {
		number++;
		rc = read_line(jobs, line, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%lu: ", path, number);
	}
	if (rc == 0 && ferror(file))
		rc = torus_fail(err, "%s: %s", path, strerror(errno));
	free(line);
	if (!standard_input)
		fclose(file);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}

uint32_t storus_jobs_select(storus_jobs_t *jobs, const char *id)
{
	uint32_t listed = 0;
	char *end;
	unsigned long number = strtoul(id, &end, 10);

	if (*end || end == id || number > UINT32_MAX)
		number = 0;
	for (uint32_t i = 0; i < jobs->count; i++) {
		storus_job_t *job = &jobs->job[i];
		bool named = strcmp(job->id, id) == 0 ||
			     (number &&
			      (job->job_id == number || job->array_job_id == number ||
			       job->het_job_id == number));

		job->listed = job->listed && named;
		listed += job->listed;
	}
	return listed;
}

static int compare_waiting(const void *a, const void *b)
{
	const storus_waiting_t *p = a, *q = b;

	if (p->priority != q->priority)
		return p->priority < q->priority ? 1 : -1;
	return (p->job.job_id > q->job.job_id) - (p->job.job_id < q->job.job_id);
}

void storus_jobs_sort_waiting(storus_jobs_t *jobs)
{
	if (jobs->waiting_count)
		qsort(jobs->waiting, jobs->waiting_count, sizeof(*jobs->waiting),
		      compare_waiting);
}

static int compare_nodes(const void *a, const void *b)
{
	const storus_node_t *p = a, *q = b;

	return strcmp(p->name, q->name);
}

void storus_jobs_sort_nodes(storus_jobs_t *jobs)
{
	qsort(jobs->node, jobs->nodes, sizeof(*jobs->node), compare_nodes);
}

const storus_node_t *storus_jobs_find_node(const storus_jobs_t *jobs, const char *name)
{
	const storus_node_t wanted = {.name = (char *)name};

	return jobs->nodes ? bsearch(&wanted, jobs->node, jobs->nodes,
				     sizeof(*jobs->node), compare_nodes)
			   : NULL;
}

void storus_jobs_cut_waiting(storus_jobs_t *jobs, uint32_t count)
{
	for (uint32_t i = count; i < jobs->waiting_count; i++) {
		clear_job(&jobs->waiting[i].job);
		free(jobs->waiting[i].reason);
		free(jobs->waiting[i].excluded);
		free(jobs->waiting[i].reservation);
	}
	jobs->waiting_count = count;
}

void storus_jobs_forget_nodes(storus_jobs_t *jobs)
{
	for (uint32_t i = 0; i < jobs->nodes; i++) {
		free(jobs->node[i].name);
		free(jobs->node[i].reason);
	}
	free(jobs->node);
	jobs->node = NULL;
	jobs->nodes = 0;
	jobs->nodes_known = false;
}

void storus_jobs_clear(storus_jobs_t *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++)
		clear_job(&jobs->job[i]);
	free(jobs->job);
	storus_jobs_cut_waiting(jobs, 0);
	free(jobs->waiting);
	for (uint32_t i = 0; i < jobs->reservations; i++) {
		free(jobs->reservation[i].name);
		free(jobs->reservation[i].nodelist);
	}
	free(jobs->reservation);
	storus_jobs_forget_nodes(jobs);
	memset(jobs, 0, sizeof(*jobs));
}
