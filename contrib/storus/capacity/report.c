/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus capacity prints of one torus. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bitmap.h"
#include "capacity/largest_in_cube.h"
#include "capacity/packing.h"
#include "metrics/fragments.h"
#include "place/box_bits.h"
#include "storus/capacity/report.h"
#include "storus/capacity/wanted.h"
#include "storus/cli/kept.h"
#include "torus/cubes.h"
#include "torus/joined.h"

/* Looks at cells before the search through all packings is given up: well below 0.1 s. */
#define PACKING_STEPS 2000000

/* What is worked out for one torus. */
typedef struct work {
	storus_report_t *report;
	const storus_room_t *room;
	const storus_capacity_options_t *options;
	torus_packing_t *packing; /* the boxes of --shape, which --drain compares with */
	torus_error_t *err;
} work_t;

static void add(const work_t *work, storus_field_t field)
{
	work->report->field[work->report->fields++] = field;
}

/* Add a malloc'ed text, which the report takes over; an empty one counts as missing.
 * Returns 0, or -1: it is NULL. */
static int add_owned(const work_t *work, const char *name, char *text)
{
	if (!text)
		return torus_fail(work->err, "out of memory");
	work->report->text[work->report->texts++] = text;
	add(work, storus_text(name, *text ? text : NULL));
	return 0;
}

static void add_missing(const work_t *work, const char *name)
{
	add(work, storus_text(name, NULL));
}

/* ---- texts ---- */

/* Names, separated by commas. */
static char *format_names(const char *const *name, uint32_t count)
{
	size_t size = 1;
	char *text, *end;

	for (uint32_t i = 0; i < count; i++)
		size += strlen(name[i]) + 1;
	text = end = malloc(size);
	if (!text)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		end += sprintf(end, "%s%s", i ? "," : "", name[i]);
	*end = '\0';
	return text;
}

/* Ids of the jobs [in]. */
static char *format_jobs(const storus_jobs_t *jobs, const bool *in)
{
	const char **id = malloc(((size_t)jobs->count + 1) * sizeof(*id));
	uint32_t count = 0;
	char *text;

	if (!id)
		return NULL;
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (in[i])
			id[count++] = jobs->job[i].id;
	}
	text = format_names(id, count);
	free(id);
	return text;
}

/* A time as squeue prints it; "now" for INT64_MIN. */
static char *format_time(int64_t when)
{
	time_t seconds = (time_t)when;
	struct tm local;
	char text[64];

	if (when == INT64_MIN)
		return strdup("now");
	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &local))
		return strdup("unknown");
	return strdup(text);
}

static char *format_sides(const torus_map_t *map, const int32_t *side)
{
	char text[TORUS_DIMS_TEXT];

	return strdup(torus_lengths_format(map->geometry.dims, side, text));
}

/* ---- what is free ---- */

static int add_largest(const work_t *work, const char *name,
		       const torus_largest_t *largest)
{
	return add_owned(work, name, format_sides(work->room->map, largest->side));
}

/* The nodes on [cells], names or ranks, and how many they are. */
static char *format_cells(const torus_map_t *map, const uint64_t *cells, uint32_t *count)
{
	uint64_t *ranks = torus_bitmap_create(map->nodes);
	char *text;

	if (!ranks)
		return NULL;
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (torus_bit_test(cells, map->cell_of_rank[rank]))
			torus_bit_set(ranks, rank);
	}
	*count = torus_bitmap_count(ranks, map->nodes);
	text = storus_ranks_format(map, ranks);
	free(ranks);
	return text;
}

/* The same for those in a box. */
static char *format_box(const work_t *work, const int32_t *side, uint32_t corner,
			uint32_t *count)
{
	const torus_map_t *map = work->room->map;
	uint64_t *cells = torus_bitmap_create(work->room->cells);
	int32_t first[TORUS_MAX_DIMS];
	char *text;

	if (!cells)
		return NULL;
	torus_cell_to_coord(&map->geometry, corner, first);
	for (uint32_t cell = 0; cell < work->room->cells; cell++) {
		if (torus_box_has(&map->geometry, first, side, cell))
			torus_bit_set(cells, cell);
	}
	text = format_cells(map, cells, count);
	free(cells);
	return text;
}

