/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job gets: see topology/place.h. */
#include "topology/place.h"

#include <inttypes.h>

#ifdef TOPOLOGY_CHOOSES

#include "slurm/choose.h"
#include "slurm/confine.h"
#include "slurm/decisions.h"
#include "slurm/need.h"
#include "slurm/network.h"
#include "slurm/no_box.h"
#include "slurm/own_rule.h"
#include "slurm/patience.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"
#include "topology/planned.h"

/* One decision. */
typedef struct placing {
	topology_try_t asking;
	topology_could_run_t *could_run;
	chooser_t chooser;
	confine_t confine;
	torus_network_request_t network;
	bool contiguous;  /* only one interval of the curve will do */
	uint32_t segment; /* only segments of so many nodes will do; 0: anything */
	patience_t patience;
	bool gave_up;	    /* its patience is at an end: any nodes will do */
	uint32_t near;	    /* only a place that is near will do; 0: any */
	bool planned;	    /* weights are on the scale of plans: see node_weight() */
	bool at_submission; /* it is known that all nodes count as free */
	job_need_t need;
	choice_t choice;     /* the engine's last one, for the log */
	bitstr_t *refused;   /* the last choice, if Slurm's plugin refused it; or NULL */
	torus_tally_by_t by; /* whose choice it was, in the end */
} placing_t;

static bool is_strict(const placing_t *p)
{
	return p->segment || (!p->gave_up && (p->network.has_shape || p->contiguous));
}

static const job_record_t *job_of(const placing_t *p)
{
	return p->asking.eval->job_ptr;
}

/* --- the verifier ------------------------------------------------------- */

