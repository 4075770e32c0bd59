/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Annealing on several threads. The nodes are cut into as many parts, slabs of the
 * machine across one of its dimensions, and each thread makes moves among the items of
 * its part, by a copy of where all items are. After a round of a few moves an item
 * everybody learns where the others' items are now, and the nodes are cut elsewhere,
 * across another dimension. So no thread waits for another within a round, and nothing
 * depends on which of them is faster.
 *
 * A move of an item whose neighbours are in other parts is judged by where they were when
 * the round began. What that costs is little while few items of a part border on others.
 */
#define _POSIX_C_SOURCE 200809L
#include "taskmap/search/annealing_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "taskmap/search/annealing_moves.h"

/* Moves of a round, for each node of a part. */
#define MOVES_OF_A_ROUND 2

typedef struct crew crew_t;

typedef struct worker {
	crew_t *crew;
	torus_annealing_state_t state; /* its slots are everybody's */
	torus_annealing_part_t part;
	torus_effort_t effort;
	uint64_t random;
	bool going; /* its effort is not spent */
	bool runs;  /* as a thread of its own */
	pthread_t thread;
} worker_t;

struct crew {
	const torus_annealing_t *annealing;
	torus_annealing_state_t all; /* its slots */
	uint32_t *mapping[2];	     /* [items] when the round begins, and when it ends */
	uint32_t *order;	     /* [dims * nodes] an order along each dimension */
	uint32_t *position;	     /* [dims * nodes] */
	worker_t *worker;	     /* [workers] the first is the calling thread */
	uint32_t workers;
	uint64_t *random;

	/* of the round */
	double temperature;
	uint64_t moves;

	pthread_mutex_t lock;
	pthread_cond_t begins, ends;
	uint64_t round; /* begun so far */
	uint32_t busy;	/* threads that have not ended it */
	bool over;
};

/* --- orders of the nodes ------------------------------------------------ */

/* Order the nodes by their coordinate along [axis]: counting sort. */
static int order_along(const crew_t *crew, int axis, torus_error_t *err)
{
	const torus_hop_table_t *table = crew->annealing->table;
	uint32_t nodes = crew->annealing->nodes;
	uint32_t *order = crew->order + (size_t)axis * nodes;
	uint32_t *position = crew->position + (size_t)axis * nodes;
	const int32_t *coord = table->coord + axis;
	int32_t lowest = coord[0], highest = coord[0];
	uint32_t *first;

	for (size_t node = 0; node < nodes; node++) {
		int32_t here = coord[node * (size_t)table->dims];

		lowest = here < lowest ? here : lowest;
		highest = here > highest ? here : highest;
	}
	first = calloc((size_t)highest - (size_t)lowest + 2, sizeof(*first));
	if (!first)
		return torus_fail(err, "out of memory for an order of %u nodes", nodes);
	for (size_t node = 0; node < nodes; node++)
		first[coord[node * (size_t)table->dims] - lowest + 1]++;
	for (int32_t i = 0; i < highest - lowest; i++)
		first[i + 1] += first[i];
	for (uint32_t node = 0; node < nodes; node++) {
		position[node] = first[coord[node * (size_t)table->dims] - lowest]++;
		order[position[node]] = node;
	}
	free(first);
	return 0;
}

/* Cut the nodes into a part for each worker, anywhere across any dimension. */
static void cut(crew_t *crew)
{
	uint32_t nodes = crew->annealing->nodes;
	uint32_t dims = (uint32_t)crew->annealing->table->dims;
	uint32_t axis = torus_random_below(crew->random, dims);
	uint32_t begin = torus_random_below(crew->random, nodes);

	for (uint32_t i = 0; i < crew->workers; i++) {
		uint64_t from = (uint64_t)nodes * i / crew->workers;
		uint64_t to = (uint64_t)nodes * (i + 1) / crew->workers;

		crew->worker[i].part = (torus_annealing_part_t){
			.order = crew->order + (size_t)axis * nodes,
			.position = crew->position + (size_t)axis * nodes,
			.first = (uint32_t)((begin + from) % nodes),
			.count = (uint32_t)(to - from),
		};
	}
}

