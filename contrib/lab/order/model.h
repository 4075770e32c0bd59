/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The integer program whose optimal solutions are the orders of highest value.
 *
 * Variables: x(v,p), 0 or 1, says that node v stands on position p. For each pair e =
 * {u,v} with a(u,v) > 0, u < v, and positions p and q that are s apart, 1 <= s <= k and
 * w(s) > 0, z(e,p,q) in 0 .. 1 says that u stands on p and v on q. Maximise the sum of
 * w(s) a(u,v) z(e,p,q), subject to
 *
 *   (1)  each node stands on one position, each position has one node
 *   (2)  sum over q of z(e,p,q) <= x(u,p), and sum over p of z(e,p,q) <= x(v,q)
 *   (3)  for a node v on p and a position q: of its neighbours at most one is on q. The
 *        sum of the z that say so, over the pairs of v, is <= x(v,p)
 *   (4)  a node with most neighbours stands in the first half, (n+1)/2 positions: an
 *        order and its reverse are worth the same
 *
 * With integer x, (2) gives z its meaning, and (3) follows from the others. But without
 * (3) the relaxation, in which fractions of a node can stand on many positions, would be
 * nearly unconstrained and its bound useless.
 */
#ifndef TORUS_ORDER_MODEL_H
#define TORUS_ORDER_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "order/objective.h"

/*
 * The matrix by rows: the coefficients of row i are coefficient[first[i] ..
 * first[i+1]-1], in the columns column[]. A row is <= or == its limit.
 */
typedef struct torus_order_model {
	uint32_t nodes;	  /* n */
	uint32_t columns; /* x(v,p) is column v*n + p, the z follow */
	uint32_t rows;
	double *value;	 /* [columns], to be maximised */
	uint64_t *first; /* [rows + 1] */
	uint32_t *column;
	double *coefficient; /* 1 or -1 */
	double *limit;	     /* [rows] */
	bool *equal;	     /* [rows] */
} torus_order_model_t;

/* The most coefficients of a model. */
#define TORUS_ORDER_MODEL_MAX (UINT64_C(1) << 24)

/*
 * About how many coefficients the program for [objective] has: 4 for each z and 2 for
 * each x. UINT64_MAX if the number does not fit.
 */
uint64_t torus_order_model_size(const torus_order_objective_t *objective);

/*
 * Build the program for [objective], to be freed with torus_order_model_destroy(). NULL
 * with [err] filled: memory, or more than TORUS_ORDER_MODEL_MAX coefficients.
 */
torus_order_model_t *torus_order_model_create(const torus_order_objective_t *objective,
					      torus_error_t *err);
void torus_order_model_destroy(torus_order_model_t *model);

/*
 * The solution that stands for the order order[p] (the node on position p), or for its
 * reverse, whichever satisfies (4). Fills value[0 .. columns-1] with 0 and 1.
 */
void torus_order_model_point(const torus_order_objective_t *objective,
			     const torus_order_model_t *model, const uint32_t *order,
			     double *value);

/*
 * The order of a solution: order[0 .. n-1] from value[0 .. n*n-1], the values of x.
 * Returns 0, or -1 if they do not put one node on each position.
 */
int torus_order_model_order(const torus_order_model_t *model, const double *value,
			    uint32_t *order);

/*
 * Write the program in free MPS format, as a minimisation of the negative value, with
 * columns C0, C1 ... and rows R0, R1 ... The caller checks [file] for errors. Returns 0,
 * or -1 with [err] filled (memory).
 */
int torus_order_model_write(const torus_order_model_t *model, FILE *file,
			    torus_error_t *err);

#endif
