/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job gets: see topology/place.h. */
#include "topology/place.h"

#include <inttypes.h>

#ifdef TOPOLOGY_CHOOSES

#include "slurm/choose.h"
#include "slurm/interval.h"
#include "machine/network_option.h"
#include "slurm/potential.h"
#include "slurm/refuse.h"

/* Places tried for a job that must have a certain one; each costs one of Slurm's own
 * decisions. */
#define PLACES_TRIED 8

/* One decision. */
typedef struct placing {
	machine_t *machine;
	topology_choose_t *slurm;
	topology_could_run_t *could_run;
	topology_eval_t *eval;
	const topology_eval_t asked; /* as it came */
	bitstr_t *offered;	     /* the nodes as they came */
	bitstr_t *pool;		     /* those of them that the engine may choose */
	torus_network_request_t network;
	bool contiguous; /* only one interval of the curve will do */
	bool planned;	 /* weights are on the scale of plans: see node_weight() */
	enum {
		CONFINEMENT_UNKNOWN,
		CONFINED,
		UNCONFINED
	} confinement;	 /* is_confined() */
	choice_t choice; /* the engine's last one, for the log */
} placing_t;

static bool is_strict(const placing_t *p)
{
	return p->network.has_shape || p->contiguous;
}

/* --- asking Slurm ------------------------------------------------------- */

/* What Slurm's plugin may change of a node that it considers. */
typedef struct node_before {
	int node;
	avail_res_t resources;
	bitstr_t *cores;
} node_before_t;

static node_before_t *note_nodes(const topology_eval_t *eval, const bitstr_t *nodes,
				 int count)
{
	node_before_t *before = xcalloc((size_t)count + 1, sizeof(*before));
	int noted = 0;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		const bitstr_t *cores = eval->avail_core[i];

		before[noted].node = i;
		before[noted].resources = *eval->avail_res_array[i];
		before[noted++].cores = cores ? bit_copy((bitstr_t *)cores) : NULL;
	}
	return before;
}

/* Put back what was noted, if [undo], and forget it. */
static void end_note(topology_eval_t *eval, node_before_t *before, int count, bool undo)
{
	for (int i = 0; i < count; i++) {
		avail_res_t *now = eval->avail_res_array[before[i].node];
		bitstr_t *cores = eval->avail_core[before[i].node];

		if (undo) {
			/* It may have been allocated anew; what it holds is worked out
			 * whenever the node is considered. */
			before[i].resources.avail_cores_per_sock =
				now->avail_cores_per_sock;
			*now = before[i].resources;
			if (cores && before[i].cores)
				bit_copybits(cores, before[i].cores);
		}
		FREE_NULL_BITMAP(before[i].cores);
	}
	xfree(before);
}

/*
 * Slurm's plugin never sees --contiguous: it would take it to mean neighbours in Slurm's
 * node table, not an interval of the curve.
 */
static int ask_slurm(placing_t *p)
{
	job_details_t *details = p->eval->job_ptr->details;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (p->contiguous)
		details->contiguous = 0;
	rc = p->slurm(p->eval);
	details->contiguous = contiguous;
	return rc;
}

/*
 * Ask Slurm's plugin to choose among [nodes] alone, and all of them for a strict job. If
 * it can not, or [only_look], everything is as it was before, and the answer in [taken]
 * (or NULL).
 */
static bool try_nodes(placing_t *p, const bitstr_t *nodes, bool only_look,
		      bitstr_t *taken)
{
	topology_eval_t *eval = p->eval;
	int count = bit_set_count((bitstr_t *)nodes);
	node_before_t *before = note_nodes(eval, nodes, count);
	bool good;

	bit_copybits(eval->node_map, (bitstr_t *)nodes);
	if (is_strict(p)) {
		eval->min_nodes = eval->req_nodes = (uint32_t)count;
		if (p->network.has_shape)
			eval->max_nodes = (uint32_t)count;
	}
	good = ask_slurm(p) == SLURM_SUCCESS;
	if (taken && good)
		bit_copybits(taken, eval->node_map);
	end_note(eval, before, count, !good || only_look);
	if (!good || only_look) {
		bitstr_t *map = eval->node_map;

		memcpy(eval, &p->asked, sizeof(*eval));
		bit_copybits(map, p->offered);
	}
	return good;
}

