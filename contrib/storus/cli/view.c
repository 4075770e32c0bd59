/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs laid over the tori. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "machine/network_option.h"
#include "storus/cli/view.h"
#include "torus/joined.h"

/* Of what a job holds that is not listed. */
#define NO_PART UINT32_MAX

/* A node of the job at hand. */
typedef struct place {
	int torus;
	uint32_t rank;
} place_t;

/* A view that is being built, and what that needs. */
typedef struct builder {
	storus_view_t *view;
	uint32_t **occupant; /* [maps][nodes of that map, by node number] */
	uint32_t room;	     /* parts that view->part has room for */
	uint32_t *part_of;   /* [holdings] the part that a holding is, or NO_PART */
} builder_t;

static int compare_places(const void *a, const void *b)
{
	const place_t *p = a, *q = b;

	if (p->torus != q->torus)
		return p->torus < q->torus ? -1 : 1;
	return (p->rank > q->rank) - (p->rank < q->rank);
}

/*
 * The new occupant of a node that had [occupant] and that the job with [mark] holds,
 * too.
 */
static uint32_t merge(uint32_t occupant, uint32_t mark)
{
	if (occupant == STORUS_FREE || occupant == STORUS_UNUSABLE ||
	    occupant == STORUS_RESERVED || occupant == STORUS_OTHER || occupant == mark)
		return mark;
	return mark == STORUS_OTHER ? occupant : STORUS_SHARED;
}

/* Every node free or unusable, before jobs and reservations. */
static int clear_nodes(builder_t *builder, torus_error_t *err)
{
	const torus_cluster_t *cluster = builder->view->cluster;
	const storus_jobs_t *jobs = builder->view->jobs;

	for (int torus = 0; torus < cluster->maps; torus++) {
		const torus_map_t *map = cluster->map[torus];
		uint32_t *occupant = malloc(map->nodes * sizeof(*occupant));

		if (!occupant)
			return torus_fail(err, "out of memory");
		builder->occupant[torus] = occupant;
		for (uint32_t node = 0; node < map->nodes; node++) {
			/* Without names (--dims) nothing is known of the nodes. */
			const storus_node_t *known =
				map->node_name ? storus_jobs_find_node(
							 jobs, map->node_name[node])
					       : NULL;
			bool usable = !jobs->nodes_known || (known && known->usable);

			occupant[node] = usable ? STORUS_FREE : STORUS_UNUSABLE;
		}
	}
	return 0;
}

/* The free nodes of the reservations that are in force. */
static int reserve_nodes(builder_t *builder, torus_error_t *err)
{
	const storus_jobs_t *jobs = builder->view->jobs;
	int64_t now = (int64_t)time(NULL);

	for (uint32_t i = 0; i < jobs->reservations; i++) {
		uint32_t count;
		char **names;

		if (!storus_reserved_at(&jobs->reservation[i], now))
			continue;
		if (torus_hostlist_expand(jobs->reservation[i].nodelist, &names, &count,
					  err) != 0)
			return -1;
		for (uint32_t k = 0; k < count; k++) {
			uint32_t node, *occupant;
			int torus;

			if (!torus_cluster_find(builder->view->cluster, names[k], &torus,
						&node))
				continue;
			occupant = &builder->occupant[torus][node];
			if (*occupant == STORUS_FREE)
				*occupant = STORUS_RESERVED;
		}
		free(names);
	}
	return 0;
}

static storus_part_t *add_part(builder_t *builder, torus_error_t *err)
{
	storus_view_t *view = builder->view;

	if (view->parts == builder->room) {
		uint32_t room = builder->room ? 2 * builder->room : 16;
		storus_part_t *grown = realloc(view->part, room * sizeof(*grown));

		if (!grown) {
			torus_fail(err, "out of memory");
			return NULL;
		}
		view->part = grown;
		builder->room = room;
	}
	storus_part_t *part = &view->part[view->parts++];

	memset(part, 0, sizeof(*part));
	return part;
}

int storus_view_measure(const torus_map_t *map, const char *network,
			const uint32_t *cells, const uint32_t *ranks, uint32_t n,
			torus_metrics_t *metrics, storus_joined_texts_t *texts,
			torus_error_t *err)
{
	torus_network_request_t request;
	const torus_shapes_t *shapes = torus_network_shapes(network, &request);
	torus_joined_t joined;
	int rc;

	if (torus_join_shapes(&map->geometry, cells, n, shapes, &joined, err) != 0)
		return -1;
	rc = torus_metrics(&joined.geometry, joined.cell, ranks, n, map->nodes,
			   map->span == TORUS_SPAN_RING, metrics, err);
	if (rc == 0 && texts)
		rc = storus_joined_texts(&joined, texts, err);
	torus_joined_clear(&joined);
	return rc;
}

