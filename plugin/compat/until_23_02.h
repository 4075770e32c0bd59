/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 23.02: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_23_02_H
#define TORUS_COMPAT_UNTIL_23_02_H

/* What the reservations take away for select_p_job_test(), and nothing at all. */
#define JOB_TEST_EXCLUDED bitstr_t
#define JOB_TEST_NOTHING_EXCLUDED NULL

#include "compat/until_23_11.h"

/* Where select/cons_tres declares its records. */
#define CONS_TRES_NODE_DATA_H "src/plugins/select/cons_common/node_data.h"
#define CONS_TRES_PART_DATA_H "src/plugins/select/cons_common/part_data.h"

/* Reservations ask for their nodes by select_p_resv_test(), later as jobs do. */
#define SELECT_HAS_RESV_TEST
#define SELECT_SYMBOL_RESV_TEST(HOOK)                                                    \
	HOOK(bitstr_t *, select_p_resv_test,                                             \
	     (resv_desc_msg_t * resv_desc_ptr, uint32_t node_cnt,                        \
	      bitstr_t * avail_bitmap, bitstr_t * *core_bitmap),                         \
	     (resv_desc_ptr, node_cnt, avail_bitmap, core_bitmap))

/* Any job on a node keeps away those that want it alone: see since_23_11.h. */
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

/* Steps that are no step of a program, beyond those that every release has. */
#define STEP_IS_OF_ANOTHER_KIND(srun) false

/* The topology plugin is asked for three functions only. */
#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	OWN(int, topo_build_config, (void), topology_build())                            \
	OWN(bool, topo_generate_node_ranking, (void), NODES_ARE_RANKED)                  \
	OWN(int, topo_get_node_addr, (char *node_name, char **addr, char **pattern),     \
	    topology_address(node_name, addr, pattern))

#define TOPOLOGY_VARIABLES

#endif
