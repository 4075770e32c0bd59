/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbered items, each once, the one with the least key first: a binary heap. */
#ifndef CONTEND_HEAP_H
#define CONTEND_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct contend_heap {
	uint32_t *item;	 /* [count] the heap: children of i are 2i + 1 and 2i + 2 */
	uint32_t *place; /* [room] where an item is in it, or CONTEND_NO_PLACE */
	double *key;	 /* [room] of an item that is in it */
	uint32_t count, room;
} contend_heap_t;

#define CONTEND_NO_PLACE UINT32_MAX

/* Let [heap], {0} if it is new, have items 0 .. room-1. Returns 0, or -1: out of memory,
 * the heap is as before. contend_heap_clear() frees it. */
int contend_heap_resize(contend_heap_t *heap, uint32_t room);
void contend_heap_clear(contend_heap_t *heap);

/* Put [item], below the heap's room, into it with [key], or give it that key. O(log
 * count). */
void contend_heap_set(contend_heap_t *heap, uint32_t item, double key);

/* Take [item] out, if it is in it. O(log count). */
void contend_heap_remove(contend_heap_t *heap, uint32_t item);

#endif
