/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision for all: see agree.h. The steps, each collective and the same for all:
 *
 *  1. Rank 0 broadcasts whether it can decide at all: it needs torus.conf and memory.
 *  2. All send it what they know of themselves.
 *  3. If the edges are distributed: rank 0 broadcasts whether it wants them, and how.
 *  4. Rank 0 looks all places up and broadcasts whether to search together: a grid of not
 *     too many processes, within the default budget.
 *  5. Together: rank 0 broadcasts the places, and the links beside the torus's own, up to
 *     SEARCHERS processes search, each with random numbers of its own, and the one that
 *     has found the fewest hops says how many, and sends each its new rank. The others
 *     would only wait otherwise.
 *     Otherwise rank 0 searches alone, and sends the ranks.
 *
 * With TORUS_MPI=check rank 0 sends a reversed order instead, whatever the places are.
 */
#include "torus_config.h"

#include "mpi/agree.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/chords.h"
#include "mpi/machine.h"
#include "mpi/reorder.h"
#include "mpi/said.h"
#include "taskgrid/words.h"

/* What each process sends, as bytes: all run the same program on the same processors. */
typedef struct told {
	storus_mpi_whereabouts_t where;
	int32_t refusal; /* storus_mpi_refusal_t */
	int32_t edges;
	int32_t weighted;
} told_t;

/* How edges are wanted. */
enum { NOT, UNWEIGHTED, WEIGHTED };

/* Who searches together: processes spread evenly over up to so many. */
#define SEARCHERS 64
#define TOGETHER_MOST 1024

/* Links beside the torus's own that each of them makes for itself: not more, and with at
 * most so many hops listed, 4 MB. */
#define CHORDS_MOST 1024
#define CHORD_CELLS_MOST (UINT64_C(1) << 20)

/* What rank 0 tells all before the search, as bytes. */
typedef struct search {
	torus_geometry_t geometry; /* its chords are rank 0's own */
	torus_mapper_budget_t budget;
	int32_t together;
	uint32_t chords; /* links that are told next */
} search_t;

/* More edges than this would not fit the counts of MPI's functions. */
#define EDGES_MAX (1 << 28)

static const char *const refusals[STORUS_MPI_REFUSALS] = {
	[STORUS_MPI_SWITCHED_OFF] = "TORUS_ORDER=off",
	[STORUS_MPI_ARGUMENTS] = "an argument is not valid",
	[STORUS_MPI_DIMENSIONS] = "more than 6 dimensions",
	[STORUS_MPI_MEMORY] = "out of memory",
};

/* What only rank 0 has. */
typedef struct root {
	const storus_mpi_topology_t *topology;
	uint32_t processes;
	told_t *told;		 /* [processes] */
	int *rank;		 /* [processes] the answers */
	uint32_t *node;		 /* [processes] */
	uint32_t *cell;		 /* [processes] */
	int *count, *at;	 /* [processes] edges of each, and where they begin */
	int edges;		 /* of all */
	int *from, *to, *weight; /* [edges] */
	search_t search;
	bool checks; /* TORUS_MPI=check */
	torus_error_t error;
} root_t;

/* The budget of the call: TORUS_MPI_BUDGET in seconds, or what is good for so many; then
 * *is_default. */
static torus_mapper_budget_t budget_for(uint32_t processes, bool *is_default)
{
	const char *value = getenv("TORUS_MPI_BUDGET");
	char *end;
	double seconds = value ? strtod(value, &end) : 0;

	*is_default =
		!value || end == value || *end || !(seconds >= 0 && seconds <= 3600);
	return *is_default ? storus_mpi_budget(processes)
			   : torus_mapper_budget(seconds, TORUS_MAPPER_SEED);
}

static int root_begin(root_t *root)
{
	size_t processes = root->processes;

	if (root->topology->refusal)
		return torus_fail(&root->error, "%s", refusals[root->topology->refusal]);
	if (torus_task_order_is_off(getenv("TORUS_ORDER")))
		return torus_fail(&root->error, "%s", refusals[STORUS_MPI_SWITCHED_OFF]);
	if (processes < 2 || root->topology->tasks < 2)
		return torus_fail(&root->error, "there is nothing to order");
	if (!root->checks && storus_mpi_machine_open(&root->error))
		return -1;
	root->told = malloc(processes * sizeof(*root->told));
	root->rank = malloc(processes * sizeof(*root->rank));
	root->node = malloc(processes * sizeof(*root->node));
	root->cell = malloc(processes * sizeof(*root->cell));
	root->count = malloc(processes * sizeof(*root->count));
	root->at = malloc(processes * sizeof(*root->at));
	if (!root->told || !root->rank || !root->node || !root->cell || !root->count ||
	    !root->at)
		return torus_fail(&root->error, "%s", refusals[STORUS_MPI_MEMORY]);
	return 0;
}

