/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a program asks for its rank in a communicator that was made with reorder true.
 * One that never does goes on with its old rank, and is wrong as soon as ranks change.
 */
#ifndef STORUS_MPI_WATCH_H
#define STORUS_MPI_WATCH_H

#include <mpi.h>

#include "mpi/calls.h"

/*
 * Replace the functions in call[] by which a process learns its rank in a communicator,
 * or makes another from it, by such as take note of it; only if the user wants to know
 * (said.h).
 */
void storus_mpi_watch_calls(storus_mpi_function_t *call[STORUS_MPI_CALLS]);

/*
 * Watch [new], which [function] (a constant) made: when it is freed, or in
 * MPI_Finalize(), its rank 0 says on standard error if it has not asked for its rank
 * there. Does nothing in other processes, without storus_mpi_watch_calls(), and for
 * MPI_COMM_NULL. Returns an error code of MPI.
 */
int storus_mpi_watch(const char *function, MPI_Comm new);

#endif
