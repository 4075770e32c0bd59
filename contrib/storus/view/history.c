/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation, from its jobs.csv. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "storus/view/history.h"

#define NO_NODE UINT32_MAX

/* The columns that are read. */
enum { JOB, START, END, CELLS, TORUS, COLUMNS };
static const char *const columns[COLUMNS] = {"job", "start", "end", "cells", "torus"};

typedef struct history {
	const torus_cluster_t *cluster;
	uint32_t **node_at; /* [maps][cells] the node on each cell, or NO_NODE */
	int place[COLUMNS]; /* where each column stands in a line */
} history_t;

/* Find the node of each cell. */
static int find_nodes(history_t *history, int torus, torus_error_t *err)
{
	const torus_map_t *map = history->cluster->map[torus];
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *node_at = malloc(cells * sizeof(*node_at));

	history->node_at[torus] = node_at;
	if (!node_at)
		return torus_fail(err, "out of memory");
	memset(node_at, 0xff, cells * sizeof(*node_at));
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t cell = map->cell_of_rank[rank];

		if (node_at[cell] != NO_NODE)
			return torus_fail(
				err,
				"torus %s has several nodes on a router, and the "
				"file of a simulation names only routers",
				map->name);
		node_at[cell] = map->node_of_rank[rank];
	}
	return 0;
}

/* Read the heading. */
static int find_columns(history_t *history, char *line, torus_error_t *err)
{
	int at = 0;

	for (int i = 0; i < COLUMNS; i++)
		history->place[i] = -1;
	for (char *name; (name = strsep(&line, ",")); at++) {
		for (int i = 0; i < COLUMNS; i++) {
			if (strcmp(name, columns[i]) == 0)
				history->place[i] = at;
		}
	}
	for (int i = 0; i < COLUMNS; i++) {
		if (history->place[i] < 0)
			return torus_fail(err, "the heading has no column '%s'",
					  columns[i]);
	}
	return 0;
}

static int find_torus(const torus_cluster_t *cluster, const char *name,
		      torus_error_t *err)
{
	for (int torus = 0; torus < cluster->maps; torus++) {
		if (strcmp(cluster->map[torus]->name, name) == 0)
			return torus;
	}
	/* A simulation of dimensions has a name of its own. */
	if (cluster->maps == 1)
		return 0;
	return torus_fail(err, "no torus is called '%s'", name);
}

/* Append the names of the nodes on [cells] of a torus to names[*count ..]. */
static int add_names(const history_t *history, int torus, const char *cells,
		     const char ***names, uint32_t *count, torus_error_t *err)
{
	const torus_map_t *map = history->cluster->map[torus];
	uint32_t *cell, n;
	const char **more;
	int rc = 0;

	if (torus_ranklist_parse_sequence(cells, torus_geometry_cells(&map->geometry),
					  &cell, &n, err) != 0)
		return -1;
	more = reallocarray(*names, *count + n, sizeof(*more));
	if (more)
		*names = more;
	else
		rc = torus_fail(err, "out of memory");
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		uint32_t node = history->node_at[torus][cell[i]];

		if (node == NO_NODE)
			rc = torus_fail(err, "cell %u has no node", (unsigned)cell[i]);
		else
			more[(*count)++] = map->node_name[node];
	}
	free(cell);
	return rc;
}

/* The hostlist of a job's cells, torus by torus with bars between them; malloc'ed. */
static char *nodelist_of(const history_t *history, char *cells, char *tori,
			 torus_error_t *err)
{
	const char **names = NULL;
	char *list = NULL;
	uint32_t count = 0;
	int rc = 0;

	while (rc == 0 && cells && tori) {
		const char *part = strsep(&cells, "|");
		int torus = find_torus(history->cluster, strsep(&tori, "|"), err);

		rc = torus < 0 ? -1
			       : add_names(history, torus, part, &names, &count, err);
	}
	if (rc == 0) {
		list = torus_hostlist_format(names, count);
		if (!list)
			torus_fail(err, "out of memory");
	}
	free(names);
	return list;
}

static int read_seconds(const char *text, int64_t *seconds, torus_error_t *err)
{
	char *end;
	double value = strtod(text, &end);

	/* Not a number is in no range. */
	if (end == text || *end || !(value > -1e15 && value < 1e15))
		return torus_fail(err, "'%s' is not a number of seconds", text);
	*seconds = (int64_t)value;
	return 0;
}

static int read_job(const history_t *history, char *line, storus_jobs_t *jobs,
		    torus_error_t *err)
{
	char *value[COLUMNS] = {NULL};
	storus_job_t *job;
	int at = 0;

	for (char *field; (field = strsep(&line, ",")); at++) {
		for (int i = 0; i < COLUMNS; i++) {
			if (history->place[i] == at)
				value[i] = field;
		}
	}
	for (int i = 0; i < COLUMNS; i++) {
		if (!value[i])
			return torus_fail(err, "the line has no '%s'", columns[i]);
	}
	if (jobs->count == STORUS_HISTORY_JOBS)
		return torus_fail(err, "more than %d jobs are too many for a page",
				  STORUS_HISTORY_JOBS);
	job = storus_jobs_add(jobs);
	if (!job)
		return torus_fail(err, "out of memory");
	job->listed = true;
	job->id = storus_clean_copy(value[JOB]);
	if (!job->id)
		return torus_fail(err, "out of memory");
	if (read_seconds(value[START], &job->start, err) != 0 ||
	    read_seconds(value[END], &job->end, err) != 0)
		return -1;
	job->nodelist = nodelist_of(history, value[CELLS], value[TORUS], err);
	return job->nodelist ? 0 : -1;
}

static int read_lines(history_t *history, FILE *file, const char *path,
		      storus_jobs_t *jobs, torus_error_t *err)
{
	char *line = NULL;
	size_t size = 0;
	unsigned long number = 0;
	int rc = 0;

	while (rc == 0 && getline(&line, &size, file) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		rc = number++ ? read_job(history, line, jobs, err)
			      : find_columns(history, line, err);
		if (rc != 0)
			torus_fail_prefix(err, "%s:%lu: ", path, number);
	}
	if (rc == 0 && ferror(file))
		rc = torus_fail(err, "%s: %s", path, strerror(errno));
	if (rc == 0 && !number)
		rc = torus_fail(err, "%s: empty", path);
	free(line);
	return rc;
}

int storus_history_read(const char *directory, const torus_cluster_t *cluster,
			storus_jobs_t *jobs, torus_error_t *err)
{
	history_t history = {.cluster = cluster};
	FILE *file = NULL;
	char *path = NULL;
	int rc = 0;

	memset(jobs, 0, sizeof(*jobs));
	history.node_at = calloc((size_t)cluster->maps, sizeof(*history.node_at));
	if (asprintf(&path, "%s/jobs.csv", directory) < 0)
		path = NULL;
	if (!history.node_at || !path)
		rc = torus_fail(err, "out of memory");
	for (int torus = 0; rc == 0 && torus < cluster->maps; torus++)
		rc = find_nodes(&history, torus, err);
	if (rc == 0) {
		file = fopen(path, "r");
		rc = file ? read_lines(&history, file, path, jobs, err)
			  : torus_fail(err, "%s: %s", path, strerror(errno));
	}
	if (file)
		fclose(file);
	for (int torus = 0; history.node_at && torus < cluster->maps; torus++)
		free(history.node_at[torus]);
	free(history.node_at);
	free(path);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}
