/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors and arguments: see private.h. */
#include "torus_config.h"

#include <stdio.h>

#include "libstorus/private.h"

const char *storus_version(void)
{
	return PACKAGE_VERSION;
}

int storus_report(const torus_error_t *err, char *error, size_t error_size)
{
	if (error && error_size)
		snprintf(error, error_size, "%s", err->text);
	return -1;
}

int storus_lengths_check(int dims, const int32_t *lengths, const char *what,
			 int32_t out[TORUS_MAX_DIMS], torus_error_t *err)
{
	int64_t product = 1;

	if (dims < 1 || dims > TORUS_MAX_DIMS)
		return torus_fail(err, "%s: %d dimensions are not 1 to %d", what, dims,
				  TORUS_MAX_DIMS);
	if (!lengths)
		return torus_fail(err, "%s: no lengths", what);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		out[axis] = axis < dims ? lengths[axis] : 1;
		if (out[axis] < 1)
			return torus_fail(
				err, "%s: length %d of dimension %d is not 1 or more",
				what, (int)out[axis], axis);
		product *= out[axis];
		if (product > TORUS_MAX_CELLS)
			return torus_fail(err, "%s: larger than %u positions", what,
					  TORUS_MAX_CELLS);
	}
	return 0;
}
