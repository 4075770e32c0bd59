/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine: see ask_engine.h. */
#include "select/ask_engine.h"

const usable_timeline_t *timeline_of(job_decision_t *d)
{
	if (!d->timeline)
		d->timeline = usable_timeline_create();
	return d->timeline;
}

void keep_usable(job_decision_t *d, bitstr_t *nodes, uint32_t count, time_t when)
{
	d->gres_now = !when;
	usable_filter(nodes, d->call->job, count,
		      when > time(NULL) ? timeline_of(d) : NULL, when, d->cpus);
}

/* What a node has for the job: for a strict one, after keep_usable() and the like. */
static void has(void *context, int node, uint64_t *has)
{
	const job_decision_t *d = context;
	const node_record_t *record = node_record_table_ptr[node];

	need_node_features(&d->common.need, node, has);
	if (!d->cpus)
		return;
	has[NEED_PROCESSORS] = d->cpus[node];
	for (int kind = 1; kind < d->common.need.need.kinds; kind++) {
		if (torus_need_is_feature(&d->common.need.need, kind))
			break;
		has[kind] = need_usable_gres(
			&d->common.need, kind,
			need_node_gres(&d->common.need, kind, record, d->gres_now),
			d->cpus[node]);
	}
}

/* As many tasks as are to be on each node may take more nodes than the job says. */
static uint32_t least_nodes(const job_decision_t *d)
{
	const job_details_t *details = d->call->job->details;
	uint32_t least = d->call->min_nodes, nodes;

	if (!details->ntasks_per_node || !details->num_tasks ||
	    details->num_tasks == NO_VAL)
		return least;
	nodes = (details->num_tasks + details->ntasks_per_node - 1) /
		details->ntasks_per_node;
	return nodes > least ? nodes : least;
}

choice_request_t engine_request(const job_decision_t *d, uint32_t count)
{
	const job_test_call_t *call = d->call;
	bool strict = torus_job_is_strict(&d->common.asks);
	choice_request_t request =
		strict ? decision_request(&d->common, least_nodes(d), call->req_nodes,
					  plans(d))
		       : choose_request(call->job, &d->common.asks, count, plans(d));

	if (strict || d->common.features.count) {
		request.need = &d->common.need.need;
		request.has = has;
	}
	if (strict && !d->common.asks.network.shapes.count &&
	    need_is_named(call->job, request.min_nodes, has, (void *)d))
		request.nodes = request.max_nodes = request.min_nodes;
	return request;
}

/* ask_engine(), or only [whether] it can. */
static bool ask(job_decision_t *d, bitstr_t *candidates, uint32_t count, bool whether,
		bitstr_t *chosen)
{
	choice_request_t request = engine_request(d, count);

	request.whether = whether;
	return choose_nodes(&d->common.chooser, &request, candidates, chosen,
			    &d->common.choice) == TORUS_PLACE_FOUND;
}

bool ask_engine(job_decision_t *d, bitstr_t *candidates, uint32_t count, bitstr_t *chosen)
{
	return ask(d, candidates, count, false, chosen);
}

/* What ask_engine_when() asks at the ends of jobs. */
typedef struct later_request {
	job_decision_t *d;
	const bitstr_t *scope;
	bitstr_t *chosen;
	uint32_t count;
} later_request_t;

/* ask() among those that are usable at [when]. */
static bool ask_at(const later_request_t *request, time_t when, bool whether)
{
	bitstr_t *free = bit_copy((bitstr_t *)request->scope);
	bool made;

	keep_usable(request->d, free, request->count, when);
	made = ask(request->d, free, request->count, whether, request->chosen);
	bit_free(free);
	return made;
}

static bool fits_at(void *context, int64_t when)
{
	return ask_at(context, when, true);
}

/* What Slurm's plugin adds to the length of a group of ends; 0: it doubles. */
static time_t group_growth(void)
{
	const char *given = xstrcasestr(slurm_conf.sched_params, "bf_window_linear=");

	return given ? atol(strchr(given, '=') + 1) : 0;
}

/* Jobs of which some nodes matter. */
typedef struct overlapping {
	const active_jobs_t *active;
	const bitstr_t *scope;
} overlapping_t;

static bool overlaps(void *context, int index)
{
	const overlapping_t *o = context;

	return bit_overlap_any((bitstr_t *)o->scope, o->active->job[index]->node_bitmap);
}

time_t end_of_group(const job_test_call_t *call, const bitstr_t *scope, time_t when)
{
	overlapping_t those = {active_jobs_now(), scope};

	return torus_ends_group(&those.active->ends, when, job_test_end(&call->extra),
				group_growth(), overlaps, &those);
}

uint32_t ask_engine_fewest(const job_decision_t *d, uint32_t count)
{
	choice_request_t request = engine_request(d, count);

	return torus_choice_fewest(d->common.chooser.tori, &request);
}

/*
 * The first time, or 0. At any later end of a job more nodes are free. Backfill asks for
 * each of its windows of time, and most often the job does not fit by the end of it,
 * after which Slurm's plugin does not look either: that is asked first, and *never is set
 * if it is so. Ends at which too few nodes are left, whichever they are, are not asked
 * about. A strict job may have to wait long for its place, others have theirs soon.
 */
static time_t first_time(later_request_t *request, time_t *group_end, bool *never)
{
	job_decision_t *d = request->d;
	const active_jobs_t *active = timeline_of(d)->active;
	time_t latest = job_test_end(&d->call->extra);
	const torus_ends_t *ends = &active->ends;
	int last = (latest ? torus_ends_by(ends, latest) : ends->count) - 1;
	int from = active_jobs_leave(active, request->scope,
				     ask_engine_fewest(d, request->count));
	int i;

	*group_end = 0;
	*never = latest && from > 0 && last < from;
	if (!*never && latest && last >= 0)
		*never = !fits_at(request, ends->end[last]);
	if (*never || last < from)
		return 0;
	i = torus_job_is_strict(&d->common.asks)
		    ? torus_ends_bisect(ends, from, latest ? last : ends->count, fits_at,
					request)
		    : torus_ends_search(ends, from, fits_at, request);
	if (i == ends->count)
		return 0;
	*group_end = end_of_group(d->call, request->scope, ends->end[i]);
	return ends->end[i];
}

time_t ask_engine_when(job_decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen, time_t *group_end)
{
	later_request_t request = {d, scope, chosen, count};
	bool never;
	time_t first = first_time(&request, group_end, &never);

	return first && ask_at(&request, *group_end, false) ? first : 0;
}

time_t ask_engine_group_end(job_decision_t *d, const bitstr_t *scope, bool *never)
{
	later_request_t request = {.d = d, .scope = scope};
	time_t group_end;

	first_time(&request, &group_end, never);
	return group_end;
}

void note_decision(job_decision_t *d, const bitstr_t *nodes, torus_tally_by_t by)
{
	d->common.by = by;
	choose_log(d->call->job, plans(d) ? "will_run " : "run_now ", &d->common.choice,
		   nodes, by);
}