static void root_end(root_t *root)
{
	free(root->told);
	free(root->rank);
	free(root->node);
	free(root->cell);
	free(root->count);
	free(root->at);
	free(root->from);
	free(root->to);
	free(root->weight);
}

/* Whether all processes accept; fills [error] if not. */
static int root_hear(root_t *root)
{
	for (uint32_t i = 0; i < root->processes; i++) {
		int32_t refusal = root->told[i].refusal;

		if (refusal > 0 && refusal < STORUS_MPI_REFUSALS)
			return torus_fail(&root->error, "%s (rank %u)", refusals[refusal],
					  i);
	}
	return 0;
}

/* Get ready for the edges of all. Returns how they are wanted. */
static int root_expect(root_t *root)
{
	uint64_t edges = 0;
	int how = UNWEIGHTED;

	if (root_hear(root))
		return NOT;
	for (uint32_t i = 0; i < root->processes; i++) {
		if (root->told[i].weighted && root->told[i].edges)
			how = WEIGHTED;
	}
	for (uint32_t i = 0; i < root->processes; i++) {
		if (how == WEIGHTED && root->told[i].edges && !root->told[i].weighted) {
			torus_fail(&root->error, "weights are given by some only");
			return NOT;
		}
		root->count[i] = root->told[i].edges;
		root->at[i] = (int)edges;
		edges += (uint64_t)root->count[i];
		if (edges > EDGES_MAX) {
			torus_fail(&root->error, "too many edges");
			return NOT;
		}
	}
	root->edges = (int)edges;
	root->from = malloc((edges + 1) * sizeof(*root->from));
	root->to = malloc((edges + 1) * sizeof(*root->to));
	root->weight =
		how == WEIGHTED ? malloc((edges + 1) * sizeof(*root->weight)) : NULL;
	if (!root->from || !root->to || (how == WEIGHTED && !root->weight)) {
		torus_fail(&root->error, "%s", refusals[STORUS_MPI_MEMORY]);
		return NOT;
	}
	return how;
}

/* Make the engine's graph. [from], [to], [weight]: of all edges. */
static torus_task_graph_t *root_graph(root_t *root, const int *from, const int *to,
				      const int *weight, int edges)
{
	size_t entries = (size_t)edges + 1;
	uint32_t *ends = malloc(2 * entries * sizeof(*ends));
	double *weights = malloc(entries * sizeof(*weights));
	torus_task_graph_t *graph = NULL;

	if (ends && weights) {
		for (int i = 0; i < edges; i++) {
			ends[i] = (uint32_t)from[i];
			ends[entries + (size_t)i] = (uint32_t)to[i];
			weights[i] = weight ? weight[i] : 1;
		}
		graph = torus_task_graph_create(root->topology->tasks, ends,
						ends + entries, weights, (uint64_t)edges,
						&root->error);
	} else {
		torus_fail(&root->error, "%s", refusals[STORUS_MPI_MEMORY]);
	}
	free(ends);
	free(weights);
	return graph;
}

/* The links of which torus_chords_create() makes those of the geometry; NULL: none. */
static const torus_chords_t *chords_to_tell(const torus_geometry_t *geometry)
{
	const torus_chords_t *chords = geometry->chords;

	return chords && chords->of_chips ? chords->of_chips : chords;
}

static bool can_be_told(const torus_geometry_t *geometry)
{
	const torus_chords_t *chords = chords_to_tell(geometry);

	return !chords || (chords->count <= CHORDS_MOST &&
			   (uint64_t)chords->count * chords->cells <= CHORD_CELLS_MOST);
}

/* Step 4; fills [error] where nothing can be computed. */
static void root_look_up(root_t *root)
{
	const storus_mpi_topology_t *topology = root->topology;
	bool is_default;

	if (root->error.text[0] || root_hear(root) || root->checks ||
	    storus_mpi_machine_find(&root->told->where, sizeof(*root->told),
				    root->processes, &root->search.geometry, root->node,
				    root->cell, &root->error))
		return;
	root->search.budget = budget_for(root->processes, &is_default);
	root->search.together = topology->grid && is_default &&
				root->processes <= TOGETHER_MOST &&
				can_be_told(&root->search.geometry);
	if (root->search.together && root->search.geometry.chords)
		root->search.chords = chords_to_tell(&root->search.geometry)->count;
}

