/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision about one job: see job_test.h. */
#include "job_test.h"

#include "choose.h"
#include "delegate.h"
#include "request.h"
#include "usable.h"

/* What is known of the job that is being decided. */
typedef struct decision {
	machine_t *machine;
	const job_test_call_t *call;
	torus_network_request_t network;
	bool contiguous;
	bool confined;	     /* must not be spread over several tori */
	bitstr_t *potential; /* nodes it may ever have, only with several tori; or NULL */
	choice_t choice;     /* the engine's last choice, for the log */
	uint32_t free;	     /* and the number of free nodes it had */
} decision_t;

/* The engine alone decides what this job may have; Slurm's choice of nodes will not do.
 */
static bool is_strict(const decision_t *d)
{
	return d->network.has_shape || d->contiguous;
}

static bool plans(const decision_t *d)
{
	return SELECT_IS_MODE_WILL_RUN(d->call->mode);
}

/* --------------------------------------------------------------------------------------
 * Asking Slurm's plugin
 */

/*
 * Have Slurm's plugin choose from [nodes]. Jobs are preempted only if [victims] is not
 * NULL; *victims then receives a list of its own, never the caller's, because Slurm's
 * plugin appends to what is there and may be asked more than once for one decision.
 *
 * --contiguous is kept from it: it means neighbours in Slurm's node table there, and an
 * interval of the curve here.
 */
static int ask_slurm(const decision_t *d, bitstr_t *nodes, slurm_list_t *victims)
{
	const job_test_call_t *call = d->call;
	struct job_details *details = call->job->details;
	uint16_t contiguous = details->contiguous;
	uint32_t min_nodes = call->min_nodes, req_nodes = call->req_nodes;
	int rc;

	if (victims)
		*victims = NULL;
	if (d->network.has_shape) /* the whole box, also if the tasks need less */
		min_nodes = req_nodes = bit_set_count(nodes);
	details->contiguous = 0;
	rc = delegate.select_p_job_test(call->job, nodes, min_nodes, call->max_nodes,
					req_nodes, call->mode,
					victims ? call->preemptees : NULL, victims,
					JOB_TEST_EXTRA_UNPACK(&call->extra));
	details->contiguous = contiguous;
	return rc;
}

/* Forget what Slurm's plugin noted in the job's record for a choice that is not used. */
static void forget(const decision_t *d)
{
	free_job_resources(&d->call->job->job_resrcs);
}

/* Hand the list of victims of the decision that is made to the caller. */
static void keep_victims(const decision_t *d, slurm_list_t victims)
{
	if (!victims)
		return;
	if (!d->call->victims) {
		FREE_NULL_LIST(victims);
	} else if (!*d->call->victims) {
		*d->call->victims = victims;
	} else {
		list_transfer(*d->call->victims, victims);
		FREE_NULL_LIST(victims);
	}
}

/* --------------------------------------------------------------------------------------
 * Asking the engine
 */

/* Choose [count] of the [candidates]; the choice in [chosen]. */
static choice_result_t choose(decision_t *d, const bitstr_t *candidates, uint32_t count,
			      bitstr_t *chosen)
{
	choice_request_t request = {
		.nodes = d->network.has_shape ? 0 : count,
		.contiguous = d->contiguous,
		.shape = d->network.has_shape ? &d->network.shape : NULL,
		.required = d->call->job->details->req_node_bitmap,
		.potential = d->confined ? d->potential : NULL,
	};

	return choose_nodes(d->machine, candidates, &request, chosen, &d->choice);
}

/* The same among those of [scope] that are free for the job at [when]. */
static choice_result_t choose_free(decision_t *d, const bitstr_t *scope, uint32_t count,
				   time_t when, bitstr_t *chosen)
{
	bitstr_t *free = bit_copy((bitstr_t *)scope);
	choice_result_t result;

	usable_filter(free, d->call->job, count, when);
	result = choose(d, free, count, chosen);
	bit_free(free);
	return result;
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
	idle = (uint32_t)bit_overlap((bitstr_t *)bitmap, idle_node_bitmap);
	if (idle > call->req_nodes)
		idle = call->req_nodes;
	return idle >= call->min_nodes ? idle : 0;
}