/* The whole cubes, and the most compact torus that all of them can be joined to. */
static int add_cubes(const work_t *work)
{
	const torus_map_t *map = work->room->map;
	uint32_t whole;
	int32_t side[TORUS_MAX_DIMS];

	if (!torus_has_cubes(&map->geometry)) {
		add_missing(work, "free_cubes");
		add_missing(work, "largest_joined");
		return 0;
	}
	whole = torus_whole_cubes(&map->geometry, work->room->usable);
	add(work, storus_count("free_cubes", whole));
	if (whole)
		torus_cubes_compact(&map->geometry, whole, side);
	return add_owned(work, "largest_joined",
			 whole ? format_sides(map, side) : strdup(""));
}

/* The largest box, what is in it, and the largest of other forms. */
static int add_boxes(const work_t *work, int dims)
{
	static const char *const names[] = {NULL,	  "largest_line", "largest_plane",
					    "largest_3d", "largest_4d",	  "largest_5d"};
	const storus_room_t *room = work->room;
	const torus_geometry_t *geometry = &room->map->geometry;
	torus_largest_t largest;
	uint32_t nodes = 0;
	char *text;

	if (torus_largest_room(geometry, room->usable, geometry->dims, &largest,
			       work->err) != 0 ||
	    add_largest(work, "largest_box", &largest) != 0)
		return -1;
	text = largest.volume ? format_box(work, largest.side, largest.corner, &nodes)
			      : strdup("");
	add(work, storus_count("largest_box_nodes", nodes));
	if (add_owned(work,
		      room->map->node_name ? "largest_box_nodelist" : "largest_box_ranks",
		      text) != 0)
		return -1;
	for (int sides = 1; sides < dims; sides++) {
		if (sides >= geometry->dims)
			add_missing(work, names[sides]);
		else if (torus_largest_room(geometry, room->usable, sides, &largest,
					    work->err) != 0 ||
			 add_largest(work, names[sides], &largest) != 0)
			return -1;
	}
	if (torus_largest_room(geometry, room->usable, 0, &largest, work->err) != 0 ||
	    add_largest(work, "largest_cube", &largest) != 0)
		return -1;
	return work->options->has_cubes ? add_cubes(work) : 0;
}

/* What is reserved, and what no job can run on. */
static int add_kept(const work_t *work)
{
	const storus_room_t *room = work->room;

	if (add_owned(work, "reserved_by",
		      storus_kept_reserved(room->cluster, room->torus, room->jobs,
					   room->when.now, "; ", work->err)) != 0)
		return -1;
	return add_owned(work, "down_nodes",
			 storus_kept_unusable(room->cluster, room->torus, room->jobs,
					      "; ", work->err));
}

static int add_free(const work_t *work, int dims)
{
	const storus_room_t *room = work->room;
	const torus_map_t *map = room->map;
	torus_fragments_t fragments = torus_fragments(room->free, map->nodes, map->span);

	add(work, storus_count("nodes", map->nodes));
	add(work, storus_count("free", fragments.free));
	add(work,
	    storus_count("reserved", torus_bitmap_count(room->reserved, map->nodes)));
	add(work, storus_count("down", room->downs));
	if (add_kept(work) != 0)
		return -1;
	add(work, storus_count("intervals", fragments.intervals));
	add(work, storus_count("largest_interval", fragments.largest));
	return add_boxes(work, dims);
}

/* ---- --shape ---- */