/* Compute all ranks; returns 1 when they are new, 0 when the old ones are best. */
static int root_compute(root_t *root, storus_mpi_gain_t *gain)
{
	const storus_mpi_topology_t *topology = root->topology;
	storus_mpi_request_t request = {.geometry = &root->search.geometry,
					.processes = root->processes,
					.node = root->node,
					.cell = root->cell,
					.grid = topology->grid,
					.budget = &root->search.budget};
	torus_task_graph_t *graph = NULL;
	bool changed = false;
	int result;

	if (!topology->grid) {
		graph = topology->distributed
				? root_graph(root, root->from, root->to, root->weight,
					     root->edges)
				: root_graph(root, topology->from, topology->to,
					     topology->weight, topology->edges);
		if (!graph)
			return -1;
		request.graph = graph;
	}
	result = storus_mpi_reorder(&request, root->rank, &changed, gain, &root->error);
	torus_task_graph_destroy(graph);
	return result ? -1 : changed;
}

/* Say what came of it; where the ranks stay, in [error]. */
static void root_report(root_t *root, bool changed, const storus_mpi_gain_t *gain)
{
	if (!changed)
		torus_fail(&root->error,
			   "the ranks are well as they are, average hops "
			   "%.6f",
			   gain->before);
	else if (storus_mpi_is_verbose())
		fprintf(stderr,
			"storus_mpi: %s: %u of %u processes, average hops %.6f, "
			"without reordering %.6f\n",
			root->topology->function, root->topology->tasks, root->processes,
			gain->after, gain->before);
}

/* Whether a program bears new ranks: the last ones of all come first. */
static void root_reverse(root_t *root)
{
	uint32_t tasks = root->topology->tasks, last = root->processes - 1;

	for (uint32_t i = 0; i <= last; i++)
		root->rank[i] = last - i < tasks ? (int)(last - i) : STORUS_MPI_NO_RANK;
	fprintf(stderr,
		"storus_mpi: %s: TORUS_MPI=check: %u ranks in the reverse order of %u "
		"processes\n",
		root->topology->function, tasks, root->processes);
}

/* Fill rank[] for all. */
static void root_decide(root_t *root)
{
	storus_mpi_gain_t gain = {0};
	int changed;

	if (root->checks && !root->error.text[0]) {
		root_reverse(root);
		return;
	}
	changed = root->error.text[0] ? -1 : root_compute(root, &gain);
	if (changed >= 0)
		root_report(root, changed, &gain);
	if (changed == 1)
		return;
	for (uint32_t i = 0; i < root->processes; i++)
		root->rank[i] = changed ? STORUS_MPI_NOT_DECIDED : STORUS_MPI_RANKS_STAY;
}

/* Tell all the links beside the torus's own; others than rank 0 make them if they search.
 * *made: whether this process has them. Returns an error code of MPI. */
static int tell_chords(MPI_Comm comm, search_t *search, int own, bool searches, bool *made)
{
	torus_chord_t chord[CHORDS_MOST];
	int rc;

	if (own != 0)
		search->geometry.chords = NULL;
	*made = true;
	if (!search->chords)
		return 0;
	if (own == 0)
		memcpy(chord, chords_to_tell(&search->geometry)->chord,
		       search->chords * sizeof(*chord));
	rc = PMPI_Bcast(chord, (int)(search->chords * sizeof(*chord)), MPI_BYTE, 0, comm);
	if (own == 0)
		return rc;
	if (!rc && searches)
		search->geometry.chords = torus_chords_create(&search->geometry, chord,
							      search->chords, NULL);
	*made = search->geometry.chords != NULL;
	return rc;
}

/* Search, and fill [answer] for all. Returns the hops, or INFINITY without an answer. */
static double search_once(const storus_mpi_request_t *request, int32_t *answer,
			  storus_mpi_gain_t *gain)
{
	bool changed;

	if (storus_mpi_reorder(request, answer, &changed, gain, NULL))
		return INFINITY;
	for (uint32_t i = 0; !changed && i < request->processes; i++)
		answer[i] = STORUS_MPI_RANKS_STAY;
	return gain->after;
}

