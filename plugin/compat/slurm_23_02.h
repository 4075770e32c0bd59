/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 23.02: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_23_02_H
#define TORUS_COMPAT_SLURM_23_02_H

#include "compat/since_23_02.h"
#include "compat/until_23_02.h"

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)                                         \
	SELECT_SYMBOLS_OF_CLIENTS(FORWARD)                                               \
	SELECT_SYMBOL_RESV_TEST(HOOK)

#endif
