/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `compact` keeps from one decision to the next. Private to place/. */
#ifndef TORUS_PLACE_COMPACT_H
#define TORUS_PLACE_COMPACT_H

typedef struct torus_compact torus_compact_t;

/* Accepts NULL. */
void torus_compact_destroy(torus_compact_t *compact);

#endif
