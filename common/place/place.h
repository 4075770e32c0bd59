/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement: which free ranks of one torus a job gets. Used by the Slurm plugins, `storus
 * place` and the simulator through machine/cluster_place.h.
 *
 * A strategy either chooses on the line of ranks, or looks at the machine itself, as
 * compact does. Intervals and minimum span are from "Processor Allocation on Cplant:
 * Achieving General Processor Locality Using One-Dimensional Allocation Strategies"
 * (Leung et al., 2002); sum of squares is the bin packing rule of Csirik et al., applied
 * there. docs/strategies.md lists all strategies.
 */
#ifndef TORUS_PLACE_H
#define TORUS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "metrics/span.h"
#include "place/box.h"

/*
 * A strategy with a name. These are the ones for production clusters;
 * strategies/strategies.h has those for comparison, too.
 */
typedef struct torus_allocator torus_allocator_t;

extern const torus_allocator_t
	torus_best_fit,	      /* the interval leaving fewest ranks over */
	torus_first_fit,      /* the first interval that is long enough */
	torus_sum_of_squares, /* the interval after which sum over s of N(s)^2 is smallest
			       */
	torus_free_list,      /* the lowest free ranks */
	torus_compact;	      /* nodes with few hops between them: docs/strategies.md */

/*
 * What a machine has for which nobody names an allocator: of those for production
 * clusters the one under which jobs communicate fastest (docs/placement.md).
 */
#define TORUS_DEFAULT_ALLOCATOR (&torus_compact)

/*
 * The table for torus.conf, ended by NULL: the allocators above. None of them makes a job
 * wait while enough nodes are free.
 */
extern const torus_allocator_t *const torus_allocators[];

/*
 * Find the allocator called [text] ("best_fit", say, in any case) in [table], which ends
 * with NULL. Returns 0, or -1 with [err] listing the names in the table.
 */
int torus_allocator_parse(const char *text, const torus_allocator_t *const *table,
			  const torus_allocator_t **allocator, torus_error_t *err);
/* The allocator's name, a constant string. */
const char *torus_allocator_name(const torus_allocator_t *allocator);
/*
 * Whether it may find no place for a job although enough nodes are free, so that the job
 * waits.
 */
bool torus_allocator_waits(const torus_allocator_t *allocator);
/* Whether its choice depends on the seed of the request. */
bool torus_allocator_by_chance(const torus_allocator_t *allocator);

/*
 * Scratch memory for decisions on a line of [ranks] ranks (1 .. 2^28): about 8 bytes a
 * rank, so that torus_place() allocates no memory. The first decision by a strategy that
 * looks at the machine adds an index of it: 8 + 4 * dims bytes a cell and about 4 a rank.
 * The first one by compact adds 28 + 8 * dims bytes a cell (32 with isolation) and 16 a
 * rank, and takes the time to make a Hilbert curve (curve/curve.h). A placer must not be
 * used by two threads at once. NULL: out of memory. Destroy accepts NULL.
 */
typedef struct torus_placer torus_placer_t;
torus_placer_t *torus_placer_create(uint32_t ranks);
void torus_placer_destroy(torus_placer_t *placer);

/* The largest weight of isolation, in thousandths. */
#define TORUS_ISOLATION_WEIGHT_MOST 16000
/* That of a job that asks to be isolated, found by simulation: docs/strategies.md. */
#define TORUS_ISOLATE_WEIGHT 1000

/*
 * Read a weight of isolation: a decimal number of hops from 0 to 16 with at most three
 * digits after the point, such as 0.2. Returns 0 with *weight in thousandths, or -1 with
 * [err] filled.
 */
int torus_isolation_weight_parse(const char *text, uint32_t *weight, torus_error_t *err);

/* What is asked for. */
typedef struct torus_place_request {
	uint32_t nodes;			    /* n, 1 .. ranks */
	const torus_allocator_t *allocator; /* NULL: best_fit */
	torus_span_t span;
	bool contiguous;	  /* only one interval will do (--contiguous) */
	const uint64_t *required; /* bitmap of ranks that must be chosen (--nodelist);
				   * NULL or no bit set: none */
	/*
	 * The machine, for strategies that look at it; torus_place() does not. It must be
	 * the same in all decisions of a placer, and outlive the placer.
	 */
	const torus_geometry_t *geometry;
	const uint32_t *cell_of_rank; /* [ranks] */
	uint64_t seed;		      /* for strategies that choose by chance */
	uint32_t isolation;	      /* for compact: W in thousandths of a hop, 0 ..
				       * TORUS_ISOLATION_WEIGHT_MOST; see place/compact/score.h */
	bool loose; /* for compact: the job's own distance counts less; the same */
} torus_place_request_t;

