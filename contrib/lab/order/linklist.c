/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of links: see order/linklist.h. */
#include "order/linklist.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/lines.h"
#include "base/name_index.h"

/* The links read so far. */
typedef struct reading {
	torus_linklist_t *links;
	torus_name_index_t *index;
	uint32_t *from, *to;
	double *weight;
	uint64_t count; /* links */
	size_t stored;	/* bytes of names */
} reading_t;

static const char *name_of(const void *owner, uint32_t number)
{
	return ((const torus_linklist_t *)owner)->name[number];
}

/* Allocate room for the most that a text of [length] bytes can hold. */
static int reading_begin(reading_t *reading, const char *text, size_t length)
{
	torus_linklist_t *links = reading->links;
	size_t lines = 1, names;

	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	/* "a b" and the end of its line take four bytes. */
	if (lines > length / 4 + 1)
		lines = length / 4 + 1;
	names = 2 * lines;
	links->name = malloc(names * sizeof(*links->name));
	links->store = malloc(length + 2);
	reading->from = malloc(lines * sizeof(*reading->from));
	reading->to = malloc(lines * sizeof(*reading->to));
	reading->weight = malloc(lines * sizeof(*reading->weight));
	if (!links->name || !links->store || !reading->from || !reading->to ||
	    !reading->weight)
		return -1;
	reading->index = torus_name_index_create((uint32_t)names, name_of, links);
	return reading->index ? 0 : -1;
}

static void reading_end(reading_t *reading)
{
	torus_name_index_destroy(reading->index);
	free(reading->from);
	free(reading->to);
	free(reading->weight);
}

/* The number of the node called [name], a new one if need be. */
static int node_called(reading_t *reading, const char *name, uint32_t *node,
		       torus_error_t *err)
{
	torus_linklist_t *links = reading->links;
	uint32_t count;

	*node = torus_name_index_find(reading->index, name);
	if (*node != TORUS_NO_NAME)
		return 0;
	if (torus_hostlist_count(name, &count, err))
		return -1;
	if (strpbrk(name, "[],"))
		return torus_fail(err,
				  "'%s': a link has one node at each end; write a line "
				  "for each",
				  name);
	*node = links->nodes++;
	links->name[*node] = strcpy(links->store + reading->stored, name);
	reading->stored += strlen(name) + 1;
	torus_name_index_add(reading->index, *node);
	return 0;
}

static int weight_read(const char *text, double *weight, torus_error_t *err)
{
	char *tail;

	*weight = strtod(text, &tail);
	if (tail == text || *tail || !(*weight > 0 && *weight <= TORUS_TASK_GRAPH_WEIGHT))
		return torus_fail(err, "weight '%s' is not a number above 0 and up to %g",
				  text, TORUS_TASK_GRAPH_WEIGHT);
	return 0;
}

static int read_link(reading_t *reading, const torus_lines_t *lines, torus_error_t *err)
{
	uint64_t i = reading->count;

	if (lines->words != 2 && lines->words != 3)
		return torus_fail(err, "expected two nodes and perhaps a weight: "
				       "node node [weight]");
	reading->weight[i] = 1;
	if (node_called(reading, lines->word[0].text, &reading->from[i], err) ||
	    node_called(reading, lines->word[1].text, &reading->to[i], err) ||
	    (lines->words == 3 &&
	     weight_read(lines->word[2].text, &reading->weight[i], err)))
		return -1;
	reading->links->loops += reading->from[i] == reading->to[i];
	reading->count++;
	return 0;
}

static int read_links(reading_t *reading, torus_lines_t *lines, const char *path,
		      torus_error_t *err)
{
	torus_linklist_t *links = reading->links;
	int found;

	while ((found = torus_lines_next(lines, err)) > 0) {
		if (read_link(reading, lines, err))
			return torus_fail_prefix(err, "%s:%u: ", path,
						 lines->word[0].line);
	}
	if (found < 0)
		return -1;
	if (!links->nodes)
		return torus_fail(err, "%s: no link; write one a line: node node", path);
	links->graph = torus_task_graph_create(links->nodes, reading->from, reading->to,
					       reading->weight, reading->count, err);
	if (!links->graph)
		return -1;
	links->repeated =
		reading->count - links->loops - links->graph->first[links->nodes] / 2;
	return 0;
}

int torus_linklist_parse(const char *text, size_t length, const char *path,
			 torus_linklist_t *links, torus_error_t *err)
{
	reading_t reading = {.links = links};
	torus_lines_t lines;
	int rc;

	*links = (torus_linklist_t){0};
	rc = torus_lines_open(&lines, text, length, path, err);
	if (!rc && reading_begin(&reading, text, length))
		rc = torus_fail(err, "%s: out of memory", path);
	if (!rc)
		rc = read_links(&reading, &lines, path, err);
	torus_lines_close(&lines);
	reading_end(&reading);
	return rc;
}

void torus_linklist_clear(torus_linklist_t *links)
{
	torus_task_graph_destroy(links->graph);
	free(links->name);
	free(links->store);
	*links = (torus_linklist_t){0};
}
