/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edit distance of two words: see base/edit_distance.h. */
#include "base/edit_distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t torus_edit_distance(const char *a, const char *b)
{
	size_t rows = strlen(a), columns = strlen(b);
	size_t cost[TORUS_EDIT_LONGEST +
		    1]; /* from a's first i characters to b's first j */

	if (rows > TORUS_EDIT_LONGEST || columns > TORUS_EDIT_LONGEST)
		return TORUS_EDIT_LONGEST + 1;
	for (size_t j = 0; j <= columns; j++)
		cost[j] = j;
	for (size_t i = 1; i <= rows; i++) {
		size_t diagonal = cost[0];

		cost[0] = i;
		for (size_t j = 1; j <= columns; j++) {
			size_t best = diagonal + !same_letter(a[i - 1], b[j - 1]);

			if (cost[j] + 1 < best)
				best = cost[j] + 1;
			if (cost[j - 1] + 1 < best)
				best = cost[j - 1] + 1;
			diagonal = cost[j];
			cost[j] = best;
		}
	}
	return cost[columns];
}
