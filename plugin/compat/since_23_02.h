/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 23.02 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_23_02_H
#define TORUS_COMPAT_SINCE_23_02_H

#include "src/common/job_features.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/select.h"

#include "compat/select_symbols.h"

/* The first bit set in [bits] at [from] or after it; -1: none. */
static inline int next_set_bit(const bitstr_t *bits, int from)
{
	return (int)bit_ffs_from_bit((bitstr_t *)bits, from);
}

/* What each task asks for beyond --gpus-per-task. */
#define STEP_TRES_PER_TASK(opt) ((opt)->tres_per_task != NULL)

#endif
