/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict jobs: a box (a shape), or one interval of the curve (--contiguous), is all that
 * will do. The engine names a place and Slurm's plugin agrees or refuses. It does not say
 * why, so a refusal is learned from: first the nodes are left out that Slurm's plugin
 * would not take at all, and then the weakest nodes of each place that it refuses.
 */
#include "select/job_strict.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"

/* Places tried for one decision; each may cost one of Slurm's own decisions. */
#define PLACES_TRIED 8

static const node_record_t *node_at(int i)
{
	return node_record_table_ptr[i];
}

/*
 * How much two nodes have of what the job asks for, if nothing runs on them: < 0 when [a]
 * has less, 0 when they are alike.
 */
static int compare_nodes(const decision_t *d, const node_record_t *a,
			 const node_record_t *b)
{
	const job_record_t *job = d->call->job;
	const char *gres_a = a->config_ptr->gres, *gres_b = b->config_ptr->gres;

	if (job->gres_list_req && !gres_a != !gres_b)
		return gres_a ? 1 : -1;
	if (node_cpus(a) != node_cpus(b))
		return node_cpus(a) < node_cpus(b) ? -1 : 1;
	if (job->details->pn_min_memory && a->real_memory != b->real_memory)
		return a->real_memory < b->real_memory ? -1 : 1;
	/* Which GRES are more is not known here, only that they differ. */
	return job->gres_list_req ? xstrcmp(gres_a, gres_b) : 0;
}

/* The weakest node of [place] that the job does not require, the first of several; -1:
 * all are required. */
static int weakest(const decision_t *d, const bitstr_t *place)
{
	const bitstr_t *required = d->call->job->details->req_node_bitmap;
	int last = bit_fls((bitstr_t *)place), found = -1;

	for (int i = 0; i <= last; i++) {
		if (!bit_test((bitstr_t *)place, i) ||
		    (required && bit_test((bitstr_t *)required, i)))
			continue;
		if (found < 0 || compare_nodes(d, node_at(i), node_at(found)) < 0)
			found = i;
	}
	return found;
}

/* Whether all [nodes] are like node [i]. */
static bool all_like(const decision_t *d, const bitstr_t *nodes, int i)
{
	int last = bit_fls((bitstr_t *)nodes);

	for (int other = 0; other <= last; other++) {
		if (bit_test((bitstr_t *)nodes, other) &&
		    compare_nodes(d, node_at(other), node_at(i)))
			return false;
	}
	return true;
}

/*
 * Leave [node], the weakest of a place that was refused, out of [candidates]; and if not
 * all of these are like it, all that are. What the job requires stays.
 */
static void leave_out(const decision_t *d, bitstr_t *candidates, int node)
{
	const bitstr_t *required = d->call->job->details->req_node_bitmap;
	bool one_only = all_like(d, candidates, node);
	int last = bit_fls(candidates);

	for (int i = 0; i <= last; i++) {
		if (bit_test(candidates, i) && (!one_only || i == node) &&
		    (!required || !bit_test((bitstr_t *)required, i)) &&
		    !compare_nodes(d, node_at(i), node_at(node)))
			bit_clear(candidates, i);
	}
}

/* Whether Slurm's plugin agrees to [place] at the cost of jobs that may be preempted. */
static bool agrees_preempting(decision_t *d, const bitstr_t *place, bitstr_t *bitmap)
{
	bitstr_t *cut = bit_copy((bitstr_t *)place);
	slurm_list_t victims = NULL;
	bool agrees = ask_slurm(d, cut, &victims) == SLURM_SUCCESS;

	if (agrees) {
		bit_copybits(bitmap, cut);
		keep_victims(d, victims);
	} else {
		FREE_NULL_LIST(victims);
		forget_answer(d);
	}
	bit_free(cut);
	return agrees;
}

static bool agrees(decision_t *d, const bitstr_t *place, fitness_t when, bitstr_t *bitmap)
{
	switch (when) {
	case FIT_PREEMPTING:
		return agrees_preempting(d, place, bitmap);
	case FIT_NOW:
		return verify_choice(d, place, soonest(d), bitmap);
	default:
		return verify_choice(d, place, INT64_MAX, bitmap);
	}
}

/* What a refusal has taught. */
typedef enum lesson {
	LESSON_UNFIT, /* nodes that would not do are left out */
	LESSON_GUESS, /* weak nodes are left out, which might have done elsewhere */
	LESSON_NEVER, /* no place will do */
	LESSON_NONE,  /* nothing can be left out */
} lesson_t;

/*
 * Learn from the refusal of [place], the [tries]-th, what to leave out of [candidates].
 * Places of nodes that are free and all alike are alike, too; and if it is only
 * processors or memory that lack, weaker nodes, left out before, would not have done.
 */
static lesson_t learn(const decision_t *d, bitstr_t *candidates, const bitstr_t *place,
		      fitness_t when, int tries, bool guessed)
{
	int node;

	if (tries == 1 && keep_fit(d, candidates, when))
		return LESSON_UNFIT;
	node = weakest(d, place);
	if (node < 0)
		return LESSON_NONE;
	if (when == FIT_EVER && all_like(d, candidates, node) &&
	    !(guessed && d->call->job->gres_list_req))
		return LESSON_NEVER;
	leave_out(d, candidates, node);
	return LESSON_GUESS;
}

/*
 * A place among [candidates], which are changed, that Slurm's plugin agrees to, into
 * [bitmap]. 1: found; 0: there is none; -1: those tried were refused.
 */
