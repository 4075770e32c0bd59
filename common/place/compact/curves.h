/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines along which `compact` looks for windows: the machine's own line of ranks, and
 * Hilbert curves of its box, turned, reflected and, around the end of wrapped dimensions,
 * shifted. Private to place/compact/.
 */
#ifndef TORUS_PLACE_COMPACT_CURVES_H
#define TORUS_PLACE_COMPACT_CURVES_H

#include "place/compact/sweep.h"

/* How many curves there are. */
#define TORUS_COMPACT_CURVES 6

typedef struct torus_compact_curves {
	const torus_site_t *site;
	uint32_t *place; /* [cells] each cell's place on the curve */
	/* Of each curve and axis [length]: what the coordinate adds to the index in
	 * place[] of the cell that this one is moved to */
	uint32_t *moved;
	uint32_t lengths;
	uint64_t *passed; /* bitmap of places, scratch memory */
	uint32_t *at;	  /* [cells] scratch memory */
} torus_compact_curves_t;

/* Returns 0, or -1 with [err] filled (memory). Must be ended in both cases. */
int torus_compact_curves_begin(torus_compact_curves_t *curves, const torus_site_t *site,
			       torus_error_t *err);
void torus_compact_curves_end(torus_compact_curves_t *curves);

/*
 * List the free nodes that are not in the set, in the order of [curve]. O(their cells +
 * cells / 64).
 */
void torus_compact_curves_list(torus_compact_curves_t *curves, uint32_t curve,
			       const torus_compact_set_t *set,
			       torus_compact_line_t *line);

#endif
