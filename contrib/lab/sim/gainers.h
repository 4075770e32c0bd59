/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which waiting jobs may start sooner than they are reserved for, since nodes have become
 * free in the profile. Private to the simulator.
 *
 * A job that was looked at and found no earlier time gains only by nodes that have become
 * free since. When they do, the longest windows of time are found in which its number of
 * nodes is free, and which were not there before: a job gains within one of these or not
 * at all. So each window is told at once to the jobs that are short enough for it. They
 * are told by bands of jobs, numbers of nodes from one to another, of which the windows
 * of the least are taken. So the answer may be yes where it should be no, but not the
 * other way round.
 */
#ifndef TORUS_SIM_GAINERS_H
#define TORUS_SIM_GAINERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct torus_profile;

/* At most so many bands. */
#define TORUS_GAIN_BANDS 32

/* A waiting job with a reservation. */
typedef struct torus_gain_job {
	int64_t start, duration;
	int64_t first, last; /* its windows since it was looked at are between these */
	uint32_t place;
} torus_gain_job_t;

/* Jobs of [least] to [most] nodes. */
typedef struct torus_gain_band {
	uint32_t least, most;
	uint32_t jobs;
	torus_gain_job_t *job; /* [jobs] by .start, descending */
} torus_gain_band_t;

/* What stands on a place in the queue. */
typedef struct torus_gain_place {
	int64_t duration;
	uint32_t nodes;
	uint32_t band;
	uint32_t slot; /* in its band's jobs, while it has a reservation */
	bool reserved; /* it has one */
} torus_gain_place_t;

typedef struct torus_gainers {
	torus_gain_place_t *place; /* [places of the queue] */
	uint32_t seen; /* no job on this place or behind it has had a reservation */
	uint64_t *may; /* bitmap of places: the job has windows */
	uint32_t bands;
	torus_gain_band_t band[TORUS_GAIN_BANDS];
	torus_gain_job_t *job; /* room for those of all bands */
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
 * than before. O(steps * bands that gain), and O(jobs of the band) for each window.
 */
void torus_gainers_raised(torus_gainers_t *gainers, const struct torus_profile *profile,
			  size_t first, size_t last, int64_t nodes);

/*
 * The job on [place] is reserved for from [start] on, before which it has no time. O(jobs
 * of the band between its old start and the new one).
 */
void torus_gainers_looked(torus_gainers_t *gainers, uint32_t place, int64_t start);

/* The job on [place] has no reservation any more, if it had one. */
void torus_gainers_gone(torus_gainers_t *gainers, uint32_t place);

/*
 * The first place from [from] on with a job that may gain; TORUS_NO_PLACE: there is none.
 * Its new start is from *first on and before *last, if it has one.
 */
uint32_t torus_gainers_next(const torus_gainers_t *gainers, uint32_t from, int64_t *first,
			    int64_t *last);

#endif
