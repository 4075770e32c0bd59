/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus-stream: jobs are placed, communicate beside those that run, and end when they
 * have sent all they have to send. */
#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/ranklist.h"
#include "job.h"
#include "machine/cluster_place.h"
#include "machine_arguments.h"
#include "metrics/values.h"
#include "network.h"
#include "sim/synthetic/synthetic.h"
#include "strategies/strategies.h"

static const char help[] =
	"Usage: torus-stream --dims AxBxC --workload KIND --pattern PATTERN [OPTION]...\n"
	"Simulate by SimGrid a queue of jobs that communicate: the first one starts as soon as\n"
	"there is a place for it, and ends when it has done its rounds, which takes the longer\n"
	"the more others use the same links. All jobs are there at the beginning.\n"
	"\n" CONTEND_MACHINE_HELP "  --cells LIST         only these routers have nodes\n"
	"  --curve CURVE        the order of the nodes (default hilbert)\n"
	"  --allocator NAME     as in storus place (default best_fit)\n"
	"  --span RULE          ring or linear (default: ring if some dimension wraps)\n"
	"\n"
	"  --workload KIND      as in storus sim --synthetic; only the nodes and the order of\n"
	"                       its jobs count\n"
	"  --seed N             of the workload, and of strategies that choose by chance\n"
	"                       (default 1)\n"
	"  --pattern P[+P...]   what a job sends in a round, see torus-contend --help; ranks\n"
	"                       are in the order of the nodes\n"
	"  --rounds N           of each job (default 1)\n"
	"  --bytes N            of each message (default 1e6)\n"
	"  --help\n"
	"\n"
	"Prints CSV, a line for each job in the order of starts: job, ranks, their cells, start,\n"
	"end, undisturbed (seconds if each message had links to itself), and the metrics of its\n"
	"place that storus place prints.\n";

enum {
	OPTION_CELLS = CONTEND_OPTION_OWN,
	OPTION_CURVE,
	OPTION_ALLOCATOR,
	OPTION_SPAN,
	OPTION_WORKLOAD,
	OPTION_SEED,
	OPTION_PATTERN,
	OPTION_ROUNDS,
	OPTION_BYTES,
	OPTION_HELP,
};

static const struct option options[] = {
	CONTEND_MACHINE_OPTIONS,
	{"cells", required_argument, NULL, OPTION_CELLS},
	{"curve", required_argument, NULL, OPTION_CURVE},
	{"allocator", required_argument, NULL, OPTION_ALLOCATOR},
	{"span", required_argument, NULL, OPTION_SPAN},
	{"workload", required_argument, NULL, OPTION_WORKLOAD},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"pattern", required_argument, NULL, OPTION_PATTERN},
	{"rounds", required_argument, NULL, OPTION_ROUNDS},
	{"bytes", required_argument, NULL, OPTION_BYTES},
	{"help", no_argument, NULL, OPTION_HELP},
	{0},
};

typedef struct arguments {
	contend_machine_arguments_t machine;
	const char *cells, *curve, *allocator, *span, *workload, *pattern;
	uint64_t seed;
	uint32_t rounds;
	double bytes;
} arguments_t;

/* A job that has started, and where it is. */
typedef struct place {
	contend_job_t job;
	uint32_t *rank; /* [job.ranks] on the map, in the job's order */
	uint32_t *cell; /* [job.ranks] of these */
	uint64_t number;
	contend_run_t *run;
	torus_metrics_t metrics;
} place_t;

typedef struct stream {
	arguments_t arguments;
	torus_map_t *map;
	const torus_map_t *maps[1];
	torus_cluster_placer_t *placer;
	uint64_t *free; /* bitmap of ranks */
	torus_workload_t workload;
	place_t *place; /* [workload.count] in the order of starts */
	size_t started, running;
} stream_t;

static void *or_die(void *memory)
{
	if (!memory)
		errx(2, "out of memory");
	return memory;
}

static void check(int result, const torus_error_t *error)
{
	if (result < 0)
		errx(2, "%s", error->text);
}

/* --- the machine -------------------------------------------------------- */

/* On which cell each node is: those of a cell one after the other. */
static uint32_t *populate(const arguments_t *arguments, uint32_t *nodes)
{
	uint32_t cells = torus_geometry_cells(&arguments->machine.geometry);
	uint32_t per_router = arguments->machine.per_router;
	uint64_t *populated = or_die(calloc(TORUS_WORDS(cells), sizeof(uint64_t)));
	uint32_t *cell_of_node =
		or_die(calloc((size_t)cells * per_router, sizeof(uint32_t)));
	torus_error_t error;

	check(torus_ranklist_parse_set(arguments->cells, cells, populated, &error),
	      &error);
	*nodes = 0;
	for (uint32_t cell = 0; cell < cells; cell++) {
		for (uint32_t i = 0; torus_bit_test(populated, cell) && i < per_router;
		     i++)
			cell_of_node[(*nodes)++] = cell;
	}
	if (!*nodes)
		errx(2, "--cells '%s': no nodes", arguments->cells);
	free(populated);
	return cell_of_node;
}

