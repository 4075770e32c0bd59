/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free nodes over time: see profile.h. */
#include "sim/profile.h"

#include <stdlib.h>
#include <string.h>

#include "machine/cluster_place.h"

torus_profile_t *torus_profile_create(int tori, const uint32_t *nodes, int64_t begin)
{
	torus_profile_t *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->tori = tori;
	profile->room = 16;
	profile->time = malloc(profile->room * sizeof(*profile->time));
	profile->free = malloc(profile->room * (size_t)tori * sizeof(*profile->free));
	if (!profile->time || !profile->free) {
		torus_profile_destroy(profile);
		return NULL;
	}
	profile->steps = 1;
	profile->time[0] = begin;
	for (int t = 0; t < tori; t++)
		profile->free[t] = nodes[t];
	return profile;
}

void torus_profile_destroy(torus_profile_t *profile)
{
	if (!profile)
		return;
	free(profile->time);
	free(profile->free);
	free(profile);
}

static int64_t *step_free(const torus_profile_t *profile, size_t step)
{
	return profile->free + step * (size_t)profile->tori;
}

/* The step that holds [time], which is not before the first. O(log steps). */
static size_t step_of(const torus_profile_t *profile, int64_t time)
{
	size_t low = 0, high = profile->steps;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (profile->time[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void torus_profile_advance(torus_profile_t *profile, int64_t now)
{
	size_t gone = step_of(profile, now);

	if (gone) {
		profile->steps -= gone;
		memmove(profile->time, profile->time + gone,
			profile->steps * sizeof(*profile->time));
		memmove(profile->free, step_free(profile, gone),
			profile->steps * (size_t)profile->tori * sizeof(*profile->free));
	}
	profile->time[0] = now;
}

static int make_room(torus_profile_t *profile, size_t steps)
{
	size_t room = profile->room;
	int64_t *time, *free;

	while (room < steps)
		room *= 2;
	if (room == profile->room)
		return 0;
	time = reallocarray(profile->time, room, sizeof(*time));
	if (time)
		profile->time = time;
	free = reallocarray(profile->free, room * (size_t)profile->tori, sizeof(*free));
	if (free)
		profile->free = free;
	if (!time || !free)
		return -1;
	profile->room = room;
	return 0;
}

/* The step that begins at [time], for which there is room. */
static size_t split(torus_profile_t *profile, int64_t time)
{
	size_t step = step_of(profile, time), tori = (size_t)profile->tori, after;

	if (profile->time[step] == time)
		return step;
	after = profile->steps - step - 1;
	memmove(profile->time + step + 2, profile->time + step + 1,
		after * sizeof(*profile->time));
	memmove(step_free(profile, step + 2), step_free(profile, step + 1),
		after * tori * sizeof(*profile->free));
	memcpy(step_free(profile, step + 1), step_free(profile, step),
	       tori * sizeof(*profile->free));
	profile->time[step + 1] = time;
	profile->steps++;
	return step + 1;
}

/* Whether as many nodes are free as in the step before, so that the step can go. */
static bool is_same(const torus_profile_t *profile, size_t step)
{
	return memcmp(step_free(profile, step - 1), step_free(profile, step),
		      (size_t)profile->tori * sizeof(*profile->free)) == 0;
}

static void drop(torus_profile_t *profile, size_t step)
{
	size_t after = profile->steps - step - 1;

	memmove(profile->time + step, profile->time + step + 1,
		after * sizeof(*profile->time));
	memmove(step_free(profile, step), step_free(profile, step + 1),
		after * (size_t)profile->tori * sizeof(*profile->free));
	profile->steps--;
}

int torus_profile_add(torus_profile_t *profile, int64_t from, int64_t until,
		      const int64_t *nodes)
{
	size_t first, last;

	if (from >= until)
		return 0;
	if (make_room(profile, profile->steps + 2) != 0)
		return -1;
	first = split(profile, from);
	last = split(profile, until);
	for (size_t step = first; step < last; step++) {
		for (int t = 0; t < profile->tori; t++)
			step_free(profile, step)[t] += nodes[t];
	}
	/* Only at the two ends can a step have become the same as its neighbour. */
	if (is_same(profile, last))
		drop(profile, last);
	if (first && is_same(profile, first))
		drop(profile, first);
	return 0;
}

static void lower(int tori, int64_t *least, const int64_t *free)
{
	for (int t = 0; t < tori; t++)
		least[t] = free[t] < least[t] ? free[t] : least[t];
}

void torus_profile_least(const torus_profile_t *profile, int64_t from, int64_t until,
			 int64_t *least)
{
	size_t step = step_of(profile, from);

	memcpy(least, step_free(profile, step),
	       (size_t)profile->tori * sizeof(*profile->free));
	for (step++; step < profile->steps && profile->time[step] < until; step++)
		lower(profile->tori, least, step_free(profile, step));
}

/* [start] + [duration], or the end of time. */
static int64_t end_of(int64_t start, int64_t duration)
{
	int64_t end;

	return __builtin_add_overflow(start, duration, &end) ? INT64_MAX : end;
}

/* The time of [step], but not before [from]. */
static int64_t time_from(const torus_profile_t *profile, size_t step, int64_t from)
{
	return profile->time[step] > from ? profile->time[step] : from;
}

/* When [nodes] of torus [t] are free for [duration]; INT64_MAX: never. */
static int64_t earliest_on(const torus_profile_t *profile, int64_t from, int t,
			   uint32_t nodes, int64_t duration)
{
	bool found = false;
	int64_t start = 0;

	for (size_t step = 0; step < profile->steps; step++) {
		bool enough = step_free(profile, step)[t] >= nodes;

		if (found && profile->time[step] >= end_of(start, duration))
			break;
		if (enough && !found)
			start = time_from(profile, step, from);
		found = enough;
	}
	return found ? start : INT64_MAX;
}

int64_t torus_profile_before(const torus_profile_t *profile, int64_t from, int64_t until,
			     uint32_t nodes, int64_t duration)
{
	const int64_t *time = profile->time, *free = profile->free;
	size_t steps = profile->steps, step = 0;

	for (;;) {
		int64_t start, end;

		while (step < steps && free[step] < nodes)
			step++;
		if (step == steps)
			return INT64_MAX;
		start = time_from(profile, step, from);
		if (start >= until)
			return INT64_MAX;
		end = end_of(start, duration);
		end = end < until ? end : until;
		while (step < steps && time[step] < end && free[step] >= nodes)
			step++;
		if (step == steps || time[step] >= end)
			return start;
	}
}

bool torus_profile_is_overbooked(const torus_profile_t *profile)
{
	for (size_t i = 0; i < profile->steps * (size_t)profile->tori; i++) {
		if (profile->free[i] < 0)
			return true;
	}
	return false;
}

/* The same on all tori together: of each those that are free all the time. */
static int64_t earliest_spread(const torus_profile_t *profile, int64_t from,
			       uint32_t nodes, int64_t duration, int64_t *least)
{
	for (size_t step = 0; step < profile->steps; step++) {
		int64_t start = time_from(profile, step, from), sum = 0;

		torus_profile_least(profile, start, end_of(start, duration), least);
		for (int t = 0; t < profile->tori; t++)
			sum += least[t] > 0 ? least[t] : 0;
		if (sum >= nodes)
			return start;
	}
	return INT64_MAX;
}

torus_plan_t torus_profile_earliest(const torus_profile_t *profile, int64_t from,
				    uint32_t nodes, int64_t duration, bool spread,
				    const bool *on, int64_t *least)
{
	torus_plan_t plan = {INT64_MAX, spread ? TORUS_SPREAD : 0};

	if (spread)
		plan.start = earliest_spread(profile, from, nodes, duration, least);
	for (int t = 0; !spread && t < profile->tori; t++) {
		int64_t start = on && !on[t]
					? INT64_MAX
					: earliest_on(profile, from, t, nodes, duration);

		if (start < plan.start)
			plan = (torus_plan_t){start, t};
	}
	torus_profile_least(profile, plan.start, end_of(plan.start, duration), least);
	return plan;
}
