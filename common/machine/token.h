/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The token in a job's SystemComment that tells how compact its allocation is. Text of
 * others in the same comment is kept.
 * "torus=main,nodes=12,span=14,box=3x2x3,avghops=1.83", on a machine of cubes such as
 * "torus=main,nodes=128,span=960,box=4x4x8,avghops=3.02,cubes=3+17,joined=4x4x8".
 */
#ifndef TORUS_MACHINE_TOKEN_H
#define TORUS_MACHINE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/map.h"
#include "place/shape.h"

/* What it begins with: the key of the functions below. */
#define TORUS_TOKEN_KEY "torus="

/*
 * Describe the allocation ranks[0 .. n-1], n >= 1, distinct, in any order, on [map]. The
 * span is by the map's span rule, the box in routers, avghops is metrics.h's
 * average_distance with two decimals. On a machine of cubes box and avghops are
 * those of the job's own torus (torus/joined.h), where [shapes], what the job asked for
 * or NULL, says how it is joined; cubes= are the cubes in their order on it, if the nodes
 * are whole cubes or within one; joined= are its sides, with "_twisted" behind them if it
 * is, if they are whole ones. Returns malloc'ed text, or NULL with [err] filled (memory).
 */
char *torus_token_format(const torus_map_t *map, const uint32_t *ranks, uint32_t n,
			 const torus_shapes_t *shapes, torus_error_t *err);

/*
 * The same for a job that had to be spread over several tori: counts[i] of its nodes are
 * on maps[i], at ranks[i][0 .. counts[i]-1]; parts without nodes are left out. With nodes
 * on one torus it is the text as above, otherwise "torus=a+b,nodes=12,span=14", the span
 * being the sum of the spans; box and hops have no meaning across tori. At least one node
 * in all.
 */
char *torus_token_format_parts(const torus_map_t *const *maps,
			       const uint32_t *const *ranks, const uint32_t *counts,
			       int parts, const torus_shapes_t *shapes,
			       torus_error_t *err);

/*
 * Append to [token], malloc'ed, what chips the job has, on a machine whose nodes are
 * boxes of chips: ",chips=12,chiphops=2.67". Bit c of chips[i] is chip c
 * (geometry/chips.h) of the node at ranks[i]; nodes have TORUS_TOKEN_CHIPS chips at most.
 * chiphops is the average distance between two of the chips, with two decimals. [shapes]
 * as above. A twisted torus, of which nobody says how its chips are twisted, adds
 * nothing. Returns the longer text in place of [token], or NULL, with [token] freed and
 * [err] filled (memory).
 */
#define TORUS_TOKEN_CHIPS 64
char *torus_token_add_chips(char *token, const torus_map_t *map, const uint32_t *ranks,
			    uint32_t n, const torus_shapes_t *shapes,
			    const uint64_t *chips, torus_error_t *err);

/*
 * The comment [old] (NULL: none) with the token that begins with [key]
 * replaced by [token], or removed when [token] is NULL; a first token goes to the end.
 * Words are separated by blanks. All words of others stay as they are, and so do the
 * blanks between them, but for one blank that goes with a removed token. Should there be
 * several tokens of the key, one is left. Returns malloc'ed text, or NULL when the result
 * is empty or memory is short; *failed (may be NULL) tells these apart.
 */
char *torus_comment_replace(const char *old, const char *key, const char *token,
			    bool *failed);

/*
 * Find the first token that begins with [key] in [comment] (may be NULL): a pointer into
 * it and *length, or NULL.
 */
const char *torus_comment_find(const char *comment, const char *key, size_t *length);

/* The same for the token of an allocation. */
const char *torus_token_find(const char *comment, size_t *length);

/* How many nodes the token, text[0 .. length-1], counts; 0: it does not say. */
uint32_t torus_token_nodes(const char *text, size_t length);

/*
 * Read what the token, text[0 .. length-1], says its cubes are joined to: *shape, whole
 * cubes with their twist. Returns false, and *shape is zeroed: it says nothing of that.
 */
bool torus_token_joined(const char *text, size_t length, torus_shape_t *shape);

#endif