/* --- asking the engine -------------------------------------------------- */

static bool could_run_on(void *context, const bitstr_t *nodes)
{
	const placing_t *p = context;

	return p->could_run(&p->asked, nodes);
}

/* Whether the job has to wait for a torus: see potential.h. Asked once a decision. */
static bool is_confined(placing_t *p)
{
	job_record_t *job = p->eval->job_ptr;

	if (p->confinement == CONFINEMENT_UNKNOWN)
		p->confinement = job->job_id && suits_some_torus(p->machine, job,
								 p->asked.min_nodes,
								 could_run_on, p)
					 ? CONFINED
					 : UNCONFINED;
	return p->confinement == CONFINED;
}

/* Have the engine choose [count] of the [candidates]; with a shape, a box of it. */
static bool ask_engine(placing_t *p, const bitstr_t *candidates, uint32_t count,
		       bitstr_t *chosen)
{
	choice_request_t request = {
		.nodes = p->network.has_shape ? 0 : count,
		.contiguous = p->contiguous,
		.shape = p->network.has_shape ? &p->network.shape : NULL,
		.required = p->eval->job_ptr->details->req_node_bitmap,
		.planned = p->planned,
	};

	if (choose_nodes(p->machine, candidates, &request, chosen, &p->choice))
		return true;
	if (is_strict(p) || p->machine->tori < 2 ||
	    (uint32_t)bit_set_count((bitstr_t *)candidates) < count || is_confined(p))
		return false;
	request.spread = true;
	return choose_nodes(p->machine, candidates, &request, chosen, &p->choice);
}

/* --- how many nodes ----------------------------------------------------- */

/* The most nodes that Slurm's plugin would take. */
static uint32_t most_nodes(const placing_t *p)
{
	const job_details_t *details = p->eval->job_ptr->details;
	uint32_t most = p->asked.max_nodes;

	if (details->num_tasks && !details->ntasks_per_node && most > details->num_tasks)
		most = details->num_tasks;
	return most > p->asked.min_nodes ? most : p->asked.min_nodes;
}

/* The nodes it would like to have, if their processors are enough. */
static uint32_t wanted_nodes(const placing_t *p)
{
	uint32_t wanted = p->asked.req_nodes, most = most_nodes(p);

	if (wanted < p->asked.min_nodes)
		wanted = p->asked.min_nodes;
	return wanted < most ? wanted : most;
}

/* Processors of an even share of the job on [count] nodes. */
static uint32_t even_share(const placing_t *p, uint32_t count)
{
	const job_details_t *details = p->eval->job_ptr->details;

	if (details->overcommit || !count)
		return 1;
	return (details->min_cpus + count - 1) / count;
}

/* Nodes of the pool with room for [share] processors, and in any case those required. */
static void candidates_for(const placing_t *p, uint32_t share, bitstr_t *candidates)
{
	const bitstr_t *required = p->eval->job_ptr->details->req_node_bitmap;

	bit_copybits(candidates, p->pool);
	for (int i = next_set_bit(candidates, 0); i >= 0;
	     i = next_set_bit(candidates, i + 1)) {
		if (p->eval->avail_res_array[i]->avail_cpus < share &&
		    !(required && bit_test((bitstr_t *)required, i)))
			bit_clear(candidates, i);
	}
}

static bool has_enough_cpus(const placing_t *p, const bitstr_t *nodes)
{
	const job_details_t *details = p->eval->job_ptr->details;
	uint32_t cpus = 0;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1))
		cpus += p->eval->avail_res_array[i]->avail_cpus;
	return details->overcommit || cpus >= details->min_cpus;
}

