/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of nodes in which a job's segments follow each other. */
#ifndef TORUS_TOPOLOGY_SEGMENT_ORDER_H
#define TORUS_TOPOLOGY_SEGMENT_ORDER_H

#include "slurm/compat.h"

#include "machine/map.h"

/*
 * Put the nodes with the ranks rank[0 .. count-1] on [map], in any order, into that of
 * torus_segments_cut() for segments of [size], which divides count: order[i] receives the
 * number of the i-th node in rank[]. Returns 0, or -1 with [err] filled (memory).
 */
int topology_segment_order(const torus_map_t *map, const uint32_t *rank, uint32_t count,
			   uint32_t size, uint32_t *order, torus_error_t *err);

#endif
