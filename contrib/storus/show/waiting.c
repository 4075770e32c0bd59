/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that wait: see waiting.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "machine/network_option.h"
#include "machine/waiting.h"
#include "storus/capacity/wanted.h"
#include "storus/cli/shown.h"
#include "storus/cli/times.h"
#include "storus/show/at_once.h"
#include "storus/show/waiting.h"

/* What is worked out of one job. */
typedef struct work {
	const torus_cluster_t *cluster;
	storus_jobs_t *jobs;
	const storus_waiting_t *waiting;
	storus_wanted_t wanted; /* what it asks for */
	storus_when_t when;
	torus_error_t *err;
	/* The first place that it could have on a torus, of which [first] has its
	 * nodes, a hostlist. */
	bool found;
	storus_granted_t granted;
	char *first;
	uint32_t free; /* free nodes that it may have, on the torus that has most of them
			*/
	storus_at_once_t box; /* the largest free one of at most its number of nodes */
	/* Names of what is in the way. */
	char *way_jobs, *way_reservations, *way_down;
} work_t;

static void clear_work(work_t *work)
{
	storus_granted_clear(&work->granted);
	free(work->first);
	free(work->way_jobs);
	free(work->way_reservations);
	free(work->way_down);
}

/* ---- what could be had, and when ---- */

/* Whether [a] comes before [b]: both are places, or times that are not known. */
static bool is_earlier(const storus_granted_t *a, const storus_granted_t *b)
{
	return a->unknown != b->unknown ? b->unknown : a->when < b->when;
}

/* Look when the job could have its place on the torus of [room]. */
static int look_first(work_t *work, const storus_room_t *room)
{
	storus_granted_t granted;
	int found = storus_wanted_first(room, &work->wanted, &granted, work->err);

	if (found < 0)
		return -1;
	if (!found || (work->found && !is_earlier(&granted, &work->granted))) {
		storus_granted_clear(&granted);
		return 0;
	}
	storus_granted_clear(&work->granted);
	free(work->first);
	work->first =
		granted.ranks ? storus_ranks_format(room->map, granted.ranks) : NULL;
	work->granted = granted;
	work->found = true;
	return granted.ranks && !work->first ? torus_fail(work->err, "out of memory") : 0;
}

static int look_around(work_t *work)
{
	for (int t = 0; t < work->cluster->maps; t++) {
		storus_room_t room;
		uint32_t count;
		int rc = storus_room_open(&room, work->cluster, t, work->jobs, NULL,
					  &work->when, work->err);

		if (rc == 0) {
			count = torus_bitmap_count(room.free, room.map->nodes);
			work->free = count > work->free ? count : work->free;
			rc = look_first(work, &room);
		}
		if (rc == 0)
			rc = storus_at_once(&room, work->waiting->nodes, &work->box,
					    work->err);
		storus_room_clear(&room);
		if (rc != 0)
			return -1;
	}
	return 0;
}

/* ---- what is in the way ---- */

/* Whether one of the nodes of [nodelist] is marked; -1 with [err] filled. */
static int touches(const storus_jobs_t *jobs, const char *nodelist, const bool *marked,
		   torus_error_t *err)
{
	uint32_t count;
	char **names;
	int found = 0;

	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; i < count && !found; i++) {
		const storus_node_t *node = storus_jobs_find_node(jobs, names[i]);

		found = node && marked[node - jobs->node];
	}
	free(names);
	return found;
}

/* Append [name] to the list [text], separated by commas. Returns 0, or -1. */
static int append(char **text, const char *name)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *text ? *text : "", *text ? "," : "", name) < 0)
		return -1;
	free(*text);
	*text = longer;
	return 0;
}

