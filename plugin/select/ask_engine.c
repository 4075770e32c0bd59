/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine: see ask_engine.h. */
#include "select/ask_engine.h"

#include <inttypes.h>

#include "select/confine.h"
#include "slurm/interval.h"

const usable_timeline_t *active_jobs(decision_t *d)
{
	if (!d->active)
		d->active = usable_timeline_create();
	return d->active;
}

bool may_be_uneven(const decision_t *d, uint32_t count)
{
	return d->contiguous && !d->network.has_shape &&
	       usable_shares_evenly(d->call->job, count);
}

uint32_t *cpus_wanted(decision_t *d, uint32_t count)
{
	if (count || d->network.has_shape || !d->contiguous)
		return NULL;
	if (!d->cpus)
		d->cpus = xcalloc(node_record_count, sizeof(*d->cpus));
	return d->cpus;
}

void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when)
{
	usable_filter(nodes, d->call->job, count,
		      when > time(NULL) ? active_jobs(d) : NULL, when,
		      cpus_wanted(d, count));
}

/* The shortest interval of [candidates] with enough processors. */
static bool ask_for_cpus(decision_t *d, const bitstr_t *candidates, bitstr_t *chosen)
{
	const job_details_t *details = d->call->job->details;
	interval_request_t request = {
		.pool = candidates,
		.required = details->req_node_bitmap,
		.free = d->cpus,
		.cpus = details->overcommit ? 0 : details->min_cpus,
		.min_nodes = d->call->min_nodes,
		.max_nodes = d->call->max_nodes,
	};

	return interval_with_cpus(d->machine, &request, chosen, &d->choice);
}

bool ask_engine(decision_t *d, const bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen)
{
	choice_request_t request = {
		.nodes = d->network.has_shape ? 0 : count,
		.contiguous = d->contiguous,
		.shape = d->network.has_shape ? &d->network.shape : NULL,
		.required = d->call->job->details->req_node_bitmap,
		.planned = plans(d),
	};

	if (cpus_wanted(d, count))
		return ask_for_cpus(d, candidates, chosen);
	if (choose_nodes(d->machine, candidates, &request, chosen, &d->choice))
		return true;
	if (is_strict(d) || d->machine->tori < 2 ||
	    (uint32_t)bit_set_count((bitstr_t *)candidates) < count || is_confined(d))
		return false;
	request.spread = true;
	return choose_nodes(d->machine, candidates, &request, chosen, &d->choice);
}

bool ask_engine_at(decision_t *d, const bitstr_t *scope, uint32_t count, time_t when,
		   bitstr_t *chosen)
{
	bitstr_t *free = bit_copy((bitstr_t *)scope);
	bool made;

	keep_usable(d, free, count, when);
	made = ask_engine(d, free, count, chosen);
	bit_free(free);
	return made;
}

/* What ask_engine_when() asks at the ends of jobs. */
typedef struct later_request {
	decision_t *d;
	const bitstr_t *scope;
	bitstr_t *chosen;
	uint32_t count;
} later_request_t;

static bool fits_at(void *context, time_t when)
{
	const later_request_t *request = context;

	if (ask_engine_at(request->d, request->scope, request->count, when,
			  request->chosen))
		return true;
	return may_be_uneven(request->d, request->count) &&
	       ask_engine_at(request->d, request->scope, 0, when, request->chosen);
}

/* What Slurm's plugin adds to the length of a group of ends; 0: it doubles. */
static time_t group_growth(void)
{
	const char *given = xstrcasestr(slurm_conf.sched_params, "bf_window_linear=");

	return given ? atol(strchr(given, '=') + 1) : 0;
}

/*
 * Slurm's plugin looks at the ends of running jobs on the nodes of [scope] in groups: the
 * first goes to half a minute after the first end, rounded up to half a minute, and each
 * is longer than the one before. The last end of the group of [when], which is one.
 */
static time_t end_of_group(decision_t *d, const bitstr_t *scope, time_t when)
{
	const usable_timeline_t *active = active_jobs(d);
	time_t first = 0, length = 30, growth = group_growth(), last = when;
	time_t latest = job_test_end(&d->call->extra);

	for (int i = 0; i < active->count; i++) {
		const job_record_t *job = active->job[i];

		if (!bit_overlap_any((bitstr_t *)scope, job->node_bitmap))
			continue;
		if (!first) {
			first = job->end_time + 30 - job->end_time % 30;
			while (when > first + length)
				length += growth > 0 ? growth : length;
		}
		if (job->end_time > first + length || (latest && job->end_time > latest))
			break;
		if (job->end_time > last)
			last = job->end_time;
	}
	return last;
}

/* At any later end of a job more nodes are free. */
time_t ask_engine_when(decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen, time_t *group_end)
{
	later_request_t request = {d, scope, chosen, count};
	const usable_timeline_t *active = active_jobs(d);
	int i = usable_timeline_search(active, fits_at, &request);
	time_t first;

	*group_end = 0;
	if (i == active->count)
		return 0;
	first = active->job[i]->end_time;
	*group_end = end_of_group(d, scope, first);
	return fits_at(&request, *group_end) ? first : 0;
}

static const char *mode_name(const decision_t *d)
{
	return plans(d) ? "will_run" : "run_now";
}

void log_decision(const decision_t *d, const bitstr_t *nodes, const char *who)
{
	const torus_map_t *map = d->choice.map;
	char *names;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name((bitstr_t *)nodes);
	debug("select/torus: JobId=%u %s torus=%s free=%u strategy=%s nodes=%s count=%u span=%u score=%" PRId64
	      " by=%s",
	      d->call->job->job_id, mode_name(d), map ? map->name : "-",
	      d->choice.candidates, map ? torus_allocator_name(map->allocator) : "-",
	      names, bit_set_count((bitstr_t *)nodes), d->choice.span, d->choice.score,
	      who);
	xfree(names);
}
