/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that must have a certain place: a box, or one interval of the curve. */
#ifndef TORUS_JOB_STRICT_H
#define TORUS_JOB_STRICT_H

#include "select/decision.h"

/* Start it now, or plan it; as select_p_job_test(), the chosen nodes in [bitmap]. */
int job_start_strictly(job_decision_t *d, bitstr_t *bitmap);

/* The same for a start now, or when a plan may begin, on free nodes only. */
int job_start_strictly_now(job_decision_t *d, bitstr_t *bitmap);

/*
 * Find a place for a strict job that could have it if all of [nodes] were free, and that
 * Slurm's plugin agrees to: with TORUS_PLACE_FOUND [nodes] is that place.
 */
torus_outcome_t find_strict_place_ever(job_decision_t *d, bitstr_t *nodes);

#endif
