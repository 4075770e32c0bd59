/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks in an order in which those that talk most to each other are together. */
#ifndef TORUS_TASKMAP_SEARCH_PAIRING_H
#define TORUS_TASKMAP_SEARCH_PAIRING_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

/*
 * Pair the tasks of [graph], the pairs, the pairs of pairs and so on, each time along the
 * heaviest edges first (ties: by the lower number, then by the other), and what has no
 * partner left by number. Fills position[tasks]: the places of the tasks in the order of
 * the leaves of that tree. Returns 0, or -1 with [err] filled (memory). O(edges * log
 * edges * log tasks).
 */
int torus_pairing(const torus_task_graph_t *graph, uint32_t *position,
		  torus_error_t *err);

#endif
