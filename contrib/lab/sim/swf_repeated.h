/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that stand in a workload log more than once. */
#ifndef TORUS_SIM_SWF_REPEATED_H
#define TORUS_SIM_SWF_REPEATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/workload.h"

/* Fields of a line. */
#define TORUS_SWF_FIELDS 18

/* The lines that were read so far: none are {0}. */
typedef struct torus_swf_lines {
	struct torus_swf_line {
		uint64_t hash;	 /* of its fields */
		uint64_t number; /* in the log */
		const char *text, *end;
	} * line; /* [count], owned */
	size_t count, room;
} torus_swf_lines_t;

/*
 * Read the fields of the line [text .. end-1], in millionths, as torus_swf_read() does.
 * Returns whether there are as many numbers.
 */
bool torus_swf_fields(const char *text, const char *end, int64_t field[TORUS_SWF_FIELDS]);

/*
 * Note the line [number] of the log, text[0 .. end-1], which must outlive the lines, with
 * these fields. Returns 0, or -1 with [err] filled (memory).
 */
int torus_swf_lines_add(torus_swf_lines_t *lines, uint64_t number, const char *text,
			const char *end, const int64_t field[TORUS_SWF_FIELDS],
			torus_error_t *err);

/*
 * The lines all of whose fields are those of a line before. The order of the lines
 * changes. O(n log n).
 */
torus_repeated_t torus_swf_lines_repeated(torus_swf_lines_t *lines);

/* Free the lines. None are left. */
void torus_swf_lines_clear(torus_swf_lines_t *lines);

#endif
