/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may gain: see gainers.h. */
#include "sim/gainers.h"

#include <stdlib.h>
#include <string.h>

#include "sim/profile.h"
#include "sim/queue.h"

static int compare_nodes(const void *a, const void *b)
{
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

	return first < second ? -1 : first > second;
}

/*
 * Cut the sorted numbers of nodes into classes of about equally many jobs, none of which
 * shares a number with another: a number that many jobs have is a class of its own.
 */
static void make_classes(torus_gainers_t *gainers, const uint32_t *nodes, uint32_t places)
{
	uint32_t next = 0;

	while (next < places) {
		uint32_t left = TORUS_GAIN_CLASSES - gainers->classes;
		uint32_t last = next + (places - next - 1) / left;
		torus_gain_class_t *class = &gainers->class[gainers->classes++];

		class->least = nodes[next];
		class->most = nodes[last];
		class->latest = class->seen = INT64_MIN;
		for (next = last + 1; next < places && nodes[next] == class->most;)
			next++;
	}
}

static uint32_t class_of(const torus_gainers_t *gainers, uint32_t nodes)
{
	uint32_t class = 0;

	while (gainers->class[class].most < nodes)
		class ++;
	return class;
}

torus_gainers_t *torus_gainers_create(torus_gain_place_t *place, uint32_t places)
{
	torus_gainers_t *gainers = calloc(1, sizeof(*gainers));
	uint32_t *sorted = calloc((size_t)places + 1, sizeof(*sorted));

	if (!gainers) {
		free(sorted);
		free(place);
		return NULL;
	}
	gainers->place = place;
	gainers->places = places;
	gainers->waiting = torus_bitmap_create(places + 1);
	if (!gainers->waiting || !sorted) {
		free(sorted);
		torus_gainers_destroy(gainers);
		return NULL;
	}
	for (uint32_t i = 0; i < places; i++)
		sorted[i] = place[i].nodes;
	qsort(sorted, places, sizeof(*sorted), compare_nodes);
	make_classes(gainers, sorted, places);
	for (uint32_t i = 0; i < places; i++)
		place[i].class = class_of(gainers, place[i].nodes);
	free(sorted);
	return gainers;
}

void torus_gainers_destroy(torus_gainers_t *gainers)
{
	if (!gainers)
		return;
	free(gainers->waiting);
	free(gainers->place);
	free(gainers);
}

static uint64_t length_of(const torus_gain_window_t *window)
{
	return (uint64_t)window->until - (uint64_t)window->from;
}

/* Let the block of the window on [i] know it; it knows those before. */
static void widen(torus_gain_class_t *class, int i)
{
	torus_gain_block_t *block = &class->block[i / TORUS_GAIN_BLOCK];
	const torus_gain_window_t *window = &class->window[i];
	uint64_t length = length_of(window);

	if (i % TORUS_GAIN_BLOCK == 0)
		*block = (torus_gain_block_t){0, 0, INT64_MAX, INT64_MIN};
	block->at = window->at;
	block->length = length > block->length ? length : block->length;
	block->from = window->from < block->from ? window->from : block->from;
	block->until = window->until > block->until ? window->until : block->until;
}

/* Forget the [count] oldest windows. */
static void forget(torus_gain_class_t *class, int count)
{
	if (!count)
		return;
	class->windows -= count;
	memmove(class->window, class->window + count,
		(size_t) class->windows * sizeof(*class->window));
	for (int i = 0; i < class->windows; i++)
		widen(class, i);
}

/* If there is no room, the older windows become half as many, each holding two. */
static void halve(torus_gain_class_t *class)
{
	torus_gain_window_t *window = class->window;

	class->windows /= 2;
	for (int i = 0; i < class->windows; i++) {
		const torus_gain_window_t *a = &window[2 * i], *b = a + 1;

		window[i] = (torus_gain_window_t){
			b->at, a->from < b->from ? a->from : b->from,
			a->until > b->until ? a->until : b->until};
		widen(class, i);
	}
}

