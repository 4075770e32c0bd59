/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Axes of figures: see axis.h. */
#include "torus_config.h"

#include <math.h>
#include <stddef.h>

#include "storus/sim/axis.h"

storus_time_unit_t storus_time_unit_of(int64_t total)
{
	static const storus_time_unit_t unit[] = {{"days", 86400e6},
						  {"hours", 3600e6},
						  {"minutes", 60e6},
						  {"seconds", 1e6}};
	size_t i = 0;

	while (i + 1 < sizeof(unit) / sizeof(unit[0]) &&
	       (double)total < 3 * unit[i].microseconds)
		i++;
	return unit[i];
}

double storus_axis_step(double length, int most)
{
	static const double round[] = {1, 2, 5};
	double power = pow(10, floor(log10(length / most)));

	for (;; power *= 10) {
		for (size_t i = 0; i < sizeof(round) / sizeof(round[0]); i++) {
			if (length / (round[i] * power) <= most)
				return round[i] * power;
		}
	}
}
