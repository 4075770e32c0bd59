/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation as jobs.csv. */
#ifndef STORUS_SIM_JOBS_H
#define STORUS_SIM_JOBS_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

/*
 * Write a line a job: job,submit,start,end,nodes,cells, the metrics, torus, and with
 * --isolation how much it and the jobs that run when it starts disturb each other. Times
 * are seconds, cells in the order of their ranks. Of a job on several tori, cells and
 * names of the tori are separated by '|', and the metrics missing. Errors of [file] are
 * the caller's to find. Returns 0, or -1 with [err] filled (memory).
 */
int storus_jobs_write(FILE *file, const storus_replay_t *replay, torus_error_t *err);

#endif