/* List what holds, or keeps, one of the marked nodes now. */
static int list_way(work_t *work, const bool *marked)
{
	const storus_jobs_t *jobs = work->jobs;
	const char **down = malloc(((size_t)jobs->nodes + 1) * sizeof(*down));
	uint32_t downs = 0;
	int rc = down ? 0 : torus_fail(work->err, "out of memory");

	for (uint32_t i = 0; rc >= 0 && i < jobs->count; i++) {
		rc = touches(jobs, jobs->job[i].nodelist, marked, work->err);
		if (rc > 0 && append(&work->way_jobs, jobs->job[i].id) != 0)
			rc = torus_fail(work->err, "out of memory");
	}
	for (uint32_t i = 0; rc >= 0 && i < jobs->reservations; i++) {
		const storus_reserved_t *reserved = &jobs->reservation[i];

		if (!storus_reserved_at(reserved, work->when.now))
			continue;
		rc = touches(jobs, reserved->nodelist, marked, work->err);
		if (rc > 0 &&
		    append(&work->way_reservations, storus_reserved_name(reserved)) != 0)
			rc = torus_fail(work->err, "out of memory");
	}
	for (uint32_t i = 0; rc >= 0 && i < jobs->nodes; i++) {
		if (marked[i] && !jobs->node[i].usable)
			down[downs++] = jobs->node[i].name;
	}
	if (rc >= 0 && downs) {
		work->way_down = torus_hostlist_format(down, downs);
		if (!work->way_down)
			rc = torus_fail(work->err, "out of memory");
	}
	free(down);
	return rc < 0 ? -1 : 0;
}

/* The same of the nodes that are planned, or else of the first place. */
static int look_at_way(work_t *work)
{
	const char *planned = work->waiting->job.nodelist;
	bool *marked = calloc((size_t)work->jobs->nodes + 1, sizeof(*marked));
	int rc = marked ? 0 : torus_fail(work->err, "out of memory");

	if (rc == 0 && (planned || work->first))
		rc = storus_jobs_mark(work->jobs, planned ? planned : work->first, marked,
				      work->err);
	if (rc == 0)
		rc = list_way(work, marked);
	free(marked);
	return rc;
}

/* ---- the record ---- */

/* How many jobs wait in the same partition with a higher priority. */
static uint64_t count_ahead(const work_t *work)
{
	const storus_jobs_t *jobs = work->jobs;
	uint64_t count = 0;

	for (uint32_t i = 0; i < jobs->waiting_count; i++) {
		const storus_waiting_t *other = &jobs->waiting[i];

		count += other->priority > work->waiting->priority &&
			 other->job.partition && work->waiting->job.partition &&
			 strcmp(other->job.partition, work->waiting->job.partition) == 0;
	}
	return count;
}

static const char *time_or_null(int64_t time, char text[STORUS_TIME_TEXT])
{
	return time ? storus_time_format((time_t)time, text) : NULL;
}

static void print_record(FILE *file, storus_format_t format, const work_t *work)
{
	const storus_waiting_t *waiting = work->waiting;
	const storus_job_t *job = &waiting->job;
	char since[STORUS_TIME_TEXT], until[STORUS_TIME_TEXT], start[STORUS_TIME_TEXT],
		first[STORUS_TIME_TEXT];
	torus_waiting_t token;
	bool waits = torus_waiting_read(job->system_comment, &token);
	storus_field_t fields[] = {
		storus_text("job", job->id),
		storus_text("waits_for", waits ? torus_wish_name(token.wish) : NULL),
		storus_text("network", job->network),
		storus_text("since", waits ? time_or_null(token.since, since) : NULL),
		storus_text("until", waits ? time_or_null(token.until, until) : NULL),
		storus_text("name", job->name),
		storus_text("user", job->user),
		storus_text("partition", job->partition),
		storus_text("reason", waiting->reason),
		storus_count("nodes", waiting->nodes),
		storus_count("ahead", count_ahead(work)),
		storus_text("planned_start", time_or_null(job->start, start)),
		storus_text("planned_nodelist", job->nodelist),
		storus_text("first_time",
			    !work->found	    ? "never"
			    : work->granted.unknown ? "unknown"
			    : work->granted.when == INT64_MIN
				    ? "now"
				    : time_or_null(work->granted.when, first)),
		storus_text("first_nodelist", work->first),
		storus_text("in_the_way_jobs", work->way_jobs),
		storus_text("in_the_way_reservations", work->way_reservations),
		storus_text("in_the_way_down", work->way_down),
		storus_count("at_once_nodes",
			     work->free < waiting->nodes ? work->free : waiting->nodes),
		storus_count("at_once_box_nodes", work->box.nodes),
		storus_text("at_once_box", work->box.nodes ? work->box.sides : NULL),
	};

	storus_record_print(file, format, fields, sizeof(fields) / sizeof(fields[0]));
}

