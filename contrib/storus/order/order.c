/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus order: an order of the nodes of an irregular network. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/printable.h"
#include "order/search.h"
#include "storus/cli/progress.h"
#include "storus/cli/replace_file.h"
#include "storus/commands.h"
#include "storus/order/options.h"
#include "storus/order/subject.h"

/*
 * Pairs that the search looks at: this many for each pair of near nodes, and in all no
 * more than a processor does in a second or two.
 */
#define SEARCH_WORK_A_PAIR UINT64_C(200000)
#define SEARCH_WORK UINT64_C(300000000)
/* With --solver auto, larger programs (by coefficients) are not given to a solver. */
#define AUTO_SIZE UINT64_C(100000)

/* What is known of the best order. */
typedef struct finding {
	uint32_t *order;    /* [nodes], one of the starts' */
	const char *start;  /* its name */
	const char *solver; /* that has tried it, or "none" */
	double start_value, value, bound;
	bool optimal;
} finding_t;

/* The work of one run. */
typedef struct work {
	const storus_order_options_t *options;
	double begin; /* processor seconds used before */
	storus_order_subject_t subject;
	torus_order_objective_t objective;
	torus_task_graph_t *near;
	storus_order_start_t start[STORUS_ORDER_STARTS];
	int starts;
	finding_t finding;
} work_t;

static double processor_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What is left of --time-limit; negative: nothing. */
static double seconds_left(const work_t *work)
{
	return work->options->seconds - (processor_seconds() - work->begin);
}

/* Whether the time is up. Without a search (--time-limit 0) nothing is hurried. */
static bool is_late(void *argument)
{
	const work_t *work = argument;

	return work->options->seconds > 0 && seconds_left(work) <= 0;
}

static int value_of(const work_t *work, const uint32_t *order, double *value)
{
	uint32_t nodes = work->subject.network.nodes;
	uint32_t *position = malloc(nodes * sizeof(*position));

	if (!position) {
		warnx("out of memory for an order of %" PRIu32 " nodes", nodes);
		return -1;
	}
	for (uint32_t p = 0; p < nodes; p++)
		position[order[p]] = p;
	*value = torus_order_value(&work->objective, position);
	free(position);
	return 0;
}

/* The start of highest value, the first of several, becomes the finding. */
static int choose_start(work_t *work)
{
	finding_t *finding = &work->finding;

	for (int i = 0; i < work->starts; i++) {
		double value;

		if (value_of(work, work->start[i].order, &value) != 0)
			return -1;
		if (finding->start && value <= finding->value)
			continue;
		finding->start = work->start[i].name;
		finding->value = finding->start_value = value;
		memcpy(finding->order, work->start[i].order,
		       work->subject.network.nodes * sizeof(*finding->order));
	}
	return 0;
}

