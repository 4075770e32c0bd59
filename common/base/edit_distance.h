/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a mistyped word is from a known one: behind "did you mean ...?". */
#ifndef TORUS_BASE_EDIT_DISTANCE_H
#define TORUS_BASE_EDIT_DISTANCE_H

#include <stddef.h>

/* Words longer than this are far from every other. */
#define TORUS_EDIT_LONGEST 31

/*
 * The fewest characters to insert, delete and replace that turn [a] into [b], letters in
 * any case (Levenshtein, "Binary codes capable of correcting deletions, insertions, and
 * reversals"); TORUS_EDIT_LONGEST + 1 when one of them is longer than TORUS_EDIT_LONGEST.
 */
size_t torus_edit_distance(const char *a, const char *b);

#endif
