/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A column of whole numbers as text: "3,5*4" is 3, 5, 5, 5, 5. In a column of steps each
 * number is the difference to the one before, the first that to 0: "100,0*2,7" is 100,
 * 100, 100, 107.
 */
#ifndef STORUS_VIEW_COLUMN_H
#define STORUS_VIEW_COLUMN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* {0}, or {.steps = true}, is an empty column. */
typedef struct storus_column {
	bool steps;
	FILE *file; /* of [text]; NULL: empty, or out of memory */
	char *text;
	size_t size;
	int64_t last;	/* number that was added */
	int64_t number; /* that is to be written, [count] times */
	uint64_t count;
	bool failed; /* out of memory */
} storus_column_t;

void storus_column_add(storus_column_t *column, int64_t number);

/* The column's text; NULL: out of memory. Empties the column. */
json_t *storus_column_json(storus_column_t *column);

/* Empty a column that is not needed. */
void storus_column_clear(storus_column_t *column);

#endif
