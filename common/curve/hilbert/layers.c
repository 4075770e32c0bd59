/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See layers.h. */
#include "curve/hilbert/layers.h"

#include <stdlib.h>
#include <string.h>

#include "curve/hilbert/looseness.h"

/* Layer [k], walked as [slab] is or, every other one, back. */
static hilbert_part_t layer(int dims, const hilbert_task_t *slab, int up, int k)
{
	hilbert_part_t part = {0};

	for (int i = 0; i < dims; i++) {
		bool back = i != up && k % 2 && slab->travel >> i & 1;

		part.entry[i] = back ? slab->side[i] - 1 : 0;
		part.sign[i] = back ? -1 : 1;
	}
	part.entry[up] = k * slab->side[up];
	return part;
}

/* The plan [index] with [count] layers along axis [up]; keep the better of the two. */
static void try_slab(hilbert_book_t *book, uint32_t index, const hilbert_task_t *slab,
		     int up, int count)
{
	uint8_t axis[TORUS_MAX_DIMS];
	int64_t found = torus_hilbert_book_find(book, slab, axis);
	hilbert_plan_t *plan = &book->plans[index], before = *plan;
	hilbert_part_t *parts;

	if (found < 0)
		return;
	parts = calloc((size_t)count, sizeof(*parts));
	if (!parts) {
		book->no_memory = true;
		return;
	}
	for (int k = 0; k < count; k++) {
		parts[k] = layer(book->dims, slab, up, k);
		memcpy(parts[k].axis, axis, sizeof(axis));
		parts[k].plan = (uint32_t)found;
	}
	plan->parts = parts;
	plan->part_count = count;
	if (torus_hilbert_measure(book, plan) == 0 &&
	    plan->looseness < before.looseness) {
		free(before.parts);
		return;
	}
	free(parts);
	*plan = before;
}

/* Layers of [thickness] along axis [up]. Returns how many ways were tried. */
static int try_thickness(hilbert_book_t *book, uint32_t index, int up, int32_t thickness,
			 int tries)
{
	const hilbert_task_t task = book->plans[index].task;
	int count = task.side[up] / thickness, tried = 0;
	uint32_t across = task.travel & ~(1u << up);
	hilbert_task_t slab = task;

	slab.side[up] = thickness;
	slab.wrap &= ~(1u << up);
	for (uint32_t travel = 0; travel < 1u << book->dims && tried < tries; travel++) {
		/* Walked an even number of times, it ends where it began. */
		if (travel >> up & 1 || across != (count % 2 ? travel : 0) ||
		    __builtin_popcount(travel) > HILBERT_TRAVEL_MAX)
			continue;
		slab.travel = travel | (uint32_t)(thickness > 1) << up;
		try_slab(book, index, &slab, up, count);
		tried++;
	}
	return tried;
}

void torus_hilbert_try_layers(hilbert_book_t *book, uint32_t index, int tries)
{
	const hilbert_task_t task = book->plans[index].task;

	for (int up = 0; up < book->dims; up++) {
		if (!(task.travel >> up & 1))
			continue;
		for (int32_t thickness = book->models ? 2 : 1;
		     3 * thickness <= task.side[up]; thickness++) {
			if (task.side[up] % thickness == 0)
				tries -= try_thickness(book, index, up, thickness, tries);
		}
	}
}
