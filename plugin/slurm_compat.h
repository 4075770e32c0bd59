/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that differs between Slurm versions, in one place.
 *
 * The plugins are compiled against Slurm's private headers of exactly the version that
 * loads them. Other files of plugin/ use the names below and no version test of their
 * own.
 */
#ifndef TORUS_SLURM_COMPAT_H
#define TORUS_SLURM_COMPAT_H

#include "config.h"

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
#include "src/common/select.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/preempt.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) ||                                \
	SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 6, 0)
#error "slurm-torus supports Slurm 22.05"
#endif

/*
 * slurmctld's own variables. Clients and slurmd load select plugins too, and have none of
 * them: weak, so that loading works there.
 */
extern node_record_t **node_record_table_ptr __attribute__((weak));
extern int node_record_count __attribute__((weak));
extern List job_list __attribute__((weak));
extern bitstr_t *avail_node_bitmap __attribute__((weak));
extern bitstr_t *idle_node_bitmap __attribute__((weak));

typedef List slurm_list_t;

/*
 * A number that no plugin of Slurm's own has: clients find by it the plugin that unpacks
 * the node information of a message, and all select plugins are loaded side by side.
 */
#define TORUS_SELECT_PLUGIN_ID 171

/* The last parameters of select_p_job_test(): what the reservations take away. */
#define JOB_TEST_EXTRA_PARAMETERS bitstr_t *exc_core_bitmap
#define JOB_TEST_EXTRA_ARGUMENTS exc_core_bitmap
typedef struct job_test_extra {
	bitstr_t *exc_core_bitmap;
} job_test_extra_t;
#define JOB_TEST_EXTRA_PACK                                                              \
	{                                                                                \
		.exc_core_bitmap = exc_core_bitmap                                       \
	}
#define JOB_TEST_EXTRA_UNPACK(extra) (extra)->exc_core_bitmap

/*
 * The symbols of a select plugin, in the order in which Slurm looks for them: result,
 * name, parameters, arguments. FORWARD: passed to Slurm's plugin as they are; HOOK and
 * DECIDE: select_torus.c has a function of its own, DECIDE being the one that chooses
 * nodes.
 */
