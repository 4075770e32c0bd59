/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus-stream: jobs are placed, communicate beside those that run, and end when they
 * have sent all they have to send. */
#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/duration.h"
#include "base/random.h"
#include "base/textfile.h"
#include "job.h"
#include "lists/ranklist.h"
#include "machine/nearness.h"
#include "machine/patience.h"
#include "machine_arguments.h"
#include "measures/values.h"
#include "network.h"
#include "sim/simulate.h"
#include "sim/swf.h"
#include "sim/synthetic/synthetic.h"
#include "strategies/strategies.h"
#include "taskmap/taskmap.h"
#include "wormhole.h"

static const char help[] =
	"Usage: torus-stream --dims AxBxC (--workload KIND | --trace FILE) --pattern PATTERN\n"
	"                    [OPTION]...\n"
	"Simulate jobs that communicate: each starts when the scheduler has a place for it, as in\n"
	"storus sim, and ends when it has done its rounds, which takes the longer the more others\n"
	"use the same links.\n"
	"\n" CONTEND_MACHINE_HELP "  --cells LIST         only these routers have nodes\n"
	"  --curve CURVE        the order of the nodes (default hilbert)\n"
	"  --allocator NAME     as in storus place (default best_fit)\n"
	"  --span RULE          ring or linear (default: ring if some dimension wraps)\n"
	"\n"
	"  --workload KIND      as in storus sim; its run times only count with --rounds run,\n"
	"                       but the jobs are submitted when it says (all at 0 with load=0)\n"
	"  --trace FILE         a log instead, in the Standard Workload Format, as storus sim\n"
	"                       --write-swf writes it, with the boxes that jobs ask for\n"
	"  --scheduler NAME     fcfs (default), cplant or greedy, as in storus sim; the\n"
	"                       others plan with run times, which are not known here\n"
	"  --period SECONDS     how often cplant looks at its queue (default 600)\n"
	"  --near R             jobs wait for a place whose mean distance is at most R times (1\n"
	"                       to 16) that of as many nodes alone, as in storus sim\n"
	"  --within TIME        so long, from when they could start: MINUTES,\n"
	"                       HOURS:MINUTES:SECONDS ..., infinite (default 5 minutes)\n"
	"  --seed N             of the workload, and of strategies that choose by chance\n"
	"                       (default 1)\n"
	"  --pattern P[+P...]   what a job sends in a round, see torus-contend --help; ranks\n"
	"                       are in the order of the nodes. Of several with commas each job\n"
	"                       has one by chance: halo,halo,fft+ring\n"
	"  --mapper NAME        the ranks of halo and multigrid are laid out as storus map does\n"
	"                       with this mapper; of a job that asks for a box of up to three\n"
	"                       dimensions they form that box. Of several patterns the first\n"
	"                       that has a grid decides\n"
	"  --rounds N           of each job (default 1); quota: as many as it takes for a node\n"
	"                       to send about as many messages as its job has other nodes, whole\n"
	"                       rounds and at least one; quota:F: F (above 0) times as many, to\n"
	"                       the end of a step, so that a job may do less than a round; run:\n"
	"                       as many as fill the job's run time if each message has links to\n"
	"                       itself, all of them one hop long\n"
	"  --bytes N            of each message (default 1e6)\n"
	"  --wormhole FLITS     messages of so many flits through wormhole routers, not flows\n"
	"                       of bytes; a second is a cycle, and a message waits while its\n"
	"                       header is blocked\n"
	"  --sizes KIND         with --wormhole: equal (default), or exponential: messages of\n"
	"                       FLITS by mean, each by chance\n"
	"  --help\n"
	"\n"
	"Prints CSV, a line for each job in the order of starts: job, ranks, their cells, start,\n"
	"end, undisturbed (seconds if each message had links to itself), when it was submitted,\n"
	"how many messages it sent, how many seconds longer one took than alone, by mean, the\n"
	"metrics of its place that storus place prints, and its pattern. Seconds count from the\n"
	"first submission on.\n";

#define LONGEST_PERIOD 1000000000L