/* Fill a part's texts and metrics from the job's [n] ranks on one torus. */
static int measure_part(const torus_map_t *map, const char *network,
			const uint32_t *ranks, uint32_t n, storus_part_t *part,
			torus_error_t *err)
{
	uint32_t *cells = malloc(n * sizeof(*cells));
	const char **names = malloc(n * sizeof(*names));
	int32_t box[TORUS_MAX_DIMS];
	int rc = -1;

	if (!cells || !names) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (uint32_t i = 0; i < n; i++) {
		cells[i] = map->cell_of_rank[ranks[i]];
		names[i] = map->node_name[map->node_of_rank[ranks[i]]];
	}
	part->nodes = n;
	part->nodelist = torus_hostlist_format(names, n);
	part->ranks = torus_ranklist_format(ranks, n, ',');
	part->cells = torus_ranklist_format(cells, n, ',');
	if (!part->nodelist || !part->ranks || !part->cells)
		torus_fail(err, "out of memory");
	else
		rc = storus_view_measure(map, network, cells, ranks, n, &part->metrics,
					 &part->joined, err);
	if (rc == 0)
		rc = torus_bounding_box(&map->geometry, cells, n, box, part->origin, err);
done:
	free(names);
	free(cells);
	return rc;
}

/*
 * Add the nodes that a job holds of a torus. If the job is listed, they are its last
 * part.
 */
static int add_holding(builder_t *builder, int torus, const uint32_t *ranks, uint32_t n,
		       const storus_job_t *job, torus_error_t *err)
{
	storus_holdings_t *holdings = &builder->view->holdings;
	uint32_t *part_of =
		reallocarray(builder->part_of, holdings->count + 1, sizeof(*part_of));

	if (!part_of)
		return torus_fail(err, "out of memory");
	builder->part_of = part_of;
	part_of[holdings->count] = job->listed ? builder->view->parts - 1 : NO_PART;
	/* Of hidden jobs nobody knows which nodes send messages to each other. */
	return storus_holdings_add(holdings, torus, ranks, n, !job->hidden, err);
}

/* The ranks of places[0 .. count-1], sorted and of one torus, each once. */
static uint32_t list_ranks(const place_t *places, uint32_t count, uint32_t *ranks)
{
	uint32_t distinct = 0;

	for (uint32_t i = 0; i < count; i++) {
		/* A node named twice is one node. */
		if (!i || places[i].rank != places[i - 1].rank)
			ranks[distinct++] = places[i].rank;
	}
	return distinct;
}

/* Make the part of a listed job on a torus. */
static int add_torus_part(builder_t *builder, uint32_t job, uint32_t mark, int torus,
			  const uint32_t *ranks, uint32_t n, torus_error_t *err)
{
	storus_part_t *part = add_part(builder, err);

	if (!part)
		return -1;
	part->job = job;
	part->mark = mark;
	part->torus = torus;
	return measure_part(builder->view->cluster->map[torus],
			    builder->view->jobs->job[job].network, ranks, n, part, err);
}

/* The part of a listed job on nodes that no torus has. */
static int add_outside_part(builder_t *builder, uint32_t job, uint32_t mark,
			    const char **outside, uint32_t count, torus_error_t *err)
{
	storus_part_t *part = add_part(builder, err);

	if (!part)
		return -1;
	part->job = job;
	part->mark = mark;
	part->torus = -1;
	part->nodes = count;
	part->nodelist = torus_hostlist_format(outside, count);
	return part->nodelist ? 0 : torus_fail(err, "out of memory");
}

/* Add what a job has on the tori, torus by torus, and its parts if it is listed. */
static int add_places(builder_t *builder, uint32_t job, uint32_t mark, place_t *places,
		      uint32_t count, torus_error_t *err)
{
	const storus_job_t *record = &builder->view->jobs->job[job];
	uint32_t *ranks = malloc((count + 1) * sizeof(*ranks));
	int rc = 0;

	if (!ranks)
		return torus_fail(err, "out of memory");
	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t first = 0, next = 0; rc == 0 && first < count; first = next) {
		int torus = places[first].torus;
		uint32_t n;

		while (next < count && places[next].torus == torus)
			next++;
		n = list_ranks(places + first, next - first, ranks);
		if (record->listed)
			rc = add_torus_part(builder, job, mark, torus, ranks, n, err);
		if (rc == 0)
			rc = add_holding(builder, torus, ranks, n, record, err);
	}
	free(ranks);
	return rc;
}