static void make_map(stream_t *stream)
{
	const arguments_t *arguments = &stream->arguments;
	torus_curve_t curve;
	torus_error_t error;
	const char *path;
	uint32_t nodes, *cell_of_node;

	check(torus_curve_parse(arguments->curve, &curve, &path, &error), &error);
	cell_of_node = populate(arguments, &nodes);
	stream->map =
		torus_map_create_nodes("stream", &arguments->machine.geometry, curve,
				       cell_of_node, nodes, NULL, NULL, &error);
	if (!stream->map)
		errx(2, "%s", error.text);
	check(torus_allocator_parse(arguments->allocator, torus_strategies,
				    &stream->map->allocator, &error),
	      &error);
	if (arguments->span)
		check(torus_span_parse(arguments->span, &stream->map->span, &error),
		      &error);
	stream->maps[0] = stream->map;
	stream->placer = or_die(torus_cluster_placer_create(stream->maps, 1));
	stream->free = or_die(calloc(TORUS_WORDS(nodes), sizeof(uint64_t)));
	for (uint32_t rank = 0; rank < nodes; rank++)
		torus_bit_set(stream->free, rank);
	free(cell_of_node);
}

static void make_workload(stream_t *stream)
{
	torus_synthetic_machine_t machine = {stream->map->nodes, stream->map->geometry};
	torus_synthetic_t synthetic;
	torus_error_t error;

	check(torus_synthetic_parse(stream->arguments.workload, &synthetic, &error),
	      &error);
	check(torus_synthetic_generate(&synthetic, &machine, stream->arguments.seed,
				       &stream->workload, &error),
	      &error);
	stream->place = or_die(calloc(stream->workload.count + 1, sizeof(place_t)));
}

/* --- placement: within the simulation ----------------------------------- */

static void *or_quit(void *memory)
{
	if (!memory)
		contend_quit(2, "out of memory");
	return memory;
}

static void check_within(int result, const torus_error_t *error)
{
	if (result < 0)
		contend_quit(2, error->text);
}

/* Fill [place] for [job] if there is room for it now. */
static bool find_place(stream_t *stream, const torus_sim_job_t *job, place_t *place)
{
	const torus_candidates_t candidates = {.free = stream->free};
	torus_cluster_request_t request = {
		.nodes = job->nodes,
		.shape = job->has_shape ? &job->shape : NULL,
		/* A number of its own for each job, as in the simulator. */
		.seed = stream->arguments.seed + job->number,
		.torus = &candidates,
	};
	torus_cluster_placement_t placement;
	const torus_part_t *part = &stream->placer->part[0];
	torus_error_t error;
	int placed = torus_cluster_place(stream->placer, &request, &placement, &error);

	check_within(placed, &error);
	if (!placed)
		return false;
	place->number = job->number;
	place->job.ranks = part->count;
	place->rank = or_quit(malloc(part->count * sizeof(uint32_t)));
	memcpy(place->rank, part->rank, part->count * sizeof(uint32_t));
	return true;
}

static void fill_job(const stream_t *stream, place_t *place)
{
	const arguments_t *arguments = &stream->arguments;
	contend_job_t *job = &place->job;
	torus_error_t error;

	place->cell = or_quit(malloc(job->ranks * sizeof(uint32_t)));
	job->node = or_quit(malloc(job->ranks * sizeof(uint32_t)));
	for (uint32_t i = 0; i < job->ranks; i++) {
		place->cell[i] = stream->map->cell_of_rank[place->rank[i]];
		/* Any node of the router: the network ends there. */
		job->node[i] = place->cell[i] * arguments->machine.per_router;
	}
	job->rounds = arguments->rounds;
	job->bytes = arguments->bytes;
	check_within(contend_job_set_patterns(job, arguments->pattern, &error), &error);
	check_within(torus_metrics(&stream->map->geometry, place->cell, place->rank,
				   job->ranks, stream->map->nodes,
				   stream->map->span == TORUS_SPAN_RING, &place->metrics,
				   &error),
		     &error);
}

static void start_all_that_fit(stream_t *stream, contend_network_t *network)
{
	while (stream->started < stream->workload.count) {
		place_t *place = &stream->place[stream->started];
		torus_error_t error;

		if (!find_place(stream, &stream->workload.job[stream->started], place)) {
			if (!stream->running)
				contend_quit(1, "a job can never be placed");
			return;
		}
		fill_job(stream, place);
		for (uint32_t i = 0; i < place->job.ranks; i++)
			torus_bit_clear(stream->free, place->rank[i]);
		place->run = contend_start(network, &place->job, false, &error);
		if (!place->run)
			contend_quit(2, error.text);
		stream->started++;
		stream->running++;
	}
}

