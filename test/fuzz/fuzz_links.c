/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of links. What is read has each name once, and survives being written and read
 * again. */
#include "fuzz.h"

#include "order/linklist.h"

/* Each node by a line of its own, so that they are read in the same order, and each link
 * once, from its lower end. */
static char *write_back(const torus_linklist_t *links, size_t *length)
{
	const torus_task_graph_t *graph = links->graph;
	char *text;
	FILE *stream = open_memstream(&text, length);

	CHECK(stream);
	for (uint32_t v = 0; v < links->nodes; v++)
		fprintf(stream, "%s %s\n", links->name[v], links->name[v]);
	for (uint32_t v = 0; v < links->nodes; v++) {
		for (uint64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
			if (graph->neighbor[i] > v)
				fprintf(stream, "%s %s %.17g\n", links->name[v],
					links->name[graph->neighbor[i]],
					graph->weight[i]);
		}
	}
	CHECK(!fclose(stream));
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	torus_linklist_t links, back;
	uint64_t entries;
	size_t length;
	char *text;

	if (torus_linklist_parse((const char *)data, size, "f", &links, NULL)) {
		torus_linklist_clear(&links);
		return 0;
	}
	entries = links.graph->first[links.nodes];
	CHECK(links.nodes > 0 && links.graph->tasks == links.nodes);
	text = write_back(&links, &length);
	/* Sums of many weights may go over what one line may say. */
	if (!torus_linklist_parse(text, length, "back", &back, NULL)) {
		CHECK(back.nodes == links.nodes && back.loops == links.nodes);
		CHECK(back.repeated == 0);
		for (uint32_t v = 0; v < links.nodes; v++)
			CHECK(!strcmp(back.name[v], links.name[v]));
		CHECK(!memcmp(back.graph->first, links.graph->first,
			      (links.nodes + 1) * sizeof(*back.graph->first)));
		CHECK(!memcmp(back.graph->neighbor, links.graph->neighbor,
			      entries * sizeof(*back.graph->neighbor)));
		CHECK(!memcmp(back.graph->weight, links.graph->weight,
			      entries * sizeof(*back.graph->weight)));
	}
	torus_linklist_clear(&back);
	torus_linklist_clear(&links);
	free(text);
	return 0;
}
