/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Annealing on several threads: see annealing_threads.c. */
#ifndef TORUS_TASKMAP_SEARCH_ANNEALING_THREADS_H
#define TORUS_TASKMAP_SEARCH_ANNEALING_THREADS_H

#include "taskmap/search/annealing.h"

/*
 * As torus_annealing_run(), on [threads] threads (>= 2), this one included: what the
 * busiest has spent of the [effort] is gone then. The result depends on their number, and
 * not on whether they ran at the same time, unless the clock ends them.
 */
double torus_annealing_run_threads(const torus_annealing_t *annealing, uint32_t threads,
				   double heat, uint64_t moves, uint64_t *random,
				   torus_effort_t *effort, uint32_t *node_of_item,
				   torus_error_t *err);

#endif
