/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as decimal digits: see digits.h. */
#include "base/digits.h"

#include <stdio.h>
#include <string.h>

/* The least and the first too large ratio that is written here, not by the library. */
#define LEAST 1e-3
#define MOST 1e8

static const uint64_t power[] = {
	UINT64_C(1),	      UINT64_C(10),	     UINT64_C(100),
	UINT64_C(1000),	      UINT64_C(10000),	     UINT64_C(100000),
	UINT64_C(1000000),    UINT64_C(10000000),    UINT64_C(100000000),
	UINT64_C(1000000000), UINT64_C(10000000000), UINT64_C(100000000000),
};

char *torus_digits(uint64_t number, char *at)
{
	char digits[TORUS_DIGITS], *first = digits + sizeof(digits);
	size_t length;

	do {
		*--first = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	length = (size_t)(digits + sizeof(digits) - first);
	memcpy(at, first, length);
	return at + length;
}

/* [number] with [count] digits, zeros before it. */
static char *padded(uint64_t number, int count, char *at)
{
	for (int i = count; i--;) {
		at[i] = (char)('0' + number % 10);
		number /= 10;
	}
	return at + count;
}

/*
 * [ratio] * 10^places as a whole number, rounded to the nearest, of two to the even one,
 * as the library does. Exact: 53 bits times 10^11 have less than 128 bits, and of a ratio
 * from LEAST on less than 64 bits are behind the point.
 */
static uint64_t scaled(double ratio, int places)
{
	__extension__ unsigned __int128 product, rest, half = 1;
	uint64_t bits, whole;
	int shift;

	/* ratio = bits / 2^shift, with 26 <= shift <= 62 */
	memcpy(&bits, &ratio, sizeof(bits));
	shift = 52 + 1023 - (int)(bits >> 52);
	bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	product = bits;
	product *= power[places];
	half <<= shift - 1;
	rest = product & (2 * half - 1);
	whole = (uint64_t)(product >> shift);
	return whole + (rest > half || (rest == half && whole % 2));
}

char *torus_digits_of_ratio(double ratio, char *at)
{
	int places = TORUS_RATIO_DIGITS - 1;
	uint64_t number;

	if (!(ratio >= LEAST && ratio < MOST))
		return at +
		       snprintf(at, TORUS_DIGITS, "%#.*g", TORUS_RATIO_DIGITS, ratio);
	for (double limit = 10; ratio >= limit; limit *= 10)
		places--;
	for (double limit = 1; ratio < limit; limit /= 10)
		places++;
	number = scaled(ratio, places);
	/* 9.9999999999 has become 10.0000000 */
	if (number >= power[TORUS_RATIO_DIGITS]) {
		number /= 10;
		places--;
	}
	at = torus_digits(number / power[places], at);
	*at++ = '.';
	return padded(number % power[places], places, at);
}
