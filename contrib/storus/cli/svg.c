/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every SVG picture is made of. */
#include "torus_config.h"

#include <inttypes.h>

#include "storus/cli/svg.h"

void storus_svg_begin(FILE *file, const char *title, int width, int height,
		      const char *style)
{
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n"
		"<title>%s</title>\n"
		"<style>\n"
		"text { font-family: sans-serif; fill: #222 }\n"
		".heading { font-weight: bold }\n"
		".plane { fill: #555 }\n"
		"%s"
		"</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
		width, height, width, height, title, style);
}

void storus_svg_end(FILE *file)
{
	fputs("</svg>\n", file);
}

void storus_svg_escaped(FILE *file, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			fputc(*text, file);
		}
	}
}

void storus_svg_text(FILE *file, const char *class, int x, int y, const char *text)
{
	fprintf(file, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
	storus_svg_escaped(file, text);
	fputs("</text>\n", file);
}

void storus_svg_frame(FILE *file, const char *class, int x, int y, int width, int height)
{
	fprintf(file,
		"<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
		class, x, y, width, height);
}

void storus_svg_rectangle(FILE *file, int x, int y, int width, int height,
			  uint32_t colour)
{
	fprintf(file,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06" PRIx32
		"\"/>\n",
		x, y, width, height, colour);
}

/* As in the page of storus view on a light ground; test/cli/colours.py says how far apart
 * they are. */
const char *storus_svg_colour(size_t number)
{
	static const char *const colours[STORUS_SVG_COLOURS] = {
		"#00695a", "#d20f69", "#968700", "#784bc3",
		"#00d2b4", "#f087ff", "#a5c369", "#784b0f"};

	return colours[number % STORUS_SVG_COLOURS];
}
