/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select/torus: what Slurm sees. Every call is forwarded to Slurm's own select/cons_tres;
 * the functions below are those where something is added.
 */
#include "select/active_jobs.h"
#include "select/asked_twice.h"
#include "slurm/chips.h"
#include "slurm/comment.h"
#include "slurm/lock_order.h"
#include "select/cons_tres_state.h"
#include "select/delegate.h"
#include "select/job_decide.h"
#include "select/parts.h"
#include "slurm/record.h"
#include "select/reservation.h"
#include "slurm/decisions.h"

const char plugin_name[] = "Node selection for torus and mesh networks";
const char plugin_type[] = "select/torus";
const uint32_t plugin_id = SELECT_PLUGIN_ID(171);
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* The tori as last read; NULL where there are none: in clients and slurmd. */
static tori_t *tori;
static ordered_lock_t tori_lock = ORDERED_LOCK(LOCK_TORI);

/* The job that has last begun, until its GRES are known; else NULL. */
static const job_record_t *begun;

/* The last plan, in case that backfill asks for it again. Under tori_lock. */
static asked_twice_t asked_twice;

/* Whatever else is called may change what a plan depends on. */
static void forget_plans(void)
{
	asked_twice_forget(&asked_twice);
	active_jobs_forget();
}

/* Nodes may have said meanwhile that they are elsewhere. Under tori_lock. */
static void keep_joined(void)
{
	if (tori && tori_keep_joined(tori))
		forget_plans();
}

#define FORWARD(...) DELEGATE_FORWARD_AFTER(forget_plans(), __VA_ARGS__)
SELECT_SYMBOLS(FORWARD, DELEGATE_DECLARE, DELEGATE_DECLARE)
#undef FORWARD

int init(void);
int fini(void);

