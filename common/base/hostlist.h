/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostlist expressions as Slurm writes them, for machines without Slurm: "n[000-319]",
 * "rack[0-3]node[00-15,20],login". Several bracket groups in one name multiply, the last
 * running fastest.
 */
#ifndef TORUS_BASE_HOSTLIST_H
#define TORUS_BASE_HOSTLIST_H

#include <stdint.h>

#include "base/error.h"

/* Names one expression may expand to; a longer one is an error, not a memory hog. */
#define TORUS_HOSTLIST_MAX (UINT32_C(1) << 24)
/* Characters one name may have. */
#define TORUS_HOSTNAME_MAX 255

/*
 * Number of names in [text], 1 .. TORUS_HOSTLIST_MAX, without expanding it: O(characters)
 * time, no memory. Returns 0, or -1 with [err] naming the offending part: no name, an
 * empty one, unbalanced or empty brackets, a descending range, a character other than
 * letters, digits and "._-:" in a name, a name longer than TORUS_HOSTNAME_MAX, too many
 * names.
 */
int torus_hostlist_count(const char *text, uint32_t *count, torus_error_t *err);

/*
 * Expand [text] in order. On success *names is one malloc'ed block: an array of *count
 * pointers followed by the strings they point to; one free() releases it all.
 * Returns 0, or -1 with [err] filled as by torus_hostlist_count(), or when memory is
 * short; then *names is NULL. Names that appear twice are kept.
 *
 * A range is written with at least as many digits as its first number: "n[8-10]" is n8,
 * n9, n10 and "n[08-10]" is n08, n09, n10, as in Slurm.
 */
int torus_hostlist_expand(const char *text, char ***names, uint32_t *count,
			  torus_error_t *err);

#endif
