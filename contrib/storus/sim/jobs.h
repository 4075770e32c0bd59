/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation as jobs.csv. */
#ifndef STORUS_SIM_JOBS_H
#define STORUS_SIM_JOBS_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

typedef struct storus_jobs_csv storus_jobs_csv_t;

/*
 * Begin to write the jobs of [replay], whose machine is open, to [file]; both must
 * outlive it. NULL with [err] filled (memory).
 */
storus_jobs_csv_t *storus_jobs_csv_begin(FILE *file, const storus_replay_t *replay,
					 torus_error_t *err);
/* NULL is accepted. */
void storus_jobs_csv_end(storus_jobs_csv_t *csv);

/*
 * Write the line of a job with run[0 .. record->runs-1]:
 * job,submit,start,end,nodes,cells, the metrics, torus, and with
 * --isolation how much it and the jobs that run when it starts disturb each other. Times
 * are seconds, cells in the order of their ranks. Of a job on several tori, cells and
 * names of the tori are separated by '|', and the metrics missing. Errors of the file are
 * the caller's to find. Returns 0, or -1 with [err] filled (memory).
 */
int storus_jobs_csv_add(storus_jobs_csv_t *csv, const torus_sim_record_t *record,
			const torus_sim_run_t *run, torus_error_t *err);

#endif
