/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers of at most three digits behind the point, as whole thousandths. */
#ifndef TORUS_BASE_THOUSANDTHS_H
#define TORUS_BASE_THOUSANDTHS_H

#include <stdint.h>

#include "base/error.h"

/*
 * Read a number from [least] to [most] (whole ones, most below 1,000,000) with at most
 * three digits behind the point: nothing else may stand before it or after it. Returns 0
 * with *thousandths; or -1 with [err] saying so, with [example] as one that is right.
 */
int torus_thousandths_parse(const char *text, uint32_t least, uint32_t most,
			    const char *example, uint32_t *thousandths,
			    torus_error_t *err);

#endif
