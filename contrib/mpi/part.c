/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intercepted functions, compiled for one MPI. What is to be reordered goes to
 * storus_mpi_agree(); with the new ranks the processes are split off in their new order,
 * and the MPI library's own function makes the topology on that, so that everything else
 * of it behaves as it always does. Whatever is not to be reordered reaches the MPI
 * library as it came.
 *
 * Ranks in the arguments are those of the new communicator. That is plain for grids and
 * for MPI_Graph_create. For distributed graphs the standard says it where it says in
 * which order MPI_Dist_graph_neighbors returns neighbours: as they were given by the
 * process with the same rank in the old communicator.
 */
#include "torus_config.h"

#include <mpi.h>
#include <stdlib.h>

#include "mpi/adjacent.h"
#include "mpi/agree.h"
#include "mpi/calls.h"
#include "mpi/watch.h"

typedef __typeof__(MPI_Cart_create) cart_create_t;
typedef __typeof__(MPI_Graph_create) graph_create_t;
typedef __typeof__(MPI_Dist_graph_create) dist_graph_create_t;
typedef __typeof__(MPI_Dist_graph_create_adjacent) dist_graph_create_adjacent_t;

/* The MPI library's own. */
static struct {
	cart_create_t *cart_create;
	graph_create_t *graph_create;
	dist_graph_create_t *dist_graph_create;
	dist_graph_create_adjacent_t *dist_graph_create_adjacent;
} mpi;

/* Whether this is a call that may reorder: what is not for us is for the library. */
static bool is_ours(MPI_Comm comm, int reorder)
{
	int is_inter = 1;

	if (!reorder || comm == MPI_COMM_NULL)
		return false;
	return !PMPI_Comm_test_inter(comm, &is_inter) && !is_inter;
}

static void size_and_rank(MPI_Comm comm, int *size, int *rank)
{
	if (PMPI_Comm_size(comm, size))
		*size = 0;
	if (PMPI_Comm_rank(comm, rank))
		*rank = -1;
}

/*
 * Split off the processes with a rank, in its order: *ordered, or MPI_COMM_NULL for the
 * others.
 */
static int split(MPI_Comm comm, int rank, MPI_Comm *ordered)
{
	bool takes_part = rank != STORUS_MPI_NO_RANK;

	return PMPI_Comm_split(comm, takes_part ? 0 : MPI_UNDEFINED,
			       takes_part ? rank : 0, ordered);
}

/*
 * End the making of *new on [ordered], which came to [rc]: the new communicator has the
 * error handler of [old], as the standard wants. MPICH 4.0 forgets it.
 */
static int finish(MPI_Comm old, MPI_Comm *ordered, int rc, MPI_Comm *new)
{
	MPI_Errhandler handler;

	PMPI_Comm_free(ordered);
	if (rc)
		return rc;
	rc = PMPI_Comm_get_errhandler(old, &handler);
	if (rc)
		return rc;
	rc = PMPI_Comm_set_errhandler(*new, handler);
	PMPI_Errhandler_free(&handler);
	return rc;
}

/* The arguments of a call, for a topology made from them. */
typedef int storus_mpi_make_t(MPI_Comm comm, int reorder, const void *arguments,
			      MPI_Comm *new);

/*
 * Agree on ranks for [topology] and have the MPI library make it by [make], which passes
 * its own arguments on: on the processes in their new order, or on [comm] as it came.
 */
static int reorder_and_make(MPI_Comm comm, const storus_mpi_topology_t *topology,
			    storus_mpi_make_t *make, const void *arguments, MPI_Comm *new)
{
	MPI_Comm ordered;
	int rank, rc;

	rc = storus_mpi_agree(comm, topology, &rank);
	if (rc)
		return rc;
	if (rank == STORUS_MPI_NOT_DECIDED || rank == STORUS_MPI_RANKS_STAY) {
		rc = make(comm, rank == STORUS_MPI_NOT_DECIDED, arguments, new);
		return rc ? rc : storus_mpi_watch(topology->function, *new);
	}
	rc = split(comm, rank, &ordered);
	if (rc || ordered == MPI_COMM_NULL) {
		*new = MPI_COMM_NULL;
		return rc;
	}
	rc = finish(comm, &ordered, make(ordered, 0, arguments, new), new);
	return rc ? rc : storus_mpi_watch(topology->function, *new);
}

