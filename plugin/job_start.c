/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start a job now, or plan it: the ways to combine the engine and Slurm's plugin, in the
 * order in which they are tried. See job_test.h for the principle.
 */
#include "decision.h"

/* Idle nodes of [bitmap]: of the torus with most, for a job that stays within one. */
static uint32_t idle_nodes(const decision_t *d, const bitstr_t *bitmap)
{
	bitstr_t *idle = bit_copy((bitstr_t *)bitmap);
	uint32_t counts[d->machine->tori], most = 0;

	bit_and(idle, idle_node_bitmap);
	if (d->confined) {
		choose_ranks_of(d->machine, idle, counts);
		for (int t = 0; t < d->machine->tori; t++)
			most = counts[t] > most ? counts[t] : most;
	} else {
		most = (uint32_t)bit_set_count(idle);
	}
	bit_free(idle);
	return most;
}

/*
 * The job's node count, if it is fixed before Slurm's plugin has seen it: then the engine
 * goes first. A range is fixed by what is free, for whole nodes. 0: not known.
 */
static uint32_t known_count(const decision_t *d, const bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	uint32_t idle;

	if (call->min_nodes == call->max_nodes)
		return call->min_nodes;
	if (call->req_nodes <= call->min_nodes || !job_takes_whole_nodes(call->job))
		return 0;
	idle = idle_nodes(d, bitmap);
	if (idle > call->req_nodes)
		idle = call->req_nodes;
	return idle >= call->min_nodes ? idle : 0;
}

/*
 * The engine first: [count] of the nodes that are free now, and if Slurm's plugin refuses
 * them, twice as many for it to choose from.
 */
static bool engine_first(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	time_t soon = time(NULL) + 1;
	bool made = false;

	if (ask_engine_at(d, bitmap, count, 0, chosen)) {
		made = verify_choice(d, chosen, soon, bitmap);
		if (!made && !is_strict(d) &&
		    ask_engine_at(d, bitmap, 2 * count, 0, chosen))
			made = verify_choice(d, chosen, soon, bitmap);
	}
	if (made)
		log_decision(d, bitmap, "engine");
	bit_free(chosen);
	return made;
}

/*
 * The engine plans: at the first time at which enough running jobs have reached their
 * time limit for it to find nodes. At any later time more are free, so that this time is
 * found by bisection. Slurm's plugin then simulates only the jobs on these few nodes.
 */
static bool engine_plans(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	const usable_timeline_t *active = active_jobs(d);
	int low = 0, high = active->count;
	bitstr_t *chosen;
	bool made = false;

	if (!plans(d) || (d->call->job->bit_flags & TEST_NOW_ONLY))
		return false;
	chosen = bit_alloc(bit_size(bitmap));
	while (low < high) {
		int middle = (low + high) / 2;

		if (ask_engine_at(d, bitmap, count, active->job[middle]->end_time,
				  chosen))
			high = middle;
		else
			low = middle + 1;
	}
	if (low < active->count) {
		time_t when = active->job[low]->end_time;

		made = ask_engine_at(d, bitmap, count, when, chosen) &&
		       verify_choice(d, chosen, is_strict(d) ? INT64_MAX : when, bitmap);
	}
	if (made)
		log_decision(d, bitmap, "engine");
	bit_free(chosen);
	return made;
}

/*
 * A strict job that finds nothing free now may get the nodes of jobs that it may preempt,
 * where the engine wants them.
 */
static bool preempt_strictly(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *candidates, *chosen;
	slurm_list_t victims = NULL;
	ListIterator jobs;
	const job_record_t *job;
	bool made;

	if (!d->call->preemptees)
		return false;
	candidates = bit_copy(bitmap);
	chosen = bit_alloc(bit_size(bitmap));
	keep_usable(d, candidates, count, 0);
	jobs = list_iterator_create(d->call->preemptees);
	while ((job = list_next(jobs))) {
		if (job->node_bitmap)
			bit_or(candidates, job->node_bitmap);
	}
	list_iterator_destroy(jobs);
	bit_and(candidates, bitmap);
	made = ask_engine(d, candidates, count, chosen) &&
	       ask_slurm(d, chosen, &victims) == SLURM_SUCCESS;
	if (made) {
		bit_copybits(bitmap, chosen);
		keep_victims(d, victims);
		log_decision(d, bitmap, "engine, preempting");
	} else {
		FREE_NULL_LIST(victims);
		forget_answer(d);
	}
	bit_free(candidates);
	bit_free(chosen);
	return made;
}

static int count_of(slurm_list_t list)
{
	return list ? list_count(list) : 0;
}

/*
 * The jobs that are suspended when this one gets [nodes]. Slurm's plugin takes the nodes
 * of such jobs as if they were free, without naming victims. NULL: none; the list does
 * not own them.
 */
