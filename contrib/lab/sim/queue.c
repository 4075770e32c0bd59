/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting jobs: see queue.h. */
#include "sim/queue.h"

#include <stdlib.h>

torus_queue_t *torus_queue_create(uint32_t places)
{
	torus_queue_t *queue = calloc(1, sizeof(*queue));
	size_t size;

	if (!queue)
		return NULL;
	queue->leaves = 1;
	while (queue->leaves < places)
		queue->leaves *= 2;
	size = 2 * (size_t)queue->leaves;
	queue->nodes = malloc(size * sizeof(*queue->nodes));
	queue->time = malloc(size * sizeof(*queue->time));
	if (!queue->nodes || !queue->time) {
		torus_queue_destroy(queue);
		return NULL;
	}
	for (size_t i = 0; i < size; i++) {
		queue->nodes[i] = UINT32_MAX;
		queue->time[i] = INT64_MAX;
	}
	return queue;
}

void torus_queue_destroy(torus_queue_t *queue)
{
	if (!queue)
		return;
	free(queue->nodes);
	free(queue->time);
	free(queue);
}

/* Set a leaf, and the minima above it as far as they change. */
static void set(torus_queue_t *queue, uint32_t place, uint32_t nodes, int64_t time)
{
	size_t at = (size_t)queue->leaves + place;

	queue->nodes[at] = nodes;
	queue->time[at] = time;
	for (at /= 2; at; at /= 2) {
		const uint32_t *n = &queue->nodes[2 * at];
		const int64_t *t = &queue->time[2 * at];

		nodes = n[0] < n[1] ? n[0] : n[1];
		time = t[0] < t[1] ? t[0] : t[1];
		if (queue->nodes[at] == nodes && queue->time[at] == time)
			return;
		queue->nodes[at] = nodes;
		queue->time[at] = time;
	}
}

void torus_queue_put(torus_queue_t *queue, uint32_t place, uint32_t nodes, int64_t time)
{
	set(queue, place, nodes, time);
	queue->waiting++;
}

void torus_queue_set_time(torus_queue_t *queue, uint32_t place, int64_t time)
{
	set(queue, place, queue->nodes[(size_t)queue->leaves + place], time);
}

void torus_queue_remove(torus_queue_t *queue, uint32_t place)
{
	set(queue, place, UINT32_MAX, INT64_MAX);
	queue->waiting--;
}

uint32_t torus_queue_find(const torus_queue_t *queue, uint32_t from, uint32_t nodes,
			  int64_t time)
{
	size_t at = (size_t)queue->leaves + from;

	if (from >= queue->leaves)
		return TORUS_NO_PLACE;
	/* From the leaf on: what is found next is often near. */
	for (;;) {
		if (queue->nodes[at] <= nodes && queue->time[at] <= time) {
			if (at >= queue->leaves)
				return (uint32_t)(at - queue->leaves);
			at *= 2;
			continue;
		}
		while (at & 1)
			at /= 2;
		if (!at)
			return TORUS_NO_PLACE;
		at++;
	}
}
