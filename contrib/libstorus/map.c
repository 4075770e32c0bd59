/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings, and orders of nodes: see storus.h. */
#include "torus_config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libstorus/private.h"
#include "taskmap/any/any.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"

#define SECONDS_MOST 1e6
/* The least work, in distances looked up: bisection in some turns of the grid. */
#define WORK_A_TASK 200
/* A graph is mapped by itself, and laid out as a line and as grids of two and three
 * dimensions. */
#define GRAPH_LAYOUTS 4

/* Check what all functions here take. Returns 0, or -1 with [err] filled. */
static int check(const storus_job_t *job, const storus_pattern_t *pattern,
		 const void *result, torus_error_t *err)
{
	if (!job || !pattern || !result)
		return torus_fail(err, "no job, pattern or place for the result");
	if (job->tasks != pattern->tasks)
		return torus_fail(err, "the pattern has %u tasks, but the job takes %u",
				  pattern->tasks, job->tasks);
	return 0;
}

static int check_seconds(double seconds, torus_error_t *err)
{
	if (seconds >= 0 && seconds <= SECONDS_MOST)
		return 0;
	return torus_fail(err, "%g seconds are not in 0 .. %g", seconds, SECONDS_MOST);
}

static torus_task_job_t engine_job(const storus_job_t *job, const torus_task_grid_t *grid,
				   const torus_task_graph_t *graph)
{
	return (torus_task_job_t){
		.grid = grid,
		.graph = graph,
		.geometry = &job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
	};
}

/* From places in the job to numbers of the machine. */
static void number_nodes(const storus_job_t *job, uint32_t count, uint32_t *place)
{
	for (uint32_t i = 0; i < count; i++)
		place[i] = job->node[place[i]];
}

/* What all results come from: the engine's view of the job and its pattern. */
typedef struct question {
	const storus_job_t *job;
	const storus_pattern_t *pattern;
	torus_mapper_budget_t budget;
	torus_ordered_job_t ordered; /* refers to [budget] */
	bool is_order;		     /* an order of nodes is wanted, not a mapping */
} question_t;

static void ask(const storus_job_t *job, const storus_pattern_t *pattern, double seconds,
		question_t *question)
{
	*question = (question_t){
		.job = job,
		.pattern = pattern,
		.budget = torus_mapper_budget(seconds, TORUS_MAPPER_SEED),
	};
	if (question->budget.work < WORK_A_TASK * (uint64_t)job->tasks)
		question->budget = (torus_mapper_budget_t){
			.work = WORK_A_TASK * (uint64_t)job->tasks,
			.seconds = SECONDS_MOST,
			.seed = TORUS_MAPPER_SEED,
		};
	question->ordered = (torus_ordered_job_t){
		.geometry = &job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
		.graph = pattern->graph,
		.budget = &question->budget,
	};
	if (pattern->kind != STORUS_PATTERN_ANY)
		question->ordered.words.kind = TORUS_GRID_GIVEN;
	question->ordered.words.grid = pattern->grid;
}

/* Fill result[]: places in the job, by task or by order. */
static int answer(const question_t *question, uint32_t *result, torus_error_t *err)
{
	return question->is_order
		       ? torus_job_node_order(&question->ordered, result, err)
		       : torus_job_assign(&question->ordered, result, NULL, NULL, err);
}

/* What the answer [result] to a question with a graph comes to, in *hop_bytes. */
static int weigh(const question_t *question, const uint32_t *result, double *hop_bytes,
		 torus_error_t *err)
{
	const torus_ordered_job_t *ordered = &question->ordered;
	torus_task_job_t tasks =
		engine_job(question->job, &ordered->words.grid, question->pattern->graph);
	uint32_t *dealt = malloc(question->job->tasks * sizeof(*dealt));
	torus_hop_stats_t stats;
	int rc;

	if (!dealt)
		return torus_fail(err, "out of memory for %u tasks",
				  question->job->tasks);
	if (question->is_order)
		torus_any_deal(result, ordered->nodes, ordered->tasks_on_node,
			       ordered->deal, dealt);
	rc = torus_hop_stats(&tasks, question->is_order ? dealt : result, &stats, err);
	*hop_bytes = stats.hop_bytes;
	free(dealt);
	return rc;
}

