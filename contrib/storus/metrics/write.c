/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All metrics as OpenMetrics text: see write.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "geometry/chips.h"
#include "storus/metrics/decisions.h"
#include "storus/metrics/measured.h"
#include "storus/metrics/openmetrics.h"
#include "storus/metrics/write.h"
#include "torus/joined.h"

#define END_OF_LABELS                                                                    \
	{                                                                                \
		NULL, NULL                                                               \
	}

typedef struct measured_tori {
	FILE *file;
	int count;
	storus_measured_t *torus; /* [count] */
} measured_tori_t;

/* ---- families with one number for each torus ---- */

static double free_intervals(const storus_measured_t *torus)
{
	return torus->fragments.intervals;
}

static double largest_interval(const storus_measured_t *torus)
{
	return torus->fragments.largest;
}

/* The chance of two free nodes to be in different intervals. */
static double fragmentation(const storus_measured_t *torus)
{
	double all = (double)torus->free * torus->free;

	return torus->free ? 1 - (double)torus->fragments.squares / all : 0;
}

static double jobs(const storus_measured_t *torus)
{
	return torus->jobs;
}

static double jobs_in_one_piece(const storus_measured_t *torus)
{
	return torus->jobs - torus->jobs_in_pieces;
}

static double job_hops(const storus_measured_t *torus)
{
	return torus->hops / (double)torus->hop_nodes;
}

static double alone_hops(const storus_measured_t *torus)
{
	return torus->alone_hops / (double)torus->hop_nodes;
}

static double free_cubes(const storus_measured_t *torus)
{
	return torus->free_cubes;
}

/* ---- which tori have them ---- */

static bool has_hops(const storus_measured_t *torus)
{
	return torus->hop_nodes > 0;
}

static bool has_cubes(const storus_measured_t *torus)
{
	return torus_has_cubes(&torus->map->geometry);
}

static double used_links(const storus_measured_t *torus)
{
	return (double)torus->links.used;
}

static double shared_links(const storus_measured_t *torus)
{
	return (double)torus->links.shared;
}

static void write_single(const measured_tori_t *tori)
{
	static const struct {
		storus_om_family_t family;
		double (*value)(const storus_measured_t *torus);
		bool (*has)(const storus_measured_t *torus); /* NULL: each has it */
	} singles[] = {
		{{"slurm_torus_free_intervals", "gauge", NULL,
		  "Maximal runs of free nodes along the curve."},
		 free_intervals,
		 NULL},
		{{"slurm_torus_largest_free_interval_nodes", "gauge", "nodes",
		  "Nodes in the longest run of free nodes along the curve."},
		 largest_interval,
		 NULL},
		{{"slurm_torus_fragmentation_ratio", "gauge", "ratio",
		  "Chance that two free nodes are in different intervals; 0 when all are "
		  "in one."},
		 fragmentation,
		 NULL},
		{{"slurm_torus_jobs", "gauge", NULL,
		  "Jobs that run or are suspended with nodes on the torus."},
		 jobs,
		 NULL},
		{{"slurm_torus_jobs_in_one_piece", "gauge", NULL,
		  "Those of the jobs whose nodes there are connected."},
		 jobs_in_one_piece,
		 NULL},
		{{"slurm_torus_job_hops", "gauge", "hops",
		  "Mean hops between two nodes of a job, averaged over the nodes of all "
		  "jobs with more than one."},
		 job_hops,
		 has_hops},
		{{"slurm_torus_job_compact_hops", "gauge", "hops",
		  "The same if each job were alone on the torus, where its curve and "
		  "allocator put it."},
		 alone_hops,
		 has_hops},
		{{"slurm_torus_used_links", "gauge", "links",
		  "Directed links that messages within some job use."},
		 used_links,
		 NULL},
		{{"slurm_torus_shared_links", "gauge", "links",
		  "Directed links that messages of more than one job use."},
		 shared_links,
		 NULL},
		{{"slurm_torus_free_cubes", "gauge", NULL,
		  "Whole cubes that are free, on a machine of cubes."},
		 free_cubes,
		 has_cubes},
	};

	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
		storus_om_family(tori->file, &singles[i].family);
		for (int t = 0; t < tori->count; t++) {
			const storus_measured_t *torus = &tori->torus[t];
			const storus_om_label_t labels[] = {{"torus", torus->map->name},
							    END_OF_LABELS};

			if (!singles[i].has || singles[i].has(torus))
				storus_om_number(tori->file, &singles[i].family, "",
						 labels, singles[i].value(torus));
		}
	}
}

/* ---- families with several ---- */

