/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Annealing on several threads. The nodes are cut into as many parts, slabs of the
 * machine across one of its dimensions, and for each part a worker makes moves among its
 * items, by a copy of where all items are. After a round of a few moves an item every
 * worker learns where the others' items are now, and the nodes are cut elsewhere, across
 * another dimension. So no worker waits for another within a round, neither for itself
 * nor for memory that both write, and nothing depends on which of them is faster, or on
 * whether each has a thread of its own, as it has if there are enough processors.
 *
 * A move of an item whose neighbours are in other parts is judged by where they were when
 * the round began. What that costs is little while few items of a part border on others.
 */
#define _POSIX_C_SOURCE 200809L
#include "taskmap/search/annealing_threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "base/random.h"
#include "taskmap/search/annealing_moves.h"

/* Moves of a round, for each node of a part. */
#define MOVES_OF_A_ROUND 2

/*
 * How often a thread lets others have its processor before it sleeps until the others are
 * as far. To be woken takes longer than a round of 512 nodes on two threads, ten
 * microseconds: half a second of budget took 2.5 s with sleep alone.
 */
#define YIELDS 200

typedef struct crew crew_t;

typedef struct worker {
	crew_t *crew;
	torus_annealing_state_t state;
	torus_annealing_part_t part, last; /* of this round and the one before */
	torus_effort_t effort;
	uint64_t random;
	uint32_t *node_of_item; /* [items] the state's */
	bool going;		/* its effort is not spent */
} worker_t;

/* Does what every [crew->threads]th worker has to do, from [index] on. */
typedef struct thread {
	crew_t *crew;
	uint32_t index;
	pthread_t id;
} thread_t;

struct crew {
	const torus_annealing_t *annealing;
	uint32_t *order;    /* [dims * nodes] an order along each dimension */
	uint32_t *position; /* [dims * nodes] */
	uint32_t *before;   /* [dims * nodes] items on the nodes before, in the order */
	uint32_t *item[2];  /* [items] in the order of the nodes that they are on,
			     * after the round before and after this one */
	worker_t *worker;   /* [workers] */
	uint32_t workers;
	thread_t *thread; /* [threads] the first is the calling one */
	uint32_t threads; /* as many as there are processors, and no more than workers */
	uint64_t *random;

	/* of the round */
	double temperature;
	uint64_t moves;

	pthread_mutex_t lock;
	pthread_cond_t begins, ends;
	atomic_uint_fast64_t round; /* begun so far */
	atomic_uint busy;	    /* threads that have not ended it */
	bool over;		    /* there is nothing to do in this one */
};

/* --- orders of the nodes ------------------------------------------------ */

/* Order the nodes by their coordinate along [axis]: counting sort. */
static int order_along(const crew_t *crew, int axis, torus_error_t *err)
{
	const torus_hop_table_t *table = crew->annealing->table;
	uint32_t nodes = crew->annealing->nodes;
	uint32_t *order = crew->order + (size_t)axis * nodes;
	uint32_t *position = crew->position + (size_t)axis * nodes;
	uint32_t *before = crew->before + (size_t)axis * nodes, items = 0;
	const uint32_t *first_slot = crew->worker[0].state.first_slot;
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
	for (uint32_t place = 0; place < nodes; place++) {
		before[place] = items;
		items += first_slot[order[place] + 1] - first_slot[order[place]];
	}
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

		crew->worker[i].last = crew->worker[i].part;
		crew->worker[i].part = (torus_annealing_part_t){
			.order = crew->order + (size_t)axis * nodes,
			.position = crew->position + (size_t)axis * nodes,
			.first = (uint32_t)((begin + from) % nodes),
			.count = (uint32_t)(to - from),
		};
	}
}

/* --- a round -------------------------------------------------------------- */

/* The node of a part's place number [i], and where in crew->item[] its items are. */
static uint32_t node_of(const crew_t *crew, const torus_annealing_part_t *part,
			uint32_t i, uint32_t *first_item)
{
	uint32_t place = part->first + i;

	if (place >= crew->annealing->nodes)
		place -= crew->annealing->nodes;
	*first_item = crew->before[part->order - crew->order + place];
	return part->order[place];
}