/* Which of the holders have one of [cells]. */
static void mark_holders(const storus_room_t *room, const torus_holders_t *holders,
			 const uint64_t *cells, bool *in)
{
	memset(in, 0, holders->holders * sizeof(*in));
	for (uint32_t cell = torus_bitmap_next_set(cells, room->cells, 0);
	     cell < room->cells;
	     cell = torus_bitmap_next_set(cells, room->cells, cell + 1)) {
		for (uint32_t i = holders->first[cell]; i < holders->first[cell + 1]; i++)
			in[holders->holder[i]] = true;
	}
}

/* The box of [shape] with the fewest holders, and its cells, malloc'ed if there is one.
 * Returns as torus_fewest_holders(). */
static int find_fewest(const work_t *work, const torus_holders_t *holders,
		       const torus_shape_t *shape, torus_in_the_way_t *box,
		       uint64_t **cells)
{
	int found;

	*cells = torus_bitmap_create(work->room->cells);
	if (!*cells)
		return torus_fail(work->err, "out of memory");
	found = torus_fewest_holders(&work->room->map->geometry, holders, shape, box,
				     *cells, work->err);
	if (found <= 0) {
		free(*cells);
		*cells = NULL;
	}
	return found;
}

/* The nodes among those that are down whose holders are [in]. */
static char *format_downs(const storus_room_t *room, const bool *in)
{
	uint64_t *ranks = torus_bitmap_create(room->map->nodes);
	char *text;

	if (!ranks)
		return NULL;
	for (uint32_t i = 0; i < room->downs; i++) {
		if (in[room->jobs->count + i])
			torus_bit_set(ranks, room->down_rank[i]);
	}
	text = storus_ranks_format(room->map, ranks);
	free(ranks);
	return text;
}

/* The names of the reservations whose holders are [in]. */
static char *format_reservations(const storus_room_t *room, const bool *in)
{
	uint32_t others = room->jobs->count + room->downs;
	const char **name =
		malloc(((size_t)room->jobs->reservations + 1) * sizeof(*name));
	uint32_t count = 0;
	char *text;

	if (!name)
		return NULL;
	for (uint32_t i = 0; i < room->jobs->reservations; i++) {
		if (in[others + i])
			name[count++] = storus_reserved_name(&room->jobs->reservation[i]);
	}
	text = format_names(name, count);
	free(name);
	return text;
}

/* The box with fewest jobs, nodes that are down, and reservations in it. */
static int add_in_the_way(const work_t *work, bool is_free)
{
	const storus_room_t *room = work->room;
	const char *jobs_name = "in_the_way_jobs", *nodes_name = "in_the_way_down";
	const char *reservations_name = "in_the_way_reservations";
	const torus_holders_t holders = storus_room_obstacles(room);
	torus_in_the_way_t box;
	uint64_t *cells = NULL;
	int found = 0, rc = -1;
	bool *in;

	if (!is_free)
		found = find_fewest(work, &holders, &work->options->shape, &box, &cells);
	if (found <= 0) {
		add_missing(work, jobs_name);
		add_missing(work, nodes_name);
		add_missing(work, reservations_name);
		return found;
	}
	in = malloc((size_t)holders.holders + 1);
	if (in)
		mark_holders(room, &holders, cells, in);
	free(cells);
	if (!in)
		return torus_fail(work->err, "out of memory");
	if (add_owned(work, jobs_name, format_jobs(room->jobs, in)) == 0 &&
	    add_owned(work, nodes_name, format_downs(room, in)) == 0 &&
	    add_owned(work, reservations_name, format_reservations(room, in)) == 0)
		rc = 0;
	free(in);
	return rc;
}