/* A sample for each state, its nodes times [each]. */
static void write_states(FILE *file, const storus_om_family_t *family,
			 const storus_measured_t *torus, uint64_t each)
{
	const struct {
		const char *name;
		uint32_t nodes;
	} states[] = {{"free", torus->free},
		      {"used", torus->used},
		      {"reserved", torus->reserved},
		      {"down", torus->down}};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const storus_om_label_t labels[] = {{"torus", torus->map->name},
						    {"state", states[i].name},
						    END_OF_LABELS};

		storus_om_count(file, family, "", labels, states[i].nodes * each);
	}
}

static void write_nodes(const measured_tori_t *tori)
{
	static const storus_om_family_t family = {
		"slurm_torus_nodes", "gauge", "nodes",
		"Nodes: free, held by a job, reserved and free otherwise, down or drained."};

	storus_om_family(tori->file, &family);
	for (int t = 0; t < tori->count; t++)
		write_states(tori->file, &family, &tori->torus[t], 1);
}

/* The same in chips, where nodes are boxes of them. */
static void write_chips(const measured_tori_t *tori)
{
	static const storus_om_family_t family = {
		"slurm_torus_chips", "gauge", "chips",
		"Chips of the nodes in each state, where nodes are boxes of chips."};

	storus_om_family(tori->file, &family);
	for (int t = 0; t < tori->count; t++) {
		const storus_measured_t *torus = &tori->torus[t];

		if (torus_has_chips(&torus->map->geometry))
			write_states(tori->file, &family, torus,
				     torus_node_chips(&torus->map->geometry));
	}
}

static void write_largest(const measured_tori_t *tori)
{
	static const storus_om_family_t family = {
		"slurm_torus_largest_free_box_nodes", "gauge", "nodes",
		"Nodes in the largest free box of any sides, the largest cube, plane and "
		"line."};
	static const char *const kinds[STORUS_BOX_KINDS] = {"any", "cube", "plane",
							    "line"};

	storus_om_family(tori->file, &family);
	for (int t = 0; t < tori->count; t++) {
		const storus_measured_t *torus = &tori->torus[t];

		for (int kind = 0; kind < STORUS_BOX_KINDS; kind++) {
			const storus_om_label_t labels[] = {{"torus", torus->map->name},
							    {"kind", kinds[kind]},
							    END_OF_LABELS};

			storus_om_count(tori->file, &family, "", labels,
					torus->largest_box[kind]);
		}
	}
}

static void write_classes(const measured_tori_t *tori)
{
	static const storus_om_family_t family = {
		"slurm_torus_free_boxes", "gauge", NULL,
		"Boxes with room for so many nodes that fit at once into what is free."};

	storus_om_family(tori->file, &family);
	for (int t = 0; t < tori->count; t++) {
		const storus_measured_t *torus = &tori->torus[t];

		for (int i = 0; i < torus->classes; i++) {
			const storus_size_class_t *class = &torus->size_class[i];
			char nodes[24], shape[TORUS_DIMS_TEXT];
			const storus_om_label_t labels[] = {{"torus", torus->map->name},
							    {"nodes", nodes},
							    {"shape", shape},
							    END_OF_LABELS};

			snprintf(nodes, sizeof(nodes), "%llu",
				 (unsigned long long)class->nodes);
			torus_lengths_format(torus->map->geometry.dims, class->side,
					     shape);
			storus_om_count(tori->file, &family, "", labels, class->boxes);
		}
	}
}

static int measure_all(const measured_tori_t *tori, const storus_view_t *view,
		       const char *free_list, int64_t now, torus_error_t *err)
{
	const storus_when_t when = {now, 1};
	storus_alone_t *alone = storus_alone_create(view->cluster);
	int rc = alone ? 0 : torus_fail(err, "out of memory");

	for (int t = 0; rc == 0 && t < tori->count; t++) {
		storus_room_t room;

		rc = storus_room_open(&room, view->cluster, t, view->jobs, free_list,
				      &when, err);
		if (rc == 0)
			rc = storus_measure(view, &room, alone, t, &tori->torus[t], err);
		storus_room_clear(&room);
	}
	storus_alone_destroy(alone);
	return rc;
}

int storus_metrics_write(FILE *file, const torus_cluster_t *cluster,
			 const storus_jobs_t *jobs, const char *free_list, int64_t now,
			 const torus_tally_t *decisions, torus_error_t *err)
{
	measured_tori_t tori = {.file = file, .count = cluster->maps};
	storus_view_t *view = storus_view_create(cluster, jobs, err);
	int rc = -1;

	tori.torus = calloc((size_t)cluster->maps, sizeof(*tori.torus));
	if (view && tori.torus)
		rc = measure_all(&tori, view, free_list, now, err);
	else if (view)
		torus_fail(err, "out of memory");
	if (rc == 0) {
		write_nodes(&tori);
		write_chips(&tori);
		write_largest(&tori);
		write_classes(&tori);
		write_single(&tori);
		if (decisions)
			storus_decisions_write(file, decisions);
		storus_om_end(file);
	}
	free(tori.torus);
	storus_view_destroy(view);
	return rc;
}
