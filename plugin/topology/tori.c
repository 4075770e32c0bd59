/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori of topology/torus: see topology/tori.h. */
#include "topology/tori.h"

#include "slurm/lock_order.h"

static tori_t *tori;
static ordered_lock_t lock = ORDERED_LOCK(LOCK_TORI);

void topology_tori_renew(void)
{
	lock_in_order(&lock);
	tori = tori_renew(tori);
	unlock_in_order(&lock);
}

/* Whether this thread has the tori, and how often it looks at them meanwhile. */
static __thread bool locked_here;
static __thread int looks;

tori_t *topology_tori_lock_as_joined(void)
{
	if (locked_here) {
		error("%s: asked again in the middle of a decision", plugin_type);
		return NULL;
	}
	lock_in_order(&lock);
	if (!tori) {
		unlock_in_order(&lock);
		return NULL;
	}
	expect_node_table_locked();
	locked_here = true;
	return tori;
}

void topology_tori_join(void)
{
	tori_keep_joined(tori);
}

tori_t *topology_tori_lock(void)
{
	if (topology_tori_lock_as_joined()) {
		topology_tori_join();
		return tori;
	}
	return NULL;
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
	unlock_in_order(&lock);
}

void topology_tori_forget(void)
{
	lock_in_order(&lock);
	tori_free(tori);
	tori = NULL;
	unlock_in_order(&lock);
}
