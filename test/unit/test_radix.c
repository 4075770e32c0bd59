/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The radix sort against a sort by insertion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/radix.h"
#include "random.h"

enum { MOST = 600 };

/* Equal keys keep their order. */
static void sort_slowly(torus_keyed_t *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		torus_keyed_t item = items[i];
		uint32_t at = i;

		for (; at > 0 && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Keys of any width that agree in any bytes, many of them equal. */
static void sorts(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		torus_keyed_t items[MOST], sorted[MOST], scratch[MOST];
		uint32_t count = random_in(0, MOST), bytes = random_in(0, 255);
		uint64_t mask = 0, common = random_next();

		for (int byte = 0; byte < 8; byte++) {
			uint64_t bits = random_in(0, 1) ? 255 : 3;

			if (bytes >> byte & 1)
				mask |= bits << (8 * byte);
		}
		for (uint32_t i = 0; i < count; i++)
			items[i] = (torus_keyed_t){.key = (random_next() & mask) |
							  (common & ~mask),
						   .value = i};
		memcpy(sorted, items, count * sizeof(*items));
		sort_slowly(sorted, count);
		torus_radix_sort(items, scratch, count);
		for (uint32_t i = 0; i < count; i++) {
			assert_int_equal(items[i].key, sorted[i].key);
			assert_int_equal(items[i].value, sorted[i].value);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
