/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 25.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_25_05_H
#define TORUS_COMPAT_UNTIL_25_05_H

#include "compat/until_25_11.h"

/* Names that later releases have changed. */
#define SELECT_CPU CR_CPU
#define SELECT_CORE CR_CORE
#define SELECT_SOCKET CR_SOCKET
#define SELECT_MEMORY CR_MEMORY
#define SELECT_LLN CR_LLN
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#define SELECT_PACK_NODES CR_PACK_NODES

#endif
