/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as text: seconds, with decimals where need be; as numbers they are microseconds.
 */
#ifndef TORUS_SIM_SECONDS_H
#define TORUS_SIM_SECONDS_H

#include <stdbool.h>
#include <stdint.h>

/* The largest number of seconds that is read. */
#define TORUS_SECONDS_MAX INT64_C(1000000000000)
/* A buffer for any time with its terminating NUL. */
#define TORUS_SECONDS_TEXT 32

/*
 * Read a decimal number at *at, in front of [end], such as "12", "-1" or "0.25"; what is
 * beyond microseconds is cut off. Returns whether there is one of at most
 * TORUS_SECONDS_MAX, and then moves *at behind it.
 */
bool torus_seconds_read(const char **at, const char *end, int64_t *microseconds);

/* Write the time into [text], without decimals that are 0; returns [text]. */
char *torus_seconds_format(int64_t microseconds, char text[TORUS_SECONDS_TEXT]);

#endif
