/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An MPI program that makes random topologies with reorder true and checks all that the
 * standard says of the communicators it gets: for mpi.bats, which runs it with and
 * without libstorus_mpi.so.
 *
 *   topologies SEED ROUNDS [same|moved|reversed|threads|faults]
 *
 * With "same" the ranks must not change; with "moved" some must have; with
 * "reversed" they are in the reverse order, and otherwise rank 0 stays; with "threads"
 * two threads of each process do the same once more, at the same time; with "faults" each
 * allocation of the library fails once, in one process. Each process draws the same
 * numbers, so each knows the whole graph: what MPI says is compared with that. Ends with
 * status 1 at the first difference, naming it.
 */
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

#define check(condition, ...)                                                            \
	((condition) ? (void)0 : complain(__LINE__, #condition, __VA_ARGS__))

enum { RANKS = 64, EDGES = 512 };

static int world_rank, moved, reversed;
static uint64_t seed;

static void complain(int line, const char *condition, const char *what)
{
	fprintf(stderr, "topologies: seed %llu, process %d, line %d: %s (%s)\n",
		(unsigned long long)seed, world_rank, line, what, condition);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) >> 16) % below;
}

static int rank_in(MPI_Comm comm)
{
	int rank;

	MPI_Comm_rank(comm, &rank);
	return rank;
}

static int size_of(MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	return size;
}

/*
 * What holds of each new communicator of [size] ranks out of [old]: as many processes
 * have it, the others MPI_COMM_NULL; each rank is there once; errors are handled as in
 * the old one; attributes are not inherited, but where the library does by itself.
 */
static void check_membership(MPI_Comm old, MPI_Comm new, int size, int keyval)
{
	int mine = new == MPI_COMM_NULL ? 0 : 1, members, flag, differs, result;
	int seen[RANKS] = {0}, all[RANKS];
	MPI_Errhandler of_old, of_new;
	void *value;

	if (!reversed)
		check(!size || rank_in(old) || (mine && !rank_in(new)),
		      "rank 0 has another rank");
	else if (size > 1)
		check(mine ? rank_in(new) == size_of(old) - 1 - rank_in(old)
			   : size_of(old) - 1 - rank_in(old) >= size,
		      "not the reverse order");
	MPI_Allreduce(&mine, &members, 1, MPI_INT, MPI_SUM, old);
	check(members == size, "another number of processes in the new communicator");
	if (mine) {
		check(size_of(new) == size, "its size");
		seen[rank_in(new)] = 1;
		MPI_Comm_get_errhandler(old, &of_old);
		MPI_Comm_get_errhandler(new, &of_new);
		/* MPICH 4.0 does not pass it on with unchanged ranks. */
		MPI_Comm_compare(old, new, &result);
		check(of_old == of_new || result != MPI_SIMILAR,
		      "the error handler is not inherited");
		MPI_Errhandler_free(&of_old);
		MPI_Errhandler_free(&of_new);
		/* But attributes it does, then. */
		MPI_Comm_get_attr(new, keyval, &value, &flag);
		check(!flag || result != MPI_SIMILAR, "an attribute is inherited");
		moved |= rank_in(new) != rank_in(old);
	}
	MPI_Allreduce(seen, all, RANKS, MPI_INT, MPI_SUM, old);
	for (int i = 0; i < RANKS; i++)
		check(all[i] == (i < size), "ranks are no permutation");
	/* Messages of the new one arrive where they are sent to. */
	if (!mine)
		return;
	differs = rank_in(new);
	MPI_Bcast(&differs, 1, MPI_INT, size - 1, new);
	check(differs == size - 1, "a broadcast came from elsewhere");
	MPI_Allgather(&(int){rank_in(new)}, 1, MPI_INT, all, 1, MPI_INT, new);
	for (int i = 0; i < size; i++)
		check(all[i] == i, "an allgather is in another order");
}

