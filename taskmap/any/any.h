/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An order of a job's nodes for tasks of which nobody says who talks to whom.
 *
 * Judged by hops over what such jobs often do: a closed ring, and halo exchanges on the
 * 2D and 3D grids that MPI would choose (taskmap/any/pattern.h). Nobody may be worse off
 * than in the order in which the nodes come, which is that of their names for Slurm: in
 * none of the three the tasks have more hops. Among such orders the sum of the three
 * averages is to be least. The first node keeps task 0, where scripts look for it, unless
 * it need not.
 *
 * Nodes that are a line or a ring are left in their order along it (taskmap/any/line.c).
 * Of a few nodes all orders are tried (few.c). For more, candidates are the order given,
 * lines through the box around the nodes, and recursive coordinate bisection of the two
 * grids, in several turns each (candidates.c); the best of them is then improved by swaps
 * (moves.c), for jobs of up to 256 nodes also by random ones (trades.c; not on a machine
 * with sides of more than 255 together, whose distances no list of bytes holds). Our own;
 * figures in docs/mapping.md.
 *
 * The load of the busiest link is not looked at: taken into the sum, or deciding among
 * orders of as many hops, it changed run times by less than chance does.
 */
#ifndef TORUS_TASKMAP_ANY_H
#define TORUS_TASKMAP_ANY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/any/pattern.h"

/* Whose nodes are ordered: a view that owns nothing. */
typedef struct torus_any_job {
	const torus_geometry_t *geometry;
	uint32_t nodes;	      /* >= 1 */
	const uint32_t *cell; /* [nodes] on the machine; several may share one */
	uint32_t tasks;	      /* nodes <= tasks <= TORUS_MAX_CELLS */
	/* [nodes] tasks of each node. NULL: as many on each, and the first ones of the
	 * order have one more where that does not come out even. */
	const uint32_t *tasks_on_node;
	torus_deal_t deal;
	bool free_head; /* task 0 need not be on the first node */
} torus_any_job_t;

/*
 * Fill order[nodes] with the nodes' numbers: order[0] is to have the first tasks. With
 * tasks_on_node[] each position is given to a node of as many tasks as the node has that
 * comes there, and nodes without tasks are last. The result depends on the job alone, and
 * is the same on every host: all arithmetic is exact. O(nodes log nodes) time, bounded by
 * counted work (and O(tasks) for tasks_on_node[] that differ, dealt out cyclic). Returns
 * 0, or -1 with [err] filled (memory).
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
