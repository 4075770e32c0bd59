/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The neighbours of a rank, as MPI_Dist_graph_create_adjacent takes them. */
#ifndef STORUS_MPI_ADJACENT_H
#define STORUS_MPI_ADJACENT_H

#include <mpi.h>

/* One direction. */
typedef struct storus_mpi_side {
	int degree;
	const int *rank;   /* [degree] */
	const int *weight; /* [degree], MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY */
} storus_mpi_side_t;

typedef struct storus_mpi_adjacent {
	storus_mpi_side_t in, out;
	int *memory; /* what it owns; NULL: the arrays are the caller's */
} storus_mpi_adjacent_t;

/*
 * Collective over [comm], whose ranks are new. Whoever had rank i in the old communicator
 * gave the neighbours of the new one's rank i: [given], by the process that had
 * [old_rank]. Each process gets those of its own rank now, in their order: [got], to be
 * freed by free(got->memory). If one of them has no memory for that, *complete is 0 for
 * all. Returns an error code of MPI.
 */
int storus_mpi_adjacent_move(MPI_Comm comm, int old_rank,
			     const storus_mpi_adjacent_t *given,
			     storus_mpi_adjacent_t *got, int *complete);

#endif
