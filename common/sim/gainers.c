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
 * Cut the sorted numbers of nodes into bands of about equally many jobs, none of which
 * shares a number with another: a number that many jobs have is a band of its own.
 */
static void make_bands(torus_gainers_t *gainers, const uint32_t *nodes, uint32_t places)
{
	uint32_t next = 0;

	while (next < places) {
		uint32_t left = TORUS_GAIN_BANDS - gainers->bands;
		uint32_t last = next + (places - next - 1) / left;
		torus_gain_band_t *band = &gainers->band[gainers->bands++];

		band->least = nodes[next];
		band->most = nodes[last];
		band->latest = band->seen = INT64_MIN;
		for (next = last + 1; next < places && nodes[next] == band->most;)
			next++;
	}
}

static uint32_t band_of(const torus_gainers_t *gainers, uint32_t nodes)
{
	uint32_t band = 0;

	while (gainers->band[band].most < nodes)
		band++;
	return band;
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
	make_bands(gainers, sorted, places);
	for (uint32_t i = 0; i < places; i++)
		place[i].band = band_of(gainers, place[i].nodes);
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
static void widen(torus_gain_band_t *band, int i)
{
	torus_gain_block_t *block = &band->block[i / TORUS_GAIN_BLOCK];
	const torus_gain_window_t *window = &band->window[i];
	uint64_t length = length_of(window);

	if (i % TORUS_GAIN_BLOCK == 0)
		*block = (torus_gain_block_t){0, 0, INT64_MAX, INT64_MIN};
	block->at = window->at;
	block->length = length > block->length ? length : block->length;
	block->from = window->from < block->from ? window->from : block->from;
	block->until = window->until > block->until ? window->until : block->until;
}

/* Forget the [count] oldest windows, up to a whole number of blocks. */
static void forget(torus_gain_band_t *band, int count)
{
	int blocks = count / TORUS_GAIN_BLOCK, left;

	if (!blocks)
		return;
	band->windows -= blocks * TORUS_GAIN_BLOCK;
	left = (band->windows + TORUS_GAIN_BLOCK - 1) / TORUS_GAIN_BLOCK;
	memmove(band->window, band->window + blocks * TORUS_GAIN_BLOCK,
		(size_t)band->windows * sizeof(*band->window));
	memmove(band->block, band->block + blocks, (size_t)left * sizeof(*band->block));
}

/* If there is no room, the older windows become half as many, each holding two. */
static void halve(torus_gain_band_t *band)
{
	torus_gain_window_t *window = band->window;

	band->windows /= 2;
	for (int i = 0; i < band->windows; i++) {
		const torus_gain_window_t *a = &window[2 * i], *b = a + 1;

		window[i] = (torus_gain_window_t){
			b->at, a->from < b->from ? a->from : b->from,
			a->until > b->until ? a->until : b->until};
		widen(band, i);
	}
}

static void keep(torus_gain_band_t *band, const torus_gain_window_t *window)
{
	const torus_gain_window_t *kept = band->window;

	while (band->windows && window->from <= kept[band->windows - 1].from &&
	       kept[band->windows - 1].until <= window->until)
		band->windows--;
	if (band->windows == TORUS_GAIN_WINDOWS)
		halve(band);
	band->window[band->windows] = *window;
	widen(band, band->windows++);
}

/* Keep the windows that the band has by the change of torus_gainers_raised(). */
static void keep_windows(torus_gain_band_t *band, const torus_profile_t *profile,
			 size_t first, size_t last, int64_t nodes, uint64_t at)
{
	const int64_t *free = profile->free;

	for (size_t step = first; step < last; step++) {
		torus_gain_window_t window = {.at = at, .until = INT64_MAX};
		size_t begin = step;

		if (free[step] < band->least || free[step] - nodes >= band->most)
			continue;
		while (begin && free[begin - 1] >= band->least)
			begin--;
		while (step < profile->steps && free[step] >= band->least)
			step++;
		window.from = profile->time[begin];
		if (window.from >= band->latest)
			return;
		if (step < profile->steps)
			window.until = profile->time[step];
		keep(band, &window);
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
	for (uint32_t i = 0; i < gainers->bands && gainers->band[i].least <= most; i++)
		if (gainers->band[i].most > least - nodes)
			keep_windows(&gainers->band[i], profile, first, last, nodes,
				     gainers->now);
}

void torus_gainers_begin(torus_gainers_t *gainers)
{
	for (uint32_t i = 0; i < gainers->bands; i++) {
		torus_gain_band_t *band = &gainers->band[i];
		int old = 0;

		band->latest = band->seen;
		band->seen = INT64_MIN;
		while (old < band->windows && band->window[old].at <= gainers->begin)
			old++;
		forget(band, old);
	}
	gainers->begin = gainers->now;
}

/* Whether a job that is reserved for from [start] on may gain, and between which times.
 */
static bool may_gain(const torus_gain_band_t *band, const torus_gain_place_t *job,
		     int64_t start, int64_t *first, int64_t *last)
{
	uint64_t duration = (uint64_t)job->duration, looked = job->looked;
	int64_t from = INT64_MAX, until = INT64_MIN;
	int block = (band->windows - 1) / TORUS_GAIN_BLOCK, end = band->windows;

	for (; end && band->block[block].at > looked; end = TORUS_GAIN_BLOCK * block--) {
		const torus_gain_block_t *all = &band->block[block];

		if (all->from >= start || (all->until < start && all->length < duration))
			continue;
		for (int i = TORUS_GAIN_BLOCK * block; i < end; i++) {
			const torus_gain_window_t *window = &band->window[i];

			if (window->at > looked && window->from < start &&
			    (window->until >= start || length_of(window) >= duration)) {
				from = window->from < from ? window->from : from;
				until = window->until > until ? window->until : until;
			}
		}
	}
	*first = from;
	*last = until;
	return from < until;
}

uint32_t torus_gainers_next(torus_gainers_t *gainers, const int64_t *time, uint32_t from,
			    int64_t now, int64_t *first, int64_t *last)
{
	size_t words = TORUS_WORDS(gainers->places);
	uint64_t skipped = ((uint64_t)1 << (from & 63)) - 1;

	for (size_t i = from / 64; i < words; i++, skipped = 0) {
		uint64_t left = gainers->waiting[i] & ~skipped;

		for (; left; left &= left - 1) {
			uint32_t place =
				(uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(left);
			torus_gain_place_t *job = &gainers->place[place];
			torus_gain_band_t *band = &gainers->band[job->band];

			*first = *last = 0;
			if (time[place] < now ||
			    may_gain(band, job, time[place], first, last))
				return place;
			job->looked = gainers->now;
			band->seen = time[place] > band->seen ? time[place] : band->seen;
		}
	}
	return TORUS_NO_PLACE;
}
