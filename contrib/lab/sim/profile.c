/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free nodes over time: see profile.h. */
#include "sim/profile.h"

#include <stdlib.h>
#include <string.h>

#include "machine/cluster_place.h"
#include "sim/gainers.h"

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
	if (profile->time)
		free(profile->time - profile->gone);
	if (profile->free)
		free(profile->free - profile->gone * (size_t)profile->tori);
	free(profile->change);
	free(profile->more);
	free(profile);
}

static int64_t *step_free(const torus_profile_t *profile, size_t step)
{
	return profile->free + step * (size_t)profile->tori;
}

/* The step of [low] .. [high] - 1 that holds [time]; it is there. O(log steps). */
static size_t step_within(const torus_profile_t *profile, size_t low, size_t high,
			  int64_t time)
{
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (profile->time[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The step that holds [time], which is not before the first. */
static size_t step_of(const torus_profile_t *profile, int64_t time)
{
	return step_within(profile, 0, profile->steps, time);
}

/* The same if it is not before step [low], but mostly near: O(log steps between). */
static size_t step_near(const torus_profile_t *profile, size_t low, int64_t time)
{
	size_t high = low + 1;

	while (high < profile->steps && profile->time[high] <= time) {
		size_t ahead = 2 * (high - low);

		low = high;
		high += ahead;
	}
	return step_within(profile, low, high < profile->steps ? high : profile->steps,
			   time);
}

void torus_profile_advance(torus_profile_t *profile, int64_t now)
{
	size_t gone = step_of(profile, now);

	profile->steps -= gone;
	profile->room -= gone;
	profile->gone += gone;
	profile->time += gone;
	profile->free += gone * (size_t)profile->tori;
	profile->time[0] = now;
}

/* Have the arrays begin where their memory does. */
static void settle(torus_profile_t *profile)
{
	size_t gone = profile->gone, tori = (size_t)profile->tori;
	int64_t *time = profile->time - gone, *free = profile->free - gone * tori;

	memmove(time, profile->time, profile->steps * sizeof(*time));
	memmove(free, profile->free, profile->steps * tori * sizeof(*free));
	profile->time = time;
	profile->free = free;
	profile->room += gone;
	profile->gone = 0;
}

static int make_room(torus_profile_t *profile, size_t steps)
{
	size_t room = profile->room;
	int64_t *time, *free;

	if (steps <= room)
		return 0;
	settle(profile);
	/* A quarter is left, so that this is not to be done again at once. */
	for (room = profile->room; room - room / 4 < steps;)
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

/* Whether step [a] would have as many nodes free as step [b] with nodes[] more. */
static bool is_same(const torus_profile_t *profile, size_t a, size_t b,
		    const int64_t *nodes)
{
	for (int t = 0; t < profile->tori; t++) {
		if (step_free(profile, a)[t] != step_free(profile, b)[t] + nodes[t])
			return false;
	}
	return true;
}

/* Steps from .. until-1 become steps from [to] on. */
static void move(torus_profile_t *profile, size_t to, size_t from, size_t until)
{
	size_t tori = (size_t)profile->tori;

	if (to == from || from >= until)
		return;
	memmove(profile->time + to, profile->time + from,
		(until - from) * sizeof(*profile->time));
	memmove(step_free(profile, to), step_free(profile, from),
		(until - from) * tori * sizeof(*profile->free));
}

/* Change the steps, for which there is room; the time is not empty. */
static void change_steps(torus_profile_t *profile, int64_t from, int64_t until,
			 const int64_t *nodes)
{
	size_t first, last, after, begin, end;
	bool split_first, split_last, same_first, same_last;
	int tori = profile->tori;

	first = step_of(profile, from);
	last = step_near(profile, first, until);
	split_first = profile->time[first] != from;
	split_last = profile->time[last] != until;
	/* Only at the two ends can a step become the same as the one before it. */
	same_first = !split_first && first && is_same(profile, first - 1, first, nodes);
	same_last = !split_last && is_same(profile, last, last - 1, nodes);

	/* What changes will be begin .. end-1, and then what does not, from [after] on.
	 */
	after = last + (split_last || same_last);
	begin = first + split_first;
	end = last + split_last + split_first - same_first;
	if (end + split_last > after) {
		move(profile, end + split_last, after, profile->steps);
		move(profile, begin, first + same_first, last + split_last);
	} else {
		move(profile, begin, first + same_first, last + split_last);
		move(profile, end + split_last, after, profile->steps);
	}
	profile->steps = profile->steps - after + end + split_last;
	if (split_first)
		profile->time[begin] = from;
	for (int t = 0; t < tori; t++) {
		int64_t more = nodes[t], *free = profile->free + t;

		for (size_t step = begin; step < end; step++)
			free[step * (size_t)tori] += more;
	}
	if (split_last) {
		profile->time[end] = until;
		for (int t = 0; t < profile->tori; t++)
			step_free(profile, end)[t] =
				step_free(profile, end - 1)[t] - nodes[t];
	}
	if (profile->gainers && nodes[0] > 0)
		torus_gainers_raised(profile->gainers, profile, begin - same_first, end,
				     nodes[0]);
}

/* Let the steps have all changes. */
static void catch_up(torus_profile_t *profile)
{
	for (size_t i = 0; i < profile->changes; i++) {
		const torus_profile_change_t *change = &profile->change[i];
		int64_t begin = profile->time[0];

		if (change->until > begin)
			change_steps(profile, change->from > begin ? change->from : begin,
				     change->until,
				     profile->more + i * (size_t)profile->tori);
	}
	profile->changes = 0;
}

/* Forget the changes whose time is over. */
static void forget_changes(torus_profile_t *profile)
{
	size_t kept = 0, tori = (size_t)profile->tori;

	for (size_t i = 0; i < profile->changes; i++) {
		if (profile->change[i].until <= profile->time[0])
			continue;
		profile->change[kept] = profile->change[i];
		memmove(profile->more + kept * tori, profile->more + i * tori,
			tori * sizeof(*profile->more));
		kept++;
	}
	profile->changes = kept;
}

/* Make room for one more change. Half is free then, so that this is seldom done. */
static int make_change_room(torus_profile_t *profile)
{
	size_t room = profile->change_room ? 2 * profile->change_room : 64;
	torus_profile_change_t *change;
	int64_t *more;

	if (profile->changes < profile->change_room)
		return 0;
	forget_changes(profile);
	if (2 * profile->changes < profile->change_room)
		return 0;
	change = reallocarray(profile->change, room, sizeof(*change));
	if (change)
		profile->change = change;
	more = reallocarray(profile->more, room * (size_t)profile->tori, sizeof(*more));
	if (more)
		profile->more = more;
	if (!change || !more)
		return -1;
	profile->change_room = room;
	return 0;
}

int torus_profile_add(torus_profile_t *profile, int64_t from, int64_t until,
		      const int64_t *nodes)
{
	size_t tori = (size_t)profile->tori;
	bool any = false;

	for (int t = 0; t < profile->tori; t++)
		any = any || nodes[t];
	if (from >= until || !any)
		return 0;
	if (make_room(profile, profile->steps + 2 * (profile->changes + 1)) != 0)
		return -1;
	if (profile->gainers) {
		change_steps(profile, from, until, nodes);
		return 0;
	}
	if (make_change_room(profile) != 0)
		return -1;
	profile->change[profile->changes] = (torus_profile_change_t){from, until};
	memcpy(profile->more + profile->changes * tori, nodes, tori * sizeof(*nodes));
	profile->changes++;
	return 0;
}

static void lower(int tori, int64_t *least, const int64_t *free)
{
	for (int t = 0; t < tori; t++)
		least[t] = free[t] < least[t] ? free[t] : least[t];
}

/* torus_profile_least() where the steps have all changes. */
static void find_least(const torus_profile_t *profile, int64_t from, int64_t until,
		       int64_t *least)
{
	size_t step = step_of(profile, from);

	memcpy(least, step_free(profile, step),
	       (size_t)profile->tori * sizeof(*profile->free));
	for (step++; step < profile->steps && profile->time[step] < until; step++)
		lower(profile->tori, least, step_free(profile, step));
}

void torus_profile_least(torus_profile_t *profile, int64_t from, int64_t until,
			 int64_t *least)
{
	catch_up(profile);
	find_least(profile, from, until, least);
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

int64_t torus_profile_before(torus_profile_t *profile, int64_t from, int64_t last,
			     int64_t until, uint32_t nodes, int64_t duration)
{
	const int64_t *time, *free;
	size_t steps, step;

	catch_up(profile);
	time = profile->time;
	free = profile->free;
	steps = profile->steps;
	step = step_of(profile, from);
	for (;;) {
		int64_t start, end;

		while (step < steps && free[step] < nodes && time[step] < last)
			step++;
		if (step == steps)
			return INT64_MAX;
		start = time_from(profile, step, from);
		if (start >= last)
			return INT64_MAX;
		end = end_of(start, duration);
		end = end < until ? end : until;
		while (step < steps && time[step] < end && free[step] >= nodes)
			step++;
		if (step == steps || time[step] >= end)
			return start;
	}
}

bool torus_profile_is_overbooked(torus_profile_t *profile)
{
	catch_up(profile);
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

		find_least(profile, start, end_of(start, duration), least);
		for (int t = 0; t < profile->tori; t++)
			sum += least[t] > 0 ? least[t] : 0;
		if (sum >= nodes)
			return start;
	}
	return INT64_MAX;
}

torus_plan_t torus_profile_earliest(torus_profile_t *profile, int64_t from,
				    uint32_t nodes, int64_t duration, bool spread,
				    const bool *on, int64_t *least)
{
	torus_plan_t plan = {INT64_MAX, spread ? TORUS_SPREAD : 0};

	catch_up(profile);
	if (spread)
		plan.start = earliest_spread(profile, from, nodes, duration, least);
	for (int t = 0; !spread && t < profile->tori; t++) {
		int64_t start = on && !on[t]
					? INT64_MAX
					: earliest_on(profile, from, t, nodes, duration);

		if (start < plan.start)
			plan = (torus_plan_t){start, t};
	}
	find_least(profile, plan.start, end_of(plan.start, duration), least);
	return plan;
}
