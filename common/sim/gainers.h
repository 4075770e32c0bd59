/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which waiting jobs may start sooner than they are reserved for, since nodes have become
 * free in the profile. Private to the simulator.
 *
 * A job that was looked at and found no earlier time gains only by nodes that have become
 * free since. When they do, the longest windows of time are kept in which its number of
 * nodes is free, and which were not there before: a job gains within one of these or not
 * at all. Windows are kept by bands of jobs: numbers of nodes from one to another, of
 * which the windows of the least are kept. So the answer may be yes where it should be
 * no, but not the other way round.
 */
#ifndef TORUS_SIM_GAINERS_H
#define TORUS_SIM_GAINERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bitmap.h"

struct torus_profile;

/* At most so many bands, and windows of each. */
#define TORUS_GAIN_BANDS 32
#define TORUS_GAIN_WINDOWS 256
/* So many windows, which are looked at one by one only if all of them may matter. */
#define TORUS_GAIN_BLOCK 8

/* From [from] until [until] there are enough nodes, since [at]. */
typedef struct torus_gain_window {
	uint64_t at;
	int64_t from, until;
} torus_gain_window_t;

/* What holds for windows of a block: the least .from, the most of the others. */
typedef struct torus_gain_block {
	uint64_t at, length;
	int64_t from, until;
} torus_gain_block_t;

/* Jobs of [least] to [most] nodes. */
typedef struct torus_gain_band {
	uint32_t least, most;
	/* No waiting job has a later start: as of now, and of the last round. Windows
	 * beyond are of no use. */
	int64_t latest, seen;
	/* By .at, ascending; none is within a later one. */
	int windows;
	torus_gain_window_t window[TORUS_GAIN_WINDOWS];
	torus_gain_block_t block[TORUS_GAIN_WINDOWS / TORUS_GAIN_BLOCK];
} torus_gain_band_t;

/* The job on a place in the queue. */
typedef struct torus_gain_place {
	uint64_t looked; /* when it was last looked at */
	int64_t duration;
	uint32_t nodes;
	uint32_t band;
} torus_gain_place_t;

typedef struct torus_gainers {
	uint64_t now;		   /* counts how often nodes have become free */
	uint64_t begin;		   /* .now at the beginning of the last round */
	torus_gain_place_t *place; /* [places] */
	uint32_t places, bands;
	uint64_t *waiting; /* those with a reservation */
	torus_gain_band_t band[TORUS_GAIN_BANDS];
} torus_gainers_t;

/*
 * For jobs on [places] places in the queue: place[], of which .nodes and .duration are
 * filled, from malloc(); they are taken over, also if memory is short, which returns
 * NULL.
 */
torus_gainers_t *torus_gainers_create(torus_gain_place_t *place, uint32_t places);
/* NULL is accepted. */
void torus_gainers_destroy(torus_gainers_t *gainers);

/*
 * In the steps first .. last-1 of the profile, which has one torus, [nodes] more are free
 * than before. O(steps * bands that gain).
 */
void torus_gainers_raised(torus_gainers_t *gainers, const struct torus_profile *profile,
			  size_t first, size_t last, int64_t nodes);

/*
 * A round begins, in which all jobs with reservations are looked at: what no job can have
 * missed is forgotten.
 */
void torus_gainers_begin(torus_gainers_t *gainers);

/* The job on [place] is reserved for from [start] on, before which it has no time. */
static inline void torus_gainers_looked(torus_gainers_t *gainers, uint32_t place,
					int64_t start)
{
	torus_gain_place_t *job = &gainers->place[place];
	torus_gain_band_t *band = &gainers->band[job->band];

	job->looked = gainers->now;
	band->latest = start > band->latest ? start : band->latest;
	band->seen = start > band->seen ? start : band->seen;
	torus_bit_set(gainers->waiting, place);
}

/* The job on [place] has none any more. */
static inline void torus_gainers_gone(torus_gainers_t *gainers, uint32_t place)
{
	torus_bit_clear(gainers->waiting, place);
}

/*
 * The first place from [from] on with a job that may gain, where time[] has the reserved
 * starts by place; TORUS_NO_PLACE: there is none. Its new start is from *first on and
 * before *last, if it has one. A job whose time is before [now] is always returned, with
 * both times 0. The jobs on the places passed over count as looked at.
 */
uint32_t torus_gainers_next(torus_gainers_t *gainers, const int64_t *time, uint32_t from,
			    int64_t now, int64_t *first, int64_t *last);

#endif