static slurm_list_t suspended_for(const decision_t *d, const bitstr_t *nodes)
{
	slurm_list_t suspended = NULL;
	ListIterator jobs;
	job_record_t *job;

	if (!d->call->preemptees)
		return NULL;
	jobs = list_iterator_create(d->call->preemptees);
	while ((job = list_next(jobs))) {
		if (!job_is_suspended_for_others(job) || !job->node_bitmap ||
		    !bit_overlap_any((bitstr_t *)nodes, job->node_bitmap))
			continue;
		if (!suspended)
			suspended = list_create(NULL);
		list_append(suspended, job);
	}
	list_iterator_destroy(jobs);
	return suspended;
}

static int count_suspended_for(const decision_t *d, const bitstr_t *nodes)
{
	slurm_list_t suspended = suspended_for(d, nodes);
	int count = count_of(suspended);

	FREE_NULL_LIST(suspended);
	return count;
}

/*
 * The nodes among which the engine may improve on Slurm's [own] choice: those free at the
 * time of that choice, or that its victims leave, and of the same kind (line of
 * slurm.conf) as one that Slurm chose, because whatever else the job needs these have.
 */
static void candidates_beside(decision_t *d, bitstr_t *candidates, const bitstr_t *own,
			      time_t when, slurm_list_t victims)
{
	bitstr_t *same_kind = bit_copy((bitstr_t *)own);
	int last = bit_fls((bitstr_t *)own);
	const config_record_t *seen = NULL;

	for (int i = 0; i <= last; i++) {
		const config_record_t *kind;

		if (!bit_test((bitstr_t *)own, i))
			continue;
		kind = node_record_table_ptr[i]->config_ptr;
		if (kind != seen && kind->node_bitmap)
			bit_or(same_kind, (bitstr_t *)kind->node_bitmap);
		seen = kind;
	}
	bit_and(same_kind, candidates);
	keep_usable(d, candidates, bit_set_count((bitstr_t *)own), when);
	bit_and(candidates, same_kind);
	if (count_of(victims)) {
		ListIterator jobs = list_iterator_create(victims);
		const job_record_t *job;
		bitstr_t *left = bit_alloc(bit_size(candidates));

		while ((job = list_next(jobs)))
			bit_or(left, job->node_bitmap);
		list_iterator_destroy(jobs);
		bit_and(left, same_kind);
		bit_or(candidates, left);
		bit_free(left);
	}
	bit_or(candidates, (bitstr_t *)own);
	bit_free(same_kind);
}

/*
 * Slurm first: learn from Slurm's plugin whether, when, on how many nodes and at whose
 * cost the job can run within [bitmap]; then place that many as well as possible, without
 * delaying the job or preempting more. The result is in [bitmap].
 */
static int slurm_first(decision_t *d, bitstr_t *bitmap)
{
	job_record_t *job = d->call->job;
	bitstr_t *own = bit_copy(bitmap), *cut = NULL, *chosen = NULL;
	slurm_list_t own_victims = NULL, victims = NULL, suspended = NULL, leaving;
	bool preempt = d->call->preemptees != NULL, better = false;
	time_t when = 0;
	int rc;

	rc = ask_slurm(d, own, preempt ? &own_victims : NULL);
	if (rc != SLURM_SUCCESS)
		goto done;
	if (plans(d))
		when = job->start_time;
	suspended = suspended_for(d, own);
	leaving = count_of(own_victims) ? own_victims : suspended;
	candidates_beside(d, bitmap, own, when, leaving);
	chosen = bit_alloc(bit_size(bitmap));
	if (ask_engine(d, bitmap, bit_set_count(own), chosen) &&
	    !bit_equal(chosen, own)) {
		cut = bit_copy(chosen);
		better = ask_slurm(d, cut, leaving ? &victims : NULL) == SLURM_SUCCESS &&
			 count_of(victims) <= count_of(own_victims) &&
			 count_suspended_for(d, cut) <= count_of(suspended) &&
			 (!plans(d) || job->start_time <= when ||
			  job->start_time <= time(NULL));
	}
	if (better) {
		bit_copybits(bitmap, cut);
		keep_victims(d, victims);
		log_decision(d, bitmap, "engine after slurm");
		FREE_NULL_LIST(own_victims);
		goto done;
	}
	FREE_NULL_LIST(victims);
	if (cut) {
		/* The job's record speaks of the other choice: ask for Slurm's own again.
		 */
		FREE_NULL_LIST(own_victims);
		rc = ask_slurm(d, own, preempt ? &own_victims : NULL);
	}
	bit_copybits(bitmap, own);
	keep_victims(d, own_victims);
	log_decision(d, bitmap, "slurm");
done:
	if (rc != SLURM_SUCCESS)
		FREE_NULL_LIST(own_victims);
	FREE_NULL_LIST(suspended);
	FREE_NULL_BITMAP(own);
	FREE_NULL_BITMAP(cut);
	FREE_NULL_BITMAP(chosen);
	return rc;
}

