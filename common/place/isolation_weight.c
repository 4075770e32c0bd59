/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weight of isolation as text: see place.h. */
#include "place/place.h"

#include <ctype.h>

#define HOP 1000 /* thousandths of a hop in one hop */

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

int torus_isolation_weight_parse(const char *text, uint32_t *weight, torus_error_t *err)
{
	const char *at = text;
	uint32_t value = 0;

	if (!isdigit((unsigned char)*at))
		goto fail;
	value = read_digits(&at, TORUS_ISOLATION_WEIGHT_MOST / HOP) * HOP;
	if (*at == '.') {
		if (!isdigit((unsigned char)at[1]))
			goto fail;
		at++;
		for (uint32_t part = HOP / 10; part && isdigit((unsigned char)*at);
		     part /= 10)
			value += (uint32_t)(*at++ - '0') * part;
	}
	if (*at || value > TORUS_ISOLATION_WEIGHT_MOST)
		goto fail;
	*weight = value;
	return 0;
fail:
	return torus_fail(err,
			  "'%s' is not a number from 0 to %d with at most three digits "
			  "behind the point, such as 0.2",
			  text, TORUS_ISOLATION_WEIGHT_MOST / HOP);
}
