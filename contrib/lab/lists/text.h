/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows, for what is written many times: without a stream for each. */
#ifndef TORUS_LISTS_TEXT_H
#define TORUS_LISTS_TEXT_H

#include <stddef.h>

/* Empty: {0}. To write it anew set .length to 0: the memory stays. */
typedef struct torus_text {
	char *text; /* [length], then a 0 once something was added; owned */
	size_t length;
	size_t room; /* private */
} torus_text_t;

/*
 * Make room for [more] characters and a 0 behind them. Returns 0, or -1: out of memory;
 * then the text is as it was.
 */
int torus_text_reserve(torus_text_t *text, size_t more);

/* Add a string. Returns as above. */
int torus_text_add(torus_text_t *text, const char *string);

/* Free the text: it is empty then. */
void torus_text_clear(torus_text_t *text);

#endif
