/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine: see ask_engine.h. */
#include "ask_engine.h"

#include <inttypes.h>

#include "confine.h"

const usable_timeline_t *active_jobs(decision_t *d)
{
	if (!d->active)
		d->active = usable_timeline_create();
	return d->active;
}

void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when)
{
	usable_filter(nodes, d->call->job, count,
		      when > time(NULL) ? active_jobs(d) : NULL, when);
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

	return ask_engine_at(request->d, request->scope, request->count, when,
			     request->chosen);
}

/* At any later end of a job more nodes are free. */
time_t ask_engine_when(decision_t *d, const bitstr_t *scope, uint32_t count,
		       bitstr_t *chosen)
{
	later_request_t request = {d, scope, chosen, count};
	const usable_timeline_t *active = active_jobs(d);
	int first = usable_timeline_search(active, fits_at, &request);

	if (first == active->count || !fits_at(&request, active->job[first]->end_time))
		return 0;
	return active->job[first]->end_time;
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
