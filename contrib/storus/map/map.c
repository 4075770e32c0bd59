/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map: which task of a job runs on which of its nodes. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/textfile.h"
#include "geometry/chips.h"
#include "taskmap/head.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"
#include "taskmap/taskmap.h"
#include "taskgrid/words.h"
#include "storus/cli/progress.h"
#include "storus/cli/replace_file.h"
#include "storus/commands.h"
#include "storus/map/any.h"
#include "storus/map/chips.h"
#include "storus/map/compare.h"
#include "storus/map/formats.h"
#include "storus/map/job.h"
#include "storus/map/options.h"
#include "storus/map/svg.h"

/* The options understood, and the mapping. */
typedef struct map_run {
	storus_map_job_t job;
	torus_task_grid_t grid;
	torus_task_graph_t *graph;
	torus_task_job_t tasks;
	bool on_chips;		/* a task a chip: tasks are on the chips, not on nodes */
	storus_map_job_t chips; /* then the job as one of chips */
	bool any;		/* --grid any: an order by [deal], no mapper */
	torus_deal_t deal;
	bool by_order;	/* of a grid, the best order of nodes: no mapper */
	bool free_head; /* task 0 need not be on the first node */
	torus_mapper_t mapper;
	torus_mapper_budget_t budget;
	storus_map_format_t format;
	storus_format_t table_format;
	uint32_t *node_of_task;
	uint32_t *baseline;
	uint32_t *place_of_task; /* the chips, or the same as node_of_task */
} map_run_t;

/* "mpi:8x4x2" for --mpi-dims=8,4,2, malloc'ed; NULL with [err] filled. */
static char *grid_of_mpi_dims(const char *dims, torus_error_t *err)
{
	int32_t lengths[TORUS_MAX_DIMS];
	torus_error_t unlike;
	char *text;
	int count;

	if (asprintf(&text, "mpi:%s", dims) < 0) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	for (char *at = text; *at; at++) {
		if (*at == ',')
			*at = 'x';
	}
	if (!torus_lengths_parse(text + strlen("mpi:"), &count, lengths, &unlike))
		return text;
	torus_fail(err,
		   "--mpi-dims: '%s' is not of the form 8,4,2: 1 to %d numbers of 1 or "
		   "more, of at most %u tasks in all",
		   dims, TORUS_MAX_DIMS, TORUS_MAX_CELLS);
	free(text);
	return NULL;
}

/* --grid or --mpi-dims, --stencil and --periodic. */
static int parse_grid(const storus_map_options_t *options, uint32_t tasks,
		      torus_task_grid_t *grid, torus_error_t *err)
{
	torus_task_words_t words;
	char *mpi = NULL;
	int rc;

	if (options->mpi_dims) {
		mpi = grid_of_mpi_dims(options->mpi_dims, err);
		if (!mpi)
			return -1;
	}
	rc = torus_task_words_parse(mpi ? mpi : options->grid, options->periodic,
				    options->stencil, "--", ": ", &words, err);
	free(mpi);
	if (!rc && words.mpi) /* later checks would name the sides in reverse */
		rc = torus_task_words_check(&words, tasks, err);
	if (!rc)
		torus_task_words_grid(&words, tasks, grid);
	return rc;
}

static int read_graph(const char *path, uint32_t tasks, torus_task_graph_t **graph,
		      torus_error_t *err)
{
	char *text;
	size_t length;

	if (torus_textfile_read(path, &text, &length, err))
		return -1;
	*graph = torus_task_graph_parse(text, length, path, tasks, err);
	free(text);
	return *graph ? 0 : -1;
}

/*
 * With --compare a table's format (text, csv, json) is that of the table; any other is
 * that of the file.
 */
static int parse_formats(const storus_map_options_t *options, map_run_t *run,
			 torus_error_t *err)
{
	const char *text = options->format;

	run->format = run->job.name ? STORUS_MAP_SLURM : STORUS_MAP_CSV;
	run->table_format = STORUS_FORMAT_TEXT;
	if (!text)
		return 0;
	if (options->compare && strcmp(text, "csv") == 0)
		run->table_format = STORUS_FORMAT_CSV;
	if (options->compare && strcmp(text, "json") == 0)
		run->table_format = STORUS_FORMAT_JSON;
	else if (!options->compare || strcmp(text, "text") != 0)
		return storus_map_format_parse(text, &run->format, err);
	return 0;
}

