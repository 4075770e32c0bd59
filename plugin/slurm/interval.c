/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals with enough processors: see interval.h. */
#include "slurm/interval.h"

/* A run of ranks of a torus: [first] to [end] - 1, which may be beyond the last rank. */
typedef struct run {
	const machine_torus_t *torus;
	uint32_t first, end;
	uint32_t cpus;
	uint32_t required; /* nodes that the job must have */
} run_t;

/* The node at a place of the curve gone through twice, or MACHINE_NO_NODE where there is
 * none in the pool. */
static int node_at(const interval_request_t *request, const machine_torus_t *torus,
		   uint32_t place)
{
	int node = torus->node_of_rank[place % torus->map->nodes];

	return node != MACHINE_NO_NODE && bit_test((bitstr_t *)request->pool, node)
		       ? node
		       : MACHINE_NO_NODE;
}

static bool is_required(const interval_request_t *request, int node)
{
	return request->required && bit_test((bitstr_t *)request->required, node);
}

static void add_end(const interval_request_t *request, run_t *run, int node)
{
	run->end++;
	run->cpus += request->free[node];
	run->required += is_required(request, node);
}

/* Drop nodes at the start that the run can do without. */
static void drop_start(const interval_request_t *request, run_t *run)
{
	while (run->end - run->first > request->min_nodes) {
		int node = node_at(request, run->torus, run->first);
		uint32_t cpus = request->free[node];

		if (run->end - run->first <= run->torus->map->nodes &&
		    (is_required(request, node) || run->cpus - cpus < request->cpus))
			return;
		run->first++;
		run->cpus -= cpus;
		run->required -= is_required(request, node);
	}
}

static bool suits(const interval_request_t *request, const run_t *run, uint32_t required)
{
	uint32_t nodes = run->end - run->first;

	return nodes >= request->min_nodes && nodes <= request->max_nodes &&
	       nodes <= run->torus->map->nodes && run->cpus >= request->cpus &&
	       run->required == required;
}

static bool is_better(const run_t *run, const run_t *best)
{
	uint32_t nodes = run->end - run->first, least = best->end - best->first;

	return !best->torus || nodes < least ||
	       (nodes == least && run->cpus < best->cpus);
}

/* The shortest run that ends at each place, in turn. */
static void look_on(const interval_request_t *request, const machine_torus_t *torus,
		    uint32_t required, run_t *best)
{
	uint32_t ranks = torus->map->nodes;
	uint32_t places = torus->map->span == TORUS_SPAN_RING ? 2 * ranks : ranks;
	run_t run = {.torus = torus};

	for (uint32_t place = 0; place < places; place++) {
		int node = node_at(request, torus, place);

		if (node == MACHINE_NO_NODE) {
			run = (run_t){
				.torus = torus, .first = place + 1, .end = place + 1};
			continue;
		}
		add_end(request, &run, node);
		drop_start(request, &run);
		if (suits(request, &run, required) && is_better(&run, best))
			*best = run;
	}
}

bool interval_with_cpus(const machine_t *machine, const interval_request_t *request,
			bitstr_t *chosen, choice_t *choice)
{
	uint32_t required =
		request->required ? (uint32_t)bit_set_count((bitstr_t *)request->required)
				  : 0;
	run_t best = {0};

	bit_clear_all(chosen);
	for (int t = 0; t < machine->tori; t++)
		look_on(request, &machine->torus[t], required, &best);
	if (!best.torus)
		return false;
	for (uint32_t place = best.first; place < best.end; place++)
		bit_set(chosen, node_at(request, best.torus, place));
	*choice = (choice_t){
		.map = best.torus->map,
		.candidates = (uint32_t)bit_set_count((bitstr_t *)request->pool),
		.nodes = best.end - best.first,
		.span = best.end - best.first,
	};
	return true;
}
