/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where a job could have the nodes that it wants on one torus. */
#ifndef STORUS_CAPACITY_WANTED_H
#define STORUS_CAPACITY_WANTED_H

#include "place/shape.h"
#include "storus/capacity/room.h"

typedef struct storus_wanted {
	uint32_t nodes; /* 0: those of the shape */
	const torus_shapes_t
		*shapes; /* one of these boxes; NULL or none asked: any place */
	uint32_t near; /* near enough: thousandths, as torus_is_near(); 0: nothing is said
			*/
	bool contiguous; /* one interval of the curve */
} storus_wanted_t;

/* What it could have. */
typedef struct storus_granted {
	int64_t when; /* INT64_MIN: now */
	bool unknown; /* the time depends on jobs or a reservation that Slurm does not
		       * show; then neither it nor the place is known */
	uint32_t nodes;
	uint64_t *ranks; /* bitmap of its [nodes] ranks; NULL: unknown */
	double hops;	 /* mean over pairs of nodes; 0 of a single one */
	double alone;	 /* of as many nodes alone, as "near" compares; 0: not known */
} storus_granted_t;

/*
 * The first time, not before room->when.now, at which the allocator in force places such
 * a job, if all jobs end at their limit, none before, no other starts, and reservations
 * are as they are now; and where. Nodes of the lowest weight come first, as the plugins
 * choose. Returns 1 with *granted, to be cleared; 0: never; or -1 with [err] filled.
 */
int storus_wanted_first(const storus_room_t *room, const storus_wanted_t *wanted,
			storus_granted_t *granted, torus_error_t *err);

/* The same if it had to be now: 0 if it cannot. */
int storus_wanted_now(const storus_room_t *room, const storus_wanted_t *wanted,
		      storus_granted_t *granted, torus_error_t *err);

void storus_granted_clear(storus_granted_t *granted);

/*
 * The nodes that are set in the bitmap [ranks]: a hostlist, or of nodes without names a
 * list of ranks; malloc'ed. NULL: out of memory.
 */
char *storus_ranks_format(const torus_map_t *map, const uint64_t *ranks);

/*
 * Write the sides of the smallest box around them, such as "4x2x2"; of whole cubes those
 * of the torus that they are joined to (torus/joined.h). Returns 0, or -1 with [err]
 * filled (memory).
 */
int storus_ranks_sides(const torus_map_t *map, const uint64_t *ranks,
		       char text[TORUS_DIMS_TEXT], torus_error_t *err);

#endif
