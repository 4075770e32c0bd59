/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori that topology/torus works on, behind a lock; only slurmctld has them. */
#ifndef TORUS_TOPOLOGY_TORI_H
#define TORUS_TOPOLOGY_TORI_H

#include "slurm/tori.h"

/*
 * Read torus.conf and join it with the present node table, see tori_renew(): a bad
 * torus.conf ends slurmctld at its start.
 */
void topology_tori_renew(void);

/*
 * The tori, for the caller alone until topology_tori_unlock(), joined with the node
 * table as it is now: the caller holds slurmctld's lock of the nodes, or that of the jobs
 * for writing. NULL, and nothing is locked, where there are none, and, with an error in
 * the log, where this thread has them already: see could_ever_run() in topology_torus.c.
 */
tori_t *topology_tori_lock(void);
void topology_tori_unlock(void);

/*
 * The same, joined with the node table as it was at some time before: for what nodes say
 * one after the other, between which nothing is decided.
 */
tori_t *topology_tori_lock_as_joined(void);

/* Join them with the node table as it is now; the caller has locked them. */
void topology_tori_join(void);

/*
 * The same for who only wants to know which node is on which torus, also where this
 * thread has the tori already, in the middle of a decision.
 */
tori_t *topology_tori_look(void);

/* Free them. */
void topology_tori_forget(void);

#endif
