/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job has to stay within one of several tori: see confine.h. */
#include "select/confine.h"

#include "select/ask_slurm.h"

static bool could_run(void *context, const bitstr_t *nodes)
{
	return could_ever_run(context, nodes);
}

bool is_confined(decision_t *d)
{
	if (d->confinement == CONFINEMENT_UNKNOWN) {
		d->confinement = suits_some_torus(d->machine, d->call->job,
						  d->call->min_nodes, could_run, d)
					 ? CONFINED
					 : UNCONFINED;
	}
	return d->confinement == CONFINED;
}
