/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which values the keys of a matrix take. Only for matrix.c. */
#ifndef STORUS_SIM_MATRIX_CHECK_H
#define STORUS_SIM_MATRIX_CHECK_H

#include "storus/sim/matrix.h"

/*
 * Check one item of the value of [key], by itself. Returns 0, or -1 with [err] naming
 * what is wrong with it.
 */
int storus_matrix_check(storus_matrix_key_t key, const char *item, torus_error_t *err);

#endif
