/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals of free ranks, kept up: see intervals.h. */
#include "sim/intervals.h"

#include <stdlib.h>

#include "base/bitmap.h"

torus_intervals_t *torus_intervals_create(const uint64_t *free, uint32_t ranks)
{
	torus_intervals_t *intervals = calloc(1, sizeof(*intervals));

	if (!intervals)
		return NULL;
	intervals->ranks = ranks;
	intervals->free = free;
	intervals->leaves = 1;
	while (intervals->leaves < TORUS_WORDS(ranks))
		intervals->leaves *= 2;
	intervals->node = calloc(2 * intervals->leaves, sizeof(*intervals->node));
	intervals->changed = torus_bitmap_create((uint32_t)(2 * intervals->leaves));
	if (!intervals->node || !intervals->changed) {
		torus_intervals_destroy(intervals);
		return NULL;
	}
	torus_intervals_note(intervals, 0, ranks);
	return intervals;
}

void torus_intervals_destroy(torus_intervals_t *intervals)
{
	if (!intervals)
		return;
	free(intervals->node);
	free(intervals->changed);
	free(intervals);
}

void torus_intervals_note(torus_intervals_t *intervals, uint32_t first, uint32_t count)
{
	uint32_t word = first / 64, last = (first + (count - 1)) / 64;

	torus_bitmap_set_range(intervals->changed, (uint32_t)intervals->leaves + word,
			       last - word + 1);
}

/* The intervals within the first [ranks] bits of a word; the others are 0. */
static torus_stretch_t look_at_word(uint64_t free, uint32_t ranks)
{
	torus_stretch_t all = {.ranks = ranks};

	for (uint32_t at = 0; free;) {
		uint32_t skip = (uint32_t)__builtin_ctzll(free), length;

		at += skip;
		free >>= skip;
		length = ~free ? (uint32_t)__builtin_ctzll(~free) : 64;
		all.intervals++;
		all.largest = length > all.largest ? length : all.largest;
		all.at_start = at ? all.at_start : length;
		at += length;
		all.at_end = at == ranks ? length : 0;
		free = length < 64 ? free >> length : 0;
	}
	return all;
}

/* Two in a row as one. */
static torus_stretch_t join(const torus_stretch_t *a, const torus_stretch_t *b)
{
	uint32_t across = a->at_end + b->at_start;
	torus_stretch_t both = {
		.ranks = a->ranks + b->ranks,
		.intervals = a->intervals + b->intervals - (a->at_end && b->at_start),
		.largest = a->largest > b->largest ? a->largest : b->largest,
		.at_start = a->at_start,
		.at_end = b->at_end,
	};

	if (across > both.largest)
		both.largest = across;
	if (a->at_start == a->ranks)
		both.at_start += b->at_start;
	if (b->at_end == b->ranks)
		both.at_end += a->at_end;
	return both;
}

static void work_out(torus_intervals_t *intervals, size_t at)
{
	size_t word = at - intervals->leaves;

	if (at < intervals->leaves)
		intervals->node[at] =
			join(&intervals->node[2 * at], &intervals->node[2 * at + 1]);
	else
		intervals->node[at] = look_at_word(
			intervals->free[word],
			(word + 1) * 64 <= intervals->ranks ? 64 : intervals->ranks % 64);
}

torus_stretch_t torus_intervals_all(torus_intervals_t *intervals)
{
	uint64_t *changed = intervals->changed;

	/* Children have higher numbers than their parent. */
	for (size_t i = TORUS_WORDS(2 * intervals->leaves); i--;) {
		while (changed[i]) {
			uint32_t bit = 63 - (uint32_t)__builtin_clzll(changed[i]);
			size_t at = i * 64 + bit;

			changed[i] &= ~((uint64_t)1 << bit);
			work_out(intervals, at);
			if (at > 1)
				torus_bit_set(changed, (uint32_t)(at / 2));
		}
	}
	return intervals->node[1];
}
