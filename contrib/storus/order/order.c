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
#include "storus/order/aim.h"

/*
 * Pairs that the search looks at: this many for each pair of near nodes, and in all no
 * more than a processor does in a second or two.
 */
#define SEARCH_WORK_A_PAIR UINT64_C(200000)
#define SEARCH_WORK UINT64_C(300000000)
/* Distances that it looks up where these are the aim: some seconds, too. */
#define SEARCH_DISTANCES UINT64_C(600000000)
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
	storus_order_aim_t aim;
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

/* The start of highest value, the first of several, becomes the finding. */
static int choose_start(work_t *work)
{
	finding_t *finding = &work->finding;

	for (int i = 0; i < work->starts; i++) {
		double value;

		if (storus_order_aim_value(&work->aim, work->start[i].order, &value) != 0)
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

/* [order] becomes the finding if it is better. */
static int take_better(work_t *work, const uint32_t *order)
{
	finding_t *finding = &work->finding;
	double value;

	if (storus_order_aim_value(&work->aim, order, &value) != 0)
		return -1;
	if (value > finding->value) {
		finding->value = value;
		memcpy(finding->order, order,
		       work->subject.network.nodes * sizeof(*finding->order));
	}
	return 0;
}

static int search(work_t *work)
{
	const torus_task_graph_t *near = work->aim.near;
	uint64_t pairs = near->first[near->tasks] / 2;
	const torus_mapper_budget_t budget = {
		.work = work->aim.distance ? SEARCH_DISTANCES
			: pairs < SEARCH_WORK / SEARCH_WORK_A_PAIR
				? (pairs + 1) * SEARCH_WORK_A_PAIR
				: SEARCH_WORK,
		.seconds = fmax(seconds_left(work), 0),
		.seed = work->options->seed};
	const torus_order_goal_t goal = storus_order_aim_goal(&work->aim);
	finding_t *finding = &work->finding;
	torus_error_t error;
	uint32_t *order;
	double searched;
	int rc;

	if (storus_order_aim_bound(&work->aim, &finding->bound) != 0)
		return -1;
	if (work->options->seconds == 0)
		return 0;
	order = malloc(near->tasks * sizeof(*order));
	if (!order) {
		warnx("out of memory for an order of %" PRIu32 " nodes", near->tasks);
		return -1;
	}
	memcpy(order, finding->order, near->tasks * sizeof(*order));
	storus_progress_begin("searching");
	rc = torus_order_improve(&goal, &budget, storus_progress, NULL, order, &searched,
				 &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	else
		rc = take_better(work, order);
	free(order);
	return rc;
}

/* The coefficients of the integer program; UINT64_MAX if there is none. */
static uint64_t program_size(const work_t *work)
{
	double more;
	const torus_order_objective_t *program =
		storus_order_aim_program(&work->aim, &more);

	return program ? torus_order_model_size(program) : UINT64_MAX;
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
	return program_size(work) <= AUTO_SIZE ? storus_solver_any() : NULL;
}

/* Refuse a program that is too large for --solver before the search begins. */
static int check_size(const work_t *work)
{
	if (!work->options->solver || program_size(work) <= TORUS_ORDER_MODEL_MAX)
		return 0;
	warnx("the integer program for %" PRIu32 " nodes is too large for a solver; use "
	      "--solver none",
	      work->subject.network.nodes);
	return -1;
}

/* Take over what the solver has found out; its values are [more] above ours. */
static int take_solution(work_t *work, const storus_solution_t *solution, double more)
{
	finding_t *finding = &work->finding;

	if (solution->bound - more < finding->bound)
		finding->bound = solution->bound - more;
	if (!solution->found)
		return 0;
	if (take_better(work, solution->order) != 0)
		return -1;
	if (solution->optimal)
		finding->bound = finding->value;
	return 0;
}

static int solve(work_t *work)
{
	const storus_solver_t *solver = choose_solver(work);
	uint32_t nodes = work->subject.network.nodes;
	const torus_order_objective_t *program;
	storus_solution_t solution;
	torus_order_model_t *model;
	torus_error_t error = {"out of memory"};
	double more;
	int rc = -1;

	work->finding.solver = solver ? solver->name : "none";
	if (!solver)
		return 0;
	program = storus_order_aim_program(&work->aim, &more);
	model = torus_order_model_create(program, &error);
	solution.order = malloc(nodes * sizeof(*solution.order));
	storus_progress_begin("solving");
	if (model && solution.order)
		rc = solver->solve(program, model, work->finding.order,
				   work->options->seconds, &solution, &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	else
		rc = take_solution(work, &solution, more);
	free(solution.order);
	torus_order_model_destroy(model);
	return rc;
}

/* Solvers say what they know but for rounding. */
static void judge(finding_t *finding)
{
	double rounding = 1e-9 * fabs(finding->bound);

	finding->optimal = finding->value >= finding->bound - rounding;
	if (finding->bound < finding->value)
		finding->bound = finding->value;
}

/* How far the value is from the bound, of the bound, in percent. */
static double gap(const finding_t *finding)
{
	return finding->bound != 0
		       ? 100 * (finding->bound - finding->value) / fabs(finding->bound)
		       : 0;
}

static int find(work_t *work)
{
	const storus_order_options_t *options = work->options;

	if (storus_order_subject_open(options, &work->subject) != 0 ||
	    storus_order_aim_open(options, &work->subject, is_late, work, &work->aim) !=
		    0)
		return -1;
	work->finding.order =
		malloc(work->subject.network.nodes * sizeof(*work->finding.order));
	if (!work->finding.order) {
		warnx("out of memory");
		return -1;
	}
	if (check_size(work) != 0 ||
	    storus_order_starts(options, &work->subject, &work->aim.nearness, is_late,
				work, work->start, &work->starts) != 0 ||
	    choose_start(work) != 0 || search(work) != 0 || solve(work) != 0)
		return -1;
	judge(&work->finding);
	return 0;
}

/* The order as a file for Curve=file:. */
static void write_order(const work_t *work, FILE *file)
{
	const storus_order_aim_t *aim = &work->aim;
	const finding_t *finding = &work->finding;
	char clean[512];

	fprintf(file,
		"# Made by storus order from %s: %s, objective %.9g,\n"
		"# bound %.9g, gap %.3g%%, %s.\n",
		torus_printable(work->subject.source, clean, sizeof(clean)),
		storus_order_aim_text(aim), storus_order_aim_print(aim, finding->value),
		storus_order_aim_print(aim, finding->bound), gap(finding),
		finding->optimal ? "optimal" : "not proven to be optimal");
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
	const storus_order_aim_t *aim = &work->aim;
	const finding_t *finding = &work->finding;
	const storus_field_t fields[] = {
		storus_count("nodes", work->subject.network.nodes),
		storus_count("pairs", aim->near->first[aim->near->tasks] / 2),
		storus_text("start", finding->start),
		storus_ratio("start_objective",
			     storus_order_aim_print(aim, finding->start_value)),
		storus_ratio("objective", storus_order_aim_print(aim, finding->value)),
		storus_ratio("bound", storus_order_aim_print(aim, finding->bound)),
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

	if (storus_order_aim_value(&work->aim, order, &value) != 0 ||
	    storus_order_mean_distance(&work->subject, order, &mean) != 0)
		return -1;
	fields[0] = storus_text("order", name);
	fields[1] = storus_ratio("objective", storus_order_aim_print(&work->aim, value));
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
	storus_order_aim_clear(&work.aim);
	storus_order_subject_clear(&work.subject);
	return status;
}
