/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that are a line or a closed ring: see taskmap/any/line.c. */
#ifndef TORUS_TASKMAP_ANY_LINE_H
#define TORUS_TASKMAP_ANY_LINE_H

#include "taskmap/any/any.h"
#include "taskmap/any/search.h"

/*
 * Whether the nodes of [job], of which [search] is the search, are a line or ring whose
 * order from its first node on is allowed; it is in order[nodes] then. *is_line. Nodes are
 * neighbours whatever chips they have. Returns 0, or -1 with [err] filled (memory).
 */
int torus_any_line(const torus_any_job_t *job, const torus_any_search_t *search,
		   uint32_t *order, bool *is_line, torus_error_t *err);

#endif
