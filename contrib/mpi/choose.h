/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes take part where a topology is smaller than the communicator. MPI leaves
 * that open; near ones are chosen.
 */
#ifndef STORUS_MPI_CHOOSE_H
#define STORUS_MPI_CHOOSE_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * Choose [tasks] (>= 1) of the places on [nodes] nodes, capacity[] on each, which
 * together are at least as many: fills take[nodes] with how many of each node's, at least
 * one of node [first]'s. Tried are the places nearest to one node, for [first] and
 * several others spread over all; the choice has the smallest sum of distances between
 * its places (ties: the first tried). Returns 0, or -1 with [err] filled (memory).
 * O(nodes + tasks) for each node tried; at most 64 are, fewer where there are many nodes.
 */
int storus_mpi_choose(const torus_geometry_t *geometry, const uint32_t *cell,
		      const uint32_t *capacity, uint32_t nodes, uint32_t first,
		      uint32_t tasks, uint32_t *take, torus_error_t *err);

#endif
