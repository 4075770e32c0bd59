/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a plan that is kept for backfill's second question answers it, and when not: see
 * plugin/select/asked_twice.h. Linked with that file and with Slurm, without a slurmctld;
 * what else these need of it is here. Prints a line for each case that is not as
 * expected, and then how many cases there were.
 */
#include "select/asked_twice.h"
#include "select/reservation.h"

#include <stdio.h>
#include <stdlib.h>

time_t last_node_update, last_part_update, last_resv_update;

enum node_cr_state state_job_kind(const job_record_t *job)
{
	return job->part_ptr->max_share > 1 && job->details->share_res == 1
		       ? NODE_CR_AVAILABLE
		       : NODE_CR_ONE_ROW;
}

bool is_reservation(const job_record_t *job)
{
	return !job->part_ptr;
}

/* A question, all that it refers to, and where it is asked. */
typedef struct question {
	asked_twice_t asked;
	job_record_t job, other_job;
	job_details_t details;
	part_record_t partition, other_partition;
	bitstr_t *offered, *chosen;
	job_test_call_t call;
	int rc;
	int candidates, excluded; /* only their addresses */
	slurm_list_t preemptees;
	bool other_thread;
} question_t;

static void *ask(void *context)
{
	question_t *q = context;
	bitstr_t *bits = bit_copy(q->offered);
	int rc = -1;
	bool answered = asked_twice_answer(&q->asked, &q->call, bits, &rc);

	if (answered && (rc != q->rc || !bit_equal(bits, q->chosen))) {
		puts("another answer than the kept one");
		exit(1);
	}
	bit_free(bits);
	return answered ? q : NULL;
}

/*
 * Ask, answer, let [change] do something, and ask as backfill does the second time.
 * [before] does something before all.
 */
static bool is_answered(void (*before)(question_t *), void (*change)(question_t *))
{
	static question_t q;
	pthread_t thread;
	void *answered;

	q = (question_t){.rc = SLURM_SUCCESS};
	q.offered = bit_alloc(70);
	q.chosen = bit_alloc(70);
	bit_nset(q.offered, 3, 66);
	bit_nset(q.chosen, 60, 66);
	q.job.details = q.other_job.details = &q.details;
	q.job.part_ptr = q.other_job.part_ptr = &q.partition;
	q.job.job_id = 7;
	q.other_job.job_id = 8;
	q.partition.max_share = q.other_partition.max_share = 1;
	q.call = (job_test_call_t){
		.job = &q.job,
		.min_nodes = 2,
		.max_nodes = 9,
		.req_nodes = 4,
		.mode = SELECT_MODE_WILL_RUN,
		.preemptee_candidates = (slurm_list_t)&q.candidates,
	};
	q.job.start_time = time(NULL) + 500;
	if (before)
		before(&q);
	asked_twice_begin(&q.asked, &q.call, q.offered);
	asked_twice_end(&q.asked, q.rc, q.chosen);
	q.details.share_res = NO_VAL8;
	if (change)
		change(&q);
	if (!q.other_thread) {
		answered = ask(&q);
	} else {
		pthread_create(&thread, NULL, ask, &q);
		pthread_join(thread, &answered);
	}
	if (ask(&q)) {
		puts("answered twice");
		exit(1);
	}
	asked_twice_clear(&q.asked);
	bit_free(q.offered);
	bit_free(q.chosen);
	return answered;
}

static void refused(question_t *q)
{
	q->rc = SLURM_ERROR;
}
static void refused_now(question_t *q)
{
	q->rc = SLURM_ERROR;
	q->job.start_time = 0;
}
static void ntasks_with_tres(question_t *q)
{
	q->details.ntasks_per_node = 2;
	q->job.cpus_per_tres = (char *)"gpu:2";
}

static void starts_now(question_t *q)
{
	q->job.start_time = time(NULL);
}
static void shares_at_once(question_t *q)
{
	q->details.share_res = NO_VAL8;
}
static void runs_now(question_t *q)
{
	q->call.mode = SELECT_MODE_RUN_NOW;
}
static void test_only(question_t *q)
{
	q->call.mode = SELECT_MODE_TEST_ONLY;
}
static void wants_preemptees(question_t *q)
{
	q->call.preemptees = &q->preemptees;
}
static void switches(question_t *q)
{
	q->job.req_switch = 1;
}
static void ntasks(question_t *q)
{
	q->details.ntasks_per_node = 2;
}
static void is_reserved(question_t *q)
{
	q->job.part_ptr = NULL;
}
static void shared_partition(question_t *q)
{
	q->partition.max_share = 4;
}

