/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job gets: see topology/place.h. */
#include "topology/place.h"

#ifdef TOPOLOGY_CHOOSES

#include "slurm/choose.h"
#include "slurm/confine.h"
#include "slurm/decisions.h"
#include "slurm/need.h"
#include "slurm/network.h"
#include "slurm/own_rule.h"
#include "slurm/parts.h"
#include "slurm/patience.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"
#include "topology/plan_parts.h"

/* One decision. */
typedef struct placing {
	topology_try_t asking;
	topology_could_run_t *could_run;
	chooser_t chooser;
	confine_t confine;
	torus_job_t job;
	patience_t patience;
	uint32_t near;	    /* the place must be so near; 0: any place */
	uint32_t box_nodes; /* of nodes_of_box(), for a job that wishes */
	bool planned;	    /* weights are on the scale of plans: see node_weight() */
	bool at_submission; /* it is known that all nodes count as free */
	bool at_some_time;  /* it is known that they do not */
	bool plans_part;    /* it is known that backfill asks */
	const bitstr_t
		*idle_then; /* nodes on which no job will be, for a plan of parts */
	job_need_t need;
	features_t features; /* of which the job counts its nodes */
	parts_t parts;	     /* what is asked, where it counts features */
	choice_t choice;     /* the engine's last one, for the log */
	bitstr_t *refused;   /* the last choice, if Slurm's plugin refused it; or NULL */
	torus_tally_by_t by; /* whose choice it was, in the end */
} placing_t;

static const job_record_t *job_of(const placing_t *p)
{
	return p->asking.eval->job_ptr;
}

/* --- the verifier ------------------------------------------------------- */

static bool verify(void *context, const bitstr_t *nodes)
{
	placing_t *p = context;
	topology_extent_t extent = torus_job_is_strict(&p->job) || p->features.count
					   ? TOPOLOGY_ALL
					   : TOPOLOGY_SOME;

	if (torus_job_is_strict(&p->job) && p->job.network.has_shape)
		extent = TOPOLOGY_ALL_EVEN;
	if (p->refused && bit_equal(p->refused, (bitstr_t *)nodes))
		return false;
	if (p->features.count && !features_suffice(&p->features, nodes))
		return false;
	if (topology_try(&p->asking, nodes, extent, false, NULL))
		return true;
	FREE_NULL_BITMAP(p->refused);
	p->refused = bit_copy((bitstr_t *)nodes);
	return false;
}

/* A try may have made the count smaller, see gres_filter_sock_core(). */
static uint64_t gres_count(const sock_gres_t *gres)
{
	return gres->total_cnt > gres->total_cnt_before_filter
		       ? gres->total_cnt
		       : gres->total_cnt_before_filter;
}

/* What Slurm's plugin has found free of a node. */
static void has(void *context, int node, uint64_t *has)
{
	placing_t *p = context;
	const avail_res_t *resources = p->asking.eval->avail_res_array[node];
	slurm_list_iterator_t iterator;
	const sock_gres_t *gres;

	has[NEED_PROCESSORS] = resources->avail_cpus;
	for (int kind = 1; kind < p->need.need.kinds; kind++)
		has[kind] = 0;
	need_node_features(&p->need, node, has);
	if (p->need.need.kinds == 1 || !resources->sock_gres_list)
		return;
	iterator = list_iterator_create(resources->sock_gres_list);
	while ((gres = list_next(iterator))) {
		p->at_submission |= gres->use_total_gres;
		p->at_some_time |= !gres->use_total_gres;
		for (int kind = 1; kind < p->need.need.kinds; kind++) {
			if (p->need.gres[kind] &&
			    gres->gres_state_job == p->need.gres[kind])
				has[kind] =
					need_usable_gres(&p->need, kind, gres_count(gres),
							 has[NEED_PROCESSORS]);
		}
	}
	list_iterator_destroy(iterator);
}

