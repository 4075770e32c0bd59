/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libstorus from the outside: linked like any program, it has nothing but storus.h. What
 * it comes to is held against slow twins, and every misuse that the header names, and
 * random ones, must be errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "libstorus/storus.h"
#include "random.h"

#define CASES 400
#define NODES 60

static char text[STORUS_ERROR_SIZE];

/* The call must succeed. */
#define must(call)                                                                       \
	do {                                                                             \
		strcpy(text, "as it was");                                               \
		if ((call) < 0)                                                          \
			fail_msg("%s", text);                                            \
		assert_string_equal(text, "as it was");                                  \
	} while (0)

/* The call must fail, with a message that has [part] in it. */
#define must_fail(call, part)                                                            \
	do {                                                                             \
		strcpy(text, "as it was");                                               \
		assert_int_equal((call), -1);                                            \
		said(part);                                                              \
	} while (0)

/* The same for what returns a pointer. */
#define must_be_null(call, part)                                                         \
	do {                                                                             \
		strcpy(text, "as it was");                                               \
		assert_null(call);                                                       \
		said(part);                                                              \
	} while (0)

static void said(const char *part)
{
	if (!strstr(text, part) || strchr(text, '\n'))
		fail_msg("expected a text with '%s': %s", part, text);
}

/* --- a machine as the tests know it ------------------------------------- */

typedef struct known {
	int dims;
	int32_t length[STORUS_MAX_DIMS];
	unsigned char wrap[STORUS_MAX_DIMS];
	uint32_t nodes;
	int32_t coord[NODES * STORUS_MAX_DIMS]; /* [nodes][dims] */
} known_t;

static uint32_t slow_hops(const known_t *known, uint32_t a, uint32_t b)
{
	int32_t hops = 0;

	for (int axis = 0; axis < known->dims; axis++) {
		int32_t apart = abs(known->coord[(int)a * known->dims + axis] -
				    known->coord[(int)b * known->dims + axis]);

		if (known->wrap[axis] && known->length[axis] - apart < apart)
			apart = known->length[axis] - apart;
		hops += apart;
	}
	return (uint32_t)hops;
}

static void random_known(known_t *known)
{
	known->dims = (int)random_in(1, STORUS_MAX_DIMS);
	known->nodes = random_in(1, NODES);
	for (int axis = 0; axis < known->dims; axis++) {
		known->length[axis] = (int32_t)random_in(1, 7);
		known->wrap[axis] = (unsigned char)random_in(0, 1);
		for (uint32_t node = 0; node < known->nodes; node++)
			known->coord[(int)node * known->dims + axis] =
				(int32_t)random_in(0, (uint32_t)known->length[axis] - 1);
	}
}

static storus_machine_t *create(const known_t *known)
{
	storus_machine_t *machine = storus_machine_create(
		known->dims, known->length, known->wrap, known->nodes, known->coord, NULL,
		text, sizeof(text));

	if (!machine)
		fail_msg("%s", text);
	return machine;
}

/* A line of [length] nodes called a, b, c ... */
static storus_machine_t *line(int32_t length)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	storus_machine_t *machine = storus_machine_create(1, &length, NULL, 0, NULL,
							  names, text, sizeof(text));

	assert_non_null(machine);
	return machine;
}

/* --- machines ----------------------------------------------------------- */

static void test_machine(void **state)
{
	known_t known;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		storus_machine_t *machine;

		random_known(&known);
		machine = create(&known);
		assert_int_equal(storus_machine_nodes(machine), known.nodes);
		for (uint32_t a = 0; a < known.nodes; a++) {
			int32_t coord[STORUS_MAX_DIMS], length[STORUS_MAX_DIMS];
			unsigned char wrap[STORUS_MAX_DIMS];
			const char *name;

			assert_int_equal(storus_node_coordinates(machine, a, coord, text,
								 sizeof(text)),
					 known.dims);
			assert_memory_equal(coord, known.coord + (int)a * known.dims,
					    (size_t)known.dims * sizeof(*coord));
			assert_int_equal(storus_node_torus(machine, a, length, wrap,
							   &name, text, sizeof(text)),
					 known.dims);
			for (int axis = 0; axis < STORUS_MAX_DIMS; axis++) {
				bool used = axis < known.dims;

				assert_int_equal(length[axis],
						 used ? known.length[axis] : 1);
				assert_int_equal(wrap[axis], used ? known.wrap[axis] : 0);
				assert_true(used || coord[axis] == 0);
			}
			assert_null(storus_node_name(machine, a));
			for (uint32_t b = 0; b < known.nodes; b++) {
				uint32_t hops;

				must(storus_distance(machine, a, b, &hops, text,
						     sizeof(text)));
				assert_int_equal(hops, slow_hops(&known, a, b));
			}
		}
		storus_machine_free(machine);
	}
}

static void test_full_machine(void **state)
{
	const int32_t length[] = {3, 2};
	int32_t coord[STORUS_MAX_DIMS];
	storus_machine_t *machine =
		storus_machine_create(2, length, NULL, 6, NULL, NULL, text, sizeof(text));

	(void)state;
	assert_non_null(machine);
	assert_int_equal(storus_node_coordinates(machine, 4, coord, NULL, 0), 2);
	assert_int_equal(coord[0], 1);
	assert_int_equal(coord[1], 1);
	storus_machine_free(machine);
}

static void test_names(void **state)
{
	storus_machine_t *machine = line(8);
	uint32_t node[3] = {7, 7, 7}, count;

	(void)state;
	must(storus_machine_find(machine, "c,a,h", node, 2, &count, text, sizeof(text)));
	assert_int_equal(count, 3);
	assert_int_equal(node[0], 2);
	assert_int_equal(node[1], 0);
	assert_int_equal(node[2], 7); /* no room */
	must(storus_machine_find(machine, "b", NULL, 0, &count, text, sizeof(text)));
	assert_int_equal(count, 1);
	assert_string_equal(storus_node_name(machine, 3), "d");
	storus_machine_free(machine);
}

/* Write a torus.conf; returns its path. */
static const char *write_conf(const char *content)
{
	static char path[] = "test_libstorus.XXXXXX";
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	close(fd);
	return path;
}

static void test_torus_conf(void **state)
{
	const char *path = write_conf("TorusName=main Dims=4x4 Wrap=x Nodes=n[00-15]\n"
				      "TorusName=line Dims=3 Nodes=m[0-2]\n");
	storus_machine_t *machine = storus_machine_read(path, text, sizeof(text));
	uint32_t node[3], count, hops;
	const char *name;

	(void)state;
	unlink(path);
	assert_non_null(machine);
	assert_int_equal(storus_machine_nodes(machine), 19);
	must(storus_machine_find(machine, "n03,m[1-2]", node, 3, &count, text,
				 sizeof(text)));
	assert_int_equal(count, 3);
	assert_int_equal(node[0], 3);
	assert_int_equal(node[1], 17);
	must(storus_distance(machine, 0, 3, &hops, text, sizeof(text)));
	assert_int_equal(hops, 1);
	must(storus_distance(machine, 16, 18, &hops, text, sizeof(text)));
	assert_int_equal(hops, 2);
	assert_int_equal(storus_node_torus(machine, 17, NULL, NULL, &name, NULL, 0), 1);
	assert_string_equal(name, "line");
	assert_string_equal(storus_node_name(machine, 18), "m2");
	must_fail(storus_distance(machine, 15, 16, &hops, text, sizeof(text)),
		  "different tori");
	must_be_null(storus_job_create(machine, 3, node, NULL, text, sizeof(text)),
		     "'n03' is on 'main', 'm1' on 'line'");
	storus_machine_free(machine);
	path = write_conf("TorusName=main Dims=4x4\n");
	must_be_null(storus_machine_read(path, text, sizeof(text)), ":1: ");
	unlink(path);
	must_be_null(storus_machine_read("no/such/file", text, sizeof(text)),
		     "no/such/file");
	must_be_null(storus_machine_read(NULL, text, sizeof(text)), "no path");
}

