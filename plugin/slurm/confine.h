/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job has to stay within one of several tori. */
#ifndef TORUS_CONFINE_H
#define TORUS_CONFINE_H

#include "slurm/tori.h"

/* The nodes that a job may have one day, as far as they are known; {0} at first. */
typedef struct confine {
	bool known;
	bitstr_t *potential; /* NULL: they are not known */
} confine_t;

/*
 * Whether [job] could run one day on torus [t] alone, on at least [min_nodes] nodes, as
 * [could_run] says, with the [context] given along, of the nodes there that it may have.
 */
bool confine_suits(confine_t *confine, const tori_t *tori, job_record_t *job,
		   uint32_t min_nodes, int t,
		   bool (*could_run)(void *context, const bitstr_t *nodes),
		   void *context);

/* Forget the nodes. */
void confine_end(confine_t *confine);

/* Clear from [nodes] those that are not on torus [t]. */
void confine_to(const tori_t *tori, bitstr_t *nodes, int t);

#endif
