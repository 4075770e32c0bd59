/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * halo: a halo exchange as a 3D stencil miniapp does it. For SimGrid SMPI, which runs it
 * on a simulated machine; see bench_smpi.
 *
 *   halo AxBxC EDGE STEPS FLOPS [MACHINE X,Y,Z]
 *
 * The ranks are an AxBxC grid made by MPI_Cart_create, which may reorder them, rank t at
 * (t mod A, t/A mod B, t/(AB)), not periodic, as `storus map` numbers tasks. Each has a
 * block of EDGE^3 cells with 40 variables. In each step it packs the 40 variables of each
 * face into one message, exchanges them with its up to six neighbours, checks what it
 * got, and then computes: FLOPS floating-point operations a cell and variable, which the
 * simulator takes as a duration.
 *
 * MACHINE is the simulated torus, such as 16x12x24, X,Y,Z the bandwidths of its links in
 * proportion: those of the platform times X, Y or Z over their mean.
 *
 * The messages are real: packed from the block, copied by MPI, and each value of each one
 * checked by its receiver. The blocks of all ranks share one piece of memory (the value
 * of a cell depends on its place in the block alone), and the sums themselves are not
 * made: thousands of ranks could not be simulated otherwise.
 *
 * Rank 0 prints `communication` and `total`: simulated seconds a step, the mean over
 * ranks of the time in the exchange, and that from the first step's start to the last
 * one's end.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/link.h>
#include <smpi/smpi.h>

#define VARIABLES 40
#define FACES 6

typedef struct block {
	int edge;
	double *cell; /* [VARIABLES][edge][edge][edge], x fastest */
	double *send[FACES], *receive[FACES];
	int neighbor[FACES]; /* rank, or MPI_PROC_NULL */
	MPI_Comm comm;	     /* of the grid */
} block_t;

static size_t face_cells(const block_t *block)
{
	return (size_t)VARIABLES * (size_t)block->edge * (size_t)block->edge;
}

/* Where cell (a, b) of layer [layer] across [axis] is. */
static size_t cell_index(const block_t *block, int axis, int layer, int a, int b)
{
	int at[3];
	size_t edge = (size_t)block->edge;

	at[axis] = layer;
	at[axis == 0 ? 1 : 0] = a;
	at[axis == 2 ? 1 : 2] = b;
	return ((size_t)at[2] * edge + (size_t)at[1]) * edge + (size_t)at[0];
}

/* Faces 0, 1 are the low and the high end of x, and so on. */
static void pack(const block_t *block, int face)
{
	size_t volume = (size_t)block->edge * (size_t)block->edge * (size_t)block->edge;
	int layer = face % 2 ? block->edge - 1 : 0;
	double *to = block->send[face];

	for (size_t variable = 0; variable < VARIABLES; variable++) {
		const double *from = block->cell + variable * volume;

		for (int b = 0; b < block->edge; b++) {
			for (int a = 0; a < block->edge; a++)
				*to++ = from[cell_index(block, face / 2, layer, a, b)];
		}
	}
}

/* What comes in at [face] must be the opposite face of a block like ours. */
static void check(const block_t *block, int face)
{
	size_t volume = (size_t)block->edge * (size_t)block->edge * (size_t)block->edge;
	int layer = face % 2 ? 0 : block->edge - 1;
	const double *got = block->receive[face];

	for (size_t variable = 0; variable < VARIABLES; variable++) {
		const double *own = block->cell + variable * volume;

		for (int b = 0; b < block->edge; b++) {
			for (int a = 0; a < block->edge; a++) {
				if (*got++ !=
				    own[cell_index(block, face / 2, layer, a, b)]) {
					fprintf(stderr,
						"halo: face %d has a wrong value\n",
						face);
					MPI_Abort(MPI_COMM_WORLD, 1);
				}
			}
		}
	}
}

static void exchange(const block_t *block)
{
	MPI_Request request[2 * FACES];
	int count = (int)face_cells(block), requests = 0;

	for (int face = 0; face < FACES; face++) {
		if (block->neighbor[face] == MPI_PROC_NULL)
			continue;
		MPI_Irecv(block->receive[face], count, MPI_DOUBLE, block->neighbor[face],
			  face ^ 1, block->comm, &request[requests++]);
	}
	for (int face = 0; face < FACES; face++) {
		if (block->neighbor[face] == MPI_PROC_NULL)
			continue;
		pack(block, face);
		MPI_Isend(block->send[face], count, MPI_DOUBLE, block->neighbor[face],
			  face, block->comm, &request[requests++]);
	}
	MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
	for (int face = 0; face < FACES; face++) {
		if (block->neighbor[face] != MPI_PROC_NULL)
			check(block, face);
	}
}