/* Who the neighbours in a grid are, in the order of neighbourhood collectives. */
static void check_grid_neighbors(MPI_Comm comm, int ndims, const int *dims,
				 const int *periods, const int *coord)
{
	int expected[2 * 8], got[2 * 8], rank = rank_in(comm);

	for (int axis = 0; axis < ndims; axis++) {
		int ends[2], shifted[2], at[8];

		MPI_Cart_shift(comm, axis, 1, &ends[0], &ends[1]);
		for (int side = 0; side < 2; side++) {
			memcpy(at, coord, sizeof(at));
			at[axis] += side ? 1 : -1;
			if (periods[axis])
				at[axis] = (at[axis] + dims[axis]) % dims[axis];
			shifted[side] = MPI_PROC_NULL;
			if (at[axis] >= 0 && at[axis] < dims[axis]) {
				shifted[side] = 0;
				for (int i = 0; i < ndims; i++)
					shifted[side] = shifted[side] * dims[i] + at[i];
			}
			check(ends[side] == shifted[side], "MPI_Cart_shift");
			expected[2 * axis + side] = shifted[side];
		}
	}
	for (int i = 0; i < 2 * ndims; i++)
		got[i] = MPI_PROC_NULL;
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
	for (int i = 0; i < 2 * ndims; i++)
		check(got[i] == expected[i], "MPI_Neighbor_allgather on a grid");
}

static void check_sub(MPI_Comm comm, int ndims, const int *dims, const int *periods,
		      const int *coord, uint64_t *state)
{
	int remain[8], size = 1, rank = 0, sub_dims[8], sub_periods[8], sub_coord[8];
	int left = 0, dimensions;
	MPI_Comm sub;

	for (int i = 0; i < ndims; i++) {
		remain[i] = (int)draw(state, 2);
		left += remain[i];
		size *= remain[i] ? dims[i] : 1;
		rank = remain[i] ? rank * dims[i] + coord[i] : rank;
	}
	MPI_Cart_sub(comm, remain, &sub);
	/* Without dimensions MPI libraries differ in what they give to other ranks. */
	if (!left) {
		if (sub != MPI_COMM_NULL)
			MPI_Comm_free(&sub);
		return;
	}
	check(size_of(sub) == size && rank_in(sub) == rank, "MPI_Cart_sub");
	MPI_Cartdim_get(sub, &dimensions);
	check(dimensions == left, "dimensions of MPI_Cart_sub");
	MPI_Cart_get(sub, left, sub_dims, sub_periods, sub_coord);
	for (int i = 0, k = 0; i < ndims; i++) {
		if (!remain[i])
			continue;
		check(sub_dims[k] == dims[i] && !sub_periods[k] == !periods[i] &&
			      sub_coord[k] == coord[i],
		      "MPI_Cart_get of MPI_Cart_sub");
		k++;
	}
	MPI_Comm_free(&sub);
}

static void check_grid(MPI_Comm comm, int ndims, const int *dims, const int *periods,
		       uint64_t *state)
{
	int got_dims[8], got_periods[8], coord[8] = {0}, of_rank[8], type, back;

	MPI_Topo_test(comm, &type);
	check(type == MPI_CART, "MPI_Topo_test");
	MPI_Cartdim_get(comm, &type);
	check(type == ndims, "MPI_Cartdim_get");
	MPI_Cart_get(comm, ndims, got_dims, got_periods, coord);
	MPI_Cart_coords(comm, rank_in(comm), ndims, of_rank);
	for (int i = 0, rank = rank_in(comm); i < ndims; i++) {
		int below = 1;

		for (int k = i + 1; k < ndims; k++)
			below *= dims[k];
		check(got_dims[i] == dims[i] && !got_periods[i] == !periods[i],
		      "MPI_Cart_get");
		check(coord[i] == of_rank[i] && coord[i] == rank / below % dims[i],
		      "coordinates are not those of the rank");
	}
	MPI_Cart_rank(comm, coord, &back);
	check(back == rank_in(comm), "MPI_Cart_rank");
	check_grid_neighbors(comm, ndims, dims, periods, coord);
	check_sub(comm, ndims, dims, periods, coord, state);
}