enum {
	OPTION_CELLS = CONTEND_OPTION_OWN,
	OPTION_CURVE,
	OPTION_ALLOCATOR,
	OPTION_SPAN,
	OPTION_WORKLOAD,
	OPTION_TRACE,
	OPTION_SEED,
	OPTION_PATTERN,
	OPTION_SCHEDULER,
	OPTION_PERIOD,
	OPTION_NEAR,
	OPTION_WITHIN,
	OPTION_MAPPER,
	OPTION_ROUNDS,
	OPTION_BYTES,
	OPTION_WORMHOLE,
	OPTION_SIZES,
	OPTION_HELP,
};

static const struct option options[] = {
	CONTEND_MACHINE_OPTIONS,
	{"cells", required_argument, NULL, OPTION_CELLS},
	{"curve", required_argument, NULL, OPTION_CURVE},
	{"allocator", required_argument, NULL, OPTION_ALLOCATOR},
	{"span", required_argument, NULL, OPTION_SPAN},
	{"workload", required_argument, NULL, OPTION_WORKLOAD},
	{"trace", required_argument, NULL, OPTION_TRACE},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"pattern", required_argument, NULL, OPTION_PATTERN},
	{"scheduler", required_argument, NULL, OPTION_SCHEDULER},
	{"period", required_argument, NULL, OPTION_PERIOD},
	{"near", required_argument, NULL, OPTION_NEAR},
	{"within", required_argument, NULL, OPTION_WITHIN},
	{"mapper", required_argument, NULL, OPTION_MAPPER},
	{"rounds", required_argument, NULL, OPTION_ROUNDS},
	{"bytes", required_argument, NULL, OPTION_BYTES},
	{"wormhole", required_argument, NULL, OPTION_WORMHOLE},
	{"sizes", required_argument, NULL, OPTION_SIZES},
	{"help", no_argument, NULL, OPTION_HELP},
	{0},
};

/* How many rounds jobs do. */
typedef enum rounds_rule {
	ROUNDS_FIXED, /* all the same number */
	ROUNDS_QUOTA, /* by messages */
	ROUNDS_SHARE, /* by messages, rounds whole or not */
	ROUNDS_RUN,   /* by run times */
} rounds_rule_t;

typedef struct arguments {
	contend_machine_arguments_t machine;
	const char *cells, *curve, *allocator, *span, *workload, *trace, *pattern;
	uint64_t seed;
	torus_scheduler_t scheduler;
	int64_t period; /* seconds; 0: as storus sim */
	uint32_t near;	/* in thousandths; 0: jobs wait for no better place */
	int64_t within; /* seconds; below 0: not given */
	bool maps;
	torus_mapper_t mapper; /* if it maps */
	rounds_rule_t rule;
	uint32_t rounds; /* ROUNDS_FIXED: of each job */
	double share;	 /* ROUNDS_SHARE: of the quota */
	double bytes;
	uint32_t flits; /* 0: flows */
	bool exponential;
} arguments_t;

/* A job that has started, and where it is. */
typedef struct place {
	contend_job_t job;
	size_t number;	/* in the workload */
	uint32_t *cell; /* [job.ranks] */
	contend_run_t *run;
	torus_metrics_t metrics;
} place_t;

typedef struct stream {
	arguments_t arguments;
	torus_map_t *map;
	const torus_map_t *maps[1];
	torus_workload_t workload;
	/* One of them is NULL. */
	contend_network_t *network;
	wormhole_t *wormhole;
	place_t *place; /* [workload.count] in the order of starts */
	size_t started;
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
	free(cell_of_node);
}

static void generate_workload(stream_t *stream)
{
	torus_synthetic_machine_t machine = {stream->map->nodes, stream->map->geometry};
	torus_synthetic_t synthetic;
	torus_error_t error;

	check(torus_synthetic_parse(stream->arguments.workload, &synthetic, &error),
	      &error);
	check(torus_synthetic_generate(&synthetic, &machine, stream->arguments.seed,
				       &stream->workload, &error),
	      &error);
}

static void read_trace(stream_t *stream)
{
	torus_error_t error;
	size_t length;
	char *text;

	check(torus_textfile_read(stream->arguments.trace, &text, &length, &error),
	      &error);
	check(torus_swf_read(text, length, 1, &stream->workload, &error), &error);
	free(text);
	if (!stream->workload.count)
		errx(2, "%s: no job in it", stream->arguments.trace);
}

