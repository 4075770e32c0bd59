/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the nodes that torus_cluster_place() has chosen are near: machine/nearness.h.
 */
#ifndef TORUS_MACHINE_CLUSTER_NEAR_H
#define TORUS_MACHINE_CLUSTER_NEAR_H

#include "machine/cluster_place.h"

/*
 * Whether the last decision of [placer], [placement] with its parts, is near: the mean
 * distance of its nodes, on a machine of cubes on the torus of their own, at most [near]
 * thousandths of that of as many nodes alone, where the allocator of the torus that it is
 * on would place them.
 *
 * A job that is spread over several tori is near if it is larger than each of them. Else
 * it is not, and neither is one with nodes on no torus.
 *
 * Returns 1, 0, or -1 with [err] filled (memory). Keeps the parts. O(nodes of the job +
 * sides), and the first time that a number of nodes is asked for on a torus one decision
 * more, with all its nodes free, and O(its nodes).
 */
int torus_cluster_is_near(torus_cluster_placer_t *placer,
			  const torus_cluster_placement_t *placement, uint32_t near,
			  torus_error_t *err);

/*
 * The two distances that this compares, summed over ordered pairs: [sum] of the nodes of
 * the decision, [alone] of as many alone. Returns 1; 0 when they are not on one torus
 * alone, or its strategy has no place for so many; or -1 with [err] filled (memory).
 */
int torus_cluster_distances(torus_cluster_placer_t *placer,
			    const torus_cluster_placement_t *placement, uint64_t *sum,
			    uint64_t *alone, torus_error_t *err);

#endif
