/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans that backfill asks for twice: see asked_twice.h. */
#include "select/asked_twice.h"

#include "select/reservation.h"

/* Whether jobs are being preempted for licenses. With each answer Slurm's plugin clears
 * the list of these licenses, so that a second answer would differ. */
static bool preempts_for_licenses(job_record_t *job)
{
	const slurm_list_t *licenses = job_licenses_to_preempt(job);

	return licenses && *licenses;
}

/*
 * Whether share_res, which is 0, could be 1 and leave the answer as it is. Apart from the
 * kind of use (state_job_kind(), compared later) select/cons_tres looks at it in one
 * place: --ntasks-per-node limits the processors of a node only if the job does not claim
 * whole nodes.
 */
static bool sharing_changes_nothing(const job_record_t *job)
{
	return !job->details->ntasks_per_node || job->cpus_per_tres;
}

/* Whether backfill may ask [call] a second time, for the same answer. */
static bool may_be_first(const job_test_call_t *call)
{
	job_record_t *job = call->job;

	return SELECT_IS_MODE_WILL_RUN(call->mode) && !is_reservation(job) &&
	       !call->preemptees && !job->details->share_res && !job->req_switch &&
	       sharing_changes_nothing(job) && !preempts_for_licenses(job);
}

static bool is_same_call(const job_test_call_t *one, const job_test_call_t *other)
{
	return one->job == other->job && one->min_nodes == other->min_nodes &&
	       one->max_nodes == other->max_nodes && one->req_nodes == other->req_nodes &&
	       one->mode == other->mode &&
	       one->preemptee_candidates == other->preemptee_candidates &&
	       one->preemptees == other->preemptees &&
	       job_test_excluded(&one->extra) == job_test_excluded(&other->extra) &&
	       job_test_start(&one->extra) == job_test_start(&other->extra) &&
	       job_test_end(&one->extra) == job_test_end(&other->extra);
}

static bool is_second(const asked_twice_t *asked, const job_test_call_t *call,
		      const bitstr_t *bitmap)
{
	const job_record_t *job = call->job;

	return pthread_equal(asked->thread, pthread_self()) &&
	       is_same_call(&asked->call, call) && job->job_id == asked->job_id &&
	       job->details->share_res && job->part_ptr == asked->partition &&
	       job->bit_flags == asked->bit_flags &&
	       job->details->whole_node == asked->whole_node &&
	       state_job_kind(job) == asked->kind && sharing_changes_nothing(job) &&
	       job->start_time == asked->start_time &&
	       job->total_cpus == asked->total_cpus &&
	       last_node_update == asked->nodes_changed &&
	       last_part_update == asked->partitions_changed &&
	       last_resv_update == asked->reservations_changed &&
	       bit_equal((bitstr_t *)bitmap, asked->offered);
}

bool asked_twice_answer(asked_twice_t *asked, const job_test_call_t *call,
			bitstr_t *bitmap, int *rc)
{
	if (!atomic_exchange(&asked->kept, false) || !is_second(asked, call, bitmap))
		return false;
	bit_copybits(bitmap, asked->nodes);
	*rc = asked->rc;
	return true;
}

/* Into [copy], which is made anew where it is none or of another size. */
static void keep_bits(bitstr_t **copy, const bitstr_t *bits)
{
	if (*copy && bit_size(*copy) == bit_size((bitstr_t *)bits)) {
		bit_copybits(*copy, (bitstr_t *)bits);
		return;
	}
	FREE_NULL_BITMAP(*copy);
	*copy = bit_copy((bitstr_t *)bits);
}

void asked_twice_begin(asked_twice_t *asked, const job_test_call_t *call,
		       const bitstr_t *bitmap)
{
	asked->first = may_be_first(call);
	if (!asked->first)
		return;
	asked->call = *call;
	asked->thread = pthread_self();
	asked->kind = state_job_kind(call->job);
	keep_bits(&asked->offered, bitmap);
}

void asked_twice_end(asked_twice_t *asked, int rc, const bitstr_t *bitmap)
{
	const job_record_t *job = asked->call.job;

	/* Backfill has read the clock before we do. */
	if (!asked->first || (rc == SLURM_SUCCESS && job->start_time <= time(NULL)))
		return;
	asked->job_id = job->job_id;
	asked->partition = job->part_ptr;
	asked->bit_flags = job->bit_flags;
	asked->whole_node = job->details->whole_node;
	asked->nodes_changed = last_node_update;
	asked->partitions_changed = last_part_update;
	asked->reservations_changed = last_resv_update;
	asked->rc = rc;
	asked->start_time = job->start_time;
	asked->total_cpus = job->total_cpus;
	keep_bits(&asked->nodes, bitmap);
	atomic_store(&asked->kept, true);
}

void asked_twice_forget(asked_twice_t *asked)
{
	atomic_store(&asked->kept, false);
}

void asked_twice_clear(asked_twice_t *asked)
{
	asked_twice_forget(asked);
	FREE_NULL_BITMAP(asked->offered);
	FREE_NULL_BITMAP(asked->nodes);
}