/* MPI counts the last dimension fastest, the engine the first. */
static void describe_grid(int ndims, const int *dims, const int *periods, int size,
			  torus_task_grid_t *grid, storus_mpi_topology_t *topology)
{
	int64_t tasks = 1;

	*grid = (torus_task_grid_t){.stencil = TORUS_STENCIL_FACES};
	for (int i = ndims - 1; i >= 0; i--) {
		if (dims[i] < 1 || tasks * dims[i] > size) {
			topology->refusal = STORUS_MPI_ARGUMENTS;
			return;
		}
		tasks *= dims[i];
		if (dims[i] == 1)
			continue;
		if (grid->dims == TORUS_MAX_DIMS) {
			topology->refusal = STORUS_MPI_DIMENSIONS;
			return;
		}
		grid->length[grid->dims] = dims[i];
		grid->periodic[grid->dims++] = periods[i] != 0;
	}
	for (int i = grid->dims; i < TORUS_MAX_DIMS; i++)
		grid->length[i] = 1;
	if (!grid->dims)
		grid->dims = 1;
	topology->grid = grid;
	topology->tasks = (uint32_t)tasks;
}

typedef struct cart {
	int ndims;
	const int *dims, *periods;
} cart_t;

static int cart_make(MPI_Comm comm, int reorder, const void *arguments, MPI_Comm *new)
{
	const cart_t *cart = arguments;

	return mpi.cart_create(comm, cart->ndims, cart->dims, cart->periods, reorder,
			       new);
}

static int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
		       int reorder, MPI_Comm *new)
{
	storus_mpi_topology_t topology = {.function = "MPI_Cart_create"};
	cart_t cart = {ndims, dims, periods};
	torus_task_grid_t grid;
	int size, own;

	if (!is_ours(comm, reorder))
		return mpi.cart_create(comm, ndims, dims, periods, reorder, new);
	size_and_rank(comm, &size, &own);
	if (ndims < 0 || (ndims && (!dims || !periods)) || !new)
		topology.refusal = STORUS_MPI_ARGUMENTS;
	else
		describe_grid(ndims, dims, periods, size, &grid, &topology);
	return reorder_and_make(comm, &topology, cart_make, &cart, new);
}

/* Whether index[] and edges[] are a graph of [nodes] ranks. */
static bool is_graph(int nodes, const int *index, const int *edges)
{
	for (int i = 0; i < nodes; i++) {
		if (index[i] < (i ? index[i - 1] : 0))
			return false;
	}
	if (index[nodes - 1] && !edges)
		return false;
	for (int i = 0; i < index[nodes - 1]; i++) {
		if (edges[i] < 0 || edges[i] >= nodes)
			return false;
	}
	return true;
}

/* Rank 0 lists the edges; *from is malloc'ed. */
static void describe_graph(int nodes, const int *index, const int *edges, int **from,
			   storus_mpi_topology_t *topology)
{
	if (!is_graph(nodes, index, edges)) {
		topology->refusal = STORUS_MPI_ARGUMENTS;
		return;
	}
	*from = malloc(((size_t)index[nodes - 1] + 1) * sizeof(**from));
	if (!*from) {
		topology->refusal = STORUS_MPI_MEMORY;
		return;
	}
	for (int i = 0, edge = 0; i < nodes; i++) {
		for (; edge < index[i]; edge++)
			(*from)[edge] = i;
	}
	topology->edges = index[nodes - 1];
	topology->from = *from;
	topology->to = edges;
}

typedef struct graph {
	int nodes;
	const int *index, *edges;
} graph_t;

static int graph_make(MPI_Comm comm, int reorder, const void *arguments, MPI_Comm *new)
{
	const graph_t *graph = arguments;

	return mpi.graph_create(comm, graph->nodes, graph->index, graph->edges, reorder,
				new);
}

static int graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[],
			int reorder, MPI_Comm *new)
{
	storus_mpi_topology_t topology = {.function = "MPI_Graph_create"};
	graph_t graph = {nodes, index, edges};
	int size, own, rc, *from = NULL;

	if (!is_ours(comm, reorder))
		return mpi.graph_create(comm, nodes, index, edges, reorder, new);
	size_and_rank(comm, &size, &own);
	topology.tasks = (uint32_t)nodes;
	if (nodes < 0 || nodes > size || (nodes && !index) || !new)
		topology.refusal = STORUS_MPI_ARGUMENTS;
	else if (own == 0 && nodes)
		describe_graph(nodes, index, edges, &from, &topology);
	rc = reorder_and_make(comm, &topology, graph_make, &graph, new);
	free(from);
	return rc;
}

