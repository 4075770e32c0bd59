/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow twins of usable_filter(). In the select/torus that is linked with this file,
 * each of its answers is compared with that of the slow, obvious way, a walk over all
 * jobs. For a job of one node that may start now it is also compared, together with that
 * of usable_filter_row(), with what Slurm's plugin says to each node alone. A line
 * "select/torus: usable: ..." is logged for each answer, and an error for each node that
 * differs. How it comes between: see plan_check.c.
 */
#include "select/delegate.h"
#include "select/usable.h"
#include "select/usable.h"

void __real_usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			  const usable_timeline_t *timeline, time_t when, uint32_t *cpus);
void __wrap_usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			  const usable_timeline_t *timeline, time_t when, uint32_t *cpus);

/* The position of [node] among those of the job, and that of its first core; or -1. */
static int position_in_job(const job_resources_t *held, int node, int *first_core)
{
	int host = 0;

	*first_core = 0;
	if (!bit_test(held->node_bitmap, node))
		return -1;
	for (int i = 0; i < node; i++) {
		if (!bit_test(held->node_bitmap, i))
			continue;
		host++;
		*first_core += node_record_table_ptr[i]->tot_cores;
	}
	return host;
}

/*
 * Add what [other] holds of [node] to *use, its cores to [cores], and whether it is
 * willing to share to *sharer.
 */
static void add_use(const job_record_t *other, const job_record_t *job, int node,
		    node_use_t *use, bitstr_t *cores, bool *sharer)
{
	const job_resources_t *held = other->job_resrcs;
	int first_core, host = position_in_job(held, node, &first_core);

	if (host < 0 || !held->cpus[host])
		return;
	use->memory += held->memory_allocated[host];
	*sharer |= job_is_sharer(other);
	if (IS_JOB_SUSPENDED(other) && other->priority == 0)
		return;
	use->kinds += held->node_req;
	use->shared |= other->part_ptr != job->part_ptr &&
		       state_partition_shares(other->part_ptr);
	for (int i = 0; i < node_record_table_ptr[node]->tot_cores; i++) {
		if (wants_whole_nodes(held->whole_node) ||
		    bit_test(held->core_bitmap, first_core + i))
			bit_set(cores, i);
	}
}

/* By a walk over all jobs. */
static bool fits_by_jobs(const job_record_t *job, uint32_t count, int node, time_t when)
{
	bitstr_t *cores = bit_alloc(node_record_table_ptr[node]->tot_cores);
	usable_need_t need = usable_need(job, count);
	slurm_list_iterator_t jobs = list_iterator_create(job_list);
	node_use_t use = {0};
	const job_record_t *other;
	bool sharer = false;

	while ((other = list_next(jobs))) {
		if ((IS_JOB_RUNNING(other) || IS_JOB_SUSPENDED(other)) &&
		    other->job_resrcs && (when == 0 || other->end_time > when))
			add_use(other, job, node, &use, cores, &sharer);
	}
	list_iterator_destroy(jobs);
	use.cores = (uint32_t)bit_set_count(cores);
	if (EMPTY_ROWS_COUNT) { /* which partitions have been there only Slurm knows */
		state_rows_t *rows = state_rows(job, STATE_ALL_ROWS);

		use.shared = state_rows_share(rows, node);
		state_rows_free(rows);
	}
	sharer &= PLANS_KNOW_SHARERS || !when;
	use.busy = sharer && (use.cores || EMPTY_ROWS_COUNT);
	use.shared &= sharer;
	bit_free(cores);
	return usable_is_met(&need, job, node, &use);
}

/* What Slurm's plugin says in this mode to the one-node job on [node]. */
static bool fits_in_mode(const job_record_t *job, int node, int mode)
{
	job_record_t *asked = (job_record_t *)job;
	job_record_t before = *job;
	bitstr_t *nodes = bit_alloc(node_record_count);
	bool fits;

	bit_set(nodes, node);
	asked->bit_flags |= TEST_NOW_ONLY;
	asked->best_switch = true;
	asked->job_resrcs = NULL;
	fits = delegate.select_p_job_test(asked, nodes, 1, 1, 1, mode, NULL, NULL,
					  JOB_TEST_EXTRA_NONE) == SLURM_SUCCESS;
	free_job_resources(&asked->job_resrcs);
	asked->job_resrcs = before.job_resrcs;
	asked->bit_flags = before.bit_flags;
	asked->best_switch = before.best_switch;
	asked->start_time = before.start_time;
	asked->total_cpus = before.total_cpus;
	bit_free(nodes);
	return fits;
}

