/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subcubes: see subcube.h. The number of a cell is its binary address. */
#include "place/subcube.h"

/* The first free subcube: its cells as set bits, of 64 at most; 0: none. */
static uint64_t find(const torus_site_t *site, int size, torus_recognised_t *recognised)
{
	for (uint32_t lowest = 0; lowest < site->cells; lowest++) {
		for (uint32_t across = 0; across < site->cells; across++) {
			uint64_t cells = 0;
			bool free = true;

			if ((lowest & across) || __builtin_popcount(across) != size ||
			    !recognised(across, size))
				continue;
			for (uint32_t cell = 0; cell < site->cells; cell++) {
				if ((cell & ~across) != lowest)
					continue;
				cells |= UINT64_C(1) << cell;
				free &= torus_site_whole(site, cell);
			}
			if (free)
				return cells;
		}
	}
	return 0;
}

int torus_subcube_place(const torus_ask_t *ask, torus_recognised_t *recognised,
			torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t left = ask->nodes;
	uint64_t cells;
	int size = 0;

	for (int axis = 0; axis < site->geometry.dims; axis++) {
		char dims[TORUS_DIMS_TEXT];

		if (site->geometry.length[axis] == 2)
			continue;
		torus_lengths_format(site->geometry.dims, site->geometry.length, dims);
		return torus_fail(err,
				  "partner and multipartner are for binary hypercubes "
				  "(2x2x2 and so on), not for %s",
				  dims);
	}
	while ((uint64_t)site->most << size < ask->nodes)
		size++;
	if (size > site->geometry.dims)
		return 0;
	cells = find(site, size, recognised);
	for (uint64_t bits = cells; bits && left; bits &= bits - 1)
		left -= torus_site_take(site, (uint32_t)__builtin_ctzll(bits), left);
	return cells != 0;
}
