/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every SVG picture is made of. Errors of [file] are the caller's to find. */
#ifndef STORUS_CLI_SVG_H
#define STORUS_CLI_SVG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Begin a document of [width] by [height] pixels on a white ground. [style] is further
 * CSS: every text is sans-serif and dark, the class "heading" bold, "plane" pale.
 */
void storus_svg_begin(FILE *file, const char *title, int width, int height,
		      const char *style);
void storus_svg_end(FILE *file);

/* Write [text], which may hold any characters that XML allows, as text of SVG or HTML, or
 * as the value of an attribute in double quotes ... */
void storus_svg_escaped(FILE *file, const char *text);

/* ... and as an element, from (x, y) on. */
void storus_svg_text(FILE *file, const char *class, int x, int y, const char *text);

/* A rectangle of a class, which says how it looks ... */
void storus_svg_frame(FILE *file, const char *class, int x, int y, int width, int height);
/* ... and one filled with the colour 0xRRGGBB. */
void storus_svg_rectangle(FILE *file, int x, int y, int width, int height,
			  uint32_t colour);

/* Colours, as #RRGGBB, for what is numbered; after the last comes the first again. Those
 * who see red and green as one tell any two apart, at a CIEDE2000 of 12 and more. */
enum { STORUS_SVG_COLOURS = 8 };
const char *storus_svg_colour(size_t number);

#endif