static void try_cart(MPI_Comm old, int keyval, uint64_t *state)
{
	int dims[8], periods[8], ndims = (int)draw(state, 5), size = size_of(old),
				 used = 1;
	uint64_t own = draw(state, INT_MAX); /* for those who get the communicator */
	MPI_Comm new, copy;

	for (int i = 0; i < ndims; i++) {
		dims[i] = 1 + (int)draw(state, (uint32_t)(size / used));
		periods[i] = (int)draw(state, 2);
		used *= dims[i];
	}
	MPI_Cart_create(old, ndims, dims, periods, 1, &new);
	check_membership(old, new, used, keyval);
	if (new == MPI_COMM_NULL)
		return;
	if (ndims) {
		check_grid(new, ndims, dims, periods, &own);
		MPI_Comm_dup(new, &copy);
		check(rank_in(copy) == rank_in(new), "the rank in a duplicate");
		check_grid(copy, ndims, dims, periods, &own);
		MPI_Comm_free(&copy);
	}
	MPI_Comm_free(&new);
}

/* A grid of all: the library computes ranks for it whatever is drawn. */
static void try_ring(MPI_Comm old, int keyval)
{
	int dims[1] = {size_of(old)}, periods[1] = {1};
	uint64_t unused = 0;
	MPI_Comm new;

	MPI_Cart_create(old, 1, dims, periods, 1, &new);
	check_membership(old, new, dims[0], keyval);
	check_grid(new, 1, dims, periods, &unused);
	MPI_Comm_free(&new);
}

/* A graph by lists: of every rank for MPI_Graph_create. Duplicates, loops: all goes. */
static void try_graph(MPI_Comm old, int keyval, uint64_t *state)
{
	int nodes = (int)draw(state, (uint32_t)size_of(old) + 1), index[RANKS];
	int edges[EDGES], count = 0, got_index[RANKS], got_edges[EDGES], type, got[2];
	MPI_Comm new;

	for (int i = 0; i < nodes; i++) {
		for (uint32_t left = draw(state, 6); left; left--)
			edges[count++] = (int)draw(state, (uint32_t)nodes);
		index[i] = count;
	}
	MPI_Graph_create(old, nodes, index, edges, 1, &new);
	check_membership(old, new, nodes, keyval);
	if (new == MPI_COMM_NULL)
		return;
	MPI_Topo_test(new, &type);
	check(type == MPI_GRAPH, "MPI_Topo_test");
	MPI_Graphdims_get(new, &got[0], &got[1]);
	check(got[0] == nodes && got[1] == count, "MPI_Graphdims_get");
	MPI_Graph_get(new, nodes, count, got_index, got_edges);
	check(!memcmp(index, got_index, (size_t)nodes * sizeof(int)) &&
		      !memcmp(edges, got_edges, (size_t)count * sizeof(int)),
	      "MPI_Graph_get");
	for (int i = 0; i < nodes; i++) {
		int begin = i ? index[i - 1] : 0, degree;

		MPI_Graph_neighbors_count(new, i, &degree);
		check(degree == index[i] - begin, "MPI_Graph_neighbors_count");
		MPI_Graph_neighbors(new, i, degree, got_edges);
		check(!memcmp(edges + begin, got_edges, (size_t)degree * sizeof(int)),
		      "MPI_Graph_neighbors");
	}
	MPI_Comm_free(&new);
}

/* A directed graph that every process knows. */
typedef struct arcs {
	int count, from[EDGES], to[EDGES], weight[EDGES];
	int given_by[EDGES]; /* the process that gives it to MPI_Dist_graph_create */
	int weighted;
} arcs_t;

static void draw_arcs(int size, uint64_t *state, arcs_t *arcs)
{
	arcs->count = (int)draw(state, 5) ? (int)draw(state, (uint32_t)size * 5) : 0;
	arcs->weighted = (int)draw(state, 2);
	for (int i = 0; i < arcs->count; i++) {
		arcs->from[i] = (int)draw(state, (uint32_t)size);
		arcs->to[i] = (int)draw(state, (uint32_t)size);
		arcs->weight[i] = (int)draw(state, 100);
		arcs->given_by[i] = (int)draw(state, (uint32_t)size);
	}
}

