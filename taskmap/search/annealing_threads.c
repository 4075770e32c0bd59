/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Annealing on several threads. The nodes are cut into as many parts, boxes of the
 * machine, and for each part a worker makes moves among its items, by a copy of where all
 * items are. After a round of a few moves an item every worker learns where the others'
 * items are now, and the nodes are cut elsewhere. So no worker waits for another within a
 * round, neither for itself nor for memory that both write, and nothing depends on which
 * of them is faster, or on whether each has a thread of its own, as it has if there are
 * enough processors.
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
 * The nodes are cut in so many ways at most, and in one for each so many rounds, as to
 * make one takes as long as three rounds. Tried on jobs of 1,024 to 16,384 tasks, beside
 * slabs across one dimension: on 16 to 64 threads 2% fewer hops, on fewer as many.
 */
#define CUTS 16
#define ROUNDS_OF_A_CUT 16

/*
 * How often a thread lets others have its processor before it sleeps until the others are
 * as far. To be woken takes longer than a round of 512 nodes on two threads, ten
 * microseconds: half a second of budget took 2.5 s with sleep alone.
 */
#define YIELDS 200

typedef struct crew crew_t;

/* One way to cut the nodes into parts. */
typedef struct cut {
	uint32_t *order;    /* [nodes] part by part */
	uint32_t *position; /* [nodes] in the order */
	uint32_t *before;   /* [nodes] items on the nodes before, in the order */
	uint32_t *bound;    /* [workers + 1] where each part begins */
} cut_t;

