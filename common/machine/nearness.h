/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the nodes of a job are near each other: their mean distance (hops between two
 * of them, over all pairs) against that of the same job alone, which is where the
 * allocator in force places so many nodes when all nodes of the machine are free. Such a
 * place always comes when the machine empties. On a machine of cubes both are distances
 * on the job's own torus (torus/joined.h): jobs of whole cubes are always near. Nodes
 * that are down count as free, and node weights do not count, so that what near means
 * does not change with the day.
 *
 * Both places have the same number of nodes, so that their summed distances compare as
 * their means do, in whole numbers.
 */
#ifndef TORUS_MACHINE_NEARNESS_H
#define TORUS_MACHINE_NEARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "place/place.h"

/* What a job may ask for: how many times the distance alone, in thousandths. */
#define TORUS_NEAR_LEAST 1000
#define TORUS_NEAR_MOST 16000

/*
 * Read such a number: a decimal one from 1 to 16 with at most three digits behind the
 * point, "1.2". Returns 0 with *near in thousandths, or -1 with [err] filled.
 */
int torus_near_parse(const char *text, uint32_t *near, torus_error_t *err);

/*
 * Whether nodes with the summed distance [sum] are near: sum <= near / 1000 * alone.
 * Exact. One node is always near. Where a router has room for the whole job, [alone] is
 * 0, and only nodes on one router are near.
 */
bool torus_is_near(uint64_t sum, uint64_t alone, uint32_t near);

/*
 * The summed distance (hops over ordered pairs, as in metrics/metrics.h), on its own
 * torus, of a job of request->nodes nodes where it is placed with all [ranks] of the
 * machine of [placer] free: by torus_choose_nodes(), whole cubes joined to the most
 * compact torus. Of the request the nodes, the allocator, the span, the machine and the
 * isolation count. Returns 1 with *sum; 0: no place; -1 with [err] filled (memory, or a
 * strategy that does not suit the machine).
 */
int torus_alone_distance(torus_placer_t *placer, uint32_t ranks,
			 const torus_place_request_t *request, uint64_t *sum,
			 torus_error_t *err);

/*
 * What torus_alone_distance() says of jobs on one machine of [ranks] ranks, worked out
 * when it is first asked for: 16 bytes a number of nodes. Not for two threads at once.
 * NULL: out of memory. Destroy accepts NULL.
 */
typedef struct torus_nearness torus_nearness_t;
torus_nearness_t *torus_nearness_create(uint32_t ranks);
void torus_nearness_destroy(torus_nearness_t *nearness);

/*
 * The summed distance (hops over ordered pairs, as in metrics/metrics.h) of
 * request->nodes nodes alone. Of the request the nodes, the allocator, the span, the
 * machine and the isolation count; all but the nodes must be the same in all calls, and
 * the machine that of [placer]. By strategies that choose by chance it is the place with
 * seed 0.
 *
 * Returns 1 with *sum; 0 when the strategy has no place for so many nodes; -1 with [err]
 * filled (memory, or a strategy that does not suit the machine). The first time that a
 * number of nodes is asked for this is one decision with all nodes free, with what that
 * takes, and O(ranks) more; then O(log of how many numbers were asked for), without
 * memory.
 */
int torus_nearness_alone(torus_nearness_t *nearness, torus_placer_t *placer,
			 const torus_place_request_t *request, uint64_t *sum,
			 torus_error_t *err);

#endif
