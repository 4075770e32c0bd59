/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The book of plans, each task once, and paths written from it: see plan.h. */
#include "curve/hilbert/plan.h"

#include <stdlib.h>
#include <string.h>

hilbert_task_t torus_hilbert_task(const torus_geometry_t *box)
{
	hilbert_task_t task = {.side = {0}};

	for (int i = 0; i < box->dims; i++) {
		task.side[i] = box->length[i];
		task.wrap |= (uint32_t)box->wrap[i] << i;
	}
	return task;
}

void torus_hilbert_book_init(hilbert_book_t *book, int dims,
			     void (*make)(hilbert_book_t *book, uint32_t index))
{
	*book = (hilbert_book_t){.dims = dims, .make = make};
}

void torus_hilbert_book_free(hilbert_book_t *book)
{
	for (uint32_t i = 0; i < book->count; i++)
		free(book->plans[i].parts);
	free(book->plans);
	free(book->slots);
}

static uint32_t *slot_of(const hilbert_book_t *book, const hilbert_task_t *task)
{
	uint32_t mask = 2 * book->capacity - 1;
	uint64_t hash = task->travel | task->wrap << TORUS_MAX_DIMS;

	for (int i = 0; i < book->dims; i++)
		hash = (hash ^ (uint64_t)task->side[i]) * UINT64_C(0x9e3779b97f4a7c15);
	for (uint32_t at = (uint32_t)(hash >> 32);; at++) {
		uint32_t *slot = &book->slots[at & mask];

		if (!*slot || !memcmp(&book->plans[*slot - 1].task, task, sizeof(*task)))
			return slot;
	}
}

static int book_grow(hilbert_book_t *book)
{
	uint32_t capacity = book->capacity ? 2 * book->capacity : 64;
	hilbert_plan_t *plans = realloc(book->plans, capacity * sizeof(*plans));
	uint32_t *slots;

	if (!plans)
		return -1;
	book->plans = plans;
	slots = calloc(2 * (size_t)capacity, sizeof(*slots));
	if (!slots)
		return -1;
	free(book->slots);
	book->slots = slots;
	book->capacity = capacity;
	for (uint32_t i = 0; i < book->count; i++)
		*slot_of(book, &book->plans[i].task) = i + 1;
	return 0;
}

/* Whether axis [a] stands before axis [b] in standard form. */
static bool stands_before(const hilbert_task_t *task, int a, int b)
{
	if (task->side[a] != task->side[b])
		return task->side[a] > task->side[b];
	if ((task->travel >> a & 1) != (task->travel >> b & 1))
		return task->travel >> a & 1;
	return (task->wrap >> a & 1) > (task->wrap >> b & 1);
}

/* The plan of the task in standard form, open; axis[] as in torus_hilbert_book_find(). */
static hilbert_plan_t open_plan(int dims, const hilbert_task_t *task, uint8_t *axis)
{
	hilbert_plan_t plan = {.cells = 1};

	for (int i = 0; i < dims; i++) {
		int at = i;

		for (; at > 0 && stands_before(task, i, axis[at - 1]); at--)
			axis[at] = axis[at - 1];
		axis[at] = (uint8_t)i;
	}
	for (int i = 0; i < dims; i++) {
		plan.task.side[i] = task->side[axis[i]];
		plan.task.travel |= (task->travel >> axis[i] & 1) << i;
		plan.task.wrap |= (task->wrap >> axis[i] & 1) << i;
		plan.cells *= (uint32_t)task->side[axis[i]];
	}
	return plan;
}

/* Index of the plan, entered into the book if it is new; -1 when memory is short. */
static int64_t enter(hilbert_book_t *book, const hilbert_plan_t *plan)
{
	uint32_t *slot = book->capacity ? slot_of(book, &plan->task) : NULL;

	if (slot && *slot)
		return *slot - 1;
	if (book->count == book->capacity) {
		if (book_grow(book)) {
			book->no_memory = true;
			return -1;
		}
		slot = slot_of(book, &plan->task);
	}
	book->plans[book->count++] = *plan;
	*slot = book->count;
	return *slot - 1;
}

/*
 * Whether parity allows the path: on the chequerboard it alternates colours, so the
 * colours of its ends follow from the number of cells. Boxes with only odd sides, which
 * have paths between any corners, are only travelled along one axis, which is enough.
 */