/* The other ends of the arcs at [rank], with their weights. Returns how many. */
static int arcs_at(const arcs_t *arcs, const int *ends, const int *others, int rank,
		   int *other, int *weight)
{
	int count = 0;

	for (int i = 0; i < arcs->count; i++) {
		if (ends[i] != rank)
			continue;
		other[count] = others[i];
		weight[count++] = arcs->weight[i];
	}
	return count;
}

static int compare_pairs(const void *a, const void *b)
{
	return memcmp(a, b, 2 * sizeof(int));
}

/* Whether both lists are alike, in their order or in any. */
static int alike(int count, const int *a, const int *a_weight, const int *b,
		 const int *b_weight, int weighted, int ordered)
{
	int left[EDGES][2], right[EDGES][2];

	for (int i = 0; i < count; i++) {
		left[i][0] = a[i];
		left[i][1] = weighted ? a_weight[i] : 0;
		right[i][0] = b[i];
		right[i][1] = weighted ? b_weight[i] : 0;
	}
	if (!ordered) {
		qsort(left, (size_t)count, sizeof(*left), compare_pairs);
		qsort(right, (size_t)count, sizeof(*right), compare_pairs);
	}
	return !memcmp(left, right, (size_t)count * sizeof(*left));
}

/* The neighbours are those that were given for the rank that we have now. */
static void check_arcs(MPI_Comm new, const arcs_t *arcs, int ordered)
{
	int in[EDGES], in_weight[EDGES], out[EDGES], out_weight[EDGES];
	int got_in[EDGES], got_in_weight[EDGES], got_out[EDGES], got_out_weight[EDGES];
	int heard[EDGES], rank = rank_in(new), degree[2], type, weighted;
	int ins = arcs_at(arcs, arcs->to, arcs->from, rank, in, in_weight);
	int outs = arcs_at(arcs, arcs->from, arcs->to, rank, out, out_weight);

	MPI_Topo_test(new, &type);
	check(type == MPI_DIST_GRAPH, "MPI_Topo_test");
	MPI_Dist_graph_neighbors_count(new, &degree[0], &degree[1], &weighted);
	check(degree[0] == ins && degree[1] == outs, "MPI_Dist_graph_neighbors_count");
	check(!weighted == !arcs->weighted, "weights came or went");
	MPI_Dist_graph_neighbors(
		new, ins, got_in, arcs->weighted ? got_in_weight : MPI_UNWEIGHTED, outs,
		got_out, arcs->weighted ? got_out_weight : MPI_UNWEIGHTED);
	check(alike(ins, in, in_weight, got_in, got_in_weight, arcs->weighted, ordered),
	      "sources");
	check(alike(outs, out, out_weight, got_out, got_out_weight, arcs->weighted,
		    ordered),
	      "destinations");
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, new);
	check(!memcmp(heard, got_in, (size_t)ins * sizeof(int)),
	      "MPI_Neighbor_allgather on a graph");
}

static void try_dist_graph(MPI_Comm old, int keyval, uint64_t *state)
{
	int sources[EDGES], degrees[EDGES], to[EDGES], weight[EDGES], n = 0;
	int rank = rank_in(old), size = size_of(old);
	MPI_Comm new, copy;
	arcs_t arcs;

	draw_arcs(size, state, &arcs);
	for (int i = 0; i < arcs.count; i++) {
		if (arcs.given_by[i] != rank)
			continue;
		sources[n] = arcs.from[i];
		degrees[n] = 1;
		to[n] = arcs.to[i];
		weight[n++] = arcs.weight[i];
	}
	MPI_Dist_graph_create(old, n, sources, degrees, to,
			      !arcs.weighted ? MPI_UNWEIGHTED
			      : n	     ? weight
					     : MPI_WEIGHTS_EMPTY,
			      MPI_INFO_NULL, 1, &new);
	check_membership(old, new, size, keyval);
	check_arcs(new, &arcs, 0);
	MPI_Comm_dup(new, &copy);
	check_arcs(copy, &arcs, 0);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&new);
}