static void make_workload(stream_t *stream)
{
	if (stream->arguments.trace)
		read_trace(stream);
	else
		generate_workload(stream);
	for (size_t i = 0; i < stream->workload.count; i++)
		stream->workload.job[i].wishes = stream->arguments.near;
	stream->place = or_die(calloc(stream->workload.count + 1, sizeof(place_t)));
}

/* --- the jobs: within the simulation ------------------------------------ */

/*
 * Rounds after which each node of the job has sent, by mean, about as many messages as
 * there are other nodes.
 */
static uint32_t quota_rounds(const contend_job_t *job)
{
	uint64_t messages = contend_job_messages(job);
	uint64_t wanted = (uint64_t)job->ranks * (job->ranks - 1);
	uint64_t rounds = messages ? (wanted + messages / 2) / messages : 1;

	return rounds ? (uint32_t)rounds : 1;
}

/* Set how far the job goes for so much of the quota: to the end of a step. */
static void set_share(contend_job_t *job, double share)
{
	double wanted = ceil(share * job->ranks * (job->ranks - 1.0));
	uint32_t of_round = contend_job_steps(job);

	job->steps = contend_job_steps_for(job, wanted >= 1 ? (uint64_t)wanted : 1);
	job->rounds = of_round ? (uint32_t)((job->steps + of_round - 1) / of_round) : 1;
}

/* contend_rate_t: through wormhole routers a flit a cycle. */
static double flit_rate(const void *network, uint32_t from, uint32_t to)
{
	(void)network;
	(void)from;
	(void)to;
	return 1;
}

/* Rounds that take [run_time] microseconds if no message travels far or waits. */
static uint32_t run_rounds(const stream_t *stream, const contend_job_t *job,
			   int64_t run_time)
{
	const arguments_t *arguments = &stream->arguments;
	contend_job_t once = *job;
	double seconds, rounds;

	once.rounds = 1;
	if (stream->wormhole)
		once.bytes = arguments->flits;
	seconds = contend_job_undisturbed(
		&once, stream->wormhole ? flit_rate : contend_network_rate,
		stream->network);
	rounds = seconds > 0 ? round((double)run_time / TORUS_SECOND / seconds) : 1;
	if (rounds < 1)
		return 1;
	return rounds < UINT32_MAX ? (uint32_t)rounds : UINT32_MAX;
}

static uint32_t count_rounds(const stream_t *stream, const place_t *place)
{
	switch (stream->arguments.rule) {
	case ROUNDS_QUOTA:
		return quota_rounds(&place->job);
	case ROUNDS_RUN:
		return run_rounds(stream, &place->job,
				  stream->workload.job[place->number].run_time);
	default:
		return stream->arguments.rounds;
	}
}