/* --- a round -------------------------------------------------------------- */

/* What one worker does in a round. */
static void work(worker_t *worker)
{
	crew_t *crew = worker->crew;
	torus_annealing_state_t *state = &worker->state;
	uint32_t nodes = crew->annealing->nodes, items = crew->annealing->graph->tasks;

	memcpy(state->node_of_item, crew->mapping[0],
	       items * sizeof(*state->node_of_item));
	if (state->at) {
		for (uint32_t item = 0; item < items; item++)
			state->at[item] =
				crew->annealing->packed->node[state->node_of_item[item]];
	}
	worker->going = torus_annealing_moves(state, crew->temperature, crew->moves,
					      &worker->random, &worker->effort);
	for (uint32_t i = 0; i < worker->part.count; i++) {
		uint32_t place = worker->part.first + i;
		uint32_t node = worker->part.order[place < nodes ? place : place - nodes];

		for (uint32_t slot = state->first_slot[node];
		     slot < state->first_slot[node + 1]; slot++)
			crew->mapping[1][state->item_at[slot]] = node;
	}
}

static void *run(void *argument)
{
	worker_t *worker = argument;
	crew_t *crew = worker->crew;
	uint64_t done = 0;

	pthread_mutex_lock(&crew->lock);
	for (;;) {
		while (crew->round == done && !crew->over)
			pthread_cond_wait(&crew->begins, &crew->lock);
		if (crew->over)
			break;
		done = crew->round;
		pthread_mutex_unlock(&crew->lock);
		work(worker);
		pthread_mutex_lock(&crew->lock);
		if (!--crew->busy)
			pthread_cond_signal(&crew->ends);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* A round of [moves] moves by each worker. False once the effort of one is spent. */
static bool play_round(crew_t *crew, double temperature, uint64_t moves)
{
	uint32_t *before = crew->mapping[0];
	bool going = true;

	cut(crew);
	crew->temperature = temperature;
	crew->moves = moves;
	pthread_mutex_lock(&crew->lock);
	crew->round++;
	for (uint32_t i = 0; i < crew->workers; i++)
		crew->busy += crew->worker[i].runs;
	pthread_cond_broadcast(&crew->begins);
	pthread_mutex_unlock(&crew->lock);
	for (uint32_t i = 0; i < crew->workers; i++) {
		if (!crew->worker[i].runs)
			work(&crew->worker[i]);
	}
	pthread_mutex_lock(&crew->lock);
	while (crew->busy)
		pthread_cond_wait(&crew->ends, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	crew->mapping[0] = crew->mapping[1];
	crew->mapping[1] = before;
	for (uint32_t i = 0; i < crew->workers; i++)
		going = going && crew->worker[i].going;
	return going;
}

/* [moves] moves by each worker at one temperature, in rounds. */
static bool play(void *context, double temperature, uint64_t moves)
{
	crew_t *crew = context;
	uint64_t most = crew->annealing->nodes / crew->workers * MOVES_OF_A_ROUND;
	bool going = true;

	for (; moves && going; moves -= moves < most ? moves : most)
		going = play_round(crew, temperature, moves < most ? moves : most);
	return going;
}

/* --- the crew -------------------------------------------------------------- */

static int worker_begin(crew_t *crew, worker_t *worker, const torus_effort_t *effort,
			torus_error_t *err)
{
	uint32_t items = crew->annealing->graph->tasks;

	worker->crew = crew;
	worker->effort = *effort;
	worker->random = torus_random_next(crew->random);
	worker->state = crew->all;
	worker->state.part = &worker->part;
	worker->state.best = NULL;
	worker->state.node_of_item = malloc(items * sizeof(uint32_t));
	worker->state.at = NULL;
	if (crew->all.at)
		worker->state.at = malloc(items * sizeof(uint32_t));
	if (!worker->state.node_of_item || (crew->all.at && !worker->state.at))
		return torus_fail(err, "out of memory for annealing %u tasks", items);
	return 0;
}

static int crew_begin(crew_t *crew, uint32_t workers, const torus_effort_t *effort,
		      const uint32_t *node_of_item, torus_error_t *err)
{
	const torus_annealing_t *annealing = crew->annealing;
	size_t dims = (size_t)annealing->table->dims;
	size_t size = annealing->graph->tasks * sizeof(uint32_t);

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begins, NULL);
	pthread_cond_init(&crew->ends, NULL);
	crew->mapping[0] = malloc(size);
	crew->mapping[1] = malloc(size);
	crew->order = malloc(dims * annealing->nodes * sizeof(*crew->order));
	crew->position = malloc(dims * annealing->nodes * sizeof(*crew->position));
	crew->worker = calloc(workers, sizeof(*crew->worker));
	if (!crew->mapping[0] || !crew->mapping[1] || !crew->order || !crew->position ||
	    !crew->worker)
		return torus_fail(err, "out of memory for annealing on %u threads",
				  workers);
	memcpy(crew->mapping[0], node_of_item, size);
	if (torus_annealing_begin(annealing, crew->mapping[0], &crew->all, err))
		return -1;
	for (int axis = 0; axis < annealing->table->dims; axis++) {
		if (order_along(crew, axis, err))
			return -1;
	}
	for (; crew->workers < workers; crew->workers++) {
		if (worker_begin(crew, &crew->worker[crew->workers], effort, err))
			return -1;
	}
	/* What cannot have a thread of its own is done by this one. The processor's clock
	 * of a thread begins at 0. */
	for (uint32_t i = 1; i < workers; i++) {
		worker_t *worker = &crew->worker[i];

		worker->effort.deadline = torus_effort_seconds(effort);
		worker->runs = !pthread_create(&worker->thread, NULL, run, worker);
		if (!worker->runs)
			worker->effort.deadline = effort->deadline;
	}
	return 0;
}

static void crew_end(crew_t *crew, uint32_t workers)
{
	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	pthread_cond_broadcast(&crew->begins);
	pthread_mutex_unlock(&crew->lock);
	for (uint32_t i = 0; crew->worker && i < workers; i++) {
		if (crew->worker[i].runs)
			pthread_join(crew->worker[i].thread, NULL);
		free(crew->worker[i].state.node_of_item);
		free(crew->worker[i].state.at);
	}
	torus_annealing_end(&crew->all);
	free(crew->mapping[0]);
	free(crew->mapping[1]);
	free(crew->order);
	free(crew->position);
	free(crew->worker);
	pthread_cond_destroy(&crew->ends);
	pthread_cond_destroy(&crew->begins);
	pthread_mutex_destroy(&crew->lock);
}

static double hop_bytes(const torus_annealing_t *annealing, const uint32_t *node_of_item)
{
	const torus_task_graph_t *graph = annealing->graph;
	double sum = 0;

	for (uint32_t item = 0; item < graph->tasks; item++) {
		for (uint64_t i = graph->first[item]; i < graph->first[item + 1]; i++) {
			uint32_t hops =
				torus_hop_table_hops(annealing->table, node_of_item[item],
						     node_of_item[graph->neighbor[i]]);

			sum += graph->weight ? graph->weight[i] * hops : hops;
		}
	}
	return sum / 2;
}

double torus_annealing_run_threads(const torus_annealing_t *annealing, uint32_t threads,
				   double heat, uint64_t moves, uint64_t *random,
				   torus_effort_t *effort, uint32_t *node_of_item,
				   torus_error_t *err)
{
	crew_t crew = {.annealing = annealing, .random = random};
	double result = -1;

	if (crew_begin(&crew, threads, effort, node_of_item, err))
		goto done;
	torus_annealing_cool(annealing->graph, heat, moves / threads, play, &crew);
	for (uint32_t i = 0; i < threads; i++) {
		const torus_effort_t *left = &crew.worker[i].effort;

		effort->work = left->work < effort->work ? left->work : effort->work;
		effort->over = effort->over || left->over;
	}
	result = hop_bytes(annealing, node_of_item) -
		 hop_bytes(annealing, crew.mapping[0]);
	if (result > 0)
		memcpy(node_of_item, crew.mapping[0],
		       annealing->graph->tasks * sizeof(*node_of_item));
	else
		result = 0;
done:
	crew_end(&crew, threads);
	return result;
}