static int search(work_t *work)
{
	uint64_t pairs = work->near->first[work->near->tasks] / 2;
	const torus_mapper_budget_t budget = {
		.work = pairs < SEARCH_WORK / SEARCH_WORK_A_PAIR
				? (pairs + 1) * SEARCH_WORK_A_PAIR
				: SEARCH_WORK,
		.seconds = fmax(seconds_left(work), 0),
		.seed = work->options->seed};
	finding_t *finding = &work->finding;
	torus_error_t error;
	int rc;

	if (torus_order_bound(&work->objective, &finding->bound, &error) != 0) {
		warnx("%s", error.text);
		return -1;
	}
	storus_progress_begin("searching");
	rc = torus_order_improve(&work->objective, &budget, storus_progress, NULL,
				 finding->order, &finding->value, &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	return rc;
}

/* The solver to ask, or NULL. */
static const storus_solver_t *choose_solver(const work_t *work)
{
	const storus_order_options_t *options = work->options;

	if (options->no_solver || options->seconds == 0 ||
	    work->subject.network.nodes < 2)
		return NULL;
	if (options->solver)
		return options->solver;
	return torus_order_model_size(&work->objective) <= AUTO_SIZE ? storus_solver_any()
								     : NULL;
}

/* Refuse a program that is too large for --solver before the search begins. */
static int check_size(const work_t *work)
{
	if (!work->options->solver ||
	    torus_order_model_size(&work->objective) <= TORUS_ORDER_MODEL_MAX)
		return 0;
	warnx("the integer program for %" PRIu32 " nodes is too large for a solver; use "
	      "--solver none",
	      work->subject.network.nodes);
	return -1;
}

/* Take over what the solver has found out. */
static int take_solution(work_t *work, const storus_solution_t *solution)
{
	finding_t *finding = &work->finding;
	double value;

	if (solution->bound < finding->bound)
		finding->bound = solution->bound;
	if (!solution->found)
		return 0;
	if (value_of(work, solution->order, &value) != 0)
		return -1;
	if (value > finding->value) {
		finding->value = value;
		memcpy(finding->order, solution->order,
		       work->subject.network.nodes * sizeof(*finding->order));
	}
	if (solution->optimal)
		finding->bound = finding->value;
	return 0;
}

static int solve(work_t *work)
{
	const storus_solver_t *solver = choose_solver(work);
	uint32_t nodes = work->subject.network.nodes;
	storus_solution_t solution;
	torus_order_model_t *model;
	torus_error_t error = {"out of memory"};
	int rc = -1;

	work->finding.solver = solver ? solver->name : "none";
	if (!solver)
		return 0;
	model = torus_order_model_create(&work->objective, &error);
	solution.order = malloc(nodes * sizeof(*solution.order));
	storus_progress_begin("solving");
	if (model && solution.order)
		rc = solver->solve(&work->objective, model, work->finding.order,
				   work->options->seconds, &solution, &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	else
		rc = take_solution(work, &solution);
	free(solution.order);
	torus_order_model_destroy(model);
	return rc;
}

/* Solvers say what they know but for rounding. */
static void judge(finding_t *finding)
{
	double least = finding->bound * (1 - 1e-9);

	finding->optimal = finding->value >= least;
	if (finding->bound < finding->value)
		finding->bound = finding->value;
}

/* How far the bound is above the value, of the bound, in percent. */
static double gap(const finding_t *finding)
{
	return finding->bound > 0
		       ? 100 * (finding->bound - finding->value) / finding->bound
		       : 0;
}

static int find(work_t *work)
{
	const storus_order_options_t *options = work->options;
	torus_error_t error;

	if (storus_order_subject_open(options, &work->subject) != 0)
		return -1;
	storus_progress_begin("looking for near nodes");
	work->near = torus_network_near(&work->subject.network, (uint32_t)options->reach,
					is_late, work, &error);
	storus_progress_end();
	if (!work->near) {
		warnx("%s", error.text);
		return -1;
	}
	work->objective = options->objective;
	work->objective.near = work->near;
	work->finding.order =
		malloc(work->subject.network.nodes * sizeof(*work->finding.order));
	if (!work->finding.order) {
		warnx("out of memory");
		return -1;
	}
	if (check_size(work) != 0 ||
	    storus_order_starts(options, &work->subject, &work->objective, is_late, work,
				work->start, &work->starts) != 0 ||
	    choose_start(work) != 0 || search(work) != 0 || solve(work) != 0)
		return -1;
	judge(&work->finding);
	return 0;
}

/* The order as a file for Curve=file:. */
static void write_order(const work_t *work, FILE *file)
{
	const finding_t *finding = &work->finding;
	char clean[512];

	fprintf(file,
		"# Made by storus order from %s: k %" PRIu32 ", reach %" PRIu64
		", objective %.9g,\n"
		"# bound %.9g, gap %.3g%%, %s.\n",
		torus_printable(work->subject.source, clean, sizeof(clean)),
		work->objective.k, work->options->reach, finding->value, finding->bound,
		gap(finding), finding->optimal ? "optimal" : "not proven to be optimal");
	for (uint32_t p = 0; p < work->subject.network.nodes; p++)
		fprintf(file, "%s\n", work->subject.name[finding->order[p]]);
}

static int save(const work_t *work)
{
	storus_replacement_t replacement;
	torus_error_t error;

	if (storus_replacement_begin(&replacement, work->options->output, &error) == 0) {
		write_order(work, replacement.file);
		if (storus_replacement_commit(&replacement, &error) == 0)
			return 0;
	}
	warnx("%s", error.text);
	return -1;
}

static void print_finding(const work_t *work)
{
	const finding_t *finding = &work->finding;
	const storus_field_t fields[] = {
		storus_count("nodes", work->subject.network.nodes),
		storus_count("pairs", work->near->first[work->near->tasks] / 2),
		storus_text("start", finding->start),
		storus_ratio("start_objective", finding->start_value),
		storus_ratio("objective", finding->value),
		storus_ratio("bound", finding->bound),
		storus_ratio("gap_percent", gap(finding)),
		storus_yes_no("optimal", finding->optimal),
		storus_text("solver", finding->solver),
	};

	storus_record_print(stdout, work->options->format, fields,
			    sizeof(fields) / sizeof(fields[0]));
}

enum { COMPARED_FIELDS = 3 };

static int compared_order(const work_t *work, const char *name, const uint32_t *order,
			  storus_field_t fields[COMPARED_FIELDS])
{
	double value, mean;

	if (value_of(work, order, &value) != 0 ||
	    storus_order_mean_distance(&work->subject, order, &mean) != 0)
		return -1;
	fields[0] = storus_text("order", name);
	fields[1] = storus_ratio("objective", value);
	fields[2] = storus_ratio("mean_distance", mean);
	if (mean < 0)
		fields[2].kind = STORUS_MISSING;
	return 0;
}

static int print_comparison(const work_t *work)
{
	storus_field_t fields[COMPARED_FIELDS];
	storus_table_t table;

	storus_table_begin(&table, stdout, work->options->format);
	for (int i = 0; i <= work->starts; i++) {
		bool last = i == work->starts;

		if (compared_order(work, last ? "found" : work->start[i].name,
				   last ? work->finding.order : work->start[i].order,
				   fields) != 0)
			return -1;
		storus_table_row(&table, fields, COMPARED_FIELDS);
	}
	storus_table_end(&table, fields, COMPARED_FIELDS);
	return 0;
}

static int report(const work_t *work)
{
	if (work->options->output && save(work) != 0)
		return -1;
	if (work->options->compare)
		return print_comparison(work);
	if (work->options->output)
		print_finding(work);
	else
		write_order(work, stdout);
	return 0;
}

int storus_order(int argc, char **argv)
{
	storus_order_options_t options;
	work_t work = {.options = &options, .begin = processor_seconds()};
	int status;

	if (storus_order_options_read(argc, argv, &options, &status) != 0)
		return status;
	status = find(&work) == 0 && report(&work) == 0 ? STORUS_OK : STORUS_BAD;
	for (int i = 0; i < work.starts; i++)
		free(work.start[i].order);
	free(work.finding.order);
	torus_task_graph_destroy(work.near);
	storus_order_subject_clear(&work.subject);
	return status;
}
