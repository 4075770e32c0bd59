/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between libstorus_mpi.so, which programs preload, and the part of it that was compiled
 * for one MPI: libstorus_mpi_openmpi.so or libstorus_mpi_mpich.so.
 */
#ifndef STORUS_MPI_CALLS_H
#define STORUS_MPI_CALLS_H

/* The functions that are intercepted: those that reorder, and those by which a process
 * learns its rank in a new communicator, or that of one made from it. */
typedef enum storus_mpi_call {
	STORUS_MPI_CART_CREATE,
	STORUS_MPI_GRAPH_CREATE,
	STORUS_MPI_DIST_GRAPH_CREATE,
	STORUS_MPI_DIST_GRAPH_CREATE_ADJACENT,
	STORUS_MPI_COMM_RANK,
	STORUS_MPI_CART_GET,
	STORUS_MPI_CART_SUB,
	STORUS_MPI_COMM_GROUP,
	STORUS_MPI_COMM_SPLIT,
	STORUS_MPI_COMM_SPLIT_TYPE,
	STORUS_MPI_CALLS
} storus_mpi_call_t;

typedef void storus_mpi_function_t(void);

/*
 * The one symbol of each part, "storus_mpi_part": replaces the MPI library's own
 * functions in call[] by those of the part, which keep them to call them.
 */
typedef void storus_mpi_part_t(storus_mpi_function_t *call[STORUS_MPI_CALLS]);

#endif
