/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locks of the plugins, in the order in which they are taken. A thread that has one
 * takes only those that come after it:
 *
 * 1. slurmctld's, of its configuration, jobs, nodes and partitions, in this order and in
 *    one call of lock_slurmctld().
 * 2. LOCK_TORI: the tori, and the memory in which decisions are made. If both plugins are
 *    there, that of select/torus comes before that of topology/torus.
 * 3. LOCK_WATCHED: what topology/torus has noted of the running jobs.
 * 4. LOCK_DECISIONS: the counts of decisions and their file.
 * 5. Those that functions take and release by themselves: in Slurm of its lists, of its
 *    log, of what it has to save (schedule_job_save()), and of the number of its threads
 *    (server_thread_incr()); and whether a thread of ours is to end
 *    (base/paced_thread.h).
 *
 * Plugins for a Slurm that was configured to check its own locks (--enable-developer)
 * check this each time they take one, and also that slurmctld's are held where they have
 * to be. Such a Slurm ends at the first fault.
 */
#ifndef TORUS_SLURM_LOCK_ORDER_H
#define TORUS_SLURM_LOCK_ORDER_H

#include "slurm/compat.h"

#include <pthread.h>

#include "src/slurmctld/locks.h"

typedef enum lock_order {
	LOCK_TORI,
	LOCK_WATCHED,
	LOCK_DECISIONS,
} lock_order_t;

typedef struct ordered_lock {
	pthread_mutex_t mutex;
	lock_order_t order;
} ordered_lock_t;

#define ORDERED_LOCK(order)                                                              \
	{                                                                                \
		PTHREAD_MUTEX_INITIALIZER, order                                         \
	}

#ifdef NDEBUG
static inline void lock_note_taken(const ordered_lock_t *lock)
{
	(void)lock;
}
static inline void lock_note_released(const ordered_lock_t *lock)
{
	(void)lock;
}
#define slurmctld_has_locked(what, level) true
#else
void lock_note_taken(const ordered_lock_t *lock);
void lock_note_released(const ordered_lock_t *lock);
#define slurmctld_has_locked(what, level) verify_lock(what, level)
#endif

static inline void lock_in_order(ordered_lock_t *lock)
{
	lock_note_taken(lock);
	slurm_mutex_lock(&lock->mutex);
}

static inline void unlock_in_order(ordered_lock_t *lock)
{
	slurm_mutex_unlock(&lock->mutex);
	lock_note_released(lock);
}

/* That this thread has slurmctld's jobs for itself. */
static inline void expect_jobs_locked(void)
{
	xassert(slurmctld_has_locked(JOB_LOCK, WRITE_LOCK));
}

/*
 * That slurmctld's table of nodes stays as it is: nodes come and go only with both the
 * nodes and the jobs locked for writing.
 */
static inline void expect_node_table_locked(void)
{
	xassert(slurmctld_has_locked(NODE_LOCK, READ_LOCK) ||
		slurmctld_has_locked(JOB_LOCK, WRITE_LOCK));
}

#endif
