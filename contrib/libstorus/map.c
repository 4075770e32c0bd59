/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings, and orders of nodes: see storus.h. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "libstorus/private.h"
#include "taskmap/any/any.h"
#include "taskmap/job_order.h"

/* The least work, in distances looked up: bisection in some turns of the grid. */
#define WORK_A_TASK 200
/* The dimensions of the grid that a graph's tasks are numbered by, if they are. */
#define GRAPH_DIMS 3

/* From places in the job to numbers of the machine. */
static void number_nodes(const storus_job_t *job, uint32_t count, uint32_t *place)
{
	for (uint32_t i = 0; i < count; i++)
		place[i] = job->node[place[i]];
}

/* What all results come from: the engine's view of the job and its pattern. */
typedef struct question {
	torus_mapper_budget_t budget;
	torus_ordered_job_t ordered; /* refers to [budget] */
} question_t;

static void ask(const storus_job_t *job, const storus_pattern_t *pattern, double seconds,
		question_t *question)
{
	*question = (question_t){
		.budget = torus_mapper_budget(seconds, TORUS_MAPPER_SEED),
	};
	if (question->budget.work < WORK_A_TASK * (uint64_t)job->tasks)
		question->budget = (torus_mapper_budget_t){
			.work = WORK_A_TASK * (uint64_t)job->tasks,
			.seconds = STORUS_SECONDS_MOST,
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
	/* Nobody says where the tasks of a graph lie: their numbers may follow a grid. */
	if (pattern->kind == STORUS_PATTERN_GRAPH)
		torus_task_grid_factor(pattern->tasks, GRAPH_DIMS,
				       &question->ordered.words.grid);
}

static int parse_distribution(storus_distribution_t distribution, torus_deal_t *deal,
			      torus_error_t *err)
{
	if (distribution != STORUS_BLOCK && distribution != STORUS_CYCLIC)
		return torus_fail(err, "distribution %d is not known", (int)distribution);
	*deal = distribution == STORUS_CYCLIC ? TORUS_DEAL_CYCLIC : TORUS_DEAL_BLOCK;
	return 0;
}

int storus_map_places(const storus_job_t *job, const storus_pattern_t *pattern,
		      double seconds, uint32_t *place, torus_error_t *err)
{
	bool otherwise = pattern->busy || pattern->at;
	question_t question;

	ask(job, pattern, otherwise ? seconds / 2 : seconds, &question);
	if (torus_job_assign(&question.ordered, place, NULL, NULL, err))
		return -1;
	return otherwise ? storus_map_otherwise(job, pattern, seconds / 2, place, err)
			 : 0;
}

int storus_map(const storus_job_t *job, const storus_pattern_t *pattern, double seconds,
	       uint32_t *node_of_task, char *error, size_t error_size)
{
	torus_error_t err;

	if (storus_check(job, pattern, node_of_task, &err) ||
	    storus_check_seconds(seconds, &err) ||
	    storus_map_places(job, pattern, seconds, node_of_task, &err))
		return storus_report(&err, error, error_size);
	number_nodes(job, job->tasks, node_of_task);
	return 0;
}

int storus_order(const storus_job_t *job, const storus_pattern_t *pattern,
		 storus_distribution_t distribution, double seconds, uint32_t *order,
		 char *error, size_t error_size)
{
	torus_deal_t deal = TORUS_DEAL_BLOCK;
	question_t question;
	torus_error_t err;

	if (storus_check(job, pattern, order, &err) ||
	    storus_check_seconds(seconds, &err) ||
	    parse_distribution(distribution, &deal, &err))
		return storus_report(&err, error, error_size);
	ask(job, pattern, seconds, &question);
	question.ordered.deal = deal;
	if (torus_job_node_order(&question.ordered, order, &err))
		return storus_report(&err, error, error_size);
	number_nodes(job, job->nodes, order);
	return 0;
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