static bool could_run_on(void *context, const bitstr_t *nodes)
{
	const placing_t *p = context;

	return p->could_run(&p->asking.asked, nodes);
}

static bool could_run(void *context, int t)
{
	placing_t *p = context;
	job_record_t *job = p->asking.eval->job_ptr;

	return job->job_id &&
	       confine_suits(&p->confine, p->chooser.tori, job, p->asking.asked.min_nodes,
			     t, could_run_on, p);
}

/* --- the questions ------------------------------------------------------ */

/* The request for [nodes], not yet to be verified. */
static choice_request_t request_for(const placing_t *p, uint32_t nodes)
{
	choice_request_t request = choose_request(job_of(p), &p->job, nodes, p->planned);

	request.near = p->near;
	return request;
}

/*
 * Have the engine choose among the nodes offered until Slurm's plugin agrees. Whatever it
 * says, the nodes offered stay.
 */
static torus_outcome_t choose(placing_t *p, choice_request_t *request)
{
	bitstr_t *candidates = bit_copy(p->asking.offered);
	torus_outcome_t outcome;

	request->verify = verify;
	outcome = choose_nodes(&p->chooser, request, candidates, NULL, &p->choice);
	bit_free(candidates);
	return outcome;
}

static uint32_t most_nodes(const placing_t *p)
{
	return need_most_nodes(job_of(p), p->asking.asked.min_nodes,
			       p->asking.asked.max_nodes);
}

static uint32_t wanted_nodes(const placing_t *p)
{
	return need_wanted_nodes(job_of(p), p->asking.asked.min_nodes,
				 p->asking.asked.req_nodes, most_nodes(p));
}

/* The request for the number of nodes that Slurm's plugin would settle on. */
static choice_request_t request_range(const placing_t *p)
{
	choice_request_t request = request_for(p, wanted_nodes(p));

	request.min_nodes = p->asking.asked.min_nodes;
	request.max_nodes = most_nodes(p);
	request.need = &p->need.need;
	request.has = has;
	return request;
}

/* --- the ways ----------------------------------------------------------- */

/* Note, and log, whose choice it was. */
static void note_choice(placing_t *p, torus_tally_by_t by)
{
	p->by = by;
	choose_log(job_of(p), "", &p->choice, p->asking.eval->node_map, by);
}

/* The request of a strict job. The number of nodes of a shape with given sides counts
 * even where the job could not use them all. */
static choice_request_t request_strict(const placing_t *p)
{
	choice_request_t request = request_range(p);

	if (p->job.network.shapes.count)
		request.max_nodes =
			max_nodes_is_implied(job_of(p)) ? 0 : p->asking.asked.max_nodes;
	return request;
}

/* The nodes of its partition that the job does not exclude. */
static bitstr_t *nodes_of_partition(const job_record_t *job)
{
	bitstr_t *nodes = bit_copy(job->part_ptr->node_bitmap);

	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	return nodes;
}

static bool is_possible_for(placing_t *p, choice_request_t request)
{
	bitstr_t *nodes = nodes_of_partition(job_of(p));
	bool possible;

	possible = choose_is_possible(&p->chooser, request, nodes, &p->choice);
	bit_free(nodes);
	return possible;
}

/* The same for a box of whichever nodes. While plans are made it is asked at each time at
 * which there is no place, for one job after the other: the last yes is kept. */
static bool is_box_possible(placing_t *p, choice_request_t request)
{
	tori_t *tori = p->chooser.tori;
	const char *network = job_of(p)->network;
	bitstr_t *nodes = nodes_of_partition(job_of(p));
	bool possible = tori_knows_box(tori, network, nodes, request.min_nodes,
				       request.max_nodes);

	if (!possible) {
		possible = is_possible_for(p, request);
		if (possible)
			tori_know_box(tori, network, nodes, request.min_nodes,
				      request.max_nodes);
	}
	bit_free(nodes);
	return possible;
}

