/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.05: see slurm_compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_05_H
#define TORUS_COMPAT_SLURM_25_05_H

#include "compat/since_24_11.h"
#include "compat/until_25_05.h"

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#include "compat/step_until_25_11.h"

/* Steps that are no step of a program, beyond those that every release has. */
#define STEP_IS_OF_ANOTHER_KIND(srun)                                                    \
	((srun)->external_launcher || (srun)->array_task_id != NO_VAL)

#define READS_TOPOLOGY_YAML true

#define TOPOLOGY_HEADER "compat/topology_25_05.h"

#endif