static bool are_ranks(const int *rank, int64_t count, int size)
{
	if (count && !rank)
		return false;
	for (int64_t i = 0; i < count; i++) {
		if (rank[i] < 0 || rank[i] >= size)
			return false;
	}
	return true;
}

static bool are_weights(const int *weight, int64_t count)
{
	if (weight == MPI_UNWEIGHTED || weight == MPI_WEIGHTS_EMPTY || !count)
		return weight != MPI_WEIGHTS_EMPTY || !count;
	if (!weight)
		return false;
	for (int64_t i = 0; i < count; i++) {
		if (weight[i] < 0)
			return false;
	}
	return true;
}

/* The weights for the engine: it knows an array, or none. */
static const int *plain_weights(const int *weight)
{
	return weight == MPI_UNWEIGHTED || weight == MPI_WEIGHTS_EMPTY ? NULL : weight;
}

/* The number of edges, or -1 if there is something wrong with the counts. */
static int64_t count_edges(int n, const int *degrees)
{
	int64_t edges = 0;

	for (int i = 0; i < n; i++) {
		if (degrees[i] < 0)
			return -1;
		edges += degrees[i];
	}
	return edges > INT32_MAX ? -1 : edges;
}

/* List the edges that this process gives; *from is malloc'ed. */
static void describe_edges(int n, const int *sources, const int *degrees,
			   const int *destinations, const int *weights, int size,
			   int **from, storus_mpi_topology_t *topology)
{
	int64_t edges = n < 0 || (n && !degrees) ? -1 : count_edges(n, degrees);

	if (edges < 0 || !are_ranks(sources, n, size) ||
	    !are_ranks(destinations, edges, size) || !are_weights(weights, edges)) {
		topology->refusal = STORUS_MPI_ARGUMENTS;
		return;
	}
	*from = malloc(((size_t)edges + 1) * sizeof(**from));
	if (!*from) {
		topology->refusal = STORUS_MPI_MEMORY;
		return;
	}
	for (int i = 0, edge = 0; i < n; i++) {
		for (int end = edge + degrees[i]; edge < end; edge++)
			(*from)[edge] = sources[i];
	}
	topology->edges = (int)edges;
	topology->from = *from;
	topology->to = destinations;
	topology->weight = plain_weights(weights);
}

typedef struct dist_graph {
	int n;
	const int *sources, *degrees, *destinations, *weights;
	MPI_Info info;
} dist_graph_t;

static int dist_graph_make(MPI_Comm comm, int reorder, const void *arguments,
			   MPI_Comm *new)
{
	const dist_graph_t *graph = arguments;

	return mpi.dist_graph_create(comm, graph->n, graph->sources, graph->degrees,
				     graph->destinations, graph->weights, graph->info,
				     reorder, new);
}

/* Which process gives an edge does not matter, so each may give those it has. */
static int dist_graph_create(MPI_Comm comm, int n, const int sources[],
			     const int degrees[], const int destinations[],
			     const int weights[], MPI_Info info, int reorder,
			     MPI_Comm *new)
{
	storus_mpi_topology_t topology = {.function = "MPI_Dist_graph_create",
					  .distributed = true};
	dist_graph_t graph = {n, sources, degrees, destinations, weights, info};
	int size, own, rc, *from = NULL;

	if (!is_ours(comm, reorder))
		return mpi.dist_graph_create(comm, n, sources, degrees, destinations,
					     weights, info, reorder, new);
	size_and_rank(comm, &size, &own);
	topology.tasks = (uint32_t)size;
	describe_edges(n, sources, degrees, destinations, weights, size, &from,
		       &topology);
	if (!new)
		topology.refusal = STORUS_MPI_ARGUMENTS;
	rc = reorder_and_make(comm, &topology, dist_graph_make, &graph, new);
	free(from);
	return rc;
}

