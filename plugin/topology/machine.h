/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that topology/torus works on, behind a lock; only slurmctld has one. */
#ifndef TORUS_TOPOLOGY_MACHINE_H
#define TORUS_TOPOLOGY_MACHINE_H

#include "slurm/machine.h"

/*
 * Read torus.conf and join it with the present node table, see machine_renew(): a bad
 * torus.conf ends slurmctld at its start.
 */
void topology_machine_renew(void);

/*
 * The machine, for the caller alone until topology_machine_unlock(), joined with the node
 * table as it is now: the caller holds slurmctld's lock of the nodes. NULL, and nothing
 * is locked, where there is none, and, with an error in the log, where this thread has it
 * already: see could_ever_run() in topology_torus.c.
 */
machine_t *topology_machine_lock(void);
void topology_machine_unlock(void);

/* Free it. */
void topology_machine_forget(void);

#endif
