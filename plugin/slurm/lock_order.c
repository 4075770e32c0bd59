/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checking the order of locks: see slurm/lock_order.h. */
#include "slurm/lock_order.h"

#ifndef NDEBUG

/* A bit for each of the plugin's locks that this thread has. */
static __thread unsigned held;

void lock_note_taken(const ordered_lock_t *lock)
{
	/* None of the same place in the order, or below. */
	xassert(!(held >> lock->order));
	held |= 1u << lock->order;
}

void lock_note_released(const ordered_lock_t *lock)
{
	xassert(held & (1u << lock->order));
	held &= ~(1u << lock->order);
}

#endif
