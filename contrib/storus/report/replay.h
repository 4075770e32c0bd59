/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the same jobs would have done with other allocators, by the simulator. */
#ifndef STORUS_REPORT_REPLAY_H
#define STORUS_REPORT_REPLAY_H

#include "storus/report/accounts.h"
#include "storus/report/sums.h"

/* One replay. */
typedef struct storus_replay_of {
	char *name; /* of the allocator, owned */
	storus_sums_t sums;
	storus_use_t use;
} storus_replay_of_t;

typedef struct storus_replayed {
	storus_replay_of_t *one; /* [count] owned */
	size_t count;
	storus_sums_t recorded; /* the same runs as they were */
	uint64_t skipped;	/* runs that are not replayed: see below */
} storus_replayed_t;

/*
 * Read the names of the allocators, separated by commas, of --replay. Returns 0, or -1
 * with [err] filled: there is none of that name, memory. In either case [replayed] is to
 * be cleared.
 */
int storus_replayed_read(storus_replayed_t *replayed, const char *names,
			 torus_error_t *err);

/*
 * Replay the runs of [accounts] with these allocators under the scheduler of its options,
 * and measure what they get as the runs themselves are measured. A run is replayed with
 * whole nodes and for as long as it was within the span. Those that began before it are
 * placed first; the others are submitted when they began to wait, but not before the span
 * begins. Skipped are runs whose nodes are not all on tori. The tori of accounts->cluster
 * have another allocator afterwards; what is alone stays. Returns 0, or -1 with [err]
 * filled (memory, a strategy that does not suit the machine).
 */
int storus_replayed_make(storus_replayed_t *replayed, storus_accounts_t *accounts,
			 torus_error_t *err);
void storus_replayed_clear(storus_replayed_t *replayed);

#endif
