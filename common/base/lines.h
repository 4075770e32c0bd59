/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines and words of a configuration text, in the manner of Slurm's files.
 *
 * Words are separated by blanks. `#` begins a comment that goes to the end of the line;
 * `\` at the end of a line (blanks may follow) continues it, without a blank in between,
 * so that a long list may be broken after a comma. A value, what follows the first `=` of
 * a word, may stand in "..." and then hold blanks and `#`; the quotes are taken off.
 * Lines end with LF or CR LF; a UTF-8 byte order mark in front is ignored.
 */
#ifndef TORUS_BASE_LINES_H
#define TORUS_BASE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct torus_word {
	char *text;    /* NUL-terminated, may be changed by the reader of the line */
	uint32_t line; /* of the text, from 1, where the word begins */
} torus_word_t;

typedef struct torus_lines {
	torus_word_t *word; /* [words] of the current line, valid until the next call */
	size_t words;
	/* private */
	const char *text, *end, *path;
	uint32_t line;
	size_t room; /* of word[] */
	char *store, *store_at;
} torus_lines_t;

/*
 * Begin to read text[0 .. length-1], called [path] in messages; both must outlive the
 * reading. Returns 0, or -1 with [err] filled (memory). To be ended with
 * torus_lines_close() in either case.
 */
int torus_lines_open(torus_lines_t *lines, const char *text, size_t length,
		     const char *path, torus_error_t *err);

/*
 * Go to the next line that has a word. Returns 1, or 0 at the end of the text, or -1 with
 * [err] as "[path]:LINE: reason": NUL or another control character, a quote that is not
 * closed or not around a whole value, memory.
 */
int torus_lines_next(torus_lines_t *lines, torus_error_t *err);

/* After the last line: its number, at least 1, for messages about what is missing. */
uint32_t torus_lines_last(const torus_lines_t *lines);

void torus_lines_close(torus_lines_t *lines);

#endif
