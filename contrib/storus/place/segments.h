/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The segments of a choice, as storus place prints them. */
#ifndef STORUS_PLACE_SEGMENTS_H
#define STORUS_PLACE_SEGMENTS_H

#include "machine/cluster_place.h"
#include "storus/cli/output.h"

/* segments, segment_nodes where nodes have names, segment_distance. */
#define STORUS_SEGMENT_FIELDS 3

typedef struct storus_segments {
	char *ranks;	 /* "0-3;8-11" */
	char *nodes;	 /* "n[000-003];n[008-011]", or NULL */
	double distance; /* mean hops between two nodes of a segment */
} storus_segments_t;

/*
 * Cut the choice of [part] on [map], of a multiple of [size] nodes, as
 * torus_segments_cut() does. Returns 0, or -1 with [err] filled (memory); in either case
 * to be cleared.
 */
int storus_segments_cut(const torus_map_t *map, const torus_part_t *part, uint32_t size,
			storus_segments_t *segments, torus_error_t *err);
void storus_segments_clear(storus_segments_t *segments);

/* Fill fields[] (borrowing the texts). Returns how many. */
size_t storus_segments_fields(const storus_segments_t *segments,
			      storus_field_t fields[STORUS_SEGMENT_FIELDS]);

#endif
