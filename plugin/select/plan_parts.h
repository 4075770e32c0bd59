/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of backfill for a job that counts features (slurm/features.h). Backfill never
 * asks about the whole job: it asks for each feature, takes away what it was given, and
 * puts the answers together, in which a strict job would hardly ever find its place. So
 * the last answer is the place of the whole job, among all nodes that were offered for any
 * of its features, and the answers before it are no nodes at all: they only say that, and
 * when, there are enough.
 */
#ifndef TORUS_PLAN_PARTS_H
#define TORUS_PLAN_PARTS_H

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
plan_part_t plan_parts_note(const job_record_t *job, bitstr_t *offered);

/* Forget what was noted; at the plugin's end. */
void plan_parts_free(void);

#endif
