/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of two free boxes a job gets: see best_box.h. */
#include "place/best_box.h"

bool torus_box_is_better(const torus_best_box_t *a, const torus_best_box_t *b)
{
	if (!b->found)
		return true;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->width != b->width)
		return a->width < b->width;
	if (a->lowest != b->lowest)
		return a->lowest < b->lowest;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		if (a->side[axis] != b->side[axis])
			return a->side[axis] < b->side[axis];
	}
	return a->corner < b->corner;
}
