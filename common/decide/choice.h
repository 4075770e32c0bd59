/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A decision about a job in terms of a table of nodes, such as slurmctld's: the
 * translation between sets of nodes of that table (machine/node_table.h), with which the
 * tori are joined (machine/tori.h), and decide/decide.h.
 */
#ifndef TORUS_DECIDE_CHOICE_H
#define TORUS_DECIDE_CHOICE_H

#include "decide/decide.h"
#include "machine/tori.h"

/* What is asked about one job. Uses the tori's scratch memory: one at a time. */
typedef struct torus_chooser {
	torus_tori_t *tori; /* joined */
	const torus_node_sets_t *sets;
	void *context; /* handed to the functions here and in the requests */
	/*
	 * With several tori, whether the job could run on torus [t] alone one day: it
	 * then waits for one. NULL: it may be spread.
	 */
	bool (*could_run)(void *context, int t);
	torus_decider_t decider; /* private, {0} at first */
} torus_chooser_t;

typedef struct torus_choice_request {
	/* How many: see torus_decide_request_t. 0, 0 and 0: any number that a shape has.
	 */
	uint32_t min_nodes, nodes, max_nodes;
	bool contiguous;  /* only one interval of the curve will do */
	uint32_t segment; /* nodes of each of its segments; 0: it has none */
	torus_segments_where_t segments; /* where these may be, on machines of cubes */
	const torus_shapes_t *shapes;  /* boxes, of which the job must get one; or NULL */
	bool isolated, loose, whether; /* as in torus_cluster_request_t */
	const void *required;	       /* nodes that must be among the chosen, or NULL */
	uint32_t near;		       /* the place must be so near, as for
					* torus_choice_is_near(); 0: any place */
	bool planned;		  /* the start may be later than now: for the weights */
	const torus_need_t *need; /* NULL: nothing */
	/* The verifier: see decide/verifier.h. NULL: as there; [has] goes with a need. */
	bool (*verify)(void *context, const void *nodes);
	void (*has)(void *context, int node, uint64_t *has);
	bool (*narrow)(void *context, void *candidates);
} torus_choice_request_t;

typedef struct torus_choice {
	const torus_map_t *map; /* of a mix too; NULL when spread over several tori, and
				 * elsewhere */
	const torus_allocator_t *allocator; /* that chose there; NULL without a map */
	uint32_t candidates; /* nodes there were to choose from, on the tori */
	uint32_t nodes;	     /* that are chosen */
	uint32_t span;	     /* of the nodes on the tori; summed when spread */
	int64_t score;	     /* of place/place.h; 0 when spread and elsewhere */
} torus_choice_t;

/* A number of nodes than which no place of the request has fewer: that of the smallest
 * box, or its min_nodes. */
uint32_t torus_choice_fewest(const torus_tori_t *tori,
			     const torus_choice_request_t *request);

/*
 * Choose among [candidates] (which narrow() may change) by the rules of decide/decide.h
 * and machine/cluster_place.h. With TORUS_PLACE_FOUND [chosen], another set, holds the
 * nodes that *choice describes; otherwise [chosen] is undefined, and of *choice at most
 * the count of candidates is set; with TORUS_OUTCOME_ERROR [err] is filled. A choice on
 * no torus may have more nodes than the request asks for, namely all up to the highest
 * weight that it needs: the verifier then takes some of them. A node that the table has
 * got since the tori were joined is no candidate, and where it is required the answer is
 * TORUS_UNDECIDED.
 */
torus_outcome_t torus_choose(torus_chooser_t *chooser,
			     const torus_choice_request_t *request, void *candidates,
			     void *chosen, torus_choice_t *choice, torus_error_t *err);

/* Whether the job has to stay within one of several tori; worked out at the first call.
 */
bool torus_chooser_is_confined(torus_chooser_t *chooser);

/*
 * Ranks of a set of nodes on the tori: for each torus t, tori->torus[t].chosen receives
 * ranks in ascending order, counts[t] their number and
 * tori->torus[t].set[TORUS_TORI_FREE] the same as a bitmap.
 * Returns how many nodes of the set are on no torus.
 */
uint32_t torus_choice_ranks(torus_tori_t *tori, const torus_node_sets_t *sets,
			    const void *nodes, uint32_t *counts);

/*
 * Whether the nodes of a set, of which there is at least one, are near, by [near]
 * thousandths as in machine/cluster_near.h: 1, 0, or -1 with [err] filled.
 */
int torus_choice_is_near(torus_tori_t *tori, const torus_node_sets_t *sets,
			 const void *nodes, uint32_t near, torus_error_t *err);

#endif
