/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that storus place chooses from. */
#include "torus_config.h"

#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "base/lines.h"
#include "lists/ranklist.h"
#include "base/textfile.h"
#include "storus/cli/options.h"
#include "storus/place/candidates.h"

/* Of a node that --weights does not name, as in slurm.conf. */
#define DEFAULT_WEIGHT 1

static int out_of_memory(void)
{
	warnx("out of memory");
	return -1;
}

/* Memory for what is said of [count] nodes. Returns 0, or -1 (message printed). */
static int make_nodes(storus_place_nodes_t *nodes, uint32_t count,
		      const storus_place_options_t *options)
{
	nodes->nodes = count;
	nodes->free = torus_bitmap_create(count);
	if (options->nodelist)
		nodes->required = torus_bitmap_create(count);
	if (options->weights)
		nodes->weights = malloc(sizeof(uint64_t) * ((size_t)count + 1));
	if (!nodes->free || (options->nodelist && !nodes->required) ||
	    (options->weights && !nodes->weights))
		return out_of_memory();
	for (uint32_t i = 0; nodes->weights && i < count; i++)
		nodes->weights[i] = DEFAULT_WEIGHT;
	return 0;
}

static void clear_nodes(storus_place_nodes_t *nodes)
{
	free(nodes->free);
	free(nodes->required);
	free(nodes->weights);
}

static const char *name_elsewhere(const void *owner, uint32_t number)
{
	return ((const storus_candidates_t *)owner)->elsewhere_name[number];
}

/*
 * The place that has the node called [name]; *number receives its number there. NULL:
 * no place has it.
 */
static storus_place_nodes_t *find_node(storus_candidates_t *candidates, const char *name,
				       uint32_t *number)
{
	int t;

	if (torus_cluster_find(candidates->cluster, name, &t, number)) {
		*number = candidates->cluster->map[t]->rank_of_node[*number];
		return &candidates->torus[t];
	}
	if (!candidates->index)
		return NULL;
	*number = torus_name_index_find(candidates->index, name);
	return *number == TORUS_NO_NAME ? NULL : &candidates->elsewhere;
}

/*
 * Set the free nodes from the hostlist [text]. Nodes that are on no torus are
 * candidates of their own (elsewhere), unless --torus names one torus. Returns 0, or -1
 * (message printed).
 */
static int read_free_nodes(storus_candidates_t *candidates, const char *text,
			   const storus_place_options_t *options)
{
	uint32_t count, elsewhere = 0;
	torus_error_t error;

	if (torus_hostlist_expand(text, &candidates->names, &count, &error) != 0) {
		warnx("--free-nodes: %s", error.text);
		return -1;
	}
	candidates->elsewhere_name = malloc(sizeof(char *) * (size_t)count);
	candidates->index = torus_name_index_create(count, name_elsewhere, candidates);
	if (!candidates->elsewhere_name || !candidates->index)
		return out_of_memory();
	for (uint32_t i = 0; i < count; i++) {
		const char *name = candidates->names[i];
		uint32_t number;
		storus_place_nodes_t *nodes = find_node(candidates, name, &number);

		if (nodes && nodes != &candidates->elsewhere) {
			torus_bit_set(nodes->free, number);
		} else if (!nodes && !options->machine.torus) {
			candidates->elsewhere_name[elsewhere] = name;
			torus_name_index_add(candidates->index, elsewhere++);
		}
	}
	if (make_nodes(&candidates->elsewhere, elsewhere, options) != 0)
		return -1;
	torus_bitmap_set_range(candidates->elsewhere.free, 0, elsewhere);
	return 0;
}

/* Set the free ranks of the only torus from the text of --free. Returns 0, or -1. */
static int read_free_ranks(storus_place_nodes_t *nodes, const char *text)
{
	torus_error_t error;
	char *line = NULL;
	size_t size = 0;
	int rc;

	/* The list of a large machine may be longer than an argument can be. */
	if (strcmp(text, "-") == 0) {
		text = ""; /* for an empty input, of which getline() leaves no line */
		if (getline(&line, &size, stdin) >= 0) {
			line[strcspn(line, "\r\n")] = '\0';
			text = line;
		} else if (ferror(stdin)) {
			warn("--free: cannot read the standard input");
			free(line);
			return -1;
		}
	}
	rc = torus_ranklist_parse_set(text, nodes->nodes, nodes->free, &error);
	if (rc != 0)
		warnx("--free: %s", error.text);
	free(line);
	return rc;
}

static int read_free(storus_candidates_t *candidates,
		     const storus_place_options_t *options)
{
	const char *ranks = options->free ? options->free : "all";

	if (options->free_nodes)
		return read_free_nodes(candidates, options->free_nodes, options);
	if (candidates->cluster->maps > 1 && strcmp(ranks, "all") != 0) {
		storus_misuse("--free lists ranks of one torus: choose it with --torus, "
			      "or give --free-nodes");
		return -1;
	}
	for (int t = 0; t < candidates->cluster->maps; t++) {
		if (read_free_ranks(&candidates->torus[t], ranks) != 0)
			return -1;
	}
	return 0;
}

/* Nodes of the hostlist [text] that are on no torus are not free. */
static int take_elsewhere(storus_candidates_t *candidates, const char *text)
{
	torus_error_t error;
	char **names;
	uint32_t count;

	if (torus_hostlist_expand(text, &names, &count, &error) != 0) {
		warnx("--jobs: %s", error.text);
		return -1;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = torus_name_index_find(candidates->index, names[i]);

		if (number != TORUS_NO_NAME)
			torus_bit_clear(candidates->elsewhere.free, number);
	}
	free(names);
	return 0;
}

