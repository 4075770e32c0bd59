/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs are on the simulated machine, and how much they disturb each other. Private
 * to the simulator.
 */
#ifndef TORUS_SIM_OCCUPANTS_H
#define TORUS_SIM_OCCUPANTS_H

#include <stddef.h>

#include "machine/cluster_place.h"
#include "measures/isolation.h"
#include "sim/simulate.h"

typedef struct torus_occupants {
	const torus_map_t *const *map; /* [tori] borrowed */
	size_t tori, jobs;
	torus_occupancy_t **occupancy; /* [tori] */
	torus_links_t *links;	       /* [jobs * tori] of the running jobs, owned */
	uint32_t *scratch;	       /* [nodes of the largest torus] */
} torus_occupants_t;

/*
 * The empty machine of [tori] maps, which must outlive it, for jobs 0 .. jobs-1. NULL
 * with [err] filled (memory).
 */
torus_occupants_t *torus_occupants_create(const torus_map_t *const *map, int tori,
					  size_t jobs, torus_error_t *err);
/* NULL is accepted. */
void torus_occupants_destroy(torus_occupants_t *occupants);

/*
 * [job] starts on part[0 .. tori-1]. Unless [isolation] is NULL, measure it against the
 * jobs that run; then all of it must be on one torus. Returns 0, or -1 with [err] filled
 * (memory).
 */
int torus_occupants_start(torus_occupants_t *occupants, size_t job,
			  const torus_part_t *part, torus_isolation_t *isolation,
			  torus_error_t *err);

/* [job] ends; it had run[0 .. runs-1], torus after torus. */
void torus_occupants_stop(torus_occupants_t *occupants, size_t job,
			  const torus_sim_run_t *run, uint32_t runs);

#endif
