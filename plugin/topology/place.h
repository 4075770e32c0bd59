/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a job gets, from Slurm 24.11 on: restrict and delegate.
 *
 * select/cons_tres asks after it has worked out which nodes have room for the job at the
 * time in question, now or at the end of some running jobs, and how much. The engine
 * chooses among these; Slurm's own topology plugin is asked with the set cut down to its
 * choice, and takes cores and GRES there. What it refuses is tried wider, and in the end
 * it is asked with the whole set: a job that stock Slurm would start is started. Only a
 * shape, --contiguous and staying within one torus are never given up.
 */
#ifndef TORUS_TOPOLOGY_PLACE_H
#define TORUS_TOPOLOGY_PLACE_H

#include "topology/tori.h"
#include "topology/try.h"

#ifdef TOPOLOGY_CHOOSES

/* Whether Slurm says that the job of [asked] could run on [nodes] if all were free. */
typedef bool topology_could_run_t(const topology_eval_t *asked, const bitstr_t *nodes);

/*
 * Choose for [eval], which is answered as topology_p_eval_nodes() does, with [slurm] to
 * delegate to.
 */
int topology_place(tori_t *tori, const topology_slurm_t *slurm,
		   topology_could_run_t *could_run, topology_eval_t *eval);

/* Forget what was noted of a plan; at the plugin's end. */
void topology_place_forget(void);

#endif
#endif
