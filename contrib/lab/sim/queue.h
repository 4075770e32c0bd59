/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waiting jobs in the order of the scheduler, searchable for the first that is small
 * and short enough: a tree of minima over all places in the queue. Private to the
 * simulator.
 */
#ifndef TORUS_SIM_QUEUE_H
#define TORUS_SIM_QUEUE_H

#include <stdint.h>

/* There is no such place. */
#define TORUS_NO_PLACE UINT32_MAX
/* No limit to the nodes: no job has more. */
#define TORUS_ANY_NODES (UINT32_MAX - 1)

typedef struct torus_queue {
	uint32_t leaves; /* a power of two */
	uint32_t *nodes; /* [2 * leaves] least of the subtree; UINT32_MAX: none waits */
	int64_t *time;	 /* [2 * leaves] the same of a time that the scheduler chooses */
	uint32_t waiting;
} torus_queue_t;

/* An empty queue of [places] places, at most 2^31. NULL: out of memory. */
torus_queue_t *torus_queue_create(uint32_t places);
/* NULL is accepted. */
void torus_queue_destroy(torus_queue_t *queue);

/* Put a job that needs [nodes] and has [time] on an empty [place]. O(log places). */
void torus_queue_put(torus_queue_t *queue, uint32_t place, uint32_t nodes, int64_t time);

/* Change the time of the job on [place]. O(log places). */
void torus_queue_set_time(torus_queue_t *queue, uint32_t place, int64_t time);

/* Take the job on [place] out. O(log places). */
void torus_queue_remove(torus_queue_t *queue, uint32_t place);

/*
 * The first place from [from] on with a job of at most [nodes] and [time], or
 * TORUS_NO_PLACE. O(log places) if one of the two limits excludes no job; more if each
 * excludes jobs that the other does not.
 */
uint32_t torus_queue_find(const torus_queue_t *queue, uint32_t from, uint32_t nodes,
			  int64_t time);

/* The least time of all jobs; INT64_MAX: none waits. */
static inline int64_t torus_queue_first_time(const torus_queue_t *queue)
{
	return queue->time[1];
}

/* The first place from [from] on with a job, or TORUS_NO_PLACE. */
static inline uint32_t torus_queue_next(const torus_queue_t *queue, uint32_t from)
{
	return torus_queue_find(queue, from, TORUS_ANY_NODES, INT64_MAX);
}

#endif