/* --- mappings ----------------------------------------------------------- */

/* Twin of storus_hops() for a grid. */
static double slow_average(const known_t *known, int dims, const int32_t *length,
			   const unsigned char *periodic, bool corners, uint32_t tasks,
			   const uint32_t *node_of_task, uint32_t *maximum)
{
	uint64_t edges = 0, sum = 0;

	*maximum = 0;
	for (uint32_t a = 0; a < tasks; a++) {
		for (uint32_t b = 0; b < a; b++) {
			uint32_t i = a, j = b, hops;
			int steps = 0;
			bool far = false;

			for (int axis = 0; axis < dims; axis++) {
				int32_t k = length[axis];
				int32_t apart = abs((int32_t)(i % (uint32_t)k) -
						    (int32_t)(j % (uint32_t)k));

				if (periodic[axis] && k - apart < apart)
					apart = k - apart;
				steps += apart != 0;
				far |= apart > 1;
				i /= (uint32_t)k;
				j /= (uint32_t)k;
			}
			if (far || (!corners && steps > 1))
				continue;
			hops = slow_hops(known, node_of_task[a], node_of_task[b]);
			edges++;
			sum += hops;
			if (hops > *maximum)
				*maximum = hops;
		}
	}
	return edges ? (double)sum / (double)edges : 0;
}

/* That each of the job's nodes stands in the result as often as it takes tasks. */
static void check_counts(uint32_t nodes, const uint32_t *node, const uint32_t *takes,
			 uint32_t tasks, const uint32_t *node_of_task)
{
	uint32_t have[NODES] = {0};

	for (uint32_t task = 0; task < tasks; task++) {
		assert_true(node_of_task[task] < NODES);
		have[node_of_task[task]]++;
	}
	for (uint32_t i = 0; i < nodes; i++) {
		assert_int_equal(have[node[i]], takes[i]);
		have[node[i]] = 0;
	}
	for (uint32_t i = 0; i < NODES; i++)
		assert_int_equal(have[i], 0);
}

/* A random part of the machine, shuffled; fills takes[], and returns the tasks. */
static uint32_t random_nodes(const known_t *known, uint32_t *nodes, uint32_t *node,
			     uint32_t *takes)
{
	uint32_t tasks = 0, most = random_in(1, 3);

	for (uint32_t i = 0; i < known->nodes; i++) {
		uint32_t at = random_in(0, i);

		node[i] = node[at];
		node[at] = i;
	}
	*nodes = random_in(1, known->nodes);
	for (uint32_t i = 0; i < *nodes; i++) {
		takes[i] = random_in(1, most);
		tasks += takes[i];
	}
	return tasks;
}

/* Lengths whose product is [tasks]. */
static int random_lengths(uint32_t tasks, int32_t length[STORUS_MAX_DIMS])
{
	int dims = (int)random_in(1, 3);

	for (int axis = 0; axis < dims - 1; axis++) {
		length[axis] = (int32_t)random_in(1, 4);
		while (tasks % (uint32_t)length[axis])
			length[axis]--;
		tasks /= (uint32_t)length[axis];
	}
	length[dims - 1] = (int32_t)tasks;
	return dims;
}

/* On a machine of cubes, jobs are on the torus that their cubes are joined to. */
static void test_cubes(void **state)
{
	const char *path =
		write_conf("TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[00-63]\n");
	storus_machine_t *machine = storus_machine_read(path, text, sizeof(text));
	const char *network = "torus:shape=2x2x4,twist";
	uint32_t node[16], count, cells[16];
	storus_pattern_t *pair;
	int32_t length[STORUS_MAX_DIMS], coord[STORUS_MAX_DIMS];
	unsigned char wrap[STORUS_MAX_DIMS], twist[STORUS_MAX_DIMS];
	storus_job_t *job;

	(void)state;
	unlink(path);
	assert_non_null(machine);
	/* The cubes 0 and 7. */
	must(storus_machine_find(machine,
				 "n[00-01,04-05,16-17,20-21,42-43,46-47,58-59,62-63]",
				 node, 16, &count, text, sizeof(text)));
	job = storus_job_join(machine, 16, node, NULL, network, text, sizeof(text));
	assert_non_null(job);
	assert_int_equal(storus_job_torus(job, length, wrap, twist, text, sizeof(text)),
			 3);
	for (int axis = 0; axis < 3; axis++) {
		assert_int_equal(length[axis], axis == 2 ? 4 : 2);
		assert_int_equal(wrap[axis], 1);
		assert_int_equal(twist[axis], axis == 2);
	}
	for (uint32_t i = 0; i < 16; i++) {
		must(storus_job_coordinates(job, node[i], coord, text, sizeof(text)));
		cells[i] = (uint32_t)(coord[0] + 2 * coord[1] + 4 * coord[2]);
		assert_int_equal(coord[0], node[i] % 2);
		assert_int_equal(coord[1], node[i] / 4 % 2);
		assert_int_equal(coord[2], node[i] / 16 % 2 + 2 * (i > 7));
	}
	/* On 2x2x4, x and y have two nodes that two links join: one straight, one that
	 * is shifted by 2 along z. From node 0 of the job to all others: */
	for (uint32_t i = 1; i < 16; i++) {
		uint32_t x = cells[i] % 2, y = cells[i] / 2 % 2, z = cells[i] / 4;
		uint32_t ring = z < 4 - z ? z : 4 - z, moved = 2 - ring;
		uint32_t straight = x + y + ring, most = 0;
		/* Around a side is a step of 1 if x or y differs, of 2 if not. */
		uint32_t shifted = (x || y ? x + y : 2) + moved;
		uint32_t mapping[16];
		const uint32_t from[] = {0}, to[] = {i};

		pair = storus_pattern_graph(16, 1, from, to, NULL, text, sizeof(text));
		assert_non_null(pair);
		memcpy(mapping, node, sizeof(mapping));
		must(storus_hops(job, pair, mapping, NULL, &most, text, sizeof(text)));
		assert_int_equal(most, straight < shifted ? straight : shifted);
		storus_pattern_free(pair);
	}
	storus_job_free(job);

	/* Nothing said: the most compact torus. In one cube: a mesh. */
	job = storus_job_create(machine, 16, node, NULL, text, sizeof(text));
	assert_non_null(job);
	must(storus_job_torus(job, NULL, NULL, twist, text, sizeof(text)));
	assert_int_equal(twist[2], 0);
	storus_job_free(job);
	job = storus_job_join(machine, 2, node + 8, NULL, NULL, text, sizeof(text));
	must(storus_job_torus(job, length, wrap, NULL, text, sizeof(text)));
	assert_int_equal(length[0], 2);
	assert_int_equal(wrap[0], 0);
	must(storus_job_coordinates(job, node[8], coord, text, sizeof(text)));
	assert_int_equal(coord[0] + coord[1] + coord[2], 0);
	must_fail(storus_job_coordinates(job, node[0], coord, text, sizeof(text)),
		  "not in the job");
	must_fail(storus_job_coordinates(NULL, node[0], coord, text, sizeof(text)),
		  "no job");
	must_fail(storus_job_torus(NULL, length, wrap, NULL, text, sizeof(text)),
		  "no job");
	must_be_null(storus_job_join(machine, 2, node, NULL, "torus:shape=4y", text,
				     sizeof(text)),
		     "shape");
	storus_job_free(job);
	storus_machine_free(machine);
}

