/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of strategies: see strategy.h, place.h and docs/strategies.md. */
#include "place/strategy.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What lines about the same rule have in common. */
#define PAGES(of) torus_best_fit, .rule = torus_paging, .variant = (of)
#define BOXES(of) torus_best_fit, .rule = torus_contiguous, .variant = (of), .boxes = true

static const torus_strategy_t strategies[] = {
	[TORUS_BEST_FIT] = {"best_fit", torus_best_fit, .production = true},
	[TORUS_FIRST_FIT] = {"first_fit", torus_first_fit, .production = true},
	[TORUS_SUM_OF_SQUARES] = {"sum_of_squares", torus_sum_of_squares,
				  .production = true},
	[TORUS_FREE_LIST] = {"free_list", torus_first_fit, .ignores_intervals = true,
			     .production = true},
	{"random", torus_best_fit, .rule = torus_random, .by_chance = true},
	{"interval:first_fit", torus_best_fit, .rule = torus_interval, .waits = true},
	{"interval:best_fit", torus_best_fit, .rule = torus_interval,
	 .variant = TORUS_INTERVAL_BEST, .waits = true},
	{"paging", PAGES(1)},
	{"paging:row_major:1", PAGES(0)},
	{"paging:row_major:2", PAGES(1)},
	{"paging:row_major:4", PAGES(2)},
	{"paging:row_major:8", PAGES(3)},
	{"paging:row_major:16", PAGES(4)},
	{"paging:snake:1", PAGES(TORUS_PAGES_SNAKE)},
	{"paging:snake:2", PAGES(TORUS_PAGES_SNAKE | 1)},
	{"paging:snake:4", PAGES(TORUS_PAGES_SNAKE | 2)},
	{"paging:snake:8", PAGES(TORUS_PAGES_SNAKE | 3)},
	{"paging:snake:16", PAGES(TORUS_PAGES_SNAKE | 4)},
	{"mbs", torus_best_fit, .rule = torus_mbs},
	{"buddy", torus_best_fit, .rule = torus_buddy, .waits = true},
	{"contiguous", BOXES(TORUS_BOX_TURNS), .waits = true},
	{"contiguous:first_fit", BOXES(TORUS_BOX_TURNS), .waits = true},
	{"contiguous:best_fit", BOXES(TORUS_BOX_BEST | TORUS_BOX_TURNS), .waits = true},
	{"contiguous:first_fit:fixed", BOXES(0), .waits = true},
	{"contiguous:best_fit:fixed", BOXES(TORUS_BOX_BEST), .waits = true},
	{"frame_sliding", torus_best_fit, .rule = torus_frame_sliding, .waits = true,
	 .boxes = true},
	/* A box when one is free, otherwise the curve. */
	{"hybrid", BOXES(TORUS_BOX_BEST | TORUS_BOX_TURNS)},
	{"mc1x1", torus_best_fit, .rule = torus_mc1x1},
	{"mm", torus_best_fit, .rule = torus_mm},
	{"partner", torus_best_fit, .rule = torus_partner, .waits = true},
	{"multipartner", torus_best_fit, .rule = torus_multipartner, .waits = true},
};

#define STRATEGIES (int)(sizeof(strategies) / sizeof(strategies[0]))

int torus_allocators(void)
{
	return STRATEGIES;
}

const torus_strategy_t *torus_strategy(torus_allocator_t allocator)
{
	return &strategies[allocator];
}

/* "a, b or c": all names, or those for production. Returns [text] of [size] bytes. */
static const char *list_names(bool production, char *text, size_t size)
{
	size_t used = 0;
	int last = 0;

	for (int i = 0; i < STRATEGIES; i++) {
		if (strategies[i].production || !production)
			last = i;
	}
	for (int i = 0; i <= last && used < size; i++) {
		if (!strategies[i].production && production)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i == 0	     ? ""
					 : i == last ? " or "
						     : ", ",
					 strategies[i].name);
	}
	return text;
}

/* The number of the strategy of that name, or -1. */
static int find(const char *text)
{
	for (int i = 0; i < STRATEGIES; i++) {
		if (!strcasecmp(text, strategies[i].name))
			return i;
	}
	return -1;
}

int torus_allocator_parse(const char *text, torus_allocator_t *allocator,
			  torus_error_t *err)
{
	int found = find(text);
	char names[sizeof(err->text)];

	if (found < 0)
		return torus_fail(err, "unknown allocator '%s': give %s", text,
				  list_names(false, names, sizeof(names)));
	*allocator = (torus_allocator_t)found;
	return 0;
}

int torus_allocator_parse_production(const char *text, torus_allocator_t *allocator,
				     torus_error_t *err)
{
	int found = find(text);
	char names[sizeof(err->text)];

	list_names(true, names, sizeof(names));
	if (found < 0)
		return torus_fail(err, "unknown allocator '%s': give %s", text, names);
	if (!strategies[found].production)
		return torus_fail(
			err,
			"allocator '%s' is there to be compared with, in storus "
			"place and storus sim: give %s",
			text, names);
	*allocator = (torus_allocator_t)found;
	return 0;
}

const char *torus_allocator_name(torus_allocator_t allocator)
{
	return strategies[allocator].name;
}

bool torus_allocator_waits(torus_allocator_t allocator)
{
	return strategies[allocator].waits;
}

bool torus_allocator_by_chance(torus_allocator_t allocator)
{
	return strategies[allocator].by_chance;
}
