/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libstorus_mpi for SimGrid's SMPI, which has no library that could be told from its
 * name: bench_smpi compiles this with the parts of contrib/mpi and preloads it. All
 * processes are in one, so a process's node is the simulated host that it runs on.
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

#include "mpi/calls.h"

storus_mpi_part_t storus_mpi_part;

/* What the parts call instead of gethostname(). */
int storus_smpi_host(char *name, size_t size);

int storus_smpi_host(char *name, size_t size)
{
	char whole[MPI_MAX_PROCESSOR_NAME];
	int length;

	if (MPI_Get_processor_name(whole, &length) || (size_t)length >= size)
		return -1;
	memcpy(name, whole, (size_t)length + 1);
	return 0;
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int *dims, const int *periods,
		    int reorder, MPI_Comm *new)
{
	storus_mpi_function_t *call[STORUS_MPI_CALLS] = {
		(storus_mpi_function_t *)PMPI_Cart_create,
		(storus_mpi_function_t *)PMPI_Graph_create,
		(storus_mpi_function_t *)PMPI_Dist_graph_create,
		(storus_mpi_function_t *)PMPI_Dist_graph_create_adjacent,
		(storus_mpi_function_t *)PMPI_Comm_rank,
		(storus_mpi_function_t *)PMPI_Cart_get,
		(storus_mpi_function_t *)PMPI_Cart_sub,
		(storus_mpi_function_t *)PMPI_Comm_group,
		(storus_mpi_function_t *)PMPI_Comm_split,
		(storus_mpi_function_t *)PMPI_Comm_split_type,
	};

	storus_mpi_part(call);
	return ((__typeof__(MPI_Cart_create) *)call[STORUS_MPI_CART_CREATE])(
		comm, ndims, dims, periods, reorder, new);
}