static bool is_possible(void *context, bool whole)
{
	placing_t *p = context;
	choice_request_t request = request_strict(p);

	if (whole)
		request.segment = 0;
	if (!job_of(p)->part_ptr)
		return true;
	if (p->job.network.has_shape && !request.segment && !request.required)
		return is_box_possible(p, request);
	return is_possible_for(p, request);
}

/* The nodes of a box as the job asks for, whatever their number; 0: there is none. */
static uint32_t nodes_of_other_box(placing_t *p)
{
	choice_request_t request = request_strict(p);

	request.segment = 0;
	request.min_nodes = request.max_nodes = 0;
	return !p->job.network.shapes.any && is_possible_for(p, request) ? p->choice.nodes
									 : 0;
}

static int refuse(void *context, torus_never_t why)
{
	placing_t *p = context;
	never_t never = {
		.tori = p->chooser.tori,
		.job = job_of(p),
		.asks = &p->job,
		.nodes = why == TORUS_NEVER_HAS ? p->asking.offered : NULL,
		.counts_features = p->features.count > 0,
		.min_nodes = p->asking.asked.min_nodes,
		.max_nodes = p->asking.asked.max_nodes,
	};

	if (why == TORUS_NEVER_BOX)
		never.box_nodes = nodes_of_other_box(p);
	return refuse_never(&never, why);
}

/* A place that Slurm's plugin accepts, among the nodes offered. */
static torus_outcome_t find(void *context, torus_at_t at, int64_t when)
{
	placing_t *p = context;
	choice_request_t request = request_strict(p);
	bitstr_t *named = job_of(p)->details->req_node_bitmap;
	torus_outcome_t outcome;

	(void)at, (void)when;
	if (named && bit_super_set(named, p->asking.offered) &&
	    need_is_named(job_of(p), p->asking.asked.min_nodes, has, p))
		request.nodes = request.max_nodes = p->asking.asked.min_nodes;
	outcome = choose(p, &request);
	if (outcome == TORUS_PLACE_FOUND)
		note_choice(p, TORUS_BY_ENGINE);
	return outcome;
}

/* Nodes that cannot be had now are offered only where all count as free. */
static bool was_ever(void *context)
{
	const placing_t *p = context;

	return p->at_submission || (p->chooser.tori->grows &&
				    !bit_super_set(p->asking.offered, avail_node_bitmap));
}

static bool may_come(void *context)
{
	const placing_t *p = context;

	return place_may_come(p->chooser.tori, &p->job, p->asking.asked.min_nodes,
			      p->asking.asked.max_nodes);
}

static int leave(void *context)
{
	placing_t *p = context;

	p->by = TORUS_BY_SLURM;
	return topology_try(&p->asking, p->asking.offered, TOPOLOGY_SOME, false, NULL)
		       ? SLURM_SUCCESS
		       : SLURM_ERROR;
}

/*
 * The same answer for "now" and for "ever", which Slurm does not tell apart: with
 * best_switch, by which topology/tree has a job wait for --switches=, select/cons_tres
 * takes a yes for no when it is to start or to plan a job, and for yes where it asks what
 * could ever run.
 */
static int postpone(void *context)
{
	placing_t *p = context;
	int rc = SLURM_ERROR;

	if (!p->planned && !p->at_some_time)
		rc = leave(context);
	if (rc != SLURM_SUCCESS)
		return rc;
	p->by = TORUS_BY_NOBODY;
	p->asking.eval->job_ptr->best_switch = false;
	return rc;
}

static const torus_job_source_t strict_source = {
	.find = find,
	.was_ever = was_ever,
	.is_possible = is_possible,
	.may_come = may_come,
	.refuse = refuse,
	.leave = leave,
	.postpone = postpone,
};

