/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostlist expressions as Slurm writes them, for machines without Slurm: "n[000-319]",
 * "rack[0-3]node[00-15,20],login". Several bracket groups in one name multiply, the last
 * running fastest.
 */
#ifndef TORUS_HOSTLIST_H
#define TORUS_HOSTLIST_H

#include <stdint.h>

#include "error.h"

/* Names one expression may expand to; a longer one is an error, not a memory hog. */
#define TORUS_HOSTLIST_MAX (UINT32_C(1) << 24)

/*
 * Expand [text] in order. On success *names is one malloc'ed block: an array of *count
 * pointers followed by the strings they point to; one free() releases it all.
 * Returns 0, or -1 with [err] naming the offending part (unbalanced or empty brackets,
 * descending range, bad characters such as blanks, more than TORUS_HOSTLIST_MAX names,
 * memory); then *names is NULL. Names that appear twice are kept.
 */
int torus_hostlist_expand(const char *text, char ***names, uint32_t *count,
			  torus_error_t *err);

/*
 * The inverse for printing: fold runs of names that differ only in their last number,
 * ascending by one, same width, into brackets, all runs with the same prefix and suffix
 * that follow each other in one bracket. The order of the names is kept. Returns malloc'ed
 * text ("" for none), NULL: out of memory.
 */
char *torus_hostlist_format(const char *const *names, uint32_t count);

#endif