static void asks_alone(question_t *q)
{
	q->details.share_res = 0;
}
static void shares(question_t *q)
{
	q->details.share_res = 1;
}
static void forgets(question_t *q)
{
	asked_twice_forget(&q->asked);
}
static void other_thread(question_t *q)
{
	q->other_thread = true;
}
static void other_job(question_t *q)
{
	q->call.job = &q->other_job;
}
static void other_id(question_t *q)
{
	q->job.job_id++;
}
static void other_partition(question_t *q)
{
	q->job.part_ptr = &q->other_partition;
}
static void other_flags(question_t *q)
{
	q->job.bit_flags |= TEST_NOW_ONLY;
}
static void other_whole(question_t *q)
{
	q->details.whole_node++;
}
static void other_start(question_t *q)
{
	q->job.start_time++;
}
static void other_cpus(question_t *q)
{
	q->job.total_cpus++;
}
static void other_min(question_t *q)
{
	q->call.min_nodes++;
}
static void other_max(question_t *q)
{
	q->call.max_nodes++;
}
static void other_req(question_t *q)
{
	q->call.req_nodes++;
}
static void other_candidates(question_t *q)
{
	q->call.preemptee_candidates = NULL;
}
static void other_nodes(question_t *q)
{
	bit_clear(q->offered, 40);
}
static void other_excluded(question_t *q)
{
	*(const void **)&q->call.extra = &q->excluded; /* its first member */
}
static void node_changes(question_t *q)
{
	(void)q;
	last_node_update++;
}
static void partition_changes(question_t *q)
{
	(void)q;
	last_part_update++;
}
static void reservation_changes(question_t *q)
{
	(void)q;
	last_resv_update++;
}

int main(void)
{
#define CASE(before, change, answered)                                                   \
	{                                                                                \
#before ", " #change, before, change, answered                           \
	}
	const struct {
		const char *name;
		void (*before)(question_t *);
		void (*change)(question_t *);
		bool answered;
	} cases[] = {
		CASE(NULL, NULL, true),
		CASE(refused, NULL, true),
		CASE(refused_now, NULL, true),
		CASE(ntasks_with_tres, NULL, true),
		CASE(NULL, shares, true), /* in a partition that shares nothing */
		CASE(shared_partition, NULL, true),
		CASE(shared_partition, shares, false),
		CASE(starts_now, NULL, false),
		CASE(shares_at_once, NULL, false),
		CASE(runs_now, NULL, false),
		CASE(test_only, NULL, false),
		CASE(wants_preemptees, NULL, false),
		CASE(switches, NULL, false),
		CASE(ntasks, NULL, false),
		CASE(is_reserved, NULL, false),
		CASE(NULL, asks_alone, false),
		CASE(NULL, forgets, false),
		CASE(NULL, other_thread, false),
		CASE(NULL, other_job, false),
		CASE(NULL, other_id, false),
		CASE(NULL, other_partition, false),
		CASE(NULL, other_flags, false),
		CASE(NULL, other_whole, false),
		CASE(NULL, other_start, false),
		CASE(NULL, other_cpus, false),
		CASE(NULL, other_min, false),
		CASE(NULL, other_max, false),
		CASE(NULL, other_req, false),
		CASE(NULL, other_candidates, false),
		CASE(NULL, other_nodes, false),
		CASE(NULL, other_excluded, false),
		CASE(NULL, ntasks, false),
		CASE(NULL, runs_now, false),
		CASE(NULL, wants_preemptees, false),
		CASE(NULL, node_changes, false),
		CASE(NULL, partition_changes, false),
		CASE(NULL, reservation_changes, false),
		CASE(refused, node_changes, false),
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);
	int failed = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_answered(cases[i].before, cases[i].change) == cases[i].answered)
			continue;
		printf("%s: %s\n", cases[i].name,
		       cases[i].answered ? "not answered" : "answered");
		failed++;
	}
	printf("%zu cases, %d failed\n", count, failed);
	return failed != 0;
}
