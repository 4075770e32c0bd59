/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of the environment: see said.h. */
#include "mpi/said.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool storus_mpi_is_verbose(void)
{
	const char *value = getenv("TORUS_MPI_VERBOSE");

	return value && *value && strcmp(value, "0") != 0;
}

bool storus_mpi_checks(void)
{
	const char *value = getenv("TORUS_MPI");

	return value && strcasecmp(value, "check") == 0;
}