/* A strict job gets a place that Slurm's plugin accepts, or none. */
static int place_strictly(placing_t *p)
{
	torus_job_source_t source = strict_source;

	source.context = p;
	return torus_job_strictly(&p->job, &source, false);
}

/* Make [need] the least, or the most, that one of the [nodes] has. */
static void bound_need(placing_t *p, const bitstr_t *nodes, bool most, torus_need_t *need)
{
	uint64_t of_node[TORUS_MAX_KINDS];
	bool first = true;

	*need = (torus_need_t){.kinds = p->need.need.kinds};
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		has(p, i, of_node);
		for (int kind = 0; kind < need->kinds; kind++) {
			if (first || (of_node[kind] > need->each[kind]) == most)
				need->each[kind] = of_node[kind];
		}
		first = false;
	}
}

/*
 * A job that counts GRES in all: how many nodes that takes Slurm's plugin says, and the
 * engine places as many among nodes that have as much free as those it would take.
 */
static bool place_among_equals(placing_t *p)
{
	bitstr_t *own = bit_alloc(bit_size(p->asking.offered));
	bool made = false;

	if (topology_try(&p->asking, p->asking.offered, TOPOLOGY_SOME, true, own)) {
		choice_request_t request = request_for(p, (uint32_t)bit_set_count(own));
		torus_need_t need;

		request.need = &need;
		request.has = has;
		for (int most = 1; !made && most >= 0; most--) {
			bound_need(p, own, most, &need);
			made = choose(p, &request) == TORUS_PLACE_FOUND;
		}
	}
	bit_free(own);
	return made;
}

/* Among nodes with an even share; if Slurm refuses, once more among all offered, if
 * their features do not matter. */
static bool place_freely(placing_t *p)
{
	choice_request_t request = request_range(p), wider;

	if (choose(p, &request) == TORUS_PLACE_FOUND)
		return true;
	if (p->features.count)
		return false;
	wider = request_for(p, wanted_nodes(p));
	return choose(p, &wider) == TORUS_PLACE_FOUND;
}

/* Slurm's own choice, with the nodes that it has picked for features. */
static bool let_slurm_take_picked(placing_t *p)
{
	job_details_t *details = p->asking.eval->job_ptr->details;
	bitstr_t *named = details->req_node_bitmap;
	bool made;

	details->req_node_bitmap = p->parts.picked;
	made = topology_let_slurm(&p->asking);
	details->req_node_bitmap = named;
	return made;
}

/* Slurm's own choice on one torus. */
static bool let_slurm_choose_on(void *context, int t, int64_t *start)
{
	placing_t *p = context;
	bitstr_t *there = bit_copy(p->asking.offered);
	bool made;

	(void)start;
	confine_to(p->chooser.tori, there, t);
	made = (uint32_t)bit_set_count(there) >= p->asking.asked.min_nodes &&
	       topology_try(&p->asking, there, TOPOLOGY_SOME, false, NULL);
	bit_free(there);
	return made;
}

/*
 * Slurm's own choice: of everything, or within one torus; a single node is always on one.
 */
static bool let_slurm_choose(placing_t *p)
{
	if (p->parts.picked)
		return let_slurm_take_picked(p);
	if (p->asking.asked.max_nodes == 1 || !choose_is_confined(&p->chooser))
		return topology_let_slurm(&p->asking);
	return torus_job_torus(p->chooser.tori->count, false, let_slurm_choose_on, p) >=
	       0;
}

