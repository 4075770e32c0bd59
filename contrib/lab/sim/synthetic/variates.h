/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers of given distributions, from uniform ones by comparisons and sums: no
 * logarithm of the C library, whose last bit differs between versions and processors, and
 * no product with a sum that a compiler might contract. So a seed gives the same numbers
 * everywhere.
 *
 * Each takes the state of torus_random_next() and moves it on.
 */
#ifndef TORUS_SIM_SYNTHETIC_VARIATES_H
#define TORUS_SIM_SYNTHETIC_VARIATES_H

#include <stdint.h>

/* Uniform in [0, 1), in steps of 2^-53. */
double torus_variate_uniform(uint64_t *random);

/*
 * Exponential with mean 1. Von Neumann, "Various techniques used in connection with
 * random digits" (1951): the first of a falling run of uniform numbers is the fraction if
 * the run has odd length; each run of even length adds 1. About 4 uniform numbers.
 */
double torus_variate_exponential(uint64_t *random);

/*
 * Beta-distributed with whole parameters, in [0, 1): the [alpha]th smallest of
 * alpha + beta - 1 uniform numbers. 1 <= alpha, beta and alpha + beta <= 16.
 */
double torus_variate_beta(uint64_t *random, int alpha, int beta);

/*
 * A whole number in low .. high (1 <= low <= high < 2^32) whose logarithm is uniform: the
 * floor of x in [low, high + 1) with density proportional to 1/x, so that n comes with
 * probability ln((n + 1) / n) / ln((high + 1) / low). By rejection, in fewer than 3
 * tries on average.
 */
uint32_t torus_variate_log_uniform(uint64_t *random, uint32_t low, uint32_t high);

#endif
