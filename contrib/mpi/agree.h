/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the processes of a communicator come to one decision about their new ranks. */
#ifndef STORUS_MPI_AGREE_H
#define STORUS_MPI_AGREE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "taskgrid/grid.h"

/* Why a process cannot have its communicator reordered. */
typedef enum storus_mpi_refusal {
	STORUS_MPI_ACCEPTS,
	STORUS_MPI_SWITCHED_OFF, /* TORUS_ORDER=off */
	STORUS_MPI_ARGUMENTS,	 /* the MPI library is to say what is wrong with them */
	STORUS_MPI_DIMENSIONS,	 /* more of them than the engine takes */
	STORUS_MPI_MEMORY,
	STORUS_MPI_REFUSALS
} storus_mpi_refusal_t;

/* What a process knows of the topology that is asked for. */
typedef struct storus_mpi_topology {
	const char *function;	       /* that was called, for messages */
	storus_mpi_refusal_t refusal;  /* if it is one, nothing below counts */
	uint32_t tasks;		       /* ranks of the new communicator */
	const torus_task_grid_t *grid; /* NULL: the edges below */
	bool distributed; /* every process has some of them; else rank 0 has all */
	int edges;
	const int *from, *to; /* [edges] ranks of the new communicator */
	const int *weight;    /* [edges], or NULL */
} storus_mpi_topology_t;

/* Beside a rank: */
#define STORUS_MPI_NO_RANK (-1)	    /* not in the new communicator */
#define STORUS_MPI_RANKS_STAY (-2)  /* the old ranks are best */
#define STORUS_MPI_NOT_DECIDED (-3) /* something is missing: as without this library */

/*
 * Collective over the intracommunicator [comm]: rank 0 learns of all where they run, it
 * or several of them compute, and each is told its new rank: *rank, or one of the above,
 * of which the last two are the same for all. Whatever a process lacks or refuses, all
 * take part to the end. With TORUS_MPI_VERBOSE rank 0 says what was decided, and why.
 * Returns an error code of MPI.
 */
int storus_mpi_agree(MPI_Comm comm, const storus_mpi_topology_t *topology, int *rank);

#endif
