/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus sim compare: a matrix of simulations, in one table. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/processors.h"
#include "base/textfile.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/commands.h"
#include "storus/sim/compare.h"
#include "storus/sim/compare_figure.h"
#include "storus/sim/compare_run.h"
#include "storus/sim/compare_slurm.h"
#include "storus/sim/compare_store.h"
#include "storus/sim/compare_table.h"
#include "storus/sim/synthetic.h"

/* Elements of an array job unless told, and at most: Slurm's own MaxArraySize. */
enum { ELEMENTS = 100, ELEMENTS_MAX = 1000 };

static const char file_help[] =
	"FILE has lines of Key=Value; lists are separated by commas, those of Traces and\n"
	"Workloads by blanks, in quotes:\n"
	"  Dims=8x8x5 Wrap=xyz [NodesPerRouter=2]   a machine; one on a line\n"
	"  Conf=FILE                                or one of torus.conf\n"
	"  Traces=\"a.swf b.swf.gz\"  Workloads=\"KIND:NAME=VALUE,... ...\"\n"
	"  Loads=0.7,0.9  WorkMultiples=1,1.5  Schedulers=easy,fcfs\n"
	"  Curves=hilbert,snake  Allocators=best_fit,free_list  Seeds=1-5\n"
	"  Curves=hilbert  Allocators=best_fit,best_fit@snake   one with its own curve\n"
	"  Wishes=\"none near=1.2,within=30\"  Segments=none,8\n"
	"  ProcessorsPerNode=1  MaxJobs=1000  Replicate=2  Warmup=100\n"
	"  Slowdown=average_distance:0.5\n"
	"  Measure=mean_average_distance,mean_wait  Baseline=row_major,free_list\n";

typedef struct compare_options {
	const char *file, *out, *figure;
	uint64_t jobs; /* 0: not given */
	bool merge, slurm, sliced;
	uint64_t elements; /* 0: not given */
	uint64_t slice, slices;
	storus_format_t format;
} compare_options_t;

/* What --help says about kinds of workloads and measures. */
static void print_tables(FILE *file)
{
	int column = 0;

	storus_synthetic_help(file);
	fputs("\nMeasures:\n", file);
	for (int i = 0; i < STORUS_MEASURES; i++) {
		char name[STORUS_MEASURE_NAME];
		int width = (int)strlen(storus_measure_name(i, name)) + 1;

		if (column + width > 78) {
			fputc('\n', file);
			column = 0;
		}
		fprintf(file, "%s%s", column ? " " : "  ", name);
		column += width;
	}
	fputc('\n', file);
}

/* Read "I/N". */
static int read_slice(const char *text, void *to, torus_error_t *err)
{
	compare_options_t *given = to;
	const char *slash = strchr(text, '/');
	char number[24];

	if (!slash || (size_t)(slash - text) >= sizeof(number))
		return torus_fail(err, "'%s' is not of the form I/N", text);
	memcpy(number, text, (size_t)(slash - text));
	number[slash - text] = '\0';
	given->sliced = true;
	if (storus_count_parse(slash + 1, 1, 1000000, &given->slices, err) != 0)
		return -1;
	return storus_count_parse(number, 0, given->slices - 1, &given->slice, err);
}

/* Check the options together. Returns 0, or -1 (message printed). */
static int check_options(const compare_options_t *given)
{
	if (given->merge + given->slurm + given->sliced > 1) {
		storus_misuse("--merge, --slurm and --slice exclude each other");
		return -1;
	}
	if (given->figure && given->sliced) {
		storus_misuse("--slice has no table for --figure: use --merge later");
		return -1;
	}
	if (!given->out && (given->merge || given->slurm || given->sliced)) {
		storus_misuse("--%s needs --out DIR", given->merge   ? "merge"
						      : given->slurm ? "slurm"
								     : "slice");
		return -1;
	}
	return 0;
}