/* Keep of [nodes] those on torus [t]. */
static void restrict_to_torus(const machine_t *machine, bitstr_t *nodes, int t)
{
	int last = bit_fls(nodes);

	for (int i = 0; i <= last; i++) {
		if (bit_test(nodes, i) &&
		    (i >= machine->nodes || machine->torus_of_node[i] != t))
			bit_clear(nodes, i);
	}
}

/*
 * slurm_first() for a job that must stay within one torus: on the first torus on which it
 * can start, or, when planning, on the one where it starts earliest.
 */
static int slurm_first_confined(decision_t *d, bitstr_t *bitmap)
{
	int rc = SLURM_ERROR, best = -1;
	time_t best_start = 0;

	for (int t = 0; t < d->machine->tori; t++) {
		bitstr_t *scope = bit_copy(bitmap);

		restrict_to_torus(d->machine, scope, t);
		if (bit_set_count(scope) >= (int)d->call->min_nodes)
			rc = slurm_first(d, scope);
		else
			rc = SLURM_ERROR;
		if (rc == SLURM_SUCCESS && !plans(d)) {
			bit_copybits(bitmap, scope);
			bit_free(scope);
			return rc;
		}
		bit_free(scope);
		if (rc == SLURM_SUCCESS &&
		    (best < 0 || d->call->job->start_time < best_start)) {
			best = t;
			best_start = d->call->job->start_time;
		}
		if (rc == SLURM_SUCCESS)
			forget_answer(d);
		if (d->call->victims)
			FREE_NULL_LIST(*d->call->victims);
	}
	if (best < 0)
		return SLURM_ERROR;
	restrict_to_torus(d->machine, bitmap, best);
	return slurm_first(d, bitmap);
}

/* How many nodes Slurm's plugin takes if it may take [req_nodes]; 0: it finds none. */
static uint32_t count_by_slurm(const decision_t *d, const bitstr_t *bitmap,
			       uint32_t req_nodes)
{
	bitstr_t *nodes = bit_copy((bitstr_t *)bitmap);
	job_test_call_t call = *d->call;
	decision_t other = *d;
	uint32_t count = 0;

	call.req_nodes = req_nodes;
	other.call = &call;
	if (ask_slurm(&other, nodes, NULL) == SLURM_SUCCESS)
		count = (uint32_t)bit_set_count(nodes);
	forget_answer(d);
	bit_free(nodes);
	return count;
}

/*
 * How many nodes a --contiguous job gets that does not say exactly: as many as an
 * interval holds now, at most [most] (0: as many as Slurm's plugin takes). If none holds
 * enough, the job waits for the fewest that will do. 0: Slurm's plugin finds no nodes for
 * it.
 */
static uint32_t contiguous_count(decision_t *d, const bitstr_t *bitmap, uint32_t most)
{
	bitstr_t *chosen = bit_alloc(bit_size((bitstr_t *)bitmap));
	uint32_t least = count_by_slurm(d, bitmap, d->call->min_nodes), low;

	if (!most)
		most = count_by_slurm(d, bitmap, d->call->req_nodes);
	/* An interval of so many nodes holds fewer, too: the largest by bisection. */
	for (low = least; low < most;) {
		uint32_t middle = low + (most - low + 1) / 2;

		if (ask_engine_at(d, bitmap, middle, 0, chosen))
			low = middle;
		else
			most = middle - 1;
	}
	bit_free(chosen);
	return low;
}

int job_start_or_plan(decision_t *d, bitstr_t *bitmap)
{
	uint32_t count = known_count(d, bitmap);

	if (d->contiguous && !d->network.has_shape &&
	    d->call->min_nodes != d->call->max_nodes) {
		count = contiguous_count(d, bitmap, count);
		if (!count)
			return SLURM_ERROR;
	}
	if (count || d->network.has_shape) {
		if (engine_first(d, bitmap, count))
			return SLURM_SUCCESS;
		if (is_strict(d) && preempt_strictly(d, bitmap, count))
			return SLURM_SUCCESS;
		/* Whom to preempt, unless strict, is Slurm's to say: it goes first. */
		if ((is_strict(d) || !d->call->preemptees) &&
		    engine_plans(d, bitmap, count))
			return SLURM_SUCCESS;
		if (is_strict(d))
			return SLURM_ERROR;
	}
	if (d->confined)
		return slurm_first_confined(d, bitmap);
	return slurm_first(d, bitmap);
}
