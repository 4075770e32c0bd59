/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The best few mappings of those seen: see taskmap/search/starts.h. */
#include "taskmap/search/starts.h"

#include <stdlib.h>
#include <string.h>

int torus_starts_add(torus_starts_t *starts, double hop_bytes,
		     const uint32_t *node_of_task, uint32_t tasks, torus_error_t *err)
{
	torus_start_t added = {.hop_bytes = hop_bytes};
	uint32_t place = starts->count;

	while (place && starts->start[place - 1].hop_bytes >= hop_bytes)
		place--;
	if (place == TORUS_STARTS_MOST ||
	    (place < starts->count && starts->start[place].hop_bytes == hop_bytes))
		return 0;
	added.node_of_task = malloc(tasks * sizeof(*node_of_task));
	if (!added.node_of_task)
		return torus_fail(err, "out of memory for mapping %u tasks", tasks);
	memcpy(added.node_of_task, node_of_task, tasks * sizeof(*node_of_task));
	torus_starts_keep(starts, TORUS_STARTS_MOST - 1);
	memmove(&starts->start[place + 1], &starts->start[place],
		(starts->count - place) * sizeof(added));
	starts->start[place] = added;
	starts->count++;
	return 0;
}

void torus_starts_keep(torus_starts_t *starts, uint32_t count)
{
	while (starts->count > count)
		free(starts->start[--starts->count].node_of_task);
}