/*
 * For a job that asked for whole nodes and no number of tasks, Slurm counts a task a
 * processor.
 */
static int hint_at_counts(torus_error_t *err)
{
	torus_error_t cause = *err;

	return torus_fail(err, "%s (--tasks-per-node sets how many a node takes)",
			  cause.text);
}

/* --head. A mapper that is named is left as its rule has it. */
static int parse_head(const storus_map_options_t *options, map_run_t *run,
		      torus_error_t *err)
{
	const char *head = options->head;

	run->free_head = head ? strcasecmp(head, "free") == 0 : options->mapper != NULL;
	if (head && !run->free_head && strcasecmp(head, "first") != 0)
		return torus_fail(err, "--head: '%s' is neither first nor free", head);
	return 0;
}

static int understand(const storus_map_options_t *options, map_run_t *run,
		      torus_error_t *err)
{
	run->mapper = TORUS_MAPPER_BEST;
	if (parse_head(options, run, err))
		return -1;
	if (options->mapper && torus_mapper_parse(options->mapper, &run->mapper, err))
		return torus_fail_prefix(err, "--mapper: ");
	run->any = storus_map_grid_is_any(options);
	if (options->distribution &&
	    storus_map_deal_parse(options->distribution, &run->deal, err))
		return -1;
	run->budget = torus_mapper_budget(options->budget, options->seed);
	run->budget.threads = (uint32_t)options->threads;
	if (storus_map_job_find(&options->source, &run->job, err) ||
	    parse_grid(options, run->job.tasks, &run->grid, err) ||
	    parse_formats(options, run, err))
		return -1;
	if (run->format == STORUS_MAP_TORCHRUN && run->deal == TORUS_DEAL_CYCLIC)
		return torus_fail(err, "--format=torchrun is for consecutive tasks on a "
				       "node: leave --distribution out");
	run->by_order = !run->any && !options->mapper && !options->no_rotation &&
			storus_map_format_is_order(run->format);
	if (run->job.guessed)
		warnx("the job does not say how many tasks it has: a task a node is "
		      "assumed, --tasks-per-node says otherwise");
	run->tasks = (torus_task_job_t){
		.grid = &run->grid,
		.geometry = &run->job.geometry,
		.nodes = run->job.nodes,
		.cell = run->job.cell,
		.tasks_on_node = run->job.tasks_on_node,
		.axes_kept = options->no_rotation,
	};
	run->on_chips = !run->any && !run->by_order && storus_map_on_chips(&run->job);
	if (run->on_chips) {
		if (storus_map_chips_of(&run->job, &run->chips, err))
			return -1;
		run->tasks.geometry = &run->chips.geometry;
		run->tasks.nodes = run->chips.nodes;
		run->tasks.cell = run->chips.cell;
		run->tasks.tasks_on_node = run->chips.tasks_on_node;
	}
	if (torus_task_job_check(&run->tasks, err))
		return options->source.tasks_per_node ? -1 : hint_at_counts(err);
	if (options->graph &&
	    read_graph(options->graph, run->job.tasks, &run->graph, err))
		return -1;
	run->tasks.graph = run->graph;
	return 0;
}

/* What the mapping is called in messages. */
static const char *mapping_name(const map_run_t *run)
{
	return run->any	       ? "any"
	       : run->by_order ? "order"
			       : torus_mapper_name(run->mapper);
}

