/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs and the nodes of a running Slurm. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/textfile.h"
#include "storus/cli/libslurm.h"
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_jobs.h"

static char *user_of(const slurm_job_info_t *info)
{
	const struct passwd *entry;
	char *text;

	if (info->user_name && *info->user_name)
		return storus_clean_copy(info->user_name);
	entry = getpwuid(info->user_id);
	if (entry)
		return storus_clean_copy(entry->pw_name);
	return asprintf(&text, "%u", (unsigned)info->user_id) < 0 ? NULL : text;
}

static char *id_of(const slurm_job_info_t *info)
{
	char *text;
	int length;

	if (info->array_task_str && *info->array_task_str)
		length = asprintf(&text, "%u_[%s]", (unsigned)info->array_job_id,
				  info->array_task_str);
	else if (info->array_job_id && info->array_task_id != NO_VAL)
		length = asprintf(&text, "%u_%u", (unsigned)info->array_job_id,
				  (unsigned)info->array_task_id);
	else if (info->het_job_id && info->het_job_id != NO_VAL)
		length = asprintf(&text, "%u+%u", (unsigned)info->het_job_id,
				  (unsigned)info->het_job_offset);
	else
		length = asprintf(&text, "%u", (unsigned)info->job_id);
	return length < 0 ? NULL : text;
}

static const char *state_of(const slurm_job_info_t *info)
{
	if (info->job_state & JOB_COMPLETING)
		return "COMPLETING";
	switch (info->job_state & JOB_STATE_BASE) {
	case JOB_PENDING:
		return "PENDING";
	case JOB_SUSPENDED:
		return "SUSPENDED";
	default:
		return "RUNNING";
	}
}

/* Copy a text that Slurm may leave out. */
static int copy_text(const char *text, char **copy)
{
	if (!text || !*text)
		return 0;
	*copy = storus_clean_copy(text);
	return *copy ? 0 : -1;
}

static int copy_texts(storus_job_t *job, const slurm_job_info_t *info)
{
	job->name = storus_clean_copy(info->name);
	job->user = user_of(info);
	if (!job->name || !job->user || copy_text(info->account, &job->account) != 0 ||
	    copy_text(info->partition, &job->partition) != 0 ||
	    copy_text(info->qos, &job->qos) != 0 ||
	    copy_text(state_of(info), &job->state) != 0 ||
	    copy_text(info->network, &job->network) != 0 ||
	    copy_text(info->comment, &job->comment) != 0 ||
	    copy_text(info->system_comment, &job->system_comment) != 0)
		return -1;
	return 0;
}

/* Fill in what is known of a job that runs or waits. */
static int fill_job(storus_job_t *job, const slurm_job_info_t *info)
{
	job->id = id_of(info);
	job->job_id = info->job_id;
	job->array_job_id = info->array_job_id;
	job->het_job_id = info->het_job_id == NO_VAL ? 0 : info->het_job_id;
	job->start = info->start_time;
	return job->id && copy_texts(job, info) == 0 ? 0 : -1;
}

/* Why a job waits. NULL: out of memory. */
static char *reason_of(const slurm_job_info_t *info)
{
	char *text;

	if (info->state_desc && *info->state_desc)
		return storus_clean_copy(info->state_desc);
	if (slurm_job_state_reason_string)
		return storus_clean_copy(
			slurm_job_state_reason_string(info->state_reason));
	if (slurm_job_reason_string)
		return storus_clean_copy(slurm_job_reason_string(info->state_reason));
	return asprintf(&text, "reason %u", (unsigned)info->state_reason) < 0 ? NULL
									      : text;
}

static int add_waiting(storus_jobs_t *jobs, const slurm_job_info_t *info)
{
	storus_waiting_t *waiting = storus_jobs_add_waiting(jobs);

	if (!waiting || fill_job(&waiting->job, info) != 0)
		return -1;
	if (info->sched_nodes && *info->sched_nodes) {
		waiting->job.nodelist = strdup(info->sched_nodes);
		if (!waiting->job.nodelist)
			return -1;
	}
	if (copy_text(info->exc_nodes, &waiting->excluded) != 0 ||
	    copy_text(info->resv_name, &waiting->reservation) != 0)
		return -1;
	waiting->contiguous = info->contiguous == 1;
	if (info->time_limit != INFINITE && info->time_limit != NO_VAL)
		waiting->seconds = (int64_t)info->time_limit * 60;
	waiting->nodes = info->num_nodes;
	waiting->priority = info->priority;
	waiting->reason = reason_of(info);
	return waiting->reason ? 0 : -1;
}

