/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as a job array of the Slurm cluster that it is called on. */
#ifndef STORUS_SIM_COMPARE_SLURM_H
#define STORUS_SIM_COMPARE_SLURM_H

#include "storus/sim/compare_run.h"

/*
 * Submit an array of run->slices elements, each of which runs `storus sim compare` on its
 * slice of [matrix_path] with run->jobs processes, results kept in run->directory, and
 * wait until it has ended, showing how many of the results are there. Returns 0 when all
 * elements succeeded, 1 when some did not, -1 with [err] filled; or -1 - SIGNAL when a
 * signal ended the waiting: the array goes on then, and a message says how to stop it.
 */
int storus_compare_slurm(const storus_run_t *run, const char *matrix_path,
			 torus_error_t *err);

#endif
