/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement in a whole cluster: on which torus, on which of its nodes. The one decision
 * of the Slurm plugin, `storus place` and a simulator: given the same free nodes and the
 * same request they choose the same nodes.
 *
 * The rules, in their order:
 *
 * 1. A place is a torus, or "elsewhere": the nodes that are on no torus. A place that can
 *    hold the whole job makes an offer: a torus the best choice of place.h or box.h among
 *    its free ranks, elsewhere its nodes of lowest weight. If nodes are required, only
 *    the place that has all of them makes one, and none for a shape; for a shape, and
 *    where one interval is demanded, only tori do.
 * 2. A torus and elsewhere together offer a mix, unless the job asks for a shape, one
 *    interval or certain nodes: the lightest nodes of both; of the highest weight that is
 *    needed first those of the torus, then those elsewhere with the lowest numbers. The
 *    torus's part is placed well. It is a mix only if it has nodes of both.
 * 3. Of the offers the one with the lowest sum of weights is taken; then, if any box will
 *    do, the one with the smallest summed distance; then a torus, then
 *    elsewhere, then a mix; then one interval of the torus rather than several; then the
 *    lower score of place.h (of a box: its span); then the first torus of the cluster.
 * 4. If no place can hold the job and there are several tori, the job waits for one, and
 *    no mix is taken, unless the request allows it to be spread. In that case the choice
 *    is between the best mix and the nodes of lowest weight on all tori together: the
 *    lighter one; ties: the tori. When spread, the job takes whole tori first, those
 *    with most nodes up to the highest weight needed, and its rest is placed well on the
 *    next one. A job with a shape, one interval or required nodes is never spread. No job
 *    is spread or gets a mix if the allocator of some torus lets jobs wait.
 * 5. If rule 4 would take all tori together, but some node elsewhere weighs less than one
 *    of theirs, or if neither the tori together nor a mix has enough nodes, there is no
 *    choice here: the job needs several tori and nodes elsewhere, and the caller has to
 *    choose.
 *
 * A job of segments asks a torus for them instead (place/segments.h), and elsewhere for
 * none; no mix is made. In rule 3 the fewest hops within segments come after the weights,
 * and the score is the sum of hops between all nodes. It may be spread: segments go to
 * the tori whose intervals hold most of them, as many to each as these hold.
 */
#ifndef TORUS_MACHINE_CLUSTER_PLACE_H
#define TORUS_MACHINE_CLUSTER_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/candidates.h"
#include "machine/map.h"
#include "machine/nearness.h"
#include "place/box.h"
#include "torus/segments.h"

/* The place of a job, if it is not the number of a torus (alone or in a mix). */
#define TORUS_SPREAD (-1)    /* over several tori */
#define TORUS_ELSEWHERE (-2) /* on nodes that are on no torus */

typedef struct torus_cluster_request {
	uint32_t nodes; /* how many, at least 1; ignored with a shape that has sides */
	/* The job needs such a box; NULL: it does not. One of 0 dimensions stands for any
	 * box of exactly [nodes] nodes (a closed one if it is), the most compact
	 * (place/any_box.h). */
	const torus_shape_t *shape;
	bool contiguous; /* the job needs one interval of a curve */
	bool spread;	 /* may be divided among places if none alone has room */
	/* A job without a shape or segments that is isolated or loose is placed by
	 * compact, whatever the allocators of the tori: see torus_cluster_allocator(). */
	bool isolated; /* keep nodes of others out of its box as far as possible, with
			* TORUS_ISOLATE_WEIGHT or the torus's weight if that is larger */
	bool loose;    /* leave compact places to others: its own distance counts less */
	/* What matters is whether there is a place: any will do. compact, which always
	 * has one where best_fit has, then does not search for the best; of segments the
	 * first are taken, whatever their weight. */
	bool whether;
	/* The job needs segments of so many nodes (place/segments.h), of which [nodes] is
	 * a multiple; 0: it does not. Not with a shape or contiguous. */
	uint32_t segment;
	torus_segments_where_t segments; /* where they may be, on machines of cubes */
	uint64_t *segments_work;	 /* as torus_segments_site_t's work, or NULL */
	uint64_t seed;			 /* for strategies that choose by chance */
	const torus_candidates_t *torus; /* [tori] */
	torus_candidates_t elsewhere;
	uint32_t elsewhere_nodes; /* length of its bitmaps; 0: there is no elsewhere */
} torus_cluster_request_t;