static void make_block(const int grid[3], int rank, int edge, block_t *block)
{
	size_t cells = VARIABLES * (size_t)edge * (size_t)edge * (size_t)edge;
	int stride = 1;

	block->edge = edge;
	block->cell = SMPI_SHARED_MALLOC(cells * sizeof(double));
	if (!rank) {
		for (size_t i = 0; i < cells; i++)
			block->cell[i] = (double)i;
	}
	for (int axis = 0; axis < 3; axis++) {
		int at = rank / stride % grid[axis];

		block->neighbor[2 * axis] = at > 0 ? rank - stride : MPI_PROC_NULL;
		block->neighbor[2 * axis + 1] =
			at < grid[axis] - 1 ? rank + stride : MPI_PROC_NULL;
		stride *= grid[axis];
	}
	for (int face = 0; face < FACES; face++) {
		if (block->neighbor[face] == MPI_PROC_NULL)
			continue;
		block->send[face] = malloc(face_cells(block) * sizeof(double));
		block->receive[face] = malloc(face_cells(block) * sizeof(double));
		if (!block->send[face] || !block->receive[face]) {
			fputs("halo: out of memory\n", stderr);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
	}
}

/* Links of a torus are called ..._link_from_A_to_B_UP or _DOWN, by the numbers of
 * routers, x fastest. Returns which dimension one runs along, -1: another link. */
static int axis_of_link(const char *name, const int machine[3])
{
	const char *from = strstr(name, "_link_from_");
	int a, b, stride = 1;

	if (!from || sscanf(from, "_link_from_%d_to_%d", &a, &b) != 2)
		return -1;
	for (int axis = 0; axis < 3; axis++) {
		if (a / stride % machine[axis] != b / stride % machine[axis])
			return axis;
		stride *= machine[axis];
	}
	return -1;
}

static void set_bandwidths(const char *dims, const char *proportion)
{
	sg_link_t *link = sg_link_list();
	double of[3];
	int machine[3], links = 0;

	if (sscanf(dims, "%dx%dx%d", &machine[0], &machine[1], &machine[2]) != 3 ||
	    sscanf(proportion, "%lf,%lf,%lf", &of[0], &of[1], &of[2]) != 3) {
		fputs("halo: a machine is AxBxC, bandwidths are X,Y,Z\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	for (size_t i = 0; i < sg_link_count(); i++) {
		int axis = axis_of_link(sg_link_get_name(link[i]), machine);

		if (axis < 0)
			continue;
		sg_link_set_bandwidth(link[i], sg_link_get_bandwidth(link[i]) * of[axis] *
						       3 / (of[0] + of[1] + of[2]));
		links++;
	}
	free(link);
	if (!links) {
		fputs("halo: no link of a torus\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
}

int main(int argc, char **argv)
{
	double start, communication = 0, sum, flops;
	int rank, ranks, edge, steps, grid[3];
	block_t block = {.comm = MPI_COMM_NULL};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if ((argc != 5 && argc != 7) ||
	    sscanf(argv[1], "%dx%dx%d", &grid[0], &grid[1], &grid[2]) != 3 ||
	    grid[0] * grid[1] * grid[2] != ranks) {
		fputs("usage: halo AxBxC EDGE STEPS FLOPS [MACHINE X,Y,Z]\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	if (argc == 7 && !rank)
		set_bandwidths(argv[5], argv[6]);
	/* MPI counts the last dimension fastest. */
	MPI_Cart_create(MPI_COMM_WORLD, 3, (int[]){grid[2], grid[1], grid[0]},
			(int[]){0, 0, 0}, 1, &block.comm);
	MPI_Comm_rank(block.comm, &rank);
	edge = atoi(argv[2]);
	steps = atoi(argv[3]);
	flops = atof(argv[4]) * VARIABLES * edge * edge * edge;
	make_block(grid, rank, edge, &block);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (int step = 0; step < steps; step++) {
		double before = MPI_Wtime();

		exchange(&block);
		communication += MPI_Wtime() - before;
		smpi_execute_flops(flops);
	}
	/* Ends when the last rank does. */
	MPI_Barrier(MPI_COMM_WORLD);
	if (!rank)
		printf("total %.9f\n", (MPI_Wtime() - start) / steps);
	MPI_Reduce(&communication, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, block.comm);
	if (!rank)
		printf("communication %.9f\n", sum / ranks / steps);
	for (int face = 0; face < FACES; face++) {
		free(block.send[face]);
		free(block.receive[face]);
	}
	SMPI_SHARED_FREE(block.cell);
	MPI_Comm_free(&block.comm);
	MPI_Finalize();
	return 0;
}
