/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few mappings that a search may begin with: those with the fewest hop-bytes. */
#ifndef TORUS_TASKMAP_SEARCH_STARTS_H
#define TORUS_TASKMAP_SEARCH_STARTS_H

#include <stdint.h>

#include "base/error.h"

/*
 * So many are kept. A grid of three axes on a machine of three dimensions has six turns
 * at most; of more turns those beyond the sixth hardly ever turn out to be the best.
 */
#define TORUS_STARTS_MOST 6

typedef struct torus_start {
	double hop_bytes;
	uint32_t *node_of_task; /* [tasks] */
} torus_start_t;

/* [count] of them, the fewest hop-bytes first. Those that are zeroed are empty. */
typedef struct torus_starts {
	uint32_t count;
	torus_start_t start[TORUS_STARTS_MOST];
} torus_starts_t;

/*
 * Add a copy of node_of_task[tasks], with [hop_bytes], if it is one of the best so far.
 * One with as many hop-bytes as another is taken for the same. Returns 0, or -1 with
 * [err] filled (memory).
 */
int torus_starts_add(torus_starts_t *starts, double hop_bytes,
		     const uint32_t *node_of_task, uint32_t tasks, torus_error_t *err);

/* Keep the first [count] of them, at most; then they may have others added again. */
void torus_starts_keep(torus_starts_t *starts, uint32_t count);

#endif
