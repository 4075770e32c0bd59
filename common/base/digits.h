/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as decimal digits, in a fraction of the time that the library takes. */
#ifndef TORUS_BASE_DIGITS_H
#define TORUS_BASE_DIGITS_H

#include <stdint.h>

/* No number below is longer, without the end of a string. */
#define TORUS_DIGITS 24

/* Digits of a ratio: as many as a float holds, more than the six that are promised. */
#define TORUS_RATIO_DIGITS 9

/* Write [number] from [at] on, which has room. Returns what is behind its last digit. */
char *torus_digits(uint64_t number, char *at);

/* Write [ratio] as "%#.9g" does, to the last digit. Returns as above. */
char *torus_digits_of_ratio(double ratio, char *at);

#endif
