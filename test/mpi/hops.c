/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A grid by MPI_Cart_create with reorder true on a mesh, for mpi.bats:
 *
 *   hops X Y DIMS...
 *
 * The processes' nodes, n00, n03 and so on in SLURMD_NODENAME, are on an XxY mesh, x
 * fastest. Prints the average hops between neighbours by MPI_Cart_shift.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 64 };

int main(int argc, char **argv)
{
	int dims[8], periods[8] = {0}, ndims = argc - 3, side, size, rank;
	int number = atoi(getenv("SLURMD_NODENAME") + 1) / 3, place[RANKS];
	int sums[2] = {0, 0}, all[2];
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	side = atoi(argv[1]);
	for (int i = 0; i < ndims; i++)
		dims[i] = atoi(argv[3 + i]);
	MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Allgather(&number, 1, MPI_INT, place, 1, MPI_INT, comm);
	for (int axis = 0; axis < ndims; axis++) {
		int from, to;

		MPI_Cart_shift(comm, axis, 1, &from, &to);
		if (to == MPI_PROC_NULL)
			continue;
		sums[0] += abs(place[to] % side - number % side) +
			   abs(place[to] / side - number / side);
		sums[1]++;
	}
	MPI_Reduce(sums, all, 2, MPI_INT, MPI_SUM, 0, comm);
	if (!rank)
		printf("%.6f\n", (double)all[0] / all[1]);
	MPI_Finalize();
	return 0;
}