/* Step 5, together. [root] has something for rank 0 only. */
static int search_together(MPI_Comm comm, root_t *root, int own, int *rank)
{
	search_t *search = &root->search;
	uint32_t processes = root->processes, places[2 * TOGETHER_MOST];
	uint32_t stride = (processes + SEARCHERS - 1) / SEARCHERS;
	int32_t answer[TOGETHER_MOST];
	storus_mpi_request_t request = {.geometry = &search->geometry,
					.processes = processes,
					.node = places,
					.cell = places + processes,
					.grid = root->topology->grid,
					.budget = &search->budget};
	struct {
		double hops;
		int rank;
	} own_best = {INFINITY, own}, best;
	storus_mpi_gain_t gain = {0};
	bool searches = (uint32_t)own % stride == 0, has_chords;
	int rc;

	if (own == 0) {
		memcpy(places, root->node, processes * sizeof(*places));
		memcpy(places + processes, root->cell, processes * sizeof(*places));
	}
	rc = PMPI_Bcast(places, (int)(2 * processes), MPI_INT, 0, comm);
	if (rc)
		return rc;
	rc = tell_chords(comm, search, own, searches, &has_chords);
	search->budget.seed += (uint64_t)own;
	if (!rc && searches && has_chords)
		own_best.hops = search_once(&request, answer, &gain);
	if (own != 0)
		torus_chords_release(search->geometry.chords);
	if (rc)
		return rc;
	rc = PMPI_Allreduce(&own_best, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
	if (rc)
		return rc;
	if (isinf(best.hops)) {
		torus_fail(&root->error, "%s", refusals[STORUS_MPI_MEMORY]);
		return 0; /* not decided, for all */
	}
	/* Rank 0 may have found nothing itself. */
	rc = PMPI_Bcast(&gain, (int)sizeof(gain), MPI_BYTE, best.rank, comm);
	if (rc)
		return rc;
	if (own == 0)
		root_report(root, gain.after < gain.before, &gain);
	return PMPI_Scatter(answer, 1, MPI_INT, rank, 1, MPI_INT, best.rank, comm);
}

static int gather_edges(MPI_Comm comm, const storus_mpi_topology_t *topology, int how,
			root_t *root)
{
	int edges = topology->edges, rc;

	rc = PMPI_Gatherv(topology->from, edges, MPI_INT, root->from, root->count,
			  root->at, MPI_INT, 0, comm);
	if (!rc)
		rc = PMPI_Gatherv(topology->to, edges, MPI_INT, root->to, root->count,
				  root->at, MPI_INT, 0, comm);
	if (!rc && how == WEIGHTED)
		rc = PMPI_Gatherv(topology->weight, edges, MPI_INT, root->weight,
				  root->count, root->at, MPI_INT, 0, comm);
	return rc;
}

/* Steps 2 to 5. */
static int agree(MPI_Comm comm, const storus_mpi_topology_t *topology, int own,
		 root_t *root, int *rank)
{
	told_t told = {.refusal = (int32_t)topology->refusal};
	bool is_root = own == 0;
	int how = NOT, rc;

	if (!told.refusal && torus_task_order_is_off(getenv("TORUS_ORDER")))
		told.refusal = STORUS_MPI_SWITCHED_OFF;
	if (!told.refusal) {
		told.edges = topology->edges;
		told.weighted = topology->weight != NULL;
	}
	storus_mpi_whereabouts(&told.where);
	rc = PMPI_Gather(&told, (int)sizeof(told), MPI_BYTE, root->told,
			 (int)sizeof(told), MPI_BYTE, 0, comm);
	if (!rc && topology->distributed) {
		if (is_root)
			how = root_expect(root);
		rc = PMPI_Bcast(&how, 1, MPI_INT, 0, comm);
		if (!rc && how != NOT)
			rc = gather_edges(comm, topology, how, root);
	}
	if (rc)
		return rc;
	if (is_root)
		root_look_up(root);
	rc = PMPI_Bcast(&root->search, (int)sizeof(root->search), MPI_BYTE, 0, comm);
	if (rc)
		return rc;
	if (root->search.together)
		return search_together(comm, root, own, rank);
	if (is_root)
		root_decide(root);
	return PMPI_Scatter(root->rank, 1, MPI_INT, rank, 1, MPI_INT, 0, comm);
}

int storus_mpi_agree(MPI_Comm comm, const storus_mpi_topology_t *topology, int *rank)
{
	root_t root = {.topology = topology};
	int own, processes, able = 0, rc;

	*rank = STORUS_MPI_NOT_DECIDED;
	rc = PMPI_Comm_rank(comm, &own);
	if (!rc)
		rc = PMPI_Comm_size(comm, &processes);
	if (rc)
		return rc;
	root.processes = (uint32_t)processes;
	root.checks = own == 0 && storus_mpi_checks();
	if (own == 0)
		able = !root_begin(&root);
	rc = PMPI_Bcast(&able, 1, MPI_INT, 0, comm);
	if (!rc && able)
		rc = agree(comm, topology, own, &root, rank);
	if (own == 0 && root.error.text[0] && storus_mpi_is_verbose())
		fprintf(stderr, "storus_mpi: %s: not reordered: %s\n", topology->function,
			root.error.text);
	root_end(&root);
	return rc;
}
