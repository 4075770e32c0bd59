/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of the report. */
#include "torus_config.h"

#include "storus/cli/svg.h"
#include "storus/report/plots.h"

/* In units of the plots' own: they are as wide as the page has room for. */
enum { WIDTH = 560, HEIGHT = 200, LEFT = 44, BOTTOM = 22, TOP = 8, RIGHT = 8 };
enum { PLOT_WIDTH = WIDTH - LEFT - RIGHT, PLOT_HEIGHT = HEIGHT - TOP - BOTTOM };

/* Bars of storus_plot_bars(): their height, and where they begin. */
enum { MOST_BARS = 12, BAR = 22, BAR_LEFT = 170, BAR_RIGHT = 80 };

/* Characters of a name that have room before a bar. */
#define NAME_CHARACTERS 22

/* Dates below a plot, at most. */
#define MOST_DATES 6

static void begin(FILE *file, const char *title, int height)
{
	fprintf(file,
		"<figure><figcaption>%s</figcaption>\n"
		"<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"%s\">\n",
		title, WIDTH, height, title);
}

static void end(FILE *file)
{
	fputs("</svg></figure>\n", file);
}

static void put_text(FILE *file, const char *class, double x, double y, const char *text)
{
	fprintf(file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	storus_svg_escaped(file, text);
	fputs("</text>\n", file);
}

/* A rectangle that says [name]: [value] to who points at it. */
static void put_bar(FILE *file, const char *class, double x, double y, double width,
		    double height, const char *name, const char *value)
{
	fprintf(file,
		"<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
		"<title>",
		class, x, y, width, height);
	storus_svg_escaped(file, name);
	fprintf(file, ": %s</title></rect>\n", value);
}

/* Lines at four heights, with what they stand for. */
static void put_scale(FILE *file, double top, const char *unit)
{
	for (int i = 0; i <= 4; i++) {
		double y = TOP + PLOT_HEIGHT * (1 - i / 4.0);
		char text[32];

		snprintf(text, sizeof(text), "%.3g%s", top * i / 4, unit);
		fprintf(file,
			"<line class=\"scale\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
			"y2=\"%.1f\"/>\n",
			LEFT, y, WIDTH - RIGHT, y);
		put_text(file, "left", LEFT - 5, y + 4, text);
	}
}

static void put_dates(FILE *file, const storus_section_t *weeks)
{
	size_t every = (weeks->count + MOST_DATES - 1) / MOST_DATES;

	for (size_t week = 0; week < weeks->count; week += every)
		put_text(file, "date",
			 LEFT + PLOT_WIDTH * (double)week / (double)weeks->count,
			 HEIGHT - 6, weeks->row[week].name);
}

/* From below. */
static const struct {
	const char *class, *name;
} uses[] = {
	{"used", "used"},
	{"held", "idle though a waiting job would have fitted"},
	{"scattered", "idle and scattered"},
	{"few", "idle, too few for any waiting job"},
	{"unwanted", "idle, no job waited"},
	{"down", "down"},
};
enum { USES = sizeof(uses) / sizeof(uses[0]) };

static void put_week(FILE *file, const storus_row_t *row, double x, double width)
{
	const storus_use_t *use = row->use;
	const uint64_t part[USES] = {use->used,
				     use->idle[STORUS_IDLE_HELD],
				     use->idle[STORUS_IDLE_SCATTERED],
				     use->idle[STORUS_IDLE_TOO_FEW],
				     use->idle[STORUS_IDLE_UNWANTED],
				     use->down};
	double all = 0, y = TOP + PLOT_HEIGHT;

	for (int i = 0; i < USES; i++)
		all += (double)part[i];
	for (int i = 0; i < USES && all > 0; i++) {
		double share = (double)part[i] / all, height = share * PLOT_HEIGHT;
		char value[80];

		if (!part[i])
			continue;
		y -= height;
		snprintf(value, sizeof(value), "%s %.1f%%", uses[i].name, 100 * share);
		put_bar(file, uses[i].class, x, y, width, height, row->name, value);
	}
}

void storus_plot_use(FILE *file, const storus_section_t *weeks)
{
	double each = (double)PLOT_WIDTH / (double)weeks->count;

	begin(file, "What the nodes did, by week", HEIGHT);
	put_scale(file, 100, "%");
	for (size_t week = 0; week < weeks->count; week++)
		put_week(file, &weeks->row[week], LEFT + each * (double)week, each * 0.9);
	put_dates(file, weeks);
	fputs("</svg>\n<p class=\"legend\">", file);
	for (int i = 0; i < USES; i++)
		fprintf(file,
			"<span><svg class=\"key\" viewBox=\"0 0 10 10\" "
			"aria-hidden=\"true\"><rect class=\"%s\" width=\"10\" "
			"height=\"10\"/></svg>%s</span>\n",
			uses[i].class, uses[i].name);
	fputs("</p></figure>\n", file);
}

void storus_plot_weeks(FILE *file, const storus_section_t *weeks)
{
	double top = 1, each = (double)PLOT_WIDTH / (double)weeks->count;

	for (size_t week = 0; week < weeks->count; week++) {
		storus_mean_t ratio = storus_means(&weeks->row[week].sums).ratio;

		if (ratio.known && ratio.value > top)
			top = ratio.value;
	}
	begin(file, "Hops over those alone, by week", HEIGHT);
	put_scale(file, top, "");
	for (size_t week = 0; week < weeks->count; week++) {
		storus_mean_t ratio = storus_means(&weeks->row[week].sums).ratio;
		double height = ratio.value / top * PLOT_HEIGHT;
		char value[32];

		if (!ratio.known)
			continue;
		snprintf(value, sizeof(value), "%.3f", ratio.value);
		put_bar(file, "bar", LEFT + each * (double)week,
			TOP + PLOT_HEIGHT - height, each * 0.9, height,
			weeks->row[week].name, value);
	}
	put_dates(file, weeks);
	end(file);
}

/* Cut the name behind so many characters of UTF-8. */
static void put_name(FILE *file, double y, const char *name)
{
	char text[4 * NAME_CHARACTERS + 4];
	size_t length = 0;

	for (int characters = 0; name[length]; length++) {
		characters += ((unsigned char)name[length] & 0xc0) != 0x80;
		if (characters > NAME_CHARACTERS || length + 4 > sizeof(text))
			break;
		text[length] = name[length];
	}
	snprintf(text + length, sizeof(text) - length, "%s",
		 name[length] ? "\u2026" : "");
	put_text(file, "left", BAR_LEFT - 8, y, text);
}

void storus_plot_bars(FILE *file, const char *title, const storus_section_t *section,
		      storus_mean_t (*of)(const storus_means_t *means), int digits)
{
	const storus_row_t *row[MOST_BARS];
	double value[MOST_BARS], top = 0;
	int count = 0;

	for (size_t i = 0; i < section->count && count < MOST_BARS; i++) {
		storus_means_t means = storus_means(&section->row[i].sums);
		storus_mean_t mean = of(&means);

		if (!mean.known)
			continue;
		row[count] = &section->row[i];
		value[count] = mean.value > 0 ? mean.value : 0;
		if (value[count] > top)
			top = value[count];
		count++;
	}
	if (!count)
		return;
	begin(file, title, TOP + count * BAR);
	for (int i = 0; i < count; i++) {
		double width =
			top > 0 ? value[i] / top * (WIDTH - BAR_LEFT - BAR_RIGHT) : 0;
		double y = TOP + i * BAR;
		char text[48];

		snprintf(text, sizeof(text), "%.*f", digits, value[i]);
		put_name(file, y + BAR * 0.6, row[i]->name);
		put_bar(file, "bar", BAR_LEFT, y, width, BAR * 0.8, row[i]->name, text);
		put_text(file, "value", BAR_LEFT + width + 6, y + BAR * 0.6, text);
	}
	end(file);
}
