/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "base/hostlist.h"
#include "storus/map/slurm.h"

/* The job that an id names. */
typedef struct wanted {
	uint32_t job_id;
	bool component;	 /* the id has a "+" ... */
	uint32_t offset; /* ... and this behind it */
} wanted_t;

/* Read "12", "12_3" or "12+1"; false: none of them. */
static bool read_id(const char *id, wanted_t *wanted)
{
	static const char digits[] = "0123456789";
	size_t number = strspn(id, digits);
	char *text;

	*wanted = (wanted_t){0};
	if (number == 0 || number > 10)
		return false;
	if (id[number] == '+') {
		const char *offset = id + number + 1;
		size_t length = strspn(offset, digits);
		unsigned long first = strtoul(id, NULL, 10);

		if (length == 0 || length > 9 || offset[length] || first > UINT32_MAX)
			return false;
		wanted->component = true;
		wanted->offset = (uint32_t)strtoul(offset, NULL, 10);
		wanted->job_id = (uint32_t)first;
	} else if (id[strspn(id, "0123456789_")] == '\0') {
		text = strdup(id);
		wanted->job_id = text ? slurm_xlate_job_id(text) : 0;
		free(text);
	}
	return wanted->job_id != 0;
}

/* The record of the job that holds nodes, NULL if none does or several do. */
static const slurm_job_info_t *with_nodes(const job_info_msg_t *message,
					  const wanted_t *wanted)
{
	const slurm_job_info_t *found = NULL;

	for (uint32_t i = 0; i < message->record_count; i++) {
		const slurm_job_info_t *info = &message->job_array[i];
		uint32_t state = info->job_state & JOB_STATE_BASE;

		if ((state != JOB_RUNNING && state != JOB_SUSPENDED) || !info->nodes ||
		    !*info->nodes)
			continue;
		if (wanted->component) {
			if (info->het_job_id == wanted->job_id &&
			    info->het_job_offset == wanted->offset)
				return info;
			continue;
		}
		if (info->job_id == wanted->job_id)
			return info;
		if (found)
			return NULL;
		found = info;
	}
	return found;
}

/* Tasks that each node has processors for, at least one. */
static void find_room(const slurm_job_info_t *info, char *const *names, uint32_t nodes,
		      uint32_t *room)
{
	uint32_t each = info->cpus_per_task;

	if (each == 0 || each == NO_VAL16)
		each = 1;
	for (uint32_t node = 0; node < nodes; node++) {
		/* The function takes no const, but changes nothing. */
		int cpus =
			slurm_job_cpus_allocated_on_node(info->job_resrcs, names[node]);

		room[node] =
			cpus > 0 && (uint32_t)cpus > each ? (uint32_t)cpus / each : 1;
	}
}

/*
 * How Slurm deals tasks out, at least as many as nodes: a task to each node in turn as
 * long as it has room, or, if it packs, one to each and then node by node; when all are
 * full, to each in turn again.
 */
static void deal_out(uint32_t tasks, const uint32_t *room, uint32_t nodes, bool pack,
		     uint32_t *count)
{
	bool full = false;

	for (uint32_t node = 0; node < nodes; node++)
		count[node] = 1;
	tasks -= nodes;
	for (uint32_t node = 0; pack && node < nodes && tasks; node++) {
		uint32_t more = room[node] - 1 < tasks ? room[node] - 1 : tasks;

		count[node] += more;
		tasks -= more;
	}
	while (tasks) {
		bool any = false;

		for (uint32_t node = 0; node < nodes && tasks; node++) {
			if (!full && count[node] >= room[node])
				continue;
			count[node]++;
			tasks--;
			any = true;
		}
		full = full || !any;
	}
}

/* Whether this Slurm packs the tasks of jobs. */
static int find_pack(bool *pack, torus_error_t *err)
{
	slurm_conf_t *conf = NULL;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its configuration: %s",
				  slurm_strerror(errno));
	*pack = conf->select_type_param & CR_PACK_NODES;
	slurm_free_ctl_conf(conf);
	return 0;
}

/* "2,1,1": NULL: out of memory. */
static char *format_counts(const uint32_t *count, uint32_t nodes)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (uint32_t node = 0; node < nodes; node++)
		fprintf(stream, "%s%" PRIu32, node ? "," : "", count[node]);
	if (fclose(stream) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static int count_tasks(const slurm_job_info_t *info,
		       storus_map_description_t *description, torus_error_t *err)
{
	uint32_t nodes, tasks = info->num_tasks, *room = NULL;
	bool says_per_node = info->ntasks_per_node && info->ntasks_per_node != NO_VAL16;
	bool pack = false;
	char **names = NULL;
	int rc = -1;

	if (torus_hostlist_expand(info->nodes, &names, &nodes, err) ||
	    find_pack(&pack, err))
		goto done;
	if (tasks == 0 || tasks == NO_VAL)
		tasks = nodes;
	if (tasks < nodes) { /* some nodes get none: the caller may know how many */
		description->tasks = tasks;
		rc = 0;
		goto done;
	}
	room = malloc(2 * (size_t)nodes * sizeof(*room));
	if (room) {
		find_room(info, names, nodes, room);
		deal_out(tasks, room, nodes, pack, room + nodes);
		for (uint32_t node = 0; node < nodes; node++)
			description->guessed |=
				tasks == nodes && !says_per_node && room[node] > 1;
		description->counts = format_counts(room + nodes, nodes);
	}
	rc = description->counts ? 0 : torus_fail(err, "out of memory");
done:
	free(room);
	free(names);
	return rc;
}

int storus_map_slurm_job(const char *id, storus_map_description_t *description,
			 torus_error_t *err)
{
	const slurm_job_info_t *info;
	job_info_msg_t *message = NULL;
	wanted_t wanted;
	int rc;

	if (!read_id(id, &wanted))
		return torus_fail(err, "no job '%s'", id);
	if (slurm_load_job(&message, wanted.job_id, SHOW_ALL | SHOW_DETAIL) !=
	    SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for job %s: %s", id,
				  slurm_strerror(errno));
	info = with_nodes(message, &wanted);
	if (info) {
		description->nodelist = strdup(info->nodes);
		rc = description->nodelist ? count_tasks(info, description, err)
					   : torus_fail(err, "out of memory");
	} else {
		rc = torus_fail(err,
				wanted.component ? "no running component '%s'"
				: message->record_count > 1
					? "job %s has several parts: name one of them"
					: "job %s is not running: it holds no nodes",
				id);
	}
	slurm_free_job_info_msg(message);
	return rc;
}
