/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of tasks, chip by chip: see taskmap/any/chip_pairs.h. */
#include "taskmap/any/chip_pairs.h"

#include <stdlib.h>

#include "geometry/chips.h"

typedef struct listing {
	const torus_task_graph_t *graph;
	torus_any_chip_pairs_t *chips;
	torus_deal_t deal;
	uint32_t tasks, pattern;
	uint64_t *
		end; /* [entries] where the next pair goes; NULL: they are only counted */
} listing_t;

typedef struct place {
	uint32_t position, chip;
} place_t;

static place_t place_of(const listing_t *listing, uint32_t task)
{
	uint32_t positions = listing->graph->tasks, of_node = listing->chips->of_node;

	if (listing->deal == TORUS_DEAL_BLOCK)
		return (place_t){task / of_node, task % of_node};
	return (place_t){task % positions, task / positions};
}

/* The entry of the graph from position p to q. */
static uint64_t find_entry(const torus_task_graph_t *graph, uint32_t p, uint32_t q)
{
	uint64_t low = graph->first[p], high = graph->first[p + 1] - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (graph->neighbor[middle] < q)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void list_end(const listing_t *listing, place_t here, place_t there)
{
	uint64_t entry = find_entry(listing->graph, here.position, there.position);

	if (listing->end)
		listing->chips->pair[listing->end[entry]++] =
			(torus_any_chip_pair_t){listing->pattern, here.chip, there.chip};
	else
		listing->chips->first[entry + 1]++;
}

static void list_pair(const listing_t *listing, uint32_t a, uint32_t b)
{
	place_t one = place_of(listing, a), other = place_of(listing, b);

	if (one.position == other.position)
		return;
	list_end(listing, one, other);
	list_end(listing, other, one);
}

static void list_axis(const listing_t *listing, uint32_t stride, uint32_t length)
{
	for (uint32_t task = 0; task < listing->tasks; task++) {
		if (task / stride % length < length - 1)
			list_pair(listing, task, task + stride);
	}
}

static void list_all(listing_t *listing)
{
	for (int dims = 1; dims <= TORUS_ANY_PATTERNS; dims++) {
		torus_task_grid_t grid = {0};
		uint32_t stride = 1;

		listing->pattern = (uint32_t)dims - 1;
		torus_task_grid_mpi(listing->tasks, dims, &grid);
		for (int i = 0; i < dims; i++) {
			list_axis(listing, stride, (uint32_t)grid.length[i]);
			stride *= (uint32_t)grid.length[i];
		}
		if (dims == 1 && listing->tasks > 2)
			list_pair(listing, listing->tasks - 1, 0);
	}
}

/* Count the pairs, then enter them. */
static int list_pairs(listing_t *listing)
{
	torus_any_chip_pairs_t *chips = listing->chips;
	uint64_t entries = listing->graph->first[listing->graph->tasks];
	uint64_t *end = malloc((entries + 1) * sizeof(*end));

	chips->first = calloc(entries + 1, sizeof(*chips->first));
	if (!end || !chips->first) {
		free(end);
		return -1;
	}
	list_all(listing);
	for (uint64_t entry = 0; entry < entries; entry++) {
		chips->first[entry + 1] += chips->first[entry];
		end[entry] = chips->first[entry];
	}
	chips->pair = malloc((chips->first[entries] + 1) * sizeof(*chips->pair));
	if (chips->pair) {
		listing->end = end;
		list_all(listing);
	}
	free(end);
	return chips->pair ? 0 : -1;
}

/* The distances of all chips. */
static int measure(const torus_geometry_t *geometry, uint32_t nodes, const uint32_t *cell,
		   torus_any_chip_pairs_t *chips, torus_error_t *err)
{
	torus_task_job_t job = {
		.geometry = &chips->machine,
		.nodes = nodes * chips->of_node,
	};
	uint32_t *chip_cell = malloc(job.nodes * sizeof(*chip_cell));
	int rc = -1;

	if (!chip_cell)
		return torus_fail(err, "out of memory for %u chips", job.nodes);
	for (uint32_t chip = 0; chip < job.nodes; chip++)
		chip_cell[chip] = torus_chip_cell(geometry, cell[chip / chips->of_node],
						  chip % chips->of_node);
	job.cell = chip_cell;
	if (!torus_hop_table_init(&job, &chips->table, err))
		rc = torus_hop_table_expand(&job, &chips->table, err);
	free(chip_cell);
	return rc;
}

int torus_any_chip_pairs_init(const torus_any_pattern_t *pattern,
			      const torus_geometry_t *geometry, const uint32_t *cell,
			      torus_deal_t deal, torus_any_chip_pairs_t *chips,
			      torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(geometry);
	listing_t listing = {
		.graph = pattern->graph,
		.chips = chips,
		.deal = deal,
		.tasks = pattern->graph->tasks * of_node,
	};

	*chips = (torus_any_chip_pairs_t){
		.of_node = of_node,
		.machine = torus_chip_machine(geometry),
	};
	if (measure(geometry, pattern->graph->tasks, cell, chips, err))
		return -1;
	if (list_pairs(&listing))
		return torus_fail(err, "out of memory for %u chips", listing.tasks);
	return 0;
}

void torus_any_chip_pairs_destroy(torus_any_chip_pairs_t *chips)
{
	torus_hop_table_destroy(&chips->table);
	free(chips->first);
	free(chips->pair);
}
