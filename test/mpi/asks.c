/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that makes a ring with reorder true, for mpi.bats:
 *
 *   asks rank|get|sub|group|split|type|dup|no|leave
 *
 * It learns its rank there in one of these ways; or not at all, and goes on with that in
 * MPI_COMM_WORLD, which is what wrong programs do ("leave": and it does not free the
 * communicator). Then it compares what comes from the left with what should.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* The rank in [comm], learnt as [how] says. */
static int rank_by(const char *how, MPI_Comm comm)
{
	int rank, size, periods[1], dims[1], coords[1], remain[1] = {1};
	MPI_Comm other;
	MPI_Group group;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!strcmp(how, "rank")) {
		MPI_Comm_rank(comm, &rank);
	} else if (!strcmp(how, "get")) {
		MPI_Cart_get(comm, 1, dims, periods, coords);
		rank = coords[0];
	} else if (!strcmp(how, "group")) {
		MPI_Comm_group(comm, &group);
		MPI_Group_rank(group, &rank);
		MPI_Group_free(&group);
	} else if (strcmp(how, "no") && strcmp(how, "leave")) {
		if (!strcmp(how, "sub"))
			MPI_Cart_sub(comm, remain, &other);
		else if (!strcmp(how, "split"))
			MPI_Comm_split(comm, 0, 0, &other);
		else if (!strcmp(how, "type"))
			MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
					    &other);
		else
			MPI_Comm_dup(comm, &other);
		MPI_Comm_rank(other, &rank);
		MPI_Comm_free(&other);
	}
	return rank;
}

int main(int argc, char **argv)
{
	int dims[1], periods[1] = {1}, rank, size, from, to, got, wrong;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	dims[0] = size;
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm);
	rank = rank_by(argv[1], comm);
	MPI_Cart_shift(comm, 0, 1, &from, &to);
	MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, comm,
		     MPI_STATUS_IGNORE);
	/* Not MPI_Abort: with it mpiexec may end before it has passed the text on. */
	wrong = got != (rank + size - 1) % size;
	if (wrong)
		fprintf(stderr, "asks: a wrong neighbour\n");
	if (strcmp(argv[1], "leave") != 0)
		MPI_Comm_free(&comm);
	MPI_Finalize();
	return wrong;
}
