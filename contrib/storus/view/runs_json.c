/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a history as data for the page. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "storus/cli/progress.h"
#include "storus/cli/view.h"
#include "storus/view/column.h"
#include "storus/view/runs_json.h"

/* The texts of a column, each once. */
typedef struct texts {
	json_t *number_of; /* text: its place in [values] */
	json_t *values;
	storus_column_t at; /* for each run, -1: none */
	bool any;
} texts_t;

#define STORUS_COUNT_TEXT(text) +1
enum { ID, TEXTS = 1 STORUS_JOB_TEXTS(STORUS_COUNT_TEXT) };

/* The columns of numbers: of the runs, of their parts, and of the intervals of ranks that
 * a part has. */
enum {
	START,
	SECONDS,
	PART_RUN,
	PART_TORUS,
	PART_NODES,
	PART_INTERVALS,
	PART_BY_NODE,
	PART_BOX,
	PART_ORIGIN,
	PART_SUMMED_DISTANCE,
	PART_DIAMETER,
	PART_COMPONENTS,
	PART_SPAN,
	INTERVAL_GAP,
	INTERVAL_LENGTH,
	COLUMNS
};
static const char *const column_names[COLUMNS] = {
	"start",	   "seconds",
	"part_run",	   "part_torus",
	"part_nodes",	   "part_intervals",
	"part_by_node",	   "part_box",
	"part_origin",	   "part_summed_distance",
	"part_diameter",   "part_components",
	"part_span",	   "interval_gap",
	"interval_length",
};

typedef struct packer {
	const torus_cluster_t *cluster;
	storus_column_t column[COLUMNS];
	texts_t text[TEXTS];
	texts_t box;
	json_t *outside; /* part: nodelist of nodes that no torus has */
	uint32_t parts;
	/* Room for a run's nodes. */
	uint32_t room;
	uint64_t *place; /* torus and rank as one number */
	const char **name;
	uint32_t *rank, *cell; /* once the cells are measured, cell[] is free */
} packer_t;

/* Add [text], which may be NULL. Returns 0, or -1: out of memory. */
static int add_text(texts_t *texts, const char *text)
{
	const json_t *known;
	json_int_t number;

	if (!text) {
		storus_column_add(&texts->at, -1);
		return 0;
	}
	texts->any = true;
	known = json_object_get(texts->number_of, text);
	number = known ? json_integer_value(known)
		       : (json_int_t)json_array_size(texts->values);
	storus_column_add(&texts->at, number);
	if (known)
		return 0;
	return json_object_set_new(texts->number_of, text, json_integer(number)) == 0 &&
			       json_array_append_new(texts->values, json_string(text)) ==
				       0
		       ? 0
		       : -1;
}

static int open_texts(texts_t *texts)
{
	texts->number_of = json_object();
	texts->values = json_array();
	texts->at.steps = true;
	return texts->number_of && texts->values ? 0 : -1;
}

static void close_texts(texts_t *texts)
{
	json_decref(texts->number_of);
	json_decref(texts->values);
	storus_column_clear(&texts->at);
}

static json_t *texts_json(texts_t *texts)
{
	return json_pack("{s:O, s:o}", "values", texts->values, "at",
			 storus_column_json(&texts->at));
}

static int make_room(packer_t *packer, uint32_t nodes)
{
	uint64_t *place;
	const char **name;
	uint32_t *rank, *cell;

	if (nodes <= packer->room)
		return 0;
	place = reallocarray(packer->place, nodes, sizeof(*place));
	packer->place = place ? place : packer->place;
	name = reallocarray(packer->name, nodes, sizeof(*name));
	packer->name = name ? name : packer->name;
	rank = reallocarray(packer->rank, nodes, sizeof(*rank));
	packer->rank = rank ? rank : packer->rank;
	cell = reallocarray(packer->cell, nodes, sizeof(*cell));
	packer->cell = cell ? cell : packer->cell;
	if (!place || !name || !rank || !cell)
		return -1;
	packer->room = nodes;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

	return (p > q) - (p < q);
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return (p > q) - (p < q);
}

/* The intervals of sorted numbers. */
static uint32_t count_intervals(const uint32_t *number, uint32_t n)
{
	uint32_t intervals = 0;

	for (uint32_t i = 0; i < n; i++)
		intervals += !i || number[i] != number[i - 1] + 1;
	return intervals;
}

/* Add them: how many numbers there are before each, from the end of the one before. */
static void add_intervals(packer_t *packer, const uint32_t *number, uint32_t n)
{
	uint32_t end = 0;

	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && number[next] == number[next - 1] + 1;)
			next++;
		storus_column_add(&packer->column[INTERVAL_GAP], number[i] - end);
		storus_column_add(&packer->column[INTERVAL_LENGTH], next - i);
		end = number[next - 1] + 1;
	}
}

