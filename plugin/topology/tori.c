/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori of topology/torus: see topology/tori.h. */
#include "topology/tori.h"

#include <pthread.h>

static tori_t *tori;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void topology_tori_renew(void)
{
	slurm_mutex_lock(&lock);
	tori = tori_renew(tori);
	slurm_mutex_unlock(&lock);
}

static void join(void)
{
	torus_error_t err;

	if (tori_join(tori, &err))
		fatal("%s: %s", plugin_type, err.text);
}

/* Whether this thread has the tori, and how often it looks at them meanwhile. */
static __thread bool locked_here;
static __thread int looks;

tori_t *topology_tori_lock(void)
{
	if (locked_here) {
		error("%s: asked again in the middle of a decision", plugin_type);
		return NULL;
	}
	slurm_mutex_lock(&lock);
	if (!tori) {
		slurm_mutex_unlock(&lock);
		return NULL;
	}
	if (!tori_is_joined(tori))
		join();
	locked_here = true;
	return tori;
}

tori_t *topology_tori_look(void)
{
	if (!locked_here)
		return topology_tori_lock();
	looks++;
	return tori;
}

void topology_tori_unlock(void)
{
	if (looks) {
		looks--;
		return;
	}
	locked_here = false;
	slurm_mutex_unlock(&lock);
}

void topology_tori_forget(void)
{
	slurm_mutex_lock(&lock);
	tori_free(tori);
	tori = NULL;
	slurm_mutex_unlock(&lock);
}
