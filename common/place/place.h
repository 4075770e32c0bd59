/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement on the line of ranks: which free ranks a job gets. The one function behind
 * the Slurm plugins, `storus place` and the simulator.
 *
 * Sources: interval strategies and minimum span, "Processor Allocation on Cplant:
 * Achieving General Processor Locality Using One-Dimensional Allocation Strategies"
 * (Leung et al., 2002); sum of squares is bin packing's rule of Csirik et al., applied
 * there.
 */
#ifndef TORUS_PLACE_H
#define TORUS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "metrics/span.h"

typedef enum torus_allocator {
	TORUS_BEST_FIT,	      /* the interval leaving fewest ranks over; the default */
	TORUS_FIRST_FIT,      /* the first interval that is long enough */
	TORUS_SUM_OF_SQUARES, /* the interval after which sum over s of N(s)^2 is smallest
			       */
	TORUS_FREE_LIST,      /* simply the lowest free ranks */
} torus_allocator_t;

/*
 * The allocator called [text] in torus.conf ("best_fit", "first_fit", "sum_of_squares",
 * "free_list"), read in any case. Returns 0, or -1 with [err] naming the known ones.
 */
int torus_allocator_parse(const char *text, torus_allocator_t *allocator,
			  torus_error_t *err);
/* The name as above. A constant string. */
const char *torus_allocator_name(torus_allocator_t allocator);

/*
 * Scratch memory for decisions on a line of [ranks] ranks (1 .. 2^28): about 8 bytes a
 * rank, so that no decision allocates memory. Not for two threads at once. NULL: out of
 * memory. Destroy accepts NULL.
 */
typedef struct torus_placer torus_placer_t;
torus_placer_t *torus_placer_create(uint32_t ranks);
void torus_placer_destroy(torus_placer_t *placer);

/* What is asked for. */
typedef struct torus_place_request {
	uint32_t nodes; /* n, 1 .. ranks */
	torus_allocator_t allocator;
	torus_span_t span;
	bool contiguous;	  /* only one interval will do (--contiguous) */
	const uint64_t *required; /* ranks that must be among the chosen (--nodelist), a
				   * bitmap; NULL, the same as one without a bit: none */
} torus_place_request_t;

/* What was decided, for logs and for comparing several tori. */
typedef struct torus_placement {
	uint32_t first;	 /* chosen[0]: the first rank in the order of the line or ring */
	uint32_t span;	 /* span of the chosen ranks, by the request's span rule */
	bool contiguous; /* all from one interval: span == nodes */
	int64_t score;	 /* the smaller the better, comparable between lines for the same
			  * request among placements that are equally contiguous:
			  * best_fit the ranks left over in the interval, sum_of_squares
			  * the change of the sum, first_fit and free_list 0; the span if
			  * not contiguous or if ranks were required */
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
 * - TORUS_FREE_LIST ignores all that and takes the n lowest, in ascending order also on a
 *   ring. Asked for one interval only (contiguous), it is first_fit.
 * - With [required]: the choice of minimum span that holds all of them, whatever the
 *   allocator; ties: lowest first rank; within the window the free ranks nearest to its
 *   start. None if a required rank is not free or there are more than n of them.
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
 * Node weights, as Slurm promises: nodes of lowest weight first, then span. weights[rank]
 * is any number, the smaller the earlier. Takes all free ranks of the lowest weights
 * while they are too few, and of the first weight that reaches n the ranks that make the
 * span smallest: the ranks of lower weight are then like required ones. Those required by
 * the request count whatever their weight. If the lowest weight alone reaches n, the
 * rules of torus_place() on its ranks; with all free weights equal, exactly
 * torus_place(). With request->contiguous, when that choice is not one interval: the
 * lowest weight w for which the free ranks of weight <= w have an interval that will do,
 * chosen among these.
 *
 * O(free ranks * log) time, and it allocates that much: returns 1 when placed, 0 when
 * there is no choice, -1 with [err] filled when memory is short.
 */
int torus_place_weighted(torus_placer_t *placer, const uint64_t *free,
			 const uint64_t *weights, const torus_place_request_t *request,
			 uint32_t *chosen, torus_placement_t *placement,
			 torus_error_t *err);

#endif
