/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are linked to each other, and their order along a ring or a line. */
#ifndef STORUS_LOCATE_RING_H
#define STORUS_LOCATE_RING_H

#include <stdint.h>

#include "base/error.h"

/* More hosts than this are taken for nonsense. */
#define STORUS_RING_HOSTS 65536

typedef struct storus_ring_host {
	char *name;	      /* owned; NULL: it has none */
	int32_t neighbour[2]; /* the first two */
	int neighbours;	      /* 3: or more */
} storus_ring_host_t;

/* Empty: {0}. Hosts are numbered from 0. */
typedef struct storus_ring {
	storus_ring_host_t *host; /* [hosts] */
	int32_t hosts;
	int32_t room; /* private */
} storus_ring_t;

/* Add the next host; its name may follow. Returns 0, or -1 with [err]. */
int storus_ring_add(storus_ring_t *ring, torus_error_t *err);

/* Name the host that was added last. Returns 0, or -1 with [err]. */
int storus_ring_name(storus_ring_t *ring, const char *name, torus_error_t *err);

/*
 * Say that [one] and [other] are linked. They may be added later; links of a host to
 * itself do not count, and several between the same two are one. Returns 0, or -1.
 */
int storus_ring_link(storus_ring_t *ring, int32_t one, int32_t other, torus_error_t *err);

/*
 * The host called [name], or, if there is none, the one whose name has the same beginning
 * up to the first dot. Returns its number, or -1 with [err]: none, or several.
 */
int32_t storus_ring_find(const storus_ring_t *ring, const char *name, torus_error_t *err);

/*
 * Find out where [host] is on the ring or line of those that it is linked with. A ring
 * begins at its lowest host and goes on to the lower of that one's two neighbours; a line
 * begins at the lower of its ends: for all of its hosts alike. *place counts from 0,
 * *first is where it begins. Returns 0, or -1 with [err]: neither ring nor line.
 */
int storus_ring_place(const storus_ring_t *ring, int32_t host, int32_t *place,
		      int32_t *first, torus_error_t *err);

void storus_ring_clear(storus_ring_t *ring);

#endif