static bool parity_allows(int dims, const int32_t *side, uint32_t travel)
{
	int even = 0, even_travelled = 0;
	uint32_t extended = 0;

	for (int i = 0; i < dims; i++) {
		extended |= (uint32_t)(side[i] > 1) << i;
		if (side[i] % 2 == 0) {
			even++;
			even_travelled += travel >> i & 1;
		}
	}
	if ((travel & ~extended) || (extended && !travel))
		return false;
	return even ? even_travelled % 2 : __builtin_popcount(travel) <= 1;
}

int64_t torus_hilbert_book_find(hilbert_book_t *book, const hilbert_task_t *task,
				uint8_t axis[TORUS_MAX_DIMS])
{
	hilbert_task_t wanted = *task;
	hilbert_plan_t plan;
	int64_t index;

	if (!parity_allows(book->dims, task->side, task->travel))
		return -1;
	for (int i = 0; i < book->dims; i++) {
		if (task->side[i] <= 2)
			wanted.wrap &= ~(1u << i);
	}
	plan = open_plan(book->dims, &wanted, axis);
	index = enter(book, &plan);
	if (index < 0)
		return -1;
	if (book->plans[index].status == HILBERT_OPEN) {
		book->plans[index].status = HILBERT_NONE; /* while it is being made */
		book->make(book, (uint32_t)index);
	}
	return book->no_memory || book->plans[index].status == HILBERT_NONE ? -1 : index;
}

/*
 * Write the path of plan [index] to path[0], path[step], path[2*step] ... : first cell
 * [base], and moving along the plan's axis i adds stride[i] to the cell number.
 */
static void write_plan(const hilbert_book_t *book, uint32_t index, int64_t base,
		       const int64_t stride[TORUS_MAX_DIMS], uint32_t *path, int64_t step)
{
	const hilbert_plan_t *plan = &book->plans[index];

	if (plan->status == HILBERT_LINE) {
		for (int32_t i = 0; i < plan->task.side[0]; i++, path += step)
			*path = (uint32_t)(base + i * stride[0]);
		return;
	}
	for (int p = 0; p < plan->part_count; p++) {
		const hilbert_part_t *part = &plan->parts[p];
		const hilbert_plan_t *below = &book->plans[part->plan];
		int64_t entry = base, strides[TORUS_MAX_DIMS] = {0};

		for (int i = 0; i < book->dims; i++) {
			entry += part->entry[i] * stride[i];
			strides[i] = part->sign[part->axis[i]] * stride[part->axis[i]];
		}
		if (!part->reversed) {
			write_plan(book, part->plan, entry, strides, path, step);
			path += below->cells * step;
			continue;
		}
		/* The reversed path starts where the plan, seen from there, ends. */
		for (int i = 0; i < book->dims; i++) {
			if (!(below->task.travel >> i & 1))
				continue;
			entry += (below->task.side[i] - 1) * strides[i];
			strides[i] = -strides[i];
		}
		path += below->cells * step;
		write_plan(book, part->plan, entry, strides, path - step, -step);
	}
}

void torus_hilbert_write_whole(const hilbert_book_t *book, uint32_t index,
			       const uint8_t axis[TORUS_MAX_DIMS],
			       const torus_geometry_t *box, uint32_t *path)
{
	int64_t along[TORUS_MAX_DIMS], stride[TORUS_MAX_DIMS] = {0}, cells = 1;

	for (int i = 0; i < box->dims; i++) {
		along[i] = cells;
		cells *= box->length[i];
	}
	for (int i = 0; i < box->dims; i++)
		stride[i] = along[axis[i]];
	write_plan(book, index, 0, stride, path, 1);
}

uint32_t *torus_hilbert_lay_out(hilbert_book_t *book, uint32_t index)
{
	const hilbert_plan_t *plan = &book->plans[index];
	int64_t stride[TORUS_MAX_DIMS] = {1};
	uint32_t *path = malloc(plan->cells * sizeof(*path));

	if (!path) {
		book->no_memory = true;
		return NULL;
	}
	for (int i = 1; i < book->dims; i++)
		stride[i] = stride[i - 1] * plan->task.side[i - 1];
	write_plan(book, index, 0, stride, path, 1);
	return path;
}
