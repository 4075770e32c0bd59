/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job of a running Slurm, by the number that users know it by. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/slurm.h"
#include "storus/cli/slurm_job.h"

/* How many parts of a job a message names. */
#define NAMED_PARTS 4

/* The job that an id names. */
typedef struct wanted {
	const char *id;
	uint32_t job_id;
	char part; /* '_' for a task of an array, '+' for a component, 0 for neither */
	uint32_t number; /* of that part */
	bool running;	 /* only jobs that hold nodes count */
} wanted_t;

/* Read "12", "12_3" or "12+1"; false: none of them. */
static bool read_id(const char *id, wanted_t *wanted)
{
	static const char digits[] = "0123456789";
	size_t length = strspn(id, digits);
	unsigned long first = strtoul(id, NULL, 10);

	if (length == 0 || length > 10 || first == 0 || first > UINT32_MAX)
		return false;
	wanted->job_id = (uint32_t)first;
	wanted->part = id[length];
	if (!wanted->part)
		return true;
	id += length + 1;
	length = strspn(id, digits);
	wanted->number = (uint32_t)strtoul(id, NULL, 10);
	return (wanted->part == '_' || wanted->part == '+') && length > 0 &&
	       length <= 9 && !id[length];
}

static bool holds_nodes(const slurm_job_info_t *info)
{
	uint32_t state = info->job_state & JOB_STATE_BASE;

	return (state == JOB_RUNNING || state == JOB_SUSPENDED) && info->nodes &&
	       *info->nodes;
}

/*
 * Which kind of part of job [job_id] the record is: '_', '+', or 0 for none. The one
 * record of all pending tasks of an array is no part.
 */
static char part_of(const slurm_job_info_t *info, uint32_t job_id)
{
	if (info->het_job_id == job_id)
		return '+';
	return info->array_job_id == job_id && info->array_task_id != NO_VAL ? '_' : 0;
}

static uint32_t number_of(const slurm_job_info_t *info, char part)
{
	return part == '+' ? info->het_job_offset : info->array_task_id;
}

/* Say which of the parts of a job there are to choose from. */
static int fail_with_parts(const job_info_msg_t *message, const wanted_t *wanted,
			   char part, torus_error_t *err)
{
	char parts[NAMED_PARTS * 24 + 8] = "";
	int named = 0;

	for (uint32_t i = 0; i < message->record_count; i++) {
		const slurm_job_info_t *info = &message->job_array[i];
		size_t length = strlen(parts);

		if (part_of(info, wanted->job_id) != part ||
		    (wanted->running && !holds_nodes(info)))
			continue;
		if (named++ < NAMED_PARTS)
			snprintf(parts + length, sizeof(parts) - length, "%s%u%c%u",
				 length ? ", " : "", wanted->job_id, part,
				 number_of(info, part));
		else if (named == NAMED_PARTS + 1)
			snprintf(parts + length, sizeof(parts) - length, " ...");
	}
	return torus_fail(err, "job %s is %s: name one of its %s%s%s", wanted->id,
			  part == '+' ? "heterogeneous" : "an array",
			  part == '+'	    ? "components"
			  : wanted->running ? "running tasks"
					    : "tasks",
			  named ? ", " : "", parts);
}

static int fail_to_find(const wanted_t *wanted, torus_error_t *err)
{
	const char *running = wanted->running ? "running " : "";

	if (wanted->part)
		return torus_fail(err, "no %s%s '%s' of job %u", running,
				  wanted->part == '+' ? "component" : "task", wanted->id,
				  wanted->job_id);
	return torus_fail(err, "job %s is not running: it holds no nodes", wanted->id);
}

/* Find the record in the answer of slurmctld, which is all parts of a job. */
static int find_record(const job_info_msg_t *message, const wanted_t *wanted,
		       const slurm_job_info_t **found, torus_error_t *err)
{
	for (uint32_t i = 0; i < message->record_count; i++) {
		const slurm_job_info_t *info = &message->job_array[i];
		char part = part_of(info, wanted->job_id);

		if (!wanted->part && (part || info->array_job_id == wanted->job_id))
			return fail_with_parts(message, wanted, part ? part : '_', err);
		if (wanted->running && !holds_nodes(info))
			continue;
		if (wanted->part ? part == wanted->part &&
					   number_of(info, part) == wanted->number
				 : info->job_id == wanted->job_id) {
			*found = info;
			return 0;
		}
	}
	return fail_to_find(wanted, err);
}

int storus_slurm_job_load(const char *id, bool running, storus_slurm_job_t *job,
			  torus_error_t *err)
{
	wanted_t wanted = {.id = id, .running = running};

	*job = (storus_slurm_job_t){0};
	if (!read_id(id, &wanted))
		return torus_fail(err, "no job '%s'", id);
	if (slurm_load_job(&job->message, wanted.job_id,
			   SHOW_ALL | SHOW_DETAIL | SHOW_LOCAL) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for job %s: %s", id,
				  slurm_strerror(errno));
	if (find_record(job->message, &wanted, &job->info, err) == 0)
		return 0;
	storus_slurm_job_clear(job);
	return -1;
}

void storus_slurm_job_clear(storus_slurm_job_t *job)
{
	storus_slurm_free_jobs(job->message);
	*job = (storus_slurm_job_t){0};
}
