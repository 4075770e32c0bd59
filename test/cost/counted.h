/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a call of the engine costs, counted: the same number on every host and in every
 * run. The engine is compiled once more for this with -fsanitize-coverage=trace-pc, which
 * calls a function at the beginning of each block of its code; the program is linked with
 * the linker's --wrap for what allocates memory.
 */
#ifndef TORUS_TEST_COUNTED_H
#define TORUS_TEST_COUNTED_H

#include <stddef.h>
#include <stdint.h>

typedef struct counted {
	uint64_t blocks; /* of the engine's code that were entered; libc's do not count */
	size_t bytes;	 /* the most that were allocated at a time */
} counted_t;

/* Begin to count, from nothing. */
void counted_begin(void);

/* What has been done since. */
counted_t counted_end(void);

/*
 * Have counting end the program, by [stop], when it comes to so many blocks: for what
 * would not end today. 0: never.
 */
void counted_limit(uint64_t blocks, void (*stop)(void));

#endif
