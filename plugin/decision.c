/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks the engine and Slurm's plugin: see decision.h. */
#include "decision.h"

#include "delegate.h"

/*
 * --contiguous is kept from Slurm's plugin: it means neighbours in Slurm's node table
 * there, and an interval of the curve here.
 */
int ask_slurm(const decision_t *d, bitstr_t *nodes, slurm_list_t *victims)
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

void forget_answer(const decision_t *d)
{
	free_job_resources(&d->call->job->job_resrcs);
}

void keep_victims(const decision_t *d, slurm_list_t victims)
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

bool verify_choice(const decision_t *d, const bitstr_t *nodes, time_t when,
		   bitstr_t *bitmap)
{
	bitstr_t *cut = bit_copy((bitstr_t *)nodes);
	bool good = ask_slurm(d, cut, NULL) == SLURM_SUCCESS;

	if (good && plans(d) && d->call->job->start_time > when)
		good = false;
	if (good)
		bit_copybits(bitmap, cut);
	else
		forget_answer(d);
	bit_free(cut);
	return good;
}

const usable_timeline_t *active_jobs(decision_t *d)
{
	if (!d->active)
		d->active = usable_timeline_create();
	return d->active;
}

/* Whole nodes that are idle now are known to slurmctld: no need to go through all jobs.
 */
void keep_usable(decision_t *d, bitstr_t *nodes, uint32_t count, time_t when)
{
	if (when <= time(NULL) && job_takes_whole_nodes(d->call->job))
		bit_and(nodes, idle_node_bitmap);
	else
		usable_filter(nodes, d->call->job, count, active_jobs(d), when);
}

bool ask_engine(decision_t *d, const bitstr_t *candidates, uint32_t count,
		bitstr_t *chosen)
{
	choice_request_t request = {
		.nodes = d->network.has_shape ? 0 : count,
		.contiguous = d->contiguous,
		.shape = d->network.has_shape ? &d->network.shape : NULL,
		.required = d->call->job->details->req_node_bitmap,
		.spread = !d->confined,
	};

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
	debug("select/torus: JobId=%u %s torus=%s free=%u strategy=%s nodes=%s count=%u span=%u by=%s",
	      d->call->job->job_id, mode_name(d), map ? map->name : "-",
	      d->choice.candidates, map ? torus_allocator_name(map->allocator) : "-",
	      names, bit_set_count((bitstr_t *)nodes), d->choice.span, who);
	xfree(names);
}
