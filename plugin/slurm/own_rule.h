/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of Slurm's own for which nodes a job gets. */
#ifndef TORUS_OWN_RULE_H
#define TORUS_OWN_RULE_H

#include "slurm/compat.h"

/*
 * Whether such a rule says which nodes the job gets, so that the engine must not choose
 * others: --spread-job; and of nodes that jobs share the least loaded ones, where
 * [select_params] (SelectTypeParameters=) or the partition ask for these, [busy] ones for
 * jobs that are backfilled, and those at the end of the list for serial jobs.
 * [req_nodes]: how many nodes it would like to have.
 */
bool own_rule_decides(const job_record_t *job, uint32_t select_params, uint32_t req_nodes,
		      bool busy);

#endif