/* What chance begins with for job [number]; never 0. */
static uint64_t lucky(const arguments_t *arguments, size_t number)
{
	uint64_t chance = arguments->seed ^ (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return chance ? chance : 1;
}

/*
 * The patterns that job [number] has, to be freed; NULL: out of memory. Its luck depends
 * on the seed and its number only.
 */
static char *choose_patterns(const arguments_t *arguments, size_t number)
{
	uint64_t chance = lucky(arguments, number);
	const char *item = arguments->pattern;
	uint32_t items = 1, skip;

	for (const char *at = item; *at; at++)
		items += *at == ',';
	for (skip = torus_random_below(&chance, items); skip; skip--)
		item = strchr(item, ',') + 1;
	return strndup(item, strcspn(item, ","));
}

/* The ranks of a job that asks for a box of so many form that box. */
static void set_grid(const torus_sim_job_t *asked, contend_job_t *job)
{
	torus_task_grid_t grid = {.dims = asked->shape.dims};

	if (!asked->has_shape || asked->shape.dims > 3 || asked->nodes != job->ranks)
		return;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		grid.length[axis] = axis < grid.dims ? asked->shape.side[axis] : 1;
	for (int i = 0; i < job->patterns; i++)
		contend_pattern_set_grid(&job->pattern[i], &grid);
}

/* Lay the ranks out for the first pattern with a grid. */
static int map_ranks(const stream_t *stream, place_t *place, torus_error_t *err)
{
	const torus_mapper_budget_t budget =
		torus_mapper_budget(TORUS_MAPPER_SECONDS, TORUS_MAPPER_SEED);
	contend_job_t *job = &place->job;
	torus_task_job_t tasks = {
		.geometry = &stream->map->geometry,
		.nodes = job->ranks,
		.cell = place->cell,
	};
	uint32_t *ones, *node_of_task;
	int i = 0, result = -1;

	while (i < job->patterns && !job->pattern[i].grid.dims)
		i++;
	if (i == job->patterns)
		return 0;
	tasks.grid = &job->pattern[i].grid;
	ones = malloc(job->ranks * sizeof(*ones));
	node_of_task = malloc(job->ranks * sizeof(*node_of_task));
	if (!ones || !node_of_task) {
		torus_fail(err, "out of memory");
		goto out;
	}
	for (uint32_t node = 0; node < job->ranks; node++)
		ones[node] = 1;
	tasks.tasks_on_node = ones;
	result = torus_taskmap(stream->arguments.mapper, &tasks, &budget, node_of_task,
			       err);
	for (uint32_t task = 0; !result && task < job->ranks; task++)
		job->node[task] = place->cell[node_of_task[task]] *
				  stream->arguments.machine.per_router;
out:
	free(ones);
	free(node_of_task);
	return result;
}

static int fill_job(const stream_t *stream, const uint32_t *rank, place_t *place,
		    torus_error_t *err)
{
	const arguments_t *arguments = &stream->arguments;
	contend_job_t *job = &place->job;

	place->cell = malloc(job->ranks * sizeof(uint32_t));
	job->node = malloc(job->ranks * sizeof(uint32_t));
	if (!place->cell || !job->node)
		return torus_fail(err, "out of memory");
	for (uint32_t i = 0; i < job->ranks; i++) {
		place->cell[i] = stream->map->cell_of_rank[rank[i]];
		/* Any node of the router: the network ends there. */
		job->node[i] = place->cell[i] * arguments->machine.per_router;
	}
	job->bytes = arguments->bytes;
	job->word = choose_patterns(arguments, place->number);
	if (!job->word)
		return torus_fail(err, "out of memory");
	if (contend_job_set_patterns(job, job->word, err))
		return -1;
	if (arguments->maps) {
		set_grid(&stream->workload.job[place->number], job);
		if (map_ranks(stream, place, err))
			return -1;
	}
	if (arguments->rule == ROUNDS_SHARE)
		set_share(job, arguments->share);
	else
		job->rounds = count_rounds(stream, place);
	if (arguments->exponential)
		job->sizes = lucky(arguments, place->number);
	return torus_metrics(&stream->map->geometry, place->cell, rank, job->ranks,
			     stream->map->nodes, stream->map->span == TORUS_SPAN_RING,
			     &place->metrics, err);
}

static int start_job(void *context, size_t job, const uint32_t *rank, uint32_t ranks,
		     torus_error_t *err)
{
	stream_t *stream = context;
	place_t *place = &stream->place[stream->started++];

	place->number = job;
	place->job.ranks = ranks;
	if (fill_job(stream, rank, place, err))
		return -1;
	if (stream->wormhole)
		place->run = wormhole_start(stream->wormhole, &place->job, err);
	else
		place->run = contend_start(stream->network, &place->job, false, err);
	return place->run ? 0 : -1;
}

/* The simulator counts microseconds, the network seconds from the first submission on. */
static double seconds_of(const stream_t *stream, int64_t time)
{
	return (double)(time - stream->workload.job[0].submit) / TORUS_SECOND;
}

static int64_t time_of(const stream_t *stream, double seconds)
{
	return stream->workload.job[0].submit +
	       (int64_t)ceil(seconds * TORUS_SECOND - 1e-3);
}

/* The next end among the flows, as contend_next_end(). */
static int next_flow_end(const stream_t *stream, int64_t until, contend_run_t **run,
			 torus_error_t *err)
{
	double now = contend_now(stream->network);
	double seconds = INFINITY;

	if (until != INT64_MAX)
		seconds = seconds_of(stream, until);
	/* Of this microsecond: what else ends now, but no time passes. */
	if (until <= time_of(stream, now))
		seconds = now;
	return contend_next_end(stream->network, seconds, run, err);
}

static int next_end(void *context, int64_t until, size_t *job, int64_t *end,
		    torus_error_t *err)
{
	stream_t *stream = context;
	int64_t begin = stream->workload.job[0].submit;
	contend_run_t *run;
	int ended;

	if (stream->wormhole)
		ended = wormhole_next_end(stream->wormhole,
					  until == INT64_MAX ? until : until - begin,
					  &run, err);
	else
		ended = next_flow_end(stream, until, &run, err);
	if (ended <= 0)
		return ended;
	for (size_t i = stream->started; i-- > 0;) {
		if (stream->place[i].run == run)
			*job = stream->place[i].number;
	}
	*end = time_of(stream, run->end);
	if (*end > until)
		*end = until;
	return 1;
}

/* What all jobs wish for. */
static torus_sim_wish_t make_wish(const arguments_t *arguments)
{
	torus_sim_wish_t wish = {.near = arguments->near, .within = TORUS_FOR_EVER};

	if (arguments->within < TORUS_DURATION_MAX)
		wish.within = TORUS_SECOND * (arguments->within < 0 ? TORUS_PATIENCE_USUAL
								    : arguments->within);
	return wish;
}

static void run_stream(stream_t *stream)
{
	const torus_sim_runner_t runner = {start_job, next_end, stream};
	const torus_sim_config_t config = {
		.map = stream->maps,
		.tori = 1,
		.scheduler = stream->arguments.scheduler,
		.period = stream->arguments.period * TORUS_SECOND,
		.seed = stream->arguments.seed,
		.forget = true,
		.wish = make_wish(&stream->arguments),
		.runner = &runner,
	};
	torus_sim_result_t result;
	torus_error_t error;

	if (torus_simulate(&stream->workload, &config, &result, &error))
		errx(2, "%s", error.text);
	if (result.count < stream->workload.count)
		errx(1, "a job can never be placed");
	torus_sim_result_clear(&result);
}

/* --- what comes out ----------------------------------------------------- */

static double undisturbed(const stream_t *stream, const contend_job_t *job)
{
	if (stream->wormhole)
		return wormhole_undisturbed(stream->wormhole, job);
	return contend_job_undisturbed(job, contend_network_rate, stream->network);
}

static void print(const stream_t *stream)
{
	printf("job,ranks,cells,start,end,undisturbed,submit,messages,message_wait");
	for (int m = 0; m < TORUS_METRIC_VALUES; m++)
		printf(",%s", torus_metric_name(m));
	puts(",pattern");
	for (size_t i = 0; i < stream->started; i++) {
		const place_t *place = &stream->place[i];
		const torus_sim_job_t *job = &stream->workload.job[place->number];
		uint64_t messages = place->run->messages;
		char *cells =
			or_die(torus_ranklist_format(place->cell, place->job.ranks, ';'));

		printf("%" PRIu64 ",%u,%s,%.10g,%.10g,%.10g", job->number,
		       place->job.ranks, cells, place->run->start, place->run->end,
		       undisturbed(stream, &place->job));
		printf(",%.10g,%" PRIu64 ",%.6g", seconds_of(stream, job->submit),
		       messages, messages ? place->run->waited / (double)messages : 0);
		free(cells);
		for (int m = 0; m < TORUS_METRIC_VALUES; m++)
			printf(",%.10g", torus_metric_value(&place->metrics, m));
		printf(",%s\n", place->job.word);
	}
}

static void clear(stream_t *stream)
{
	for (size_t i = 0; i < stream->started; i++) {
		free(stream->place[i].cell);
		free(stream->place[i].job.node);
		free(stream->place[i].job.word);
		free(stream->place[i].run);
	}
	free(stream->place);
	torus_workload_clear(&stream->workload);
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
		[OPTION_TRACE - OPTION_CELLS] = &arguments->trace,
		[OPTION_PATTERN - OPTION_CELLS] = &arguments->pattern,
	};

	*text[code - OPTION_CELLS] = value;
}