static int place_ordinary(placing_t *p)
{
	bool made;

	made = job_counts_gres_in_all(job_of(p)) && !p->features.count
		       ? place_among_equals(p)
		       : place_freely(p);
	if (made) {
		note_choice(p, TORUS_BY_ENGINE);
		return SLURM_SUCCESS;
	}
	if (p->parts.is_part)
		return SLURM_ERROR;
	made = let_slurm_choose(p);
	if (made)
		note_choice(p, TORUS_BY_SLURM);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

/* --- patience ----------------------------------------------------------- */

/* What the running jobs are at the time in question, which Slurm does not tell. */
typedef struct outlook {
	time_t now;	 /* the time, as far as the nodes offered show it: the end of the
			  * last job that is over by then */
	bool is_present; /* none is over */
	time_t next_end; /* of a job that runs on; 0: none does */
} outlook_t;

/* Whether a running job is over at that time: one of its nodes is offered, all of it. */
static bool is_over(const placing_t *p, const job_record_t *running)
{
	avail_res_t *const *resources = p->asking.eval->avail_res_array;
	const bitstr_t *nodes = running->node_bitmap;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (bit_test(p->asking.offered, i) && resources[i] &&
		    (job_takes_whole_nodes(job_of(p)) ||
		     resources[i]->avail_cpus >= node_cpus(node_record_table_ptr[i])))
			return true;
	}
	return false;
}

static outlook_t look_out(const placing_t *p)
{
	slurm_list_iterator_t jobs = list_iterator_create(job_list);
	outlook_t outlook = {.now = time(NULL), .is_present = true};
	const job_record_t *job;

	while ((job = list_next(jobs))) {
		if (!job_holds_nodes(job))
			continue;
		if (is_over(p, job)) {
			outlook.is_present = false;
			if (job->end_time > outlook.now)
				outlook.now = job->end_time;
		} else if (bit_overlap_any(job->node_bitmap,
					   job_of(p)->part_ptr->node_bitmap) &&
			   (!outlook.next_end || job->end_time < outlook.next_end)) {
			outlook.next_end = job->end_time;
		}
	}
	list_iterator_destroy(jobs);
	return outlook;
}

/*
 * Whether the job, which could get other nodes than it wishes, waits.
 *
 * Slurm plans by asking at the ends of running jobs, but for "now" too, and takes the
 * first time at which the answer is yes. If no job ends before the patience does, there
 * will be no better place, and the answer is yes a little early. Slurm then asks to start
 * the job, and learns when that will be.
 */
static bool waits(void *context)
{
	placing_t *p = context;
	job_record_t *job = p->asking.eval->job_ptr;
	outlook_t outlook = look_out(p);
	time_t end;

	/* Slurm asks what could ever run, or whom the job would have to preempt. */
	if (!patience_lasts(&p->patience) || (!p->planned && !outlook.is_present))
		return false;
	if (outlook.is_present)
		patience_wait(&p->patience, job);
	end = patience_end(&p->patience, outlook.now);
	if (!p->planned) {
		job->start_time = end;
		return true;
	}
	return outlook.now < end && outlook.next_end && outlook.next_end <= end;
}

/* How many nodes the box has that the job asks for; 0: it is not known. */
static uint32_t nodes_of_box(placing_t *p)
{
	choice_request_t request = request_strict(p);

	return is_possible_for(p, request) ? p->choice.nodes : 0;
}

static bool counts_as_box(const placing_t *p)
{
	return torus_job_counts_as_box(&p->job, p->asking.asked.min_nodes,
				       p->asking.asked.max_nodes);
}

/* The same decision for the job as one that wishes nothing, on [nodes] nodes if that is
 * not 0. */
static void begin_plainly(const placing_t *p, uint32_t nodes, placing_t *plain)
{
	topology_eval_t *eval = p->asking.eval;

	*eval = p->asking.asked;
	if (nodes)
		eval->min_nodes = eval->req_nodes = eval->max_nodes = nodes;
	memcpy(plain,
	       &(placing_t){
		       .asking = {.slurm = p->asking.slurm,
				  .eval = eval,
				  .asked = *eval,
				  .offered = p->asking.offered,
				  .hide_contiguous = p->asking.hide_contiguous},
		       .could_run = p->could_run,
		       .chooser = {.tori = p->chooser.tori,
				   .context = plain,
				   .could_run = could_run},
		       .job = p->job,
		       .planned = p->planned,
		       .need = p->need,
		       .features = p->features,
	       },
	       sizeof(*plain));
	plain->parts.picked = p->parts.picked;
	plain->job.segment = 0;
	plain->job.gave_up = true;
}

