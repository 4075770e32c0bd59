/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 24.11: see slurm_compat.h. */
#ifndef TORUS_COMPAT_SLURM_24_11_H
#define TORUS_COMPAT_SLURM_24_11_H

#include "compat/since_24_11.h"

/* Names that later releases have changed. */
#define SELECT_CPU CR_CPU
#define SELECT_CORE CR_CORE
#define SELECT_SOCKET CR_SOCKET
#define SELECT_MEMORY CR_MEMORY
#define SELECT_LLN CR_LLN
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE

/*
 * A number that no plugin of Slurm's own has: clients find by it the plugin that unpacks
 * the node information of a message, and all select plugins are loaded side by side.
 */
#define SELECT_PLUGIN_ID(own) (own)

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

#endif