static bool verify(void *context, const bitstr_t *nodes)
{
	placing_t *p = context;
	topology_extent_t extent = !is_strict(p)	  ? TOPOLOGY_SOME
				   : p->network.has_shape ? TOPOLOGY_ALL_EVEN
							  : TOPOLOGY_ALL;

	if (p->refused && bit_equal(p->refused, (bitstr_t *)nodes))
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
	if (p->need.need.kinds == 1 || !resources->sock_gres_list)
		return;
	iterator = list_iterator_create(resources->sock_gres_list);
	while ((gres = list_next(iterator))) {
		p->at_submission |= gres->use_total_gres;
		for (int kind = 1; kind < p->need.need.kinds; kind++) {
			if (gres->gres_state_job == p->need.gres[kind])
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
	return (choice_request_t){
		.min_nodes = nodes,
		.nodes = nodes,
		.max_nodes = nodes,
		.contiguous = p->contiguous && !p->gave_up,
		.segment = p->segment,
		.segments = job_segments_where(job_of(p)),
		.shapes = p->network.has_shape && !p->gave_up ? &p->network.shapes : NULL,
		.near = p->near,
		.isolated = p->network.isolated,
		.loose = p->network.loose,
		.required = job_of(p)->details->req_node_bitmap,
		.planned = p->planned,
	};
}

/*
 * Have the engine choose among the nodes offered until Slurm's plugin agrees. Whatever it
 * says, the nodes offered stay.
 */
static torus_outcome_t choose(placing_t *p, choice_request_t *request)
{
	bitstr_t *candidates = bit_copy(p->asking.offered);
	bitstr_t *chosen = bit_alloc(bit_size(candidates));
	torus_outcome_t outcome;

	request->verify = verify;
	outcome = choose_nodes(&p->chooser, request, candidates, chosen, &p->choice);
	bit_free(candidates);
	bit_free(chosen);
	return outcome;
}

static uint32_t most_nodes(const placing_t *p)
{
	return need_most_nodes(job_of(p), p->asking.asked.min_nodes,
			       p->asking.asked.max_nodes);
}

static uint32_t wanted_nodes(const placing_t *p)
{
	return need_wanted_nodes(p->asking.asked.min_nodes, p->asking.asked.req_nodes,
				 most_nodes(p));
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
	const torus_map_t *map = p->choice.map;
	char *names;

	p->by = by;
	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name(p->asking.eval->node_map);
	debug("%s: JobId=%u torus=%s free=%u strategy=%s nodes=%s count=%u span=%u score=%" PRId64
	      " by=%s",
	      plugin_type, p->asking.eval->job_ptr->job_id, map ? map->name : "-",
	      p->choice.candidates, map ? torus_allocator_name(p->choice.allocator) : "-",
	      names, bit_set_count(p->asking.eval->node_map), p->choice.span,
	      p->choice.score, torus_tally_by_name(by));
	xfree(names);
}

/* The request of a strict job. The number of nodes of a shape with given sides counts
 * even where the job could not use them all. */
static choice_request_t request_strict(const placing_t *p)
{
	choice_request_t request = request_range(p);

	if (p->network.shapes.count)
		request.max_nodes =
			max_nodes_is_implied(job_of(p)) ? 0 : p->asking.asked.max_nodes;
	return request;
}

/* Whether there is a place whatever the nodes have and whoever uses them now. */
static bool is_possible(placing_t *p, choice_request_t request)
{
	const job_record_t *job = job_of(p);
	bitstr_t *nodes = bit_copy(job->part_ptr->node_bitmap);
	bitstr_t *chosen = bit_alloc(bit_size(nodes));
	bool possible;

	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	request.need = NULL;
	possible = choose_nodes(&p->chooser, &request, nodes, chosen, &p->choice) ==
		   TORUS_PLACE_FOUND;
	bit_free(nodes);
	bit_free(chosen);
	return possible;
}

/* Why there is never a place for a strict job, in [reason]; false: there may be one. */
static bool is_impossible(placing_t *p, char *reason, size_t size)
{
	choice_request_t request = request_strict(p), any_number = request;
	bool other;

	if (!job_of(p)->part_ptr || is_possible(p, request))
		return false;
	if (!p->network.has_shape) {
		snprintf(reason, size,
			 "--contiguous: no %u neighbours on the curve among the nodes it "
			 "may use",
			 request.min_nodes);
		return true;
	}
	any_number.min_nodes = any_number.max_nodes = 0;
	other = !p->network.shapes.any && is_possible(p, any_number);
	explain_no_box(p->chooser.tori->cluster, &p->network.shapes, request.min_nodes,
		       p->asking.asked.max_nodes, other ? p->choice.nodes : 0, reason,
		       size);
	return true;
}

/* The refusal of a strict job for which there is never a place; 0: there may be one. */
static int refuse_impossible(placing_t *p)
{
	char reason[NO_BOX_TEXT];

	if (!is_impossible(p, reason, sizeof(reason)))
		return SLURM_SUCCESS;
	if (p->segment && p->network.has_shape) {
		choice_request_t whole = request_strict(p);

		whole.segment = 0;
		if (is_possible(p, whole))
			return segments_refuse_box(job_of(p), p->segment);
	}
	if (p->segment && !p->network.has_shape && !p->contiguous)
		return segments_refuse_too_few(job_of(p), NULL, p->segment,
					       p->asking.asked.min_nodes);
	return refuse_job(job_of(p), NULL, reason);
}

/* A strict job gets a place that Slurm's plugin accepts, or none. */
static int place_strictly(placing_t *p)
{
	choice_request_t request = request_strict(p);
	bitstr_t *named = job_of(p)->details->req_node_bitmap;
	int refused;

	if (named && bit_super_set(named, p->asking.offered) &&
	    need_is_named(job_of(p), p->asking.asked.min_nodes, has, p))
		request.nodes = request.max_nodes = p->asking.asked.min_nodes;
	switch (choose(p, &request)) {
	case TORUS_PLACE_FOUND:
		note_choice(p, TORUS_BY_ENGINE);
		return SLURM_SUCCESS;
	case TORUS_NO_PLACE:
		refused = refuse_impossible(p);
		if (refused)
			return refused;
		if (p->at_submission)
			return refuse_job(job_of(p), p->asking.offered, NO_PLACE_HAS);
		return SLURM_ERROR;
	default: /* some place that was not tried may do one day */
		p->by = TORUS_BY_SLURM;
		if (p->at_submission && topology_try(&p->asking, p->asking.offered,
						     TOPOLOGY_SOME, false, NULL))
			return SLURM_SUCCESS;
		return SLURM_ERROR;
	}
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

/* Among nodes with an even share; if Slurm refuses, once more among all offered. */
static bool place_freely(placing_t *p)
{
	choice_request_t request = request_range(p), wider;

	if (choose(p, &request) == TORUS_PLACE_FOUND)
		return true;
	wider = request_for(p, wanted_nodes(p));
	return choose(p, &wider) == TORUS_PLACE_FOUND;
}

/*
 * Slurm's own choice: of everything, or on the first torus where it finds one; a single
 * node is always on one.
 */
static bool let_slurm_choose(placing_t *p)
{
	bitstr_t *there;
	bool made = false;

	if (p->asking.asked.max_nodes == 1 || !choose_is_confined(&p->chooser))
		return topology_let_slurm(&p->asking);
	there = bit_alloc(bit_size(p->asking.offered));
	for (int t = 0; t < p->chooser.tori->count && !made; t++) {
		bit_copybits(there, p->asking.offered);
		confine_to(p->chooser.tori, there, t);
		made = (uint32_t)bit_set_count(there) >= p->asking.asked.min_nodes &&
		       topology_try(&p->asking, there, TOPOLOGY_SOME, false, NULL);
	}
	bit_free(there);
	return made;
}

static int place_ordinary(placing_t *p)
{
	bool made;

	made = job_counts_gres_in_all(job_of(p)) ? place_among_equals(p)
						 : place_freely(p);
	if (made) {
		note_choice(p, TORUS_BY_ENGINE);
		return SLURM_SUCCESS;
	}
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
		if ((!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)) || !job->node_bitmap)
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
static bool waits(placing_t *p)
{
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

	if (!p->network.shapes.count ||
	    p->asking.asked.min_nodes == p->asking.asked.max_nodes ||
	    !is_possible(p, request))
		return 0;
	return p->choice.nodes;
}

/* The same decision for the job as one that wishes nothing, on as many nodes as its box
 * would have. */
static void begin_plainly(placing_t *p, placing_t *plain)
{
	uint32_t nodes = nodes_of_box(p);
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
		       .network = p->network,
		       .contiguous = p->contiguous,
		       .gave_up = true,
		       .planned = p->planned,
		       .need = p->need,
	       },
	       sizeof(*plain));
}

/* Place it so, unless it waits. */
static int place_plainly(placing_t *p)
{
	placing_t plain;
	int rc = SLURM_ERROR;

	begin_plainly(p, &plain);
	if (topology_try(&plain.asking, plain.asking.offered, TOPOLOGY_SOME, true,
			 NULL) &&
	    !waits(p))
		rc = place_ordinary(&plain);
	p->by = plain.by;
	confine_end(&plain.confine);
	FREE_NULL_BITMAP(plain.refused);
	return rc;
}

/* As it wishes; where that is not to be had, after its patience anywhere. */
static int place_patiently(placing_t *p)
{
	choice_request_t request;
	int rc;

	if (is_strict(p)) {
		rc = place_strictly(p);
		return rc == SLURM_ERROR ? place_plainly(p) : rc;
	}
	if (!patience_lasts(&p->patience))
		return place_ordinary(p);
	p->near = p->patience.asked.near;
	request = request_range(p);
	p->near = 0;
	if (choose(p, &request) == TORUS_PLACE_FOUND) {
		note_choice(p, TORUS_BY_ENGINE);
		return SLURM_SUCCESS;
	}
	return place_plainly(p);
}

/* Whether the weights that Slurm has noted for its nodes are on the scale of plans. */
static bool is_planned(const bitstr_t *nodes)
{
	int i = next_set_bit(nodes, 0);
	const node_record_t *node = i < 0 ? NULL : node_record_table_ptr[i];

	return node && topology_weighs_for_plan(node);
}

int topology_place(tori_t *tori, const topology_slurm_t *slurm,
		   topology_could_run_t *could_run_ever, topology_eval_t *eval)
{
	job_record_t *job = eval->job_ptr;
	placing_t p = {
		.asking = {.slurm = slurm, .eval = eval, .asked = *eval},
		.could_run = could_run_ever,
		.chooser = {.tori = tori, .context = &p, .could_run = could_run},
		.contiguous =
			job->details->contiguous && !tori->cluster->contiguous_by_nodes,
		.planned = is_planned(eval->node_map),
	};
	const struct timespec begin = decisions_begin();
	torus_error_t err;
	int rc;

	if (network_of_job(job, &p.network, &err))
		return refuse_job(job, NULL, err.text);
	if (p.network.has_shape && job->details->req_node_bitmap)
		return refuse_job(job, NULL, "a shape and --nodelist exclude each other");
	p.segment = segments_of_job(tori, job, eval->max_nodes);
	rc = segments_check(job, p.segment, eval->min_nodes, eval->max_nodes);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (!is_strict(&p) &&
	    (job->details->contiguous || !tori_have_any(tori, eval->node_map) ||
	     own_rule_decides(job, eval->cr_type, eval->req_nodes,
			      eval->prefer_alloc_nodes)))
		return slurm->choose(eval);
	if (!p.segment) /* a condition, as in Slurm */
		p.patience = patience_of_job(tori, job, &p.network, p.contiguous);
	p.asking.offered = bit_copy(eval->node_map);
	p.asking.hide_contiguous = is_strict(&p);
	p.need = need_of_job(job);
	if (!is_strict(&p) && !job_counts_gres_in_all(job))
		p.need.need.kinds = 1; /* the rest Slurm's plugin knows */
	if (p.patience.asked.wish)
		rc = place_patiently(&p);
	else
		rc = is_strict(&p) ? place_strictly(&p) : place_ordinary(&p);
	confine_end(&p.confine);
	FREE_NULL_BITMAP(p.refused);
	bit_free(p.asking.offered);
	decisions_count(TORUS_TALLY_ANY, rc == SLURM_SUCCESS ? p.by : TORUS_BY_NOBODY,
			&begin);
	return p.at_submission ? rc
			       : reason_to_wait(rc, p.segment && !p.network.has_shape,
						is_strict(&p) || p.patience.asked.wish);
}

#endif