static int report_hops(const map_run_t *run, torus_error_t *err)
{
	torus_hop_stats_t before, after;

	if (torus_hop_stats(&run->tasks, run->baseline, &before, err) ||
	    torus_hop_stats(&run->tasks, run->place_of_task, &after, err))
		return -1;
	if (run->on_chips)
		warnx("a task a chip: hops are between chips, and task i of a node is on "
		      "its chip i");
	warnx("%s: average %.6f hops, maximum %" PRIu32
	      ", variance %.6f; baseline: average %.6f, maximum %" PRIu32
	      ", variance %.6f",
	      mapping_name(run), after.average, after.maximum, after.variance,
	      before.average, before.maximum, before.variance);
	return 0;
}

/* For launchers that deal out tasks by themselves. */
static int map_by_order(map_run_t *run, torus_error_t *err)
{
	const torus_ordered_job_t ordered = {
		.geometry = &run->job.geometry,
		.nodes = run->job.nodes,
		.cell = run->job.cell,
		.tasks_on_node = run->job.tasks_on_node,
		.deal = run->deal,
		.words = {.kind = TORUS_GRID_GIVEN,
			  .grid = run->grid,
			  .free_head = run->free_head},
		.graph = run->graph,
		.budget = &run->budget,
	};
	uint32_t *order = malloc(run->job.nodes * sizeof(*order));
	int rc;

	if (!order)
		return torus_fail(err, "out of memory");
	rc = torus_job_node_order(&ordered, order, err);
	if (!rc)
		torus_any_deal(order, run->job.nodes, run->job.tasks_on_node, run->deal,
			       run->node_of_task);
	free(order);
	return rc;
}

/* On chips, the nodes of the chips, too. */
static int map_by_mapper(map_run_t *run, torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(&run->job.geometry);

	if (!run->on_chips) {
		if (torus_taskmap(run->mapper, &run->tasks, &run->budget,
				  run->node_of_task, err))
			return -1;
		return run->free_head ? 0
				      : torus_keep_head(&run->tasks, &run->budget,
							run->node_of_task, err);
	}
	if (storus_map_chips(run->mapper, &run->tasks, &run->job, &run->budget,
			     run->place_of_task, err) ||
	    (!run->free_head &&
	     torus_keep_head_on_chips(&run->tasks, of_node, &run->budget,
				      run->place_of_task, err)))
		return -1;
	for (uint32_t task = 0; task < run->job.tasks; task++)
		run->node_of_task[task] = run->place_of_task[task] / of_node;
	return 0;
}

static int map_tasks(map_run_t *run, torus_error_t *err)
{
	run->node_of_task = malloc(run->job.tasks * sizeof(*run->node_of_task));
	run->baseline = malloc(run->job.tasks * sizeof(*run->baseline));
	run->place_of_task =
		run->on_chips ? malloc(run->job.tasks * sizeof(*run->place_of_task))
			      : run->node_of_task;
	if (!run->node_of_task || !run->baseline || !run->place_of_task)
		return torus_fail(err, "out of memory for mapping %" PRIu32 " tasks",
				  run->job.tasks);
	if (run->any) {
		if (storus_map_any(&run->job, run->deal, run->free_head,
				   run->node_of_task, run->baseline, err))
			return -1;
		return storus_map_any_report(&run->job, run->node_of_task, run->baseline,
					     err);
	}
	if (torus_taskmap(TORUS_MAPPER_BASELINE, &run->tasks, NULL, run->baseline, err))
		return -1;
	storus_progress_begin(mapping_name(run));
	int rc = run->by_order ? map_by_order(run, err) : map_by_mapper(run, err);

	storus_progress_end();
	return rc ? -1 : report_hops(run, err);
}

/*
 * The name of the file that --print-path writes to without --output, malloc'ed, for
 * storus_replacement_begin_new(); *suffix is the length of its end.
 */
static char *new_file_name(const map_run_t *run, int *suffix, torus_error_t *err)
{
	const char *directory = getenv("TMPDIR"), *job = getenv("SLURM_JOB_ID");
	const char *format = storus_map_format_name(run->format);
	char *path = NULL;

	if (!directory || !*directory)
		directory = getenv("SLURM_SUBMIT_DIR");
	if (!directory || !*directory)
		directory = ".";
	*suffix = (int)strlen(format) + 1;
	if (asprintf(&path, "%s/storus-map%s%s.XXXXXX.%s", directory, job ? "." : "",
		     job ? job : "", format) < 0) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	return path;
}