static int add_job(storus_jobs_t *jobs, const slurm_job_info_t *info)
{
	uint32_t state = info->job_state & JOB_STATE_BASE;
	bool listed = state == JOB_RUNNING || state == JOB_SUSPENDED;
	storus_job_t *job;

	/* A federation runs it elsewhere. */
	if (info->job_state & JOB_REVOKED)
		return 0;
	if (state == JOB_PENDING && !(info->job_state & JOB_COMPLETING))
		return add_waiting(jobs, info);
	/* The record of a completing job has the nodes that it still holds. */
	if (!listed && !(info->job_state & JOB_COMPLETING))
		return 0;
	if (!info->nodes || !*info->nodes)
		return 0;
	job = storus_jobs_add(jobs);
	if (!job)
		return -1;
	job->nodelist = strdup(info->nodes);
	job->listed = listed;
	/* A job without a time limit has no end. */
	job->end = info->time_limit == INFINITE || info->time_limit == NO_VAL
			   ? 0
			   : info->end_time;
	return job->nodelist && fill_job(job, info) == 0 ? 0 : -1;
}

static const char *state_of_node(const node_info_t *node)
{
	uint32_t base = node->node_state & NODE_STATE_BASE;

	if (base == NODE_STATE_DOWN)
		return "down";
	if (node->node_state & NODE_STATE_FAIL)
		return "failing";
	if (node->node_state & NODE_STATE_DRAIN)
		return "drained";
	if (node->node_state & NODE_STATE_NO_RESPOND)
		return "not responding";
	return storus_slurm_node_usable(node) ? "up" : "not usable";
}

/* Also of a job that Slurm does not show to this user, or that is completing. */
static bool has_job(const node_info_t *node)
{
	uint32_t base = node->node_state & NODE_STATE_BASE;

	return base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED ||
	       (base == NODE_STATE_IDLE && node->node_state & NODE_STATE_COMPLETING);
}

static int add_nodes(storus_jobs_t *jobs, const node_info_msg_t *message)
{
	jobs->nodes_known = true;
	jobs->node = calloc(message->record_count ? message->record_count : 1,
			    sizeof(*jobs->node));
	if (!jobs->node)
		return -1;
	for (uint32_t i = 0; i < message->record_count; i++) {
		const node_info_t *node = &message->node_array[i];
		storus_node_t *record = &jobs->node[jobs->nodes];

		/* Records of nodes that were deleted have no name. */
		if (!node->name)
			continue;
		record->name = strdup(node->name);
		jobs->nodes++;
		if (!record->name)
			return -1;
		record->usable = storus_slurm_node_usable(node);
		record->state = state_of_node(node);
		record->busy = has_job(node);
		record->reserved = node->node_state & (NODE_STATE_RES | NODE_STATE_MAINT);
		record->weight = node->weight;
		if (copy_text(node->reason, &record->reason) != 0)
			return -1;
	}
	storus_jobs_sort_nodes(jobs);
	return 0;
}

/* Why slurmctld has not answered, and what helps. */
static int cannot_ask(torus_error_t *err)
{
	if (errno == ESLURM_ACCESS_DENIED)
		return torus_fail(err,
				  "slurm.conf's PrivateData=nodes keeps from this user "
				  "which nodes are free: ask as root or as an operator "
				  "(sacctmgr modify user NAME set adminlevel=operator)");
	return torus_fail(err, "cannot ask slurmctld for jobs and nodes: %s",
			  slurm_strerror(errno));
}