/* What the job asks for, in *request and work->wanted. */
static void read_wanted(work_t *work, torus_network_request_t *request)
{
	torus_error_t ignored;

	if (torus_network_parse(work->waiting->job.network, request, &ignored) != 0)
		*request = (torus_network_request_t){.near = 0};
	work->wanted = (storus_wanted_t){
		.nodes = work->waiting->nodes,
		.shapes = request->has_shape ? &request->shapes : NULL,
		.near = request->near,
		.contiguous = work->waiting->contiguous,
	};
}

/* Confine the job to what it may have. */
static int confine(work_t *work)
{
	const char *partition = work->waiting->job.partition;
	char *nodes =
		partition ? storus_shown_partition_nodes(partition, work->err) : NULL;
	int rc = partition && !nodes ? -1
				     : storus_jobs_confine(work->jobs, work->waiting,
							   nodes, work->err);

	free(nodes);
	return rc;
}

int storus_show_waiting(FILE *file, storus_format_t format,
			const torus_cluster_t *cluster, storus_jobs_t *jobs,
			uint32_t number, char **place, torus_error_t *err)
{
	work_t work = {
		.cluster = cluster,
		.jobs = jobs,
		.waiting = &jobs->waiting[number],
		.err = err,
	};
	torus_network_request_t request;
	int rc;

	work.when.now = (int64_t)time(NULL);
	work.when.seconds = work.waiting->seconds ? work.waiting->seconds : 1;
	*place = NULL;
	read_wanted(&work, &request);
	rc = confine(&work);
	if (rc == 0)
		rc = look_around(&work);
	if (rc == 0)
		rc = look_at_way(&work);
	if (rc == 0) {
		const char *planned = work.waiting->job.nodelist;

		print_record(file, format, &work);
		if (planned || work.first) {
			*place = strdup(planned ? planned : work.first);
			rc = *place ? 0 : torus_fail(err, "out of memory");
		}
	}
	clear_work(&work);
	return rc;
}

bool storus_show_waits(const storus_waiting_t *waiting, const char *id)
{
	const storus_job_t *job = &waiting->job;
	char *end;
	unsigned long number = strtoul(id, &end, 10);

	if (strcmp(job->id, id) == 0)
		return true;
	if (end == id || !number || number > UINT32_MAX)
		return false;
	/* Of an array all tasks that wait are one record. */
	if (*end == '_')
		return job->array_job_id == number && strchr(job->id, '[');
	return !*end && (job->job_id == number || job->array_job_id == number ||
			 job->het_job_id == number);
}

void storus_show_queue(FILE *file, const storus_jobs_t *jobs, const char *user)
{
	bool headed = false;

	for (uint32_t i = 0; i < jobs->waiting_count; i++) {
		const storus_waiting_t *waiting = &jobs->waiting[i];
		const storus_job_t *job = &waiting->job;
		char start[STORUS_TIME_TEXT];

		if (user && (!job->user || strcmp(job->user, user) != 0))
			continue;
		if (!headed)
			fprintf(file, "\n%-12s %6s %-19s %-16s %s\n", "WAITS", "NODES",
				"PLANNED", "REASON", "NODELIST");
		headed = true;
		fprintf(file, "%-12s %6" PRIu32 " %-19s %-16s %s\n", job->id,
			waiting->nodes,
			job->start ? time_or_null(job->start, start) : "-",
			waiting->reason, job->nodelist ? job->nodelist : "-");
	}
}
