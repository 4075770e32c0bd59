/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An order of a job's nodes for tasks of which nobody says who talks to whom.
 *
 * Judged by hops over what such jobs often do: a ring, and halo exchanges on 2D and 3D
 * grids (taskmap/any/pattern.h). Candidates are the order given, lines through the box
 * around the nodes, and recursive coordinate bisection of the two grids, in several turns
 * each; the best of them is then improved by swaps (taskmap/any/moves.c), for jobs of up
 * to 256 nodes also by random ones (taskmap/any/trades.c; not on a machine with sides of
 * more than 255 together, whose distances no list of bytes holds). Our own; figures in
 * docs/mapping.md.
 *
 * The load of the busiest link is not looked at: taken into the sum, or deciding among
 * orders of as many hops, it changed run times by less than chance does.
 */
#ifndef TORUS_TASKMAP_ANY_H
#define TORUS_TASKMAP_ANY_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/any/pattern.h"

/* Whose nodes are ordered: a view that owns nothing. */
typedef struct torus_any_job {
	const torus_geometry_t *geometry;
	uint32_t nodes;	      /* >= 1 */
	const uint32_t *cell; /* [nodes] on the machine; several may share one */
	uint32_t tasks; /* nodes <= tasks <= TORUS_MAX_CELLS, about as many on each */
	torus_deal_t deal;
} torus_any_job_t;

/*
 * Fill order[nodes] with the nodes' numbers: order[0] is to have the first tasks. The
 * result depends on the job alone, and is the same on every host: all arithmetic is
 * exact. Never more hops over the three patterns, weighed as taskmap/any/pattern.h says,
 * than the nodes as they come. O(nodes log nodes) time, bounded by counted work: about
 * 0.2 ms for 64 nodes, 0.9 ms for 256 and 4 ms for 4,608. Returns 0, or -1 with [err]
 * filled (memory).
 */
int torus_any_order(const torus_any_job_t *job, uint32_t *order, torus_error_t *err);

/*
 * Deal tasks out to nodes in [order], node n taking tasks_on_node[n], as [deal] says:
 * fills node_of_task[] for all of them. Cyclic passes over nodes that are full, as Slurm
 * does.
 */
void torus_any_deal(const uint32_t *order, uint32_t nodes, const uint32_t *tasks_on_node,
		    torus_deal_t deal, uint32_t *node_of_task);

#endif