static void try_adjacent(MPI_Comm old, int keyval, uint64_t *state)
{
	int in[EDGES], in_weight[EDGES], out[EDGES], out_weight[EDGES];
	int rank = rank_in(old), size = size_of(old), ins, outs;
	MPI_Comm new;
	MPI_Info info;
	arcs_t arcs;

	draw_arcs(size, state, &arcs);
	ins = arcs_at(&arcs, arcs.to, arcs.from, rank, in, in_weight);
	outs = arcs_at(&arcs, arcs.from, arcs.to, rank, out, out_weight);
	MPI_Info_create(&info);
	MPI_Info_set(info, "some_key", "some value");
	MPI_Dist_graph_create_adjacent(old, ins, in,
				       !arcs.weighted ? MPI_UNWEIGHTED
				       : ins	      ? in_weight
						      : MPI_WEIGHTS_EMPTY,
				       outs, out,
				       !arcs.weighted ? MPI_UNWEIGHTED
				       : outs	      ? out_weight
						      : MPI_WEIGHTS_EMPTY,
				       info, 1, &new);
	MPI_Info_free(&info);
	check_membership(old, new, size, keyval);
	check_arcs(new, &arcs, 1);
	MPI_Comm_free(&new);
}

/* Without reorder, and where nobody may be moved, ranks stay. */
static void try_fixed(MPI_Comm old)
{
	int dims[1] = {size_of(old)}, periods[1] = {1}, result;
	MPI_Comm new;

	MPI_Cart_create(old, 1, dims, periods, 0, &new);
	check(rank_in(new) == rank_in(old), "a rank changed without reorder");
	MPI_Comm_compare(old, new, &result);
	check(result == MPI_CONGRUENT, "processes changed without reorder");
	MPI_Comm_free(&new);
}

/* What is wrong stays wrong, with the program's own error handler, and all go on. */
static void try_errors(void)
{
	int dims[2] = {size_of(MPI_COMM_WORLD), 2}, periods[2] = {0, 0}, index[1] = {1};
	int far[1];
	MPI_Comm own, new = MPI_COMM_NULL;

	MPI_Comm_dup(MPI_COMM_WORLD, &own);
	MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
	far[0] = size_of(own);
	check(MPI_Cart_create(own, 2, dims, periods, 1, &new) != MPI_SUCCESS,
	      "a grid larger than the communicator");
	index[0] = -1;
	check(MPI_Graph_create(own, far[0] + 1, index, far, 1, &new) != MPI_SUCCESS,
	      "a graph larger than the communicator");
	MPI_Comm_free(&own);
}

/* An intercommunicator is refused by the library, as ever. */
static void try_inter(void)
{
	int side = rank_in(MPI_COMM_WORLD) % 2, dims[1] = {1}, periods[1] = {0};
	MPI_Comm half, inter, new;

	if (size_of(MPI_COMM_WORLD) < 2)
		return;
	MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 7, &inter);
	/* Open MPI complains of it on the world. */
	MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	check(MPI_Cart_create(inter, 1, dims, periods, 1, &new) != MPI_SUCCESS,
	      "a grid on an intercommunicator");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
}

/* One round on a communicator: all four functions. */
static void try_all(MPI_Comm comm, uint64_t *state)
{
	int keyval;

	MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
	MPI_Comm_set_attr(comm, keyval, &seed);
	try_cart(comm, keyval, state);
	try_graph(comm, keyval, state);
	try_dist_graph(comm, keyval, state);
	try_adjacent(comm, keyval, state);
	MPI_Comm_delete_attr(comm, keyval);
	MPI_Comm_free_keyval(&keyval);
}

