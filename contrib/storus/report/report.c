/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus report: how compact jobs were, from Slurm's accounts. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>

#include "storus/cli/replace_file.h"
#include "storus/cli/skipped.h"
#include "storus/commands.h"
#include "storus/report/fields.h"
#include "storus/report/options.h"
#include "storus/report/page.h"
#include "storus/report/table.h"

static void warn_of(uint64_t count, const char *what)
{
	if (count)
		warnx("%" PRIu64 " of the jobs %s", count, what);
}

/* Say which jobs could not be measured, or not as they should be. */
static void report_unmeasured(const storus_unmeasured_t *unmeasured)
{
	warn_of(unmeasured->elsewhere, "had nodes that torus.conf does not name");
	warn_of(unmeasured->spread, "were on several tori, between which there are no "
				    "hops");
	warn_of(unmeasured->nodelist, "have a NodeList that is none");
	warn_of(unmeasured->by_token, "are known by their tokens only: of their nodes "
				      "nothing else is known");
	warn_of(unmeasured->moved, "have a token that says otherwise than torus.conf, "
				   "which must have changed; the token counts");
}

static int write_page(const storus_rows_t *report, const char *path, torus_error_t *err)
{
	storus_replacement_t replacement;

	if (storus_replacement_begin(&replacement, path, err) != 0)
		return -1;
	if (storus_report_page(replacement.file, report, err) == 0)
		return storus_replacement_commit(&replacement, err);
	storus_replacement_abandon(&replacement);
	return -1;
}

static int print_report(const storus_rows_t *report, storus_format_t format,
			torus_error_t *err)
{
	switch (format) {
	case STORUS_FORMAT_TEXT:
		return storus_report_print(stdout, report, err);
	case STORUS_FORMAT_CSV:
		storus_report_csv(stdout, report);
		return 0;
	case STORUS_FORMAT_JSON:
		break;
	}
	return storus_report_json(stdout, report, err);
}

static int replay(storus_replayed_t *replayed, storus_accounts_t *accounts,
		  torus_error_t *err)
{
	if (storus_replayed_make(replayed, accounts, err) != 0)
		return -1;
	warn_of(replayed->skipped, "are not replayed: not all of their nodes are on a "
				   "torus, or known");
	return 0;
}

static int make_report(const storus_report_options_t *options, torus_error_t *err)
{
	storus_accounts_t accounts = {0};
	storus_replayed_t replayed = {0};
	storus_rows_t report = {0};
	int result = options->replay
			     ? storus_replayed_read(&replayed, options->replay, err)
			     : 0;

	if (result == 0)
		result = storus_accounts_read(&accounts, options, err);
	if (result == 0)
		result = storus_accounts_measure(&accounts, err);
	if (result == 0) {
		storus_skipped_report(&accounts.history.skipped);
		report_unmeasured(&accounts.unmeasured);
	}
	if (result == 0 && options->replay)
		result = replay(&replayed, &accounts, err);
	if (result == 0)
		result = storus_rows_make(&report, &accounts, &replayed, err);
	if (result == 0 && options->html)
		result = write_page(&report, options->html, err);
	if (result == 0)
		result = print_report(&report, options->format, err);
	storus_rows_clear(&report);
	storus_replayed_clear(&replayed);
	storus_accounts_clear(&accounts);
	return result;
}

int storus_report(int argc, char **argv)
{
	storus_report_options_t options;
	torus_error_t error;
	int status;

	if (storus_report_options_read(argc, argv, &options, &status) != 0)
		return status;
	if (make_report(&options, &error) == 0)
		return STORUS_OK;
	warnx("%s", error.text);
	return STORUS_BAD;
}
