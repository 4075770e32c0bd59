/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Networks of routers and nodes: see order/network.h. */
#include "order/network.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/chords.h"

#define WINDOW_LENGTHS 32
#define UNREACHED UINT32_MAX

/* With links beside the torus's own, which know the neighbours of all cells. */
static torus_task_graph_t *copy_chords(const torus_chords_t *chords, torus_error_t *err)
{
	uint32_t ends = chords->first[chords->cells];
	torus_task_graph_t *routers = torus_task_graph_alloc(chords->cells, ends, err);

	if (!routers)
		return NULL;
	for (uint32_t cell = 0; cell <= chords->cells; cell++)
		routers->first[cell] = chords->first[cell];
	memcpy(routers->neighbor, chords->near, ends * sizeof(*chords->near));
	free(routers->weight); /* all are 1 */
	routers->weight = NULL;
	return routers;
}

torus_task_graph_t *torus_network_routers(const torus_geometry_t *geometry,
					  torus_error_t *err)
{
	const torus_chords_t *chords = geometry->chords;
	torus_task_grid_t grid = {.dims = geometry->dims, .stencil = TORUS_STENCIL_FACES};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		grid.length[axis] = geometry->length[axis];
		grid.periodic[axis] = geometry->wrap[axis];
	}
	return chords ? copy_chords(chords, err) : torus_task_graph_stencil(&grid, err);
}

static uint32_t router_of(const torus_network_t *network, uint32_t node)
{
	return network->router ? network->router[node] : node;
}

/* A breadth-first walk over the routers, and the nodes on each. */
typedef struct walk {
	const torus_task_graph_t *routers;
	uint32_t *hops; /* [routers] hops from the start of the last walk, or UNREACHED */
	uint32_t *queue; /* [routers] those reached, in the order of the walk */
	uint32_t reached;
	uint32_t *first; /* [routers + 1] */
	uint32_t *node;	 /* [nodes]: those on router r are node[first[r]] and on */
} walk_t;

static void walk_end(walk_t *walk)
{
	free(walk->hops);
	free(walk->queue);
	free(walk->first);
	free(walk->node);
}

/* Returns 0, or -1 with [err] filled; walk_end() follows in either case. */
static int walk_begin(walk_t *walk, const torus_network_t *network, torus_error_t *err)
{
	uint32_t routers = network->routers->tasks;

	*walk = (walk_t){.routers = network->routers};
	walk->hops = malloc(routers * sizeof(*walk->hops));
	walk->queue = malloc(routers * sizeof(*walk->queue));
	walk->first = calloc((size_t)routers + 2, sizeof(*walk->first));
	walk->node = malloc(network->nodes * sizeof(*walk->node));
	if (!walk->hops || !walk->queue || !walk->first || !walk->node)
		return torus_fail(err, "out of memory for a network of %u routers",
				  routers);
	memset(walk->hops, 0xff, routers * sizeof(*walk->hops));
	/* Counting sort: first[r + 2] counts, then first[r + 1] moves to r's end. */
	for (uint32_t node = 0; node < network->nodes; node++)
		walk->first[router_of(network, node) + 2]++;
	for (uint32_t r = 0; r < routers; r++)
		walk->first[r + 1] += walk->first[r];
	for (uint32_t node = 0; node < network->nodes; node++)
		walk->node[walk->first[router_of(network, node) + 1]++] = node;
	return 0;
}

static void walk_forget(walk_t *walk)
{
	while (walk->reached > 0)
		walk->hops[walk->queue[--walk->reached]] = UNREACHED;
}

static void walk_reach(walk_t *walk, uint32_t router, uint32_t hops)
{
	if (walk->hops[router] == UNREACHED) {
		walk->hops[router] = hops;
		walk->queue[walk->reached++] = router;
	}
}

/* Reach the neighbours of [here]. */
static void walk_on(walk_t *walk, uint32_t here)
{
	for (uint64_t i = walk->routers->first[here]; i < walk->routers->first[here + 1];
	     i++)
		walk_reach(walk, walk->routers->neighbor[i], walk->hops[here] + 1);
}