static void end_next(stream_t *stream, contend_network_t *network)
{
	const contend_run_t *run = contend_next_end(network);

	for (size_t i = stream->started; i-- > 0;) {
		const place_t *place = &stream->place[i];

		if (place->run != run)
			continue;
		for (uint32_t k = 0; k < place->job.ranks; k++)
			torus_bit_set(stream->free, place->rank[k]);
		break;
	}
	stream->running--;
}

static void run_stream(contend_network_t *network, void *data)
{
	stream_t *stream = data;

	start_all_that_fit(stream, network);
	while (stream->running) {
		end_next(stream, network);
		start_all_that_fit(stream, network);
	}
}

/* --- what comes out ----------------------------------------------------- */

static void print(const stream_t *stream)
{
	printf("job,ranks,cells,start,end,undisturbed");
	for (int m = 0; m < TORUS_METRIC_VALUES; m++)
		printf(",%s", torus_metric_name(m));
	putchar('\n');
	for (size_t i = 0; i < stream->started; i++) {
		const place_t *place = &stream->place[i];

		char *cells =
			or_die(torus_ranklist_format(place->cell, place->job.ranks, ';'));

		printf("%" PRIu64 ",%u,%s,%.10g,%.10g,%.10g", place->number,
		       place->job.ranks, cells, place->run->start, place->run->end,
		       contend_job_undisturbed(&place->job,
					       stream->arguments.machine.bandwidth));
		free(cells);
		for (int m = 0; m < TORUS_METRIC_VALUES; m++)
			printf(",%.10g", torus_metric_value(&place->metrics, m));
		putchar('\n');
	}
}

static void clear(stream_t *stream)
{
	for (size_t i = 0; i < stream->started; i++) {
		free(stream->place[i].rank);
		free(stream->place[i].cell);
		free(stream->place[i].job.node);
		free(stream->place[i].run);
	}
	free(stream->place);
	free(stream->free);
	torus_workload_clear(&stream->workload);
	torus_cluster_placer_destroy(stream->placer);
	torus_map_destroy(stream->map);
}

/* --- options ------------------------------------------------------------ */

static void set_text(int code, const char *value, arguments_t *arguments)
{
	const char **const text[] = {
		[0] = &arguments->cells,
		[OPTION_CURVE - OPTION_CELLS] = &arguments->curve,
		[OPTION_ALLOCATOR - OPTION_CELLS] = &arguments->allocator,
		[OPTION_SPAN - OPTION_CELLS] = &arguments->span,
		[OPTION_WORKLOAD - OPTION_CELLS] = &arguments->workload,
		[OPTION_PATTERN - OPTION_CELLS] = &arguments->pattern,
	};

	*text[code - OPTION_CELLS] = value;
}

static void parse(int argc, char **argv, arguments_t *arguments)
{
	torus_error_t error;
	char *end;
	int code;

	while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (contend_machine_argument(code, optarg, &arguments->machine))
			continue;
		switch (code) {
		case OPTION_SEED:
			arguments->seed = strtoull(optarg, &end, 10);
			if (optarg[0] < '0' || optarg[0] > '9' || *end)
				errx(2, "--seed %s: not a number", optarg);
			break;
		case OPTION_ROUNDS:
			check(contend_rounds_parse(optarg, &arguments->rounds, &error),
			      &error);
			break;
		case OPTION_BYTES:
			check(contend_bytes_parse(optarg, &arguments->bytes, &error),
			      &error);
			break;
		case OPTION_HELP:
			fputs(help, stdout);
			exit(0);
		case '?':
			exit(2);
		default:
			set_text(code, optarg, arguments);
		}
	}
	contend_machine_arguments_check(&arguments->machine);
	if (!arguments->workload || !arguments->pattern || optind != argc)
		errx(2, "--workload and --pattern are wanted, and no arguments; see "
			"--help");
}

int main(int argc, char **argv)
{
	stream_t stream = {.arguments = {.cells = "all",
					 .curve = "hilbert",
					 .allocator = "best_fit",
					 .seed = 1,
					 .rounds = 1,
					 .bytes = 1e6}};
	contend_network_t *network;
	torus_error_t error;

	parse(argc, argv, &stream.arguments);
	make_map(&stream);
	make_workload(&stream);
	network = contend_network_create(&stream.arguments.machine.geometry,
					 stream.arguments.machine.per_router,
					 stream.arguments.machine.bandwidth, &error);
	if (!network)
		errx(2, "%s", error.text);
	contend_simulate(network, run_stream, &stream);
	print(&stream);
	clear(&stream);
	contend_network_destroy(network);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
