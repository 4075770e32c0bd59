/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/name_index.h"
#include "storus/cli/libslurm.h"
#include "storus/cli/slurm_job.h"
#include "storus/map/slurm.h"

typedef resource_allocation_response_msg_t allocation_t;

/* "2,1,1"; NULL: out of memory. */
static char *format_counts(const slurm_step_layout_t *layout)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (uint32_t node = 0; node < layout->node_cnt; node++)
		fprintf(stream, "%s%" PRIu16, node ? "," : "", layout->tasks[node]);
	if (fclose(stream) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
/* Describe the nodes in groups of equal ones. Nothing to free. */
static int describe_nodes(const allocation_t *held, uint16_t *cpus_per_task,
			  slurm_step_layout_req_t *request)
{
	request->cpus_per_node = held->cpus_per_node;
	request->cpu_count_reps = held->cpu_count_reps;
	request->cpus_per_task = cpus_per_task;
	request->cpus_task_reps = &request->num_hosts;
	return 0;
}

static void forget_nodes(slurm_step_layout_req_t *request)
{
	(void)request;
}
#else
/* Describe each node by itself. forget_nodes() frees that. 0, or -1: out of memory. */
static int describe_nodes(const allocation_t *held, uint16_t *cpus_per_task,
			  slurm_step_layout_req_t *request)
{
	uint32_t node = 0;

	request->cpus_per_node = calloc(held->node_cnt, sizeof(uint16_t));
	request->cpus_per_task = calloc(held->node_cnt, sizeof(uint16_t));
	if (!request->cpus_per_node || !request->cpus_per_task)
		return -1;
	for (uint32_t group = 0; group < held->num_cpu_groups; group++) {
		for (uint32_t i = 0;
		     i < held->cpu_count_reps[group] && node < held->node_cnt; i++) {
			request->cpus_per_node[node] = held->cpus_per_node[group];
			request->cpus_per_task[node++] = *cpus_per_task;
		}
	}
	return 0;
}

static void forget_nodes(slurm_step_layout_req_t *request)
{
	free(request->cpus_per_node);
	free(request->cpus_per_task);
}
#endif

/* Have Slurm lay out the tasks as it does for a batch script's SLURM_TASKS_PER_NODE. */
static char *lay_out(const allocation_t *held, uint32_t tasks, uint16_t cpus_per_task)
{
	slurm_step_layout_req_t request = {
		.node_list = held->node_list,
		.num_hosts = held->node_cnt,
		.num_tasks = tasks,
		.task_dist = SLURM_DIST_BLOCK,
		.plane_size = NO_VAL16,
	};
	slurm_step_layout_t *layout = NULL;
	char *counts = NULL;

	if (!slurm_step_layout_create || !held->num_cpu_groups)
		return NULL;
	if (describe_nodes(held, &cpus_per_task, &request) == 0)
		layout = slurm_step_layout_create(&request);
	forget_nodes(&request);
	if (layout) {
		counts = format_counts(layout);
		slurm_job_step_layout_free(layout);
	}
	return counts;
}

/* Whether some node has processors for more than one task. */
static bool has_room(const allocation_t *held, uint16_t cpus_per_task)
{
	for (uint32_t group = 0; group < held->num_cpu_groups; group++) {
		if (held->cpus_per_node[group] / cpus_per_task > 1)
			return true;
	}
	return false;
}

static int count_tasks(const slurm_job_info_t *info,
		       storus_map_description_t *description, torus_error_t *err)
{
	uint32_t nodes = info->num_nodes, tasks = info->num_tasks;
	bool says_per_node = info->ntasks_per_node && info->ntasks_per_node != NO_VAL16;
	uint16_t each = info->cpus_per_task;
	allocation_t *held = NULL;

	if (each == 0 || each == NO_VAL16)
		each = 1;
	if (tasks == 0 || tasks == NO_VAL)
		tasks = nodes;
	if (tasks < nodes) { /* some nodes get none: the caller may know how many */
		description->tasks = tasks;
		return 0;
	}
	if (slurm_allocation_lookup(info->job_id, &held) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld what job %u holds: %s",
				  info->job_id, slurm_strerror(errno));
	if (tasks == nodes) { /* one on each, asked for or not */
		description->tasks = tasks;
		description->guessed = !says_per_node && has_room(held, each);
	} else {
		description->counts = lay_out(held, tasks, each);
		description->unknown = !description->counts;
	}
	slurm_free_resource_allocation_response_msg(held);
	return 0;
}

int storus_map_slurm_job(const char *id, storus_map_description_t *description,
			 torus_error_t *err)
{
	storus_slurm_job_t job;
	int rc;

	if (storus_slurm_job_load(id, true, &job, err) != 0)
		return -1;
	description->nodelist = strdup(job.info->nodes);
	description->network = job.info->network ? strdup(job.info->network) : NULL;
	rc = description->nodelist ? count_tasks(job.info, description, err)
				   : torus_fail(err, "out of memory");
	storus_slurm_job_clear(&job);
	return rc;
}

/* Fill the held of cpus[] from the allocation; its nodes must be name[]. */
static int find_held(const allocation_t *held, char *const *name, uint32_t nodes,
		     storus_map_cpus_t *cpus, torus_error_t *err)
{
	char **held_name = NULL;
	uint32_t held_nodes = 0, node = 0;
	bool same;

	if (torus_hostlist_expand(held->node_list, &held_name, &held_nodes, err))
		return -1;
	same = held_nodes == nodes;
	for (uint32_t i = 0; same && i < nodes; i++)
		same = strcmp(held_name[i], name[i]) == 0;
	free(held_name);
	for (uint32_t group = 0; same && group < held->num_cpu_groups; group++) {
		for (uint32_t i = 0; i < held->cpu_count_reps[group] && node < nodes; i++)
			cpus[node++].held = held->cpus_per_node[group];
	}
	for (uint32_t i = 0; i < node; i++)
		same = same && cpus[i].held > 0;
	if (!same || node < nodes)
		return torus_fail(err, "it holds other nodes: %s", held->node_list);
	return 0;
}

static const char *name_of(const void *names, uint32_t number)
{
	return ((char *const *)names)[number];
}

/* Fill the per_core of cpus[], of which the job may use [most]. */
static int find_cores(const node_info_msg_t *all, char *const *name, uint32_t nodes,
		      uint16_t most, storus_map_cpus_t *cpus, torus_error_t *err)
{
	torus_name_index_t *index = torus_name_index_create(nodes, name_of, name);

	if (!index)
		return torus_fail(err, "out of memory");
	for (uint32_t node = 0; node < nodes; node++) {
		torus_name_index_add(index, node);
		cpus[node].per_core = 0;
	}
	for (uint32_t i = 0; i < all->record_count; i++) {
		const node_info_t *info = &all->node_array[i];
		uint32_t cores = (uint32_t)info->sockets * info->cores, number;

		if (!info->name)
			continue;
		number = torus_name_index_find(index, info->name);
		if (number == TORUS_NO_NAME)
			continue;
		/* A CPU is a thread, or, with fewer CPUs in slurm.conf, a core. */
		cpus[number].per_core =
			cores > 0 && info->cpus > cores ? info->cpus / cores : 1;
		if (most > 0 && most != NO_VAL16 && most < cpus[number].per_core)
			cpus[number].per_core = most;
	}
	torus_name_index_destroy(index);
	for (uint32_t node = 0; node < nodes; node++) {
		if (cpus[node].per_core == 0)
			return torus_fail(err, "slurmctld does not describe node %s",
					  name[node]);
	}
	return 0;
}

int storus_map_slurm_cpus(const char *id, char *const *name, uint32_t nodes,
			  storus_map_cpus_t *cpus, uint32_t *per_task, torus_error_t *err)
{
	allocation_t *held = NULL;
	node_info_msg_t *all = NULL;
	storus_slurm_job_t job;
	int rc = -1;

	if (storus_slurm_job_load(id, true, &job, err) != 0)
		return -1;
	*per_task = job.info->cpus_per_task;
	if (*per_task == 1 || *per_task == NO_VAL16)
		*per_task = 0;
	if (slurm_allocation_lookup(job.info->job_id, &held) != SLURM_SUCCESS ||
	    slurm_load_node(0, &all, SHOW_ALL) != SLURM_SUCCESS)
		torus_fail(err, "cannot ask slurmctld what job %s holds: %s", id,
			   slurm_strerror(errno));
	else if (!find_held(held, name, nodes, cpus, err))
		rc = find_cores(all, name, nodes, job.info->threads_per_core, cpus, err);
	if (all)
		slurm_free_node_info_msg(all);
	if (held)
		slurm_free_resource_allocation_response_msg(held);
	storus_slurm_job_clear(&job);
	return rc;
}

int storus_map_slurm_network(const char *id, char **network, torus_error_t *err)
{
	storus_slurm_job_t job;
	int rc = 0;

	*network = NULL;
	if (storus_slurm_job_load(id, true, &job, err) != 0)
		return -1;
	if (job.info->network) {
		*network = strdup(job.info->network);
		if (!*network)
			rc = torus_fail(err, "out of memory");
	}
	storus_slurm_job_clear(&job);
	return rc;
}
