/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostlists. Counting and expanding agree; names are not empty nor too long; folded into
 * brackets and expanded again they are the same.
 */
#include "fuzz.h"

#include "base/hostlist.h"
#include "lists/hostlist_format.h"

/* More names only take time. */
enum { NAMES_MAX = 5000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *formatted;
	uint32_t counted, count, back_count;
	char **names, **back;

	if (torus_hostlist_count(text, &counted, NULL)) {
		CHECK(torus_hostlist_expand(text, &names, &count, NULL) && !names);
	} else if (counted <= NAMES_MAX) {
		CHECK(!torus_hostlist_expand(text, &names, &count, NULL) &&
		      count == counted);
		for (uint32_t i = 0; i < count; i++)
			CHECK(*names[i] && strlen(names[i]) <= TORUS_HOSTNAME_MAX);
		formatted = torus_hostlist_format((const char *const *)names, count);
		CHECK(formatted);
		CHECK(!torus_hostlist_expand(formatted, &back, &back_count, NULL));
		CHECK(back_count == count);
		for (uint32_t i = 0; i < count; i++)
			CHECK(!strcmp(names[i], back[i]));
		free(formatted);
		free(back);
		free(names);
	}
	free(text);
	return 0;
}