static int look_plainly(void *context)
{
	placing_t *p = context, plain;
	bool could;

	p->box_nodes = counts_as_box(p) ? nodes_of_box(p) : 0;
	begin_plainly(p, p->box_nodes, &plain);
	could = topology_try(&plain.asking, plain.asking.offered, TOPOLOGY_SOME, true,
			     NULL);
	confine_end(&plain.confine);
	FREE_NULL_BITMAP(plain.refused);
	return could ? SLURM_SUCCESS : SLURM_ERROR;
}

static int take_plainly(void *context)
{
	placing_t *p = context, plain;
	int rc;

	begin_plainly(p, p->box_nodes, &plain);
	rc = place_ordinary(&plain);
	p->by = plain.by;
	confine_end(&plain.confine);
	FREE_NULL_BITMAP(plain.refused);
	return rc;
}

static int take_any(void *context)
{
	return place_ordinary(context);
}

static torus_outcome_t find_wish(void *context, torus_at_t at, int64_t when)
{
	placing_t *p = context;
	choice_request_t request;
	torus_outcome_t outcome;

	if (torus_job_is_strict(&p->job))
		return find(context, at, when);
	p->near = p->patience.asked.near;
	request = request_range(p);
	p->near = 0;
	outcome = choose(p, &request);
	if (outcome == TORUS_PLACE_FOUND)
		note_choice(p, TORUS_BY_ENGINE);
	return outcome;
}

/* As it wishes; where that is not to be had, after its patience anywhere. */
static int place_patiently(placing_t *p)
{
	torus_job_source_t source = strict_source;

	/* Before nodes come to vacant places it cannot be had, nor replaced. */
	if (p->chooser.tori->grows && counts_as_box(p) && !nodes_of_box(p))
		return place_strictly(p);
	source.context = p;
	source.postpone = NULL; /* it may do without */
	source.find = find_wish;
	source.ordinary = take_any;
	source.look = look_plainly;
	source.take = take_plainly;
	source.waits = waits;
	p->job.lasts = patience_lasts(&p->patience);
	return torus_job_patiently(&p->job, &source);
}

/*
 * Whether the weights that Slurm has noted for its nodes are on the scale of plans, that
 * of backfill: whenever slurmctld is about to start a job it notes weights on another
 * one.
 */
static bool is_planned(const bitstr_t *nodes)
{
	int i = next_set_bit(nodes, 0);
	const node_record_t *node = i < 0 ? NULL : node_record_table_ptr[i];

	return node && (uint32_t)(node->sched_weight >> 8) != node->config_ptr->weight;
}

/* By one of the ways, for the job as it asks. */
static int decide(void *context)
{
	placing_t *p = context;

	if (p->patience.asked.wish)
		return place_patiently(p);
	return torus_job_is_strict(&p->job) ? place_strictly(p) : place_ordinary(p);
}

static int decide_and_count(placing_t *p)
{
	const struct timespec begin = decisions_begin();
	int rc;

	p->asking.offered = bit_copy(p->asking.eval->node_map);
	p->asking.hide_contiguous = torus_job_is_strict(&p->job);
	p->need = need_of_job(job_of(p));
	if (!torus_job_is_strict(&p->job) && !job_counts_gres_in_all(job_of(p)))
		p->need.need.kinds = 1; /* the rest Slurm's plugin knows */
	rc = parts_decide(&p->parts, decide);
	confine_end(&p->confine);
	FREE_NULL_BITMAP(p->refused);
	bit_free(p->asking.offered);
	decisions_count(TORUS_TALLY_ANY, rc == SLURM_SUCCESS ? p->by : TORUS_BY_NOBODY,
			&begin);
	return p->at_submission
		       ? rc
		       : reason_to_wait(rc, torus_job_waits_for(&p->job,
								p->patience.asked.wish));
}

