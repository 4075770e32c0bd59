/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which box of free nodes a reservation gets, and when. */
#ifndef STORUS_RESERVE_FIND_H
#define STORUS_RESERVE_FIND_H

#include "base/error.h"
#include "machine/cluster_place.h"
#include "storus/cli/joined_fields.h"
#include "storus/reserve/busy.h"

/* The box that is wanted. */
typedef struct storus_box_request {
	torus_shape_t shape;
	/* The lowest coordinates of the box of the grid, whose sides are then those along
	 * x, y and so on; NULL: a box anywhere on any torus, in any rotation, or any
	 * whole cubes. */
	const int32_t *corner;
} storus_box_request_t;

/* The box that was found. */
typedef struct storus_box {
	const torus_map_t *map; /* its torus, borrowed of the cluster */
	char *nodes;		/* owned: hostlist in rank order */
	uint32_t count;
	storus_joined_texts_t joined; /* on a machine of cubes, owned */
} storus_box_t;

/* Free what it has; {0} is accepted. */
void storus_box_clear(storus_box_t *box);

/*
 * Check that the cluster could have such a box if all its nodes were free. With a corner
 * the cluster has one torus. Returns 1; 0 if not, with [err] saying what could be had of
 * cubes or nodes of chips, or empty where there is no more to say; or -1 with [err]
 * filled: a corner that is not on the machine, memory.
 */
int storus_box_possible(const torus_cluster_t *cluster,
			const storus_box_request_t *request, torus_error_t *err);

/*
 * Find the box of usable nodes, unused between [start] and [end], that a job would get
 * (machine/cluster_place.h). Returns 1, and the box is to be cleared; 0 if there is none;
 * or -1 with [err] filled (memory).
 */
int storus_box_find(const storus_busy_t *busy, const storus_box_request_t *request,
		    time_t start, time_t end, storus_box_t *box, torus_error_t *err);

#endif
