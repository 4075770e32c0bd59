/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a job's nodes are joined: see joined_fields.h. */
#define _GNU_SOURCE /* asprintf() */
#include "torus_config.h"

#include <stdio.h>
#include <stdlib.h>

#include "lists/ranklist.h"
#include "storus/cli/joined_fields.h"

int storus_joined_texts(const torus_joined_t *joined, storus_joined_texts_t *texts,
			torus_error_t *err)
{
	const char *twisted = joined->geometry.twist ? "_twisted" : "";
	char sides[TORUS_DIMS_TEXT];

	if (!joined->cubes)
		return 0;
	torus_lengths_format(joined->geometry.dims, joined->geometry.length, sides);
	texts->cubes = torus_ranklist_format(joined->cube, joined->cubes, ',');
	texts->cells = torus_ranklist_format(joined->cell, joined->nodes, ',');
	if (joined->kind == TORUS_WHOLE_CUBES &&
	    asprintf(&texts->joined, "%s%s", sides, twisted) < 0)
		texts->joined = NULL;
	if (texts->cubes && texts->cells &&
	    (texts->joined || joined->kind != TORUS_WHOLE_CUBES))
		return 0;
	return torus_fail(err, "out of memory");
}

void storus_joined_texts_clear(storus_joined_texts_t *texts)
{
	free(texts->cubes);
	free(texts->joined);
	free(texts->cells);
	*texts = (storus_joined_texts_t){0};
}

void storus_joined_fields(const storus_joined_texts_t *texts,
			  storus_field_t fields[STORUS_JOINED_FIELDS])
{
	fields[0] = storus_text("cubes", texts ? texts->cubes : NULL);
	fields[1] = storus_text("joined", texts ? texts->joined : NULL);
	fields[2] = storus_text("joined_cells", texts ? texts->cells : NULL);
}
