/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The score of a set of nodes: see score.h. */
#include "place/compact/score.h"

/* The weights, in sixteenths. */
#define WEIGHT_JOB 16
#define WEIGHT_LOOSE_JOB 4
#define WEIGHT_REST 3
#define WEIGHT_EDGE 16

/* Prices are in units of at least 1 / 2^FACTOR_BITS. */
#define FACTOR_BITS 32

/*
 * The free nodes that stay count at most this many times as much as the job. Otherwise
 * nothing else would count where only a few stay free.
 */
#define REST_MOST 4

/* [a] * 2^bits / b, rounded down; b < 2^63, and the result fits. */
static uint64_t scaled(uint64_t a, uint64_t b, int bits)
{
	uint64_t result = a / b, left = a % b;

	while (bits--) {
		left <<= 1;
		result = result << 1 | (left >= b);
		left -= left >= b ? b : 0;
	}
	return result;
}

/* Pairs of n nodes, twice; as a divisor. */
static uint64_t ordered_pairs(uint64_t n)
{
	return n > 1 ? n * (n - 1) : 2;
}

/* W is in these parts of a hop. */
#define ISOLATION_PARTS 1000

/*
 * The factor is the largest power of two with which no sum passes 2^62: pairs and reach
 * are at most nodes * free * lengths, and cost at most (1 + REST_MOST) * WEIGHT_JOB times
 * the factor each; edge is at most nodes * most * (2 * dims + 1), and costs less than
 * WEIGHT_EDGE times the factor times nodes / most. With W, no more than 16, nodes in the
 * box are at most all ranks, and cost less than 8 * WEIGHT_JOB times the factor times
 * nodes each.
 */
bool torus_compact_prices(const torus_compact_set_t *set, uint32_t nodes,
			  uint32_t isolation, bool loose, torus_compact_prices_t *prices)
{
	const torus_site_t *site = set->site;
	uint64_t n = nodes, all = set->free, rest = all - n, sum;
	uint64_t hops = set->lengths + 2 * (uint64_t)site->geometry.dims + 1;
	int bits = 0;

	if (n * set->lengths >> 32 || hops > (UINT64_C(1) << 62) / (all * all) ||
	    n * all > (UINT64_C(1) << 53) / hops)
		return false;
	sum = n * all * hops;
	if (isolation && sum < n * site->ranks) {
		sum = n * site->ranks;
		if (sum >> 53)
			return false;
	}
	while (bits < FACTOR_BITS && !(sum >> (53 - bits)))
		bits++;
	prices->pair = (int64_t)WEIGHT_JOB << bits;
	prices->reach = REST_MOST * prices->pair;
	if (WEIGHT_REST * ordered_pairs(n) < REST_MOST * WEIGHT_JOB * rest * rest)
		prices->reach = (int64_t)scaled(WEIGHT_REST * ordered_pairs(n),
						rest * rest, bits);
	prices->foreign =
		(int64_t)scaled(WEIGHT_JOB * (uint64_t)isolation * (n > 1 ? n - 1 : 2),
				2 * ISOLATION_PARTS, bits);
	if (loose)
		prices->pair = prices->pair / WEIGHT_JOB * WEIGHT_LOOSE_JOB;
	prices->pair += prices->reach;
	prices->edge =
		(int64_t)scaled(WEIGHT_EDGE / 2 * ordered_pairs(n), n * site->most, bits);
	return true;
}

/* 1000 * sum / count; 0 if count is 0. */
static int64_t thousandths(uint64_t sum, uint64_t count)
{
	while (count >> 53) {
		count >>= 1;
		sum >>= 1;
	}
	return count ? (int64_t)(sum / count * 1000 + sum % count * 1000 / count) : 0;
}

int64_t torus_compact_score(const torus_compact_set_t *set, uint32_t isolation,
			    bool loose, uint32_t foreign)
{
	uint64_t n = set->held.nodes, all = set->free, rest = all - n;
	int64_t job = thousandths(2 * (uint64_t)set->pairs, ordered_pairs(n));
	int64_t left =
		thousandths(2 * (uint64_t)torus_compact_set_rest(set), rest * rest);
	int64_t before = thousandths(2 * (uint64_t)set->between, all * all);
	int64_t edge = thousandths((uint64_t)set->edge, n * set->site->most);
	int64_t box = (int64_t)(WEIGHT_JOB * (uint64_t)isolation * foreign / n);

	return ((loose ? WEIGHT_LOOSE_JOB : WEIGHT_JOB) * job +
		WEIGHT_REST * (left - before) + WEIGHT_EDGE * edge + box) /
	       WEIGHT_JOB;
}
