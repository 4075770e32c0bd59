/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which torus a job has to stay on, where there are several. */
#ifndef TORUS_CONFINE_H
#define TORUS_CONFINE_H

#include "select/decision.h"
#include "slurm/potential.h"

/*
 * With several tori: whether the job has to stay within one, because there is one on
 * which Slurm's plugin says that it could run one day. Asked once a decision.
 */
bool is_confined(decision_t *d);

#endif