/* A part of the processes, in another order: old ranks are not those of the world. */
static void try_parts(uint64_t *state)
{
	int colors = 1 + (int)draw(state, 3), keys[RANKS];
	MPI_Comm part;

	for (int i = 0; i < size_of(MPI_COMM_WORLD); i++)
		keys[i] = (int)draw(state, 1000);
	MPI_Comm_split(MPI_COMM_WORLD, world_rank % colors, keys[world_rank], &part);
	MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
	/* Parts differ in size, and so would what they draw. */
	try_all(part, &(uint64_t){*state + (uint64_t)(world_rank % colors)});
	MPI_Comm_free(&part);
}

typedef struct worker {
	MPI_Comm comm;
	uint64_t state;
} worker_t;

static void *work(void *argument)
{
	worker_t *worker = argument;

	for (int i = 0; i < 3; i++)
		try_all(worker->comm, &worker->state);
	return NULL;
}

/* Two threads of each process, each pair on a communicator of its own. */
static void try_threads(uint64_t *state)
{
	worker_t worker[2];
	pthread_t thread[2];

	for (int i = 0; i < 2; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &worker[i].comm);
		worker[i].state = draw(state, INT_MAX);
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, &worker[i]);
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], NULL);
		MPI_Comm_free(&worker[i].comm);
	}
}

/* All four functions, on topologies for which ranks are computed. */
static void try_each(uint64_t *state)
{
	int keyval;

	MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
	try_ring(MPI_COMM_WORLD, keyval);
	try_graph(MPI_COMM_WORLD, keyval, state);
	try_dist_graph(MPI_COMM_WORLD, keyval, state);
	try_adjacent(MPI_COMM_WORLD, keyval, state);
	MPI_Comm_free_keyval(&keyval);
}

/* Each allocation of the library in process [victim] fails once; returns how many it
 * makes. What it has allocated is freed, but for the torus.conf that it [reads]. */
static long try_victim(int victim, int reads, uint64_t state)
{
	int any = 1;
	long nth;

	for (nth = 0; any; nth++) {
		long before = faults_blocks();
		int failed;

		if (world_rank == victim)
			faults_arm(nth);
		try_each(&(uint64_t){state});
		failed = faults_disarm();
		check(reads || faults_blocks() == before, "memory leaks");
		MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	}
	return nth - 1;
}

static void try_faults(uint64_t state)
{
	int last = size_of(MPI_COMM_WORLD) - 1;
	long made[3];

	try_victim(0, 1, state);
	made[0] = try_victim(0, 0, state);
	made[1] = try_victim(1, 0, state);
	made[2] = try_victim(last, 0, state);
	/* Rank 0 computes all of them; the others search for the grid's, and have lists.
	 */
	check(made[0] > 50 && made[1] > 15 && made[2] > 15, "few allocations failed");
}

int main(int argc, char **argv)
{
	const char *expected = argc > 3 ? argv[3] : "";
	int provided, any, rounds;
	uint64_t state;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	world_rank = rank_in(MPI_COMM_WORLD);
	check(argc >= 3 && size_of(MPI_COMM_WORLD) <= RANKS,
	      "usage: topologies SEED ROUNDS [same|moved|reversed|threads|faults]");
	reversed = !strcmp(expected, "reversed");
	seed = state = strtoull(argv[1], NULL, 10);
	rounds = atoi(argv[2]);
	try_fixed(MPI_COMM_WORLD);
	try_all(MPI_COMM_SELF, &(uint64_t){state});
	for (int i = 0; i < rounds; i++) {
		try_all(MPI_COMM_WORLD, &state);
		try_parts(&state);
	}
	try_errors();
	try_inter();
	if (!strcmp(expected, "threads")) {
		check(provided == MPI_THREAD_MULTIPLE, "no threads with this MPI");
		try_threads(&state);
	}
	if (!strcmp(expected, "faults"))
		try_faults(state);
	MPI_Allreduce(&moved, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	check(strcmp(expected, "same") || !any, "ranks changed");
	check(strcmp(expected, "moved") || any, "no rank changed");
	if (!world_rank)
		printf("seed %s: %d rounds on %d processes are right\n", argv[1], rounds,
		       size_of(MPI_COMM_WORLD));
	MPI_Finalize();
	return 0;
}