/*
 * What was decided, for logs and for comparing several tori.
 *
 * Scores of one request can be compared between tori if both placements are contiguous or
 * both are not. The score of compact is always its own, in thousandths of a hop
 * (docs/strategies.md). Of other strategies it is the span when the placement is not
 * contiguous or ranks were required; otherwise for best_fit the ranks left over in the
 * interval, for sum_of_squares the change of the sum, for first_fit and free_list 0, for
 * mc1x1 and mm the sum that they minimise, and for the rest the span.
 */
typedef struct torus_placement {
	uint32_t first;	 /* chosen[0]: the first rank in the order of the line or ring */
	uint32_t span;	 /* span of the chosen ranks, by the request's span rule */
	bool contiguous; /* all from one interval: span == nodes */
	int64_t score;	 /* lower is better; see above */
} torus_placement_t;

/*
 * Choose n = request->nodes of the ranks that are set in [free], a bitmap of the placer's
 * number of ranks.
 *
 * - An interval is a maximal run of free ranks. On a ring, a run that touches the end and
 *   one that touches the start are one interval, which begins with the former.
 * - If an interval holds n ranks: the first n of the interval that the allocator prefers;
 *   ties: lowest first rank.
 * - If none does: the n free ranks of minimum span; ties: lowest first rank. On a ring
 *   they may go around the end; the first rank is where they start.
 * - free_list takes the n lowest free ranks, ascending also on a ring. With
 *   request->contiguous it is first_fit.
 * - With required ranks: the n free ranks of minimum span that include all of these,
 *   whatever the allocator; ties: lowest first rank, then the free ranks nearest to it.
 *   No choice if a required rank is not free or more than n are required.
 * - Strategies that look at the machine are best_fit here; see torus_place_weighted().
 *
 * Returns true and fills chosen[0 .. n-1] in the order of the line (ascending, except
 * where the choice goes around the end of a ring) and [placement] unless it is NULL.
 * Returns false, with both untouched, when there is no such choice: fewer than n ranks
 * are free, or request->contiguous is set and no interval holds n. Time O(words of the
 * bitmap + intervals + n); with required ranks O(free ranks).
 */
bool torus_place(torus_placer_t *placer, const uint64_t *free,
		 const torus_place_request_t *request, uint32_t *chosen,
		 torus_placement_t *placement);

/*
 * Choose by any strategy and by node weights. As Slurm promises, nodes of lowest weight
 * come first; the strategy chooses among them. weights[rank] is any number; NULL: all are
 * the same.
 *
 * 1. If the free ranks all have the same weight: as torus_place(), or, if the allocator
 *    looks at the machine, its own choice, ranks ascending. With request->contiguous or
 *    required ranks such an allocator is best_fit. The exception is compact: it takes
 *    the interval with the best score, or the best set that it finds with the required
 *    ranks in it; asked for both at once, it is best_fit as well.
 * 2. If weights differ: let w be the lowest weight for which n ranks of weight w or less
 *    are free; required ranks count whatever their weight. All free ranks of weight
 *    below w are taken as if they were required, and rule 1 chooses the rest among those
 *    of weight w.
 * 3. If rule 2 finds no place that the request allows (an interval with
 *    request->contiguous, or a place by an allocator that lets jobs wait): the lowest
 *    weight w for which the ranks of weight w or less have such a place, and rule 1 among
 *    all of these. w is found by bisection, since more free ranks take no place away.
 *    (frame_sliding is an exception: a lower w may be missed.)
 *
 * Time and memory as torus_place() if weights do not differ and the allocator does not
 * look at the machine; O(free ranks * log) if they differ; for the other strategies see
 * docs/strategies.md. Returns 1 when placed; 0 when there is no choice; -1 with [err]
 * filled when memory is short or the strategy does not suit the machine.
 */
int torus_place_weighted(torus_placer_t *placer, const uint64_t *free,
			 const uint64_t *weights, const torus_place_request_t *request,
			 uint32_t *chosen, torus_placement_t *placement,
			 torus_error_t *err);

/*
 * Choose a free box of [shape]. If the free ranks all have the same weight and the
 * request's allocator knows boxes (compact, contiguous, hybrid, frame_sliding), it
 * chooses; compact takes the box that fits in best (place/free_boxes.h). Otherwise as
 * torus_box_place() in place/box.h. request->nodes, contiguous and required are ignored.
 * chosen[] (room for all ranks) receives the ranks, ascending, *count their number.
 * Returns 1, 0 and -1 as above.
 */
int torus_place_shape(torus_placer_t *placer, const uint64_t *free,
		      const uint64_t *weights, const torus_place_request_t *request,
		      const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		      torus_error_t *err);

/*
 * Whether all ranks that are set in [free] have the same weight; true when [weights] is
 * NULL.
 */
bool torus_weights_equal(const uint64_t *free, const uint64_t *weights, uint32_t ranks);

/* Whether [required], a bitmap of [ranks] ranks or NULL, has a bit set. */
bool torus_any_required(const uint64_t *required, uint32_t ranks);

#endif