/*
 * Nobody says where the tasks of a graph lie. The graph may tell by itself, or their
 * numbers follow a line or a grid: the best of all.
 */
static int answer_graph(question_t *question, uint32_t *result, torus_error_t *err)
{
	torus_task_grid_t *grid = &question->ordered.words.grid;
	uint32_t count = question->is_order ? question->job->nodes : question->job->tasks;
	uint32_t *trial = malloc(count * sizeof(*trial));
	double fewest = INFINITY, hop_bytes = 0;
	int rc = -1;

	if (!trial)
		return torus_fail(err, "out of memory for mapping %u tasks", count);
	question->budget.work /= GRAPH_LAYOUTS;
	question->budget.seconds /= GRAPH_LAYOUTS;
	for (int dims = 0; dims < GRAPH_LAYOUTS; dims++) {
		question->ordered.by_graph = !dims;
		torus_task_grid_factor(question->job->tasks, dims ? dims : 1, grid);
		if (answer(question, trial, err) ||
		    weigh(question, trial, &hop_bytes, err))
			goto done;
		if (hop_bytes < fewest) {
			fewest = hop_bytes;
			memcpy(result, trial, count * sizeof(*trial));
		}
	}
	rc = 0;
done:
	free(trial);
	return rc;
}

/* Answer, in numbers of the machine. */
static int answer_any(question_t *question, uint32_t *result, torus_error_t *err)
{
	const storus_job_t *job = question->job;
	uint32_t count = question->is_order ? job->nodes : job->tasks;

	if (question->pattern->kind == STORUS_PATTERN_GRAPH
		    ? answer_graph(question, result, err)
		    : answer(question, result, err))
		return -1;
	number_nodes(job, count, result);
	return 0;
}

static int parse_distribution(storus_distribution_t distribution, torus_deal_t *deal,
			      torus_error_t *err)
{
	if (distribution != STORUS_BLOCK && distribution != STORUS_CYCLIC)
		return torus_fail(err, "distribution %d is not known", (int)distribution);
	*deal = distribution == STORUS_CYCLIC ? TORUS_DEAL_CYCLIC : TORUS_DEAL_BLOCK;
	return 0;
}

int storus_map(const storus_job_t *job, const storus_pattern_t *pattern, double seconds,
	       uint32_t *node_of_task, char *error, size_t error_size)
{
	question_t question;
	torus_error_t err;

	if (check(job, pattern, node_of_task, &err) || check_seconds(seconds, &err))
		return storus_report(&err, error, error_size);
	ask(job, pattern, seconds, &question);
	return answer_any(&question, node_of_task, &err)
		       ? storus_report(&err, error, error_size)
		       : 0;
}

int storus_order(const storus_job_t *job, const storus_pattern_t *pattern,
		 storus_distribution_t distribution, double seconds, uint32_t *order,
		 char *error, size_t error_size)
{
	torus_deal_t deal = TORUS_DEAL_BLOCK;
	question_t question;
	torus_error_t err;

	if (check(job, pattern, order, &err) || check_seconds(seconds, &err) ||
	    parse_distribution(distribution, &deal, &err))
		return storus_report(&err, error, error_size);
	ask(job, pattern, seconds, &question);
	question.ordered.deal = deal;
	question.is_order = true;
	return answer_any(&question, order, &err) ? storus_report(&err, error, error_size)
						  : 0;
}

/* The places of the nodes in [order], each of which must be in the job once. Malloc'ed;
 * NULL with [err] filled. */
