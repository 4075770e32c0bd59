/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's choice among nodes of Slurm's table: the translation between Slurm's
 * bitmaps over that table and decide/decide.h, whose verifier is Slurm's plugin.
 */
#ifndef TORUS_CHOOSE_H
#define TORUS_CHOOSE_H

#include "slurm/tori.h"

#include "decide/decide.h"
#include "decide/job.h"
#include "decide/tally.h"

/* What is asked about one job. Uses the tori's scratch memory: one at a time. */
typedef struct chooser {
	tori_t *tori;
	void *context; /* handed to the functions here and in the requests */
	/*
	 * With several tori, whether the job could run on torus [t] alone one day: it
	 * then waits for one. NULL: it may be spread.
	 */
	bool (*could_run)(void *context, int t);
	torus_decider_t decider; /* private, {0} at first */
} chooser_t;

typedef struct choice_request {
	/* How many: see torus_decide_request_t. 0, 0 and 0: any number that a shape has.
	 */
	uint32_t min_nodes, nodes, max_nodes;
	bool contiguous;  /* only one interval of the curve will do */
	uint32_t segment; /* nodes of each of its segments; 0: it has none */
	torus_segments_where_t segments; /* where these may be, on machines of cubes */
	const torus_shapes_t *shapes;  /* boxes, of which the job must get one; or NULL */
	bool isolated, loose, whether; /* as in torus_cluster_request_t */
	const bitstr_t *required;      /* nodes that must be among the chosen, or NULL */
	uint32_t near;		       /* the place must be so near, as for
					* choose_is_near(); 0: any place */
	bool planned;		  /* the start may be later than now: see node_weight() */
	const torus_need_t *need; /* NULL: nothing */
	/* The verifier: see decide/verifier.h. NULL: as there; [has] goes with a need. */
	bool (*verify)(void *context, const bitstr_t *nodes);
	void (*has)(void *context, int node, uint64_t *has);
	bool (*narrow)(void *context, bitstr_t *candidates);
} choice_request_t;

typedef struct choice {
	const torus_map_t *map; /* of a mix too; NULL when spread over several tori, and
				 * elsewhere */
	const torus_allocator_t *allocator; /* that chose there; NULL without a map */
	uint32_t candidates; /* nodes there were to choose from, on the tori */
	uint32_t nodes;	     /* in [chosen] */
	uint32_t span;	     /* of the nodes on the tori; summed when spread */
	int64_t score;	     /* of place/place.h; 0 when spread and elsewhere */
} choice_t;

/*
 * The request for [nodes] nodes of [job] and for the place that it [asks] for, without a
 * need and a verifier, which the caller adds.
 */
choice_request_t choose_request(const job_record_t *job, const torus_job_t *asks,
				uint32_t nodes, bool planned);

/* A number of nodes than which no place of the request has fewer: that of the smallest
 * box, or its min_nodes. */
uint32_t choose_fewest(const chooser_t *chooser, const choice_request_t *request);

/*
 * Choose among [candidates] (which narrow() may change) by the rules of decide/decide.h
 * and machine/cluster_place.h, the weights being Slurm's. With TORUS_PLACE_FOUND
 * [chosen], a bitmap of the same size (or NULL), holds the nodes that *choice describes;
 * otherwise [chosen] is undefined, and of *choice at most the count of candidates is set.
 * A choice on no torus may have more nodes than the request asks for, namely all up to
 * the highest weight that it needs: Slurm's plugin then takes some of them.
 */
torus_outcome_t choose_nodes(chooser_t *chooser, const choice_request_t *request,
			     bitstr_t *candidates, bitstr_t *chosen, choice_t *choice);

/*
 * Whether there may be such a place among [nodes], whatever these have that the job
 * needs. If there is one, *choice describes it, as with choose_nodes().
 */
bool choose_is_possible(chooser_t *chooser, choice_request_t request, bitstr_t *nodes,
			choice_t *choice);

/* Log, for debugging, that [job] gets [nodes], whose choice that was, and what the engine
 * chose last; [question] is what is asked about the job, followed by a space, or "". */
void choose_log(const job_record_t *job, const char *question, const choice_t *choice,
		const bitstr_t *nodes, torus_tally_by_t by);

/* Whether the job has to stay within one of several tori; worked out at the first call.
 */
bool choose_is_confined(chooser_t *chooser);

/*
 * Ranks of the set bits of [nodes] on the tori: for each torus t,
 * tori->torus[t].chosen receives ranks in ascending order, counts[t] their number and
 * tori->torus[t].set[TORUS_TORI_FREE] the same as a bitmap.
 * Returns how many nodes of the set are on no torus.
 */
uint32_t choose_ranks_of(tori_t *tori, const bitstr_t *nodes, uint32_t *counts);

/*
 * Whether [nodes], of which there is at least one, are near, by [near] thousandths as in
 * machine/cluster_near.h. An error is logged, and they are.
 */
bool choose_is_near(tori_t *tori, const bitstr_t *nodes, uint32_t near);

#endif