/* Walk from [router] up to [reach] hops, in addition to what was reached before. */
static void walk_from(walk_t *walk, uint32_t router, uint32_t reach)
{
	uint32_t at = walk->reached;

	walk_reach(walk, router, 0);
	for (; at < walk->reached && walk->hops[walk->queue[at]] < reach; at++)
		walk_on(walk, walk->queue[at]);
}

/* The weight of the link between two routers that it joins. */
static double link_weight(const torus_task_graph_t *routers, uint32_t a, uint32_t b)
{
	uint64_t low = routers->first[a], high = routers->first[a + 1];

	if (!routers->weight)
		return 1;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (routers->neighbor[middle] <= b)
			low = middle;
		else
			high = middle;
	}
	return routers->weight[low];
}

static double near_weight(const walk_t *walk, uint32_t from, uint32_t to)
{
	if (walk->hops[to] == 0)
		return 2;
	if (walk->hops[to] == 1)
		return link_weight(walk->routers, from, to);
	return 1.0 / walk->hops[to];
}

static uint32_t nodes_reached(const walk_t *walk)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < walk->reached; i++)
		count += walk->first[walk->queue[i] + 1] - walk->first[walk->queue[i]];
	return count;
}

/*
 * Begin a walk from router [r]. Returns 0, or -1 with [err] filled when [stop] says so.
 */
static int walk_anew(walk_t *walk, uint32_t r, uint32_t reach, bool (*stop)(void *),
		     void *argument, torus_error_t *err)
{
	if (stop && stop(argument))
		return torus_fail(err, "the time was over before all nodes that are near "
				       "one another were found");
	walk_forget(walk);
	walk_from(walk, r, reach);
	return 0;
}

/*
 * Count the neighbours of each node into count[node], and all of them into *sum, at first
 * 0. Returns 0, or -1 with [err] filled: too many, or to be stopped.
 */
static int count_neighbors(walk_t *walk, uint32_t reach, bool (*stop)(void *),
			   void *argument, uint64_t *count, uint64_t *sum,
			   torus_error_t *err)
{
	for (uint32_t r = 0; r < walk->routers->tasks; r++) {
		if (walk->first[r] == walk->first[r + 1])
			continue;
		if (walk_anew(walk, r, reach, stop, argument, err))
			return -1;
		for (uint32_t i = walk->first[r]; i < walk->first[r + 1]; i++) {
			count[walk->node[i]] = nodes_reached(walk) - 1;
			*sum += count[walk->node[i]];
		}
		if (*sum / 2 > TORUS_ORDER_PAIRS_MAX)
			return torus_fail(err,
					  "more than %u pairs of nodes are within %u "
					  "hops of one another, which takes too much "
					  "memory; choose a smaller reach",
					  TORUS_ORDER_PAIRS_MAX, reach);
	}
	return 0;
}

/*
 * Fill the graph, whose first[] is known; next[node] is where the node's next neighbour
 * goes. Nodes are added in ascending order to the lists of their neighbours, so every
 * list is in order.
 */
static int fill_near(walk_t *walk, const torus_network_t *network, uint32_t reach,
		     bool (*stop)(void *), void *argument, uint64_t *next,
		     torus_task_graph_t *near, torus_error_t *err)
{
	for (uint32_t node = 0; node < network->nodes; node++) {
		uint32_t router = router_of(network, node);

		if (walk_anew(walk, router, reach, stop, argument, err))
			return -1;
		for (uint32_t i = 0; i < walk->reached; i++) {
			uint32_t other = walk->queue[i];
			double weight = near_weight(walk, router, other);

			for (uint32_t j = walk->first[other]; j < walk->first[other + 1];
			     j++) {
				uint64_t at;

				if (walk->node[j] == node)
					continue;
				at = next[walk->node[j]]++;
				near->neighbor[at] = node;
				near->weight[at] = weight;
			}
		}
	}
	return 0;
}