static uint32_t *find_places(const storus_job_t *job, const uint32_t *order,
			     torus_error_t *err)
{
	uint32_t *place = malloc(job->nodes * sizeof(*place));
	unsigned char *seen = calloc(job->nodes, 1);

	if (!place || !seen)
		torus_fail(err, "out of memory for %u nodes", job->nodes);
	for (uint32_t i = 0; place && seen && i < job->nodes; i++) {
		place[i] = storus_job_find(job, order[i]);
		if (place[i] != UINT32_MAX && !seen[place[i]]) {
			seen[place[i]] = 1;
			continue;
		}
		torus_fail(err, "node number %u is %s", order[i],
			   place[i] == UINT32_MAX ? "not in the job"
						  : "in the order twice");
		free(place);
		place = NULL;
	}
	if (!seen) {
		free(place);
		place = NULL;
	}
	free(seen);
	return place;
}

int storus_deal(const storus_job_t *job, const uint32_t *order,
		storus_distribution_t distribution, uint32_t *node_of_task, char *error,
		size_t error_size)
{
	uint32_t *place = NULL;
	torus_error_t err;
	torus_deal_t deal = TORUS_DEAL_BLOCK;

	if (!job || !order || !node_of_task)
		torus_fail(&err, "no job, order or place for the result");
	else if (!parse_distribution(distribution, &deal, &err))
		place = find_places(job, order, &err);
	if (!place)
		return storus_report(&err, error, error_size);
	torus_any_deal(place, job->nodes, job->tasks_on_node, deal, node_of_task);
	number_nodes(job, job->tasks, node_of_task);
	free(place);
	return 0;
}

/* The places of the tasks' nodes in the job; each node must take as many tasks as it has
 * room for. Malloc'ed; NULL with [err] filled. */
static uint32_t *find_mapping(const storus_job_t *job, const uint32_t *node_of_task,
			      torus_error_t *err)
{
	uint32_t *place = malloc(job->tasks * sizeof(*place));
	uint32_t *taken = calloc(job->nodes, sizeof(*taken));

	if (!place || !taken) {
		torus_fail(err, "out of memory for %u tasks", job->tasks);
		goto fail;
	}
	/* As many tasks as there are places: if no node has too many, none has too few.
	 */
	for (uint32_t task = 0; task < job->tasks; task++) {
		place[task] = storus_job_find(job, node_of_task[task]);
		if (place[task] != UINT32_MAX &&
		    taken[place[task]]++ < job->tasks_on_node[place[task]])
			continue;
		torus_fail(err,
			   place[task] == UINT32_MAX
				   ? "node number %u is not in the job"
				   : "node number %u has more tasks than it takes",
			   node_of_task[task]);
		goto fail;
	}
	free(taken);
	return place;
fail:
	free(place);
	free(taken);
	return NULL;
}

int storus_hops(const storus_job_t *job, const storus_pattern_t *pattern,
		const uint32_t *node_of_task, double *average, uint32_t *maximum,
		char *error, size_t error_size)
{
	torus_task_grid_t line;
	torus_hop_stats_t stats;
	torus_task_job_t tasks;
	uint32_t *place = NULL;
	torus_error_t err;
	int rc = -1;

	if (check(job, pattern, node_of_task, &err))
		goto done;
	if (pattern->kind == STORUS_PATTERN_ANY) {
		torus_fail(&err, "nobody knows which tasks of the pattern communicate");
		goto done;
	}
	place = find_mapping(job, node_of_task, &err);
	if (!place)
		goto done;
	line = pattern->grid;
	if (pattern->kind == STORUS_PATTERN_GRAPH)
		torus_task_grid_factor(job->tasks, 1, &line);
	tasks = engine_job(job, &line, pattern->graph);
	rc = torus_hop_stats(&tasks, place, &stats, &err);
	if (!rc && average)
		*average = stats.average;
	if (!rc && maximum)
		*maximum = stats.maximum;
done:
	free(place);
	return rc ? storus_report(&err, error, error_size) : 0;
}
