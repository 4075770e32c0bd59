/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each MPI process says its rank, its node, and a sum over all of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const char *node = getenv("SLURMD_NODENAME");
	long rank_sum, mine;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	mine = (long)rank * rank;
	MPI_Allreduce(&mine, &rank_sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	printf("%d %s %ld\n", rank, node ? node : "unknown", rank_sum);
	MPI_Finalize();
	return 0;
}