torus_task_graph_t *torus_network_near(const torus_network_t *network, uint32_t reach,
				       bool (*stop)(void *argument), void *argument,
				       torus_error_t *err)
{
	uint64_t *count = calloc(network->nodes, sizeof(*count)), sum = 0;
	torus_task_graph_t *near = NULL;
	walk_t walk;
	int rc = walk_begin(&walk, network, err);

	if (!rc && !count)
		rc = torus_fail(err, "out of memory for a network of %u nodes",
				network->nodes);
	if (!rc)
		rc = count_neighbors(&walk, reach, stop, argument, count, &sum, err);
	if (!rc)
		near = torus_task_graph_alloc(network->nodes, sum, err);
	if (near) {
		for (uint32_t node = 0; node < network->nodes; node++) {
			near->first[node + 1] = near->first[node] + count[node];
			count[node] = near->first[node];
		}
		rc = fill_near(&walk, network, reach, stop, argument, count, near, err);
	}
	if (rc) {
		torus_task_graph_destroy(near);
		near = NULL;
	}
	walk_end(&walk);
	free(count);
	return near;
}

uint32_t torus_network_parts(const torus_network_t *network, torus_error_t *err)
{
	uint32_t parts = 0;
	walk_t walk;

	if (!walk_begin(&walk, network, err)) {
		for (uint32_t r = 0; r < network->routers->tasks; r++) {
			if (walk.first[r] == walk.first[r + 1] ||
			    walk.hops[r] != UNREACHED)
				continue;
			parts++;
			walk_from(&walk, r, UNREACHED - 1);
		}
	}
	walk_end(&walk);
	return parts;
}

int torus_network_breadth(const torus_network_t *network, uint32_t *order,
			  torus_error_t *err)
{
	uint32_t placed = 0, begun = 0;
	walk_t walk;
	int rc = walk_begin(&walk, network, err);

	for (uint32_t node = 0; !rc && node < network->nodes; node++) {
		uint32_t router = router_of(network, node), last;

		if (walk.hops[router] != UNREACHED)
			continue;
		/* The first walk finds the end of this part, the second starts there. */
		walk_from(&walk, router, UNREACHED - 1);
		last = walk.queue[walk.reached - 1];
		while (walk.reached > begun)
			walk.hops[walk.queue[--walk.reached]] = UNREACHED;
		walk_from(&walk, last, UNREACHED - 1);
		for (; begun < walk.reached; begun++) {
			uint32_t here = walk.queue[begun];

			for (uint32_t i = walk.first[here]; i < walk.first[here + 1]; i++)
				order[placed++] = walk.node[i];
		}
	}
	walk_end(&walk);
	return rc;
}

/* The row of [node] in torus_network_hops(). */
static int hops_from(const torus_network_t *network, walk_t *walk, uint32_t node,
		     uint16_t *row, uint32_t *most, torus_error_t *err)
{
	walk_forget(walk);
	walk_from(walk, router_of(network, node), UNREACHED - 1);
	for (uint32_t other = 0; other < network->nodes; other++) {
		uint32_t hops = walk->hops[router_of(network, other)];

		if (hops == UNREACHED)
			return torus_fail(err, "no link leads between some of the nodes, "
					       "so they have no distance");
		if (hops > UINT16_MAX)
			return torus_fail(err, "nodes more than %d hops apart",
					  UINT16_MAX);
		row[other] = (uint16_t)hops;
		*most = hops > *most ? hops : *most;
	}
	return 0;
}

int torus_network_hops(const torus_network_t *network, uint16_t *hops, uint32_t *most,
		       torus_error_t *err)
{
	walk_t walk;
	int rc = walk_begin(&walk, network, err);

	*most = 0;
	for (uint32_t node = 0; !rc && node < network->nodes; node++)
		rc = hops_from(network, &walk, node, hops + (size_t)node * network->nodes,
			       most, err);
	walk_end(&walk);
	return rc;
}