/* What the others moved in the round before. */
static void learn(worker_t *worker)
{
	const crew_t *crew = worker->crew;
	torus_annealing_state_t *state = &worker->state;

	if (!worker->last.order)
		return;
	for (uint32_t i = worker->last.count; i < crew->annealing->nodes; i++) {
		uint32_t item, node = node_of(crew, &worker->last, i, &item);

		for (uint32_t slot = state->first_slot[node];
		     slot < state->first_slot[node + 1]; slot++, item++) {
			if (state->item_at[slot] != crew->item[0][item])
				torus_annealing_put(state, crew->item[0][item], slot,
						    node);
		}
	}
}

static void tell(const worker_t *worker)
{
	const crew_t *crew = worker->crew;
	const torus_annealing_state_t *state = &worker->state;

	for (uint32_t i = 0; i < worker->part.count; i++) {
		uint32_t item, node = node_of(crew, &worker->part, i, &item);

		for (uint32_t slot = state->first_slot[node];
		     slot < state->first_slot[node + 1]; slot++)
			crew->item[1][item++] = state->item_at[slot];
	}
}

/* What one worker does in a round; by a copy, as it lies beside others that are written.
 */
static void work(worker_t *worker)
{
	worker_t mine = *worker;
	const crew_t *crew = mine.crew;

	mine.state.part = &mine.part;
	learn(&mine);
	mine.going = torus_annealing_moves(&mine.state, crew->temperature, crew->moves,
					   &mine.random, &mine.effort);
	tell(&mine);
	*worker = mine;
}

static void work_of(const thread_t *thread)
{
	crew_t *crew = thread->crew;

	for (uint32_t i = thread->index; i < crew->workers; i += crew->threads)
		work(&crew->worker[i]);
}

static bool has_begun(crew_t *crew, uint64_t round)
{
	return atomic_load(&crew->round) >= round;
}

static bool has_ended(crew_t *crew, uint64_t round)
{
	(void)round;
	return !atomic_load(&crew->busy);
}

