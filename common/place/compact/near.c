/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nearest free nodes: see near.h. */
#include "place/compact/near.h"

#include <stdlib.h>
#include <string.h>

int torus_compact_near_begin(torus_compact_near_t *near, const torus_site_t *site,
			     torus_error_t *err)
{
	*near = (torus_compact_near_t){0};
	near->queue = malloc(site->cells * sizeof(*near->queue));
	near->cell = malloc(site->cells * sizeof(*near->cell));
	near->seen = calloc((size_t)site->cells + 1, sizeof(*near->seen));
	if (!near->cell || !near->queue || !near->seen)
		return torus_fail(err, "out of memory for a search of %u cells",
				  site->cells);
	return 0;
}

void torus_compact_near_end(torus_compact_near_t *near)
{
	free(near->cell);
	free(near->queue);
	free(near->seen);
}

static int compare_cells(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Breadth-first search, also across taken nodes and routers without nodes. */
uint32_t torus_compact_near_find(torus_compact_near_t *near,
				 const torus_compact_set_t *set, uint32_t centre,
				 uint32_t nodes)
{
	int sides = 2 * set->site->geometry.dims;
	uint32_t head = 0, tail = 0, shell = 0, last = 0, found = 0, listed = 0;

	if (nodes > set->free - set->held.nodes)
		nodes = set->free - set->held.nodes;
	if (!++near->search) { /* the search number has wrapped around */
		memset(near->seen, 0, (set->site->cells + 1) * sizeof(*near->seen));
		near->search = 1;
	}
	near->seen[centre] = near->seen[set->site->cells] = near->search;
	near->queue[tail++] = centre;
	for (; head < tail; head++) {
		uint32_t cell = near->queue[head];
		const uint32_t *beside = set->beside + (size_t)cell * (size_t)sides;
		uint32_t left = torus_compact_set_left(set, cell);

		if (head == shell) { /* the first cell that is one hop farther away */
			if (found >= nodes)
				break;
			shell = tail;
			last = listed;
		}
		if (left) {
			near->cell[listed++] = cell;
			found += left;
		}
		for (int i = 0; i < sides; i++) {
			if (near->seen[beside[i]] == near->search)
				continue;
			near->seen[beside[i]] = near->search;
			near->queue[tail++] = beside[i];
		}
	}
	qsort(near->cell + last, listed - last, sizeof(*near->cell), compare_cells);
	return listed;
}
