/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The results of a comparison's simulations on disk: a file each, in a directory, written
 * whole or not at all. Its name is a hash of everything that the result depends on, which
 * the file repeats: it is read only for the same simulation by the same build of storus.
 */
#ifndef STORUS_SIM_COMPARE_STORE_H
#define STORUS_SIM_COMPARE_STORE_H

#include "storus/sim/compare_plan.h"
#include "storus/sim/measures.h"

/*
 * Make the directory [directory] if there is none. Returns 0, or -1 with [err] filled.
 */
int storus_store_open(const char *directory, torus_error_t *err);

/*
 * Read the result of [cell]. Returns 1; 0 if there is none, or one of another simulation,
 * or one that is not whole; or -1 with [err] filled (memory, a file that cannot be read).
 */
int storus_store_read(const char *directory, const storus_cell_t *cell,
		      double value[STORUS_MEASURES], torus_error_t *err);

/* Write it. Returns 0, or -1 with [err] filled. */
int storus_store_write(const char *directory, const storus_cell_t *cell,
		       const double value[STORUS_MEASURES], torus_error_t *err);

#endif
