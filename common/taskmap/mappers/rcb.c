/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mapper rcb: one bisection of the layout as it is. */
#include "taskmap/mappers/mappers.h"
#include "taskmap/search/bisection.h"

int torus_mapper_rcb(const torus_layout_t *layout, uint32_t *node_of_task,
		     torus_error_t *err)
{
	static const int straight[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};
	torus_bisection_t *bisection = torus_bisection_create(layout, err);

	if (!bisection)
		return -1;
	torus_bisection_run(bisection, false, straight, node_of_task);
	torus_bisection_destroy(bisection);
	return 0;
}