static void test_grids(void **state)
{
	static const double seconds[] = {0, 0.0001};
	uint32_t node[NODES], takes[NODES], nodes, result[3 * NODES], order[NODES];
	known_t known;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		int32_t length[STORUS_MAX_DIMS];
		unsigned char periodic[STORUS_MAX_DIMS];
		storus_stencil_t stencil = (storus_stencil_t)random_in(0, 1);
		storus_distribution_t distribution =
			(storus_distribution_t)random_in(0, 1);
		storus_machine_t *machine;
		storus_pattern_t *pattern;
		storus_job_t *job;
		uint32_t tasks, maximum, slow_maximum;
		double average, slow;
		int dims;

		random_known(&known);
		tasks = random_nodes(&known, &nodes, node, takes);
		dims = random_lengths(tasks, length);
		for (int axis = 0; axis < dims; axis++)
			periodic[axis] = (unsigned char)(2 * random_in(0, 1));
		machine = create(&known);
		job = storus_job_create(machine, nodes, node, takes, text, sizeof(text));
		storus_machine_free(machine); /* a job does without it */
		pattern = storus_pattern_grid(dims, length, periodic, stencil, text,
					      sizeof(text));
		assert_non_null(job);
		assert_non_null(pattern);
		assert_int_equal(storus_job_nodes(job), nodes);
		assert_int_equal(storus_job_tasks(job), tasks);
		assert_int_equal(storus_pattern_tasks(pattern), tasks);
		must(storus_map(job, pattern, seconds[i % 2], result, text,
				sizeof(text)));
		check_counts(nodes, node, takes, tasks, result);
		must(storus_hops(job, pattern, result, &average, &maximum, text,
				 sizeof(text)));
		slow = slow_average(&known, dims, length, periodic,
				    stencil == STORUS_CORNERS, tasks, result,
				    &slow_maximum);
		assert_true(fabs(average - slow) < 1e-9);
		assert_int_equal(maximum, slow_maximum);
		must(storus_order(job, pattern, distribution, seconds[i % 2], order, text,
				  sizeof(text)));
		must(storus_deal(job, order, distribution, result, text, sizeof(text)));
		check_counts(nodes, node, takes, tasks, result);
		must(storus_hops(job, pattern, result, NULL, NULL, text, sizeof(text)));
		storus_job_free(job);
		storus_pattern_free(pattern);
	}
}

/* The grid's own edges as a graph, in any direction and some of them in halves. */
static uint64_t grid_edges(int32_t width, int32_t height, uint32_t *from, uint32_t *to,
			   double *weight)
{
	uint64_t edges = 0;

	for (int32_t task = 0; task < width * height; task++) {
		for (int32_t step = 0; step < 2; step++) {
			bool inside = step ? task / width + 1 < height
					   : task % width + 1 < width;

			for (int half = 0; inside && half < 2; half++) {
				from[edges] = (uint32_t)(half ? task + (step ? width : 1)
							      : task);
				to[edges] = (uint32_t)(half ? task
							    : task + (step ? width : 1));
				weight[edges++] = 0.5;
			}
		}
	}
	return edges;
}

/* A grid of 16x16 tasks whose numbers say nothing, on as many nodes: only the graph tells
 * who belongs together. */
static void test_graph_in_disorder(void **state)
{
	enum { SIDE = 16, TASKS = SIDE * SIDE };
	static uint32_t from[4 * TASKS], to[4 * TASKS], node[TASKS], order[TASKS];
	static double weight[4 * TASKS];
	const int32_t mesh[] = {SIDE, SIDE};
	uint64_t edges = grid_edges(SIDE, SIDE, from, to, weight);
	storus_machine_t *machine =
		storus_machine_create(2, mesh, NULL, 0, NULL, NULL, text, sizeof(text));
	storus_pattern_t *graph;
	storus_job_t *job;
	double average;

	(void)state;
	for (uint32_t i = 0; i < TASKS; i++)
		node[i] = i;
	for (uint64_t i = 0; i < edges; i++) {
		/* 75 and 256 have no common divisor. */
		from[i] = (75 * from[i] + 13) % TASKS;
		to[i] = (75 * to[i] + 13) % TASKS;
		from[i] ^= from[i] >> 4;
		to[i] ^= to[i] >> 4;
	}
	job = storus_job_create(machine, TASKS, node, NULL, text, sizeof(text));
	graph = storus_pattern_graph(TASKS, edges, from, to, weight, text, sizeof(text));
	assert_non_null(graph);
	must(storus_order(job, graph, STORUS_BLOCK, 0, order, text, sizeof(text)));
	must(storus_hops(job, graph, order, &average, NULL, text, sizeof(text)));
	if (average >= 3)
		fail_msg("%f hops", average);
	storus_pattern_free(graph);
	storus_job_free(job);
	storus_machine_free(machine);
}

static void test_graph(void **state)
{
	static uint32_t from[8 * NODES], to[8 * NODES];
	static double weight[8 * NODES];
	const int32_t torus[] = {8, 8}, length[] = {4, 5};
	uint32_t node[20], result[20], order[20], maximum;
	storus_machine_t *machine =
		storus_machine_create(2, torus, NULL, 0, NULL, NULL, text, sizeof(text));
	storus_pattern_t *graph, *grid;
	storus_job_t *job;
	double average, same;

	(void)state;
	/* a block of 5x4 nodes, listed backwards */
	for (uint32_t i = 0; i < 20; i++)
		node[19 - i] = i % 5 + i / 5 * 8;
	job = storus_job_create(machine, 20, node, NULL, text, sizeof(text));
	grid = storus_pattern_grid(2, length, NULL, STORUS_FACES, text, sizeof(text));
	graph = storus_pattern_graph(20, grid_edges(4, 5, from, to, weight), from, to,
				     weight, text, sizeof(text));
	assert_non_null(graph);
	must(storus_map(job, graph, 0.01, result, text, sizeof(text)));
	must(storus_hops(job, graph, result, &average, &maximum, text, sizeof(text)));
	must(storus_hops(job, grid, result, &same, NULL, text, sizeof(text)));
	assert_true(fabs(average - same) < 1e-9);
	assert_true(average < 1.2); /* 1 is possible */
	must(storus_order(job, graph, STORUS_BLOCK, 0.01, order, text, sizeof(text)));
	must(storus_deal(job, order, STORUS_BLOCK, result, text, sizeof(text)));
	must(storus_hops(job, graph, result, &average, NULL, text, sizeof(text)));
	assert_true(average < 1.2);
	storus_pattern_free(graph);
	storus_pattern_free(grid);
	storus_job_free(job);
	storus_machine_free(machine);
}

