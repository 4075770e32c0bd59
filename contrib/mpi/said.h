/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user says to this process in its environment. */
#ifndef STORUS_MPI_SAID_H
#define STORUS_MPI_SAID_H

#include <stdbool.h>

/* TORUS_MPI_VERBOSE is set, and not 0. */
bool storus_mpi_is_verbose(void);

/* TORUS_MPI=check: ranks are to be reversed. */
bool storus_mpi_checks(void);

#endif
