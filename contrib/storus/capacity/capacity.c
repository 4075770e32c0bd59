/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus capacity: what there is room for, and what is in the way. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <time.h>

#include "machine/chip_boxes.h"
#include "machine/no_box.h"
#include "storus/capacity/options.h"
#include "storus/capacity/report.h"
#include "storus/commands.h"
#include "torus/other_boxes.h"

typedef struct capacity {
	storus_capacity_options_t options;
	storus_state_t state;
	int dims;	     /* the most of all tori */
	int drain_torus;     /* with --drain */
	uint32_t drain_rank; /* the same */
} capacity_t;

/* Find the node of --drain. Returns 0, or -1 (message printed). */
static int find_drain(capacity_t *capacity)
{
	const torus_cluster_t *cluster = capacity->state.cluster;
	const char *name = capacity->options.drain;
	torus_error_t error;
	uint64_t rank;

	if (cluster->map[0]->node_name) {
		uint32_t node;

		if (!torus_cluster_find(cluster, name, &capacity->drain_torus, &node)) {
			warnx("--drain: no torus has a node '%s'", name);
			return -1;
		}
		capacity->drain_rank =
			cluster->map[capacity->drain_torus]->rank_of_node[node];
		return 0;
	}
	if (storus_count_parse(name, 0, cluster->map[0]->nodes - 1, &rank, &error) != 0) {
		warnx("--drain: %s (without --conf nodes go by their ranks)", error.text);
		return -1;
	}
	capacity->drain_rank = (uint32_t)rank;
	return 0;
}

/* Find out what the options mean. Returns 0, or -1 (message printed). */
static int open_capacity(capacity_t *capacity)
{
	const torus_cluster_t *cluster;

	if (storus_state_open(&capacity->state, &capacity->options.state) != 0)
		return -1;
	cluster = capacity->state.cluster;
	capacity->options.has_cubes = torus_cluster_has_cubes(cluster);
	for (int t = 0; t < cluster->maps; t++) {
		int dims = cluster->map[t]->geometry.dims;

		capacity->dims = dims > capacity->dims ? dims : capacity->dims;
	}
	return capacity->options.drain ? find_drain(capacity) : 0;
}

/* Work out and print torus [t]. Returns 0, or -1 (message printed). */
static int print_torus(const capacity_t *capacity, int t, storus_table_t *table,
		       bool *refused)
{
	const storus_capacity_options_t *options = &capacity->options;
	const torus_map_t *map = capacity->state.cluster->map[t];
	bool several = capacity->state.cluster->maps > 1;
	storus_report_t report = {.fields = 0};
	const storus_when_t when = {(int64_t)time(NULL), options->seconds};
	storus_room_t room = {0};
	torus_error_t error;
	int rc = -1;

	if (storus_room_open(&room, capacity->state.cluster, t, &capacity->state.jobs,
			     options->state.free, &when, &error) != 0 ||
	    storus_report_fill(
		    &report, &room, options, several ? map->name : NULL, capacity->dims,
		    capacity->drain_torus == t ? capacity->drain_rank : map->nodes,
		    &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	if (several && options->format != STORUS_FORMAT_TEXT)
		storus_table_row(table, report.field, report.fields);
	else
		storus_record_print(stdout, options->format, report.field, report.fields);
	*refused = *refused && report.refused;
	rc = 0;
done:
	storus_report_clear(&report);
	storus_room_clear(&room);
	return rc;
}

/* Say of shapes that no torus can ever have what can be had instead; [text] is what was
 * asked for, NULL: nothing. */
static void explain_never(const torus_cluster_t *cluster, const char *text,
			  const torus_shapes_t *shapes, uint64_t nodes)
{
	char others[TORUS_OTHER_BOXES_TEXT], dims[TORUS_DIMS_TEXT];
	const torus_geometry_t *geometry = &cluster->map[0]->geometry;
	torus_error_t why;

	if (!text)
		return;
	if (torus_cluster_lacks_cubes(cluster, shapes, &why) ||
	    torus_cluster_lacks_chip_box(cluster, shapes, &why)) {
		warnx("nothing fits: %s", why.text);
		return;
	}
	for (int t = 0; t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];

		if (!*torus_other_boxes(&map->geometry, torus_map_nodes_per_router(map),
					shapes, nodes, others))
			return;
	}
	if (cluster->maps > 1)
		warnx("nothing fits: no torus has a box %s", text);
	else if (shapes->any)
		warnx("nothing fits: %s has no box of %" PRIu64 " nodes; %s",
		      torus_lengths_format(geometry->dims, geometry->length, dims), nodes,
		      others);
	else
		warnx("nothing fits: %s has no box %s; %s",
		      torus_lengths_format(geometry->dims, geometry->length, dims), text,
		      others);
}

static void explain_shape(const torus_cluster_t *cluster, const char *text,
			  const torus_shape_t *shape)
{
	const torus_shapes_t shapes = {.count = 1, .shape = {*shape}};

	explain_never(cluster, text, &shapes, 0);
}

/* The same of a number of nodes. */
static void explain_nodes(const torus_cluster_t *cluster,
			  const storus_capacity_options_t *options)
{
	const torus_shapes_t any = {.any = true};
	uint32_t most = 0;

	for (int t = 0; t < cluster->maps; t++)
		most = cluster->map[t]->nodes > most ? cluster->map[t]->nodes : most;
	if (options->nodes > most)
		warnx("nothing fits: --nodes asks for %" PRIu64 ", %s has %" PRIu32,
		      options->nodes,
		      cluster->maps > 1 ? "the largest torus" : "the machine", most);
	else if (options->any)
		explain_never(cluster, "any", &any, options->nodes);
}

static int print_tori(const capacity_t *capacity)
{
	storus_format_t format = capacity->options.format;
	bool in_table = capacity->state.cluster->maps > 1 && format != STORUS_FORMAT_TEXT;
	bool refused = true; /* until a torus has what is asked for */
	storus_table_t table;
	int rc = 0;

	if (in_table)
		storus_table_begin(&table, stdout, format);
	for (int t = 0; t < capacity->state.cluster->maps && rc == 0; t++)
		rc = print_torus(capacity, t, &table, &refused);
	if (in_table)
		storus_table_end(&table, NULL, 0);
	explain_shape(capacity->state.cluster, capacity->options.shape_text,
		      &capacity->options.shape);
	explain_shape(capacity->state.cluster, capacity->options.advise_text,
		      &capacity->options.advise);
	if (capacity->options.nodes)
		explain_nodes(capacity->state.cluster, &capacity->options);
	return rc != 0 ? STORUS_BAD : refused ? STORUS_NO : STORUS_OK;
}

int storus_capacity(int argc, char **argv)
{
	capacity_t capacity = {.drain_torus = 0};
	int status;

	if (storus_capacity_options_read(argc, argv, &capacity.options, &status) != 0)
		return status;
	status = open_capacity(&capacity) != 0 ? STORUS_BAD : print_tori(&capacity);
	storus_state_close(&capacity.state);
	return status;
}
