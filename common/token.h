/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The word that says how compact a job's allocation is, kept among other words in the
 * job's SystemComment: "torus=main,nodes=12,span=14,box=3x2x3,avghops=1.83".
 */
#ifndef TORUS_TOKEN_H
#define TORUS_TOKEN_H

#include "map.h"

/*
 * Describe the allocation ranks[0 .. n-1] on [map]. The span is by the map's span rule,
 * avghops is metrics.h's average_distance with two decimals. Returns malloc'ed text, or
 * NULL with [err] filled (memory).
 */
char *torus_token_format(const torus_map_t *map, const uint32_t *ranks, uint32_t n,
			 torus_error_t *err);

/*
 * The comment [old] (NULL: none) with our word replaced by [token], or removed when
 * [token] is NULL; a new word goes to the end. Words are separated by blanks; all other
 * words and the blanks between them stay as they are. Returns malloc'ed text, or NULL when
 * the result is empty or memory is short; *failed (may be NULL) tells these apart.
 */
char *torus_token_replace(const char *old, const char *token, bool *failed);

/* Find our word in [comment] (may be NULL): a pointer into it and *length, or NULL. */
const char *torus_token_find(const char *comment, size_t *length);

#endif