/* --------------------------------------------------------------------------------------
 * The log
 */

static const char *mode_name(const decision_t *d)
{
	return plans(d) ? "will_run" : "run_now";
}

static void log_decision(const decision_t *d, const bitstr_t *nodes, const char *who)
{
	const torus_map_t *map = d->choice.map;
	char *names;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name((bitstr_t *)nodes);
	debug("select/torus: JobId=%u %s torus=%s free=%u strategy=%s nodes=%s count=%u span=%u by=%s",
	      d->call->job->job_id, mode_name(d), map ? map->name : "-",
	      d->choice.candidates, map ? torus_allocator_name(map->allocator) : "-",
	      names, bit_set_count((bitstr_t *)nodes), d->choice.span, who);
	xfree(names);
}

/* --------------------------------------------------------------------------------------
 * The ways to a decision
 */

/*
 * Have Slurm's plugin verify the engine's choice, or a superset of it, without preempting
 * anybody and, when planning, for a start not later than [when]. On success the nodes are
 * in [bitmap].
 */
static bool verify(decision_t *d, const bitstr_t *nodes, time_t when, bitstr_t *bitmap)
{
	bitstr_t *cut = bit_copy((bitstr_t *)nodes);
	bool good = ask_slurm(d, cut, NULL) == SLURM_SUCCESS;

	if (good && plans(d) && d->call->job->start_time > when)
		good = false;
	if (good)
		bit_copybits(bitmap, cut);
	else
		forget(d);
	bit_free(cut);
	return good;
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

	if (choose_free(d, bitmap, count, 0, chosen) == CHOICE_MADE) {
		made = verify(d, chosen, soon, bitmap);
		if (!made && !is_strict(d) &&
		    choose_free(d, bitmap, 2 * count, 0, chosen) == CHOICE_MADE)
			made = verify(d, chosen, soon, bitmap);
	}
	if (made)
		log_decision(d, bitmap, "engine");
	bit_free(chosen);
	return made;
}

/*
 * A strict job that finds nothing free now: with preemption, on the nodes of jobs that
 * may be preempted; when planning, at the first time at which enough running jobs have
 * reached their time limit. More nodes are free at any later time, so that time is found
 * by bisection.
 */
static int wait_strictly(decision_t *d, bitstr_t *bitmap, uint32_t count)
{
	bitstr_t *chosen = bit_alloc(bit_size(bitmap)), *free;
	slurm_list_t victims = NULL;
	int rc = SLURM_ERROR;

	if (d->call->preemptees) {
		ListIterator jobs = list_iterator_create(d->call->preemptees);
		const job_record_t *job;

		free = bit_copy(bitmap);
		usable_filter(free, d->call->job, count, 0);
		while ((job = list_next(jobs))) {
			if (job->node_bitmap)
				bit_or(free, job->node_bitmap);
		}
		list_iterator_destroy(jobs);
		bit_and(free, bitmap);
		if (choose(d, free, count, chosen) == CHOICE_MADE)
			rc = ask_slurm(d, chosen, &victims);
		bit_free(free);
	}
	if (rc != SLURM_SUCCESS && plans(d) &&
	    !(d->call->job->bit_flags & TEST_NOW_ONLY)) {
		time_t *times;
		int low = 0, high = usable_times(bitmap, &times);
		int last = high - 1;

		while (low < high) {
			int middle = (low + high) / 2;

			if (choose_free(d, bitmap, count, times[middle], chosen) ==
			    CHOICE_MADE)
				high = middle;
			else
				low = middle + 1;
		}
		if (low <= last &&
		    choose_free(d, bitmap, count, times[low], chosen) == CHOICE_MADE)
			rc = ask_slurm(d, chosen, NULL);
		xfree(times);
	}
	if (rc == SLURM_SUCCESS) {
		bit_copybits(bitmap, chosen);
		keep_victims(d, victims);
		log_decision(d, bitmap, "engine");
	} else {
		FREE_NULL_LIST(victims);
		forget(d);
	}
	bit_free(chosen);
	return rc;
}

