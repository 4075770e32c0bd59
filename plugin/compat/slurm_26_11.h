/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 26.11: nothing so far, as of its 26.11.0-0rc1 of 2026-08-20. */
#ifndef TORUS_COMPAT_SLURM_26_11_H
#define TORUS_COMPAT_SLURM_26_11_H

#include "compat/slurm_26_05.h"

#endif
