/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job may have one day, torus by torus. */
#ifndef TORUS_POTENTIAL_H
#define TORUS_POTENTIAL_H

#include "slurm/machine.h"

/*
 * With several tori: whether there is one on which the job could run one day, on at least
 * [min_nodes] nodes, as [could_run] says of the nodes there that it may have, with the
 * [context] that was given along.
 */
bool suits_some_torus(const machine_t *machine, job_record_t *job, uint32_t min_nodes,
		      bool (*could_run)(void *context, const bitstr_t *nodes),
		      void *context);

/* Clear from [nodes] those that are not on torus [t]. */
void keep_on_torus(const machine_t *machine, bitstr_t *nodes, int t);

#endif
