/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps nodes from being reserved, and until when. */
#ifndef STORUS_RESERVE_BUSY_H
#define STORUS_RESERVE_BUSY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "machine/cluster.h"

/* A node: its number on torus [map]. */
typedef struct storus_used_node {
	int map;
	uint32_t rank;
} storus_used_node_t;

/* A job, or a reservation: nodes from [start] until just before [end]. */
typedef struct storus_use {
	storus_used_node_t *node; /* [nodes] those on some torus, owned */
	uint32_t nodes;
	time_t start;
	time_t end;
	time_t period; /* and again after each such time; 0: once */
} storus_use_t;

typedef struct storus_busy {
	const torus_cluster_t *cluster; /* borrowed */
	uint64_t **fit;	   /* [maps] bitmaps by rank, owned: nodes that are up */
	storus_use_t *use; /* [uses] */
	size_t uses;
} storus_busy_t;

/* Empty bitmaps by rank, one a torus; NULL: out of memory. */
uint64_t **storus_bitmaps_create(const torus_cluster_t *cluster);
void storus_bitmaps_destroy(uint64_t **bitmaps, const torus_cluster_t *cluster);

/*
 * Begin an empty record of [cluster]: no node is usable, none used. Returns 0, or -1
 * with [err] filled.
 */
int storus_busy_init(storus_busy_t *busy, const torus_cluster_t *cluster,
		     torus_error_t *err);

/* Note that the node called [name] is usable. Nodes on no torus are ignored. */
void storus_busy_fit(storus_busy_t *busy, const char *name);

/*
 * Note that the nodes of a hostlist are used. Returns 0, or -1 with [err] filled: not a
 * hostlist, memory.
 */
int storus_busy_use(storus_busy_t *busy, const char *hosts, time_t start, time_t end,
		    time_t period, torus_error_t *err);

/*
 * Fill free[0 .. maps-1], bitmaps by rank, with the usable nodes that nothing uses
 * between [start] and [end].
 */
void storus_busy_free(const storus_busy_t *busy, time_t start, time_t end,
		      uint64_t *const *free);

/*
 * The earliest end of a use of nodes after [after]; 0 if there is none. Ends of
 * repeated reservations count within a week only.
 */
time_t storus_busy_next_end(const storus_busy_t *busy, time_t after);

void storus_busy_clear(storus_busy_t *busy);

#endif