/* Read what the job asks for, and decide. */
static int read_and_decide(void *context)
{
	placing_t *p = context;
	topology_eval_t *eval = p->asking.eval;
	job_record_t *job = eval->job_ptr;
	tori_t *tori = p->chooser.tori;
	bool names = p->features.count && !p->parts.is_part
			     ? features_names_nodes(job)
			     : job->details->req_node_bitmap != NULL;
	torus_error_t err;
	int rc;

	if (network_of_job(job, &p->job.network, &err))
		return refuse_job(job, NULL, err.text);
	if (p->job.network.has_shape && names)
		return refuse_job(job, NULL, "a shape and --nodelist exclude each other");
	parts_read_place(&p->parts, eval->max_nodes);
	rc = segments_check(job, p->job.segment, eval->min_nodes, eval->max_nodes);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (!torus_job_is_strict(&p->job) &&
	    (job->details->contiguous || !tori_have_any(tori, eval->node_map) ||
	     own_rule_decides(job, eval->cr_type, eval->req_nodes,
			      eval->prefer_alloc_nodes)))
		return p->asking.slurm->choose(eval);
	return decide_and_count(p);
}

/* What a node has when a plan is made: all of it, if no job will be on it; nothing else
 * is known of those that are not offered. */
static void has_then(void *context, int node, uint64_t *free)
{
	const placing_t *p = context;
	const node_record_t *record = node_record_table_ptr[node];

	if (!bit_test((bitstr_t *)p->idle_then, node)) {
		has(context, node, free);
		return;
	}
	free[NEED_PROCESSORS] = node_cpus(record);
	for (int kind = 1; kind < p->need.need.kinds; kind++) {
		if (p->need.gres[kind])
			free[kind] = need_usable_gres(
				&p->need, kind,
				need_node_gres(&p->need, kind, record, false),
				free[NEED_PROCESSORS]);
	}
	need_node_features(&p->need, node, free);
}

static bool has_all(void *context, const bitstr_t *nodes)
{
	const placing_t *p = context;

	return features_suffice(&p->features, nodes);
}

static bool find_whole(void *context, const bitstr_t *candidates, const bitstr_t *idle,
		       bitstr_t *place)
{
	placing_t *p = context;
	choice_request_t request = request_for(p, features_least_nodes(&p->features));
	bitstr_t *free = bit_copy((bitstr_t *)candidates);
	bool found;

	request.need = &p->need.need;
	request.has = has_then;
	request.verify = has_all;
	p->idle_then = idle;
	found = choose_nodes(&p->chooser, &request, free, place, &p->choice) ==
		TORUS_PLACE_FOUND;
	bit_free(free);
	return found;
}

/* Whether a plan is made for the whole job: it waits strictly, and counts all of its
 * nodes. Where it names nodes, cons_tres has every part have all of these. */
static bool is_planned_whole(placing_t *p)
{
	const job_details_t *details = job_of(p)->details;

	return features_of_job(job_of(p), &p->features) && !p->features.too_many &&
	       (p->features.count == 1 ||
		(p->features.apart && !details->req_node_bitmap)) &&
	       features_least_nodes(&p->features) >= details->min_nodes &&
	       parts_wait_strictly(&p->parts);
}

