/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start an ordinary job now, or plan it: the ways to combine the engine and Slurm's
 * plugin, in the order in which they are tried. See job_decide.h for the principle.
 */
#include "select/job_decision.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"

static bool slurm_chooses(const job_decision_t *d)
{
	bool busy = plans(d) && xstrcasestr(slurm_conf.sched_params, "bf_busy_nodes");

	return decision_is_by_rule(d->call->job, slurm_conf.select_type_param,
				   d->call->req_nodes, busy);
}

/* Idle nodes of [bitmap]: of the torus with most, for a job that stays within one. */
static uint32_t idle_nodes(job_decision_t *d, const bitstr_t *bitmap)
{
	bitstr_t *idle = bit_copy((bitstr_t *)bitmap);
	uint32_t counts[d->common.chooser.tori->count], most = 0;

	bit_and(idle, idle_node_bitmap);
	if (torus_chooser_is_confined(&d->common.chooser)) {
		choose_ranks_of(d->common.chooser.tori, idle, counts);
		for (int t = 0; t < d->common.chooser.tori->count; t++)
			most = counts[t] > most ? counts[t] : most;
	} else {
		most = (uint32_t)bit_set_count(idle);
	}
	bit_free(idle);
	return most;
}

/*
 * Whether an even share of the job's processors on [count] of the nodes keeps it from
 * nodes that are lighter than others: Slurm takes the lightest, unevenly.
 */
static bool share_passes_over_lighter(job_decision_t *d, const bitstr_t *bitmap,
				      uint32_t count)
{
	const job_details_t *details = d->call->job->details;
	bitstr_t *passed_over, *even;
	bool passes;

	if (details->min_cpus == NO_VAL || details->min_cpus <= count ||
	    !choose_some_are_heavier(bitmap, bitmap, plans(d)))
		return false;
	passed_over = bit_copy((bitstr_t *)bitmap);
	keep_usable(d, passed_over, 0, first_start(d));
	even = bit_copy(passed_over);
	keep_usable(d, even, count, first_start(d));
	bit_and_not(passed_over, even);
	passes = choose_some_are_heavier(even, passed_over, plans(d));
	bit_free(passed_over);
	bit_free(even);
	return passes;
}

/*
 * The job's node count, if it is fixed before Slurm's plugin has seen it: then the engine
 * goes first. A range is fixed by what is free, for whole nodes. 0: not known, or Slurm's
 * plugin goes first for the weights.
 */
static uint32_t known_count(job_decision_t *d, const bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	uint32_t idle;

	if (call->min_nodes == call->max_nodes)
		return share_passes_over_lighter(d, bitmap, call->min_nodes)
			       ? 0
			       : call->min_nodes;
	if (call->req_nodes <= call->min_nodes || !job_takes_whole_nodes(call->job) ||
	    first_start(d))
		return 0;
	idle = idle_nodes(d, bitmap);
	if (idle > call->req_nodes)
		idle = call->req_nodes;
	return idle >= call->min_nodes ? idle : 0;
}

/*
 * The engine first: [count] of the nodes that are free now. If Slurm's plugin refuses
 * them, once more among those that it would take at all.
 */
static bool engine_first(job_decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *candidates = bit_copy(bitmap);
	bool made;

	keep_usable(d, candidates, count, first_start(d));
	made = choose_verified(d, candidates, count, TORUS_AT_NOW, bitmap) ==
	       TORUS_PLACE_FOUND;
	if (made)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(candidates);
	return made;
}

/*
 * Where the job may share processors that others hold: the engine on the nodes that have
 * room in one row of the partition, row by row as Slurm's plugin would try them. Jobs in
 * a row that the engine has placed lie along the curve, so that the new one comes to lie
 * upon them and not across.
 */
static bool engine_in_rows(job_decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	const job_record_t *job = d->call->job;
	bitstr_t *candidates, *chosen;
	int rows = usable_rows(job);
	bool made = false;

	if (!rows || d->call->preemptee_candidates || first_start(d))
		return false;
	candidates = bit_alloc(bit_size(bitmap));
	chosen = bit_alloc(bit_size(bitmap));
	for (int row = 0; !made && row < rows; row++) {
		bit_copybits(candidates, bitmap);
		usable_filter_row(candidates, job, count, row, NULL);
		made = ask_engine(d, candidates, count, chosen) &&
		       verify_choice(d, chosen, count, soonest(d), bitmap);
	}
	if (made)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(candidates);
	bit_free(chosen);
	return made;
}

/*
 * Whether only Slurm's plugin knows the earliest start of the job, so that it is asked
 * before the engine: if jobs may be preempted, if the job could start sooner on fewer
 * nodes than [count], or if it may share processors.
 */
static bool slurm_plans(const job_decision_t *d, uint32_t count)
{
	return d->call->preemptee_candidates || count > d->call->min_nodes ||
	       usable_rows(d->call->job);
}

