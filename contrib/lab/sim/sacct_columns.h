/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of what sacct prints: which of them are read, and as what. */
#ifndef TORUS_SIM_SACCT_COLUMNS_H
#define TORUS_SIM_SACCT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/sacct_fields.h"

/* What is read of a job. */
typedef enum torus_sacct_meaning {
	TORUS_SACCT_NUMBER,
	TORUS_SACCT_SUBMIT,
	TORUS_SACCT_ELIGIBLE,
	TORUS_SACCT_START,
	TORUS_SACCT_END,
	TORUS_SACCT_ELAPSED,
	TORUS_SACCT_LIMIT,
	TORUS_SACCT_NODES,
	TORUS_SACCT_STATE,
	/* Only sim/history.h reads these. */
	TORUS_SACCT_ASKED, /* nodes that it asked for */
	TORUS_SACCT_USER,
	TORUS_SACCT_ACCOUNT,
	TORUS_SACCT_PARTITION,
	TORUS_SACCT_NODELIST,
	TORUS_SACCT_COMMENT, /* SystemComment */
	TORUS_SACCT_MEANINGS,
} torus_sacct_meaning_t;

typedef struct torus_sacct_columns {
	torus_sacct_field_t line; /* the one with the names, borrowed */
	bool has[TORUS_SACCT_MEANINGS];
	bool nodes_allocated; /* the nodes are AllocNodes, not NNodes */
	size_t count;	      /* of all columns */
	/* private */
	size_t column[TORUS_SACCT_MEANINGS]; /* which it is, from 0 */
} torus_sacct_columns_t;

/*
 * Find the columns in the [line] with their names, line [number] of [path]; sacct.h lists
 * those that are needed. Of two columns with the same meaning the better one is read; of
 * two with the same name, the first. Returns 0, or -1 with [err] filled: a column is
 * missing.
 */
int torus_sacct_columns_read(torus_sacct_field_t line, const char *path, uint64_t number,
			     torus_sacct_columns_t *columns, torus_error_t *err);

/*
 * Cut [line] into field[TORUS_SACCT_MEANINGS], of which those that columns->has are set.
 * Returns whether the line has as many fields as there are columns.
 */
bool torus_sacct_cut(const torus_sacct_columns_t *columns, torus_sacct_field_t line,
		     torus_sacct_field_t *field);

#endif