/* Every edge is given at both ends: those out of each process are all. */
static void describe_adjacent(const storus_mpi_adjacent_t *given, int size, int own,
			      int **from, storus_mpi_topology_t *topology)
{
	if (given->in.degree < 0 || given->out.degree < 0 ||
	    !are_ranks(given->in.rank, given->in.degree, size) ||
	    !are_ranks(given->out.rank, given->out.degree, size) ||
	    !are_weights(given->in.weight, given->in.degree) ||
	    !are_weights(given->out.weight, given->out.degree)) {
		topology->refusal = STORUS_MPI_ARGUMENTS;
		return;
	}
	*from = malloc(((size_t)given->out.degree + 1) * sizeof(**from));
	if (!*from) {
		topology->refusal = STORUS_MPI_MEMORY;
		return;
	}
	for (int i = 0; i < given->out.degree; i++)
		(*from)[i] = own;
	topology->edges = given->out.degree;
	topology->from = *from;
	topology->to = given->out.rank;
	topology->weight = plain_weights(given->out.weight);
}

/* Make the graph on [comm], with or without the library's own reordering. */
static int adjacent_make(MPI_Comm comm, const storus_mpi_adjacent_t *graph, MPI_Info info,
			 int reorder, MPI_Comm *new)
{
	return mpi.dist_graph_create_adjacent(comm, graph->in.degree, graph->in.rank,
					      graph->in.weight, graph->out.degree,
					      graph->out.rank, graph->out.weight, info,
					      reorder, new);
}

static int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
				      const int sourceweights[], int outdegree,
				      const int destinations[], const int destweights[],
				      MPI_Info info, int reorder, MPI_Comm *new)
{
	storus_mpi_topology_t topology = {.function = "MPI_Dist_graph_create_adjacent",
					  .distributed = true};
	storus_mpi_adjacent_t given = {.in = {indegree, sources, sourceweights},
				       .out = {outdegree, destinations, destweights}};
	storus_mpi_adjacent_t got;
	int size, own, rank, rc, complete, *from = NULL;
	MPI_Comm ordered;

	if (!is_ours(comm, reorder))
		return adjacent_make(comm, &given, info, reorder, new);
	size_and_rank(comm, &size, &own);
	topology.tasks = (uint32_t)size;
	describe_adjacent(&given, size, own, &from, &topology);
	if (!new)
		topology.refusal = STORUS_MPI_ARGUMENTS;
	rc = storus_mpi_agree(comm, &topology, &rank);
	free(from);
	if (rc)
		return rc;
	if (rank == STORUS_MPI_NOT_DECIDED || rank == STORUS_MPI_RANKS_STAY) {
		rc = adjacent_make(comm, &given, info, rank == STORUS_MPI_NOT_DECIDED,
				   new);
		return rc ? rc : storus_mpi_watch(topology.function, *new);
	}
	rc = split(comm, rank, &ordered);
	if (rc)
		return rc;
	rc = storus_mpi_adjacent_move(ordered, own, &given, &got, &complete);
	if (!rc)
		rc = complete ? adjacent_make(ordered, &got, info, 0, new)
			      : adjacent_make(comm, &given, info, 0, new);
	free(got.memory);
	rc = finish(comm, &ordered, rc, new);
	return rc ? rc : storus_mpi_watch(topology.function, *new);
}

void storus_mpi_part(storus_mpi_function_t *call[STORUS_MPI_CALLS])
	__attribute__((visibility("default")));

void storus_mpi_part(storus_mpi_function_t *call[STORUS_MPI_CALLS])
{
	mpi.cart_create = (cart_create_t *)call[STORUS_MPI_CART_CREATE];
	mpi.graph_create = (graph_create_t *)call[STORUS_MPI_GRAPH_CREATE];
	mpi.dist_graph_create = (dist_graph_create_t *)call[STORUS_MPI_DIST_GRAPH_CREATE];
	mpi.dist_graph_create_adjacent = (dist_graph_create_adjacent_t *)
		call[STORUS_MPI_DIST_GRAPH_CREATE_ADJACENT];
	call[STORUS_MPI_CART_CREATE] = (storus_mpi_function_t *)cart_create;
	call[STORUS_MPI_GRAPH_CREATE] = (storus_mpi_function_t *)graph_create;
	call[STORUS_MPI_DIST_GRAPH_CREATE] = (storus_mpi_function_t *)dist_graph_create;
	call[STORUS_MPI_DIST_GRAPH_CREATE_ADJACENT] =
		(storus_mpi_function_t *)dist_graph_create_adjacent;
	storus_mpi_watch_calls(call);
}
