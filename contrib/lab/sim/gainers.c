/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may gain: see gainers.h. */
#include "sim/gainers.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
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
		band->job = gainers->job + next;
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
	uint32_t *sorted = malloc(((size_t)places + 1) * sizeof(*sorted));

	if (!gainers) {
		free(sorted);
		free(place);
		return NULL;
	}
	gainers->place = place;
	gainers->may = torus_bitmap_create(places);
	gainers->job = malloc(((size_t)places + 1) * sizeof(*gainers->job));
	if (!gainers->may || !gainers->job || !sorted) {
		free(sorted);
		torus_gainers_destroy(gainers);
		return NULL;
	}
	for (uint32_t i = 0; i < places; i++)
		sorted[i] = place[i].nodes;
	qsort(sorted, places, sizeof(*sorted), compare_nodes);
	make_bands(gainers, sorted, places);
	for (uint32_t i = 0; i < places; i++) {
		place[i].band = band_of(gainers, place[i].nodes);
		place[i].reserved = false;
	}
	free(sorted);
	return gainers;
}

void torus_gainers_destroy(torus_gainers_t *gainers)
{
	if (!gainers)
		return;
	free(gainers->may);
	free(gainers->job);
	free(gainers->place);
	free(gainers);
}

/* The job stands on [slot] of its band now. */
static void put(torus_gainers_t *gainers, torus_gain_band_t *band, uint32_t slot,
		const torus_gain_job_t *job)
{
	band->job[slot] = *job;
	gainers->place[job->place].slot = slot;
}

void torus_gainers_looked(torus_gainers_t *gainers, uint32_t place, int64_t start)
{
	torus_gain_place_t *at = &gainers->place[place];
	torus_gain_band_t *band = &gainers->band[at->band];
	torus_gain_job_t job = {start, at->duration, INT64_MAX, INT64_MIN, place};
	uint32_t slot = at->reserved ? at->slot : band->jobs++;

	for (; slot && band->job[slot - 1].start < start; slot--)
		put(gainers, band, slot, &band->job[slot - 1]);
	for (; slot + 1 < band->jobs && band->job[slot + 1].start > start; slot++)
		put(gainers, band, slot, &band->job[slot + 1]);
	put(gainers, band, slot, &job);
	at->reserved = true;
	gainers->seen = place < gainers->seen ? gainers->seen : place + 1;
	torus_bit_clear(gainers->may, place);
}

void torus_gainers_gone(torus_gainers_t *gainers, uint32_t place)
{
	torus_gain_place_t *at = &gainers->place[place];
	torus_gain_band_t *band = &gainers->band[at->band];

	if (!at->reserved)
		return;
	band->jobs--;
	for (uint32_t slot = at->slot; slot < band->jobs; slot++)
		put(gainers, band, slot, &band->job[slot + 1]);
	at->reserved = false;
	torus_bit_clear(gainers->may, place);
}

/* The jobs of the band have nodes from [from] until [until]: tell those that gain by it,
 * as they are to start later, and either up to then or in time that is long enough. */
static void tell(torus_gainers_t *gainers, const torus_gain_band_t *band, int64_t from,
		 int64_t until)
{
	uint64_t length = (uint64_t)until - (uint64_t)from;

	for (uint32_t i = 0; i < band->jobs && band->job[i].start > from; i++) {
		torus_gain_job_t *job = &band->job[i];

		if (until < job->start && length < (uint64_t)job->duration)
			continue;
		job->first = from < job->first ? from : job->first;
		job->last = until > job->last ? until : job->last;
		torus_bit_set(gainers->may, job->place);
	}
}

/* Tell the windows that the band has by the change of torus_gainers_raised(). */
static void tell_windows(torus_gainers_t *gainers, const torus_gain_band_t *band,
			 const torus_profile_t *profile, size_t first, size_t last,
			 int64_t nodes)
{
	const int64_t *free = profile->free;

	for (size_t step = first; step < last; step++) {
		size_t begin = step;

		if (free[step] < band->least || free[step] - nodes >= band->most)
			continue;
		while (begin && free[begin - 1] >= band->least)
			begin--;
		if (!band->jobs || profile->time[begin] >= band->job[0].start)
			return;
		while (step < profile->steps && free[step] >= band->least)
			step++;
		tell(gainers, band, profile->time[begin],
		     step < profile->steps ? profile->time[step] : INT64_MAX);
	}
}

void torus_gainers_raised(torus_gainers_t *gainers, const torus_profile_t *profile,
			  size_t first, size_t last, int64_t nodes)
{
	int64_t least = profile->free[first], most = least;

	for (size_t step = first; step < last; step++) {
		int64_t free = profile->free[step];

		least = free < least ? free : least;
		most = free > most ? free : most;
	}
	for (uint32_t i = 0; i < gainers->bands && gainers->band[i].least <= most; i++)
		if (gainers->band[i].most > least - nodes)
			tell_windows(gainers, &gainers->band[i], profile, first, last,
				     nodes);
}

uint32_t torus_gainers_next(const torus_gainers_t *gainers, uint32_t from, int64_t *first,
			    int64_t *last)
{
	uint32_t place = torus_bitmap_next_set(gainers->may, gainers->seen, from);
	const torus_gain_place_t *at;
	const torus_gain_job_t *job;

	if (place == gainers->seen)
		return TORUS_NO_PLACE;
	at = &gainers->place[place];
	job = &gainers->band[at->band].job[at->slot];
	*first = job->first;
	*last = job->last;
	return place;
}