static void test_any(void **state)
{
	const int32_t torus[] = {4, 4};
	const unsigned char wraps[] = {1, 1};
	const uint32_t node[] = {0, 2, 1, 5, 6, 4}, takes[] = {2, 2, 2, 2, 2, 2};
	uint32_t order[6], result[12], dealt[12], cyclic[6];
	storus_machine_t *machine =
		storus_machine_create(2, torus, wraps, 0, NULL, NULL, text, sizeof(text));
	storus_pattern_t *any = storus_pattern_any(12, text, sizeof(text));
	storus_job_t *job =
		storus_job_create(machine, 6, node, takes, text, sizeof(text));
	double average;

	(void)state;
	assert_non_null(any);
	must(storus_order(job, any, STORUS_BLOCK, 0, order, text, sizeof(text)));
	must(storus_order(job, any, STORUS_CYCLIC, 0, cyclic, text, sizeof(text)));
	must(storus_deal(job, order, STORUS_BLOCK, dealt, text, sizeof(text)));
	must(storus_map(job, any, 5, result, text, sizeof(text)));
	assert_memory_equal(result, dealt, sizeof(dealt));
	must(storus_deal(job, order, STORUS_CYCLIC, dealt, text, sizeof(text)));
	for (int i = 0; i < 12; i++)
		assert_int_equal(dealt[i], order[i % 6]);
	must_fail(storus_hops(job, any, result, &average, NULL, text, sizeof(text)),
		  "nobody knows");
	storus_pattern_free(any);
	storus_job_free(job);
	storus_machine_free(machine);
}

/* --- misuse ------------------------------------------------------------- */

static void test_no_machine(void **state)
{
	const int32_t one[] = {1, 1, 1, 1, 1, 1, 1}, zero = 0, minus = -1,
		      big = INT32_MAX, length = 4, huge[] = {65536, 65536};
	const int32_t inside[] = {3, 3}, outside[] = {3, 4}, below[] = {-1, 0};
	const char *const twins[] = {"a", "a"}, *const gap[] = {"a", NULL},
			  *const empty[] = {"", "b"};

	(void)state;
#define no_machine(dims, lengths, nodes, coordinates, names, part)                       \
	must_be_null(storus_machine_create(dims, lengths, NULL, nodes, coordinates,      \
					   names, text, sizeof(text)),                   \
		     part)
	no_machine(0, one, 1, NULL, NULL, "0 dimensions");
	no_machine(-1, one, 1, NULL, NULL, "-1 dimensions");
	no_machine(7, one, 1, NULL, NULL, "7 dimensions");
	no_machine(1, NULL, 1, NULL, NULL, "no lengths");
	no_machine(1, &zero, 0, NULL, NULL, "length 0");
	no_machine(1, &minus, 0, NULL, NULL, "length -1");
	no_machine(1, &big, 0, NULL, NULL, "larger than");
	no_machine(2, huge, 0, NULL, NULL, "larger than");
	no_machine(1, &length, 3, NULL, NULL, "3 nodes without coordinates");
	no_machine(1, &length, 0, inside, NULL, "0 nodes");
	no_machine(1, &length, UINT32_MAX, inside, NULL, "4294967295 nodes");
	no_machine(1, &length, 2, outside, NULL, "coordinate 4");
	no_machine(1, &length, 2, below, NULL, "coordinate -1");
	no_machine(1, &length, 2, inside, twins, "'a' is twice");
	no_machine(1, &length, 2, inside, gap, "number 1 has an empty name");
	no_machine(1, &length, 2, inside, empty, "number 0 has an empty name");
}

static void test_no_job(void **state)
{
	storus_machine_t *machine = line(4);
	const uint32_t good[] = {3, 0}, twice[] = {2, 2}, outside[] = {0, 4},
		       none[] = {1, 0}, many[] = {UINT32_MAX, UINT32_MAX};

	(void)state;
#define no_job(on, nodes, node, takes, part)                                             \
	must_be_null(storus_job_create(on, nodes, node, takes, text, sizeof(text)), part)
	no_job(NULL, 2, good, NULL, "no machine");
	no_job(machine, 0, good, NULL, "no nodes");
	no_job(machine, 2, NULL, NULL, "no nodes");
	no_job(machine, UINT32_MAX, good, NULL, "4294967295");
	no_job(machine, 2, twice, NULL, "number 2 is in the job twice");
	no_job(machine, 2, outside, NULL, "number 4 is not in 0 .. 3");
	no_job(machine, 2, good, none, "takes no task");
	no_job(machine, 2, good, many, "tasks are more than");
	storus_machine_free(machine);
}

static void test_no_pattern(void **state)
{
	const int32_t length[] = {2, 3}, zero[] = {2, 0};
	const uint32_t from[] = {0, 1}, to[] = {1, 2}, same[] = {1, 1};
	const double bad[] = {1, -1}, nan[] = {NAN, 1}, infinite[] = {INFINITY, 1},
		     nothing[] = {0, 0};

	(void)state;
#define no_grid(dims, lengths, stencil, part)                                            \
	must_be_null(storus_pattern_grid(dims, lengths, NULL, (storus_stencil_t)stencil, \
					 text, sizeof(text)),                            \
		     part)
	no_grid(0, length, 0, "0 dimensions");
	no_grid(7, length, 0, "7 dimensions");
	no_grid(2, NULL, 0, "no lengths");
	no_grid(2, zero, 0, "length 0 of dimension 1");
	no_grid(2, length, 2, "stencil 2");
	no_grid(2, length, 7, "stencil 7");
#define no_graph(tasks, edges, from, to, weight, part)                                   \
	must_be_null(storus_pattern_graph(tasks, edges, from, to, weight, text,          \
					  sizeof(text)),                                 \
		     part)
	no_graph(0, 2, from, to, NULL, "of 0");
	no_graph(2, 2, from, to, NULL, "edge number 1 is from task 1 to task 2 of 2");
	no_graph(UINT32_MAX, 2, from, to, NULL, "4294967295 tasks");
	no_graph(3, 0, from, to, NULL, "no edges");
	no_graph(3, UINT64_MAX, from, to, NULL, "2^31");
	no_graph(3, 2, NULL, to, NULL, "no edges");
	no_graph(3, 2, from, NULL, NULL, "no edges");
	no_graph(3, 2, from, to, bad, "weight -1");
	no_graph(3, 2, from, to, nan, "nan of edge number 0");
	no_graph(3, 2, from, to, infinite, "inf");
	no_graph(3, 2, from, to, nothing, "no edge between two tasks");
	no_graph(3, 2, same, same, NULL, "no edge between two tasks");
	must_be_null(storus_pattern_any(0, text, sizeof(text)), "0 tasks");
	must_be_null(storus_pattern_any(UINT32_MAX, text, sizeof(text)), "tasks");
}

