/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as text: see seconds.h. */
#include "sim/seconds.h"

#include "base/digits.h"
#include "sim/workload.h"

static bool is_digit(const char *at, const char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

bool torus_seconds_read(const char **at, const char *end, int64_t *microseconds)
{
	const char *p = *at;
	bool negative = p < end && *p == '-', digits;
	int64_t whole = 0, part = 0, unit = TORUS_SECOND;

	p += negative;
	digits = is_digit(p, end);
	for (; is_digit(p, end); p++) {
		whole = 10 * whole + (*p - '0');
		if (whole > TORUS_SECONDS_MAX)
			return false;
	}
	if (p < end && *p == '.') {
		digits = digits || is_digit(p + 1, end);
		for (p++; is_digit(p, end); p++) {
			unit /= 10;
			part += unit * (*p - '0');
		}
	}
	if (!digits)
		return false;
	*microseconds = whole * TORUS_SECOND + part;
	if (negative)
		*microseconds = -*microseconds;
	*at = p;
	return true;
}

char *torus_seconds_format(int64_t microseconds, char text[TORUS_SECONDS_TEXT])
{
	uint64_t size =
		microseconds < 0 ? -(uint64_t)microseconds : (uint64_t)microseconds;
	uint64_t part = size % TORUS_SECOND;
	char *at = text;

	if (microseconds < 0)
		*at++ = '-';
	at = torus_digits(size / TORUS_SECOND, at);
	if (part) {
		*at = '.';
		for (int place = 6; place; place--) {
			at[place] = (char)('0' + part % 10);
			part /= 10;
		}
		at += 7;
		while (at[-1] == '0')
			at--;
	}
	*at = '\0';
	return text;
}
