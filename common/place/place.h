/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement: which free ranks a job gets. Behind the Slurm plugins, `storus place` and
 * the simulator.
 *
 * Strategies on the line of ranks: intervals and minimum span are from "Processor
 * Allocation on Cplant: Achieving General Processor Locality Using One-Dimensional
 * Allocation Strategies" (Leung et al., 2002); sum of squares is bin packing's rule of
 * Csirik et al., applied there. A strategy may also look at the machine itself, as
 * compact does. docs/strategies.md lists all.
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
 * A strategy with a name. These are for clusters at work; all strategies, those to
 * compare with among them, are in strategies/strategies.h.
 */
typedef struct torus_allocator torus_allocator_t;

extern const torus_allocator_t
	torus_best_fit,	      /* the interval leaving fewest ranks over; the default */
	torus_first_fit,      /* the first interval that is long enough */
	torus_sum_of_squares, /* the interval after which sum over s of N(s)^2 is smallest
			       */
	torus_free_list,      /* simply the lowest free ranks */
	torus_compact;	      /* nodes close together: docs/strategies.md */

/*
 * Those for clusters at work, which never make a job wait while enough nodes are free:
 * the table of torus.conf, ended by NULL.
 */
extern const torus_allocator_t *const torus_allocators[];

/*
 * The allocator in [table] (ended by NULL) called [text] ("best_fit", "compact" and so
 * on), read in any case. Returns 0, or -1 with [err] naming all in the table.
 */
int torus_allocator_parse(const char *text, const torus_allocator_t *const *table,
			  const torus_allocator_t **allocator, torus_error_t *err);
/* The name as above. A constant string. */
const char *torus_allocator_name(const torus_allocator_t *allocator);
/* Whether it may find no place for a job though enough nodes are free: the job waits. */
bool torus_allocator_waits(const torus_allocator_t *allocator);
/* Whether what it takes depends on the seed of the request. */
bool torus_allocator_by_chance(const torus_allocator_t *allocator);

/*
 * Scratch memory for decisions on a line of [ranks] ranks (1 .. 2^28): about 8 bytes a
 * rank, so that no decision of torus_place() allocates memory. The first decision by a
 * strategy that looks at the machine adds an index of it: 8 + 4 * dims bytes a cell, and
 * about 4 a rank; compact another 28 + 8 * dims a cell (32 with isolation) and 16 a rank,
 * and the time of making a Hilbert curve (curve/curve.h). Not for two threads at once.
 * NULL: out of memory. Destroy accepts NULL.
 */
typedef struct torus_placer torus_placer_t;
torus_placer_t *torus_placer_create(uint32_t ranks);
void torus_placer_destroy(torus_placer_t *placer);

/* The largest weight of isolation, in thousandths. */
#define TORUS_ISOLATION_WEIGHT_MOST 16000

/*
 * Read such a weight: a decimal number of hops from 0 to 16 with at most three digits
 * behind the point, as 0.2 or 16. Returns 0 with *weight in thousandths, or -1 with [err]
 * filled.
 */
int torus_isolation_weight_parse(const char *text, uint32_t *weight, torus_error_t *err);

/* What is asked for. */
typedef struct torus_place_request {
	uint32_t nodes;			    /* n, 1 .. ranks */
	const torus_allocator_t *allocator; /* NULL: best_fit */
	torus_span_t span;
	bool contiguous;	  /* only one interval will do (--contiguous) */
	const uint64_t *required; /* ranks that must be among the chosen (--nodelist), a
				   * bitmap; NULL, the same as one without a bit: none */
	/* For strategies that look at the machine; torus_place() does not. It must be the
	 * same machine in all decisions of a placer, and outlive it. */
	const torus_geometry_t *geometry;
	const uint32_t *cell_of_rank; /* [ranks] */
	uint64_t seed;		      /* of strategies that choose by chance */
	uint32_t isolation; /* W of compact in thousandths: what a node in the bounding
			     * box that is neither free nor the job's costs, for each of
			     * its own, in hops; 0 .. TORUS_ISOLATION_WEIGHT_MOST */
} torus_place_request_t;

