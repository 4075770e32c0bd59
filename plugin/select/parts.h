/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that count features (slurm/features.h), part by part.
 *
 * Backfill never asks about the whole job: it asks for each feature, takes away what it
 * was given, and puts the answers together, in which a strict job would hardly ever find
 * its place. So the last answer is the place of the whole job, among all nodes that were
 * offered for any of its features, and the answers before it are no nodes at all: they
 * only say that, and when, there are enough.
 */
#ifndef TORUS_SELECT_PARTS_H
#define TORUS_SELECT_PARTS_H

#include "select/job_decide.h"
#include "slurm/features.h"

typedef enum plan_part {
	PLAN_PART_UNKNOWN, /* not one of those that are asked for in turn */
	PLAN_PART_FIRST,   /* one after which others follow */
	PLAN_PART_LAST,
} plan_part_t;

/*
 * Which part of [job] is asked about, with the nodes [offered]. With PLAN_PART_LAST these
 * are now the nodes offered for any part.
 */
plan_part_t parts_note(const job_record_t *job, bitstr_t *offered);

/* Forget what was noted of plans; at the plugin's end. */
void parts_forget(void);

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
