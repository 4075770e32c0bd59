/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/libslurm.h"
#include "storus/map/slurm.h"

/* The job that an id names. */
typedef struct wanted {
	uint32_t job_id;
	char part; /* '_' for a task of an array, '+' for a component, 0 for neither */
	uint32_t number; /* of that part */
} wanted_t;

/* Read "12", "12_3" or "12+1"; false: none of them. */
static bool read_id(const char *id, wanted_t *wanted)
{
	static const char digits[] = "0123456789";
	size_t length = strspn(id, digits);
	unsigned long first = strtoul(id, NULL, 10);

	if (length == 0 || length > 10 || first == 0 || first > UINT32_MAX)
		return false;
	*wanted = (wanted_t){.job_id = (uint32_t)first, .part = id[length]};
	if (!wanted->part)
		return true;
	id += length + 1;
	length = strspn(id, digits);
	wanted->number = (uint32_t)strtoul(id, NULL, 10);
	return (wanted->part == '_' || wanted->part == '+') && length > 0 &&
	       length <= 9 && !id[length];
}

static bool is_part(const slurm_job_info_t *info, const wanted_t *wanted)
{
	if (wanted->part == '_')
		return info->array_job_id == wanted->job_id &&
		       info->array_task_id == wanted->number;
	return info->het_job_id == wanted->job_id &&
	       info->het_job_offset == wanted->number;
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
		if (wanted->part) {
			if (is_part(info, wanted))
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

/* Tasks that each of the job's nodes has processors for, at least one. */
static int find_room(const slurm_job_info_t *info, uint32_t nodes, uint32_t *room,
		     torus_error_t *err)
{
	resource_allocation_response_msg_t *held = NULL;
	uint32_t each = info->cpus_per_task, node = 0;

	if (each == 0 || each == NO_VAL16)
		each = 1;
	if (slurm_allocation_lookup(info->job_id, &held) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld what job %u holds: %s",
				  info->job_id, slurm_strerror(errno));
	for (uint32_t group = 0; group < held->num_cpu_groups; group++) {
		uint32_t fit = held->cpus_per_node[group] / each;

		for (uint32_t i = 0; i < held->cpu_count_reps[group] && node < nodes; i++)
			room[node++] = fit ? fit : 1;
	}
	while (node < nodes)
		room[node++] = 1;
	slurm_free_resource_allocation_response_msg(held);
	return 0;
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
	*pack = conf->select_type_param & SELECT_PACK_NODES;
	slurm_free_conf(conf);
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
	uint32_t nodes = info->num_nodes, tasks = info->num_tasks, *room = NULL;
	bool says_per_node = info->ntasks_per_node && info->ntasks_per_node != NO_VAL16;
	bool pack = false;
	int rc = -1;

	if (find_pack(&pack, err))
		return -1;
	if (tasks == 0 || tasks == NO_VAL)
		tasks = nodes;
	if (tasks < nodes) { /* some nodes get none: the caller may know how many */
		description->tasks = tasks;
		return 0;
	}
	room = malloc(2 * (size_t)nodes * sizeof(*room));
	if (!room)
		return torus_fail(err, "out of memory");
	if (find_room(info, nodes, room, err))
		goto done;
	deal_out(tasks, room, nodes, pack, room + nodes);
	for (uint32_t node = 0; node < nodes; node++)
		description->guessed |=
			tasks == nodes && !says_per_node && room[node] > 1;
	description->counts = format_counts(room + nodes, nodes);
	rc = description->counts ? 0 : torus_fail(err, "out of memory");
done:
	free(room);
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
				wanted.part == '+' ? "no running component '%s'"
				: message->record_count > 1 && !wanted.part
					? "job %s has several parts: name one of them"
					: "job %s is not running: it holds no nodes",
				id);
	}
	slurm_free_job_info_msg(message);
	return rc;
}
