/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that wait, and reservations, as data for the page. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "storus/view/queue_json.h"

static json_t *clean_text(const char *text)
{
	char *clean = storus_clean_copy(text);
	json_t *value = clean ? json_string(clean) : NULL;

	free(clean);
	return value;
}

static json_t *list_of(const uint32_t *number, uint32_t count)
{
	char *list = torus_ranklist_format(number, count, ',');
	json_t *value = list ? json_string(list) : NULL;

	free(list);
	return value;
}

/* Mark the nodes of a hostlist that a torus has. Returns 0, or -1 with [err] filled. */
static int mark_nodes(const torus_cluster_t *cluster, int torus, const char *nodelist,
		      bool *marked, torus_error_t *err)
{
	uint32_t count, node;
	char **names;
	int found;

	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (torus_cluster_find(cluster, names[i], &found, &node) &&
		    found == torus)
			marked[node] = true;
	}
	free(names);
	return 0;
}

/* The numbers of the marked nodes into numbers[]; how many. */
static uint32_t list_marked(const bool *marked, uint32_t nodes, uint32_t *numbers)
{
	uint32_t count = 0;

	for (uint32_t node = 0; node < nodes; node++) {
		if (marked[node])
			numbers[count++] = node;
	}
	return count;
}

/* --- jobs that wait --------------------------------------------------------------- */

/* The part of the planned nodes that a torus has, if it has any. */
static int add_part(json_t *parts, const torus_map_t *map, int torus, uint32_t *numbers,
		    uint32_t count)
{
	const char **names = malloc((count + 1) * sizeof(*names));
	char *nodelist = NULL;
	int rc = -1;

	for (uint32_t i = 0; names && i < count; i++) {
		names[i] = map->node_name[numbers[i]];
		numbers[i] = map->rank_of_node[numbers[i]];
	}
	if (names)
		nodelist = torus_hostlist_format(names, count);
	if (nodelist)
		rc = json_array_append_new(
			parts, json_pack("{s:i, s:I, s:o, s:s}", "torus", torus, "nodes",
					 (json_int_t)count, "ranks",
					 list_of(numbers, count), "nodelist", nodelist));
	free(nodelist);
	free(names);
	return rc;
}

static json_t *planned(const torus_cluster_t *cluster, const char *nodelist,
		       torus_error_t *err)
{
	json_t *parts = json_array();
	int rc = parts ? 0 : torus_fail(err, "out of memory");

	for (int torus = 0; rc == 0 && nodelist && torus < cluster->maps; torus++) {
		const torus_map_t *map = cluster->map[torus];
		bool *marked = calloc(map->nodes, sizeof(*marked));
		uint32_t *numbers = malloc(map->nodes * sizeof(*numbers));
		uint32_t count = 0;

		rc = marked && numbers ? mark_nodes(cluster, torus, nodelist, marked, err)
				       : torus_fail(err, "out of memory");
		if (rc == 0)
			count = list_marked(marked, map->nodes, numbers);
		if (count && add_part(parts, map, torus, numbers, count) != 0)
			rc = torus_fail(err, "out of memory");
		free(numbers);
		free(marked);
	}
	if (rc == 0)
		return parts;
	json_decref(parts);
	return NULL;
}

static json_t *waiting_object(const torus_cluster_t *cluster,
			      const storus_waiting_t *waiting, torus_error_t *err)
{
	const storus_job_t *job = &waiting->job;
	json_t *parts = planned(cluster, job->nodelist, err);
	json_t *object;
	int rc;

	if (!parts)
		return NULL;
	object = json_pack("{s:s, s:s, s:I, s:I, s:o}", "id", job->id, "reason",
			   waiting->reason, "nodes", (json_int_t)waiting->nodes,
			   "priority", (json_int_t)waiting->priority, "parts", parts);
	rc = object ? 0 : -1;
#define STORUS_JOB_SET(name)                                                             \
	if (rc == 0 && job->name)                                                        \
		rc = json_object_set_new(object, #name, clean_text(job->name));
	STORUS_JOB_TEXTS(STORUS_JOB_SET)
#undef STORUS_JOB_SET
	if (rc == 0 && job->start > 0)
		rc = json_object_set_new(object, "start", json_integer(job->start));
	if (rc == 0)
		return object;
	json_decref(object);
	torus_fail(err, "out of memory");
	return NULL;
}

json_t *storus_queue_json(const torus_cluster_t *cluster, const storus_jobs_t *jobs,
			  torus_error_t *err)
{
	json_t *list = json_array(), *queue;
	int rc = list ? 0 : torus_fail(err, "out of memory");

	for (uint32_t i = 0; rc == 0 && i < jobs->waiting_count && i < STORUS_QUEUE_JOBS;
	     i++) {
		json_t *object = waiting_object(cluster, &jobs->waiting[i], err);

		if (!object)
			rc = -1;
		else if (json_array_append_new(list, object) != 0)
			rc = torus_fail(err, "out of memory");
	}
	queue = rc == 0 ? json_pack("{s:I, s:O}", "count",
				    (json_int_t)jobs->waiting_count, "jobs", list)
			: NULL;
	if (rc == 0 && !queue)
		torus_fail(err, "out of memory");
	json_decref(list);
	return queue;
}

/* --- reservations ----------------------------------------------------------------- */

/* Append a reservation with the marked nodes, if there are any. */
static int append_reserved(json_t *list, const storus_reserved_t *reserved, bool active,
			   const bool *marked, uint32_t nodes)
{
	uint32_t *numbers = malloc((nodes + 1) * sizeof(*numbers));
	uint32_t count = numbers ? list_marked(marked, nodes, numbers) : 0;
	json_t *object = NULL;
	int rc = numbers ? 0 : -1;

	if (rc == 0 && count) {
		object = json_pack("{s:b, s:o}", "active", active, "nodes",
				   list_of(numbers, count));
		rc = object ? 0 : -1;
		if (rc == 0 && reserved->name)
			rc = json_object_set_new(object, "name",
						 clean_text(reserved->name));
		if (rc == 0 && reserved->start > 0)
			rc = json_object_set_new(object, "start",
						 json_integer(reserved->start));
		if (rc == 0 && reserved->end && reserved->end != INT64_MAX)
			rc = json_object_set_new(object, "end",
						 json_integer(reserved->end));
		if (rc == 0)
			rc = json_array_append(list, object);
	}
	json_decref(object);
	free(numbers);
	return rc;
}

json_t *storus_reserved_json(const torus_cluster_t *cluster, int torus,
			     const storus_jobs_t *jobs, int64_t now, torus_error_t *err)
{
	const torus_map_t *map = cluster->map[torus];
	json_t *list = json_array();
	int rc = list ? 0 : torus_fail(err, "out of memory");

	for (uint32_t i = 0; rc == 0 && i < jobs->reservations; i++) {
		const storus_reserved_t *reserved = &jobs->reservation[i];
		bool active = storus_reserved_at(reserved, now);
		bool *marked;

		if (!active && !reserved->period && reserved->end <= now)
			continue;
		marked = calloc(map->nodes, sizeof(*marked));
		rc = marked ? mark_nodes(cluster, torus, reserved->nodelist, marked, err)
			    : torus_fail(err, "out of memory");
		if (rc == 0 &&
		    append_reserved(list, reserved, active, marked, map->nodes) != 0)
			rc = torus_fail(err, "out of memory");
		free(marked);
	}
	if (rc == 0)
		return list;
	json_decref(list);
	return NULL;
}
