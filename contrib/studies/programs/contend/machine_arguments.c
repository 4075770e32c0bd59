/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_arguments.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#define MOST_PER_ROUTER 1024
#define MOST_CELLS (UINT32_C(1) << 20)

bool contend_machine_argument(int code, const char *value,
			      contend_machine_arguments_t *arguments)
{
	char *end;
	unsigned long number;

	switch (code) {
	case CONTEND_OPTION_DIMS:
		arguments->dims = value;
		return true;
	case CONTEND_OPTION_WRAP:
		arguments->wrap = value;
		return true;
	case CONTEND_OPTION_NODES_PER_ROUTER:
		number = strtoul(value, &end, 10);
		if (value[0] < '1' || value[0] > '9' || *end || number > MOST_PER_ROUTER)
			errx(2, "--nodes-per-router %s: must be 1 to %d", value,
			     MOST_PER_ROUTER);
		arguments->per_router = (uint32_t)number;
		return true;
	case CONTEND_OPTION_BANDWIDTH:
		arguments->bandwidths = value;
		return true;
	default:
		return false;
	}
}

/* One number for all dimensions, or as many as there are. */
static void read_bandwidths(const char *text, int dims, double *bandwidth)
{
	const char *at = text;
	int count = 0;

	for (;; at++) {
		char *end;
		double value = strtod(at, &end);

		if (end == at || (*end && *end != ',') || !isfinite(value) || value < 1)
			errx(2, "--bandwidth %s: must be a number, at least 1", text);
		if (count < dims)
			bandwidth[count] = value;
		count++;
		at = end;
		if (!*at)
			break;
	}
	if (count != 1 && count != dims)
		errx(2, "--bandwidth %s: must be one number, or %d", text, dims);
	for (int axis = 1; count == 1 && axis < dims; axis++)
		bandwidth[axis] = bandwidth[0];
}

void contend_machine_arguments_check(contend_machine_arguments_t *arguments)
{
	torus_error_t error;

	if (!arguments->dims)
		errx(2, "--dims is missing; see --help");
	if (torus_geometry_parse(arguments->dims, arguments->wrap, &arguments->geometry,
				 &error))
		errx(2, "%s", error.text);
	if (torus_geometry_cells(&arguments->geometry) > MOST_CELLS)
		errx(2, "--dims %s: more than %u routers", arguments->dims, MOST_CELLS);
	if (!arguments->per_router)
		arguments->per_router = 1;
	read_bandwidths(arguments->bandwidths ? arguments->bandwidths : "1e9",
			arguments->geometry.dims, arguments->bandwidth);
}

uint32_t contend_machine_nodes(const contend_machine_arguments_t *arguments)
{
	return torus_geometry_cells(&arguments->geometry) * arguments->per_router;
}
