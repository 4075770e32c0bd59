/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus reserve asks of a running Slurm. */
#ifndef STORUS_RESERVE_SLURM_H
#define STORUS_RESERVE_SLURM_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "storus/reserve/busy.h"

/* What a reservation is made of, beside its nodes. */
typedef struct storus_reservation {
	const char *name;     /* NULL: Slurm makes one */
	const char *users;    /* NULL: those of the accounts */
	const char *accounts; /* NULL: those of the users */
	uint64_t flags;	      /* of Slurm */
	time_t start;
	uint32_t minutes;
} storus_reservation_t;

/*
 * Read flags separated by commas, in any case, by the names that scontrol has for them.
 * Returns 0, or -1 with [err] filled: one that is unknown, or that does not go with a
 * list of nodes.
 */
int storus_reserve_flags(const char *text, uint64_t *flags, torus_error_t *err);

/*
 * After storus_slurm_start(), ask slurmctld what keeps the nodes of the cluster in [busy]
 * from a reservation with these flags, and add it: nodes that are down, drained or
 * unknown (with MAINT only unknown ones), running jobs until their time limit (not with
 * IGNORE_JOBS), other reservations (not with MAINT and OVERLAP, for which Slurm allows
 * it). Returns 0, or -1 with [err] filled.
 */
int storus_reserve_load(storus_busy_t *busy, uint64_t flags, torus_error_t *err);

/*
 * Make the reservation of these nodes. Returns its name, or NULL with [err] filled. The
 * name is never freed: whether by free() or by xfree() depends on Slurm's release.
 */
const char *storus_reserve_create(const storus_reservation_t *reservation,
				  const char *nodes, torus_error_t *err);

#endif