static void test_no_result(void **state)
{
	storus_machine_t *machine = line(8);
	const uint32_t node[] = {1, 5, 3}, takes[] = {2, 1, 1}, wrong[] = {1, 5, 5, 3},
		       missing[] = {1, 1, 5, 0}, twice[] = {1, 5, 1}, alien[] = {1, 5, 0};
	const int32_t length = 4;
	storus_job_t *job = storus_job_create(machine, 3, node, takes, NULL, 0);
	storus_pattern_t *grid =
		storus_pattern_grid(1, &length, NULL, STORUS_FACES, NULL, 0);
	storus_pattern_t *other = storus_pattern_any(5, NULL, 0);
	uint32_t result[4], count, hops;
	int32_t coord[STORUS_MAX_DIMS];
	double average;

	(void)state;
#define buffer text, sizeof(text)
	must_fail(storus_map(NULL, grid, 0, result, buffer), "no job");
	must_fail(storus_map(job, NULL, 0, result, buffer), "pattern");
	must_fail(storus_map(job, grid, 0, NULL, buffer), "place for the result");
	must_fail(storus_map(job, other, 0, result, buffer),
		  "has 5 tasks, but the job takes 4");
	must_fail(storus_map(job, grid, -1, result, buffer), "-1 seconds");
	must_fail(storus_map(job, grid, NAN, result, buffer), "nan seconds");
	must_fail(storus_map(job, grid, INFINITY, result, buffer), "inf seconds");
	must_fail(storus_order(job, other, STORUS_BLOCK, 0, result, buffer),
		  "has 5 tasks");
	must_fail(storus_order(job, grid, STORUS_BLOCK, NAN, result, buffer),
		  "nan seconds");
	must_fail(storus_order(job, grid, (storus_distribution_t)2, 0, result, buffer),
		  "distribution 2");
	must_fail(storus_order(NULL, grid, STORUS_BLOCK, 0, result, buffer), "no job");
	must_fail(storus_deal(NULL, node, STORUS_BLOCK, result, buffer), "no job");
	must_fail(storus_deal(job, NULL, STORUS_BLOCK, result, buffer), "order");
	must_fail(storus_deal(job, node, STORUS_BLOCK, NULL, buffer), "result");
	must_fail(storus_deal(job, node, (storus_distribution_t)-1, result, buffer),
		  "distribution");
	must_fail(storus_deal(job, twice, STORUS_BLOCK, result, buffer),
		  "number 1 is in the order twice");
	must_fail(storus_deal(job, alien, STORUS_BLOCK, result, buffer),
		  "number 0 is not in the job");
	must_fail(storus_hops(job, grid, wrong, &average, NULL, buffer),
		  "number 5 has more tasks than it takes");
	must_fail(storus_hops(job, grid, missing, &average, NULL, buffer),
		  "number 0 is not in the job");
	must_fail(storus_hops(job, other, wrong, &average, NULL, buffer), "has 5 tasks");
	must_fail(storus_hops(job, grid, NULL, &average, NULL, buffer), "result");
	must_fail(storus_distance(machine, 0, 8, &hops, buffer),
		  "number 8 is not in 0 .. 7");
	must_fail(storus_distance(machine, 8, 0, &hops, buffer), "number 8");
	must_fail(storus_distance(machine, 0, 1, NULL, buffer), "no place");
	must_fail(storus_distance(NULL, 0, 1, &hops, buffer), "no machine");
	must_fail(storus_node_coordinates(machine, 8, coord, buffer), "number 8");
	must_fail(storus_node_coordinates(machine, 0, NULL, buffer), "no place");
	must_fail(storus_node_coordinates(NULL, 0, coord, buffer), "no machine");
	must_fail(storus_node_torus(machine, 8, NULL, NULL, NULL, buffer), "number 8");
	must_fail(storus_machine_find(machine, "a,x", result, 4, &count, buffer),
		  "'x' has no coordinates");
	must_fail(storus_machine_find(machine, "a[", result, 4, &count, buffer), "a[");
	must_fail(storus_machine_find(machine, "", result, 4, &count, buffer), "");
	must_fail(storus_machine_find(machine, NULL, result, 4, &count, buffer),
		  "hostlist");
	must_fail(storus_machine_find(machine, "a", NULL, 4, &count, buffer), "place");
	must_fail(storus_machine_find(machine, "a", result, 4, NULL, buffer), "place");
	must_fail(storus_machine_find(NULL, "a", result, 4, &count, buffer), "machine");
	assert_null(storus_node_name(machine, 8));
	assert_null(storus_node_name(NULL, 0));
	assert_int_equal(storus_machine_nodes(NULL), 0);
	assert_int_equal(storus_job_nodes(NULL), 0);
	assert_int_equal(storus_job_tasks(NULL), 0);
	assert_int_equal(storus_pattern_tasks(NULL), 0);
	storus_machine_free(NULL);
	storus_job_free(NULL);
	storus_pattern_free(NULL);
	storus_pattern_free(other);
	storus_pattern_free(grid);
	storus_job_free(job);
	storus_machine_free(machine);
}

/* A text is cut off where the buffer ends, and one of no bytes is not touched. */
static void test_buffers(void **state)
{
	char small[5] = "....";

	(void)state;
	assert_null(storus_pattern_any(0, small, 0));
	assert_string_equal(small, "....");
	assert_null(storus_pattern_any(0, small, sizeof(small)));
	assert_string_equal(small, "0 ta");
	assert_null(storus_pattern_any(0, NULL, 100));
	/* what is quoted cannot drive a terminal */
	assert_null(storus_machine_read("no\033such", text, sizeof(text)));
	assert_null(strchr(text, '\033'));
	assert_true(strlen(storus_version()) >= 5);
}

/* Arguments as they come: an error or a result, and no byte read or written outside. */
static void test_random_misuse(void **state)
{
	static const uint32_t values[] = {0, 1, 2, 3, 5, 7, 8, 60, UINT32_MAX, 1U << 28};

	(void)state;
#define any_value() values[random_in(0, sizeof(values) / sizeof(values[0]) - 1)]
	for (int i = 0; i < 20 * CASES; i++) {
		uint32_t small = random_in(1, 8), node[8], takes[8], result[64],
			 edge[2][8];
		int32_t length[STORUS_MAX_DIMS], coord[8 * STORUS_MAX_DIMS];
		int dims = (int)random_in(0, STORUS_MAX_DIMS + 1);
		storus_machine_t *machine;
		storus_pattern_t *pattern;
		storus_job_t *job;

		for (int axis = 0; axis < STORUS_MAX_DIMS; axis++)
			length[axis] = (int32_t)random_in(0, 3);
		for (int at = 0; at < 8 * STORUS_MAX_DIMS; at++)
			coord[at] = (int32_t)random_in(0, 2) - !random_in(0, 20);
		for (int at = 0; at < 8; at++) {
			node[at] = random_in(0, 3) ? random_in(0, 8) : any_value();
			takes[at] = random_in(0, 9) ? random_in(1, 2) : any_value();
			edge[0][at] = random_in(0, small);
			edge[1][at] = random_in(0, small);
		}
		machine = storus_machine_create(dims, length, NULL, small,
						random_in(0, 9) ? coord : NULL, NULL,
						text, sizeof(text));
		job = storus_job_create(machine, random_in(0, 4), node, takes, text,
					sizeof(text));
		if (storus_job_tasks(job) > 64) { /* more than result[] holds */
			storus_job_free(job);
			job = NULL;
		}
		for (int axis = 0; axis < STORUS_MAX_DIMS; axis++)
			length[axis] = (int32_t)random_in(0, 3);
		pattern =
			random_in(0, 1)
				? storus_pattern_graph(small, random_in(0, 8), edge[0],
						       edge[1], NULL, text, sizeof(text))
			: random_in(0, 1)
				? storus_pattern_any(random_in(0, 8), text, sizeof(text))
				: storus_pattern_grid((int)random_in(0, 4), length, NULL,
						      (storus_stencil_t)random_in(0, 2),
						      text, sizeof(text));
		storus_map(job, pattern, 0.00001 * random_in(0, 1), result, text,
			   sizeof(text));
		storus_order(job, pattern, (storus_distribution_t)random_in(0, 2), 0,
			     result, text, sizeof(text));
		storus_deal(job, node, (storus_distribution_t)random_in(0, 2), result,
			    text, sizeof(text));
		storus_hops(job, pattern, takes, NULL, NULL, text, 0);
		storus_distance(machine, any_value(), any_value(), result, NULL, 0);
		storus_job_free(job);
		storus_machine_free(machine);
		storus_pattern_free(pattern);
	}
}