/*
 * The engine plans, and Slurm's plugin verifies: it simulates only the jobs on the chosen
 * nodes. It plans a start for the end of a group of job ends, and groups the ends on
 * fewer nodes differently. Where this makes the start later than *latest, the plan is
 * dropped and Slurm's plugin is asked about all nodes.
 */
static bool engine_plans(job_decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *chosen;
	time_t first, latest;
	bool made = false;

	if (!plans(d) || (d->call->job->bit_flags & TEST_NOW_ONLY) ||
	    slurm_plans(d, count))
		return false;
	chosen = bit_alloc(bit_size(bitmap));
	first = ask_engine_when(d, bitmap, count, chosen, &latest);
	made = first && verify_choice(d, chosen, count, latest, bitmap);
	if (made)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(chosen);
	return made;
}

static int count_of(slurm_list_t list)
{
	return list ? list_count(list) : 0;
}

/*
 * The jobs that are suspended when this one gets [nodes]. Slurm's plugin takes the nodes
 * of such jobs as if they were free, without naming preemptees. NULL: none; the list does
 * not own them.
 */
static slurm_list_t suspended_for(const job_decision_t *d, const bitstr_t *nodes)
{
	slurm_list_t suspended = NULL;
	slurm_list_iterator_t jobs;
	job_record_t *job;

	if (!d->call->preemptee_candidates)
		return NULL;
	jobs = list_iterator_create(d->call->preemptee_candidates);
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

static int count_suspended_for(const job_decision_t *d, const bitstr_t *nodes)
{
	slurm_list_t suspended = suspended_for(d, nodes);
	int count = count_of(suspended);

	FREE_NULL_LIST(suspended);
	return count;
}

/* Keep of [nodes] those on which now enough GRES are left for a node of the job. */
static void keep_with_gres(const job_record_t *job, bitstr_t *nodes)
{
	job_need_t need = need_of_job(job);

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		for (int kind = 1; kind < need.need.kinds; kind++) {
			if (need_node_gres(&need, kind, node_record_table_ptr[i], true) <
			    need.need.each[kind])
				bit_clear(nodes, i);
		}
	}
}

/*
 * The nodes among which the engine may improve on Slurm's [own] choice: those free at the
 * time of that choice, or that its preemptees leave, and of the same kind (line of
 * slurm.conf) as one that Slurm chose, because whatever else the job needs these have.
 */
