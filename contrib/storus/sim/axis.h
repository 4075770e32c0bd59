/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Axes of figures: units of time, and distances of marks. */
#ifndef STORUS_SIM_AXIS_H
#define STORUS_SIM_AXIS_H

#include <stdint.h>

typedef struct storus_time_unit {
	const char *name;
	double microseconds;
} storus_time_unit_t;

/* The longest unit of which [total] microseconds have at least three; or seconds. */
storus_time_unit_t storus_time_unit_of(int64_t total);

/* A round distance, 1, 2 or 5 times a power of ten, for at most [most] marks on [length]
 * above 0. */
double storus_axis_step(double length, int most);

#endif
