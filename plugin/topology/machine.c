/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of topology/torus: see topology/machine.h. */
#include "topology/machine.h"

#include <pthread.h>

static machine_t *machine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void topology_machine_renew(void)
{
	slurm_mutex_lock(&lock);
	machine = machine_renew(machine);
	slurm_mutex_unlock(&lock);
}

static void join(void)
{
	torus_error_t err;

	if (machine_join(machine, &err))
		fatal("%s: %s", plugin_type, err.text);
}

/* Whether this thread has the machine. */
static __thread bool locked_here;

machine_t *topology_machine_lock(void)
{
	if (locked_here) {
		error("%s: asked again in the middle of a decision", plugin_type);
		return NULL;
	}
	slurm_mutex_lock(&lock);
	if (!machine) {
		slurm_mutex_unlock(&lock);
		return NULL;
	}
	if (!machine_is_joined(machine))
		join();
	locked_here = true;
	return machine;
}

void topology_machine_unlock(void)
{
	locked_here = false;
	slurm_mutex_unlock(&lock);
}

void topology_machine_forget(void)
{
	slurm_mutex_lock(&lock);
	machine_free(machine);
	machine = NULL;
	slurm_mutex_unlock(&lock);
}
