/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of a compact allocation of the same size, and by how much a job with
 * another allocation is slower: the rule of slowdown.h. Private to the simulator. */
#ifndef TORUS_SIM_IDEAL_H
#define TORUS_SIM_IDEAL_H

#include "machine/map.h"
#include "metrics/metrics.h"
#include "sim/slowdown.h"

typedef struct torus_ideal {
	const torus_map_t *const *map; /* [tori], borrowed */
	int tori;
	torus_slowdown_t slowdown;
	double **value; /* [tori][nodes + 1] below 0: not computed yet */
} torus_ideal_t;

/* NULL: out of memory. Destroy accepts NULL. */
torus_ideal_t *torus_ideal_create(const torus_map_t *const *map, int tori,
				  const torus_slowdown_t *slowdown);
void torus_ideal_destroy(torus_ideal_t *ideal);

/*
 * The factor, 1 or more, for the run time of a job whose allocation on torus [torus] has
 * these metrics. Returns 0, or -1 with [err] filled (memory). O(1), the first time
 * for a size that of torus_metrics().
 */
int torus_ideal_penalty(torus_ideal_t *ideal, int torus, const torus_metrics_t *metrics,
			double *penalty, torus_error_t *err);

/*
 * The metrics of [nodes] nodes, at most those of [map], packed as slowdown.h says; spans
 * are the number of nodes. Returns 0, or -1 with [err] filled (memory).
 */
int torus_ideal_metrics(const torus_map_t *map, uint32_t nodes, torus_metrics_t *metrics,
			torus_error_t *err);

#endif
