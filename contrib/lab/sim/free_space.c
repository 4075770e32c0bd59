/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fragmentation over time: see free_space.h. */
#include "sim/free_space.h"

#include "sim/workload.h"

/* Add the intervals of one torus. */
static void add_torus(const torus_pool_t *pool, int t, torus_free_space_t *space)
{
	torus_stretch_t found = torus_intervals_all(pool->intervals[t]);

	if (pool->map[t]->span == TORUS_SPAN_RING && found.intervals > 1 &&
	    found.at_start && found.at_end) {
		uint32_t joined = found.at_start + found.at_end;

		found.intervals--;
		if (joined > found.largest)
			found.largest = joined;
	}
	space->intervals += found.intervals;
	if (found.largest > space->largest)
		space->largest = found.largest;
}

torus_free_space_t torus_free_space(const torus_pool_t *pool)
{
	torus_free_space_t space = {.nodes = pool->total, .share = 1};

	for (int t = 0; t < pool->tori; t++)
		add_torus(pool, t, &space);
	if (pool->total)
		space.share = (double)space.largest / (double)pool->total;
	return space;
}

static void widen(torus_time_statistic_t *range, double value, bool first)
{
	if (first || value < range->min)
		range->min = value;
	if (first || value > range->max)
		range->max = value;
}

/* Note the last state for all points in time from the last one noted to before [now]. */
static void note(torus_free_watch_t *watch, int64_t now)
{
	torus_free_history_t *history = &watch->history;

	/* Without signs: twice the longest time must be countable. */
	while (now > watch->counted_from &&
	       history->count * (uint64_t)history->every <
		       (uint64_t)now - (uint64_t)watch->counted_from) {
		if (history->count == TORUS_FREE_SAMPLES) {
			history->count /= 2;
			history->every *= 2;
			for (uint32_t i = 0; i < history->count; i++)
				history->sample[i] = history->sample[2 * i];
			continue;
		}
		history->sample[history->count++] = (struct torus_free_sample){
			watch->last.nodes, watch->last.intervals, watch->last.largest};
	}
}

void torus_free_watch_begin(torus_free_watch_t *watch, const torus_pool_t *pool,
			    int64_t begin, int64_t counted_from)
{
	*watch = (torus_free_watch_t){.since = begin,
				      .counted_from = counted_from,
				      .history.every = TORUS_SECOND};
	watch->last = torus_free_space(pool);
}

void torus_free_watch_look(torus_free_watch_t *watch, const torus_pool_t *pool,
			   int64_t now)
{
	int64_t since =
		watch->since > watch->counted_from ? watch->since : watch->counted_from;

	note(watch, now);
	if (now > since) {
		double passed = (double)(now - since);

		watch->intervals += passed * (double)watch->last.intervals;
		watch->largest += passed * (double)watch->last.largest;
		watch->share += passed * watch->last.share;
		widen(&watch->range[0], (double)watch->last.intervals, !watch->time);
		widen(&watch->range[1], (double)watch->last.largest, !watch->time);
		widen(&watch->range[2], watch->last.share, !watch->time);
		watch->time += now - since;
	}
	watch->since = now;
	watch->last = torus_free_space(pool);
}

void torus_free_watch_end(const torus_free_watch_t *watch, torus_summary_t *summary)
{
	double time = (double)watch->time;

	summary->free = watch->history;
	summary->free_intervals = watch->range[0];
	summary->largest_interval = watch->range[1];
	summary->largest_share = watch->range[2];
	if (!watch->time)
		return;
	summary->free_intervals.mean = watch->intervals / time;
	summary->largest_interval.mean = watch->largest / time;
	summary->largest_share.mean = watch->share / time;
}
