/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The book of plans: each task in standard form, planned once. See curve/hilbert/plan.h.
 */
#include "curve/hilbert/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work (torus_hilbert_work) of the largest boxes of which a search measures paths. */
#define WORK_MEASURED 5e5
/*
 * Machines of more work than this (16x12x24 is just below) or of more than three
 * dimensions have parts of many more shapes; each is searched less thoroughly.
 */
#define WORK_THOROUGH 2.5e5
#define EFFORT_LOW 0.1

void torus_hilbert_book_init(hilbert_book_t *book, int dims,
			     const int32_t side[TORUS_MAX_DIMS])
{
	*book = (hilbert_book_t){.dims = dims};
	book->effort = 1;
	if (dims > 3 || torus_hilbert_work(side) > WORK_THOROUGH)
		book->effort = EFFORT_LOW;
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
	uint64_t hash = task->travel;

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
static bool stands_before(const int32_t *side, uint32_t travel, int a, int b)
{
	if (side[a] != side[b])
		return side[a] > side[b];
	return (travel >> a & 1) > (travel >> b & 1);
}

int64_t torus_hilbert_book_enter(hilbert_book_t *book, const int32_t side[TORUS_MAX_DIMS],
				 uint32_t travel, uint8_t axis[TORUS_MAX_DIMS])
{
	hilbert_plan_t plan = {.cells = 1};
	uint32_t *slot;

	for (int i = 0; i < book->dims; i++) {
		int at = i;

		if (side[i] == 1)
			travel &= ~(1u << i);
		for (; at > 0 && stands_before(side, travel, i, axis[at - 1]); at--)
			axis[at] = axis[at - 1];
		axis[at] = (uint8_t)i;
	}
	for (int i = 0; i < book->dims; i++) {
		plan.task.side[i] = side[axis[i]];
		plan.task.travel |= (travel >> axis[i] & 1) << i;
		plan.cells *= (uint32_t)side[axis[i]];
	}
	slot = book->capacity ? slot_of(book, &plan.task) : NULL;
	if (slot && *slot)
		return *slot - 1;
	if (book->count == book->capacity) {
		if (book_grow(book)) {
			book->no_memory = true;
			return -1;
		}
		slot = slot_of(book, &plan.task);
	}
	book->plans[book->count++] = plan;
	*slot = book->count;
	return *slot - 1;
}

bool torus_hilbert_parity_allows(const int32_t side[TORUS_MAX_DIMS], uint32_t travel)
{
	int even = 0, even_travelled = 0, extended = 0, travelled = 0;

	for (int i = 0; i < TORUS_MAX_DIMS; i++) {
		if (side[i] <= 1) {
			if (travel >> i & 1)
				return false;
			continue;
		}
		extended++;
		travelled += travel >> i & 1;
		if (side[i] % 2 == 0) {
			even++;
			even_travelled += travel >> i & 1;
		}
	}
	if (extended && !travelled)
		return false;
	return even ? even_travelled % 2 : travelled <= 1;
}

double torus_hilbert_work(const int32_t side[TORUS_MAX_DIMS])
{
	double cells = 1, sum = 0;

	for (int i = 0; i < TORUS_MAX_DIMS && side[i] > 0; i++) {
		cells *= side[i];
		sum += side[i];
	}
	return cells * sum;
}

bool torus_hilbert_can_measure(const int32_t side[TORUS_MAX_DIMS])
{
	return torus_hilbert_work(side) <= WORK_MEASURED;
}

void torus_hilbert_measure(hilbert_book_t *book, uint32_t index)
{
	hilbert_plan_t *plan = &book->plans[index];
	int64_t stride[TORUS_MAX_DIMS];
	uint32_t *path;

	if (!torus_hilbert_can_measure(plan->task.side)) {
		plan->looseness = book->plans[plan->parts[0].plan].looseness;
		return;
	}
	path = malloc(plan->cells * sizeof(*path));
	if (!path) {
		book->no_memory = true;
		return;
	}
	for (int i = 0; i < book->dims; i++)
		stride[i] = i ? stride[i - 1] * plan->task.side[i - 1] : 1;
	torus_hilbert_emit(book, index, 0, stride, path, 1);
	plan->looseness = torus_hilbert_looseness(book->dims, plan->task.side, path);
	book->no_memory |= isnan(plan->looseness);
	free(path);
}

static bool is_power_cube(const hilbert_task_t *task, int dims)
{
	int32_t side = task->side[0];

	return side == task->side[dims - 1] && (side & (side - 1)) == 0 &&
	       task->travel == 1;
}

bool torus_hilbert_solve(hilbert_book_t *book, uint32_t index)
{
	hilbert_task_t task = book->plans[index].task;

	if (book->plans[index].status != HILBERT_OPEN)
		return book->plans[index].status != HILBERT_IMPOSSIBLE;
	if (book->dims == 1 || task.side[1] == 1) {
		book->plans[index].status = HILBERT_LINE;
		book->plans[index].looseness =
			torus_hilbert_line_looseness(book->dims, task.side[0]);
		return true;
	}
	book->plans[index].status = HILBERT_IMPOSSIBLE;
	if (is_power_cube(&task, book->dims))
		torus_hilbert_plan_cube(book, index);
	else if (!torus_hilbert_can_measure(task.side))
		torus_hilbert_plan_enlarge(book, index);
	else
		torus_hilbert_plan_search(book, index);
	if (book->no_memory || !book->plans[index].parts)
		return false;
	book->plans[index].status = HILBERT_PLANNED;
	return true;
}
