/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of strategies, and their names as in torus.conf: see strategy.h, place.h. */
#include "place/strategy.h"

#include <string.h>
#include <strings.h>

static const torus_strategy_t strategies[] = {
	[TORUS_BEST_FIT] = {"best_fit", torus_best_fit, false},
	[TORUS_FIRST_FIT] = {"first_fit", torus_first_fit, false},
	[TORUS_SUM_OF_SQUARES] = {"sum_of_squares", torus_sum_of_squares, false},
	[TORUS_FREE_LIST] = {"free_list", torus_first_fit, true},
};

#define STRATEGIES (int)(sizeof(strategies) / sizeof(strategies[0]))

const torus_strategy_t *torus_strategy(torus_allocator_t allocator)
{
	return &strategies[allocator];
}

int torus_allocator_parse(const char *text, torus_allocator_t *allocator,
			  torus_error_t *err)
{
	for (int i = 0; i < STRATEGIES; i++) {
		if (!strcasecmp(text, strategies[i].name)) {
			*allocator = (torus_allocator_t)i;
			return 0;
		}
	}
	return torus_fail(err,
			  "unknown allocator '%s': give best_fit, first_fit, "
			  "sum_of_squares or free_list",
			  text);
}

const char *torus_allocator_name(torus_allocator_t allocator)
{
	return strategies[allocator].name;
}
