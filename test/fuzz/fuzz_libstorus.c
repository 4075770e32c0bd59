/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs pass to libstorus. Input: a byte for each number that is wanted, in the
 * order in which the calls below want them, then zeros. Whatever they are, a call fails
 * with a message, or its result is what storus.h promises: each node as often as it takes
 * tasks, and the same again.
 */
#include "fuzz.h"

#include <stdbool.h>

#include "libstorus/storus.h"

enum { NODES = 48, EDGES = 96, TASKS = 512 };

typedef struct input {
	const uint8_t *data;
	size_t left;
} input_t;

static char text[STORUS_ERROR_SIZE];

static uint8_t next(input_t *input)
{
	if (!input->left)
		return 0;
	input->left--;
	return *input->data++;
}

/* Small numbers mostly, and those at which arithmetic ends. */
static int32_t number(input_t *input)
{
	static const int32_t ends[] = {-1,    INT32_MAX,     INT32_MIN, 1 << 28,
				       65536, (1 << 28) + 1, 46341,	-46341};
	uint8_t byte = next(input);

	return byte < 248 ? byte % 13 : ends[byte - 248];
}

/* A result, or a message. */
static void failed(bool is_failure)
{
	CHECK(!is_failure || text[0]);
	text[0] = '\0';
}

static void fill(input_t *input, int32_t *values, int count)
{
	for (int i = 0; i < count; i++)
		values[i] = number(input);
}

static storus_machine_t *make_machine(input_t *input)
{
	int32_t lengths[8], coordinates[NODES * 8], dims = number(input);
	unsigned char wraps[8];
	uint32_t nodes = next(input) % (NODES + 1);
	bool everywhere = next(input) & 1;
	storus_machine_t *machine;

	fill(input, lengths, 8);
	/* Machines of millions of nodes are not what is looked for. */
	for (int i = 0; everywhere && i < 8; i++)
		lengths[i] = lengths[i] > 4 && lengths[i] <= 1 << 28 ? 4 : lengths[i];
	for (int i = 0; i < 8; i++)
		wraps[i] = next(input) & 1;
	if (!everywhere)
		fill(input, coordinates, (int)nodes * (dims > 0 && dims < 8 ? dims : 1));
	machine = storus_machine_create(dims, lengths, wraps, everywhere ? 0 : nodes,
					everywhere ? NULL : coordinates, NULL, text,
					sizeof(text));
	failed(!machine);
	return machine;
}

static storus_job_t *make_job(input_t *input, const storus_machine_t *machine)
{
	uint32_t node[NODES], tasks[NODES], nodes = next(input) % (NODES + 1);
	bool one_each = next(input) & 1;
	storus_job_t *job;

	for (uint32_t i = 0; i < nodes; i++) {
		node[i] = next(input);
		tasks[i] = (uint32_t)number(input);
	}
	job = storus_job_create(machine, nodes, node, one_each ? NULL : tasks, text,
				sizeof(text));
	failed(!job);
	if (storus_job_tasks(job) <= TASKS)
		return job;
	storus_job_free(job);
	return NULL;
}

static storus_pattern_t *make_graph(input_t *input, uint32_t tasks)
{
	uint32_t from[EDGES], to[EDGES], edges = next(input) % (EDGES + 1);
	bool weighted = next(input) & 1;
	double weight[EDGES];

	for (uint32_t i = 0; i < edges; i++) {
		int32_t one = number(input);

		from[i] = next(input);
		to[i] = next(input);
		weight[i] = one == INT32_MIN ? 0.0 / 0.0 : one * 0.5;
	}
	return storus_pattern_graph(tasks, edges, from, to, weighted ? weight : NULL,
				    text, sizeof(text));
}

static storus_pattern_t *make_pattern(input_t *input, uint32_t tasks)
{
	int32_t lengths[8], dims;
	unsigned char periodic[8];
	storus_pattern_t *pattern;
	int kind = next(input) % 3;

	if (kind == 0) {
		dims = number(input);
		fill(input, lengths, 8);
		for (int i = 0; i < 8; i++)
			periodic[i] = next(input) & 1;
		/* Grids drawn at random hardly ever have as many tasks as the job. */
		if (dims == 1 && next(input) & 1)
			lengths[0] = (int32_t)tasks;
		pattern = storus_pattern_grid(dims, lengths, periodic,
					      (storus_stencil_t)(next(input) % 3), text,
					      sizeof(text));
	} else if (kind == 1) {
		pattern = make_graph(input, tasks);
	} else {
		pattern = storus_pattern_any(tasks, text, sizeof(text));
	}
	failed(!pattern);
	return pattern;
}

/* The library counts the tasks of each node when it measures a mapping. */
static void check_mapping(const storus_job_t *job, const uint32_t *node_of_task)
{
	storus_pattern_t *line;
	double average;
	int32_t length = (int32_t)storus_job_tasks(job);

	line = storus_pattern_grid(1, &length, NULL, STORUS_FACES, text, sizeof(text));
	CHECK(line);
	CHECK(!storus_hops(job, line, node_of_task, &average, NULL, text, sizeof(text)));
	CHECK(average >= 0);
	storus_pattern_free(line);
}

static void check_results(const storus_job_t *job, const storus_pattern_t *pattern,
			  storus_distribution_t distribution)
{
	uint32_t result[TASKS], again[TASKS], order[NODES], tasks = storus_job_tasks(job);

	if (storus_map(job, pattern, 0, result, text, sizeof(text))) {
		failed(true);
	} else {
		check_mapping(job, result);
		CHECK(!storus_map(job, pattern, 0, again, text, sizeof(text)));
		CHECK(!memcmp(result, again, tasks * sizeof(*result)));
	}
	if (storus_order(job, pattern, distribution, 0, order, text, sizeof(text))) {
		failed(true);
		return;
	}
	CHECK(!storus_deal(job, order, distribution, result, text, sizeof(text)));
	check_mapping(job, result);
}

/* Any numbers as an order, and as a mapping. */
static void pass_anything(input_t *input, const storus_job_t *job,
			  const storus_pattern_t *pattern)
{
	uint32_t order[NODES], mapping[TASKS], nodes = storus_job_nodes(job);
	uint32_t maximum;
	double average;

	for (uint32_t i = 0; i < nodes; i++)
		order[i] = next(input);
	if (storus_deal(job, order, STORUS_BLOCK, mapping, text, sizeof(text)))
		failed(true);
	else
		check_mapping(job, mapping);
	for (uint32_t i = 0; i < storus_job_tasks(job); i++)
		mapping[i] = next(input);
	failed(storus_hops(job, pattern, mapping, &average, &maximum, text,
			   sizeof(text)) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input_t input = {data, size};
	storus_machine_t *machine = make_machine(&input);
	storus_job_t *job = machine ? make_job(&input, machine) : NULL;
	storus_pattern_t *pattern =
		job ? make_pattern(&input, storus_job_tasks(job)) : NULL;

	if (pattern) {
		check_results(job, pattern, (storus_distribution_t)(next(&input) % 3));
		pass_anything(&input, job, pattern);
	}
	storus_pattern_free(pattern);
	storus_job_free(job);
	storus_machine_free(machine);
	return 0;
}
