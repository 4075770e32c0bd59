/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus place prints. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>

#include "base/hostlist.h"
#include "base/ranklist.h"
#include "metrics/metrics.h"
#include "storus/cli/metrics_fields.h"
#include "storus/commands.h"
#include "storus/place/report.h"

/* The hostlist of the chosen nodes in rank order, malloc'ed; NULL: out of memory. */
static char *format_nodes(const storus_place_t *place)
{
	const torus_map_t *map = place->map;
	const char **names = malloc(place->chosen_count * sizeof(*names));
	char *text = NULL;

	if (names) {
		for (uint32_t i = 0; i < place->chosen_count; i++)
			names[i] = map->node_name[map->node_of_rank[place->chosen[i]]];
		text = torus_hostlist_format(names, place->chosen_count);
	}
	free(names);
	return text;
}

int storus_place_report(const storus_place_t *place, storus_format_t format)
{
	const torus_map_t *map = place->map;
	uint32_t n = place->chosen_count;
	torus_error_t error = {"out of memory"};
	torus_metrics_t metrics;
	char box[TORUS_DIMS_TEXT];
	storus_field_t fields[3 + STORUS_METRICS];
	size_t count = 0;
	int status = STORUS_BAD;
	uint32_t *cells = malloc(n * sizeof(*cells));
	char *ranks_text = torus_ranklist_format(place->chosen, n, ',');
	char *nodes_text = map->node_name ? format_nodes(place) : NULL;
	char *cells_text = NULL;

	if (cells) {
		for (uint32_t i = 0; i < n; i++)
			cells[i] = map->cell_of_rank[place->chosen[i]];
		cells_text = torus_ranklist_format(cells, n, ',');
	}
	if (!cells_text || !ranks_text || (map->node_name && !nodes_text) ||
	    torus_metrics(&map->geometry, cells, place->chosen, n, map->nodes,
			  place->span == TORUS_SPAN_RING, &metrics, &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	fields[count++] = storus_text("ranks", ranks_text);
	fields[count++] = storus_text("cells", cells_text);
	if (nodes_text)
		fields[count++] = storus_text("nodes", nodes_text);
	storus_metrics_fields(&metrics, map->geometry.dims, box, fields + count);
	storus_record_print(stdout, format, fields, count + STORUS_METRICS);
	status = STORUS_OK;
done:
	free(cells_text);
	free(nodes_text);
	free(ranks_text);
	free(cells);
	return status;
}
