/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of numbers (ranks, cells) as text: "0-7,12,20-31", "all"; cells in order
 * "0-3;17". */
#ifndef TORUS_LISTS_RANKLIST_H
#define TORUS_LISTS_RANKLIST_H

#include <stdint.h>

#include "base/error.h"
#include "lists/text.h"

/*
 * Read a set: numbers and ascending ranges separated by commas, or "all", or "" for the
 * empty set, each number below [limit]. Sets the bits in [bitmap] (TORUS_WORDS(limit)
 * words, cleared first). A number given twice is an error. Returns 0, or -1 with [err]
 * naming the offending item.
 */
int torus_ranklist_parse_set(const char *text, uint32_t limit, uint64_t *bitmap,
			     torus_error_t *err);

/*
 * Read a sequence that keeps its order, the items separated by commas or semicolons; a
 * range may descend ("7-4"). Repeated numbers are allowed: several nodes may hang on one
 * cell. On success *list is malloc'ed, *count its length (>= 1), to be freed with free().
 * Returns 0, or -1 with [err] filled (bad item, number not below [limit], empty text,
 * more than 2^28 numbers, memory); then *list is NULL.
 */
int torus_ranklist_parse_sequence(const char *text, uint32_t limit, uint32_t **list,
				  uint32_t *count, torus_error_t *err);

/*
 * Write [count] numbers as text, runs that ascend by one folded to "a-b", items joined
 * by [separator] (',' or ';'). Returns malloc'ed text ("" for none), NULL: out of memory.
 */
char *torus_ranklist_format(const uint32_t *list, uint32_t count, char separator);

/* Add the same to [text]. Returns 0, or -1: out of memory. */
int torus_ranklist_add(torus_text_t *text, const uint32_t *list, uint32_t count,
		       char separator);

#endif
