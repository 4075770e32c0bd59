/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps nodes from jobs: see kept.h. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "storus/cli/kept.h"
#include "storus/cli/times.h"

/* A text that grows. */
typedef struct lines {
	FILE *file;
	char *text;
	size_t size;
	const char *between;
	bool begun;
} lines_t;

static int open_lines(lines_t *lines, const char *between, torus_error_t *err)
{
	*lines = (lines_t){.between = between};
	lines->file = open_memstream(&lines->text, &lines->size);
	return lines->file ? 0 : torus_fail(err, "out of memory");
}

static void begin_line(lines_t *lines)
{
	if (lines->begun)
		fputs(lines->between, lines->file);
	lines->begun = true;
}

/* The text, or NULL with [err] filled; [rc] is what writing it came to. */
static char *close_lines(lines_t *lines, int rc, torus_error_t *err)
{
	if (lines->file && fclose(lines->file) != 0 && rc == 0)
		rc = torus_fail(err, "out of memory");
	if (rc == 0)
		return lines->text;
	free(lines->text);
	return NULL;
}

static bool is_on(const torus_cluster_t *cluster, int torus, const char *name)
{
	int found;
	uint32_t node;

	return torus_cluster_find(cluster, name, &found, &node) &&
	       (torus < 0 || found == torus);
}

/* Keep those of the [count] names that are on the torus. Returns how many. */
static uint32_t keep(const torus_cluster_t *cluster, int torus, char **names,
		     uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (is_on(cluster, torus, names[i]))
			names[kept++] = names[i];
	}
	return kept;
}

static void write_times(lines_t *lines, const storus_reserved_t *reserved, int64_t now)
{
	char text[STORUS_TIME_TEXT];
	int64_t start = reserved->start, end = reserved->end;

	/* Of one that begins again and again, the time that is or comes next. */
	if (reserved->period && now >= end) {
		int64_t passed = (now - end) / reserved->period + 1;

		start += passed * reserved->period;
		end += passed * reserved->period;
	}
	if (start > now)
		fprintf(lines->file, " from %s", storus_time_format((time_t)start, text));
	if (end != INT64_MAX)
		fprintf(lines->file, " until %s", storus_time_format((time_t)end, text));
}

static int write_reserved(lines_t *lines, const torus_cluster_t *cluster, int torus,
			  const storus_reserved_t *reserved, int64_t now,
			  torus_error_t *err)
{
	uint32_t count;
	char **names, *list;

	if (torus_hostlist_expand(reserved->nodelist, &names, &count, err) != 0)
		return -1;
	count = keep(cluster, torus, names, count);
	list = count ? torus_hostlist_format((const char *const *)names, count) : NULL;
	free(names);
	if (!count)
		return 0;
	if (!list)
		return torus_fail(err, "out of memory");
	begin_line(lines);
	fputs(storus_reserved_name(reserved), lines->file);
	write_times(lines, reserved, now);
	fprintf(lines->file, ": %s", list);
	free(list);
	return 0;
}

char *storus_kept_reserved(const torus_cluster_t *cluster, int torus,
			   const storus_jobs_t *jobs, int64_t now, const char *between,
			   torus_error_t *err)
{
	lines_t lines;
	int rc = open_lines(&lines, between, err);

	for (uint32_t i = 0; rc == 0 && i < jobs->reservations; i++) {
		const storus_reserved_t *reserved = &jobs->reservation[i];

		if (reserved->period || reserved->end > now)
			rc = write_reserved(&lines, cluster, torus, reserved, now, err);
	}
	return close_lines(&lines, rc, err);
}

static bool same_cause(const storus_node_t *a, const storus_node_t *b)
{
	return strcmp(a->state, b->state) == 0 &&
	       strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "") == 0;
}

char *storus_kept_unusable(const torus_cluster_t *cluster, int torus,
			   const storus_jobs_t *jobs, const char *between,
			   torus_error_t *err)
{
	const char **names = malloc(((size_t)jobs->nodes + 1) * sizeof(*names));
	bool *done = calloc((size_t)jobs->nodes + 1, sizeof(*done));
	lines_t lines;
	int rc = open_lines(&lines, between, err);

	if (rc == 0 && (!names || !done))
		rc = torus_fail(err, "out of memory");
	for (uint32_t i = 0; rc == 0 && i < jobs->nodes; i++)
		done[i] = jobs->node[i].usable ||
			  !is_on(cluster, torus, jobs->node[i].name);
	for (uint32_t i = 0; rc == 0 && i < jobs->nodes; i++) {
		const storus_node_t *node = &jobs->node[i];
		uint32_t count = 0;
		char *list;

		if (done[i])
			continue;
		for (uint32_t j = i; j < jobs->nodes; j++) {
			if (done[j] || !same_cause(node, &jobs->node[j]))
				continue;
			names[count++] = jobs->node[j].name;
			done[j] = true;
		}
		list = torus_hostlist_format(names, count);
		if (!list) {
			rc = torus_fail(err, "out of memory");
			break;
		}
		begin_line(&lines);
		fprintf(lines.file, "%s: %s", node->state, list);
		if (node->reason)
			fprintf(lines.file, " (%s)", node->reason);
		free(list);
	}
	free(names);
	free(done);
	return close_lines(&lines, rc, err);
}