#define SELECT_SYMBOLS(FORWARD, HOOK, DECIDE)                                            \
	FORWARD(int, select_p_state_save, (char *directory), (directory))                \
	FORWARD(int, select_p_state_restore, (char *directory), (directory))             \
	FORWARD(int, select_p_job_init, (List jobs), (jobs))                             \
	HOOK(int, select_p_node_init, (void), ())                                        \
	DECIDE(int, select_p_job_test,                                                   \
	       (job_record_t * job_ptr, bitstr_t * bitmap, uint32_t min_nodes,           \
		uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,                   \
		List preemptee_candidates, List * preemptee_job_list,                    \
		JOB_TEST_EXTRA_PARAMETERS),                                              \
	       (job_ptr, bitmap, min_nodes, max_nodes, req_nodes, mode,                  \
		preemptee_candidates, preemptee_job_list, JOB_TEST_EXTRA_ARGUMENTS))     \
	HOOK(int, select_p_job_begin, (job_record_t * job_ptr), (job_ptr))               \
	FORWARD(int, select_p_job_ready, (job_record_t * job_ptr), (job_ptr))            \
	HOOK(int, select_p_job_expand,                                                   \
	     (job_record_t * from_job_ptr, job_record_t * to_job_ptr),                   \
	     (from_job_ptr, to_job_ptr))                                                 \
	HOOK(int, select_p_job_resized,                                                  \
	     (job_record_t * job_ptr, node_record_t * node_ptr), (job_ptr, node_ptr))    \
	FORWARD(int, select_p_job_signal, (job_record_t * job_ptr, int signal),          \
		(job_ptr, signal))                                                       \
	HOOK(int, select_p_job_fini, (job_record_t * job_ptr), (job_ptr))                \
	FORWARD(int, select_p_job_suspend, (job_record_t * job_ptr, bool indefinitely),  \
		(job_ptr, indefinitely))                                                 \
	FORWARD(int, select_p_job_resume, (job_record_t * job_ptr, bool indefinitely),   \
		(job_ptr, indefinitely))                                                 \
	FORWARD(bitstr_t *, select_p_step_pick_nodes,                                    \
		(job_record_t * job_ptr, select_jobinfo_t * step_jobinfo,                \
		 uint32_t node_count, bitstr_t * *avail_nodes),                          \
		(job_ptr, step_jobinfo, node_count, avail_nodes))                        \
	FORWARD(int, select_p_step_start, (step_record_t * step_ptr), (step_ptr))        \
	FORWARD(int, select_p_step_finish,                                               \
		(step_record_t * step_ptr, bool killing_step), (step_ptr, killing_step)) \
	FORWARD(int, select_p_select_nodeinfo_pack,                                      \
		(select_nodeinfo_t * nodeinfo, buf_t * buffer,                           \
		 uint16_t protocol_version),                                             \
		(nodeinfo, buffer, protocol_version))                                    \
	FORWARD(int, select_p_select_nodeinfo_unpack,                                    \
		(select_nodeinfo_t * *nodeinfo, buf_t * buffer,                          \
		 uint16_t protocol_version),                                             \
		(nodeinfo, buffer, protocol_version))                                    \
	FORWARD(select_nodeinfo_t *, select_p_select_nodeinfo_alloc, (void), ())         \
	FORWARD(int, select_p_select_nodeinfo_free, (select_nodeinfo_t * nodeinfo),      \
		(nodeinfo))                                                              \
	FORWARD(int, select_p_select_nodeinfo_set_all, (void), ())                       \
	FORWARD(int, select_p_select_nodeinfo_set, (job_record_t * job_ptr), (job_ptr))  \
	FORWARD(int, select_p_select_nodeinfo_get,                                       \
		(select_nodeinfo_t * nodeinfo, enum select_nodedata_type info,           \
		 enum node_states state, void *data),                                    \
		(nodeinfo, info, state, data))                                           \
	FORWARD(select_jobinfo_t *, select_p_select_jobinfo_alloc, (void), ())           \
	FORWARD(int, select_p_select_jobinfo_free, (select_jobinfo_t * jobinfo),         \
		(jobinfo))                                                               \
	FORWARD(int, select_p_select_jobinfo_set,                                        \
		(select_jobinfo_t * jobinfo, enum select_jobdata_type type, void *data), \
		(jobinfo, type, data))                                                   \
	FORWARD(int, select_p_select_jobinfo_get,                                        \
		(select_jobinfo_t * jobinfo, enum select_jobdata_type type, void *data), \
		(jobinfo, type, data))                                                   \
	FORWARD(select_jobinfo_t *, select_p_select_jobinfo_copy,                        \
		(select_jobinfo_t * jobinfo), (jobinfo))                                 \
	FORWARD(int, select_p_select_jobinfo_pack,                                       \
		(select_jobinfo_t * jobinfo, buf_t * buffer, uint16_t protocol_version), \
		(jobinfo, buffer, protocol_version))                                     \
	FORWARD(int, select_p_select_jobinfo_unpack,                                     \
		(select_jobinfo_t * *jobinfo, buf_t * buffer,                            \
		 uint16_t protocol_version),                                             \
		(jobinfo, buffer, protocol_version))                                     \
	FORWARD(char *, select_p_select_jobinfo_sprint,                                  \
		(select_jobinfo_t * jobinfo, char *buffer, size_t size, int mode),       \
		(jobinfo, buffer, size, mode))                                           \
	FORWARD(char *, select_p_select_jobinfo_xstrdup,                                 \
		(select_jobinfo_t * jobinfo, int mode), (jobinfo, mode))                 \
	FORWARD(int, select_p_get_info_from_plugin,                                      \
		(enum select_plugindata_info info, job_record_t * job_ptr, void *data),  \
		(info, job_ptr, data))                                                   \
	FORWARD(int, select_p_update_node_config, (int index), (index))                  \
	HOOK(int, select_p_reconfigure, (void), ())                                      \
	HOOK(bitstr_t *, select_p_resv_test,                                             \
	     (resv_desc_msg_t * resv_desc_ptr, uint32_t node_cnt,                        \
	      bitstr_t * avail_bitmap, bitstr_t * *core_bitmap),                         \
	     (resv_desc_ptr, node_cnt, avail_bitmap, core_bitmap))