/* What was decided, for logs and for comparing several tori. */
typedef struct torus_placement {
	uint32_t first;	 /* chosen[0]: the first rank in the order of the line or ring */
	uint32_t span;	 /* span of the chosen ranks, by the request's span rule */
	bool contiguous; /* all from one interval: span == nodes */
	int64_t score;	 /* the smaller the better, comparable between lines for the same
			  * request among placements that are equally contiguous:
			  * best_fit the ranks left over in the interval, sum_of_squares
			  * the change of the sum, first_fit and free_list 0, mc1x1 and
			  * mm the sum that they minimise; compact its own score in
			  * thousandths of a hop (docs/strategies.md), whatever was
			  * asked; the span of other strategies, and if not contiguous
			  * or if ranks were required */
} torus_placement_t;

/*
 * Choose request->nodes of the ranks that are set in [free] (a bitmap of the placer's
 * number of ranks).
 *
 * - An interval is a maximal run of free ranks; on a ring, the run that touches the end
 *   and the one that touches the start are one, whose first rank is its start near the
 * end.
 * - If an interval holds n, its first n ranks, the interval chosen by the allocator;
 * ties: lowest first rank.
 * - If none does: the n free ranks of minimum span; ties: lowest first rank. On a ring a
 *   window may go around the end; its first rank is where it starts.
 * - free_list ignores all that and takes the n lowest, in ascending order also on a
 *   ring. Asked for one interval only (contiguous), it is first_fit.
 * - With [required]: the choice of minimum span that holds all of them, whatever the
 *   allocator; ties: lowest first rank; within the window the free ranks nearest to its
 *   start. None if a required rank is not free or there are more than n of them.
 * - Strategies that look at the machine are best_fit here: they need
 *   torus_place_weighted().
 *
 * Returns true and fills chosen[0 .. n-1] with ranks in the order of the line (ascending,
 * except where a ring's choice goes around the end) and, unless NULL, [placement]; or
 * returns false, with both untouched, when there is no such choice (fewer than n free; or
 * contiguous asked and no interval holds n).
 * Time O(words of the bitmap + intervals + n); with [required], O(free ranks).
 */
bool torus_place(torus_placer_t *placer, const uint64_t *free,
		 const torus_place_request_t *request, uint32_t *chosen,
		 torus_placement_t *placement);

/*
 * Choose with every strategy, and by node weights (NULL: all the same), as Slurm
 * promises: nodes of lowest weight first, then what the strategy says. weights[rank] is
 * any number, the smaller the earlier.
 *
 * - With weights that do not differ among the free ranks, as torus_place(); or, if the
 *   allocator looks at the machine, as it says, the ranks ascending. Asked for one
 *   interval, or with required ranks, these are best_fit, but for compact: that
 *   chooses by its score among the intervals, or the best it finds with the required
 *   ranks in it; asked for both, it is best_fit, too.
 * - With weights that differ: takes all free ranks of the lowest weights while they are
 *   too few, and of the first weight that reaches n the ranks that make the span
 *   smallest, or compact's score: the ranks of lower weight are then like required ones.
 * Those required by the request count whatever their weight. If the lowest weight alone
 * reaches n, the first rule on its ranks. When that choice is not one interval with
 *   request->contiguous, or none with a strategy that lets jobs wait: the lowest weight w
 *   for which the free ranks of weight <= w have a place that will do, chosen among
 *   these. (It is looked for by halving, as more ranks do not take a place away. With
 *   frame_sliding they may, and a place may be passed over.)
 *
 * Without strategies that look at the machine and weights that differ, as torus_place();
 * with weights, O(free ranks * log) time, and it allocates that much; with the others
 * what docs/strategies.md says. Returns 1 when placed, 0 when there is no choice, -1 with
 * [err] filled when memory is short or the strategy does not suit the machine.
 */
int torus_place_weighted(torus_placer_t *placer, const uint64_t *free,
			 const uint64_t *weights, const torus_place_request_t *request,
			 uint32_t *chosen, torus_placement_t *placement,
			 torus_error_t *err);

/*
 * A free box of [shape]: by the rule of the request's allocator where that is about
 * boxes (contiguous, hybrid, frame_sliding, and compact, which takes the box that leaves
 * the fewest open sides, as contiguous:best_fit) and weights do not differ among the free
 * ranks; otherwise as torus_box_place() in place/box.h. chosen[] (room for all ranks)
 * receives the ranks, ascending, *count their number; request->nodes and what it says of
 * intervals and required ranks does not matter. Returns 1, 0 and -1 as above.
 */
int torus_place_shape(torus_placer_t *placer, const uint64_t *free,
		      const uint64_t *weights, const torus_place_request_t *request,
		      const torus_shape_t *shape, uint32_t *chosen, uint32_t *count,
		      torus_error_t *err);

#endif
