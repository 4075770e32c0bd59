/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine and its jobs as data for the page. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists/ranklist.h"
#include "place/allocator.h"
#include "storus/cli/metrics_fields.h"
#include "storus/view/machine_json.h"
#include "storus/view/queue_json.h"
#include "storus/view/runs_json.h"

/* A text of which nobody knows that it is UTF-8, or null. */
static json_t *text(const char *from)
{
	char *clean;
	json_t *value;

	if (!from)
		return json_null();
	clean = storus_clean_copy(from);
	value = clean ? json_string(clean) : NULL;
	free(clean);
	return value;
}

static json_t *numbers(const uint32_t *number, size_t count)
{
	char *list = torus_ranklist_format(number, (uint32_t)count, ',');
	json_t *value = list ? json_string(list) : NULL;

	free(list);
	return value;
}

static json_t *lengths(const int32_t *length, int dims)
{
	json_t *array = json_array();

	for (int axis = 0; array && axis < dims; axis++) {
		if (json_array_append_new(array, json_integer(length[axis])) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* Add [value], which may be NULL, to [object]; json_object_set_new() fails then. */
static int set(json_t *object, const char *name, json_t *value)
{
	return json_object_set_new(object, name, value);
}

/* The names of a torus's nodes, their cells, ranks and what Slurm knows of them. */
static int set_nodes(json_t *object, const torus_map_t *map, const storus_jobs_t *jobs)
{
	json_t *names = json_array(), *states = json_object(), *weights = json_array();
	json_t *reasons = json_object();
	uint32_t *cells = malloc(map->nodes * sizeof(*cells));
	int rc = names && states && weights && reasons && cells ? 0 : -1;

	for (uint32_t node = 0; rc == 0 && node < map->nodes; node++) {
		const storus_node_t *known =
			storus_jobs_find_node(jobs, map->node_name[node]);
		const char *state = known ? known->state : "unknown to Slurm";
		char key[16];

		cells[node] = map->cell_of_rank[map->rank_of_node[node]];
		snprintf(key, sizeof(key), "%u", (unsigned)node);
		if (json_array_append_new(names, text(map->node_name[node])) != 0 ||
		    json_array_append_new(weights,
					  json_integer(known ? known->weight : 0)) != 0 ||
		    (jobs->nodes_known && !(known && known->usable) &&
		     set(states, key, text(state)) != 0) ||
		    (known && known->reason &&
		     set(reasons, key, text(known->reason)) != 0))
			rc = -1;
	}
	if (rc == 0 &&
	    (set(object, "names", json_incref(names)) != 0 ||
	     set(object, "cells", numbers(cells, map->nodes)) != 0 ||
	     set(object, "ranks", numbers(map->rank_of_node, map->nodes)) != 0 ||
	     set(object, "unusable", json_incref(states)) != 0 ||
	     (json_object_size(reasons) &&
	      set(object, "reasons", json_incref(reasons)) != 0) ||
	     (jobs->nodes_known && set(object, "weights", json_incref(weights)) != 0)))
		rc = -1;
	free(cells);
	json_decref(weights);
	json_decref(reasons);
	json_decref(states);
	json_decref(names);
	return rc;
}

/* The nodes that only jobs hold that are not listed (completing or hidden ones), as a
 * list. */
static json_t *others(const torus_map_t *map, const storus_grid_t *grid)
{
	uint32_t *used = calloc(torus_geometry_cells(&map->geometry), sizeof(*used));
	uint32_t *node_of = malloc(map->nodes * sizeof(*node_of));
	uint32_t count = 0;
	json_t *value = NULL;

	for (uint32_t node = 0; used && node_of && node < map->nodes; node++) {
		uint32_t cell = map->cell_of_rank[map->rank_of_node[node]];
		size_t slot = (size_t)cell * grid->depth + used[cell]++;

		if (grid->occupant[slot] == STORUS_OTHER)
			node_of[count++] = node;
	}
	if (used && node_of)
		value = numbers(node_of, count);
	free(node_of);
	free(used);
	return value;
}

static json_t *torus_object(const torus_map_t *map, const storus_grid_t *grid,
			    const storus_jobs_t *jobs)
{
	json_t *object = json_object(), *wrap = json_array();
	int rc = object && wrap ? 0 : -1;

	for (int axis = 0; rc == 0 && axis < map->geometry.dims; axis++)
		rc = json_array_append_new(wrap, json_boolean(map->geometry.wrap[axis]));
	if (rc == 0 &&
	    (set(object, "name", text(map->name)) != 0 ||
	     set(object, "dims", lengths(map->geometry.length, map->geometry.dims)) !=
		     0 ||
	     set(object, "wrap", json_incref(wrap)) != 0 ||
	     set(object, "span",
		 json_string(map->span == TORUS_SPAN_RING ? "ring" : "linear")) != 0 ||
	     set(object, "curve", text(torus_curve_name(map->curve))) != 0 ||
	     set(object, "allocator", text(map->allocator->name)) != 0 ||
	     set(object, "others", others(map, grid)) != 0 ||
	     set_nodes(object, map, jobs) != 0))
		rc = -1;
	json_decref(wrap);
	if (rc != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* A job's nodes on one torus, with the metrics by the names that they have everywhere. */
static json_t *part_object(const storus_view_t *view, const storus_part_t *part)
{
	const torus_map_t *map =
		part->torus >= 0 ? view->cluster->map[part->torus] : NULL;
	storus_field_t fields[STORUS_METRICS + STORUS_ISOLATION];
	int dims = map ? map->geometry.dims : 1;
	char box[TORUS_DIMS_TEXT];
	json_t *object = json_object();
	int rc = object ? 0 : -1;

	storus_metrics_fields(map ? &part->metrics : NULL, dims, box, fields);
	storus_isolation_fields(map ? &part->isolation : NULL, fields + STORUS_METRICS);
	if (rc == 0 &&
	    (set(object, "torus", map ? json_integer(part->torus) : json_null()) != 0 ||
	     set(object, "nodes", json_integer(part->nodes)) != 0 ||
	     set(object, "nodelist", text(part->nodelist)) != 0 ||
	     set(object, "ranks", text(part->ranks)) != 0 ||
	     (map && set(object, "origin", lengths(part->origin, dims)) != 0)))
		rc = -1;
	for (size_t i = 0; rc == 0 && i < STORUS_METRICS + STORUS_ISOLATION; i++)
		rc = set(object, fields[i].name, storus_field_json(&fields[i]));
	if (rc != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* A job without its parts; what is not known is left out. */
static json_t *job_object(const storus_job_t *job)
{
	json_t *object = json_object();
	int rc = object && set(object, "id", text(job->id)) == 0 &&
				 set(object, "parts", json_array()) == 0
			 ? 0
			 : -1;

#define STORUS_JOB_SET(name)                                                             \
	if (rc == 0 && job->name)                                                        \
		rc = set(object, #name, text(job->name));
	STORUS_JOB_TEXTS(STORUS_JOB_SET)
#undef STORUS_JOB_SET
	if (rc == 0 && job->start)
		rc = set(object, "start", json_integer(job->start));
	if (rc == 0 && job->end)
		rc = set(object, "end", json_integer(job->end));
	if (rc != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* The parts of a job stand one after the other in the view. */
static json_t *jobs_array(const storus_view_t *view)
{
	json_t *jobs = json_array(), *job = NULL;
	uint32_t mark = UINT32_MAX;
	int rc = jobs ? 0 : -1;

	for (uint32_t i = 0; rc == 0 && i < view->parts; i++) {
		const storus_part_t *part = &view->part[i];

		if (part->mark != mark) {
			mark = part->mark;
			job = job_object(&view->jobs->job[part->job]);
			rc = json_array_append_new(jobs, job);
		}
		if (rc == 0)
			rc = json_array_append_new(json_object_get(job, "parts"),
						   part_object(view, part));
	}
	if (rc != 0) {
		json_decref(jobs);
		return NULL;
	}
	return jobs;
}

/* Numbers as text, "LOAD*COUNT" for several that are the same. */
static json_t *loads(const torus_occupancy_t *occupancy, int axis, bool down)
{
	const torus_geometry_t *geometry = &occupancy->geometry;
	uint32_t cells = torus_geometry_cells(geometry), cell = 0;
	size_t length;
	char *list = NULL;
	FILE *stream = open_memstream(&list, &length);
	json_t *value = NULL;

	while (stream && cell < cells) {
		uint32_t load =
			occupancy->load[torus_link_number(geometry, cell, axis, down)];
		uint32_t first = cell++;

		while (cell < cells &&
		       occupancy->load[torus_link_number(geometry, cell, axis, down)] ==
			       load)
			cell++;
		fprintf(stream, first ? ",%" PRIu32 : "%" PRIu32, load);
		if (cell - first > 1)
			fprintf(stream, "*%" PRIu32, cell - first);
	}
	if (stream && fclose(stream) == 0)
		value = json_string(list);
	free(list);
	return value;
}

/* How many jobs use each link: for each dimension upward, then downward. */
static json_t *links(const torus_occupancy_t *occupancy)
{
	json_t *array = json_array();

	for (int i = 0; array && i < 2 * occupancy->geometry.dims; i++) {
		if (json_array_append_new(array, loads(occupancy, i / 2, i % 2)) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* The rows, cabinets, cages and slots that there are. */
static json_t *racks_object(const torus_racks_t *racks)
{
	static const char *const name[TORUS_RACK_LEVELS] = {"rows", "cabinets", "cages",
							    "slots"};
	json_t *object = json_object();

	for (int level = 0; object && level < TORUS_RACK_LEVELS; level++) {
		if (set(object, name[level],
			numbers(racks->number[level], racks->count[level])) != 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* What a torus has besides: the places of its nodes, and how its links are used. */
static int set_more(json_t *object, const storus_view_t *view, int torus,
		    const torus_racks_t *racks)
{
	const torus_occupancy_t *occupancy = view->holdings.occupancy[torus];
	uint32_t first = torus_cluster_number(view->cluster, torus, 0);

	/* A torus has a place for each of its nodes, or for none. */
	if (racks->place && racks->place[first] != TORUS_NO_PLACE &&
	    set(object, "places",
		numbers(racks->place + first, view->cluster->map[torus]->nodes)) != 0)
		return -1;
	return occupancy->load ? set(object, "links", links(occupancy)) : 0;
}

/* Set what Slurm says besides of a torus and of jobs: NULL in [value] has filled [err].
 */
static int set_said(json_t *object, const char *name, json_t *value)
{
	if (value && json_array_size(value) == 0 && json_is_array(value)) {
		json_decref(value);
		return 0;
	}
	return set(object, name, value);
}

static json_t *tori_array(const storus_view_t *view, const torus_racks_t *racks,
			  int64_t now, torus_error_t *err)
{
	json_t *tori = json_array();
	int rc = tori ? 0 : -1;

	for (int torus = 0; rc == 0 && torus < view->cluster->maps; torus++) {
		json_t *object = torus_object(view->cluster->map[torus],
					      &view->grid[torus], view->jobs);

		rc = json_array_append_new(tori, object);
		if (rc == 0)
			rc = set_more(object, view, torus, racks);
		if (rc == 0)
			rc = set_said(object, "reserved",
				      storus_reserved_json(view->cluster, torus,
							   view->jobs, now, err));
	}
	if (rc != 0) {
		json_decref(tori);
		return NULL;
	}
	return tori;
}

json_t *storus_machine_json(const storus_view_t *view, const torus_racks_t *racks,
			    int64_t time, torus_error_t *err)
{
	json_t *machine = json_object();

	torus_fail(err, "out of memory");
	if (machine && set(machine, "format", json_integer(1)) == 0 &&
	    set(machine, "version", json_string(PACKAGE_VERSION)) == 0 &&
	    set(machine, "time", json_integer(time)) == 0 &&
	    set(machine, "tori", tori_array(view, racks, time, err)) == 0 &&
	    (!racks->place || set(machine, "racks", racks_object(racks)) == 0) &&
	    set(machine, "jobs", jobs_array(view)) == 0 &&
	    (!view->jobs->waiting_known ||
	     set(machine, "queue", storus_queue_json(view->cluster, view->jobs, err)) ==
		     0))
		return machine;
	json_decref(machine);
	return NULL;
}

json_t *storus_history_json(const torus_cluster_t *cluster, const torus_racks_t *racks,
			    const storus_jobs_t *jobs, bool dates, torus_error_t *err)
{
	const storus_jobs_t none = {0};
	storus_view_t *view = storus_view_create(cluster, &none, err);
	json_t *machine = view ? storus_machine_json(view, racks, 0, err) : NULL;
	json_t *runs = machine ? storus_runs_json(cluster, jobs, err) : NULL;

	storus_view_destroy(view);
	if (runs && set(machine, "format", json_integer(2)) == 0 &&
	    set(machine, "history", json_true()) == 0 &&
	    (!dates || set(machine, "dates", json_true()) == 0) &&
	    set(machine, "runs", json_incref(runs)) == 0) {
		json_decref(runs);
		return machine;
	}
	if (runs)
		torus_fail(err, "out of memory");
	json_decref(runs);
	json_decref(machine);
	return NULL;
}
