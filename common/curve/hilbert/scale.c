/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan of a box that is too large to be searched: that of a small box of like
 * proportions, its *model*, with all lengths stretched. Lengths keep their parity, and so
 * whatever path parity allows in a part of the model it allows in that part of the box.
 */
#include <stdlib.h>
#include <string.h>

#include "curve/hilbert/rules.h"

/* Sides of a model are not made shorter than this, even if it then has more cells. */
#define MODEL_SIDE 4
#define MODEL_CELLS 2500

/* The integer nearest to [length] * [times] / [per] that has the parity of [like]. */
static int32_t nearest(int32_t length, int32_t times, int32_t per, int32_t like)
{
	int64_t offset = like & 1, twice = 2 * (int64_t)per;

	return (int32_t)(((int64_t)length * times - offset * per + per) / twice * 2 +
			 offset);
}

/*
 * The model of a box: its sides halved until it is small enough. Halved, so that the
 * parts of a box, and theirs, mostly have the same model. A side that is at least twice
 * another one stays so, and the longest up to four times, or the model would be cut as a
 * cube is. The sides descend.
 */
static void shrink(int dims, const int32_t side[TORUS_MAX_DIMS],
		   int32_t model[TORUS_MAX_DIMS])
{
	int64_t cells, before = 0;

	for (int32_t halved = 1;; halved *= 2) {
		cells = 1;
		for (int i = dims - 1; i >= 0; i--) {
			int32_t least = side[i] < MODEL_SIDE ? side[i] : MODEL_SIDE;

			for (int j = i + 1; j < dims && side[j] > 1; j++) {
				int32_t most = i ? 2 : 4, times = side[i] / side[j];

				times = times < most ? times : most;
				if (times > 1 && least < times * model[j])
					least = times * model[j];
			}
			model[i] = nearest(side[i], 1, halved, side[i]);
			if (model[i] < least)
				model[i] = least + ((least ^ side[i]) & 1);
			cells *= model[i];
		}
		if (cells <= MODEL_CELLS || cells == before)
			return;
		before = cells;
	}
}

/* Where the cut of a model's side of length [model] goes in a side of length [side]. */
static int32_t stretch(int32_t cut, int32_t model, int32_t side)
{
	int32_t at = nearest(cut, side, model, cut);

	if (at < 1)
		return at + 2;
	return at < side ? at : at - 2;
}

/* The box of a part, on one axis of the model and of the whole. */
static void stretch_part(const hilbert_plan_t *model, const hilbert_part_t *part, int i,
			 int32_t length, int32_t side, int32_t *low, int32_t *high)
{
	int32_t all = model->task.side[i];
	int32_t first = part->entry[i], last = first + part->sign[i] * (length - 1);
	int32_t model_low = first < last ? first : last;
	int32_t model_high = first < last ? last : first;

	*low = model_low ? stretch(model_low, all, side) : 0;
	*high = model_high < all - 1 ? stretch(model_high + 1, all, side) - 1 : side - 1;
}

/*
 * Enter the stretched [part] of [model]. back[i] is the axis of the whole that is the
 * model's i-th. 0, or -1 when the part has no plan of its own.
 */
static int stretch_plan(hilbert_book_t *book, const hilbert_plan_t *model,
			const hilbert_part_t *part, const int32_t side[TORUS_MAX_DIMS],
			const uint8_t back[TORUS_MAX_DIMS], hilbert_part_t *result)
{
	hilbert_task_t below = book->plans[part->plan].task;
	hilbert_task_t stretched = {.travel = below.travel, .wrap = below.wrap};
	uint8_t turned[TORUS_MAX_DIMS];
	int64_t index;

	/* In the order of the model's part, so that equal axes keep their order. */
	for (int j = 0; j < book->dims; j++) {
		int i = part->axis[j], axis = back[i];
		int32_t low, high;

		stretch_part(model, part, i, below.side[j], side[axis], &low, &high);
		stretched.side[j] = high - low + 1;
		result->sign[axis] = part->sign[i];
		result->entry[axis] = part->sign[i] > 0 ? low : high;
	}
	index = torus_hilbert_book_find(book, &stretched, turned);
	if (index < 0)
		return -1;
	for (int j = 0; j < book->dims; j++)
		result->axis[j] = back[part->axis[turned[j]]];
	result->reversed = part->reversed;
	result->plan = (uint32_t)index;
	return 0;
}

bool torus_hilbert_plan_scale(hilbert_book_t *book, uint32_t index)
{
	hilbert_task_t task = book->plans[index].task, small = task;
	uint8_t back[TORUS_MAX_DIMS];
	hilbert_part_t *parts;
	hilbert_plan_t model;
	int64_t found;

	shrink(book->dims, task.side, small.side);
	if (!memcmp(&small, &task, sizeof(task)))
		return false;
	book->models = true;
	found = torus_hilbert_book_find(book, &small, back);
	if (found < 0)
		return true;
	model = book->plans[found];
	parts = calloc((size_t)model.part_count, sizeof(*parts));
	if (!parts) {
		book->no_memory = true;
		return true;
	}
	for (int p = 0; p < model.part_count; p++) {
		if (stretch_plan(book, &model, &model.parts[p], task.side, back,
				 &parts[p])) {
			free(parts);
			return true;
		}
	}
	book->plans[index].parts = parts;
	book->plans[index].part_count = model.part_count;
	book->plans[index].looseness = model.looseness;
	return true;
}