/* Whether jobs of the partition may be preempted for those of another one. */
static bool partition_preemptible(const partition_info_msg_t *partitions,
				  const char *name)
{
	const partition_info_t *own = NULL;
	uint16_t highest = 0;

	for (uint32_t i = 0; i < partitions->record_count; i++) {
		const partition_info_t *partition = &partitions->partition_array[i];

		if (partition->priority_tier > highest)
			highest = partition->priority_tier;
		if (name && partition->name && strcmp(partition->name, name) == 0)
			own = partition;
	}
	return own && own->preempt_mode != PREEMPT_MODE_OFF &&
	       own->priority_tier < highest;
}

int storus_slurm_mark_preemptible(storus_jobs_t *jobs, torus_error_t *err)
{
	partition_info_msg_t *partitions = NULL;
	slurm_conf_t *conf = NULL;
	int rc = 0;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its configuration: %s",
				  slurm_strerror(errno));
	if (!conf->preempt_type || !strstr(conf->preempt_type, "partition_prio"))
		goto done;
	if (slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS) {
		rc = torus_fail(err, "cannot ask slurmctld for partitions: %s",
				slurm_strerror(errno));
		goto done;
	}
	for (uint32_t i = 0; i < jobs->count; i++)
		jobs->job[i].preemptible =
			partition_preemptible(partitions, jobs->job[i].partition);
	slurm_free_partition_info_msg(partitions);
done:
	slurm_free_conf(conf);
	return rc;
}

/* Whether [name] is one of the [names] that commas separate. */
static bool is_among(const char *name, const char *names)
{
	size_t length = strlen(name);

	for (; *names; names += strcspn(names, ","), names += *names != '\0') {
		if (strncmp(name, names, length) == 0 &&
		    (names[length] == ',' || !names[length]))
			return true;
	}
	return false;
}

char *storus_slurm_partition_nodes(const char *names, torus_error_t *err)
{
	partition_info_msg_t *partitions = NULL;
	char *list = strdup("");

	if (slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS) {
		torus_fail(err, "cannot ask slurmctld for partitions: %s",
			   slurm_strerror(errno));
		free(list);
		return NULL;
	}
	for (uint32_t i = 0; list && i < partitions->record_count; i++) {
		const partition_info_t *partition = &partitions->partition_array[i];
		char *longer;

		if (!partition->name || !partition->nodes || !*partition->nodes ||
		    !is_among(partition->name, names))
			continue;
		if (asprintf(&longer, "%s%s%s", list, *list ? "," : "",
			     partition->nodes) < 0)
			longer = NULL;
		free(list);
		list = longer;
	}
	slurm_free_partition_info_msg(partitions);
	if (!list)
		torus_fail(err, "out of memory");
	return list;
}

/* The time after which a reservation begins again. */
static int64_t period_of(uint64_t flags)
{
	enum { HOUR = 60 * 60, DAY = 24 * HOUR };

	if (flags & RESERVE_FLAG_HOURLY)
		return HOUR;
	if (flags & (RESERVE_FLAG_DAILY | RESERVE_FLAG_WEEKDAY | RESERVE_FLAG_WEEKEND))
		return DAY;
	return flags & RESERVE_FLAG_WEEKLY ? 7 * DAY : 0;
}

static int add_reservation(storus_jobs_t *jobs, const reserve_info_t *info)
{
	storus_reserved_t *reserved;

	if (!info->node_list || !*info->node_list || info->end_time <= info->start_time)
		return 0;
	reserved = storus_jobs_add_reservation(jobs);
	if (!reserved)
		return -1;
	reserved->name = storus_clean_copy(info->name);
	reserved->nodelist = strdup(info->node_list);
	reserved->start = info->start_time;
	reserved->end = info->end_time;
	reserved->period = period_of(info->flags);
	return reserved->name && reserved->nodelist ? 0 : -1;
}

int storus_slurm_reservations(storus_jobs_t *jobs, torus_error_t *err)
{
	reserve_info_msg_t *message = NULL;
	int rc = 0;

	if (slurm_load_reservations(0, &message) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its reservations: %s",
				  slurm_strerror(errno));
	for (uint32_t i = 0; rc == 0 && i < message->record_count; i++)
		rc = add_reservation(jobs, &message->reservation_array[i]);
	slurm_free_reservation_info_msg(message);
	return rc == 0 ? 0 : torus_fail(err, "out of memory");
}