/*
 * Take the hops of the nodes on the routers that the walk has reached from [*at] on, at
 * most [count] in all.
 */
static uint32_t take_nearest(const walk_t *walk, uint32_t *at, uint32_t node,
			     uint32_t taken, uint32_t count, uint32_t *hops)
{
	for (; *at < walk->reached; (*at)++) {
		uint32_t router = walk->queue[*at];

		for (uint32_t i = walk->first[router];
		     i < walk->first[router + 1] && taken < count; i++) {
			if (walk->node[i] != node)
				hops[taken++] = walk->hops[router];
		}
	}
	return taken;
}

int torus_network_nearest(const torus_network_t *network, uint32_t count, uint32_t *hops,
			  torus_error_t *err)
{
	walk_t walk;
	int rc = walk_begin(&walk, network, err);

	for (uint32_t node = 0; !rc && node < network->nodes; node++) {
		uint32_t *row = hops + (size_t)node * count;
		uint32_t taken = 0, at = 0, begin = 0;

		walk_forget(&walk);
		walk_reach(&walk, router_of(network, node), 0);
		while (taken < count && begin < walk.reached) {
			uint32_t end = walk.reached;

			taken = take_nearest(&walk, &at, node, taken, count, row);
			for (; begin < end; begin++)
				walk_on(&walk, walk.queue[begin]);
		}
		while (taken < count)
			row[taken++] = UINT32_MAX;
	}
	walk_end(&walk);
	return rc;
}

/* How many windows of [length] of [nodes] positions hold both i and j > i. */
static uint32_t windows_with(uint32_t nodes, uint32_t length, uint32_t i, uint32_t j)
{
	uint32_t lowest = j + 1 > length ? j + 1 - length : 0;
	uint32_t highest = i < nodes - length ? i : nodes - length;

	return highest >= lowest ? highest - lowest + 1 : 0;
}

/* Add to sum[] what the pairs of position i with later ones add to the windows of 2, 4, 8
 * ... positions. Whether all of them were reached. */
static bool add_position(const torus_network_t *network, const walk_t *walk,
			 const uint32_t *order, uint32_t i, int lengths, double *sum)
{
	for (uint32_t j = i + 1; j < network->nodes; j++) {
		uint32_t hops = walk->hops[router_of(network, order[j])];

		if (hops == UNREACHED)
			return false;
		for (int l = lengths - 1; l >= 0 && (UINT32_C(2) << l) > j - i; l--)
			sum[l] += (double)hops *
				  windows_with(network->nodes, UINT32_C(2) << l, i, j);
	}
	return true;
}

/* Mean over the window lengths of the mean over all windows and their pairs. */
static double mean_of_windows(uint32_t nodes, int lengths, const double *sum)
{
	double mean = 0;

	for (int l = 0; l < lengths; l++) {
		double length = (double)(UINT32_C(2) << l);
		double windows = nodes - length + 1;

		mean += sum[l] / windows / (length * (length - 1) / 2) / lengths;
	}
	return mean;
}

int torus_network_mean_distance(const torus_network_t *network, const uint32_t *order,
				void (*progress)(uint64_t done, uint64_t total,
						 void *argument),
				void *argument, double *mean, torus_error_t *err)
{
	double sum[WINDOW_LENGTHS] = {0};
	bool all = true;
	int lengths = 0;
	walk_t walk;
	int rc = walk_begin(&walk, network, err);

	while (lengths < WINDOW_LENGTHS - 1 && (UINT64_C(2) << lengths) <= network->nodes)
		lengths++;
	for (uint32_t i = 0; !rc && all && i < network->nodes; i++) {
		walk_forget(&walk);
		walk_from(&walk, router_of(network, order[i]), UNREACHED - 1);
		all = add_position(network, &walk, order, i, lengths, sum);
		if (progress)
			progress(i + 1, network->nodes, argument);
	}
	walk_end(&walk);
	*mean = all ? mean_of_windows(network->nodes, lengths, sum) : -1;
	return rc;
}
