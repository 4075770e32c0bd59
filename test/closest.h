/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exact optimum of a single placement: of the free nodes of a small machine the n
 * whose sum of hops over pairs is least. To measure strategies by, and slow: the problem
 * is NP-hard in general (Krumke et al., "Compact Location Problems").
 */
#ifndef TORUS_TEST_CLOSEST_H
#define TORUS_TEST_CLOSEST_H

#include <stdint.h>

#include "geometry/geometry.h"

/* Free nodes, at most: a set of them is a word. */
#define CLOSEST_NODES 64

/*
 * The least sum of hops over the unordered pairs of n (1 .. count) of the nodes on
 * cells[0 .. count-1] (count <= CLOSEST_NODES; several may share a cell) of [geometry],
 * which must have a diameter of at most CLOSEST_NODES hops. *chosen, unless NULL,
 * receives such a set: bit i is cells[i].
 *
 * Branch and bound: a node is in or out, the most promising first. The bound of a partial
 * choice gives each of the nodes still needed its hops to those chosen and half those to
 * its nearest candidates, as many as it will have beside it; a candidate with which the
 * bound reaches the best sum known is out.
 */
uint32_t closest_nodes(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t count, uint32_t n, uint64_t *chosen);

#endif