/* Open the output of the mapping. *path, which --print-path prints, is malloc'ed. */
static int begin_output(const map_run_t *run, const storus_map_options_t *options,
			storus_replacement_t *replacement, char **path,
			torus_error_t *err)
{
	int suffix;

	if (options->output) {
		*path = strdup(options->output);
		if (!*path)
			return torus_fail(err, "out of memory");
		return storus_replacement_begin(replacement, *path, err);
	}
	if (options->print_path) {
		*path = new_file_name(run, &suffix, err);
		if (!*path)
			return -1;
		return storus_replacement_begin_new(replacement, *path, suffix, err);
	}
	replacement->file = options->compare ? NULL : stdout;
	return 0;
}

static int write_svg(FILE *file, const map_run_t *run, torus_error_t *err)
{
	storus_map_picture_t before = {"baseline", run->baseline};
	storus_map_picture_t after = {mapping_name(run), run->place_of_task};

	return storus_map_svg_draw(file, run->on_chips ? &run->chips : &run->job,
				   &run->grid, &before, &after, err);
}

static int print_absolute(const char *path, torus_error_t *err)
{
	char *absolute = realpath(path, NULL);

	if (!absolute)
		return torus_fail(err, "cannot find '%s' again: %s", path,
				  strerror(errno));
	puts(absolute);
	free(absolute);
	return 0;
}

/* The table of tasks has chips where there is one for each. */
static int write_mapping(FILE *file, const map_run_t *run, torus_error_t *err)
{
	bool chips = run->on_chips && run->format == STORUS_MAP_CSV;

	return storus_map_format_write(
		file, run->format, chips ? &run->chips : &run->job, run->deal,
		chips ? run->place_of_task : run->node_of_task, err);
}

/* Write the mapping and the picture: both, or neither. *path as of begin_output(). */
static int write_files(const map_run_t *run, const storus_map_options_t *options,
		       char **path, torus_error_t *err)
{
	storus_replacement_t mapping = {0}, picture = {0};
	int rc = -1;

	if (begin_output(run, options, &mapping, path, err))
		return -1;
	if (options->svg && storus_replacement_begin(&picture, options->svg, err))
		goto abandon_mapping;
	if (mapping.file && write_mapping(mapping.file, run, err))
		goto abandon;
	if (picture.file && write_svg(picture.file, run, err))
		goto abandon;
	/* From here on only a full disk can part them. */
	rc = options->svg ? storus_replacement_commit(&picture, err) : 0;
	if (rc)
		goto abandon_mapping;
	return *path ? storus_replacement_commit(&mapping, err) : 0;
abandon:
	if (options->svg)
		storus_replacement_abandon(&picture);
abandon_mapping:
	if (*path)
		storus_replacement_abandon(&mapping);
	return rc;
}

static int run_map(const storus_map_options_t *options, map_run_t *run,
		   torus_error_t *err)
{
	char *path = NULL;
	int rc;

	if (understand(options, run, err) || map_tasks(run, err))
		return -1;
	rc = write_files(run, options, &path, err);
	if (!rc && options->compare)
		rc = storus_map_compare(&run->tasks, run->on_chips ? &run->job : NULL,
					&run->budget, run->table_format, err);
	else if (!rc && options->print_path)
		rc = print_absolute(path, err);
	free(path);
	return rc;
}

int storus_map(int argc, char **argv)
{
	storus_map_options_t options;
	map_run_t run = {0};
	torus_error_t err;
	int status;

	if (storus_map_options_read(argc, argv, &options, &status) != 0)
		return status;
	status = STORUS_OK;
	if (run_map(&options, &run, &err) != 0) {
		warnx("%s", err.text);
		status = STORUS_BAD;
	}
	if (run.on_chips)
		free(run.place_of_task);
	free(run.node_of_task);
	free(run.baseline);
	storus_map_job_clear(&run.chips);
	torus_task_graph_destroy(run.graph);
	storus_map_job_clear(&run.job);
	return status;
}