static void candidates_beside(job_decision_t *d, bitstr_t *candidates,
			      const bitstr_t *own, time_t when, slurm_list_t preemptees)
{
	bitstr_t *same_kind = bit_copy((bitstr_t *)own);
	const config_record_t *seen = NULL;

	for (int i = next_set_bit(own, 0); i >= 0; i = next_set_bit(own, i + 1)) {
		const config_record_t *kind = node_record_table_ptr[i]->config_ptr;

		if (kind != seen && kind->node_bitmap)
			bit_or(same_kind, (bitstr_t *)kind->node_bitmap);
		seen = kind;
	}
	bit_and(same_kind, candidates);
	keep_usable(d, candidates, bit_set_count((bitstr_t *)own), when);
	bit_and(candidates, same_kind);
	if (!when)
		keep_with_gres(d->call->job, candidates);
	if (count_of(preemptees)) {
		slurm_list_iterator_t jobs = list_iterator_create(preemptees);
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
 * Whether Slurm put the job, which may share processors, on some that others hold; not
 * those of jobs that it preempts.
 */
static bool shares(job_decision_t *d, const bitstr_t *own, time_t when)
{
	bitstr_t *alone;
	bool all_alone;

	if (d->call->preemptee_candidates || !usable_rows(d->call->job))
		return false;
	alone = bit_copy((bitstr_t *)own);
	keep_usable(d, alone, bit_set_count(alone), when);
	all_alone = bit_equal(alone, (bitstr_t *)own);
	bit_free(alone);
	return !all_alone;
}

/* What Slurm's plugin decided before the engine was asked. */
typedef struct own_choice {
	bitstr_t *nodes;
	time_t when;  /* its nodes are free; 0: now */
	time_t start; /* what it has made the job's start_time */
	uint32_t cpus;
	slurm_list_t preemptees;
} own_choice_t;

/*
 * The engine's choice in place of Slurm's [own], into [bitmap]: as many nodes, not later
 * and at the cost of no more other jobs. *asked: whether Slurm's plugin was asked, so
 * that the job's record no longer speaks of its own choice.
 */
static bool improve(job_decision_t *d, bitstr_t *bitmap, const own_choice_t *own,
		    bool *asked)
{
	job_record_t *job = d->call->job;
	slurm_list_t suspended = suspended_for(d, own->nodes), preemptees = NULL;
	slurm_list_t leaving = count_of(own->preemptees) ? own->preemptees : suspended;
	bitstr_t *candidates = bit_copy(bitmap), *chosen = bit_alloc(bit_size(bitmap));
	bool better = false;

	candidates_beside(d, candidates, own->nodes, own->when, leaving);
	if (ask_engine(d, candidates, bit_set_count(own->nodes), chosen) &&
	    !bit_equal(chosen, own->nodes)) {
		*asked = true;
		better = ask_slurm(d, chosen, leaving ? &preemptees : NULL) ==
				 SLURM_SUCCESS &&
			 bit_set_count(chosen) >= bit_set_count(own->nodes) &&
			 count_of(preemptees) <= count_of(own->preemptees) &&
			 count_suspended_for(d, chosen) <= count_of(suspended) &&
			 (!plans(d) || job->start_time <= own->when ||
			  job->start_time <= time(NULL));
	}
	if (better) {
		bit_copybits(bitmap, chosen);
		keep_preemptees(d, preemptees);
		note_decision(d, bitmap, TORUS_BY_ENGINE_AFTER_SLURM);
	} else {
		FREE_NULL_LIST(preemptees);
	}
	FREE_NULL_LIST(suspended);
	bit_free(candidates);
	bit_free(chosen);
	return better;
}

/*
 * Slurm first: learn from Slurm's plugin whether, when, on how many nodes and at whose
 * cost the job can run within [bitmap]; then place that many as well as possible, without
 * delaying the job or preempting more. The result is in [bitmap].
 */
static int slurm_first(job_decision_t *d, bitstr_t *bitmap)
{
	job_record_t *job = d->call->job;
	slurm_list_t *preemptees = NULL;
	own_choice_t own = {.nodes = bit_copy(bitmap)};
	bool made = false, asked = false;
	int rc;

	if (d->call->preemptee_candidates)
		preemptees = &own.preemptees;
	rc = ask_slurm_alone(d, own.nodes, preemptees);
	if (rc != SLURM_SUCCESS)
		goto done;
	own.start = job->start_time;
	own.when = plans(d) ? job->start_time : 0;
	if (own.when < first_start(d)) /* Slurm's plugin says "now" for that, too */
		own.when = first_start(d);
	own.cpus = job->total_cpus;
	if (slurm_chooses(d)) {
		/* nothing to improve */
	} else if (shares(d, own.nodes, own.when)) {
		asked = true;
		made = engine_in_rows(d, bitmap, (uint32_t)bit_set_count(own.nodes));
	} else {
		made = improve(d, bitmap, &own, &asked);
	}
	if (made)
		goto done;
	if (asked && plans(d)) { /* all that a plan leaves in the job's record */
		job->start_time = own.start;
		job->total_cpus = own.cpus;
	} else if (asked) {
		FREE_NULL_LIST(own.preemptees);
		rc = ask_slurm_alone(d, own.nodes, preemptees);
	}
	bit_copybits(bitmap, own.nodes);
	keep_preemptees(d, own.preemptees);
	own.preemptees = NULL;
	note_decision(d, bitmap, TORUS_BY_SLURM);
done:
	FREE_NULL_LIST(own.preemptees);
	bit_free(own.nodes);
	return rc;
}

typedef struct confined {
	job_decision_t *d;
	bitstr_t *bitmap; /* the nodes offered; a start's place */
} confined_t;

/* slurm_first() on one torus; a plan is only looked at. */
static bool slurm_first_on(void *context, int t, int64_t *start)
{
	const confined_t *confined = context;
	job_decision_t *d = confined->d;
	bitstr_t *scope = bit_copy(confined->bitmap);
	bool made;

	confine_to(d->common.chooser.tori, scope, t);
	made = (uint32_t)bit_set_count(scope) >= d->call->min_nodes &&
	       slurm_first(d, scope) == SLURM_SUCCESS;
	*start = d->call->job->start_time;
	if (made && !plans(d)) {
		bit_copybits(confined->bitmap, scope);
	} else {
		if (made)
			forget_answer(d);
		if (d->call->preemptees)
			FREE_NULL_LIST(*d->call->preemptees);
	}
	bit_free(scope);
	return made;
}

/* slurm_first() for a job that must stay within one torus. */
static int slurm_first_confined(job_decision_t *d, bitstr_t *bitmap)
{
	confined_t confined = {d, bitmap};
	int t = torus_job_torus(d->common.chooser.tori->count, plans(d), slurm_first_on,
				&confined);

	if (t < 0)
		return SLURM_ERROR;
	if (!plans(d))
		return SLURM_SUCCESS;
	confine_to(d->common.chooser.tori, bitmap, t);
	return slurm_first(d, bitmap);
}

int job_start_or_plan(job_decision_t *d, bitstr_t *bitmap)
{
	uint32_t count = slurm_chooses(d) ? 0 : known_count(d, bitmap);

	if (count) {
		if (engine_first(d, bitmap, count) || engine_in_rows(d, bitmap, count))
			return SLURM_SUCCESS;
		if (engine_plans(d, bitmap, count))
			return SLURM_SUCCESS;
	}
	if (torus_chooser_is_confined(&d->common.chooser))
		return slurm_first_confined(d, bitmap);
	return slurm_first(d, bitmap);
}