/* The first time of --shape: "unknown" where it depends on what Slurm does not show. */
static int add_first_time(const work_t *work)
{
	const storus_room_t *room = work->room;
	const torus_geometry_t *geometry = &room->map->geometry;
	torus_holders_t holders = storus_room_jobs(room);
	const char *otherwise = "never";
	int64_t when;
	int found = torus_first_time(geometry, &holders, &work->options->shape, &when,
				     work->err);

	if (found == 0 && storus_room_shown(room, &holders)) {
		found = torus_first_time(geometry, &holders, &work->options->shape, &when,
					 work->err);
		otherwise = found > 0 ? "unknown" : "never";
		found = found > 0 ? 0 : found;
	}
	if (found < 0)
		return -1;
	return add_owned(work, "shape_first_time",
			 found ? format_time(when) : strdup(otherwise));
}

static int add_shape(const work_t *work)
{
	const storus_room_t *room = work->room;
	torus_packing_t *packing = work->packing;

	if (!work->options->shape_text)
		return 0;
	if (torus_packing(&room->map->geometry, room->usable, &work->options->shape,
			  PACKING_STEPS, packing, work->err) != 0)
		return -1;
	add(work, storus_text(work->options->shape.in_chips ? "chips" : "shape",
			      work->options->shape_text));
	add(work, storus_count("shape_boxes", packing->boxes));
	add(work, storus_count("shape_at_once_least", packing->least));
	add(work, storus_count("shape_at_once_most", packing->most));
	work->report->refused |= !packing->boxes;
	if (add_first_time(work) != 0)
		return -1;
	return add_in_the_way(work, packing->boxes);
}

/* ---- --nodes ---- */

/* The jobs that have some of [ranks]. */
static char *format_jobs_on(const storus_room_t *room, const uint64_t *ranks)
{
	const torus_holders_t holders = storus_room_jobs_of_ranks(room);
	bool *in = calloc((size_t)holders.holders + 1, sizeof(*in));
	char *text;

	if (!in)
		return NULL;
	for (uint32_t rank = 0; rank < room->map->nodes; rank++) {
		for (uint32_t i = holders.first[rank];
		     torus_bit_test(ranks, rank) && i < holders.first[rank + 1]; i++)
			in[holders.holder[i]] = true;
	}
	text = format_jobs(room->jobs, in);
	free(in);
	return text;
}

static int add_granted(const work_t *work, const storus_granted_t *granted,
		       const char *const *names)
{
	const storus_room_t *room = work->room;
	char sides[TORUS_DIMS_TEXT];

	if (add_owned(work, names[0], storus_ranks_format(room->map, granted->ranks)) !=
		    0 ||
	    storus_ranks_sides(room->map, granted->ranks, sides, work->err) != 0 ||
	    add_owned(work, "nodes_box", strdup(sides)) != 0)
		return -1;
	add(work, storus_ratio("nodes_hops", granted->hops));
	if (granted->alone > 0)
		add(work, storus_ratio("nodes_near", granted->hops / granted->alone));
	else
		add_missing(work, "nodes_near");
	return add_owned(work, "nodes_in_the_way_jobs",
			 format_jobs_on(room, granted->ranks));
}

static int add_nodes(const work_t *work)
{
	const storus_capacity_options_t *options = work->options;
	const torus_shapes_t any = {.any = true};
	const storus_wanted_t wanted = {
		.nodes = (uint32_t)options->nodes,
		.shapes = options->any ? &any : NULL,
		.near = options->near,
	};
	const char *const names[] = {
		work->room->map->node_name ? "nodes_nodelist" : "nodes_ranks",
		"nodes_box",
		"nodes_hops",
		"nodes_near",
		"nodes_in_the_way_jobs",
	};
	storus_granted_t granted;
	int found, rc = 0;

	if (!options->nodes)
		return 0;
	found = storus_wanted_first(work->room, &wanted, &granted, work->err);
	if (found < 0)
		return -1;
	add(work, storus_count("nodes_wanted", options->nodes));
	if (add_owned(work, "nodes_first_time",
		      !found		? strdup("never")
		      : granted.unknown ? strdup("unknown")
					: format_time(granted.when)) != 0)
		rc = -1;
	else if (granted.ranks)
		rc = add_granted(work, &granted, names);
	else
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			add_missing(work, names[i]);
	work->report->refused |= !granted.ranks || granted.when != INT64_MIN;
	storus_granted_clear(&granted);
	return rc;
}