/* --- threads ------------------------------------------------------------ */

typedef struct shared {
	const storus_job_t *job;
	const storus_pattern_t *pattern;
	uint32_t result[64];
} shared_t;

/* --- mappings that are there, weights, links -------------------------------- */

/* Hops and loads of links of a grid's mapping, message by message. */
static void slow_links(const int32_t *side, const unsigned char *wraps,
		       const int32_t *length, const double *weight, const uint32_t *node,
		       double *average, double *most)
{
	double load[64][2][2] = {{{0}}}, sum = 0, all = 0;

	for (int32_t task = 0; task < length[0] * length[1]; task++) {
		for (int step = 0; step < 4; step++) {
			int32_t to[2] = {task % length[0], task / length[0]};
			int32_t at[2], end[2], hops = 0;
			uint32_t other;

			to[step / 2] += step % 2 ? 1 : -1;
			if (to[step / 2] < 0 || to[step / 2] >= length[step / 2])
				continue;
			other = node[to[0] + to[1] * length[0]];
			at[0] = (int32_t)node[task] % side[0];
			at[1] = (int32_t)node[task] / side[0];
			end[0] = (int32_t)other % side[0];
			end[1] = (int32_t)other / side[0];
			for (int axis = 0; axis < 2; axis++) {
				int32_t n = side[axis],
					up = (end[axis] - at[axis] + n) % n;

				/* Odd sides: there are no two shortest ways. */
				for (int down = wraps[axis] ? 2 * up > n
							    : end[axis] < at[axis];
				     at[axis] != end[axis]; hops++) {
					load[at[0] + at[1] * side[0]][axis][down] +=
						weight[step / 2];
					at[axis] = (at[axis] + (down ? n - 1 : 1)) % n;
				}
			}
			sum += weight[step / 2] * hops;
			all += weight[step / 2];
		}
	}
	*average = all > 0 ? sum / all : 0;
	*most = 0;
	for (int i = 0; i < 64 * 4; i++)
		*most = (&load[0][0][0])[i] > *most ? (&load[0][0][0])[i] : *most;
}

static void test_remap(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		const int32_t side[2] = {7, 5}, length[2] = {5, 7};
		unsigned char wraps[2] = {random_in(0, 1), random_in(0, 1)}, stays[35];
		double weight[2] = {random_in(0, 9), random_in(1, 9)};
		uint32_t node[35], before[35], all[35];
		double average, slow, most, slow_most, better;
		storus_machine_t *machine = storus_machine_create(
			2, side, wraps, 0, NULL, NULL, text, sizeof(text));
		storus_pattern_t *pattern = storus_pattern_weighted_grid(
			2, length, NULL, weight, text, sizeof(text));
		storus_job_t *job;

		for (uint32_t n = 0; n < 35; n++)
			all[n] = n;
		job = storus_job_create(machine, 35, all, NULL, text, sizeof(text));
		assert_non_null(pattern);
		assert_non_null(job);
		for (uint32_t n = 0; n < 35; n++) {
			uint32_t other = random_in(0, n);

			node[n] = node[other];
			node[other] = n;
			stays[n] = random_in(0, 3) == 0;
		}
		memcpy(before, node, sizeof(node));
		must(storus_hops(job, pattern, node, &average, NULL, text, sizeof(text)));
		must(storus_link_load(job, pattern, node, &most, NULL, text,
				      sizeof(text)));
		slow_links(side, wraps, length, weight, node, &slow, &slow_most);
		assert_float_equal(average, slow, 1e-9);
		assert_float_equal(most, slow_most, 1e-6);
		must(storus_remap(job, pattern, i % 4 ? stays : NULL, 0.002, node, text,
				  sizeof(text)));
		must(storus_hops(job, pattern, node, &better, NULL, text, sizeof(text)));
		assert_true(better <= average + 1e-9);
		for (uint32_t n = 0; i % 4 && n < 35; n++)
			assert_true(!stays[n] || node[n] == before[n]);
		/* Of a random mapping most can be moved for the better. */
		assert_true(better < average || (i % 4 && average < 3));
		storus_pattern_free(pattern);
		storus_job_free(job);
		storus_machine_free(machine);
	}
}

/* --- the busiest link ------------------------------------------------------- */

static void swap_nodes(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;

	*a = *b;
	*b = kept;
}

/* The next arrangement of node[count] in lexicographic order; false: it was the last. */
static bool next_arrangement(uint32_t *node, int count)
{
	int at = count - 2, other = count - 1;

	while (at >= 0 && node[at] >= node[at + 1])
		at--;
	if (at < 0)
		return false;
	while (node[other] <= node[at])
		other--;
	swap_nodes(node + at, node + other);
	for (int low = at + 1, high = count - 1; low < high; low++, high--)
		swap_nodes(node + low, node + high);
	return true;
}

/* On a grid of 3x2 tasks and six nodes of a 5x3 machine: the least that a busiest link
 * can carry, by trying all mappings. */
static double slow_least(const int32_t *side, const unsigned char *wraps,
			 const int32_t *length, const double *weight,
			 const uint32_t *nodes, const unsigned char *stays,
			 const uint32_t *before)
{
	uint32_t node[6];
	double least = INFINITY, average, most;

	memcpy(node, nodes, sizeof(node));
	do {
		bool may = true;

		for (int task = 0; stays && task < 6; task++)
			may &= !stays[task] || node[task] == before[task];
		if (!may)
			continue;
		slow_links(side, wraps, length, weight, node, &average, &most);
		least = most < least ? most : least;
	} while (next_arrangement(node, 6));
	return least;
}

