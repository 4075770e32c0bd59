/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus report works on. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "conf/torus_conf.h"
#include "machine/token.h"
#include "storus/cli/conf.h"
#include "storus/cli/progress.h"
#include "storus/cli/sacct.h"
#include "storus/report/accounts.h"
#include "storus/report/tokens.h"
#include "torus/joined.h"

static int read_machine(storus_accounts_t *accounts, torus_error_t *err)
{
	char *path = storus_conf_path(accounts->options->conf, err);

	if (!path)
		return -1;
	accounts->cluster = torus_conf_read(path, err);
	free(path);
	if (!accounts->cluster || storus_conf_register(accounts->cluster, err))
		return -1;
	accounts->alone = storus_alone_create(accounts->cluster);
	return accounts->alone ? 0 : torus_fail(err, "out of memory");
}

static int read_outages(storus_accounts_t *accounts, torus_error_t *err)
{
	const char *path = accounts->options->outages;
	char *text;
	size_t length;
	int result;

	if (!path)
		return 0;
	if (torus_textfile_read(path, &text, &length, err) != 0)
		return -1;
	result = torus_outages_read(text, length, path, accounts->cluster,
				    &accounts->outages, err);
	free(text);
	return result;
}

static int read_history(storus_accounts_t *accounts, torus_error_t *err)
{
	const storus_report_options_t *options = accounts->options;

	return storus_sacct_history(options->from_sacct, options->from, options->to,
				    &accounts->text, &accounts->history, err);
}

/* From when to when the report is. */
static int find_span(storus_accounts_t *accounts, torus_error_t *err)
{
	const storus_report_options_t *options = accounts->options;
	const torus_history_t *history = &accounts->history;
	int64_t from = options->has_from ? options->from : history->first;
	int64_t to = options->has_to ? options->to : history->last;

	if (from < 0 || to < 0)
		return torus_fail(err,
				  "%s: no job in it has run; is it of this cluster, and "
				  "of the right time?",
				  options->from_sacct);
	if (from >= to)
		return torus_fail(err,
				  "%s: nothing in it lasted, or --from is not before the "
				  "latest time in it",
				  options->from_sacct);
	return storus_weeks_make(from, to, &accounts->weeks, err);
}

/* Clip [job] to the span; false: nothing of it is in the span. */
static bool clip(const torus_history_job_t *job, int64_t from, int64_t to,
		 storus_run_t *run)
{
	*run = (storus_run_t){
		.waited = job->waited,
		.ran = job->start >= 0 && job->start < to,
		.start = job->start,
		.end = job->end < 0 || job->end > to ? to : job->end,
		.nodes = job->nodes,
	};
	if (!run->ran) {
		/* It waited in vain, or until after the span. */
		run->start = job->start > to ? to : job->start;
		if (job->start < 0)
			run->start = run->end;
		run->end = run->start;
		return run->waited < to && run->start > from;
	}
	run->began = run->start >= from;
	if (run->start < from)
		run->start = from;
	return run->end > from || run->began;
}

static int find_runs(storus_accounts_t *accounts, torus_error_t *err)
{
	const torus_history_t *history = &accounts->history;
	int64_t from = accounts->weeks.begin[0];
	int64_t to = accounts->weeks.begin[accounts->weeks.count];
	bool any = false;

	accounts->run = malloc((history->count + 1) * sizeof(*accounts->run));
	if (!accounts->run)
		return torus_fail(err, "out of memory for %zu jobs", history->count);
	for (size_t i = 0; i < history->count; i++) {
		storus_run_t *run = &accounts->run[accounts->runs];

		if (!clip(&history->job[i], from, to, run))
			continue;
		run->job = i;
		any = any || run->ran;
		accounts->runs++;
	}
	if (any)
		return 0;
	return torus_fail(err, "no job ran in that time, as far as the accounts show it");
}

int storus_accounts_read(storus_accounts_t *accounts,
			 const storus_report_options_t *options, torus_error_t *err)
{
	*accounts = (storus_accounts_t){.options = options};
	return read_machine(accounts, err) != 0 || read_outages(accounts, err) != 0 ||
			       read_history(accounts, err) != 0 ||
			       find_span(accounts, err) != 0 ||
			       find_runs(accounts, err) != 0
		       ? -1
		       : 0;
}

/* The nodes that the accounts say a run had. */
/* What the token in [comment] says of cubes. */
static void read_joined(const torus_sacct_field_t *comment, storus_nodes_t *nodes)
{
	char *copy = comment->length ? strndup(comment->at, comment->length) : NULL;
	const char *token;
	size_t length;

	token = torus_token_find(copy, &length);
	if (token)
		torus_token_joined(token, length, &nodes->joined);
	free(copy);
}

static int find_nodes(void *context, const storus_run_t *run, storus_nodes_t *nodes,
		      torus_error_t *err)
{
	storus_accounts_t *accounts = context;
	const torus_sacct_field_t *list = &accounts->history.job[run->job].nodelist;
	storus_unmeasured_t *unmeasured = &accounts->unmeasured;

	(void)err;
	if (storus_nodes_find(accounts->cluster, list->at, list->length, nodes, NULL) !=
	    0)
		unmeasured->nodelist++;
	else if (nodes->elsewhere)
		unmeasured->elsewhere++;
	else if (nodes->parts > 1)
		unmeasured->spread++;
	else if (nodes->parts &&
		 torus_has_cubes(&accounts->cluster->map[nodes->part[0].torus]->geometry))
		read_joined(&accounts->history.job[run->job].comment, nodes);
	return 0;
}

int storus_accounts_measure(storus_accounts_t *accounts, torus_error_t *err)
{
	storus_sweep_t sweep = {
		.cluster = accounts->cluster,
		.outages = &accounts->outages,
		.weeks = &accounts->weeks,
		.alone = accounts->alone,
		.run = accounts->run,
		.runs = accounts->runs,
		.nodes = find_nodes,
		.context = accounts,
	};
	int result;

	accounts->measured = calloc(accounts->runs + 1, sizeof(*accounts->measured));
	accounts->use = calloc(accounts->weeks.count, sizeof(*accounts->use));
	if (!accounts->measured || !accounts->use)
		return torus_fail(err, "out of memory for %zu jobs", accounts->runs);
	sweep.measured = accounts->measured;
	sweep.use = accounts->use;
	storus_progress_begin("measuring the jobs");
	result = storus_sweep(&sweep, err);
	storus_progress_end();
	for (size_t i = 0; result == 0 && i < accounts->runs; i++)
		result = storus_token_look(accounts, i, err);
	return result;
}

void storus_accounts_clear(storus_accounts_t *accounts)
{
	free(accounts->use);
	free(accounts->measured);
	free(accounts->run);
	storus_weeks_clear(&accounts->weeks);
	torus_history_clear(&accounts->history);
	free(accounts->text);
	torus_outages_clear(&accounts->outages);
	storus_alone_destroy(accounts->alone);
	torus_cluster_destroy(accounts->cluster);
}