int storus_slurm_jobs(storus_jobs_t *jobs, torus_error_t *err)
{
	job_info_msg_t *job_message = NULL;
	node_info_msg_t *node_message = NULL;
	int rc = -1;

	memset(jobs, 0, sizeof(*jobs));
	if (slurm_load_jobs(0, &job_message, SHOW_ALL) != SLURM_SUCCESS ||
	    slurm_load_node(0, &node_message, SHOW_ALL) != SLURM_SUCCESS) {
		cannot_ask(err);
		goto done;
	}
	jobs->waiting_known = true;
	rc = 0;
	for (uint32_t i = 0; rc == 0 && i < job_message->record_count; i++)
		rc = add_job(jobs, &job_message->job_array[i]);
	storus_jobs_sort_waiting(jobs);
	if (rc == 0)
		rc = add_nodes(jobs, node_message);
	rc = rc != 0 ? torus_fail(err, "out of memory")
		     : storus_slurm_reservations(jobs, err);
	if (rc == 0)
		rc = storus_jobs_add_hidden(jobs, (int64_t)time(NULL), err);
done:
	storus_slurm_free_jobs(job_message);
	if (node_message)
		slurm_free_node_info_msg(node_message);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}

/* Whether the job belongs to the user of this process. */
static bool is_own(const storus_job_t *job, const char *user)
{
	return job->user && strcmp(job->user, user) == 0;
}

/* Take the jobs of others out of those that wait. */
static void forget_waiting(storus_jobs_t *jobs, const char *user)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < jobs->waiting_count; i++) {
		storus_waiting_t *waiting = &jobs->waiting[i], gone;

		if (!is_own(&waiting->job, user))
			continue;
		gone = jobs->waiting[left];
		jobs->waiting[left++] = *waiting;
		*waiting = gone;
	}
	storus_jobs_cut_waiting(jobs, left);
}

static void forget_names(storus_jobs_t *jobs)
{
	for (uint32_t i = 0; i < jobs->reservations; i++) {
		free(jobs->reservation[i].name);
		jobs->reservation[i].name = NULL;
	}
}

int storus_slurm_private(storus_jobs_t *jobs, bool hide, bool *hides, torus_error_t *err)
{
	slurm_job_info_t own = {.user_id = getuid()};
	slurm_conf_t *conf = NULL;
	uint16_t private;
	char *user;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for its configuration: %s",
				  slurm_strerror(errno));
	private = conf->private_data;
	slurm_free_conf(conf);
	*hides = private & (PRIVATE_DATA_JOBS | PRIVATE_DATA_NODES);
	if (!hide || !*hides)
		return 0;
	user = user_of(&own);
	if (!user)
		return torus_fail(err, "out of memory");
	for (uint32_t i = 0; private & PRIVATE_DATA_JOBS && i < jobs->count; i++)
		jobs->job[i].listed = jobs->job[i].listed && is_own(&jobs->job[i], user);
	if (private & PRIVATE_DATA_JOBS)
		forget_waiting(jobs, user);
	free(user);
	if (private & PRIVATE_DATA_RESERVATIONS)
		forget_names(jobs);
	if (private & PRIVATE_DATA_NODES)
		storus_jobs_forget_nodes(jobs);
	return 0;
}

void storus_slurm_warn_of_yaml(void)
{
	const char *slurm_conf = getenv("SLURM_CONF");
	static bool warned;
	slurm_conf_t *conf = NULL;
	char *path;

	if (!SLURM_READS_TOPOLOGY_YAML || warned ||
	    slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return;
	warned = true;
	if (!slurm_conf || !*slurm_conf)
		slurm_conf = conf->slurm_conf;
	path = torus_textfile_beside(slurm_conf, "topology.yaml");
	if (path && conf->topology_plugin &&
	    strcmp(conf->topology_plugin, "topology/torus") == 0 &&
	    access(path, F_OK) == 0)
		warnx("TopologyPlugin=topology/torus is without effect: Slurm takes the "
		      "topologies of %s",
		      path);
	free(path);
	slurm_free_conf(conf);
}
