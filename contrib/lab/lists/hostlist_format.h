/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names to a hostlist expression (base/hostlist.h). */
#ifndef TORUS_LISTS_HOSTLIST_FORMAT_H
#define TORUS_LISTS_HOSTLIST_FORMAT_H

#include <stdint.h>

/*
 * The inverse of torus_hostlist_expand(), for printing: fold runs of names that differ only in their last number,
 * ascending by one and written as one range would be, into brackets; all runs with the
 * same prefix and suffix that follow each other in one bracket. The order of the names is
 * kept. Returns malloc'ed text ("" for none), NULL: out of memory.
 */
char *torus_hostlist_format(const char *const *names, uint32_t count);

#endif
