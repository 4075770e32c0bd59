/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "heap.h"

#include <stdlib.h>

int contend_heap_resize(contend_heap_t *heap, uint32_t room)
{
	uint32_t *item = reallocarray(heap->item, room, sizeof(*item));
	uint32_t *place;
	double *key;

	if (!item)
		return -1;
	heap->item = item;
	place = reallocarray(heap->place, room, sizeof(*place));
	if (!place)
		return -1;
	heap->place = place;
	key = reallocarray(heap->key, room, sizeof(*key));
	if (!key)
		return -1;
	heap->key = key;
	for (uint32_t i = heap->room; i < room; i++)
		place[i] = CONTEND_NO_PLACE;
	heap->room = room;
	return 0;
}

void contend_heap_clear(contend_heap_t *heap)
{
	free(heap->item);
	free(heap->place);
	free(heap->key);
	*heap = (contend_heap_t){0};
}

static void put(contend_heap_t *heap, uint32_t place, uint32_t item)
{
	heap->item[place] = item;
	heap->place[item] = place;
}

/* Find the place of [item], which is to be at [place] or above it. */
static void rise(contend_heap_t *heap, uint32_t place, uint32_t item)
{
	while (place) {
		uint32_t above = (place - 1) / 2;

		if (heap->key[heap->item[above]] <= heap->key[item])
			break;
		put(heap, place, heap->item[above]);
		place = above;
	}
	put(heap, place, item);
}

/* The same, at [place] or below it. */
static void sink(contend_heap_t *heap, uint32_t place, uint32_t item)
{
	for (uint32_t below = 2 * place + 1; below < heap->count; below = 2 * place + 1) {
		if (below + 1 < heap->count &&
		    heap->key[heap->item[below + 1]] < heap->key[heap->item[below]])
			below++;
		if (heap->key[item] <= heap->key[heap->item[below]])
			break;
		put(heap, place, heap->item[below]);
		place = below;
	}
	put(heap, place, item);
}

static void settle(contend_heap_t *heap, uint32_t place, uint32_t item)
{
	rise(heap, place, item);
	sink(heap, heap->place[item], item);
}

void contend_heap_set(contend_heap_t *heap, uint32_t item, double key)
{
	uint32_t place = heap->place[item];

	heap->key[item] = key;
	settle(heap, place == CONTEND_NO_PLACE ? heap->count++ : place, item);
}

void contend_heap_remove(contend_heap_t *heap, uint32_t item)
{
	uint32_t place = heap->place[item];
	uint32_t last;

	if (place == CONTEND_NO_PLACE)
		return;
	heap->place[item] = CONTEND_NO_PLACE;
	last = heap->item[--heap->count];
	if (last != item)
		settle(heap, place, last);
}
