/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pairs of tasks between positions, chip by chip, where nodes are boxes of chips with
 * a task on each: task i of a node is on its chip i (geometry/chips.h).
 */
#ifndef TORUS_TASKMAP_ANY_CHIP_PAIRS_H
#define TORUS_TASKMAP_ANY_CHIP_PAIRS_H

#include "taskmap/any/pattern.h"
#include "taskmap/hops.h"

typedef struct torus_any_chip_pair {
	uint32_t pattern;
	uint32_t here, there; /* chips of the position and of its neighbour */
} torus_any_chip_pair_t;

typedef struct torus_any_chip_pairs {
	uint32_t of_node;	  /* chips of a node, > 1 */
	torus_geometry_t machine; /* of the chips */
	torus_hop_table_t table;  /* chip i of node n is number n * of_node + i */
	uint64_t *first; /* [entries + 1] for each entry of the pattern's graph */
	torus_any_chip_pair_t *pair;
} torus_any_chip_pairs_t;

/*
 * List the pairs of [pattern], which is of a task a chip of [nodes] nodes, on cell[] of
 * [geometry], dealt out as [deal] says. O(tasks) memory, O(tasks log) time. Returns 0, or
 * -1 with [err] filled (memory). To be destroyed, also after an error.
 */
int torus_any_chip_pairs_init(const torus_any_pattern_t *pattern,
			      const torus_geometry_t *geometry, const uint32_t *cell,
			      torus_deal_t deal, torus_any_chip_pairs_t *chips,
			      torus_error_t *err);
void torus_any_chip_pairs_destroy(torus_any_chip_pairs_t *chips);

#endif
