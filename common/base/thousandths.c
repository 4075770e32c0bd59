/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers: see thousandths.h. */
#include "base/thousandths.h"

#include <ctype.h>

#define ONE 1000 /* thousandths in one */

/*
 * Read the digits at *at, and move *at behind them. Returns their number, at most [most]
 * + 1.
 */
static uint32_t read_digits(const char **at, uint32_t most)
{
	uint32_t number = 0;

	for (; isdigit((unsigned char)**at); ++*at) {
		if (number <= most)
			number = number * 10 + (uint32_t)(**at - '0');
		if (number > most)
			number = most + 1;
	}
	return number;
}

int torus_thousandths_parse(const char *text, uint32_t least, uint32_t most,
			    const char *example, uint32_t *thousandths,
			    torus_error_t *err)
{
	const char *at = text;
	uint32_t value = 0;

	if (!isdigit((unsigned char)*at))
		goto fail;
	value = read_digits(&at, most) * ONE;
	if (*at == '.') {
		if (!isdigit((unsigned char)at[1]))
			goto fail;
		at++;
		for (uint32_t part = ONE / 10; part && isdigit((unsigned char)*at);
		     part /= 10)
			value += (uint32_t)(*at++ - '0') * part;
	}
	if (*at || value < least * ONE || value > most * ONE)
		goto fail;
	*thousandths = value;
	return 0;
fail:
	return torus_fail(err,
			  "'%s' is not a number from %u to %u with at most three digits "
			  "behind the point, such as %s",
			  text, least, most, example);
}