/* ---- --advise ---- */

/* Missing fields of an advice that there is not. */
static void add_no_advice(const work_t *work, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_missing(work, names[i]);
}

/* Print the jobs on [cells], and the nodes there. */
static int add_advice(const work_t *work, const torus_holders_t *holders,
		      const uint64_t *cells, const char *jobs_name, const char *box_name)
{
	const storus_room_t *room = work->room;
	bool *in = malloc((size_t)holders->holders + 1);
	uint32_t count;
	int rc;

	if (!in)
		return torus_fail(work->err, "out of memory");
	mark_holders(room, holders, cells, in);
	rc = add_owned(work, jobs_name, format_jobs(room->jobs, in));
	free(in);
	if (rc != 0)
		return -1;
	return add_owned(work, box_name, format_cells(room->map, cells, &count));
}

static int advise_requeue(const work_t *work)
{
	static const char *const names[] = {"requeue_preemptible",
					    "requeue_not_preemptible", "requeue_jobs",
					    "requeue_box"};
	const torus_holders_t holders = storus_room_jobs_now(work->room);
	torus_in_the_way_t box;
	uint64_t *cells;
	int found = find_fewest(work, &holders, &work->options->advise, &box, &cells);

	if (found <= 0) {
		work->report->refused = true;
		add_no_advice(work, names, 4);
		return found;
	}
	add(work, storus_count(names[0], box.other));
	add(work, storus_count(names[1], box.dear));
	found = add_advice(work, &holders, cells, names[2], names[3]);
	free(cells);
	return found;
}

/* The cells that are not free at the time [when]; malloc'ed. NULL: out of memory. */
static uint64_t *never_until(const storus_room_t *room, const torus_holders_t *holders,
			     int64_t when)
{
	uint64_t *never = torus_bitmap_create(room->cells);
	uint64_t *usable = torus_bitmap_create(room->cells);

	if (never && usable) {
		torus_usable_at(&room->map->geometry, holders, when, usable);
		for (uint32_t cell = 0; cell < room->cells; cell++) {
			if (!torus_bit_test(usable, cell))
				torus_bit_set(never, cell);
		}
	}
	if (!usable) {
		free(never);
		never = NULL;
	}
	free(usable);
	return never;
}

static int advise_wait(const work_t *work)
{
	static const char *const names[] = {"wait_until", "wait_jobs", "wait_box"};
	const storus_room_t *room = work->room;
	const torus_geometry_t *geometry = &room->map->geometry;
	torus_holders_t holders = storus_room_jobs(room);
	torus_in_the_way_t box;
	uint64_t *never, *cells;
	int64_t when;
	int rc = torus_first_time(geometry, &holders, &work->options->advise, &when,
				  work->err);

	if (rc <= 0) {
		add_no_advice(work, names, 3);
		return rc;
	}
	never = never_until(room, &holders, when);
	if (!never)
		return torus_fail(work->err, "out of memory");
	holders.never = never;
	holders.dear = NULL;
	rc = find_fewest(work, &holders, &work->options->advise, &box, &cells);
	if (rc > 0 && add_owned(work, names[0], format_time(when)) == 0)
		rc = add_advice(work, &holders, cells, names[1], names[2]);
	else
		rc = -1;
	free(cells);
	free(never);
	return rc;
}

static int add_advise(const work_t *work)
{
	if (!work->options->advise_text)
		return 0;
	add(work, storus_text(work->options->advise.in_chips ? "advise_chips" : "advise",
			      work->options->advise_text));
	return advise_requeue(work) != 0 ? -1 : advise_wait(work);
}

/* ---- --drain ---- */

#define DRAIN_CUBES "drain_free_cubes"

