/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells that are closed for a while, perhaps again and again: Slurm's reservations. */
#ifndef TORUS_CAPACITY_CLOSURES_H
#define TORUS_CAPACITY_CLOSURES_H

#include <stdbool.h>
#include <stdint.h>

/* From [start] until just before [end], in seconds, start < end. */
typedef struct torus_closure {
	int64_t start, end;
	int64_t period;	       /* and again after each such time, for ever; 0: once */
	const uint64_t *cells; /* bitmap of all cells; borrowed */
} torus_closure_t;

/* Whether the closure, or a repetition of it, is in force between [from] and [until]. */
bool torus_closure_in_force(const torus_closure_t *closure, int64_t from, int64_t until);

/*
 * List the times after [from] and not after [until], in no order, at which what is free
 * for [seconds] >= 1 changes because of the closure: when it ends, and when only
 * [seconds] - 1 are left before it begins; at most [room] of them into [time]. Returns
 * how many there are.
 */
uint64_t torus_closure_changes(const torus_closure_t *closure, int64_t seconds,
			       int64_t from, int64_t until, int64_t *time, uint64_t room);

#endif