static void test_lighten(void **state)
{
	uint32_t reached = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		const int32_t side[2] = {5, 3}, length[2] = {3, 2};
		unsigned char wraps[2] = {random_in(0, 1), random_in(0, 1)}, stays[6];
		double weight[2] = {random_in(0, 9), random_in(1, 9)};
		uint32_t all[15], nodes[6], node[6], before[6], sorted = 0;
		double most, less, slow, slow_most, least;
		storus_machine_t *machine = storus_machine_create(
			2, side, wraps, 0, NULL, NULL, text, sizeof(text));
		storus_pattern_t *pattern = storus_pattern_weighted_grid(
			2, length, NULL, weight, text, sizeof(text));
		storus_job_t *job;

		for (uint32_t n = 0; n < 15; n++) {
			uint32_t other = random_in(0, n);

			all[n] = all[other];
			all[other] = n;
		}
		for (uint32_t n = 0; n < 15; n++) { /* six of them, by number */
			for (int j = 0; j < 6; j++)
				if (all[j] == n)
					nodes[sorted++] = n;
		}
		for (int j = 0; j < 6; j++) {
			node[j] = before[j] = all[j];
			stays[j] = random_in(0, 4) == 0;
		}
		job = storus_job_create(machine, 6, nodes, NULL, text, sizeof(text));
		assert_non_null(job);
		must(storus_link_load(job, pattern, node, &most, NULL, text,
				      sizeof(text)));
		must(storus_lighten(job, pattern, i % 2 ? stays : NULL, 0, node, text,
				    sizeof(text)));
		assert_memory_equal(node, before, sizeof(node));
		must(storus_lighten(job, pattern, i % 2 ? stays : NULL, 0.01, node, text,
				    sizeof(text)));
		must(storus_link_load(job, pattern, node, &less, NULL, text,
				      sizeof(text)));
		slow_links(side, wraps, length, weight, node, &slow, &slow_most);
		assert_float_equal(less, slow_most, 1e-9);
		assert_true(less <= most);
		for (int j = 0; i % 2 && j < 6; j++)
			assert_true(!stays[j] || node[j] == before[j]);
		least = slow_least(side, wraps, length, weight, nodes,
				   i % 2 ? stays : NULL, before);
		assert_true(less >= least - 1e-9);
		reached += less <= least + 1e-9;
		storus_pattern_free(pattern);
		storus_job_free(job);
		storus_machine_free(machine);
	}
	if (reached < 54)
		fail_msg("the least in %u of 60 cases", reached);
}

/* --- idle tasks, and tasks that say where they are ---------------------------- */

/* The least sum of hops of a ring of four tasks, the first on node[0], on eight. */
static uint32_t slow_ring(const known_t *known, const uint32_t *node)
{
	uint32_t least = UINT32_MAX;

	for (int b = 1; b < 8; b++)
		for (int c = 1; c < 8; c++)
			for (int d = 1; d < 8; d++) {
				uint32_t sum = slow_hops(known, node[0], node[b]) +
					       slow_hops(known, node[b], node[c]) +
					       slow_hops(known, node[c], node[d]) +
					       slow_hops(known, node[d], node[0]);

				if (b != c && c != d && b != d && sum < least)
					least = sum;
			}
	return least;
}

static void test_idle(void **state)
{
	uint32_t reached[2] = {0};

	(void)state;
	for (int i = 0; i < 100; i++) {
		const int32_t four[1] = {4};
		const unsigned char closed[1] = {1};
		uint32_t node[NODES], takes[NODES], nodes, result[8];
		storus_pattern_t *ring, *idle, *more;
		storus_machine_t *machine;
		storus_job_t *job;
		double average;
		known_t known;

		do {
			random_known(&known);
			random_nodes(&known, &nodes, node, takes);
		} while (nodes < 8);
		machine = create(&known);
		job = storus_job_create(machine, 8, node, NULL, text, sizeof(text));
		assert_non_null(job);
		ring = storus_pattern_grid(1, four, closed, STORUS_FACES, text,
					   sizeof(text));
		idle = storus_pattern_idle(ring, 6, text, sizeof(text));
		assert_non_null(idle);
		more = storus_pattern_idle(idle, 8, text, sizeof(text));
		assert_non_null(more);
		storus_pattern_free(ring);
		storus_pattern_free(idle);
		assert_int_equal(storus_pattern_tasks(more), 8);
		for (int j = 0; j < 8; j++)
			takes[j] = 1;
		must(storus_map(job, more, i % 2 ? 0.002 : 0, result, text,
				sizeof(text)));
		check_counts(8, node, takes, 8, result);
		assert_int_equal(result[0], node[0]);
		must(storus_hops(job, more, result, &average, NULL, text, sizeof(text)));
		assert_true(average * 4 >= slow_ring(&known, node) - 1e-9);
		reached[i % 2] += average * 4 <= slow_ring(&known, node) + 1e-9;
		storus_pattern_free(more);
		storus_job_free(job);
		storus_machine_free(machine);
	}
	/* without a search, and with one */
	if (reached[0] < 15 || reached[1] < 45)
		fail_msg("the fewest hops in %u and %u of 50 cases", reached[0],
			 reached[1]);
}

/*
 * A grid of 16x16 tasks whose numbers say nothing, but who say where they are, stretched
 * and moved: without a search each is where the grid would put it, as far as task 0 lets
 * them.
 */
static void test_located(void **state)
{
	enum { SIDE = 16, TASKS = SIDE * SIDE };
	static uint32_t from[4 * TASKS], to[4 * TASKS], node[TASKS], result[TASKS],
		number[TASKS];
	static double weight[4 * TASKS], at[TASKS][2];
	const int32_t mesh[] = {SIDE, SIDE};
	uint64_t edges = grid_edges(SIDE, SIDE, from, to, weight);
	storus_machine_t *machine =
		storus_machine_create(2, mesh, NULL, 0, NULL, NULL, text, sizeof(text));
	storus_pattern_t *graph, *located;
	storus_job_t *job;
	double without, with, searched;

	(void)state;
	/* Task 0 is the grid's first one, so that it need not be moved. */
	for (uint32_t i = 0; i < TASKS; i++) {
		uint32_t other = i ? random_in(1, i) : 0;

		node[i] = i;
		number[i] = number[other];
		number[other] = i;
	}
	for (uint32_t i = 0; i < TASKS; i++) {
		at[number[i]][0] = -3e6 + 1e3 * (i % SIDE);
		at[number[i]][1] = 7 + 900 * (double)(i / SIDE);
	}
	for (uint64_t i = 0; i < edges; i++) {
		from[i] = number[from[i]];
		to[i] = number[to[i]];
	}
	job = storus_job_create(machine, TASKS, node, NULL, text, sizeof(text));
	graph = storus_pattern_graph(TASKS, edges, from, to, weight, text, sizeof(text));
	located = storus_pattern_locate(graph, 2, &at[0][0], text, sizeof(text));
	assert_non_null(located);
	must(storus_map(job, graph, 0, result, text, sizeof(text)));
	must(storus_hops(job, graph, result, &without, NULL, text, sizeof(text)));
	must(storus_map(job, located, 0, result, text, sizeof(text)));
	must(storus_hops(job, located, result, &with, NULL, text, sizeof(text)));
	assert_int_equal(result[0], 0);
	if (with > 1 || without < with)
		fail_msg("%f hops, without coordinates %f", with, without);
	/* Coordinates that are wrong are no harm: the graph alone is looked at, too. How
	 * far two searches come is not compared: on a slow host the clock ends them. */
	storus_pattern_free(located);
	for (uint32_t i = 0; i < TASKS; i++)
		at[i][0] = i % 3;
	located = storus_pattern_locate(graph, 1, &at[0][0], text, sizeof(text));
	assert_non_null(located);
	must(storus_map(job, located, 0.02, result, text, sizeof(text)));
	must(storus_hops(job, located, result, &searched, NULL, text, sizeof(text)));
	assert_true(searched <= without + 1e-9);
	storus_pattern_free(located);
	storus_pattern_free(graph);
	storus_job_free(job);
	storus_machine_free(machine);
}