/* Until [happened], which [told] tells, at first without sleeping. */
static void wait_for(crew_t *crew, pthread_cond_t *told,
		     bool (*happened)(crew_t *crew, uint64_t round), uint64_t round)
{
	for (int i = 0; i < YIELDS; i++) {
		if (happened(crew, round))
			return;
		sched_yield();
	}
	pthread_mutex_lock(&crew->lock);
	while (!happened(crew, round))
		pthread_cond_wait(told, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

static void *run(void *argument)
{
	const thread_t *thread = argument;
	crew_t *crew = thread->crew;

	for (uint64_t round = 1;; round++) {
		wait_for(crew, &crew->begins, has_begun, round);
		if (crew->over)
			return NULL;
		work_of(thread);
		if (atomic_fetch_sub(&crew->busy, 1) == 1) {
			pthread_mutex_lock(&crew->lock);
			pthread_cond_signal(&crew->ends);
			pthread_mutex_unlock(&crew->lock);
		}
	}
}

static void begin_round(crew_t *crew)
{
	atomic_store(&crew->busy, crew->threads - 1);
	pthread_mutex_lock(&crew->lock);
	atomic_fetch_add(&crew->round, 1);
	pthread_cond_broadcast(&crew->begins);
	pthread_mutex_unlock(&crew->lock);
}

/* A round of [moves] moves by each worker. False once the effort of one is spent. */
static bool play_round(crew_t *crew, double temperature, uint64_t moves)
{
	uint32_t *items = crew->item[0];
	bool going = true;

	cut(crew);
	crew->temperature = temperature;
	crew->moves = moves;
	begin_round(crew);
	work_of(&crew->thread[0]);
	wait_for(crew, &crew->ends, has_ended, 0);
	crew->item[0] = crew->item[1];
	crew->item[1] = items;
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
			const uint32_t *node_of_item, torus_error_t *err)
{
	uint32_t items = crew->annealing->graph->tasks;

	worker->crew = crew;
	worker->effort = *effort;
	worker->random = torus_random_next(crew->random);
	worker->node_of_item = malloc(items * sizeof(*worker->node_of_item));
	if (!worker->node_of_item)
		return torus_fail(err, "out of memory for annealing %u tasks", items);
	memcpy(worker->node_of_item, node_of_item, items * sizeof(*node_of_item));
	if (torus_annealing_begin(crew->annealing, worker->node_of_item, &worker->state,
				  err))
		return -1;
	return 0;
}

/*
 * Start threads, which then wait for a round. What those do that cannot be had is done by
 * the others.
 */
static void threads_begin(crew_t *crew, const torus_effort_t *effort)
{
	uint32_t most = torus_processors();
	double left = torus_effort_seconds(effort);

	if (most > crew->workers)
		most = crew->workers;
	for (crew->threads = 0; crew->threads < most; crew->threads++) {
		thread_t *thread = &crew->thread[crew->threads];

		*thread = (thread_t){.crew = crew, .index = crew->threads};
		if (thread->index && pthread_create(&thread->id, NULL, run, thread))
			break;
	}
	/* A thread's clock begins at 0, and is that of all that it does. */
	for (uint32_t i = 0; i < crew->workers; i++) {
		uint32_t thread = i % crew->threads;
		uint32_t shared = (crew->workers - 1 - thread) / crew->threads + 1;

		crew->worker[i].effort.deadline =
			(thread ? 0 : effort->deadline - left) + left * shared;
	}
}

static int crew_begin(crew_t *crew, uint32_t workers, const torus_effort_t *effort,
		      const uint32_t *node_of_item, torus_error_t *err)
{
	const torus_annealing_t *annealing = crew->annealing;
	size_t dims = (size_t)annealing->table->dims;
	size_t places = dims * annealing->nodes * sizeof(uint32_t);

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begins, NULL);
	pthread_cond_init(&crew->ends, NULL);
	for (int i = 0; i < 2; i++)
		crew->item[i] = malloc(annealing->graph->tasks * sizeof(uint32_t));
	crew->order = malloc(places);
	crew->position = malloc(places);
	crew->before = malloc(places);
	crew->worker = calloc(workers, sizeof(*crew->worker));
	crew->thread = calloc(workers, sizeof(*crew->thread));
	if (!crew->item[0] || !crew->item[1] || !crew->order || !crew->position ||
	    !crew->before || !crew->worker || !crew->thread)
		return torus_fail(err, "out of memory for annealing on %u threads",
				  workers);
	crew->workers = workers;
	for (uint32_t i = 0; i < workers; i++) {
		if (worker_begin(crew, &crew->worker[i], effort, node_of_item, err))
			return -1;
	}
	for (int axis = 0; axis < annealing->table->dims; axis++) {
		if (order_along(crew, axis, err))
			return -1;
	}
	threads_begin(crew, effort);
	return 0;
}

static void crew_end(crew_t *crew)
{
	crew->over = true;
	begin_round(crew);
	for (uint32_t i = 1; i < crew->threads; i++)
		pthread_join(crew->thread[i].id, NULL);
	for (uint32_t i = 0; i < crew->workers; i++) {
		free(crew->worker[i].node_of_item);
		torus_annealing_end(&crew->worker[i].state);
	}
	free(crew->item[0]);
	free(crew->item[1]);
	free(crew->order);
	free(crew->position);
	free(crew->before);
	free(crew->worker);
	free(crew->thread);
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
	worker_t *first;
	double result = -1;

	if (crew_begin(&crew, threads, effort, node_of_item, err))
		goto done;
	torus_annealing_cool(annealing->graph, heat, moves / threads, play, &crew);
	first = &crew.worker[0];
	for (uint32_t i = 0; i < threads; i++) {
		const torus_effort_t *left = &crew.worker[i].effort;

		effort->work = left->work < effort->work ? left->work : effort->work;
		effort->over = effort->over || left->over;
	}
	first->last = first->part;
	learn(first);
	result = hop_bytes(annealing, node_of_item) -
		 hop_bytes(annealing, first->node_of_item);
	if (result > 0)
		memcpy(node_of_item, first->node_of_item,
		       annealing->graph->tasks * sizeof(*node_of_item));
	else
		result = 0;
done:
	crew_end(&crew);
	return result;
}