/* Refuse patterns before the first job has one. */
static void check_patterns(const char *text)
{
	size_t length = strlen(text);
	char *words = or_die(strdup(text)), *item = words;
	contend_job_t job = {.ranks = 1};
	torus_error_t error;

	while (item <= words + length) {
		size_t end = strcspn(item, ",");

		item[end] = '\0';
		check(contend_job_set_patterns(&job, item, &error), &error);
		item += end + 1;
	}
	free(words);
}

static void set_rounds(const char *value, arguments_t *arguments)
{
	torus_error_t error;
	char *end;

	arguments->rule = !strcmp(value, "quota")	 ? ROUNDS_QUOTA
			  : !strncmp(value, "quota:", 6) ? ROUNDS_SHARE
			  : !strcmp(value, "run")	 ? ROUNDS_RUN
							 : ROUNDS_FIXED;
	if (arguments->rule == ROUNDS_FIXED)
		check(contend_rounds_parse(value, &arguments->rounds, &error), &error);
	if (arguments->rule != ROUNDS_SHARE)
		return;
	arguments->share = strtod(value + 6, &end);
	if (!value[6] || *end || !(arguments->share > 0 && arguments->share <= 1000))
		errx(2,
		     "--rounds %s: the share of the quota must be above 0 and at most "
		     "1000, as quota:0.2",
		     value);
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
		case OPTION_SCHEDULER:
			check(torus_scheduler_parse(optarg, &arguments->scheduler,
						    &error),
			      &error);
			break;
		case OPTION_PERIOD:
			arguments->period = strtoll(optarg, &end, 10);
			if (optarg[0] < '1' || optarg[0] > '9' || *end ||
			    arguments->period > LONGEST_PERIOD)
				errx(2, "--period %s: must be 1 to %ld", optarg,
				     LONGEST_PERIOD);
			break;
		case OPTION_ROUNDS:
			set_rounds(optarg, arguments);
			break;
		case OPTION_MAPPER:
			arguments->maps = true;
			check(torus_mapper_parse(optarg, &arguments->mapper, &error),
			      &error);
			break;
		case OPTION_NEAR:
			check(torus_near_parse(optarg, &arguments->near, &error), &error);
			break;
		case OPTION_WITHIN:
			check(torus_duration_or_infinite(optarg, &arguments->within,
							 &error),
			      &error);
			break;
		case OPTION_BYTES:
			check(contend_bytes_parse(optarg, &arguments->bytes, &error),
			      &error);
			break;
		case OPTION_WORMHOLE:
			arguments->flits = (uint32_t)strtoul(optarg, &end, 10);
			if (optarg[0] < '1' || optarg[0] > '9' || *end ||
			    strtoul(optarg, NULL, 10) > CONTEND_MOST_FLITS)
				errx(2, "--wormhole %s: must be 1 to %u flits", optarg,
				     CONTEND_MOST_FLITS);
			break;
		case OPTION_SIZES:
			arguments->exponential = !strcmp(optarg, "exponential");
			if (!arguments->exponential && strcmp(optarg, "equal"))
				errx(2, "--sizes %s: must be equal or exponential",
				     optarg);
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
	if ((!arguments->workload && !arguments->trace) || !arguments->pattern ||
	    optind != argc)
		errx(2, "--workload (or --trace) and --pattern are wanted, and no "
			"arguments; see --help");
	check_patterns(arguments->pattern);
	if (arguments->workload && arguments->trace)
		errx(2, "--workload and --trace exclude each other");
	if (arguments->flits && arguments->machine.bandwidths)
		errx(2,
		     "--wormhole: channels carry a flit a cycle, whatever --bandwidth");
	if (arguments->exponential && !arguments->flits)
		errx(2, "--sizes exponential goes with --wormhole FLITS");
	if (arguments->within >= 0 && !arguments->near)
		errx(2, "wait for what? --within goes with --near");
}

static void make_network(stream_t *stream)
{
	const contend_machine_arguments_t *machine = &stream->arguments.machine;
	torus_error_t error;

	if (stream->arguments.flits)
		stream->wormhole = wormhole_create(&machine->geometry, machine->per_router,
						   stream->arguments.flits, &error);
	else
		stream->network =
			contend_network_create(&machine->geometry, machine->per_router,
					       machine->bandwidth, &error);
	if (!stream->wormhole && !stream->network)
		errx(2, "%s", error.text);
}

int main(int argc, char **argv)
{
	stream_t stream = {.arguments = {.cells = "all",
					 .curve = "hilbert",
					 .allocator = "best_fit",
					 .seed = 1,
					 .within = -1,
					 .rounds = 1,
					 .bytes = 1e6}};

	parse(argc, argv, &stream.arguments);
	make_map(&stream);
	make_workload(&stream);
	make_network(&stream);
	run_stream(&stream);
	print(&stream);
	wormhole_destroy(stream.wormhole);
	contend_network_destroy(stream.network);
	clear(&stream);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