/* Returns 0, or -1 with *status set to what storus_sim_compare() is to return. */
static int read_options(int argc, char **argv, compare_options_t *given, int *status)
{
	const storus_option_t table[] = {
		{"out", "DIR",
		 "keep each result in DIR, and use those that are there: an interrupted "
		 "comparison goes on where it was",
		 .text = &given->out},
		{"jobs", "N",
		 "so many simulations at a time (default: all CPUs; with --slurm 1 for each "
		 "element)",
		 .count = &given->jobs, .least = 1, .most = 10000},
		STORUS_FORMAT_OPTION(&given->format, "text (default), csv or json"),
		{"figure", "FILE", "also draw the table, as SVG: means and intervals",
		 .text = &given->figure},
		{"slurm", "[=N]",
		 "run as an array job of N elements (default 100, or as many as there are "
		 "simulations) on the Slurm cluster it is called on, wait for it, and print "
		 "the table; needs --out, on a file system that the nodes share. sbatch's "
		 "environment variables, such as SBATCH_PARTITION, hold",
		 .flag = &given->slurm, .count = &given->elements, .least = 1,
		 .most = ELEMENTS_MAX},
		{"merge", NULL, "simulate nothing, print the table of what DIR has",
		 .flag = &given->merge},
		{"slice", "I/N",
		 "only every Nth simulation, from the Ith (0 ...) on, and no table: what "
		 "the elements of --slurm run",
		 .read = read_slice, .to = given},
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus sim compare FILE [OPTION]...\n"
			"Simulate every combination of machines, jobs, schedulers, curves and "
			"allocators\n"
			"that FILE lists, and print one table: means over the seeds with 95% "
			"confidence\n"
			"intervals, and differences to a baseline, seed by seed.\n\n",
		.options = table,
		.end = file_help,
		.print_tables = print_tables,
	};

	*given = (compare_options_t){.slices = 1};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (optind == argc) {
		storus_misuse("which comparison? Give its FILE");
		return -1;
	}
	given->file = argv[optind++];
	return storus_no_arguments(argc, argv) != 0 || check_options(given) != 0 ? -1 : 0;
}

