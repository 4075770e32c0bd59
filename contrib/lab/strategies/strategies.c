/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all strategies: see strategies.h and docs/strategies.md. */
#include "strategies/strategies.h"

#define STRATEGY(...)                                                                    \
	&(const torus_allocator_t)                                                       \
	{                                                                                \
		__VA_ARGS__                                                              \
	}
#define PAGES(name, of) STRATEGY(name, .rule = torus_paging, .variant = (of))
#define BOXES(name, of, wait)                                                            \
	STRATEGY(name, .rule = torus_contiguous, .variant = (of), .boxes = true,         \
		 .waits = (wait))

const torus_allocator_t *const torus_strategies[] = {
	&torus_best_fit,
	&torus_first_fit,
	&torus_sum_of_squares,
	&torus_free_list,
	&torus_compact,
	STRATEGY("random", .rule = torus_random, .by_chance = true),
	STRATEGY("interval:first_fit", .rule = torus_interval, .waits = true),
	STRATEGY("interval:best_fit", .rule = torus_interval,
		 .variant = TORUS_INTERVAL_BEST, .waits = true),
	STRATEGY("sum_of_squares:greedy", .rule = torus_squares),
	STRATEGY("sum_of_squares:global", .rule = torus_squares,
		 .variant = TORUS_SQUARES_GLOBAL),
	PAGES("paging", 1),
	PAGES("paging:row_major:1", 0),
	PAGES("paging:row_major:2", 1),
	PAGES("paging:row_major:4", 2),
	PAGES("paging:row_major:8", 3),
	PAGES("paging:row_major:16", 4),
	PAGES("paging:snake:1", TORUS_PAGES_SNAKE),
	PAGES("paging:snake:2", TORUS_PAGES_SNAKE | 1),
	PAGES("paging:snake:4", TORUS_PAGES_SNAKE | 2),
	PAGES("paging:snake:8", TORUS_PAGES_SNAKE | 3),
	PAGES("paging:snake:16", TORUS_PAGES_SNAKE | 4),
	PAGES("paging:shuffled_row_major:1", TORUS_PAGES_SHUFFLED),
	PAGES("paging:shuffled_row_major:2", TORUS_PAGES_SHUFFLED | 1),
	PAGES("paging:shuffled_row_major:4", TORUS_PAGES_SHUFFLED | 2),
	PAGES("paging:shuffled_row_major:8", TORUS_PAGES_SHUFFLED | 3),
	PAGES("paging:shuffled_row_major:16", TORUS_PAGES_SHUFFLED | 4),
	PAGES("paging:shuffled_snake:1", TORUS_PAGES_SHUFFLED | TORUS_PAGES_SNAKE),
	PAGES("paging:shuffled_snake:2", TORUS_PAGES_SHUFFLED | TORUS_PAGES_SNAKE | 1),
	PAGES("paging:shuffled_snake:4", TORUS_PAGES_SHUFFLED | TORUS_PAGES_SNAKE | 2),
	PAGES("paging:shuffled_snake:8", TORUS_PAGES_SHUFFLED | TORUS_PAGES_SNAKE | 3),
	PAGES("paging:shuffled_snake:16", TORUS_PAGES_SHUFFLED | TORUS_PAGES_SNAKE | 4),
	STRATEGY("mbs", .rule = torus_mbs),
	STRATEGY("buddy", .rule = torus_buddy, .waits = true),
	BOXES("contiguous", TORUS_BOX_TURNS, true),
	BOXES("contiguous:first_fit", TORUS_BOX_TURNS, true),
	BOXES("contiguous:best_fit", TORUS_BOX_BEST | TORUS_BOX_TURNS, true),
	BOXES("contiguous:first_fit:fixed", 0, true),
	BOXES("contiguous:best_fit:fixed", TORUS_BOX_BEST, true),
	STRATEGY("frame_sliding", .rule = torus_frame_sliding, .waits = true,
		 .boxes = true),
	STRATEGY("listed_boxes", .rule = torus_listed_boxes, .waits = true),
	/* A box when one is free, otherwise the curve. */
	BOXES("hybrid", TORUS_BOX_BEST | TORUS_BOX_TURNS, false),
	STRATEGY("mc1x1", .rule = torus_mc1x1),
	STRATEGY("mm", .rule = torus_mm),
	STRATEGY("partner", .rule = torus_partner, .waits = true),
	STRATEGY("multipartner", .rule = torus_multipartner, .waits = true),
	STRATEGY("gray_code", .rule = torus_gray_code, .waits = true),
	NULL,
};
