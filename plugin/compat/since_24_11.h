/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 24.11 on: see slurm_compat.h. */
#ifndef TORUS_COMPAT_SINCE_24_11_H
#define TORUS_COMPAT_SINCE_24_11_H

#include "src/interfaces/gres.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/select.h"

#include "compat/select_symbols.h"
#include "cubes/cube_segments.h"

/* Where select/cons_tres declares its records. */
#define CONS_TRES_NODE_DATA_H "src/plugins/select/cons_tres/node_data.h"
#define CONS_TRES_PART_DATA_H "src/plugins/select/cons_tres/part_data.h"

/* Its function that brings its rows up to date, which they are not after a job's end. */
#define CONS_TRES_REBUILD_ROWS "part_data_rebuild_rows"

/*
 * The last parameters of select_p_job_test(): what the reservations take away, and
 * between which times a planned job may start. Slurm takes no such times and zeros for
 * the same.
 */
#define JOB_TEST_EXTRA_PARAMETERS resv_exc_t *resv_exc_ptr, will_run_data_t *will_run_ptr
#define JOB_TEST_EXTRA_ARGUMENTS resv_exc_ptr, will_run_ptr
typedef struct job_test_extra {
	resv_exc_t *resv_exc;
	will_run_data_t will_run;
} job_test_extra_t;
#define JOB_TEST_EXTRA_PACK                                                              \
	{                                                                                \
		.resv_exc = resv_exc_ptr,                                                \
		.will_run = will_run_ptr ? *will_run_ptr : (will_run_data_t){0},         \
	}
#define JOB_TEST_EXTRA_UNPACK(extra) (extra)->resv_exc, &(extra)->will_run
#define JOB_TEST_EXTRA_NONE &(resv_exc_t){0}, NULL

/* What the reservations take away; only to compare it. */
static inline const void *job_test_excluded(const job_test_extra_t *extra)
{
	return extra->resv_exc;
}

/*
 * The time before which a planned job will not be started whatever is free, the one after
 * which its start is not asked for (0: none), and the same question for a start at the
 * first of these or not at all.
 */
static inline time_t job_test_start(const job_test_extra_t *extra)
{
	return extra->will_run.start;
}
static inline time_t job_test_end(const job_test_extra_t *extra)
{
	return extra->will_run.end;
}
static inline void job_test_end_at_start(job_test_extra_t *extra)
{
	extra->will_run.end = extra->will_run.start;
}

/* The nodes of a segment that the job asks for (--segment); 0: none. */
static inline uint32_t job_segment_size(const job_record_t *job)
{
	return job->details->segment_size;
}

/* Where the segments may be (--spread-segments, --consolidate-segments), which Slurm has
 * for its blocks; of both the first, as no block but the machine is above a cube. */
static inline torus_segments_where_t job_segments_where(const job_record_t *job)
{
#ifdef CONSOLIDATE_SEGMENTS
	if (job->bit_flags & SPREAD_SEGMENTS)
		return TORUS_SEGMENTS_SPREAD;
	if (job->bit_flags & CONSOLIDATE_SEGMENTS)
		return TORUS_SEGMENTS_CONSOLIDATED;
#else
	(void)job;
#endif
	return TORUS_SEGMENTS_ANYWHERE;
}

/* What Slurm's own plugins say of segments that a job can not have. */
#define SEGMENTS_UNAVAILABLE ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE

/* Where the job has a list of licenses for which jobs are to be preempted. */
static inline slurm_list_t *job_licenses_to_preempt(job_record_t *job)
{
	return &job->licenses_to_preempt;
}

/* The first bit set in [bits] at [from] or after it; -1: none. */
static inline int next_set_bit(const bitstr_t *bits, int from)
{
	return (int)bit_ffs_from_bit((bitstr_t *)bits, from);
}

/* Whether the job, or what it holds, takes nodes whole by a wish of its own. */
static inline bool wants_whole_nodes(uint8_t whole_node)
{
	return whole_node & WHOLE_NODE_REQUIRED;
}

/*
 * A node is busy for jobs that want it alone, and shared by a partition that
 * oversubscribes for those that do not share, only if one of its jobs, suspended or not,
 * is willing to share. In its plans Slurm's plugin does not know the jobs on a node, so
 * that no node is either. EMPTY_ROWS_COUNT, in the header of the release: whether it is
 * enough that the partition has ever had cores of the node in use.
 */
#define PLANS_KNOW_SHARERS false
static inline bool job_is_sharer(const job_record_t *job)
{
	return job->details->share_res == 1 || (job->part_ptr->max_share & SHARED_FORCE);
}
static inline int find_sharer(void *job, void *key)
{
	(void)key;
	return job_is_sharer(job);
}
#define NODE_HAS_SHARER(usage)                                                           \
	((usage)->jobs && list_find_first((usage)->jobs, find_sharer, NULL))

/* What each task asks for beyond --gpus-per-task. */
#define STEP_TRES_PER_TASK(opt) ((opt)->tres_per_task != NULL)

/*
 * The weight that slurm.conf gives a node, raised where it must be booted first. For a
 * job that is to start now slurmctld has noted it when it considered the node, the lowest
 * byte being the delegate's own. For a plan it has not, and the delegate keeps weights on
 * another scale there; it raises those of nodes that are powered down alone.
 */
static inline uint64_t node_weight(const node_record_t *node, bool planned)
{
	bool asleep = IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node);

	if (!planned && node->sched_weight)
		return node->sched_weight >> 8;
	return node->weight | (asleep ? (uint64_t)1 << 32 : 0);
}

/*
 * job_test_resv() for a start now; what reservations keep from the job on the nodes that
 * it may have is not asked for.
 */
static inline int test_reservations_now(job_record_t *job, bitstr_t **nodes)
{
	resv_exc_t kept = {0};
	time_t now = time(NULL);
	bool overlap;
	int rc = job_test_resv(job, &now, false, nodes, &kept, &overlap, false);

	reservation_delete_resv_exc_parts(&kept);
	return rc;
}

#endif
