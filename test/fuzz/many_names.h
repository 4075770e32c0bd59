/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs that are correct but make so many names that fuzzing would only wait for them.
 */
#ifndef TORUS_FUZZ_MANY_NAMES_H
#define TORUS_FUZZ_MANY_NAMES_H

#include <stdbool.h>

#include "fuzz.h"
#include "base/hostlist.h"

/* Whether some word of the input is a hostlist of more than [most] names. */
static inline bool fuzz_many_names(const uint8_t *data, size_t size, uint32_t most)
{
	char *text = fuzz_text(data, size);
	bool many = false;
	size_t begin = 0;

	for (size_t at = 0; !many && at <= size; at++) {
		uint32_t count;

		if (text[at] && !strchr(" \t\r\n\\\"=#", text[at]))
			continue;
		text[at] = '\0';
		many = !torus_hostlist_count(text + begin, &count, NULL) && count > most;
		begin = at + 1;
	}
	free(text);
	return many;
}

#endif
