/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who talks to whom in a job that does not say: every task takes part in three patterns,
 * a closed ring and halo exchanges on the 2D and the 3D grid that MPI would choose
 * (torus_task_grid_mpi()).
 *
 * Slurm deals tasks out to nodes in the nodes' order, so an order decides which node has
 * which *position*, 0 to positions - 1. Each pattern therefore is a graph of positions:
 * between two of them there are as many pairs as there are between the tasks that they
 * hold.
 */
#ifndef TORUS_TASKMAP_ANY_PATTERN_H
#define TORUS_TASKMAP_ANY_PATTERN_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"
#include "taskmap/positions.h"

/* The ring, the 2D and the 3D grid. */
#define TORUS_ANY_PATTERNS 3

typedef struct torus_any_pattern {
	/* Of positions, two being neighbours where any pattern has pairs between them;
	 * its weights, whole numbers up to INT16_MAX, are those of
	 * torus_any_pattern_weigh(). */
	torus_task_graph_t *graph;
	/* Pairs of tasks in each pattern, as graph->neighbor has the entries. */
	uint32_t (*pairs)[TORUS_ANY_PATTERNS];
	/* Of all positions, those within a position included; at least 1. */
	uint64_t all[TORUS_ANY_PATTERNS];
} torus_any_pattern_t;

/*
 * The patterns of [tasks] tasks on [positions] positions, 1 <= positions <= tasks <=
 * TORUS_MAX_CELLS. Position p holds tasks_on[p] of them; NULL: as many on each, the first
 * ones one more where that does not come out even. All weights are those of equal shares.
 * Memory and time are O(positions log tasks); where tasks are dealt out cyclic by
 * tasks_on[], O(tasks). Returns 0, or -1 with [err] filled (memory). To be destroyed,
 * also after an error.
 */
int torus_any_pattern_init(uint32_t tasks, uint32_t positions, const uint32_t *tasks_on,
			   torus_deal_t deal, torus_any_pattern_t *pattern,
			   torus_error_t *err);
void torus_any_pattern_destroy(torus_any_pattern_t *pattern);

/*
 * Set the graph's weights to what a mean pair of each pattern weighs, times its share[]:
 * three positive numbers, of which only the ratios matter. O(entries).
 */
void torus_any_pattern_weigh(torus_any_pattern_t *pattern,
			     const uint32_t share[TORUS_ANY_PATTERNS]);

#endif
