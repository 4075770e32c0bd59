/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An MPI program with a Cartesian task grid, for map.bats and mpi.bats: every rank tells
 * its neighbours where it sits in the grid and on the torus, and checks what they tell it.
 *
 *   halo GRID PERIODIC DIMS WRAP COORDINATES
 *
 * GRID and DIMS are such as 4x3x2, PERIODIC and WRAP a digit 0 or 1 a dimension,
 * COORDINATES is a file of `node x y z` lines. Rank 0 prints a line `rank R node` for
 * each rank, and at the end `edges E hops SUM maximum M`. Any neighbour that is not who
 * it should be ends the program with status 1.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS = 3, NAME = 64 };

/* What a rank knows of itself, and tells its neighbours. */
typedef struct seat {
	int rank;
	int grid[DIMS];
	int torus[DIMS];
} seat_t;

static void die(const char *what, int rank)
{
	fprintf(stderr, "halo: rank %d: %s\n", rank, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_sizes(const char *text, const char *format, int *sizes)
{
	if (sscanf(text, format, &sizes[0], &sizes[1], &sizes[2]) != DIMS)
		die("bad arguments", 0);
}

static void find_node(const char *path, const char *node, seat_t *seat)
{
	FILE *file = fopen(path, "r");
	char name[NAME];

	while (file && fscanf(file, "%63s %d %d %d", name, &seat->torus[0],
			      &seat->torus[1], &seat->torus[2]) == 4) {
		if (!strcmp(name, node)) {
			fclose(file);
			return;
		}
	}
	die("its node has no coordinates", seat->rank);
}

static int hops(const int *a, const int *b, const int *dims, const int *wrap)
{
	int sum = 0;

	for (int axis = 0; axis < DIMS; axis++) {
		int apart = abs(a[axis] - b[axis]);

		sum += wrap[axis] && dims[axis] - apart < apart ? dims[axis] - apart
								: apart;
	}
	return sum;
}

/* Send [mine] to one side and hear of the other, and check who that is. */
static void meet(MPI_Comm comm, const seat_t *mine, int axis, int from, int to,
		 const int *grid, seat_t *theirs)
{
	theirs->rank = MPI_PROC_NULL;
	MPI_Sendrecv(mine, sizeof(*mine), MPI_BYTE, to, 0, theirs, sizeof(*theirs),
		     MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
	if (from == MPI_PROC_NULL)
		return;
	if (theirs->rank != from)
		die("a neighbour has another rank", mine->rank);
	for (int i = 0; i < DIMS; i++) {
		int expected = mine->grid[i];

		if (i == axis)
			expected = (expected - 1 + grid[i]) % grid[i];
		if (theirs->grid[i] != expected)
			die("a neighbour sits elsewhere in the grid", mine->rank);
	}
	/* Task t sits at (t mod A, t/A mod B, t/(AB)). */
	if (theirs->rank !=
	    theirs->grid[0] + grid[0] * (theirs->grid[1] + grid[1] * theirs->grid[2]))
		die("a neighbour's rank is not its place in the grid", mine->rank);
}

static void print_nodes(MPI_Comm comm, const char *node, int rank, int ranks)
{
	char *all = rank ? NULL : malloc((size_t)ranks * NAME), mine[NAME] = "";

	strncpy(mine, node, NAME - 1);
	MPI_Gather(mine, NAME, MPI_CHAR, all, NAME, MPI_CHAR, 0, comm);
	for (int i = 0; all && i < ranks; i++)
		printf("rank %d %s\n", i, all + (size_t)i * NAME);
	free(all);
}

int main(int argc, char **argv)
{
	int grid[DIMS], periodic[DIMS], dims[DIMS], wrap[DIMS], reversed[DIMS];
	int around[DIMS], ranks, sums[2] = {0}, most = 0, total[2], longest;
	const char *node = getenv("SLURMD_NODENAME");
	seat_t mine, theirs;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
	if (argc != 6 || !node)
		die("usage: halo GRID PERIODIC DIMS WRAP COORDINATES, under srun",
		    mine.rank);
	read_sizes(argv[1], "%dx%dx%d", grid);
	read_sizes(argv[2], "%1d%1d%1d", periodic);
	read_sizes(argv[3], "%dx%dx%d", dims);
	read_sizes(argv[4], "%1d%1d%1d", wrap);
	if (ranks != grid[0] * grid[1] * grid[2])
		die("the grid has another number of tasks", mine.rank);
	/* MPI's last dimension is fastest, storus map's first. */
	for (int axis = 0; axis < DIMS; axis++) {
		reversed[axis] = grid[DIMS - 1 - axis];
		around[axis] = periodic[DIMS - 1 - axis];
	}
	/* Only with libstorus_mpi.so does that change ranks. */
	MPI_Cart_create(MPI_COMM_WORLD, DIMS, reversed, around, 1, &comm);
	MPI_Comm_rank(comm, &mine.rank);
	MPI_Cart_coords(comm, mine.rank, DIMS, reversed);
	for (int axis = 0; axis < DIMS; axis++)
		mine.grid[axis] = reversed[DIMS - 1 - axis];
	find_node(argv[5], node, &mine);
	for (int axis = 0; axis < DIMS; axis++) {
		int from, to, distance;

		MPI_Cart_shift(comm, DIMS - 1 - axis, 1, &from, &to);
		meet(comm, &mine, axis, from, to, grid, &theirs);
		/* Around a ring of two the same edge is met twice. */
		if (theirs.rank == MPI_PROC_NULL || grid[axis] == 1 ||
		    (grid[axis] == 2 && mine.grid[axis] == 0))
			continue;
		distance = hops(mine.torus, theirs.torus, dims, wrap);
		sums[0]++;
		sums[1] += distance;
		most = distance > most ? distance : most;
	}
	MPI_Reduce(sums, total, 2, MPI_INT, MPI_SUM, 0, comm);
	MPI_Reduce(&most, &longest, 1, MPI_INT, MPI_MAX, 0, comm);
	print_nodes(comm, node, mine.rank, ranks);
	if (!mine.rank)
		printf("edges %d hops %d maximum %d\n", total[0], total[1], longest);
	MPI_Finalize();
	return 0;
}
