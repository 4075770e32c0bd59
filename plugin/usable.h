/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a job could use at a given time, as far as this can be told cheaply: the free
 * set on which the engine decides. Slurm's plugin verifies every decision, so a node too
 * many costs a second try, never a wrong allocation.
 */
#ifndef TORUS_USABLE_H
#define TORUS_USABLE_H

#include "slurm_compat.h"

/*
 * Clear from [nodes] those on which [job], running on [count] nodes, would not fit at
 * [when]. A job that takes whole nodes needs idle ones; another needs nodes with enough CPUs
 * (and memory, where Slurm allocates it) left over for an even share of its tasks. At a
 * later time than now, jobs that reach their time limit by then are gone.
 */
void usable_filter(bitstr_t *nodes, const job_record_t *job, uint32_t count, time_t when);

/*
 * The distinct times, ascending, at which running jobs that hold some of [nodes] reach
 * their time limit. *times is to be freed with xfree(); returns their number.
 */
int usable_times(const bitstr_t *nodes, time_t **times);

#endif
