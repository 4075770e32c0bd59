/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as a page. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "storus/cli/nonce.h"
#include "storus/cli/svg.h"
#include "storus/report/page.h"
#include "storus/report/plots.h"
#include "storus/report/table.h"

/* Rows of a table that a page shows; CSV and JSON have all. */
#define MOST_ROWS 200

static const char style[] =
	":root { color-scheme: light dark; --ink: #1c2430; --pale: #5b6675; --line: "
	"#d8dde4; --ground: #ffffff; --bar: #2b6cb0; --used: #2b6cb0; --held: #b7791f; "
	"--scattered: #c53030; --few: #dd8b6b; --unwanted: #cbd5e0; --down: #4a5568 }\n"
	"@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f0; --pale: #9aa7b8; "
	"--line: #364152; --ground: #141a22; --bar: #63a4e8; --used: #63a4e8; --held: "
	"#e0b04c; --scattered: #f07070; --few: #c98a70; --unwanted: #3d4a5c; --down: "
	"#8894a6 } }\n"
	"body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: "
	"var(--ground); max-width: 76rem; margin: 0 auto; padding: 1rem }\n"
	"h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem }\n"
	".pale, figcaption { color: var(--pale) }\n"
	".plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(28rem, "
	"1fr)); gap: 1rem }\n"
	"figure { margin: 1rem 0 0 } figure > svg { width: 100%; height: auto }\n"
	"svg text { fill: var(--ink); font-size: 12px } .left { text-anchor: end }\n"
	".scale { stroke: var(--line) } .bar { fill: var(--bar) } .used { fill: var(--used) "
	"} .held { fill: var(--held) } .scattered { fill: var(--scattered) } .few { fill: "
	"var(--few) } .unwanted { fill: var(--unwanted) } .down { fill: var(--down) }\n"
	".legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .3rem 0; "
	"font-size: .85rem } .key { width: .8em; height: .8em; margin-right: .4em }\n"
	".wide { overflow-x: auto }\n"
	"table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
	"th, td { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid "
	"var(--line); white-space: nowrap } .r { text-align: right }\n"
	"td:first-child { max-width: 24rem; overflow: hidden; text-overflow: ellipsis }\n";

static void write_head(FILE *file, const storus_rows_t *report, const char *nonce)
{
	fprintf(file,
		"<!DOCTYPE html>\n"
		"<!-- Made by `storus report` of slurm-torus " PACKAGE_VERSION ". -->\n"
		"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		"'none'; style-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, "
		"initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<title>report</title>\n<style nonce=\"%s\">\n%s</style>\n</head>\n"
		"<body data-ready=\"true\" data-jobs=\"%" PRIu64
		"\" data-nodes=\"%u\">\n",
		nonce, nonce, style, report->section[STORUS_BY_TOTAL].row->sums.jobs,
		torus_cluster_nodes(report->accounts->cluster));
}

static storus_mean_t excess_of(const storus_means_t *means)
{
	return means->excess;
}

static storus_mean_t ratio_of(const storus_means_t *means)
{
	return means->ratio;
}

static storus_mean_t wait_of(const storus_means_t *means)
{
	return means->wait;
}

static void write_plots(FILE *file, const storus_rows_t *report)
{
	const storus_section_t *section = report->section;

	fputs("<div class=\"plots\">\n", file);
	storus_plot_use(file, &section[STORUS_BY_WEEK]);
	storus_plot_weeks(file, &section[STORUS_BY_WEEK]);
	storus_plot_bars(file, "Node-hours times hops more than alone, by account",
			 &section[STORUS_BY_ACCOUNT], excess_of, 0);
	storus_plot_bars(file, "The same by user", &section[STORUS_BY_USER], excess_of,
			 0);
	storus_plot_bars(file, "Hops over those alone, by number of nodes",
			 &section[STORUS_BY_SIZE], ratio_of, 3);
	storus_plot_bars(file, "Mean wait in seconds, by number of nodes",
			 &section[STORUS_BY_SIZE], wait_of, 0);
	storus_plot_bars(file, "Hops over those alone, replayed with other allocators",
			 &section[STORUS_BY_REPLAY], ratio_of, 3);
	fputs("</div>\n", file);
}

static void write_cell(FILE *file, bool right, const char *text)
{
	fputs(right ? "<td class=\"r\">" : "<td>", file);
	storus_svg_escaped(file, text);
	fputs("</td>", file);
}

static void write_table(FILE *file, const storus_texts_t *texts)
{
	size_t rows = texts->rows < MOST_ROWS ? texts->rows : MOST_ROWS;

	fprintf(file, "<h2>%s</h2>\n<div class=\"wide\"><table><thead><tr>",
		texts->title);
	for (size_t c = 0; c < texts->columns; c++) {
		fprintf(file, "<th%s title=\"%s\">%s</th>",
			texts->right[c] ? " class=\"r\"" : "", texts->meaning[c],
			texts->heading[c]);
	}
	fputs("</tr></thead><tbody>\n", file);
	for (size_t r = 0; r < rows; r++) {
		fputs("<tr>", file);
		for (size_t c = 0; c < texts->columns; c++)
			write_cell(file, texts->right[c],
				   texts->cell[r * texts->columns + c]);
		fputs("</tr>\n", file);
	}
	fputs("</tbody></table></div>\n", file);
	if (rows < texts->rows)
		fprintf(file,
			"<p class=\"pale\">%zu more are in --format csv and json.</p>\n",
			texts->rows - rows);
}

static int write_section(FILE *file, const storus_rows_t *report, storus_by_t by,
			 torus_error_t *err)
{
	storus_texts_t texts;

	if (!report->section[by].count)
		return 0;
	if (storus_texts_of(report, by, &texts, err) != 0)
		return -1;
	write_table(file, &texts);
	storus_texts_clear(&texts);
	return 0;
}

static int write_use(FILE *file, const storus_rows_t *report, torus_error_t *err)
{
	storus_texts_t texts;

	if (storus_texts_of_use(report, &texts, err) != 0)
		return -1;
	write_table(file, &texts);
	storus_texts_clear(&texts);
	return 0;
}

int storus_report_page(FILE *file, const storus_rows_t *report, torus_error_t *err)
{
	char nonce[STORUS_NONCE_TEXT], *headline;

	if (storus_nonce_make(nonce, err) != 0)
		return -1;
	headline = storus_report_headline(report);
	if (!headline)
		return torus_fail(err, "out of memory for the page");
	write_head(file, report, nonce);
	fputs("<h1>How compact jobs were</h1>\n<p class=\"pale\">", file);
	storus_svg_escaped(file, headline);
	free(headline);
	fputs("</p>\n", file);
	if (write_section(file, report, STORUS_BY_TOTAL, err) != 0)
		return -1;
	write_plots(file, report);
	for (int by = STORUS_BY_TOTAL + 1; by < STORUS_BYS; by++) {
		if (write_section(file, report, (storus_by_t)by, err) != 0)
			return -1;
	}
	if (write_use(file, report, err) != 0)
		return -1;
	fputs("</body>\n</html>\n", file);
	return 0;
}