/*
 * Whether Slurm's plugin says otherwise of [node], which was said to be free or not. With
 * memory for each CPU a plan of its own may count less than the start that follows, which
 * it then refuses: a node that it would only plan with may be left out.
 */
static bool slurm_disagrees(const job_record_t *job, int node, bool free)
{
	bool planned = fits_in_mode(job, node, SELECT_MODE_WILL_RUN);

	if (!free && planned && (job->details->pn_min_memory & MEM_PER_CPU))
		return fits_in_mode(job, node, SELECT_MODE_RUN_NOW);
	return planned != free;
}

/* As usable_filter_row() says, which leaves out nodes on which a job is completing. */
static bool fits_in_a_row(const job_record_t *job, int node)
{
	usable_need_t need = usable_need(job, 1);
	bool fits = false;

	for (int row = 0; row < state_row_count(job) && !fits; row++) {
		state_rows_t *rows = state_rows(job, row);
		node_use_t use = state_node_use(rows, node);

		fits = usable_is_met(&need, job, node, &use);
		state_rows_free(rows);
	}
	return fits;
}

static bool is_completing(int node)
{
	return IS_NODE_COMPLETING(node_record_table_ptr[node]);
}

/* Compare what is said of one node; how many differences. */
static int check_node(const job_record_t *job, uint32_t count, int node, time_t when,
		      bool kept)
{
	const char *name = node_record_table_ptr[node]->name;
	const job_details_t *details = job->details;
	bool expected = fits_by_jobs(job, count, node, when);
	int different = 0;

	if (expected != kept) {
		error("select/torus: usable: JobId=%u count=%u when=%ld: %s is said to be %s",
		      job->job_id, count, (long)when, name, kept ? "free" : "full");
		different++;
	}
	if (when || count != 1 || details->req_node_bitmap || details->overcommit ||
	    job->gres_list_req)
		return different;
	kept = kept || fits_in_a_row(job, node);
	if (slurm_disagrees(job, node, kept)) {
		usable_need_t need = usable_need(job, count);
		state_rows_t *rows = state_rows(job, STATE_ALL_ROWS);
		node_use_t use = state_node_use(rows, node);

		error("select/torus: usable: JobId=%u rows=%d cpus=%u memory=%" PRIu64
		      " per_task=%u: %s is said to be %s, not so by Slurm; in use: cores=%u memory=%" PRIu64
		      " kinds=%u busy=%d shared=%d",
		      job->job_id, state_row_count(job), need.cpus,
		      details->pn_min_memory, details->cpus_per_task, name,
		      kept ? "free" : "full", use.cores, use.memory, use.kinds, use.busy,
		      use.shared);
		state_rows_free(rows);
		different++;
	}
	return different;
}

/* Compare what was [kept] of [offered] for a start at [when]; 0: now. */
static void check_nodes(const bitstr_t *offered, const bitstr_t *kept,
			const job_record_t *job, uint32_t count, time_t when)
{
	int checked = 0, different = 0;

	for (int i = next_set_bit(offered, 0); i >= 0; i = next_set_bit(offered, i + 1)) {
		if (when == 0 && is_completing(i))
			continue;
		different +=
			check_node(job, count, i, when, bit_test((bitstr_t *)kept, i));
		checked++;
	}
	debug("select/torus: usable: JobId=%u count=%u rows=%d %s: %d nodes checked, %d kept, %d different",
	      job->job_id, count, state_row_count(job), when ? "later" : "now", checked,
	      bit_set_count((bitstr_t *)kept), different);
}

void __wrap_usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count,
			  const usable_timeline_t *timeline, time_t when, uint32_t *cpus)
{
	bitstr_t *offered = bit_copy(nodes);
	time_t before = time(NULL);

	__real_usable_filter(nodes, job, count, timeline, when, cpus);
	if (!timeline || when <= before)
		check_nodes(offered, nodes, job, count, 0);
	else if (when > time(NULL)) /* it has not become now meanwhile */
		check_nodes(offered, nodes, job, count, when);
	bit_free(offered);
}