static int add_job(builder_t *builder, uint32_t job, uint32_t mark, torus_error_t *err)
{
	const storus_job_t *record = &builder->view->jobs->job[job];
	char **names = NULL;
	uint32_t count, placed = 0, outside_count = 0;
	const char **outside = NULL;
	place_t *places = NULL;
	int rc = -1;

	if (torus_hostlist_expand(record->nodelist, &names, &count, err) != 0)
		return torus_fail_prefix(err, "job %s: ", record->id);
	places = malloc(count * sizeof(*places));
	outside = malloc(count * sizeof(*outside));
	if (!places || !outside) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (uint32_t i = 0; i < count; i++) {
		int torus;
		uint32_t node;

		if (!torus_cluster_find(builder->view->cluster, names[i], &torus,
					&node)) {
			outside[outside_count++] = names[i];
			continue;
		}
		uint32_t *occupant = &builder->occupant[torus][node];

		*occupant = merge(*occupant, mark);
		places[placed].torus = torus;
		places[placed++].rank =
			builder->view->cluster->map[torus]->rank_of_node[node];
	}
	rc = add_places(builder, job, mark, places, placed, err);
	if (rc == 0 && record->listed && outside_count)
		rc = add_outside_part(builder, job, mark, outside, outside_count, err);
done:
	free(outside);
	free(places);
	free(names);
	return rc;
}

int storus_grid_fill(const torus_map_t *map, const uint32_t *occupant,
		     storus_grid_t *grid, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *used = calloc(cells, sizeof(*used));

	if (!used)
		return torus_fail(err, "out of memory");
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t depth = ++used[map->cell_of_rank[rank]];

		if (depth > grid->depth)
			grid->depth = depth;
	}
	size_t slots = (size_t)cells * grid->depth;

	grid->occupant = malloc(slots * sizeof(*grid->occupant));
	if (grid->occupant) {
		for (size_t i = 0; i < slots; i++)
			grid->occupant[i] = STORUS_NOTHING;
		memset(used, 0, cells * sizeof(*used));
		for (uint32_t node = 0; node < map->nodes; node++) {
			uint32_t cell = torus_map_cell(map, node);

			grid->occupant[(size_t)cell * grid->depth + used[cell]++] =
				occupant[node];
		}
	}
	free(used);
	return grid->occupant ? 0 : torus_fail(err, "out of memory");
}

static int build(builder_t *builder, torus_error_t *err)
{
	storus_view_t *view = builder->view;
	uint32_t mark = 0;

	if (clear_nodes(builder, err) != 0 || reserve_nodes(builder, err) != 0 ||
	    storus_holdings_open(&view->holdings, view->cluster, err) != 0)
		return -1;
	for (uint32_t job = 0; job < view->jobs->count; job++) {
		bool listed = view->jobs->job[job].listed;

		if (add_job(builder, job, listed ? mark++ : STORUS_OTHER, err) != 0)
			return -1;
	}
	for (uint32_t i = 0; i < view->holdings.count; i++) {
		uint32_t part = builder->part_of[i];

		if (part != NO_PART &&
		    storus_holdings_measure(&view->holdings, i,
					    &view->part[part].isolation, err) != 0)
			return -1;
	}
	for (int torus = 0; torus < view->cluster->maps; torus++) {
		if (storus_grid_fill(view->cluster->map[torus], builder->occupant[torus],
				     &view->grid[torus], err) != 0)
			return -1;
	}
	return 0;
}

storus_view_t *storus_view_create(const torus_cluster_t *cluster,
				  const storus_jobs_t *jobs, torus_error_t *err)
{
	builder_t builder = {0};
	size_t maps = (size_t)cluster->maps;
	int rc = -1;

	builder.occupant = calloc(maps, sizeof(*builder.occupant));
	builder.view = calloc(1, sizeof(*builder.view));
	if (builder.view) {
		builder.view->cluster = cluster;
		builder.view->jobs = jobs;
		builder.view->grid = calloc(maps, sizeof(*builder.view->grid));
	}
	if (builder.occupant && builder.view && builder.view->grid)
		rc = build(&builder, err);
	else
		torus_fail(err, "out of memory");
	for (size_t torus = 0; builder.occupant && torus < maps; torus++)
		free(builder.occupant[torus]);
	free(builder.occupant);
	free(builder.part_of);
	if (rc != 0) {
		storus_view_destroy(builder.view);
		return NULL;
	}
	return builder.view;
}

void storus_view_destroy(storus_view_t *view)
{
	if (!view)
		return;
	for (uint32_t i = 0; i < view->parts; i++) {
		free(view->part[i].nodelist);
		free(view->part[i].ranks);
		free(view->part[i].cells);
		storus_joined_texts_clear(&view->part[i].joined);
	}
	for (int torus = 0; view->grid && torus < view->cluster->maps; torus++)
		free(view->grid[torus].occupant);
	storus_holdings_close(&view->holdings);
	free(view->grid);
	free(view->part);
	free(view);
}
