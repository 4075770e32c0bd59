/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Neighbours for whoever has the rank now: see adjacent.h. */
#include "torus_config.h"

#include "mpi/adjacent.h"

#include <stdlib.h>

/* What is said before the arrays are sent. */
enum { IN_DEGREE, IN_WEIGHTS, OUT_DEGREE, OUT_WEIGHTS, HEADER };
enum { ARRAY, UNWEIGHTED, EMPTY };

enum { TAG_HEADER, TAG_ARRAYS };

static int weights_of(const storus_mpi_side_t *side)
{
	if (side->weight == MPI_UNWEIGHTED)
		return UNWEIGHTED;
	return side->weight == MPI_WEIGHTS_EMPTY || !side->degree ? EMPTY : ARRAY;
}

/* How many numbers the arrays have together. */
static size_t total_of(const int header[HEADER])
{
	size_t in = (size_t)header[IN_DEGREE], out = (size_t)header[OUT_DEGREE];

	return in * (header[IN_WEIGHTS] == ARRAY ? 2 : 1) +
	       out * (header[OUT_WEIGHTS] == ARRAY ? 2 : 1);
}

/* Exchange one array, if there is one to send or to receive. */
static int exchange(MPI_Comm comm, int to, const int *send, int sent, int from,
		    int *receive, int received)
{
	MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	MPI_Status status[2];
	int rc = 0;

	if (received)
		rc = PMPI_Irecv(receive, received, MPI_INT, from, TAG_ARRAYS, comm,
				&request[0]);
	if (!rc && sent)
		rc = PMPI_Isend(send, sent, MPI_INT, to, TAG_ARRAYS, comm, &request[1]);
	return rc ? rc : PMPI_Waitall(2, request, status);
}

/* Exchange one side's arrays; *memory moves on behind what was received. */
static int exchange_side(MPI_Comm comm, int to, const storus_mpi_side_t *given, int from,
			 int degree, int weights, int **memory, storus_mpi_side_t *got)
{
	int given_weights = weights_of(given), rc;

	got->degree = degree;
	got->rank = *memory;
	rc = exchange(comm, to, given->rank, given->degree, from, *memory, degree);
	*memory += degree;
	if (rc)
		return rc;
	got->weight = weights == UNWEIGHTED ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY;
	rc = exchange(comm, to, given->weight, given_weights == ARRAY ? given->degree : 0,
		      from, *memory, weights == ARRAY ? degree : 0);
	if (weights == ARRAY) {
		got->weight = *memory;
		*memory += degree;
	}
	return rc;
}

int storus_mpi_adjacent_move(MPI_Comm comm, int old_rank,
			     const storus_mpi_adjacent_t *given,
			     storus_mpi_adjacent_t *got, int *complete)
{
	int sent[HEADER] = {given->in.degree, weights_of(&given->in), given->out.degree,
			    weights_of(&given->out)};
	int header[HEADER], has, rc, *memory;
	MPI_Status status;

	*got = (storus_mpi_adjacent_t){0};
	*complete = 0;
	/* Old ranks are as many as new ones: one message arrives everywhere. */
	rc = PMPI_Sendrecv(sent, HEADER, MPI_INT, old_rank, TAG_HEADER, header, HEADER,
			   MPI_INT, MPI_ANY_SOURCE, TAG_HEADER, comm, &status);
	if (rc)
		return rc;
	got->memory = memory = malloc((total_of(header) + 1) * sizeof(*memory));
	has = memory != NULL;
	rc = PMPI_Allreduce(&has, complete, 1, MPI_INT, MPI_LAND, comm);
	if (rc || !*complete)
		return rc;
	rc = exchange_side(comm, old_rank, &given->in, status.MPI_SOURCE,
			   header[IN_DEGREE], header[IN_WEIGHTS], &memory, &got->in);
	if (!rc)
		rc = exchange_side(comm, old_rank, &given->out, status.MPI_SOURCE,
				   header[OUT_DEGREE], header[OUT_WEIGHTS], &memory,
				   &got->out);
	return rc;
}
