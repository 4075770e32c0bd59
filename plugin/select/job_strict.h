/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that must have a certain place: a box, or one interval of the curve. */
#ifndef TORUS_JOB_STRICT_H
#define TORUS_JOB_STRICT_H

#include "select/decision.h"

/* Start it now, or plan it; as select_p_job_test(), the chosen nodes in [bitmap]. */
int job_start_strictly(decision_t *d, bitstr_t *bitmap);

/*
 * Find a place for a strict job that could have it if all of [nodes] were free, and that
 * Slurm's plugin agrees to: 1, and [nodes] is that place; 0: there is none; -1: those
 * tried were refused, but not all could be tried.
 */
int find_strict_place_ever(decision_t *d, bitstr_t *nodes, uint32_t count);

#endif
