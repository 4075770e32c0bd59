/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.05: see slurm_compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_05_H
#define TORUS_COMPAT_SLURM_25_05_H

#include "compat/since_24_11.h"

/* Names that later releases have changed. */
#define SELECT_CPU CR_CPU
#define SELECT_CORE CR_CORE
#define SELECT_SOCKET CR_SOCKET
#define SELECT_MEMORY CR_MEMORY
#define SELECT_LLN CR_LLN
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#endif
