/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes for a part of a job that counts features (slurm/features.h). */
#ifndef TORUS_SELECT_PICK_PART_H
#define TORUS_SELECT_PICK_PART_H

#include "select/job_decide.h"

/*
 * Pick nodes for the part that [call] asks about, now or ever, among those in [bitmap],
 * which are then those picked. Returns what Slurm is to be told.
 *
 * Slurm adds to the nodes that a job names those picked for parts, so that of the former
 * as many as can be are picked. GRES that only the whole job must have would make Slurm's
 * plugin take more nodes than the part has, or find too few: then nodes that have GRES
 * are picked without it.
 */
int pick_part(const job_test_call_t *call, bitstr_t *bitmap);

#endif