typedef struct worker {
	crew_t *crew;
	torus_annealing_state_t state;
	torus_annealing_part_t part;
	torus_effort_t effort;
	uint64_t random;
	uint32_t number;	/* of the worker */
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
	cut_t *cut; /* [cuts] */
	uint32_t cuts;
	const cut_t *now, *last; /* of this round and the one before, or NULL */
	uint32_t *room;		 /* of all cuts */
	uint32_t *item[2];	 /* [items] in the order of the nodes that they are on,
				  * after the round before and after this one */
	worker_t *worker;	 /* [workers] */
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

/* --- cuts ------------------------------------------------------------------ */

/* What is needed to make a cut. */
typedef struct cutter {
	uint32_t dims;
	uint32_t *plane;		 /* [nodes * dims] across each dimension, numbered
					  * without those that have no node */
	uint32_t planes[TORUS_MAX_DIMS]; /* across each dimension */
	uint32_t begin[TORUS_MAX_DIMS];	 /* the plane where the machine begins for this
					  * cut: any, as if each dimension were a ring */
	uint32_t *scratch;		 /* [nodes] */
	uint32_t *first;		 /* [nodes + 1] */
} cutter_t;

static int number_planes(cutter_t *cutter, const torus_annealing_t *annealing,
			 uint32_t axis, torus_error_t *err)
{
	const int32_t *coord = annealing->table->coord + axis;
	uint32_t highest = 0, planes = 0, *number;

	for (size_t node = 0; node < annealing->nodes; node++) {
		uint32_t at = (uint32_t)coord[node * cutter->dims];

		highest = at > highest ? at : highest;
	}
	number = calloc((size_t)highest + 1, sizeof(*number));
	if (!number)
		return torus_fail(err, "out of memory for %u planes", highest + 1);
	for (size_t node = 0; node < annealing->nodes; node++)
		number[coord[node * cutter->dims]] = 1;
	for (uint32_t at = 0; at <= highest; at++) {
		planes += number[at];
		number[at] = planes - number[at];
	}
	for (size_t node = 0; node < annealing->nodes; node++)
		cutter->plane[node * cutter->dims + axis] =
			number[coord[node * cutter->dims]];
	cutter->planes[axis] = planes;
	free(number);
	return 0;
}

static int cutter_begin(cutter_t *cutter, const torus_annealing_t *annealing,
			torus_error_t *err)
{
	size_t nodes = annealing->nodes;

	cutter->dims = (uint32_t)annealing->table->dims;
	cutter->plane = malloc(nodes * cutter->dims * sizeof(*cutter->plane));
	cutter->scratch = malloc(nodes * sizeof(*cutter->scratch));
	cutter->first = malloc((nodes + 1) * sizeof(*cutter->first));
	if (!cutter->plane || !cutter->scratch || !cutter->first)
		return torus_fail(err, "out of memory for the parts of %zu nodes", nodes);
	for (uint32_t axis = 0; axis < cutter->dims; axis++) {
		if (number_planes(cutter, annealing, axis, err))
			return -1;
	}
	return 0;
}

static void cutter_end(cutter_t *cutter)
{
	free(cutter->plane);
	free(cutter->scratch);
	free(cutter->first);
}

/* The plane of a node across [axis], from where the machine begins. */
static inline uint32_t place_along(const cutter_t *cutter, uint32_t node, uint32_t axis)
{
	uint32_t plane = cutter->plane[node * (size_t)cutter->dims + axis];

	return plane < cutter->begin[axis]
		       ? plane + cutter->planes[axis] - cutter->begin[axis]
		       : plane - cutter->begin[axis];
}

/* A dimension along which the nodes reach at least half as far as along any. */
static uint32_t long_axis(const cutter_t *cutter, const uint32_t *order, uint32_t nodes,
			  uint64_t *random)
{
	uint32_t reach[TORUS_MAX_DIMS], longest = 0, axis;

	for (axis = 0; axis < cutter->dims; axis++) {
		uint32_t low = UINT32_MAX, high = 0;

		for (uint32_t i = 0; i < nodes; i++) {
			uint32_t at = place_along(cutter, order[i], axis);

			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		reach[axis] = high - low + 1;
		longest = reach[axis] > longest ? reach[axis] : longest;
	}
	do
		axis = torus_random_below(random, cutter->dims);
	while (reach[axis] < longest - longest / 2);
	return axis;
}

/* Order nodes by where they are along [axis]: counting sort. */
static void order_along(cutter_t *cutter, uint32_t axis, uint32_t *order, uint32_t nodes)
{
	uint32_t *first = cutter->first, planes = cutter->planes[axis];

	memset(first, 0, (planes + 1) * sizeof(*first));
	for (uint32_t i = 0; i < nodes; i++)
		first[place_along(cutter, order[i], axis) + 1]++;
	for (uint32_t i = 0; i < planes; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < nodes; i++)
		cutter->scratch[first[place_along(cutter, order[i], axis)]++] = order[i];
	memcpy(order, cutter->scratch, nodes * sizeof(*order));
}

/* Cut order[first .. end - 1] into [parts], each piece across a long dimension. */
static void cut_nodes(cutter_t *cutter, uint64_t *random, uint32_t *order, uint32_t first,
		      uint32_t end, uint32_t parts, uint32_t *bound)
{
	uint32_t half = parts / 2, middle;

	*bound = first;
	if (parts == 1)
		return;
	order_along(cutter, long_axis(cutter, order + first, end - first, random),
		    order + first, end - first);
	middle = first + (uint32_t)((uint64_t)(end - first) * half / parts);
	cut_nodes(cutter, random, order, first, middle, half, bound);
	cut_nodes(cutter, random, order, middle, end, parts - half, bound + half);
}

static void make_cut(const crew_t *crew, cutter_t *cutter, cut_t *cut)
{
	const uint32_t *first_slot = crew->worker[0].state.first_slot;
	uint32_t nodes = crew->annealing->nodes, items = 0;

	for (uint32_t axis = 0; axis < cutter->dims; axis++)
		cutter->begin[axis] =
			torus_random_below(crew->random, cutter->planes[axis]);
	for (uint32_t node = 0; node < nodes; node++)
		cut->order[node] = node;
	cut_nodes(cutter, crew->random, cut->order, 0, nodes, crew->workers, cut->bound);
	cut->bound[crew->workers] = nodes;
	for (uint32_t place = 0; place < nodes; place++) {
		uint32_t node = cut->order[place];

		cut->position[node] = place;
		cut->before[place] = items;
		items += first_slot[node + 1] - first_slot[node];
	}
}

static int make_cuts(crew_t *crew, torus_error_t *err)
{
	size_t nodes = crew->annealing->nodes, size = 3 * nodes + crew->workers + 1;
	cutter_t cutter = {0};
	int result = -1;

	crew->cut = malloc(crew->cuts * sizeof(*crew->cut));
	crew->room = malloc(crew->cuts * size * sizeof(*crew->room));
	if (!crew->cut || !crew->room) {
		torus_fail(err, "out of memory for the parts of %zu nodes", nodes);
		goto done;
	}
	if (cutter_begin(&cutter, crew->annealing, err))
		goto done;
	for (uint32_t i = 0; i < crew->cuts; i++) {
		uint32_t *room = crew->room + i * size;

		crew->cut[i] = (cut_t){.order = room,
				       .position = room + nodes,
				       .before = room + 2 * nodes,
				       .bound = room + 3 * nodes};
		make_cut(crew, &cutter, &crew->cut[i]);
	}
	result = 0;
done:
	cutter_end(&cutter);
	return result;
}

/* --- a round -------------------------------------------------------------- */

/* Give each worker its part. */
static void deal(crew_t *crew)
{
	const cut_t *cut = &crew->cut[torus_random_below(crew->random, crew->cuts)];

	crew->last = crew->now;
	crew->now = cut;
	for (uint32_t i = 0; i < crew->workers; i++)
		crew->worker[i].part = (torus_annealing_part_t){
			.order = cut->order,
			.position = cut->position,
			.first = cut->bound[i],
			.count = cut->bound[i + 1] - cut->bound[i],
		};
}

/* Take over where items are on the nodes order[first .. end - 1] of the round before. */
static void learn(const crew_t *crew, const cut_t *last, torus_annealing_state_t *state,
		  uint32_t first, uint32_t end)
{
	for (uint32_t place = first; place < end; place++) {
		const uint32_t *item = crew->item[0] + last->before[place];
		uint32_t node = last->order[place];

		for (uint32_t slot = state->first_slot[node];
		     slot < state->first_slot[node + 1]; slot++, item++) {
			if (state->item_at[slot] != *item)
				torus_annealing_put(state, *item, slot, node);
		}
	}
}

/* What the others moved in the round before. */
static void learn_from_others(worker_t *worker)
{
	const crew_t *crew = worker->crew;
	const cut_t *last = crew->last;
	uint32_t number = worker->number;

	if (!last)
		return;
	learn(crew, last, &worker->state, 0, last->bound[number]);
	learn(crew, last, &worker->state, last->bound[number + 1],
	      crew->annealing->nodes);
}

/* Where this worker's items are after the round. */
static void tell(const worker_t *worker)
{
	const crew_t *crew = worker->crew;
	const torus_annealing_state_t *state = &worker->state;
	const torus_annealing_part_t *part = &worker->part;

	for (uint32_t place = part->first; place < part->first + part->count; place++) {
		uint32_t node = part->order[place];
		uint32_t slot = state->first_slot[node];

		memcpy(crew->item[1] + crew->now->before[place], state->item_at + slot,
		       (state->first_slot[node + 1] - slot) * sizeof(*crew->item[1]));
	}
}

/* What one worker does in a round; by a copy, as it lies beside others that are written.
 */
static void work(worker_t *worker)
{
	worker_t mine = *worker;
	const crew_t *crew = mine.crew;

	mine.state.part = &mine.part;
	learn_from_others(&mine);
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

	deal(crew);
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

static uint64_t moves_of_round(const crew_t *crew)
{
	return crew->annealing->nodes / crew->workers * MOVES_OF_A_ROUND;
}

/* [moves] moves by each worker at one temperature, in rounds. */
static bool play(void *context, double temperature, uint64_t moves)
{
	crew_t *crew = context;
	uint64_t most = moves_of_round(crew);
	bool going = true;

	for (; moves && going; moves -= moves < most ? moves : most)
		going = play_round(crew, temperature, moves < most ? moves : most);
	return going;
}

/* --- the crew -------------------------------------------------------------- */

static int worker_begin(crew_t *crew, uint32_t number, const torus_effort_t *effort,
			const uint32_t *node_of_item, torus_error_t *err)
{
	worker_t *worker = &crew->worker[number];
	uint32_t items = crew->annealing->graph->tasks;

	worker->crew = crew;
	worker->number = number;
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

/* For [moves] of each of the [workers]. */
static int crew_begin(crew_t *crew, uint32_t workers, uint64_t moves,
		      const torus_effort_t *effort, const uint32_t *node_of_item,
		      torus_error_t *err)
{
	const torus_annealing_t *annealing = crew->annealing;
	uint64_t rounds;

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begins, NULL);
	pthread_cond_init(&crew->ends, NULL);
	for (int i = 0; i < 2; i++)
		crew->item[i] = malloc(annealing->graph->tasks * sizeof(uint32_t));
	crew->worker = calloc(workers, sizeof(*crew->worker));
	crew->thread = calloc(workers, sizeof(*crew->thread));
	if (!crew->item[0] || !crew->item[1] || !crew->worker || !crew->thread)
		return torus_fail(err, "out of memory for annealing on %u threads",
				  workers);
	crew->workers = workers;
	for (uint32_t i = 0; i < workers; i++) {
		if (worker_begin(crew, i, effort, node_of_item, err))
			return -1;
	}
	rounds = moves / moves_of_round(crew);
	crew->cuts = rounds < CUTS * ROUNDS_OF_A_CUT
			     ? 1 + (uint32_t)(rounds / ROUNDS_OF_A_CUT)
			     : CUTS;
	if (make_cuts(crew, err))
		return -1;
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
	free(crew->cut);
	free(crew->room);
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

	moves /= threads;
	if (crew_begin(&crew, threads, moves, effort, node_of_item, err))
		goto done;
	torus_annealing_cool(annealing, heat, moves, play, &crew);
	first = &crew.worker[0];
	for (uint32_t i = 0; i < threads; i++) {
		const torus_effort_t *left = &crew.worker[i].effort;

		effort->work = left->work < effort->work ? left->work : effort->work;
		effort->over = effort->over || left->over;
	}
	if (crew.now)
		learn(&crew, crew.now, &first->state, 0, annealing->nodes);
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
