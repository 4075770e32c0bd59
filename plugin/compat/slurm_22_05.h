/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 22.05: see slurm_compat.h. */
#ifndef TORUS_COMPAT_SLURM_22_05_H
#define TORUS_COMPAT_SLURM_22_05_H

#include "src/common/select.h"
#include "src/slurmctld/preempt.h"

#include "compat/select_symbols.h"
#include "cubes/cube_segments.h"

/* Names that later releases have changed. */
typedef struct job_details job_details_t;
#define CONF_FLAG_ASRU CTL_CONF_ASRU
#define SELECT_CPU CR_CPU
#define SELECT_CORE CR_CORE
#define SELECT_SOCKET CR_SOCKET
#define SELECT_MEMORY CR_MEMORY
#define SELECT_LLN CR_LLN
#define SELECT_PACK_NODES CR_PACK_NODES
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#define SELECT_PACK_NODES CR_PACK_NODES

/* Where select/cons_tres declares its records. */
#define CONS_TRES_NODE_DATA_H "src/plugins/select/cons_common/node_data.h"
#define CONS_TRES_PART_DATA_H "src/plugins/select/cons_common/part_data.h"

/* Its function that brings its rows up to date, which they always are here. */
#define CONS_TRES_REBUILD_ROWS NULL

/*
 * A number that no plugin of Slurm's own has: clients find by it the plugin that unpacks
 * the node information of a message, and all select plugins are loaded side by side.
 */
#define SELECT_PLUGIN_ID(own) (own)

/* Reservations ask for their nodes by select_p_resv_test(), later as jobs do. */
#define SELECT_HAS_RESV_TEST

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)                                         \
	SELECT_SYMBOLS_OF_CLIENTS(FORWARD)                                               \
	FORWARD(int, select_p_job_signal, (job_record_t * job_ptr, int signal),          \
		(job_ptr, signal))                                                       \
	FORWARD(char *, select_p_select_jobinfo_sprint,                                  \
		(select_jobinfo_t * jobinfo, char *buffer, size_t size, int mode),       \
		(jobinfo, buffer, size, mode))                                           \
	FORWARD(char *, select_p_select_jobinfo_xstrdup,                                 \
		(select_jobinfo_t * jobinfo, int mode), (jobinfo, mode))                 \
	FORWARD(int, select_p_update_node_config, (int index), (index))                  \
	HOOK(bitstr_t *, select_p_resv_test,                                             \
	     (resv_desc_msg_t * resv_desc_ptr, uint32_t node_cnt,                        \
	      bitstr_t * avail_bitmap, bitstr_t * *core_bitmap),                         \
	     (resv_desc_ptr, node_cnt, avail_bitmap, core_bitmap))

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
#define JOB_TEST_EXTRA_NONE NULL

/* What the reservations take away; only to compare it. */
static inline const void *job_test_excluded(const job_test_extra_t *extra)
{
	return extra->exc_core_bitmap;
}

/*
 * The time before which a planned job will not be started whatever is free, the one after
 * which its start is not asked for (0: none), and the same question for a start at the
 * first of these or not at all. Backfill asks from now on and for ever.
 */
static inline time_t job_test_start(const job_test_extra_t *extra)
{
	(void)extra;
	return 0;
}
static inline time_t job_test_end(const job_test_extra_t *extra)
{
	(void)extra;
	return 0;
}
static inline void job_test_end_at_start(job_test_extra_t *extra)
{
	(void)extra;
}

/* The nodes of a segment that the job asks for: it cannot. */
static inline uint32_t job_segment_size(const job_record_t *job)
{
	(void)job;
	return 0;
}
static inline torus_segments_where_t job_segments_where(const job_record_t *job)
{
	(void)job;
	return TORUS_SEGMENTS_ANYWHERE;
}
#define SEGMENTS_UNAVAILABLE ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE

/* Where the job has a list of licenses for which jobs are to be preempted: none has. */
static inline slurm_list_t *job_licenses_to_preempt(job_record_t *job)
{
	(void)job;
	return NULL;
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

/* Whether the job, or what it holds, takes nodes whole by a wish of its own. */
static inline bool wants_whole_nodes(uint8_t whole_node)
{
	return whole_node == WHOLE_NODE_REQUIRED;
}

/* A limit of nodes in the job's record is one that was asked for. */
#define IMPLIED_MAX_NODES_FLAG 0

/* Any job on a node keeps away those that want it alone: see since_24_11.h. */
#define EMPTY_ROWS_COUNT false
#define PLANS_KNOW_SHARERS true
#define NODE_HAS_SHARER(usage) true
static inline bool job_is_sharer(const job_record_t *job)
{
	(void)job;
	return true;
}

/*
 * The weight that slurm.conf gives a node, raised by slurmctld where it must be booted
 * first; the lowest byte is the delegate's own. slurmctld notes it when it considers the
 * node for a job: until then it is 0.
 */
static inline uint64_t node_weight(const node_record_t *node, bool planned)
{
	(void)planned;
	return node->sched_weight ? node->sched_weight >> 8 : node->config_ptr->weight;
}

/*
 * job_test_resv() for a start now; what reservations keep from the job on the nodes that
 * it may have is not asked for.
 */
static inline int test_reservations_now(job_record_t *job, bitstr_t **nodes)
{
	bitstr_t *cores = NULL;
	time_t now = time(NULL);
	bool overlap;
	int rc = job_test_resv(job, &now, false, nodes, &cores, &overlap, false);

	FREE_NULL_BITMAP(cores);
	return rc;
}

#define READS_TOPOLOGY_YAML false

#include "compat/step_until_25_11.h"

/* Steps that are no step of a program, beyond those that every release has. */
#define STEP_IS_OF_ANOTHER_KIND(srun) false

/* What each task asks for beyond --gpus-per-task. */
#define STEP_TRES_PER_TASK(opt) false

#define TOPOLOGY_HEADER "compat/topology_22_05.h"

#endif
