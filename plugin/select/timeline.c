/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in use at a later time: see timeline.h. */
#include "select/timeline.h"

typedef struct later_node {
	uint64_t memory;
	uint32_t kinds;	 /* sum of node_req, as in node_use_t */
	uint32_t cores;	 /* that have users */
	uint32_t whole;	 /* jobs that hold the node whole */
	uint32_t shared; /* jobs of other partitions that oversubscribe */
} later_node_t;

/*
 * Where no core is ever shared, the state starts from what Slurm's plugin holds now, and
 * only the jobs that end first are looked at. Elsewhere it starts from the end of all
 * jobs, and the users of each core are counted: also with jobs that went on after they
 * had been suspended, as their cores may have been given to others meanwhile.
 */
struct timeline_state {
	int first; /* jobs from this index on are counted */
	later_node_t *node;
	uint16_t *core_users; /* of all nodes; a node's begin at cr_get_coremap_offset();
			       * or NULL: none has two */
	bool kinds_only;      /* the cores do not matter beside later_node.kinds */
};

usable_timeline_t *usable_timeline_create(void)
{
	usable_timeline_t *timeline = xmalloc(sizeof(*timeline));

	timeline->active = active_jobs_now();
	timeline->state = xmalloc(sizeof(*timeline->state));
	return timeline;
}

void usable_timeline_free(usable_timeline_t *timeline)
{
	if (!timeline)
		return;
	xfree(timeline->state->node);
	xfree(timeline->state->core_users);
	xfree(timeline->state);
	xfree(timeline);
}

/*
 * Add one user, or with [change] -1 take one, to the cores of [node] that the job holds:
 * all, or those that are set in its bitmap of cores from bit [from] on.
 */
static void change_cores(struct timeline_state *state, int node,
			 const job_resources_t *held, int from, int change)
{
	int count = node_record_table_ptr[node]->tot_cores;
	bool whole = wants_whole_nodes(held->whole_node);
	later_node_t *use = &state->node[node];
	uint16_t *users;

	if (!state->core_users) {
		if (!whole)
			count = bit_set_count_range(held->core_bitmap, from,
						    from + count);
		use->cores += change * count;
		return;
	}
	if (whole) {
		use->whole += change;
		return;
	}
	users = state->core_users + cr_get_coremap_offset((uint32_t)node);
	for (int core = next_set_bit(held->core_bitmap, from);
	     core >= 0 && core < from + count;
	     core = next_set_bit(held->core_bitmap, core + 1)) {
		uint16_t *here = &users[core - from];

		use->cores += change * (*here == (change < 0));
		*here += change;
	}
}

/*
 * Add what [held_by] holds, or with [change] -1 subtract it; all but its memory with
 * [keep_memory].
 */
static void change_use(struct timeline_state *state, const job_record_t *held_by,
		       const job_record_t *job, int change, bool keep_memory)
{
	const job_resources_t *held = held_by->job_resrcs;
	bool cores = job_holds_cores(held_by);
	bool shared = cores && held_by->part_ptr != job->part_ptr &&
		      state_partition_shares(held_by->part_ptr);
	int node = next_set_bit(held->node_bitmap, 0), offset = 0;

	if (!held->core_bitmap)
		return;
	for (uint32_t host = 0; node >= 0 && host < held->nhosts; host++) {
		later_node_t *use = &state->node[node];

		/* It has given the node back if it has no CPUs there. */
		if (held->cpus[host]) {
			if (held->memory_allocated && !keep_memory)
				use->memory += change * held->memory_allocated[host];
			if (cores)
				use->kinds += change * held->node_req;
			use->shared += shared ? change : 0;
			if (cores && !state->kinds_only)
				change_cores(state, node, held, offset, change);
		}
		offset += node_record_table_ptr[node]->tot_cores;
		if (host + 1 < held->nhosts)
			node = next_set_bit(held->node_bitmap, node + 1);
	}
}

static void start_from_now(const usable_timeline_t *timeline, const job_record_t *job)
{
	struct timeline_state *state = timeline->state;
	state_rows_t *rows = state_rows(job, STATE_ALL_ROWS);

	for (int i = 0; i < node_record_count; i++) {
		node_use_t use;

		if (!node_record_table_ptr[i])
			continue;
		use = state_node_held(state->kinds_only ? NULL : rows, i);
		state->node[i] = (later_node_t){
			.memory = use.memory,
			.kinds = use.kinds,
			.cores = use.cores,
		};
	}
	state_rows_free(rows);
}

static void start(const usable_timeline_t *timeline, const job_record_t *job)
{
	struct timeline_state *state = timeline->state;
	uint32_t nodes = (uint32_t)node_record_count;

	state->node = xcalloc(nodes + 1, sizeof(*state->node));
	if (state_shares_nothing() && !timeline->active->resumed) {
		state->kinds_only = state_job_kind(job) == NODE_CR_RESERVED;
		start_from_now(timeline, job);
		return;
	}
	state->core_users =
		xcalloc(cr_get_coremap_offset(nodes) + 1, sizeof(*state->core_users));
	state->first = timeline->active->count;
}

void timeline_move(const usable_timeline_t *timeline, const job_record_t *job,
		   time_t when)
{
	struct timeline_state *state = timeline->state;
	const active_jobs_t *active = timeline->active;
	int first = torus_ends_by(&active->ends, when);

	if (!state->node)
		start(timeline, job);
	while (state->first > first)
		change_use(state, active->job[--state->first], job, 1, false);
	while (state->first < first)
		change_use(state, active->job[state->first++], job, -1, false);
}

static void change_all(const usable_timeline_t *timeline, const job_record_t *job,
		       slurm_list_t gone, int change)
{
	slurm_list_iterator_t jobs = list_iterator_create(gone);
	job_record_t *other;

	while ((other = list_next(jobs))) {
		if (job_is_active(other))
			change_use(timeline->state, other, job, change,
				   job_is_suspended_for_others(other));
	}
	list_iterator_destroy(jobs);
}

void timeline_leave_out(const usable_timeline_t *timeline, const job_record_t *job,
			slurm_list_t gone)
{
	timeline_move(timeline, job, 0);
	change_all(timeline, job, gone, -1);
}

void timeline_count_again(const usable_timeline_t *timeline, const job_record_t *job,
			  slurm_list_t gone)
{
	change_all(timeline, job, gone, 1);
}

node_use_t timeline_node_use(const usable_timeline_t *timeline, int node)
{
	const later_node_t *use = &timeline->state->node[node];

	node_use_t found = {
		.memory = use->memory,
		.cores = use->whole ? node_record_table_ptr[node]->tot_cores : use->cores,
		.kinds = use->kinds,
	};

	found.busy = PLANS_KNOW_SHARERS && found.cores;
	found.shared = PLANS_KNOW_SHARERS && use->shared;
	return found;
}