/* End as the signal would have ended this process. */
static void end_by(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Report the jobs that were skipped, for each machine and each trace or workload. */
static void report_skipped(const storus_plan_t *plan, const storus_results_t *results)
{
	for (size_t i = 0; i < plan->count; i++) {
		const storus_cell_t *cell = &plan->cell[i], *before = cell - (i > 0);
		double skipped = results->value[i][STORUS_MEASURE_SKIPPED];

		/* The first cell of each tells for all. */
		if (!results->done[i] || skipped <= 0 ||
		    (i &&
		     cell->at[STORUS_AXIS_MACHINE] == before->at[STORUS_AXIS_MACHINE] &&
		     cell->at[STORUS_AXIS_STREAM] == before->at[STORUS_AXIS_STREAM]))
			continue;
		warnx("%s on %s: %.0f jobs skipped; `storus sim` says why",
		      storus_cell_item(plan, cell, STORUS_AXIS_STREAM),
		      storus_cell_item(plan, cell, STORUS_AXIS_MACHINE), skipped);
	}
}

/* Print the table, and draw it into [figure] unless NULL. Returns 0, or -1 with [err]
 * filled. */
static int show_lines(const storus_plan_t *plan, const storus_results_t *results,
		      storus_format_t format, FILE *figure, torus_error_t *err)
{
	storus_lines_t lines;
	int result = 0;

	if (storus_lines_begin(plan, results, &lines, err) != 0)
		return -1;
	if (figure)
		result = storus_compare_draw(&lines, figure, err);
	if (result == 0)
		storus_compare_print(&lines, format);
	storus_lines_end(&lines);
	return result;
}

/* Print the table, and what is missing from it. Returns an exit status. */
static int print_table(const storus_run_t *run, const storus_results_t *results,
		       storus_format_t format, FILE *figure, torus_error_t *err)
{
	size_t cells = 0, missing = 0;

	for (size_t i = 0; i < run->plan->count; i++) {
		cells += run->plan->cell[i].first == i;
		missing += run->plan->cell[i].first == i && !results->done[i];
	}
	if (missing < cells && show_lines(run->plan, results, format, figure, err) != 0)
		return -1;
	report_skipped(run->plan, results);
	if (missing)
		warnx("%zu of %zu simulations are missing from the table", missing,
		      cells);
	return missing ? STORUS_NO : STORUS_OK;
}

/* Make the results that are missing. Returns as storus_run(). */
static int make_results(const compare_options_t *given, storus_run_t *run,
			storus_results_t *results, torus_error_t *err)
{
	long left = storus_results_read(run, results, err);

	if (left <= 0 || given->merge)
		return left < 0 ? -1 : 0;
	if (!given->slurm)
		return storus_run(run, results, err);

	storus_run_t array = *run;

	array.jobs = given->jobs ? (unsigned)given->jobs : 1;
	array.slices = given->elements ? given->elements : ELEMENTS;
	if (array.slices > run->plan->count)
		array.slices = run->plan->count;
	int rc = storus_compare_slurm(&array, given->file, err);

	if (rc >= 0 && storus_results_read(run, results, err) < 0)
		return -1;
	return rc;
}

/* Returns an exit status; -1 with [err] filled; or -1 - SIGNAL. */
static int compare(const compare_options_t *given, const storus_plan_t *plan,
		   torus_error_t *err)
{
	storus_run_t run = {
		.plan = plan,
		.directory = given->out,
		.jobs = given->jobs ? (unsigned)given->jobs : torus_processors(),
		.slice = given->slice,
		.slices = given->slices,
	};
	storus_replacement_t figure = {0};
	storus_results_t results;
	int rc;

	/* What cannot be written is known at once. */
	if (given->figure && storus_replacement_begin(&figure, given->figure, err) != 0)
		return -1;
	if ((given->out && !given->merge && storus_store_open(given->out, err)) ||
	    storus_results_create(plan, &results, err)) {
		storus_replacement_abandon(&figure);
		return -1;
	}
	rc = make_results(given, &run, &results, err);
	if (rc >= 0 && !given->sliced)
		rc = print_table(&run, &results, given->format, figure.file, err);
	storus_results_free(&results);
	/* Also of a table from which something is missing. */
	if (figure.file && rc >= 0 && ftell(figure.file) != 0 &&
	    storus_replacement_commit(&figure, err) != 0)
		rc = -1;
	storus_replacement_abandon(&figure);
	return rc;
}

int storus_sim_compare(int argc, char **argv)
{
	static char title[] = "storus sim compare";
	compare_options_t given;
	storus_matrix_t matrix;
	storus_plan_t plan;
	torus_error_t err;
	size_t length;
	char *text;
	int status;

	argv[0] = title;
	program_invocation_name = program_invocation_short_name = title;
	if (read_options(argc, argv, &given, &status) != 0)
		return status;
	if (torus_textfile_read(given.file, &text, &length, &err)) {
		warnx("%s", err.text);
		return STORUS_BAD;
	}
	status = storus_matrix_read(text, length, given.file, &matrix, &err);
	free(text);
	if (!status) {
		status = storus_plan_create(&matrix, &plan, &err);
		if (!status) {
			status = compare(&given, &plan, &err);
			storus_plan_free(&plan);
		}
		storus_matrix_free(&matrix);
	}
	if (status < -1) {
		if (given.out)
			warnx("interrupted; the same command goes on where it was");
		else
			warnx("interrupted; with --out DIR it could have gone on where "
			      "it was");
		end_by(-1 - status);
	}
	if (status < 0)
		warnx("%s", err.text);
	return status < 0 ? STORUS_BAD : status;
}