static void keep(torus_gain_class_t *class, const torus_gain_window_t *window)
{
	const torus_gain_window_t *kept = class->window;

	while (class->windows && window->from <= kept[class->windows - 1].from &&
	       kept[class->windows - 1].until <= window->until)
		class->windows--;
	if (class->windows == TORUS_GAIN_WINDOWS)
		halve(class);
	class->window[class->windows] = *window;
	widen(class, class->windows++);
}

/* Keep the windows that the class has by the change of torus_gainers_raised(). */
static void keep_windows(torus_gain_class_t *class, const torus_profile_t *profile,
			 size_t first, size_t last, int64_t nodes, uint64_t at)
{
	const int64_t *free = profile->free;

	for (size_t step = first; step < last; step++) {
		torus_gain_window_t window = {.at = at, .until = INT64_MAX};
		size_t begin = step;

		if (free[step] < class->least || free[step] - nodes >= class->most)
			continue;
		while (begin && free[begin - 1] >= class->least)
			begin--;
		while (step < profile->steps && free[step] >= class->least)
			step++;
		window.from = profile->time[begin];
		if (window.from >= class->latest)
			return;
		if (step < profile->steps)
			window.until = profile->time[step];
		keep(class, &window);
	}
}

void torus_gainers_raised(torus_gainers_t *gainers, const torus_profile_t *profile,
			  size_t first, size_t last, int64_t nodes)
{
	int64_t least = profile->free[first], most = least;

	gainers->now++;
	for (size_t step = first; step < last; step++) {
		int64_t free = profile->free[step];

		least = free < least ? free : least;
		most = free > most ? free : most;
	}
	for (uint32_t i = 0; i < gainers->classes && gainers->class[i].least <= most; i++)
		if (gainers->class[i].most > least - nodes)
			keep_windows(&gainers->class[i], profile, first, last, nodes,
				     gainers -> now);
}

void torus_gainers_begin(torus_gainers_t *gainers)
{
	for (uint32_t i = 0; i < gainers->classes; i++) {
		torus_gain_class_t *class = &gainers->class[i];
		int old = 0;

		class->latest = class->seen;
		class->seen = INT64_MIN;
		while (old < class->windows && class->window[old].at <= gainers->begin)
			old++;
		forget(class, old);
	}
	gainers->begin = gainers->now;
}

/* Whether a job that is reserved for from [start] on may gain, and between which times.
 */
static bool may_gain(const torus_gain_class_t *class, const torus_gain_place_t *job,
		     int64_t start, int64_t *first, int64_t *last)
{
	uint64_t duration = (uint64_t)job->duration;
	int end = class->windows;

	*first = INT64_MAX;
	*last = INT64_MIN;
	while (end) {
		int begin = (end - 1) / TORUS_GAIN_BLOCK * TORUS_GAIN_BLOCK;
		const torus_gain_block_t *block = &class->block[begin / TORUS_GAIN_BLOCK];

		if (block->at <= job->looked)
			break;
		while (block->from < start &&
		       (block->until >= start || block->length >= duration) &&
		       end > begin) {
			const torus_gain_window_t *window = &class->window[--end];

			if (window->at > job->looked && window->from < start &&
			    (window->until >= start || length_of(window) >= duration)) {
				*first = window->from < *first ? window->from : *first;
				*last = window->until > *last ? window->until : *last;
			}
		}
		end = begin;
	}
	return *first < *last;
}

uint32_t torus_gainers_next(torus_gainers_t *gainers, const int64_t *time, uint32_t from,
			    int64_t now, int64_t *first, int64_t *last)
{
	for (uint32_t place = from;; place++) {
		torus_gain_class_t *class;
		torus_gain_place_t *job;

		place = torus_bitmap_next_set(gainers->waiting, gainers->places, place);
		if (place >= gainers->places)
			return TORUS_NO_PLACE;
		job = &gainers->place[place];
		class = &gainers->class[job->class];
		*first = *last = 0;
		if (time[place] < now || may_gain(class, job, time[place], first, last))
			return place;
		job->looked = gainers->now;
		class->seen = time[place] > class->seen ? time[place] : class->seen;
	}
}