/* The fewest nodes whose processors could be enough. */
static uint32_t fewest_nodes(const placing_t *p)
{
	const job_details_t *details = p->eval->job_ptr->details;
	uint32_t most = 1;

	for (int i = next_set_bit(p->pool, 0); i >= 0; i = next_set_bit(p->pool, i + 1)) {
		if (p->eval->avail_res_array[i]->avail_cpus > most)
			most = p->eval->avail_res_array[i]->avail_cpus;
	}
	return details->overcommit ? 1 : (details->min_cpus + most - 1) / most;
}

/* How many of the [candidates] the job could have: those of one torus, if it must. */
static uint32_t room_in(placing_t *p, const bitstr_t *candidates, uint32_t wanted)
{
	uint32_t counts[p->machine->tori], all, most = 0;

	all = (uint32_t)bit_set_count((bitstr_t *)candidates);
	if (p->machine->tori < 2 || all < wanted)
		return all;
	most = choose_ranks_of(p->machine, candidates, counts); /* elsewhere */
	for (int t = 0; t < p->machine->tori; t++)
		most = counts[t] > most ? counts[t] : most;
	return most >= wanted || !is_confined(p) ? all : most;
}

/*
 * The engine's choice for the number of nodes that Slurm's plugin would settle on: as
 * many as asked for, or what there is of a range, or as many more as it takes for the
 * processors to be enough with an even share on each.
 */
static bool choose_count(placing_t *p, bitstr_t *candidates, bitstr_t *chosen)
{
	uint32_t most = most_nodes(p), count = wanted_nodes(p), fewest = fewest_nodes(p);
	uint32_t share, room;

	count = count < fewest ? fewest : count;
	for (;; count = room) { /* down, within a range */
		share = even_share(p, count);
		candidates_for(p, share, candidates);
		room = room_in(p, candidates, count);
		if (room >= count || room < p->asked.min_nodes || !room)
			break;
	}
	while (count <= most) { /* up, for more processors */
		if (ask_engine(p, candidates, count, chosen))
			return true;
		if (share <= 1)
			break;
		count = (p->eval->job_ptr->details->min_cpus + share - 2) / (share - 1);
		share = even_share(p, count);
		candidates_for(p, share, candidates);
	}
	return false;
}

/*
 * The longest interval for a strict job with a range of nodes: with fewer nodes there is
 * always one as well.
 */
static bool choose_interval(placing_t *p, const bitstr_t *candidates, uint32_t most,
			    bitstr_t *chosen)
{
	uint32_t low = p->asked.min_nodes, high = most;

	if (ask_engine(p, candidates, high, chosen))
		return true;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ask_engine(p, candidates, middle, chosen))
			low = middle + 1;
		else
			high = middle;
	}
	return low > p->asked.min_nodes && ask_engine(p, candidates, low - 1, chosen);
}

/* --- the ways ----------------------------------------------------------- */

static void log_choice(const placing_t *p, const char *who)
{
	const torus_map_t *map = p->choice.map;
	char *names;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	names = bitmap2node_name(p->eval->node_map);
	debug("%s: JobId=%u torus=%s free=%u strategy=%s nodes=%s count=%u span=%u score=%" PRId64
	      " by=%s",
	      plugin_type, p->eval->job_ptr->job_id, map ? map->name : "-",
	      p->choice.candidates, map ? torus_allocator_name(map->allocator) : "-",
	      names, bit_set_count(p->eval->node_map), p->choice.span, p->choice.score,
	      who);
	xfree(names);
}

/*
 * Whether a rule of Slurm's own says which of the nodes it is to be, so that the engine
 * must not choose others: spreading the job, busy ones for backfilled jobs, the least
 * loaded ones, those at the end of the list for serial jobs. Of nodes that a job takes
 * whole only the first has anything to say.
 */