static int count_of(slurm_list_t list)
{
	return list ? list_count(list) : 0;
}

/*
 * The nodes among which the engine may improve on Slurm's [own] choice: those free at the
 * time of that choice, or that its victims leave, and of the same kind (line of
 * slurm.conf) as one that Slurm chose, because whatever else the job needs these have.
 */
static void candidates_beside(const decision_t *d, bitstr_t *candidates,
			      const bitstr_t *own, time_t when, slurm_list_t victims)
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
	usable_filter(candidates, d->call->job, bit_set_count((bitstr_t *)own), when);
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
	slurm_list_t own_victims = NULL, victims = NULL;
	bool preempt = d->call->preemptees != NULL, better = false;
	time_t when = 0;
	int rc;

	rc = ask_slurm(d, own, preempt ? &own_victims : NULL);
	if (rc != SLURM_SUCCESS)
		goto done;
	if (plans(d))
		when = job->start_time;
	candidates_beside(d, bitmap, own, when, own_victims);
	chosen = bit_alloc(bit_size(bitmap));
	if (choose(d, bitmap, bit_set_count(own), chosen) == CHOICE_MADE &&
	    !bit_equal(chosen, own)) {
		cut = bit_copy(chosen);
		better = ask_slurm(d, cut, count_of(own_victims) ? &victims : NULL) ==
				 SLURM_SUCCESS &&
			 count_of(victims) <= count_of(own_victims) &&
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
	if (cut) { /* the job's record speaks of the other choice: ask again for Slurm's
		      own */
		FREE_NULL_LIST(own_victims);
		rc = ask_slurm(d, own, preempt ? &own_victims : NULL);
	}
	bit_copybits(bitmap, own);
	keep_victims(d, own_victims);
	log_decision(d, bitmap, "slurm");
done:
	if (rc != SLURM_SUCCESS)
		FREE_NULL_LIST(own_victims);
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
			forget(d);
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
	forget(d);
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

		if (choose_free(d, bitmap, middle, 0, chosen) == CHOICE_MADE)
			low = middle;
		else
			most = middle - 1;
	}
	bit_free(chosen);
	return low;
}

static int start_or_plan(decision_t *d, bitstr_t *bitmap)
{
	uint32_t count = known_count(d, bitmap);

	if (d->contiguous && !d->network.has_shape &&
	    d->call->min_nodes != d->call->max_nodes) {
		count = contiguous_count(d, bitmap, count);
		if (!count)
			return SLURM_ERROR;
	}
	if ((count || d->network.has_shape) && engine_first(d, bitmap, count))
		return SLURM_SUCCESS;
	if (is_strict(d))
		return wait_strictly(d, bitmap, count);
	if (d->confined)
		return slurm_first_confined(d, bitmap);
	return slurm_first(d, bitmap);
}

/* --------------------------------------------------------------------------------------
 * What can never be
 */

