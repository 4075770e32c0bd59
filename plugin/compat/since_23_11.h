/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 23.11 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_23_11_H
#define TORUS_COMPAT_SINCE_23_11_H

#include "compat/since_23_02.h"

/* Where select/cons_tres declares its records. */
#define CONS_TRES_NODE_DATA_H "src/plugins/select/cons_tres/node_data.h"
#define CONS_TRES_PART_DATA_H "src/plugins/select/cons_tres/part_data.h"

/* What the reservations take away for select_p_job_test(), and nothing at all. */
#define JOB_TEST_EXCLUDED resv_exc_t
#define JOB_TEST_NOTHING_EXCLUDED                                                        \
	&(resv_exc_t)                                                                    \
	{                                                                                \
		0                                                                        \
	}

/*
 * Whether a job on the node, suspended or not, is willing to share it. Only then is the
 * node busy for a job that wants it alone, and shared, in a partition that
 * oversubscribes, for a job that does not share. A plan of Slurm's plugin has no list of
 * the jobs on a node and takes no node for busy or shared (PLANS_KNOW_SHARERS).
 * EMPTY_ROWS_COUNT, in the header of the release: whether a node counts as shared if the
 * partition had cores of it in use at any time.
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

/* Steps that are no step of a program, beyond those that every release has. */
#define STEP_IS_OF_ANOTHER_KIND(srun)                                                    \
	((srun)->external_launcher || (srun)->array_task_id != NO_VAL ||                 \
	 STEP_IS_ASYNCHRONOUS(srun))

#endif