/*
 * Add the intervals of the ranks of a part on [map], or of its nodes' numbers if these
 * are fewer. Returns how many.
 */
static uint32_t add_ranks(packer_t *packer, const torus_map_t *map, uint32_t n,
			  bool *by_node)
{
	uint32_t *node = packer->cell;
	uint32_t intervals = count_intervals(packer->rank, n), others = intervals;

	if (intervals > 2) {
		for (uint32_t i = 0; i < n; i++)
			node[i] = map->node_of_rank[packer->rank[i]];
		qsort(node, n, sizeof(*node), compare_numbers);
		others = count_intervals(node, n);
	}
	*by_node = others < intervals;
	add_intervals(packer, *by_node ? node : packer->rank, n);
	return *by_node ? others : intervals;
}

/* A part on no torus has zeros where others have metrics. */
static int add_part(packer_t *packer, uint32_t run, int torus, uint32_t n,
		    const torus_metrics_t *metrics, const char *box, uint32_t origin)
{
	bool by_node = false;
	uint32_t intervals =
		torus < 0 ? 0
			  : add_ranks(packer, packer->cluster->map[torus], n, &by_node);
	const int64_t values[] = {
		[PART_RUN] = run,
		[PART_TORUS] = torus,
		[PART_NODES] = n,
		[PART_INTERVALS] = intervals,
		[PART_BY_NODE] = by_node,
		[PART_BOX] = 0,
		[PART_ORIGIN] = origin,
		[PART_SUMMED_DISTANCE] = (int64_t)metrics->summed_distance,
		[PART_DIAMETER] = metrics->diameter,
		[PART_COMPONENTS] = metrics->components,
		[PART_SPAN] = (int64_t)(metrics->stretch_span * n + 0.5),
	};
	for (int i = PART_RUN; i <= PART_SPAN; i++) {
		if (i != PART_BOX)
			storus_column_add(&packer->column[i], values[i]);
	}
	packer->parts++;
	return add_text(&packer->box, box);
}

/* Add what a run has on a torus: [n] of its nodes, in packer->rank[], ascending. */
static int add_torus_part(packer_t *packer, uint32_t run, int torus, uint32_t n,
			  torus_error_t *err)
{
	const torus_map_t *map = packer->cluster->map[torus];
	const torus_geometry_t *geometry = &map->geometry;
	int32_t box[TORUS_MAX_DIMS], origin[TORUS_MAX_DIMS];
	char text[TORUS_DIMS_TEXT];
	torus_metrics_t metrics;
	uint32_t first = 0, stride = 1;

	for (uint32_t i = 0; i < n; i++)
		packer->cell[i] = map->cell_of_rank[packer->rank[i]];
	if (storus_view_measure(map, NULL, packer->cell, packer->rank, n, &metrics, NULL,
				err) != 0 ||
	    torus_bounding_box(geometry, packer->cell, n, box, origin, err) != 0)
		return -1;
	for (int axis = 0; axis < geometry->dims; axis++) {
		first += (uint32_t)origin[axis] * stride;
		stride *= (uint32_t)geometry->length[axis];
	}
	torus_lengths_format(geometry->dims, metrics.box, text);
	return add_part(packer, run, torus, n, &metrics, text, first) == 0
		       ? 0
		       : torus_fail(err, "out of memory");
}

/* Add the part of a run on nodes that no torus has: packer->name[0 .. n-1]. */
static int add_outside(packer_t *packer, uint32_t run, uint32_t n, torus_error_t *err)
{
	static const torus_metrics_t none;
	char *nodelist = torus_hostlist_format(packer->name, n);
	char number[16];
	int rc;

	snprintf(number, sizeof(number), "%u", (unsigned)packer->parts);
	rc = nodelist
		     ? json_object_set_new(packer->outside, number, json_string(nodelist))
		     : -1;
	free(nodelist);
	if (rc == 0)
		rc = add_part(packer, run, -1, n, &none, NULL, 0);
	return rc == 0 ? 0 : torus_fail(err, "out of memory");
}

static int add_nodes(packer_t *packer, uint32_t run, const storus_job_t *job,
		     torus_error_t *err)
{
	uint32_t count, placed = 0, outside = 0;
	char **names;
	int rc = 0;

	if (torus_hostlist_expand(job->nodelist, &names, &count, err) != 0)
		return torus_fail_prefix(err, "job %s: ", job->id);
	if (make_room(packer, count) != 0)
		rc = torus_fail(err, "out of memory");
	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		uint32_t node;
		int torus;

		if (torus_cluster_find(packer->cluster, names[i], &torus, &node))
			packer->place[placed++] =
				(uint64_t)torus << 32 |
				packer->cluster->map[torus]->rank_of_node[node];
		else
			packer->name[outside++] = names[i];
	}
	if (rc == 0)
		qsort(packer->place, placed, sizeof(*packer->place), compare);
	for (uint32_t i = 0; rc == 0 && i < placed;) {
		uint64_t torus = packer->place[i] >> 32;
		uint32_t n = 0;

		/* A node named twice is one node. */
		for (; i < placed && packer->place[i] >> 32 == torus; i++) {
			uint32_t rank = (uint32_t)packer->place[i];

			if (!n || packer->rank[n - 1] != rank)
				packer->rank[n++] = rank;
		}
		rc = add_torus_part(packer, run, (int)torus, n, err);
	}
	if (rc == 0 && outside)
		rc = add_outside(packer, run, outside, err);
	free(names);
	return rc;
}

