/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first_fit: the first interval that is long enough. Leung et al., "Processor Allocation
 * on Cplant" (2002).
 */
#include "place/strategy.h"

bool torus_first_fit(const uint32_t *edge, uint32_t count, uint32_t n, uint32_t *tally,
		     torus_interval_choice_t *choice)
{
	(void)tally;
	for (uint32_t i = 0; i < count; i++) {
		if (edge[2 * i + 1] - edge[2 * i] >= n) {
			*choice = (torus_interval_choice_t){edge[2 * i], 0};
			return true;
		}
	}
	return false;
}
