/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Communication graphs. Input: how many tasks there are, less one, in one byte, then the
 * file. What is read is symmetric, sorted, without loops, and survives being written and
 * read again.
 */
#include "fuzz.h"

#include "taskmap/graph.h"

static void check_shape(const torus_task_graph_t *graph)
{
	CHECK(!graph->first[0]);
	for (uint32_t task = 0; task < graph->tasks; task++) {
		CHECK(graph->first[task] <= graph->first[task + 1]);
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			CHECK(graph->neighbor[i] < graph->tasks);
			CHECK(graph->neighbor[i] != task);
			CHECK(i == graph->first[task] ||
			      graph->neighbor[i - 1] < graph->neighbor[i]);
			CHECK(graph->weight[i] > 0);
		}
	}
}

/* Each edge once, from its lower end. */
static char *write_back(const torus_task_graph_t *graph, size_t *length)
{
	char *text;
	FILE *stream = open_memstream(&text, length);

	CHECK(stream);
	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			if (graph->neighbor[i] > task)
				fprintf(stream, "%u %u %.17g\n", task, graph->neighbor[i],
					graph->weight[i]);
		}
	}
	CHECK(!fclose(stream));
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	torus_task_graph_t *graph, *back;
	uint64_t entries;
	size_t length;
	char *text;

	if (!size)
		return 0;
	graph = torus_task_graph_parse((const char *)data + 1, size - 1, "f",
				       (uint32_t)data[0] + 1, NULL);
	if (!graph)
		return 0;
	check_shape(graph);
	entries = graph->first[graph->tasks];
	CHECK(entries && entries % 2 == 0);
	text = write_back(graph, &length);
	back = torus_task_graph_parse(text, length, "back", graph->tasks, NULL);
	/* Sums of many weights may go over what one line may say. */
	if (back) {
		CHECK(!memcmp(back->first, graph->first,
			      (graph->tasks + 1) * sizeof(*graph->first)));
		CHECK(!memcmp(back->neighbor, graph->neighbor,
			      entries * sizeof(*graph->neighbor)));
		CHECK(!memcmp(back->weight, graph->weight,
			      entries * sizeof(*graph->weight)));
	}
	free(text);
	torus_task_graph_destroy(back);
	torus_task_graph_destroy(graph);
	return 0;
}
