/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps against an array of one byte a bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "random.h"

enum { MOST = 260 };

typedef struct both {
	uint32_t bits;
	uint64_t *words;
	bool bit[MOST];
} both_t;

static void begin(both_t *both)
{
	memset(both, 0, sizeof(*both));
	/* Often at the edge of a word. */
	both->bits = random_in(0, 1) ? 64 * random_in(0, 4) + random_in(0, 2)
				     : random_in(0, MOST);
	if (both->bits > MOST)
		both->bits = MOST;
	both->words = torus_bitmap_create(both->bits);
	assert_non_null(both->words);
}

/* Every bit, those beyond the end, and what is derived from them. */
static void compare(const both_t *both)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < both->bits; i++) {
		assert_int_equal(torus_bit_test(both->words, i), both->bit[i]);
		count += both->bit[i];
	}
	for (uint32_t i = both->bits; i < 64 * TORUS_WORDS(both->bits); i++)
		assert_false(torus_bit_test(both->words, i));
	assert_int_equal(torus_bitmap_count(both->words, both->bits), count);
	for (uint32_t from = 0; from <= both->bits; from++) {
		uint32_t set = from, clear = from;

		while (set < both->bits && !both->bit[set])
			set++;
		while (clear < both->bits && both->bit[clear])
			clear++;
		assert_int_equal(torus_bitmap_next_clear(both->words, both->bits, from),
				 clear);
		assert_int_equal(torus_bitmap_next_set(both->words, both->bits, from),
				 set);
	}
}

static void keeps_bits(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		both_t both;

		begin(&both);
		compare(&both);
		for (uint32_t step = random_in(0, 20); both.bits && step; step--) {
			uint32_t bit = random_in(0, both.bits - 1);

			both.bit[bit] = random_in(0, 2) > 0;
			if (both.bit[bit])
				torus_bit_set(both.words, bit);
			else
				torus_bit_clear(both.words, bit);
		}
		compare(&both);
		free(both.words);
	}
}

static void sets_and_clears_ranges(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		both_t both;

		begin(&both);
		for (int ranges = 0; ranges < 3; ranges++) {
			uint32_t first = random_in(0, both.bits);
			uint32_t count = random_in(0, both.bits - first);

			bool value = random_in(0, 1);

			if (value)
				torus_bitmap_set_range(both.words, first, count);
			else
				torus_bitmap_clear_range(both.words, first, count);
			memset(both.bit + first, value, count);
			compare(&both);
		}
		free(both.words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_bits),
		cmocka_unit_test(sets_and_clears_ranges),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
