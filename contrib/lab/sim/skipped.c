/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that are not replayed: see skipped.h. */
#include "sim/skipped.h"

#include <string.h>

void torus_skip(torus_skipped_t *skipped, const char *reason, uint64_t line)
{
	int i = 0;

	while (i < skipped->reasons && strcmp(skipped->by[i].reason, reason) != 0)
		i++;
	if (i == TORUS_SKIP_REASONS)
		i--;
	if (i == skipped->reasons)
		skipped->by[skipped->reasons++] = (torus_skip_count_t){reason, 0, line};
	skipped->by[i].count++;
}

uint64_t torus_skipped_total(const torus_skipped_t *skipped)
{
	uint64_t total = 0;

	for (int i = 0; i < skipped->reasons; i++)
		total += skipped->by[i].count;
	return total;
}
