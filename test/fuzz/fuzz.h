/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets share: the entry point, and a check that stays in every build. */
#ifndef TORUS_FUZZ_H
#define TORUS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by libFuzzer, or by replay.c for one file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant that the input breaks: say which and die, as fuzzers want it. */
#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition)) {                                                      \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, \
				#condition);                                             \
			abort();                                                         \
		}                                                                        \
	} while (0)

/* data[0 .. size-1] with a NUL behind, malloc'ed. A NUL inside ends the text early. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
