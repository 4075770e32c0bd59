/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Swaps towards where a task's neighbours are: see taskmap/any/moves.c. */
#ifndef TORUS_TASKMAP_ANY_MOVES_H
#define TORUS_TASKMAP_ANY_MOVES_H

#include "taskmap/any/search.h"
#include "taskmap/search/effort.h"

/*
 * Improve [order] by swaps that [search] allows, while [effort] lasts. Its hops by the
 * pattern's weights never rise; those of a single pattern may. Returns 0, or -1 with
 * [err] filled (memory).
 */
int torus_any_moves(const torus_any_search_t *search, torus_effort_t *effort,
		    uint32_t *order, torus_error_t *err);

#endif
