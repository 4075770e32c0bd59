/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can never run. */
#ifndef TORUS_REFUSE_H
#define TORUS_REFUSE_H

#include "slurm/compat.h"

/* Why, where every place was looked at. */
#define NO_PLACE_HAS "no such place has the processors, memory or GRES that it asks for"

/*
 * Refuse the job for good; the reason goes into the log. Returns what Slurm is to be
 * told.
 */
int refuse_job(const job_record_t *job, const char *reason);

#endif
