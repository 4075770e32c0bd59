/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the nodes of a job on a machine of cubes are joined, as texts and fields. */
#ifndef STORUS_CLI_JOINED_FIELDS_H
#define STORUS_CLI_JOINED_FIELDS_H

#include "storus/cli/output.h"
#include "torus/joined.h"

/* NULL each where the nodes are neither whole cubes nor within one. */
typedef struct storus_joined_texts {
	char *cubes;  /* in their order */
	char *joined; /* "4x4x8" or "4x4x8_twisted"; NULL also within one cube */
	char *cells;  /* of each node on the job's own torus */
} storus_joined_texts_t;

/* Fill empty [texts], to be cleared. 0, or -1 with [err] filled (memory). */
int storus_joined_texts(const torus_joined_t *joined, storus_joined_texts_t *texts,
			torus_error_t *err);
void storus_joined_texts_clear(storus_joined_texts_t *texts);

/* The fields cubes, joined and joined_cells; [texts] NULL: their names only. */
#define STORUS_JOINED_FIELDS 3
void storus_joined_fields(const storus_joined_texts_t *texts,
			  storus_field_t fields[STORUS_JOINED_FIELDS]);

#endif
