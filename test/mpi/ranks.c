/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints who has which rank in a ring and a directed ring of all: see ranks.F90. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void print_ranks(const char *what, MPI_Comm comm)
{
	int mine, size, old, *all;

	MPI_Comm_rank(comm, &mine);
	MPI_Comm_size(comm, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &old);
	all = malloc((size_t)size * sizeof(*all));
	MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int i = 0; !old && i < size; i++)
		printf("%s %d %d\n", what, i, all[i]);
	free(all);
}

int main(int argc, char **argv)
{
	int dims[1], periods[1] = {1}, size, rank, from, to, index[64], edges[64];
	int one[1] = {1};
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	dims[0] = size;
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm);
	print_ranks("cart", comm);
	for (int i = 0; i < size; i++) {
		index[i] = i + 1;
		edges[i] = (i + 1) % size;
	}
	MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &comm);
	print_ranks("graph", comm);
	from = (rank + size - 1) % size;
	to = (rank + 1) % size;
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, one, &to, MPI_UNWEIGHTED,
			      MPI_INFO_NULL, 1, &comm);
	print_ranks("dist", comm);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
	print_ranks("adjacent", comm);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, one, 1, &to, one,
				       MPI_INFO_NULL, 1, &comm);
	print_ranks("weighted", comm);
	MPI_Finalize();
	return 0;
}
