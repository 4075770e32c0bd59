/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Swaps of pairs of tasks for the busiest link: see lighten.h.
 *
 * The load of the busiest link alone tells hardly any swap from another: most of them do
 * not touch it. What swaps are judged by is the sum of the fourth powers of all loads, in
 * which the busiest links count most; it may rise by a little that becomes less as the
 * budget is spent. Of all mappings on the way the one with the least on its busiest link
 * is kept, of several such the last one.
 */
#include "taskmap/mappers/lighten.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "taskmap/links.h"
#include "taskmap/search/effort.h"
#include "taskmap/search/nearlist.h"

/* What an edge of a swapped task costs, in distances looked up in that time. */
#define WORK_AN_EDGE 60
/* What the sum may rise by in one swap at the beginning, in shares of a task. */
#define RISE 3.0

/* A load as it was before the swap that is tried. */
typedef struct before {
	size_t link;
	double load;
} before_t;

typedef struct lighten {
	const torus_task_job_t *job;
	const torus_task_graph_t *graph;
	size_t links;
	double *load;	      /* [links] */
	before_t *before;     /* what the swap that is tried has changed, in turn */
	size_t changes;	      /* so many */
	double scale;	      /* times this the busiest link carries 1 in the beginning */
	double sum;	      /* of the fourth powers of scaled loads */
	double most;	      /* of all loads */
	double least;	      /* the least [most] so far */
	uint32_t *near;	      /* of torus_nearlist_create() */
	uint32_t *node;	      /* [tasks] the mapping on the way */
	uint32_t *best;	      /* [tasks] the caller's */
	uint32_t *first_slot; /* [nodes + 1] a node has a slot for each of its tasks */
	uint32_t *task_at;    /* [tasks] by slot */
	uint32_t *slot_of;    /* [tasks] */
} lighten_t;

static double fourth(const lighten_t *l, double load)
{
	double square = load * l->scale * load * l->scale;

	return square * square;
}

static void add_load(void *context, size_t link, double weight)
{
	lighten_t *l = context;
	double was = l->load[link];

	l->before[l->changes++] = (before_t){link, was};
	l->load[link] = was + weight;
	l->sum += fourth(l, l->load[link]) - fourth(l, was);
}

/* Send what [task] sends and receives, [sign] times, but for the edge to [other]. */
static void send_task(lighten_t *l, uint32_t task, uint32_t other, double sign)
{
	const torus_task_graph_t *graph = l->graph;
	uint32_t here = l->job->cell[l->node[task]];

	for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
		uint32_t there = l->job->cell[l->node[graph->neighbor[i]]];
		double weight = sign * (graph->weight ? graph->weight[i] : 1);

		if (graph->neighbor[i] == other)
			continue;
		torus_links_send(l->job->geometry, here, there, weight, add_load, l);
		torus_links_send(l->job->geometry, there, here, weight, add_load, l);
	}
}

/* Each task in its slot. */
static void fill_slots(lighten_t *l)
{
	uint32_t slot = 0;

	for (uint32_t node = 0; node < l->job->nodes; node++) {
		l->first_slot[node] = slot;
		slot += l->job->tasks_on_node[node];
	}
	l->first_slot[l->job->nodes] = slot;
	for (uint32_t task = 0; task < l->graph->tasks; task++) {
		slot = l->first_slot[l->node[task]]++;
		l->task_at[slot] = task;
		l->slot_of[task] = slot;
	}
	for (uint32_t node = l->job->nodes; node > 0; node--)
		l->first_slot[node] = l->first_slot[node - 1];
	l->first_slot[0] = 0;
}

static void exchange(lighten_t *l, uint32_t a, uint32_t b)
{
	uint32_t node = l->node[a], slot = l->slot_of[a];

	l->node[a] = l->node[b];
	l->slot_of[a] = l->slot_of[b];
	l->node[b] = node;
	l->slot_of[b] = slot;
	l->task_at[l->slot_of[a]] = a;
	l->task_at[l->slot_of[b]] = b;
}

/* The load of the busiest link and the sum, of all links. */
static void count_all(lighten_t *l)
{
	l->most = l->sum = 0;
	for (size_t i = 0; i < l->links; i++) {
		l->most = l->load[i] > l->most ? l->load[i] : l->most;
		l->sum += fourth(l, l->load[i]);
	}
}

/* Send what all tasks send. */
static void begin(lighten_t *l)
{
	l->scale = 0;
	for (uint32_t task = 0; task < l->graph->tasks; task++) {
		send_task(l, task, UINT32_MAX, 0.5);
		l->changes = 0;
	}
	count_all(l);
	l->scale = l->most > 0 ? 1 / l->most : 1;
	count_all(l);
	l->least = l->most;
}

/* After a swap that stays: the busiest link, and the mapping if it is the best. */
static void keep(lighten_t *l, torus_effort_t *effort)
{
	bool was_most = false;
	double most = 0;

	for (size_t i = 0; i < l->changes; i++) {
		double load = l->load[l->before[i].link];

		was_most |= l->before[i].load >= l->most;
		most = load > most ? load : most;
	}
	if (most >= l->most) {
		l->most = most;
	} else if (was_most) {
		torus_effort_spend(effort, l->links);
		count_all(l);
	}
	if (l->most > l->least)
		return;
	l->least = l->most;
	memcpy(l->best, l->node, l->graph->tasks * sizeof(*l->best));
}

