/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugins use of Slurm, the same for every release.
 *
 * The plugins are compiled against Slurm's private headers of exactly the version that
 * loads them. They are written for the newest release; compat/slurm_*.h, a header a
 * release, supplies what that one lacks or has in another form. Other files of plugin/
 * use the names below and no version test of their own.
 */
#ifndef TORUS_SLURM_COMPAT_H
#define TORUS_SLURM_COMPAT_H

#include "config.h"

#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "src/common/slurm_xlator.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/plugin.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

/* Handles of Slurm's lists, which are pointers under other names in other releases. */
typedef __typeof__(list_create(NULL)) slurm_list_t;
typedef __typeof__(list_iterator_create(NULL)) slurm_list_iterator_t;
typedef __typeof__(hostlist_create(NULL)) slurm_hostlist_t;

/*
 * slurmctld's own variables. Clients and slurmd load select plugins too, and have none of
 * them: weak, so that loading works there.
 */
extern node_record_t **node_record_table_ptr __attribute__((weak));
extern int node_record_count __attribute__((weak));
extern slurm_list_t job_list __attribute__((weak));
extern bitstr_t *avail_node_bitmap __attribute__((weak));
extern bitstr_t *idle_node_bitmap __attribute__((weak));
extern bitstr_t *cg_node_bitmap __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern time_t last_node_update __attribute__((weak));
extern time_t last_part_update __attribute__((weak));
extern time_t last_resv_update __attribute__((weak));
extern slurmctld_config_t slurmctld_config __attribute__((weak));

/* The only place where versions are told apart. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 12, 0) && !defined(TORUS_UNTESTED_SLURM)
#error "slurm-torus has no compat/slurm_*.h for this release of Slurm"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 11, 0)
#include "compat/slurm_26_11.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
#include "compat/slurm_26_05.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#include "compat/slurm_25_11.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
#include "compat/slurm_25_05.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#include "compat/slurm_24_11.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "compat/slurm_24_05.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
#include "compat/slurm_23_11.h"
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "compat/slurm_23_02.h"
#else
#include "compat/slurm_22_05.h"
#endif

/* Releases that have no reason of their own for it. */
#ifndef WAITS_FOR_PLACE
#define WAITS_FOR_PLACE SLURM_ERROR
#define WAITS_FOR_SEGMENTS SLURM_ERROR
#endif

/*
 * Whether slurm.conf names topology/torus in vain: where there is a topology.yaml, Slurm
 * loads the plugins that it names and does not look at TopologyPlugin=.
 */
static inline bool topology_yaml_prevails(void)
{
	char *path;
	bool prevails;

	if (!READS_TOPOLOGY_YAML || xstrcmp(slurm_conf.topology_plugin, "topology/torus"))
		return false;
	path = get_extra_conf_path("topology.yaml");
	prevails = !access(path, F_OK);
	xfree(path);
	return prevails;
}

/* Whether select/torus chooses the nodes and writes the jobs' tokens, under either name.
 */
static inline bool select_torus_decides(void)
{
	return !xstrcmp(slurm_conf.select_type, "select/torus") ||
	       !xstrcmp(slurm_conf.select_type, "select/cons_tres_torus");
}

/* Whether jobs are on the node, be they ending. */
static inline bool node_has_jobs(const node_record_t *node)
{
	return node->run_job_cnt || node->comp_job_cnt;
}

/* Whether the job is on nodes. */
static inline bool job_holds_nodes(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && job->node_bitmap;
}

/* Whether Slurm by itself has limited the job to as many nodes as tasks. */
static inline bool max_nodes_is_implied(const job_record_t *job)
{
	return job->bit_flags & IMPLIED_MAX_NODES_FLAG;
}

/* What Slurm allocates for the job: CPUs (sockets, cores) and memory. */
static inline uint16_t job_resource_types(const job_record_t *job)
{
	uint16_t types = slurm_conf.select_type_param;

	if (job->part_ptr->cr_type && (types & (SELECT_SOCKET | SELECT_CORE))) {
		types &= (uint16_t) ~(SELECT_SOCKET | SELECT_CORE | SELECT_MEMORY);
		types |= job->part_ptr->cr_type;
	}
	return types;
}

static inline bool job_shares_by_memory(const job_record_t *job)
{
	return job_resource_types(job) & SELECT_MEMORY;
}

static inline bool job_shares_by_cores(const job_record_t *job)
{
	return job_resource_types(job) != SELECT_MEMORY;
}

/* Whether the job gets single CPUs of a core. */
static inline bool job_counts_threads(const job_record_t *job)
{
	return job_resource_types(job) & SELECT_CPU;
}

