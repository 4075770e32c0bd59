/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name index against a search through all names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/name_index.h"
#include "random.h"

enum { NAMES = 400 };

typedef struct names {
	char text[NAMES][16];
} names_t;

static const char *name_of(const void *owner, uint32_t number)
{
	return ((const names_t *)owner)->text[number];
}

static uint32_t slow_find(const names_t *names, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(names->text[i], name))
			return i;
	}
	return TORUS_NO_NAME;
}

static void finds_what_a_search_finds(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t count = random_in(0, NAMES);
		torus_name_index_t *index;
		names_t names;

		index = torus_name_index_create(count, name_of, &names);
		assert_non_null(index);
		for (uint32_t i = 0; i < count; i++) {
			/* Some names come twice. */
			sprintf(names.text[i], "n%03u", random_in(0, 2 * NAMES));
			assert_int_equal(torus_name_index_add(index, i),
					 slow_find(&names, i, names.text[i]));
		}
		for (uint32_t i = 0; i <= 2 * NAMES; i++) {
			char name[16];

			sprintf(name, "n%03u", i);
			assert_int_equal(torus_name_index_find(index, name),
					 slow_find(&names, count, name));
		}
		torus_name_index_destroy(index);
	}
	torus_name_index_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_search_finds),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