/* Swap two tasks unless the sum rises by more than [rise] of it. */
static void try_swap(lighten_t *l, uint32_t a, uint32_t b, double rise,
		     torus_effort_t *effort)
{
	double sum = l->sum;

	l->changes = 0;
	send_task(l, a, b, -1);
	send_task(l, b, a, -1);
	exchange(l, a, b);
	send_task(l, a, b, 1);
	send_task(l, b, a, 1);
	if (l->sum <= sum * (1 + rise)) {
		if (l->sum != sum)
			keep(l, effort);
		return;
	}
	while (l->changes--)
		l->load[l->before[l->changes].link] = l->before[l->changes].load;
	l->sum = sum;
	exchange(l, a, b);
}

/* A task for [task] to be swapped with: any, or one near to one that it talks to. */
static uint32_t pick_other(const lighten_t *l, uint32_t task, uint64_t *random)
{
	uint64_t first = l->graph->first[task];
	uint32_t degree = (uint32_t)(l->graph->first[task + 1] - first), node, takes;

	if (!degree || !torus_random_below(random, 4))
		return torus_random_below(random, l->graph->tasks);
	node = l->node[l->graph->neighbor[first + torus_random_below(random, degree)]];
	node = l->near[node * TORUS_NEARLIST_NODES +
		       torus_random_below(random, TORUS_NEARLIST_NODES)];
	takes = l->first_slot[node + 1] - l->first_slot[node];
	return takes ? l->task_at[l->first_slot[node] + torus_random_below(random, takes)]
		     : task;
}

static uint64_t degree_of(const torus_task_graph_t *graph, uint32_t task)
{
	return graph->first[task + 1] - graph->first[task];
}

static void swap_tasks(lighten_t *l, const bool *stays,
		       const torus_mapper_budget_t *budget)
{
	double share = RISE / l->graph->tasks;
	uint64_t random = budget->seed;
	torus_effort_t effort;

	torus_effort_begin(budget, &effort);
	while (l->most > 0 && !effort.over) {
		uint32_t a = torus_random_below(&random, l->graph->tasks);
		uint32_t b = pick_other(l, a, &random);
		uint64_t edges = degree_of(l->graph, a) + degree_of(l->graph, b);
		double left = (double)effort.work / (double)budget->work;

		if (!torus_effort_spend(&effort, 10))
			return;
		if (l->node[a] == l->node[b] || (stays && (stays[a] || stays[b])))
			continue;
		if (torus_effort_spend(&effort, WORK_AN_EDGE * edges))
			try_swap(l, a, b, share * left, &effort);
	}
}

/* The most changes of loads that a swap makes: both tasks' edges, taken and put, both
 * ways, and where two ways are as short both of them. */
static size_t most_changes(const torus_task_job_t *job, const torus_task_graph_t *graph)
{
	uint64_t degree = 0;
	size_t around = 0;

	for (uint32_t task = 0; task < graph->tasks; task++)
		degree =
			degree_of(graph, task) > degree ? degree_of(graph, task) : degree;
	for (int axis = 0; axis < job->geometry->dims; axis++)
		around += (size_t)job->geometry->length[axis];
	return 8 * (size_t)degree * around + 1;
}

static int allocate(lighten_t *l, torus_error_t *err)
{
	uint32_t tasks = l->graph->tasks;

	l->load = calloc(l->links, sizeof(*l->load));
	l->before = malloc(most_changes(l->job, l->graph) * sizeof(*l->before));
	l->node = malloc(tasks * sizeof(*l->node));
	l->first_slot = malloc(((size_t)l->job->nodes + 1) * sizeof(*l->first_slot));
	l->task_at = malloc(tasks * sizeof(*l->task_at));
	l->slot_of = malloc(tasks * sizeof(*l->slot_of));
	if (!l->load || !l->before || !l->node || !l->first_slot || !l->task_at ||
	    !l->slot_of)
		return torus_fail(err, "out of memory for %zu links", l->links);
	l->near = torus_nearlist_create(l->job, err);
	return l->near ? 0 : -1;
}

int torus_taskmap_lighten(const torus_task_job_t *job, const bool *stays,
			  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			  torus_error_t *err)
{
	lighten_t l = {
		.job = job,
		.graph = job->graph,
		.links = torus_links(job->geometry),
		.best = node_of_task,
	};
	int rc = -1;

	if (torus_task_job_check(job, err) || torus_links_check(job->geometry, err))
		return -1;
	if (!allocate(&l, err)) {
		memcpy(l.node, node_of_task, l.graph->tasks * sizeof(*l.node));
		fill_slots(&l);
		begin(&l);
		swap_tasks(&l, stays, budget);
		rc = 0;
	}
	free(l.load);
	free(l.before);
	free(l.near);
	free(l.node);
	free(l.first_slot);
	free(l.task_at);
	free(l.slot_of);
	return rc;
}
