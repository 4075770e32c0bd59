/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus reserve asks of a running Slurm. */
#include "torus_config.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "storus/cli/libslurm.h"
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_jobs.h"
#include "storus/reserve/slurm.h"

int storus_reserve_flags(const char *text, uint64_t *flags, torus_error_t *err)
{
	static const struct {
		const char *name;
		uint64_t flag;
	} known[] = {
		{"MAINT", RESERVE_FLAG_MAINT},
		{"OVERLAP", RESERVE_FLAG_OVERLAP},
		{"IGNORE_JOBS", RESERVE_FLAG_IGN_JOBS},
		{"FLEX", RESERVE_FLAG_FLEX},
		{"MAGNETIC", RESERVE_FLAG_MAGNETIC},
		{"NO_HOLD_JOBS_AFTER", RESERVE_FLAG_NO_HOLD_JOBS},
		{"PURGE_COMP", RESERVE_FLAG_PURGE_COMP},
		{"HOURLY", RESERVE_FLAG_HOURLY},
		{"DAILY", RESERVE_FLAG_DAILY},
		{"WEEKDAY", RESERVE_FLAG_WEEKDAY},
		{"WEEKEND", RESERVE_FLAG_WEEKEND},
		{"WEEKLY", RESERVE_FLAG_WEEKLY},
	};
	const size_t flag_count = sizeof(known) / sizeof(known[0]);

	*flags = 0;
	while (*text) {
		size_t length = strcspn(text, ","), i = 0;

		while (i < flag_count && (strlen(known[i].name) != length ||
					  strncasecmp(text, known[i].name, length) != 0))
			i++;
		if (i == flag_count)
			return torus_fail(
				err,
				"--flags: unknown '%.*s'; known are MAINT, "
				"OVERLAP, IGNORE_JOBS, FLEX, MAGNETIC, "
				"NO_HOLD_JOBS_AFTER, PURGE_COMP, HOURLY, DAILY, "
				"WEEKDAY, WEEKEND, WEEKLY",
				(int)length, text);
		*flags |= known[i].flag;
		text += length;
		text += *text == ',';
	}
	return 0;
}

static int load_nodes(storus_busy_t *busy, uint64_t flags, torus_error_t *err)
{
	node_info_msg_t *message = NULL;

	if (slurm_load_node(0, &message, SHOW_ALL) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its nodes: %s",
				  slurm_strerror(errno));
	for (uint32_t i = 0; i < message->record_count; i++) {
		const node_info_t *node = &message->node_array[i];

		/* Records of nodes that were deleted have no name. */
		if (node->name &&
		    (storus_slurm_node_usable(node) || (flags & RESERVE_FLAG_MAINT)))
			storus_busy_fit(busy, node->name);
	}
	slurm_free_node_info_msg(message);
	return 0;
}

static int load_jobs(storus_busy_t *busy, torus_error_t *err)
{
	job_info_msg_t *message = NULL;
	int rc = 0;

	if (slurm_load_jobs(0, &message, SHOW_ALL) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its jobs: %s",
				  slurm_strerror(errno));
	for (uint32_t i = 0; rc == 0 && i < message->record_count; i++) {
		const slurm_job_info_t *job = &message->job_array[i];
		uint32_t state = job->job_state & JOB_STATE_BASE;

		if ((state == JOB_RUNNING || state == JOB_SUSPENDED) && job->nodes &&
		    *job->nodes)
			rc = storus_busy_use(busy, job->nodes, job->start_time,
					     job->end_time, 0, err);
	}
	storus_slurm_free_jobs(message);
	return rc;
}

static int load_reservations(storus_busy_t *busy, torus_error_t *err)
{
	storus_jobs_t others = {0};
	int rc = storus_slurm_reservations(&others, err);

	for (uint32_t i = 0; rc == 0 && i < others.reservations; i++) {
		const storus_reserved_t *other = &others.reservation[i];

		rc = storus_busy_use(busy, other->nodelist, other->start, other->end,
				     other->period, err);
	}
	storus_jobs_clear(&others);
	return rc;
}

int storus_reserve_load(storus_busy_t *busy, uint64_t flags, torus_error_t *err)
{
	if (load_nodes(busy, flags, err) != 0)
		return -1;
	if (!(flags & RESERVE_FLAG_IGN_JOBS) && load_jobs(busy, err) != 0)
		return -1;
	if (!(flags & (RESERVE_FLAG_MAINT | RESERVE_FLAG_OVERLAP)))
		return load_reservations(busy, err);
	return 0;
}

const char *storus_reserve_create(const storus_reservation_t *reservation,
				  const char *nodes, torus_error_t *err)
{
	resv_desc_msg_t request;
	const char *name;

	slurm_init_resv_desc_msg(&request);
	/* Slurm's library only reads them. */
	request.name = (char *)reservation->name;
	request.users = (char *)reservation->users;
	request.accounts = (char *)reservation->accounts;
	request.node_list = (char *)nodes;
	request.start_time = reservation->start;
	request.duration = reservation->minutes;
	request.flags = reservation->flags;
	name = slurm_create_reservation(&request);
	if (!name)
		torus_fail(err, "Slurm does not make the reservation: %s",
			   slurm_strerror(errno));
	return name;
}
