/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs' tasks are put in order without a word of the user's: TaskOrder=. */
#ifndef TORUS_MACHINE_ORDER_SCOPE_H
#define TORUS_MACHINE_ORDER_SCOPE_H

#include <stdbool.h>

#include "base/error.h"

/* Zeroed: those of all partitions. */
typedef struct torus_order_scope {
	bool only; /* those of the partitions listed, or else of all others */
	char *partitions; /* names, comma-separated, malloc'ed; NULL: lists none */
} torus_order_scope_t;

/*
 * Read "all", "none" (in any case), names of partitions with commas between them, or such
 * a list behind "except:". Returns 0, and the caller clears *scope; or -1 with [err]
 * filled: nothing between two commas, memory.
 */
int torus_order_scope_parse(const char *text, torus_order_scope_t *scope,
			    torus_error_t *err);

/* Whether it has the jobs of [partition], whose name counts letter by letter. */
bool torus_order_scope_has(const torus_order_scope_t *scope, const char *partition);

void torus_order_scope_clear(torus_order_scope_t *scope);

#endif
