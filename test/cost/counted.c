/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counted work and memory: see counted.h. Not compiled with the option itself. */
#include "counted.h"

#include <stdbool.h>

#include "../unit/count_memory.h"

static uint64_t blocks, limit = UINT64_MAX;
static void (*stop_at_limit)(void);
static bool counting;
static size_t before;

void __wrap___sanitizer_cov_trace_pc(void);

void __wrap___sanitizer_cov_trace_pc(void)
{
	if (++blocks >= limit && counting && stop_at_limit) {
		void (*stop)(void) = stop_at_limit;

		stop_at_limit = NULL;
		counting = false;
		stop();
	}
}

void counted_begin(void)
{
	blocks = 0;
	counting = true;
	before = memory_most = memory_in_use;
}

counted_t counted_end(void)
{
	counting = false;
	return (counted_t){.blocks = blocks, .bytes = memory_most - before};
}

void counted_limit(uint64_t at, void (*stop)(void))
{
	limit = at ? at : UINT64_MAX;
	stop_at_limit = stop;
}