static int add_run(packer_t *packer, uint32_t run, const storus_job_t *job,
		   torus_error_t *err)
{
	int text = ID, rc = add_text(&packer->text[text++], job->id);

#define STORUS_ADD_TEXT(name)                                                            \
	if (rc == 0)                                                                     \
		rc = add_text(&packer->text[text++], job->name);
	STORUS_JOB_TEXTS(STORUS_ADD_TEXT)
#undef STORUS_ADD_TEXT
	if (rc != 0)
		return torus_fail(err, "out of memory");
	storus_column_add(&packer->column[START], job->start);
	storus_column_add(&packer->column[SECONDS], job->end - job->start);
	return add_nodes(packer, run, job, err);
}

/* Of jobs that start at the same time the order stays. */
static int compare_starts(const void *a, const void *b)
{
	const storus_job_t *p = *(const storus_job_t *const *)a,
			   *q = *(const storus_job_t *const *)b;

	if (p->start != q->start)
		return p->start < q->start ? -1 : 1;
	return (p > q) - (p < q);
}

static int add_runs(packer_t *packer, const storus_jobs_t *jobs, uint32_t *runs,
		    torus_error_t *err)
{
	const storus_job_t **order = calloc((size_t)jobs->count + 1, sizeof(*order));
	int rc = order ? 0 : torus_fail(err, "out of memory");

	*runs = 0;
	for (uint32_t i = 0; order && i < jobs->count; i++) {
		if (jobs->job[i].listed)
			order[(*runs)++] = &jobs->job[i];
	}
	if (order)
		qsort(order, *runs, sizeof(*order), compare_starts);
	storus_progress_begin("measuring");
	for (uint32_t i = 0; rc == 0 && i < *runs; i++) {
		rc = add_run(packer, i, order[i], err);
		storus_progress(i + 1, *runs, NULL);
	}
	storus_progress_end();
	free(order);
	return rc;
}

static json_t *packed(packer_t *packer, uint32_t runs)
{
	static const char *const names[TEXTS] = {"id",
#define STORUS_TEXT_NAME(name) #name,
						 STORUS_JOB_TEXTS(STORUS_TEXT_NAME)
#undef STORUS_TEXT_NAME
	};
	json_t *texts = json_object();
	json_t *object =
		json_pack("{s:I, s:I, s:o, s:O, s:o}", "count", (json_int_t)runs, "parts",
			  (json_int_t)packer->parts, "texts", texts, "outside",
			  packer->outside, "boxes", json_incref(packer->box.values));
	int rc = object ? 0 : -1;

	for (int i = 0; rc == 0 && i < TEXTS; i++) {
		if (i == ID || packer->text[i].any)
			rc = json_object_set_new(texts, names[i],
						 texts_json(&packer->text[i]));
	}
	for (int i = 0; rc == 0 && i < COLUMNS; i++)
		rc = json_object_set_new(
			object, column_names[i],
			storus_column_json(i == PART_BOX ? &packer->box.at
							 : &packer->column[i]));
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *storus_runs_json(const torus_cluster_t *cluster, const storus_jobs_t *jobs,
			 torus_error_t *err)
{
	packer_t packer = {.cluster = cluster, .outside = json_object()};
	json_t *object = NULL;
	uint32_t runs;
	int rc = packer.outside ? open_texts(&packer.box) : -1;

	/* Boxes are few, and come in any order. */
	packer.box.at.steps = false;
	packer.column[START].steps = packer.column[PART_RUN].steps = true;
	for (int i = 0; rc == 0 && i < TEXTS; i++)
		rc = open_texts(&packer.text[i]);
	if (rc != 0)
		torus_fail(err, "out of memory");
	else if (add_runs(&packer, jobs, &runs, err) == 0) {
		object = packed(&packer, runs);
		if (!object)
			torus_fail(err, "out of memory");
	}
	for (int i = 0; i < TEXTS; i++)
		close_texts(&packer.text[i]);
	for (int i = 0; i < COLUMNS; i++)
		storus_column_clear(&packer.column[i]);
	close_texts(&packer.box);
	json_decref(packer.outside);
	free(packer.place);
	free(packer.name);
	free(packer.rank);
	free(packer.cell);
	return object;
}