static int find_place(decision_t *d, bitstr_t *candidates, uint32_t count, fitness_t when,
		      bitstr_t *bitmap)
{
	bitstr_t *place = bit_alloc(bit_size(bitmap));
	bool guessed = false;
	int found = -1;

	for (int tries = 1; found < 0 && tries <= PLACES_TRIED; tries++) {
		lesson_t lesson;

		if (!ask_engine(d, candidates, count, place)) {
			found = guessed ? -1 : 0;
			break;
		}
		if (agrees(d, place, when, bitmap)) {
			found = 1;
			break;
		}
		lesson = learn(d, candidates, place, when, tries, guessed);
		guessed |= lesson == LESSON_GUESS;
		if (lesson == LESSON_NEVER)
			found = 0;
		else if (lesson == LESSON_NONE)
			break;
	}
	bit_free(place);
	return found;
}

int find_strict_place_ever(decision_t *d, bitstr_t *nodes, uint32_t count)
{
	bitstr_t *candidates = bit_copy(nodes);
	int found = find_place(d, candidates, count, FIT_EVER, nodes);

	bit_free(candidates);
	return found;
}

/*
 * Among the nodes that are free; and where the job may share them with others, row by
 * row of its partition, as Slurm's plugin does.
 */
static bool start_now(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	const job_record_t *job = d->call->job;
	bitstr_t *candidates = bit_copy(bitmap);
	int rows = first_start(d) ? 0 : usable_rows(job);
	bool found;

	keep_usable(d, candidates, count, first_start(d));
	found = find_place(d, candidates, count, FIT_NOW, bitmap) > 0;
	for (int row = 0; !found && row < rows; row++) {
		bit_copybits(candidates, bitmap);
		usable_filter_row(candidates, job, count, row, cpus_wanted(d, count));
		found = find_place(d, candidates, count, FIT_NOW, bitmap) > 0;
	}
	if (found)
		log_decision(d, bitmap, "engine");
	bit_free(candidates);
	return found;
}

/* Among the nodes that are free when the jobs that may be preempted are gone. */
static bool start_preempting(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *candidates;
	bool found;

	if (!d->call->preemptees)
		return false;
	candidates = bit_copy(bitmap);
	usable_filter_without(candidates, d->call->job, count, active_jobs(d),
			      d->call->preemptees, cpus_wanted(d, count));
	found = find_place(d, candidates, count, FIT_PREEMPTING, bitmap) > 0;
	if (found)
		log_decision(d, bitmap, "engine, preempting");
	bit_free(candidates);
	return found;
}

/* Later: at the first time at which the engine finds a place that Slurm agrees to. */
static bool plan(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *scope, *place;
	bool found = false;
	time_t end;

	if (!plans(d) || (d->call->job->bit_flags & TEST_NOW_ONLY))
		return false;
	scope = bit_copy(bitmap);
	place = bit_alloc(bit_size(bitmap));
	for (int tries = 1; !found && tries <= PLACES_TRIED; tries++) {
		if (!ask_engine_when(d, scope, count, place, &end))
			break;
		found = agrees(d, place, FIT_EVER, bitmap);
		if (!found &&
		    learn(d, scope, place, FIT_EVER, tries, true) >= LESSON_NEVER)
			break;
	}
	if (found)
		log_decision(d, bitmap, "engine");
	bit_free(scope);
	bit_free(place);
	return found;
}

/*
 * How many nodes Slurm's plugin takes if it may take [req_nodes] and preempt whom the job
 * may preempt; 0: it finds none.
 */
static uint32_t count_by_slurm(const decision_t *d, const bitstr_t *bitmap,
			       uint32_t req_nodes)
{
	bitstr_t *nodes = bit_copy((bitstr_t *)bitmap);
	job_test_call_t call = *d->call;
	slurm_list_t victims = NULL;
	uint32_t count = 0;

	call.req_nodes = req_nodes;
	if (ask_slurm_as(d, &call, nodes, call.preemptees ? &victims : NULL) ==
	    SLURM_SUCCESS)
		count = (uint32_t)bit_set_count(nodes);
	FREE_NULL_LIST(victims);
	forget_answer(d);
	bit_free(nodes);
	return count;
}

/*
 * How many nodes a --contiguous job gets that does not say exactly: as many as an
 * interval holds now, up to what Slurm's plugin would give it. If none holds enough, the
 * job waits for the fewest that will do. 0: Slurm's plugin finds no nodes for it.
 */
static uint32_t contiguous_count(decision_t *d, const bitstr_t *bitmap)
{
	bitstr_t *place = bit_alloc(bit_size((bitstr_t *)bitmap));
	uint32_t low = count_by_slurm(d, bitmap, d->call->min_nodes);
	uint32_t most = low ? count_by_slurm(d, bitmap, d->call->req_nodes) : 0;

	/* An interval of so many nodes holds fewer, too: the largest by bisection. */
	while (low < most) {
		uint32_t middle = low + (most - low + 1) / 2;

		if (ask_engine_at(d, bitmap, middle, first_start(d), place))
			low = middle;
		else
			most = middle - 1;
	}
	bit_free(place);
	return low;
}

int job_start_strictly(decision_t *d, bitstr_t *bitmap)
{
	uint32_t count = d->call->min_nodes;
	bool uneven;

	if (d->network.has_shape)
		count = 0; /* the box says */
	else if (d->call->min_nodes != d->call->max_nodes &&
		 !(count = contiguous_count(d, bitmap)))
		return SLURM_ERROR;
	uneven = may_be_uneven(d, count);
	if (start_now(d, bitmap, count) || (uneven && start_now(d, bitmap, 0)) ||
	    start_preempting(d, bitmap, count) ||
	    (uneven && start_preempting(d, bitmap, 0)) || plan(d, bitmap, count))
		return SLURM_SUCCESS;
	return SLURM_ERROR;
}