/* Slurm asks several times for one submission; the log needs to say it once. */
static int refuse(const decision_t *d, const char *reason)
{
	static char *last;
	char *text = xstrdup_printf("select/torus: JobId=%u can not run: %s",
				    d->call->job->job_id, reason);

	if (xstrcmp(text, last)) {
		info("%s", text);
		xfree(last);
		last = text;
	} else {
		xfree(text);
	}
	return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

/* Whether the job could run on [bitmap] if all of it were free. */
static int test_ever(decision_t *d, bitstr_t *bitmap)
{
	const job_test_call_t *call = d->call;
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	choice_result_t result = CHOICE_MADE;
	uint32_t count = call->min_nodes == call->max_nodes ? call->min_nodes : 0;
	char text[TORUS_DIMS_TEXT], reason[256];
	int rc = SLURM_SUCCESS;

	if (d->network.has_shape || (d->contiguous && count))
		result = choose(d, bitmap, count, chosen);
	if (d->network.has_shape) {
		torus_lengths_format(d->network.shape.dims, d->network.shape.side, text);
		if (call->job->details->req_node_bitmap)
			rc = refuse(d, "a shape and --nodelist exclude each other");
		else if (result != CHOICE_MADE) {
			snprintf(reason, sizeof(reason),
				 "no box of shape %s fits into the nodes it may use",
				 text);
			rc = refuse(d, reason);
		} else if (d->choice.nodes < call->min_nodes ||
			   d->choice.nodes > call->max_nodes) {
			snprintf(
				reason, sizeof(reason),
				"a box of shape %s has %u nodes, and the job asks for %u to "
				"%u: give --nodes=%u or none",
				text, d->choice.nodes, call->min_nodes, call->max_nodes,
				d->choice.nodes);
			rc = refuse(d, reason);
		} else {
			bit_copybits(bitmap, chosen);
		}
	} else if (result != CHOICE_MADE) {
		snprintf(
			reason, sizeof(reason),
			"--contiguous: no %u neighbours on the curve among the nodes it may "
			"use",
			count);
		rc = refuse(d, reason);
	}
	bit_free(chosen);
	return rc == SLURM_SUCCESS ? ask_slurm(d, bitmap, NULL) : rc;
}

/* --------------------------------------------------------------------------------------
 * The entry
 */

/*
 * With several tori: the nodes that the job may have one day, and whether one torus has
 * enough of them. Only of a job without further conditions are these nodes known; another
 * might wait for a torus that never suits it, so it is spread rather than left waiting.
 */
static void confine(decision_t *d)
{
	const job_record_t *job = d->call->job;
	uint32_t counts[d->machine->tori];

	if (d->machine->tori < 2 || job->details->features ||
	    job->details->exc_node_bitmap || job->details->req_node_bitmap ||
	    job->resv_name)
		return;
	d->potential = bit_copy(job->part_ptr->node_bitmap);
	bit_and(d->potential, avail_node_bitmap);
	choose_ranks_of(d->machine, d->potential, counts);
	for (int t = 0; t < d->machine->tori; t++)
		d->confined |= counts[t] >= d->call->min_nodes;
}

static bool touches_a_torus(const machine_t *machine, const bitstr_t *nodes)
{
	int last = bit_fls((bitstr_t *)nodes);

	for (int i = last < 0 ? 0 : bit_ffs((bitstr_t *)nodes); i <= last; i++) {
		if (i < machine->nodes && machine->torus_of_node[i] >= 0 &&
		    bit_test((bitstr_t *)nodes, i))
			return true;
	}
	return false;
}

static int pass_through(const job_test_call_t *call, bitstr_t *bitmap)
{
	return delegate.select_p_job_test(call->job, bitmap, call->min_nodes,
					  call->max_nodes, call->req_nodes, call->mode,
					  call->preemptees, call->victims,
					  JOB_TEST_EXTRA_UNPACK(&call->extra));
}

int job_test_decide(machine_t *machine, const job_test_call_t *call, bitstr_t *bitmap)
{
	decision_t d = {
		.machine = machine,
		.call = call,
		.contiguous = call->job->details->contiguous,
	};
	torus_error_t err;
	int rc;

	if (torus_network_parse(call->job->network, &d.network, &err))
		return refuse(&d, err.text);
	if (!call->min_nodes ||
	    (!d.network.has_shape && !touches_a_torus(machine, bitmap)))
		return pass_through(call, bitmap);
	if (SELECT_IS_MODE_TEST_ONLY(call->mode))
		return test_ever(&d, bitmap);
	confine(&d);
	rc = start_or_plan(&d, bitmap);
	FREE_NULL_BITMAP(d.potential);
	return rc;
}