/* Whether memory for each CPU is taken for those of its cores that it leaves idle, too.
 */
static inline bool job_pays_for_idle_threads(const job_record_t *job)
{
	const multi_core_data_t *wish = job->details->mc_ptr;

	return wish && wish->ntasks_per_core == 1 && job->details->cpus_per_task == 1;
}

/* Whether the cores that a node sets aside for the system are not for this job. */
static inline bool job_leaves_spare_cores(const job_record_t *job)
{
	return !(slurm_conf.conf_flags & CONF_FLAG_ASRU) || job->details->core_spec != 0;
}

/* Cores of a node but for those set aside. */
static inline uint32_t node_job_cores(const node_record_t *node)
{
	return node->node_spec_bitmap ? (uint32_t)bit_set_count(node->node_spec_bitmap)
				      : node->tot_cores;
}

/* How many CPUs the job gets for a core of the node. */
static inline uint32_t node_cpus_per_core(const node_record_t *node,
					  const job_record_t *job)
{
	const job_details_t *details = job->details;
	const multi_core_data_t *wish = details->mc_ptr;
	uint32_t cpus = node->tpc;

	if (!wish || ((slurm_conf.select_type_param & SELECT_ONE_TASK_PER_CORE) &&
		      details->min_gres_cpu > 0))
		return cpus;
	if (wish->ntasks_per_core && wish->ntasks_per_core != INFINITE16 &&
	    (uint32_t)wish->ntasks_per_core * details->cpus_per_task < cpus)
		cpus = (uint32_t)wish->ntasks_per_core * details->cpus_per_task;
	if (wish->threads_per_core != NO_VAL16 && wish->threads_per_core < cpus)
		cpus = wish->threads_per_core;
	return cpus;
}

/* CPUs of a node that jobs may use. */
static inline uint32_t node_cpus(const node_record_t *node)
{
	return node->cpus_efctv ? node->cpus_efctv : node->cpus;
}

/*
 * Whether the job takes each of its nodes whole, so that it needs idle ones: partition
 * with OverSubscribe=EXCLUSIVE, or --exclusive.
 */
static inline bool job_takes_whole_nodes(const job_record_t *job)
{
	return job->part_ptr->max_share == 0 ||
	       wants_whole_nodes(job->details->whole_node);
}

/*
 * The nodes that no reservation keeps from the job for a start now, to be freed; NULL
 * when its own reservation does not let it start now.
 */
static inline bitstr_t *job_unreserved_nodes(job_record_t *job)
{
	bitstr_t *nodes = NULL;

	if (test_reservations_now(job, &nodes) != SLURM_SUCCESS)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/* Whether the job asks for some GRES in one of these ways. */
static inline bool job_asks_for_gres(const job_record_t *job, bool in_all, bool by_task,
				     bool by_socket)
{
	slurm_list_iterator_t iterator;
	gres_state_t *state;
	bool asks = false;

	if (!job->gres_list_req)
		return false;
	iterator = list_iterator_create(job->gres_list_req);
	while (!asks && (state = list_next(iterator))) {
		const gres_job_state_t *wanted = state->gres_data;

		asks = (in_all && wanted->gres_per_job) ||
		       (by_task && wanted->gres_per_task) ||
		       (by_socket && wanted->gres_per_socket);
	}
	list_iterator_destroy(iterator);
	return asks;
}

/* Whether the job asks for GRES not by the node, but for all of it or by the task. */
static inline bool job_counts_gres_in_all(const job_record_t *job)
{
	return job_asks_for_gres(job, true, true, false);
}

/* Whether the job asks for a number of GRES on all of its nodes together (--gpus=). */
static inline bool job_asks_for_gres_of_all(const job_record_t *job)
{
	return job_asks_for_gres(job, true, false, false);
}

/* Whether the job asks for GRES by the socket. */
static inline bool job_asks_for_gres_of_sockets(const job_record_t *job)
{
	return job_asks_for_gres(job, false, false, true);
}

/* Whether a preemptor suspends the running job instead of ending it. */
static inline bool job_is_suspended_for_others(job_record_t *job)
{
	return IS_JOB_RUNNING(job) && slurm_job_preempt_mode(job) == PREEMPT_MODE_SUSPEND;
}

/* Whether the job will have to go back into the queue after this end of a run. */
static inline bool job_is_requeued(const job_record_t *job)
{
	if (job->job_state & (JOB_REQUEUE | JOB_REQUEUE_HOLD | JOB_SPECIAL_EXIT))
		return true;
	/* A batch job that lost a node: Slurm requeues it only after having ended it. */
	return IS_JOB_NODE_FAILED(job) && job->batch_flag && job->details->requeue;
}

#endif
