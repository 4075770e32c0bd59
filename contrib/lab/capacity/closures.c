/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells that are closed for a while: see closures.h. */
#include "capacity/closures.h"

/* How often to repeat the closure so that it ends after [time]; 0 if it does not. */
static int64_t repetitions(const torus_closure_t *closure, int64_t time)
{
	return closure->period && closure->end <= time
		       ? (time - closure->end) / closure->period + 1
		       : 0;
}

bool torus_closure_in_force(const torus_closure_t *closure, int64_t from, int64_t until)
{
	int64_t skip = repetitions(closure, from) * closure->period;

	return closure->start + skip < until && closure->end + skip > from;
}

uint64_t torus_closure_changes(const torus_closure_t *closure, int64_t seconds,
			       int64_t from, int64_t until, int64_t *time, uint64_t room)
{
	int64_t skip = repetitions(closure, from) * closure->period;
	uint64_t count = 0;

	do {
		const int64_t changes[] = {closure->start + skip - seconds + 1,
					   closure->end + skip};

		for (int i = 0; i < 2; i++) {
			if (changes[i] <= from || changes[i] > until)
				continue;
			if (count < room)
				time[count] = changes[i];
			count++;
		}
		skip += closure->period;
	} while (closure->period && closure->start + skip - seconds < until);
	return count;
}