/* Read the jobs that run; what they hold is not free. Returns 0, or -1. */
static int read_running(storus_candidates_t *candidates, const char *path)
{
	const storus_view_t *view;

	if (storus_running_read(&candidates->running, path, candidates->cluster) != 0)
		return -1;
	view = candidates->running.view;
	for (int t = 0; t < candidates->cluster->maps; t++) {
		const torus_occupancy_t *occupancy = view->holdings.occupancy[t];

		for (uint32_t rank = 0; rank < candidates->torus[t].nodes; rank++) {
			if (occupancy->jobs[rank])
				torus_bit_clear(candidates->torus[t].free, rank);
		}
	}
	for (uint32_t i = 0; candidates->index && i < view->parts; i++) {
		if (view->part[i].torus < 0 &&
		    take_elsewhere(candidates, view->part[i].nodelist) != 0)
			return -1;
	}
	return 0;
}

/* Set what is required from the hostlist [text]. Returns 0, or -1 (message printed). */
static int require_nodes(storus_candidates_t *candidates, const char *text)
{
	const torus_cluster_t *cluster = candidates->cluster;
	torus_error_t error;
	char **names;
	uint32_t count;
	int rc = -1;

	if (torus_hostlist_expand(text, &names, &count, &error) != 0) {
		warnx("--nodelist: %s", error.text);
		return -1;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number;
		storus_place_nodes_t *nodes = find_node(candidates, names[i], &number);

		if (!nodes) {
			if (cluster->maps == 1)
				warnx("--nodelist: torus '%s' has no node '%s'",
				      cluster->map[0]->name, names[i]);
			else
				warnx("--nodelist: no torus has a node '%s'", names[i]);
			goto done;
		}
		candidates->required += !torus_bit_test(nodes->required, number);
		torus_bit_set(nodes->required, number);
	}
	rc = 0;
done:
	free(names);
	return rc;
}

/* Read a line of --weights: a hostlist and a number. Unknown nodes are skipped. */
static int weigh_line(storus_candidates_t *candidates, const torus_lines_t *lines,
		      const char *path)
{
	uint32_t count, line = lines->word[0].line;
	torus_error_t error;
	uint64_t weight;
	char **names;

	if (lines->words != 2) {
		warnx("%s:%u: not a hostlist and a weight", path, line);
		return -1;
	}
	if (storus_count_parse(lines->word[1].text, 0, UINT32_MAX, &weight, &error) !=
	    0) {
		warnx("%s:%u: %s", path, line, error.text);
		return -1;
	}
	if (torus_hostlist_expand(lines->word[0].text, &names, &count, &error) != 0) {
		warnx("%s:%u: %s", path, line, error.text);
		return -1;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number;
		storus_place_nodes_t *nodes = find_node(candidates, names[i], &number);

		if (nodes)
			nodes->weights[number] = weight;
	}
	free(names);
	return 0;
}

static int read_weights(storus_candidates_t *candidates, const char *path)
{
	torus_error_t error;
	torus_lines_t lines;
	size_t length;
	char *text;
	int more, rc = 0;

	if (torus_textfile_read(path, &text, &length, &error) != 0) {
		warnx("--weights: %s", error.text);
		return -1;
	}
	more = torus_lines_open(&lines, text, length, path, &error);
	while (more >= 0 && rc == 0) {
		more = torus_lines_next(&lines, &error);
		if (more <= 0)
			break;
		rc = weigh_line(candidates, &lines, path);
	}
	if (more < 0) {
		warnx("--weights: %s", error.text);
		rc = -1;
	}
	torus_lines_close(&lines);
	free(text);
	return rc;
}

int storus_candidates_read(const storus_place_options_t *options,
			   storus_candidates_t *candidates)
{
	torus_cluster_t *cluster = storus_cluster_open(&options->machine);

	*candidates = (storus_candidates_t){.cluster = cluster};
	if (!cluster)
		return -1;
	candidates->torus = calloc((size_t)cluster->maps, sizeof(*candidates->torus));
	if (!candidates->torus)
		return out_of_memory();
	for (int t = 0; t < cluster->maps; t++) {
		if (make_nodes(&candidates->torus[t], cluster->map[t]->nodes, options) !=
		    0)
			return -1;
	}
	if (read_free(candidates, options) != 0 ||
	    (options->jobs && read_running(candidates, options->jobs) != 0) ||
	    (options->nodelist && require_nodes(candidates, options->nodelist) != 0) ||
	    (options->weights && read_weights(candidates, options->weights) != 0))
		return -1;
	return 0;
}

torus_candidates_t storus_candidates_of(const storus_place_nodes_t *nodes)
{
	return (torus_candidates_t){.free = nodes->free,
				    .required = nodes->required,
				    .weights = nodes->weights};
}

void storus_candidates_clear(storus_candidates_t *candidates)
{
	for (int t = 0; candidates->torus && t < candidates->cluster->maps; t++)
		clear_nodes(&candidates->torus[t]);
	free(candidates->torus);
	clear_nodes(&candidates->elsewhere);
	free(candidates->elsewhere_name);
	torus_name_index_destroy(candidates->index);
	free(candidates->names);
	storus_running_clear(&candidates->running);
	torus_cluster_destroy(candidates->cluster);
	*candidates = (storus_candidates_t){0};
}
