/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gray codes of k-ary n-cubes: see gray.h. */
#include "curve/gray.h"

int torus_cube_base(const torus_geometry_t *geometry, const char *what,
		    torus_error_t *err)
{
	int32_t base = geometry->length[0];
	char dims[TORUS_DIMS_TEXT];
	bool equal = base > 1;

	for (int axis = 1; axis < geometry->dims; axis++)
		equal &= geometry->length[axis] == base;
	if (equal)
		return base;
	torus_lengths_format(geometry->dims, geometry->length, dims);
	return torus_fail(
		err,
		"%s for machines whose dimensions are all of one length (2x2x2, "
		"8x8x8 and so on), not for %s",
		what, dims);
}

/* A digit runs down in every second block of the next higher one. */
uint32_t torus_gray_cell(const torus_geometry_t *geometry, uint32_t i)
{
	int32_t coord[TORUS_MAX_DIMS];

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t base = (uint32_t)geometry->length[axis], digit = i % base;

		i /= base;
		coord[axis] = (int32_t)(i & 1 ? base - 1 - digit : digit);
	}
	return torus_coord_to_cell(geometry, coord);
}