static bool slurm_chooses(const topology_eval_t *eval)
{
	const job_record_t *job = eval->job_ptr;

	if (job->bit_flags & SPREAD_JOB)
		return true;
	if (!job->part_ptr || job_takes_whole_nodes(job))
		return false;
	return eval->prefer_alloc_nodes || (eval->cr_type & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (job->details->min_cpus == 1 && eval->req_nodes == 1 &&
		xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end"));
}

/* Take the weakest node of [place] out of the pool. */
static void drop_weakest(placing_t *p, const bitstr_t *place)
{
	uint32_t least = UINT32_MAX;
	int weakest = -1;

	for (int i = next_set_bit(place, 0); i >= 0; i = next_set_bit(place, i + 1)) {
		const avail_res_t *resources = p->eval->avail_res_array[i];
		uint32_t has = (uint32_t)resources->avail_cpus + resources->avail_gpus;

		if (has < least) {
			least = has;
			weakest = i;
		}
	}
	bit_clear(p->pool, weakest);
}

/* A box; if the first one has too few processors, one with room for an even share. */
static bool choose_box(placing_t *p, bitstr_t *candidates, bitstr_t *chosen)
{
	if (!ask_engine(p, p->pool, 0, chosen))
		return false;
	if (has_enough_cpus(p, chosen))
		return true;
	candidates_for(p, even_share(p, p->choice.nodes), candidates);
	return ask_engine(p, candidates, 0, chosen) || ask_engine(p, p->pool, 0, chosen);
}

/* A place for a strict job in the pool, by the engine. */
static bool choose_strictly(placing_t *p, bitstr_t *chosen)
{
	bitstr_t *candidates = bit_alloc(bit_size(p->pool));
	bool found;

	if (p->network.has_shape)
		found = choose_box(p, candidates, chosen);
	else if (p->asked.req_nodes > p->asked.min_nodes)
		found = choose_interval(p, p->pool, wanted_nodes(p), chosen);
	else
		found = choose_count(p, candidates, chosen);
	bit_free(candidates);
	return found;
}

/*
 * Where nodes have different numbers of processors free, an interval that has enough of
 * them may not have room for an even share on each.
 */
static bool choose_unevenly(placing_t *p, bitstr_t *chosen, choice_t *choice)
{
	const job_details_t *details = p->eval->job_ptr->details;
	interval_request_t request = {
		.pool = p->pool,
		.required = details->req_node_bitmap,
		.cpus = details->overcommit ? 0 : details->min_cpus,
		.min_nodes = p->asked.min_nodes,
		.max_nodes = most_nodes(p),
	};
	uint32_t *free;
	bool found;

	if (!p->contiguous || p->network.has_shape)
		return false;
	free = xcalloc(node_record_count, sizeof(*free));
	for (int i = next_set_bit(p->pool, 0); i >= 0; i = next_set_bit(p->pool, i + 1))
		free[i] = p->eval->avail_res_array[i]->avail_cpus;
	request.free = free;
	found = interval_with_cpus(p->machine, &request, chosen, choice);
	xfree(free);
	return found;
}

/* Of a box all of it or nothing: its nodes must be as many as the job asks for. */
static bool box_suits(const placing_t *p)
{
	return !p->network.has_shape || (p->choice.nodes >= p->asked.min_nodes &&
					 (p->choice.nodes <= p->asked.max_nodes ||
					  max_nodes_is_implied(p->eval->job_ptr)));
}

/* Why there is never a place for a strict job, in [reason]; false: there may be one. */
static bool is_impossible(placing_t *p, char *reason, size_t size)
{
	const job_record_t *job = p->eval->job_ptr;
	char text[TORUS_DIMS_TEXT];
	bitstr_t *nodes, *chosen;
	bool found;

	if (p->network.has_shape)
		torus_lengths_format(p->network.shape.dims, p->network.shape.side, text);
	if (!job->part_ptr)
		return false;
	nodes = bit_copy(job->part_ptr->node_bitmap);
	chosen = bit_alloc(bit_size(nodes));
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	found = ask_engine(p, nodes, p->asked.min_nodes, chosen);
	if (!found && p->network.has_shape)
		snprintf(reason, size,
			 "no box of shape %s fits into the nodes it may use", text);
	else if (!found)
		snprintf(reason, size,
			 "--contiguous: no %u neighbours on the curve among the nodes it "
			 "may use",
			 p->asked.min_nodes);
	else if (!box_suits(p))
		snprintf(reason, size,
			 "a box of shape %s has %u nodes, and the job asks for %u to %u: "
			 "give --nodes=%u or none",
			 text, p->choice.nodes, p->asked.min_nodes, p->asked.max_nodes,
			 p->choice.nodes);
	else
		reason[0] = '\0';
	bit_free(nodes);
	bit_free(chosen);
	return reason[0];
}

/*
 * A strict job gets a place that Slurm's plugin accepts, or none. It does not say why it
 * refuses one: then another, without the weakest node of that.
 */
static int place_strictly(placing_t *p)
{
	bitstr_t *chosen = bit_alloc(bit_size(p->offered));
	bitstr_t *uneven = bit_alloc(bit_size(p->offered));
	choice_t interval;
	bool made = false;
	char reason[256];

	for (int tried = 0; !made && tried < PLACES_TRIED; tried++) {
		bool found = choose_strictly(p, chosen) && box_suits(p), other;

		made = found && try_nodes(p, chosen, false, NULL);
		if (made)
			break;
		other = choose_unevenly(p, uneven, &interval);
		if (!found && !other)
			break;
		made = other && try_nodes(p, uneven, false, NULL);
		if (made)
			p->choice = interval;
		else
			drop_weakest(p, other ? uneven : chosen);
	}
	bit_free(chosen);
	bit_free(uneven);
	if (made)
		log_choice(p, "engine");
	else if (is_impossible(p, reason, sizeof(reason)))
		return refuse_job(p->eval->job_ptr, reason);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

/* The least, or the most, that one of the [nodes] has free. */
static avail_res_t bound_of(const placing_t *p, const bitstr_t *nodes, bool most)
{
	avail_res_t bound = {0};
	bool first = true;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		const avail_res_t *has = p->eval->avail_res_array[i];

		if (first || (has->avail_cpus > bound.avail_cpus) == most)
			bound.avail_cpus = has->avail_cpus;
		if (first || (has->avail_gpus > bound.avail_gpus) == most)
			bound.avail_gpus = has->avail_gpus;
		first = false;
	}
	return bound;
}

/* The nodes of the pool that have as much free as the [bound]. */
static void keep_equals(const placing_t *p, const avail_res_t *bound,
			bitstr_t *candidates)
{
	bit_copybits(candidates, p->pool);
	for (int i = next_set_bit(candidates, 0); i >= 0;
	     i = next_set_bit(candidates, i + 1)) {
		const avail_res_t *has = p->eval->avail_res_array[i];

		if (has->avail_cpus < bound->avail_cpus ||
		    has->avail_gpus < bound->avail_gpus)
			bit_clear(candidates, i);
	}
}

/*
 * A job that counts GRES in all: how many nodes that takes Slurm's plugin says, and the
 * engine places as many among nodes that have as much free as those it would take.
 */
static bool place_among_equals(placing_t *p)
{
	bitstr_t *own = bit_alloc(bit_size(p->offered));
	bitstr_t *candidates = bit_alloc(bit_size(p->offered));
	bitstr_t *chosen = bit_alloc(bit_size(p->offered));
	bool made = false;

	if (try_nodes(p, p->offered, true, own)) {
		uint32_t count = (uint32_t)bit_set_count(own);

		for (int most = 1; !made && most >= 0; most--) {
			avail_res_t bound = bound_of(p, own, most);

			keep_equals(p, &bound, candidates);
			made = ask_engine(p, candidates, count, chosen) &&
			       try_nodes(p, chosen, false, NULL);
		}
	}
	bit_free(own);
	bit_free(candidates);
	bit_free(chosen);
	return made;
}

/* The engine chooses; if Slurm refuses, once more among all that were offered. */
static bool place_freely(placing_t *p)
{
	bitstr_t *candidates = bit_alloc(bit_size(p->offered));
	bitstr_t *chosen = bit_alloc(bit_size(p->offered));
	bool made =
		choose_count(p, candidates, chosen) && try_nodes(p, chosen, false, NULL);

	if (!made && !bit_equal(candidates, p->offered))
		made = ask_engine(p, p->offered, wanted_nodes(p), chosen) &&
		       try_nodes(p, chosen, false, NULL);
	bit_free(candidates);
	bit_free(chosen);
	return made;
}

/* Slurm's own choice: of everything, or on the first torus where it finds one. */
static int let_go(placing_t *p)
{
	bitstr_t *there;
	bool made = false;

	if (p->confinement != CONFINED)
		return p->slurm(p->eval);
	there = bit_alloc(bit_size(p->offered));
	for (int t = 0; t < p->machine->tori && !made; t++) {
		bit_copybits(there, p->offered);
		keep_on_torus(p->machine, there, t);
		made = (uint32_t)bit_set_count(there) >= p->asked.min_nodes &&
		       try_nodes(p, there, false, NULL);
	}
	bit_free(there);
	return made ? SLURM_SUCCESS : SLURM_ERROR;
}

static int place_ordinary(placing_t *p)
{
	const job_record_t *job = p->eval->job_ptr;
	bool made;
	int rc;

	made = job_counts_gres_in_all(job) ? place_among_equals(p) : place_freely(p);
	if (made) {
		log_choice(p, "engine");
		return SLURM_SUCCESS;
	}
	rc = let_go(p);
	if (rc == SLURM_SUCCESS)
		log_choice(p, "slurm");
	return rc;
}

static bool touches_a_torus(const machine_t *machine, const bitstr_t *nodes)
{
	for (int i = next_set_bit(nodes, 0); i >= 0 && i < machine->nodes;
	     i = next_set_bit(nodes, i + 1)) {
		if (machine->torus_of_node[i] >= 0)
			return true;
	}
	return false;
}

/* Whether the weights that Slurm has noted for its nodes are on the scale of plans. */
static bool is_planned(const bitstr_t *nodes)
{
	int i = next_set_bit(nodes, 0);
	const node_record_t *node = i < 0 ? NULL : node_record_table_ptr[i];

	return node && (uint32_t)(node->sched_weight >> 8) != node->config_ptr->weight;
}

int topology_place(machine_t *machine, topology_choose_t *slurm,
		   topology_could_run_t *could_run, topology_eval_t *eval)
{
	job_record_t *job = eval->job_ptr;
	placing_t p = {
		.machine = machine,
		.slurm = slurm,
		.could_run = could_run,
		.eval = eval,
		.asked = *eval,
		.contiguous = job->details->contiguous &&
			      !machine->cluster->contiguous_by_nodes,
		.planned = is_planned(eval->node_map),
	};
	torus_error_t err;
	int rc;

	if (torus_network_parse(job->network, &p.network, &err))
		return refuse_job(p.eval->job_ptr, err.text);
	if (p.network.has_shape && job->details->req_node_bitmap)
		return refuse_job(p.eval->job_ptr,
				  "a shape and --nodelist exclude each other");
	if (!is_strict(&p) &&
	    (job->details->contiguous || !touches_a_torus(machine, eval->node_map) ||
	     slurm_chooses(eval)))
		return slurm(eval);
	p.offered = bit_copy(eval->node_map);
	p.pool = bit_copy(eval->node_map);
	rc = is_strict(&p) ? place_strictly(&p) : place_ordinary(&p);
	bit_free(p.offered);
	bit_free(p.pool);
	return rc;
}

#endif