static void test_derived_misuse(void **state)
{
	const int32_t four[1] = {4};
	const double at[4] = {0, 1, NAN, 3}, good[4] = {0, 1, 2, 3};
	uint32_t node[4] = {0, 1, 2, 3}, twice[4] = {0, 0, 2, 3};
	storus_machine_t *machine = line(4);
	storus_job_t *job = storus_job_create(machine, 4, node, NULL, text, sizeof(text));
	storus_pattern_t *any = storus_pattern_any(4, text, sizeof(text));
	storus_pattern_t *grid =
		storus_pattern_grid(1, four, NULL, STORUS_FACES, text, sizeof(text));
	storus_pattern_t *idle = storus_pattern_idle(grid, 4, text, sizeof(text));
	storus_pattern_t *located =
		storus_pattern_locate(grid, 1, good, text, sizeof(text));

	(void)state;
	assert_non_null(idle);
	assert_non_null(located);
	must(storus_map(job, idle, 0, node, text, sizeof(text)));
	must(storus_map(job, located, 0, node, text, sizeof(text)));
	must_be_null(storus_pattern_idle(NULL, 4, buffer), "no pattern");
	must_be_null(storus_pattern_idle(any, 5, buffer), "nobody");
	must_be_null(storus_pattern_idle(grid, 3, buffer), "3 tasks are not in 4");
	must_be_null(storus_pattern_idle(grid, UINT32_MAX, buffer), "4294967295 tasks");
	must_be_null(storus_pattern_locate(NULL, 1, good, buffer), "no pattern");
	must_be_null(storus_pattern_locate(any, 1, good, buffer), "nobody");
	must_be_null(storus_pattern_locate(idle, 1, good, buffer), "before idle");
	must_be_null(storus_pattern_locate(grid, 0, good, buffer), "0 dimensions");
	must_be_null(storus_pattern_locate(grid, 7, good, buffer), "7 dimensions");
	must_be_null(storus_pattern_locate(grid, 1, NULL, buffer), "no coordinates");
	must_be_null(storus_pattern_locate(grid, 1, at, buffer), "nan of task 2");
	must_fail(storus_lighten(NULL, grid, NULL, 0, node, buffer), "no job");
	must_fail(storus_lighten(job, any, NULL, 0, node, buffer), "nobody");
	must_fail(storus_lighten(job, grid, NULL, -1, node, buffer), "seconds");
	must_fail(storus_lighten(job, grid, NULL, 0, twice, buffer), "more tasks than");
	storus_pattern_free(any);
	storus_pattern_free(grid);
	storus_pattern_free(idle);
	storus_pattern_free(located);
	storus_job_free(job);
	storus_machine_free(machine);
}

static void test_remap_misuse(void **state)
{
	const int32_t side[1] = {4};
	const double weight[1] = {2}, none[1] = {-1};
	uint32_t node[4] = {0, 1, 2, 3}, twice[4] = {0, 0, 2, 3};
	storus_machine_t *machine =
		storus_machine_create(1, side, NULL, 0, NULL, NULL, text, sizeof(text));
	storus_job_t *job = storus_job_create(machine, 4, node, NULL, text, sizeof(text));
	storus_pattern_t *any = storus_pattern_any(4, text, sizeof(text));
	storus_pattern_t *line =
		storus_pattern_weighted_grid(1, side, NULL, weight, text, sizeof(text));
	double most;

	(void)state;
	must_be_null(
		storus_pattern_weighted_grid(1, side, NULL, NULL, text, sizeof(text)),
		"no weights");
	must_be_null(
		storus_pattern_weighted_grid(1, side, NULL, none, text, sizeof(text)),
		"weight -1 of dimension 0");
	must_be_null(
		storus_pattern_weighted_grid(0, side, NULL, weight, text, sizeof(text)),
		"dimensions");
	must_fail(storus_remap(job, any, NULL, 0, node, text, sizeof(text)), "nobody");
	must_fail(storus_remap(job, line, NULL, -1, node, text, sizeof(text)), "seconds");
	must_fail(storus_remap(job, line, NULL, 0, twice, text, sizeof(text)),
		  "more tasks than");
	must_fail(storus_remap(NULL, line, NULL, 0, node, text, sizeof(text)), "no job");
	must_fail(storus_link_load(job, any, node, &most, NULL, text, sizeof(text)),
		  "nobody");
	must_fail(storus_link_load(job, line, NULL, &most, NULL, text, sizeof(text)),
		  "no job, pattern");
	must(storus_link_load(job, line, node, &most, NULL, text, sizeof(text)));
	assert_float_equal(most, 2, 1e-9);
	storus_pattern_free(any);
	storus_pattern_free(line);
	storus_job_free(job);
	storus_machine_free(machine);
}

static void *map_it(void *argument)
{
	shared_t *shared = argument;

	for (int i = 0; i < 5; i++) {
		if (storus_map(shared->job, shared->pattern, 0.01, shared->result, NULL,
			       0))
			return argument;
	}
	return NULL;
}

static void test_threads(void **state)
{
	const int32_t torus[] = {6, 6, 6}, grid[] = {4, 4, 4};
	storus_machine_t *machine =
		storus_machine_create(3, torus, NULL, 0, NULL, NULL, text, sizeof(text));
	storus_pattern_t *pattern =
		storus_pattern_grid(3, grid, NULL, STORUS_CORNERS, text, sizeof(text));
	uint32_t node[64];
	pthread_t thread[4];
	shared_t shared[4];
	storus_job_t *job;

	(void)state;
	for (uint32_t i = 0; i < 64; i++)
		node[i] = i * 3;
	job = storus_job_create(machine, 64, node, NULL, text, sizeof(text));
	for (int i = 0; i < 4; i++) {
		shared[i] = (shared_t){.job = job, .pattern = pattern};
		assert_int_equal(pthread_create(thread + i, NULL, map_it, shared + i), 0);
	}
	for (int i = 0; i < 4; i++) {
		void *failed;

		assert_int_equal(pthread_join(thread[i], &failed), 0);
		assert_null(failed);
		assert_memory_equal(shared[i].result, shared[0].result,
				    sizeof(shared[0].result));
	}
	storus_job_free(job);
	storus_pattern_free(pattern);
	storus_machine_free(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_full_machine),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_torus_conf),
		cmocka_unit_test(test_cubes),
		cmocka_unit_test(test_grids),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_graph_in_disorder),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_no_machine),
		cmocka_unit_test(test_no_job),
		cmocka_unit_test(test_no_pattern),
		cmocka_unit_test(test_no_result),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_random_misuse),
		cmocka_unit_test(test_remap),
		cmocka_unit_test(test_remap_misuse),
		cmocka_unit_test(test_lighten),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_located),
		cmocka_unit_test(test_derived_misuse),
		cmocka_unit_test(test_threads),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
