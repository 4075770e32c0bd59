/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether Slurm plans a job or starts it, as far as a topology plugin can tell. */
#ifndef TORUS_TOPOLOGY_PLANNED_H
#define TORUS_TOPOLOGY_PLANNED_H

#include "slurm/compat.h"

/*
 * Whether the weight that Slurm has noted for [node] is on the scale of plans, that of
 * backfill: whenever slurmctld is about to start a job it notes weights on another one.
 */
static inline bool topology_weighs_for_plan(const node_record_t *node)
{
	return (uint32_t)(node->sched_weight >> 8) != node->config_ptr->weight;
}

#endif