/* What a decision takes of one torus. */
typedef struct torus_part {
	uint32_t *rank; /* [count] as torus_place() orders them; room for all ranks */
	uint32_t count;
	uint32_t span; /* span of these ranks, by the torus's own rule */
} torus_part_t;

typedef struct torus_cluster_placement {
	int torus;	     /* its number, TORUS_SPREAD or TORUS_ELSEWHERE */
	uint32_t candidates; /* free nodes on the tori */
	uint32_t nodes;	     /* chosen */
	uint32_t elsewhere;  /* chosen nodes on no torus: 0, all, or some (a mix) */
	uint32_t span;	     /* span on the torus; the sum of spans when spread */
	bool contiguous;     /* one interval of one torus */
	bool gave_up;	     /* no segments were found, but there may be some */
	int64_t score;	 /* score of place.h on the torus; 0 when spread or elsewhere */
	uint64_t weight; /* sum over the nodes asked for, the lightest chosen */
	/*
	 * The nodes chosen elsewhere: the required ones, all free ones of weight less
	 * than [below], and those of weight [below] with a number less than [before]. A
	 * mix has exactly the number of nodes asked for. A placement on nodes elsewhere
	 * alone may have more, all nodes of its highest weight ([before] is 0), so that
	 * the caller can choose among these.
	 */
	uint64_t below;
	uint32_t before;
} torus_cluster_placement_t;

/*
 * Scratch memory for decisions on [tori] tori: about 12 bytes a node. Not for two threads
 * at once.
 */
typedef struct torus_cluster_placer {
	int tori;
	torus_part_t *part; /* [tori] the parts of the last decision that was made */
	const torus_map_t *const *map; /* private, as all below: [tori], borrowed */
	torus_placer_t **placer;       /* [tori] */
	torus_nearness_t **nearness;   /* [tori] NULL until machine/cluster_near.h asks */
	uint32_t *count;	       /* [tori] */
} torus_cluster_placer_t;

/* The allocator that places the job of [request] on the torus of [map]. */
const torus_allocator_t *torus_cluster_allocator(const torus_cluster_request_t *request,
						 const torus_map_t *map);

/*
 * A placer for map[0 .. tori-1], in the cluster's order; the array and the maps must
 * outlive it. Their allocator and span are looked up at each decision. NULL: out of
 * memory. Destroy accepts NULL.
 */
torus_cluster_placer_t *torus_cluster_placer_create(const torus_map_t *const *map,
						    int tori);
void torus_cluster_placer_destroy(torus_cluster_placer_t *placer);

/*
 * Decide. Returns 1, with *placement and the parts in the placer; 0 when there is no
 * choice, with only placement->candidates and gave_up filled; -1 with [err] filled when
 * memory is short or a torus's strategy does not suit its shape. Time as torus_place() on
 * each torus, twice where a mix is lighter, and of sorting where weights differ; memory
 * is allocated only for a shape, where weights differ, and by strategies that look at the
 * machine.
 */
int torus_cluster_place(torus_cluster_placer_t *placer,
			const torus_cluster_request_t *request,
			torus_cluster_placement_t *placement, torus_error_t *err);

/*
 * The first node chosen [elsewhere], of the request's [nodes] there, whose number is at
 * least [from]; [nodes] when there is none.
 */
uint32_t torus_cluster_next_elsewhere(const torus_candidates_t *elsewhere, uint32_t nodes,
				      const torus_cluster_placement_t *placement,
				      uint32_t from);

#endif
