/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box that a job could have at once, though smaller than what it asks for. */
#ifndef STORUS_SHOW_AT_ONCE_H
#define STORUS_SHOW_AT_ONCE_H

#include "storus/capacity/room.h"

typedef struct storus_at_once {
	uint32_t nodes;		     /* 0: none */
	char sides[TORUS_DIMS_TEXT]; /* such as "4x2x2"; of whole cubes those of the torus
				      * that they are joined to */
} storus_at_once_t;

/*
 * Make *best the largest box of at most [most] nodes that shape=any could have now on the
 * torus of [room], all nodes of its routers; *best stays if none is larger. Returns 0, or
 * -1 with [err] filled.
 */
int storus_at_once(const storus_room_t *room, uint32_t most, storus_at_once_t *best,
		   torus_error_t *err);

#endif