/* The whole cubes among the [usable] cells. */
static void add_drained_cubes(const work_t *work, const uint64_t *usable)
{
	const torus_geometry_t *geometry = &work->room->map->geometry;

	if (torus_has_cubes(geometry))
		add(work, storus_count(DRAIN_CUBES, torus_whole_cubes(geometry, usable)));
	else
		add_missing(work, DRAIN_CUBES);
}

/* The same numbers without one node. */
static int drain_rank(const work_t *work, uint32_t rank, const uint64_t *free_ranks,
		      uint64_t *usable, const char *const *names)
{
	const torus_map_t *map = work->room->map;
	torus_fragments_t fragments = torus_fragments(free_ranks, map->nodes, map->span);
	torus_packing_t left;
	torus_largest_t largest;
	bool has = torus_bit_test(work->room->usable, map->cell_of_rank[rank]);

	if (has)
		torus_bit_clear(usable, map->cell_of_rank[rank]);
	add(work, storus_count(names[0], fragments.free));
	add(work, storus_count(names[1], fragments.largest));
	if (torus_largest_room(&map->geometry, usable, map->geometry.dims, &largest,
			       work->err) != 0 ||
	    add_largest(work, names[2], &largest) != 0)
		return -1;
	if (work->options->has_cubes)
		add_drained_cubes(work, usable);
	if (!work->options->shape_text)
		return 0;
	if (torus_packing(&map->geometry, usable, &work->options->shape, PACKING_STEPS,
			  &left, work->err) != 0)
		return -1;
	add(work, storus_count(names[3], work->packing->boxes - left.boxes));
	add(work, storus_count(names[4], left.least));
	add(work, storus_count(names[5], left.most));
	return 0;
}

static int add_drain(const work_t *work, uint32_t rank)
{
	static const char *const names[] = {
		"drain_free",	    "drain_largest_interval", "drain_largest_box",
		"drain_boxes_lost", "drain_at_once_least",    "drain_at_once_most"};
	const storus_room_t *room = work->room;
	size_t words = TORUS_WORDS(room->map->nodes);
	uint64_t *free_ranks, *usable;
	int rc = -1;

	if (!work->options->drain)
		return 0;
	if (rank >= room->map->nodes) {
		add_missing(work, "drain");
		add_no_advice(work, names, 3);
		if (work->options->has_cubes)
			add_missing(work, DRAIN_CUBES);
		if (work->options->shape_text)
			add_no_advice(work, names + 3, 3);
		return 0;
	}
	add(work, storus_text("drain", work->options->drain));
	free_ranks = torus_bitmap_create(room->map->nodes);
	usable = torus_bitmap_create(room->cells);
	if (free_ranks && usable) {
		memcpy(free_ranks, room->free, words * sizeof(*free_ranks));
		memcpy(usable, room->usable, TORUS_WORDS(room->cells) * sizeof(*usable));
		torus_bit_clear(free_ranks, rank);
		rc = drain_rank(work, rank, free_ranks, usable, names);
	} else {
		torus_fail(work->err, "out of memory");
	}
	free(free_ranks);
	free(usable);
	return rc;
}

int storus_report_fill(storus_report_t *report, const storus_room_t *room,
		       const storus_capacity_options_t *options, const char *name,
		       int dims, uint32_t drain, torus_error_t *err)
{
	torus_packing_t packing;
	const work_t work = {report, room, options, &packing, err};

	*report = (storus_report_t){.fields = 0};
	if (name)
		add(&work, storus_text("torus", name));
	if (add_free(&work, dims) != 0 || add_nodes(&work) != 0 ||
	    add_shape(&work) != 0 || add_advise(&work) != 0 ||
	    add_drain(&work, drain) != 0)
		return -1;
	return 0;
}

void storus_report_clear(storus_report_t *report)
{
	for (size_t i = 0; i < report->texts; i++)
		free(report->text[i]);
	*report = (storus_report_t){.fields = 0};
}