/*
 * The weight that slurm.conf gives a node, raised by slurmctld where it must be booted
 * first; the lowest byte is the delegate's own. slurmctld notes it when it considers the
 * node for a job: until then it is 0.
 */
static inline uint64_t node_weight(const node_record_t *node)
{
	return node->sched_weight ? node->sched_weight >> 8 : node->config_ptr->weight;
}

/* What Slurm allocates for the job: CPUs (sockets, cores) and memory. */
static inline uint16_t job_resource_types(const job_record_t *job)
{
	uint16_t types = slurm_conf.select_type_param;

	if (job->part_ptr->cr_type && (types & (CR_SOCKET | CR_CORE))) {
		types &= (uint16_t) ~(CR_SOCKET | CR_CORE | CR_MEMORY);
		types |= job->part_ptr->cr_type;
	}
	return types;
}

static inline bool job_shares_by_memory(const job_record_t *job)
{
	return job_resource_types(job) & CR_MEMORY;
}

static inline bool job_shares_by_cores(const job_record_t *job)
{
	return job_resource_types(job) != CR_MEMORY;
}

/* Whether the job gets single CPUs of a core. */
static inline bool job_counts_threads(const job_record_t *job)
{
	return job_resource_types(job) & CR_CPU;
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
	return !(slurm_conf.conf_flags & CTL_CONF_ASRU) || job->details->core_spec != 0;
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
	const struct job_details *details = job->details;
	const multi_core_data_t *wish = details->mc_ptr;
	uint32_t cpus = node->tpc;

	if (!wish || ((slurm_conf.select_type_param & CR_ONE_TASK_PER_CORE) &&
		      details->min_gres_cpu > 0))
		return cpus;
	if (wish->ntasks_per_core && wish->ntasks_per_core != INFINITE16 &&
	    (uint32_t)wish->ntasks_per_core * details->cpus_per_task < cpus)
		cpus = (uint32_t)wish->ntasks_per_core * details->cpus_per_task;
	if (wish->threads_per_core != NO_VAL16 && wish->threads_per_core < cpus)
		cpus = wish->threads_per_core;
	return cpus;
}

/*
 * The first bit set in [bits] at [from] or after it; -1: none. Slurm 22.05 can only look
 * from bit 0.
 */
static inline int next_set_bit(const bitstr_t *bits, int from)
{
	const uint64_t *words = (const uint64_t *)bits + BITSTR_OVERHEAD;
	int size = (int)bit_size((bitstr_t *)bits);
	int word = from / 64, count = (size + 63) / 64;
	uint64_t left;

	if (from >= size)
		return -1;
#ifdef SLURM_BIGENDIAN
	left = words[word] & (UINT64_MAX >> (from % 64));
#else
	left = words[word] & (UINT64_MAX << (from % 64));
#endif
	while (!left && ++word < count)
		left = words[word];
	if (!left)
		return -1;
#ifdef SLURM_BIGENDIAN
	return word * 64 + __builtin_clzll(left);
#else
	return word * 64 + __builtin_ctzll(left);
#endif
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
	       job->details->whole_node == WHOLE_NODE_REQUIRED;
}

/*
 * The nodes that no reservation keeps from the job for a start now, to be freed; NULL
 * when its own reservation does not let it start now.
 */
static inline bitstr_t *job_unreserved_nodes(job_record_t *job)
{
	bitstr_t *nodes = NULL, *cores = NULL;
	time_t now = time(NULL);
	bool overlap;

	if (job_test_resv(job, &now, false, &nodes, &cores, &overlap, false) !=
	    SLURM_SUCCESS)
		FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(cores);
	return nodes;
}

/* Whether the job asks for GRES not by the node, but for all of it or by the task. */
static inline bool job_counts_gres_in_all(const job_record_t *job)
{
	ListIterator iterator;
	gres_state_t *state;
	bool in_all = false;

	if (!job->gres_list_req)
		return false;
	iterator = list_iterator_create(job->gres_list_req);
	while (!in_all && (state = list_next(iterator))) {
		const gres_job_state_t *wanted = state->gres_data;

		in_all = wanted->gres_per_job || wanted->gres_per_task;
	}
	list_iterator_destroy(iterator);
	return in_all;
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