/* A part of backfill's plan: see plan_parts.h. */
static int plan_part(void *context)
{
	placing_t *p = context;
	topology_eval_t *eval = p->asking.eval;
	part_question_t question = {
		.job = job_of(p),
		.features = &p->features,
		.offered = eval->node_map,
		.nodes = eval->min_nodes,
		.find = find_whole,
		.context = p,
	};
	bitstr_t *nodes;
	int rc = SLURM_ERROR;

	p->plans_part = true;
	if (!is_planned_whole(p) || !plan_part_is_known(&question))
		return parts_pass(&p->parts);
	p->need = need_of_job(job_of(p));
	need_add_features(&p->need, &p->features);
	nodes = plan_part_nodes(&question);
	if (!nodes)
		return SLURM_ERROR;
	p->asking.offered = bit_copy(eval->node_map);
	p->asking.hide_contiguous = true;
	if (topology_try_part(&p->asking, nodes)) {
		plan_part_taken(&question, nodes);
		rc = SLURM_SUCCESS;
	}
	bit_free(p->asking.offered);
	bit_free(nodes);
	return rc;
}

static int pass(void *context)
{
	const placing_t *p = context;

	return p->asking.slurm->choose(p->asking.eval);
}

/* How many of the nodes [named], which Slurm does not offer for the part, have its
 * feature, so that a job that waits strictly needs no others for them. */
static uint32_t count_named_elsewhere(placing_t *p, const bitstr_t *named)
{
	const topology_eval_t *eval = p->asking.eval;
	uint32_t fewest = UINT32_MAX;
	features_t features;

	if (!parts_wait_strictly(&p->parts) || !features_of_job(job_of(p), &features))
		return 0;
	for (int i = 0; i < features.count; i++) {
		bitstr_t *elsewhere;
		uint32_t count;

		if (features.number[i] != eval->min_nodes ||
		    !bit_super_set(eval->node_map, features.nodes[i]))
			continue;
		elsewhere = bit_copy((bitstr_t *)named);
		bit_and(elsewhere, features.nodes[i]);
		bit_and_not(elsewhere, eval->node_map);
		count = (uint32_t)bit_set_count(elsewhere);
		fewest = count < fewest ? count : fewest;
		bit_free(elsewhere);
	}
	features_free(&features);
	return fewest == UINT32_MAX ? 0 : fewest;
}

static int pass_part(void *context)
{
	placing_t *p = context;
	bitstr_t *named;
	bool made;

	if (p->plans_part)
		return pass(context);
	named = features_named_nodes(job_of(p));
	made = topology_let_slurm_part(&p->asking, named != NULL,
				       named ? count_named_elsewhere(p, named) : 0);
	FREE_NULL_BITMAP(named);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

int topology_place(tori_t *tori, const topology_slurm_t *slurm,
		   topology_could_run_t *could_run_ever, topology_eval_t *eval)
{
	job_record_t *job = eval->job_ptr;
	features_t features;
	features_question_t question = features_read(
		job, eval->min_nodes, eval->req_nodes, eval->node_map, &features);
	uint32_t max_nodes = eval->max_nodes;
	int rc;

	job->best_switch = true; /* until postpone() says otherwise */
	if (question == FEATURES_PICKED)
		eval->max_nodes = eval->min_nodes;
	placing_t p = {
		.asking = {.slurm = slurm, .eval = eval, .asked = *eval},
		.could_run = could_run_ever,
		.chooser = {.tori = tori, .context = &p, .could_run = could_run},
		.job = {.asked = TORUS_ASKED_ONCE,
			.contiguous = job->details->contiguous &&
				      !tori->cluster->contiguous_by_nodes},
		.planned = is_planned(eval->node_map),
		.features = features,
	};

	p.parts = (parts_t){
		.tori = tori,
		.job = job,
		.features = &p.features,
		.max_nodes = eval->max_nodes,
		.offered = eval->node_map,
		.asks = &p.job,
		.patience = &p.patience,
		.need = &p.need,
		.context = &p,
		.decide = read_and_decide,
		.decide_exactly = read_and_decide,
		.pass = pass,
		.pass_part = pass_part,
		.plan = plan_part,
	};
	rc = parts_answer(&p.parts, question);
	if (rc != SLURM_SUCCESS)
		eval->max_nodes = max_nodes;
	features_free(&p.features);
	return rc;
}

#endif