int init(void)
{
	record_warn_if_untested();
	if (delegate_load("select/cons_tres") != SLURM_SUCCESS)
		return SLURM_ERROR;
	if (state_find() != SLURM_SUCCESS) {
		delegate_unload();
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}

int fini(void)
{
	lock_in_order(&tori_lock);
	tori_free(tori);
	tori = NULL;
	asked_twice_clear(&asked_twice);
	active_jobs_clear();
	parts_forget();
	unlock_in_order(&tori_lock);
	decisions_end();
	delegate_unload();
	return SLURM_SUCCESS;
}

int select_p_node_init(void)
{
	forget_plans();
	if (running_in_slurmctld()) {
		lock_in_order(&tori_lock);
		tori = tori_renew(tori);
		unlock_in_order(&tori_lock);
		if (topology_yaml_prevails())
			error("%s: TopologyPlugin=topology/torus is without effect: there is "
			      "a topology.yaml, and Slurm takes its topologies",
			      plugin_type);
	}
	return delegate.select_p_node_init();
}

/*
 * Jobs whose token is missing, because they were started before this plugin was in charge
 * or because somebody else has written over it, are described too. This is the first call
 * after a start in which jobs have their nodes; in select_p_job_init() they do not yet.
 */
int select_p_reconfigure(void)
{
	int rc = delegate.select_p_reconfigure();
	slurm_list_iterator_t iterator;
	job_record_t *job;

	forget_plans();
	if (!running_in_slurmctld() || !job_list)
		return rc;
	iterator = list_iterator_create(job_list);
	lock_in_order(&tori_lock);
	keep_joined();
	while ((job = list_next(iterator))) {
		if (record_is_job(job) &&
		    (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
		    !comment_present(job))
			comment_set(tori, job);
	}
	unlock_in_order(&tori_lock);
	list_iterator_destroy(iterator);
	return rc;
}

int select_p_job_test(job_record_t *job_ptr, bitstr_t *bitmap, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
		      slurm_list_t preemptee_candidates, slurm_list_t *preemptee_job_list,
		      JOB_TEST_EXTRA_PARAMETERS)
{
	job_test_call_t call = {
		.job = job_ptr,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.req_nodes = req_nodes,
		.mode = mode,
		.preemptee_candidates = preemptee_candidates,
		.preemptees = preemptee_job_list,
		.extra = JOB_TEST_EXTRA_PACK,
	};
	int rc;

	if (!record_is_job(job_ptr)) {
		/* Jobs are accepted, and wait for a plugin that can place them. */
		if (!SELECT_IS_MODE_TEST_ONLY(mode))
			return SLURM_ERROR;
		return delegate.select_p_job_test(job_ptr, bitmap, min_nodes, max_nodes,
						  req_nodes, mode, preemptee_candidates,
						  preemptee_job_list,
						  JOB_TEST_EXTRA_ARGUMENTS);
	}
	lock_in_order(&tori_lock);
	keep_joined();
	if (IS_JOB_PENDING(job_ptr))
		comment_remove(job_ptr);
	if (!asked_twice_answer(&asked_twice, &call, bitmap, &rc)) {
		asked_twice_begin(&asked_twice, &call, bitmap);
		rc = job_decide(tori, &call, bitmap);
		asked_twice_end(&asked_twice, rc, bitmap);
	}
	unlock_in_order(&tori_lock);
	return rc;
}

/* Describe the job's nodes as they are after a call that has succeeded. */
static int describe(int rc, job_record_t *job)
{
	forget_plans();
	if (rc != SLURM_SUCCESS || !record_is_job(job))
		return rc;
	lock_in_order(&tori_lock);
	keep_joined();
	comment_set(tori, job);
	unlock_in_order(&tori_lock);
	return rc;
}

int select_p_job_begin(job_record_t *job_ptr)
{
	int rc = describe(delegate.select_p_job_begin(job_ptr), job_ptr);

	lock_in_order(&tori_lock);
	begun = rc == SLURM_SUCCESS ? job_ptr : NULL;
	unlock_in_order(&tori_lock);
	return rc;
}

/*
 * Slurm's plugin gives a job its GRES only now: with these its chips are known. Called
 * for running jobs, too, after a start of slurmctld; their tokens stay.
 */
int select_p_select_nodeinfo_set(job_record_t *job_ptr)
{
	int rc = delegate.select_p_select_nodeinfo_set(job_ptr);

	forget_plans();
	if (!running_in_slurmctld())
		return rc;
	lock_in_order(&tori_lock);
	if (rc == SLURM_SUCCESS && tori && begun == job_ptr && record_is_job(job_ptr) &&
	    chips_may_be_known(tori, job_ptr))
		comment_set(tori, job_ptr);
	begun = NULL;
	unlock_in_order(&tori_lock);
	return rc;
}

int select_p_job_resized(job_record_t *job_ptr, node_record_t *node_ptr)
{
	return describe(delegate.select_p_job_resized(job_ptr, node_ptr), job_ptr);
}

int select_p_job_expand(job_record_t *from_job_ptr, job_record_t *to_job_ptr)
{
	int rc = describe(delegate.select_p_job_expand(from_job_ptr, to_job_ptr),
			  to_job_ptr);

	if (rc == SLURM_SUCCESS && record_is_job(from_job_ptr))
		comment_remove(from_job_ptr);
	return rc;
}

int select_p_job_fini(job_record_t *job_ptr)
{
	forget_plans();
	if (record_is_job(job_ptr) && job_is_requeued(job_ptr))
		comment_remove(job_ptr);
	return delegate.select_p_job_fini(job_ptr);
}

#ifdef SELECT_HAS_RESV_TEST
bitstr_t *select_p_resv_test(resv_desc_msg_t *resv_desc_ptr, uint32_t node_cnt,
			     bitstr_t *avail_bitmap, bitstr_t **core_bitmap)
{
	bitstr_t *picked = NULL, *chosen;

	if (!node_cnt || resv_desc_ptr->core_cnt)
		goto slurm;
	chosen = bit_alloc(bit_size(avail_bitmap));
	lock_in_order(&tori_lock);
	if (choose_reserved(tori, avail_bitmap, node_cnt, NULL, chosen))
		picked = delegate.select_p_resv_test(resv_desc_ptr, node_cnt, chosen,
						     core_bitmap);
	unlock_in_order(&tori_lock);
	bit_free(chosen);
	if (picked)
		return picked;
slurm:
	return delegate.select_p_resv_test(resv_desc_ptr, node_cnt, avail_bitmap,
					   core_bitmap);
}
#endif
