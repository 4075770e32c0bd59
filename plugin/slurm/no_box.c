/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job never gets the box that it asks for: see no_box.h. */
#include "slurm/no_box.h"

#include <inttypes.h>
#include <stdio.h>

void explain_no_box(const torus_shapes_t *shapes, uint32_t min_nodes, uint32_t max_nodes,
		    uint32_t of_other_size, char *reason, size_t size)
{
	char text[TORUS_SHAPES_TEXT];

	torus_shapes_format(shapes, text);
	if (shapes->any && min_nodes == max_nodes)
		snprintf(reason, size,
			 "no box of %" PRIu32 " nodes fits into the nodes it may use",
			 min_nodes);
	else if (shapes->any)
		snprintf(reason, size,
			 "no box of %" PRIu32 " to %" PRIu32
			 " nodes fits into the nodes it may use",
			 min_nodes, max_nodes);
	else if (!of_other_size)
		snprintf(reason, size,
			 "no box of shape %s fits into the nodes it may use", text);
	else if (shapes->count == 1)
		snprintf(reason, size,
			 "a box of shape %s has %" PRIu32
			 " nodes, and the job asks for %" PRIu32 " to %" PRIu32
			 ": give --nodes=%" PRIu32 " or none",
			 text, of_other_size, min_nodes, max_nodes, of_other_size);
	else
		snprintf(reason, size,
			 "no box of shape %s has the %" PRIu32 " to %" PRIu32
			 " nodes that the job asks for",
			 text, min_nodes, max_nodes);
}
