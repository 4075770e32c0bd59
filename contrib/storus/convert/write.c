/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A converted machine as torus.conf, and the files of coordinates that this names. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/printable.h"
#include "conf/chords.h"
#include "storus/convert/write.h"

/* The links beside the torus's own, between chips. */
static void write_links(FILE *file, const storus_converted_torus_t *torus)
{
	torus_geometry_t chips = torus->geometry;
	char text[TORUS_CHORD_TEXT];

	for (int axis = 0; axis < chips.dims; axis++)
		chips.length[axis] *= torus->node_shape[axis];
	for (uint32_t i = 0; i < torus->links; i++)
		fprintf(file, "%s%s", i ? "," : " Links=",
			torus_chord_format(&chips, torus->link[i], text));
}

/* all, none, or the letters of those dimensions that wrap. */
static const char *wrap_text(const torus_geometry_t *geometry, char text[TORUS_WRAP_TEXT])
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis])
			return torus_wrap_format(geometry, text);
	}
	return "all";
}

static void write_torus(FILE *file, const storus_converted_torus_t *torus)
{
	char dims[TORUS_DIMS_TEXT], wrap[TORUS_WRAP_TEXT];

	fprintf(file, "TorusName=%s Dims=%s Wrap=%s", torus->name,
		torus_lengths_format(torus->geometry.dims, torus->geometry.length, dims),
		wrap_text(&torus->geometry, wrap));
	if (torus->node_shape[0])
		fprintf(file, " NodeShape=%s",
			torus_lengths_format(torus->geometry.dims, torus->node_shape,
					     dims));
	write_links(file, torus);
	if (!torus->list)
		fprintf(file, " Coords=" STORUS_CONVERTED_COORDS "\n", torus->name);
	else if (torus->nodes_per_router > 1)
		fprintf(file, " NodesPerRouter=%" PRIu32 " Nodes=%s\n",
			torus->nodes_per_router, torus->list);
	else
		fprintf(file, " Nodes=%s\n", torus->list);
}

void storus_converted_write_conf(FILE *file, const storus_converted_t *machine,
				 const char *source, bool knows_rings)
{
	char clean[512];

	fprintf(file,
		"# Made by storus convert from %s.\n"
		"%s",
		torus_printable(source, clean, sizeof(clean)),
		knows_rings ? ""
			    : "# Slurm's plugins know no Wrap=. It must name what closes "
			      "to a ring, and only that.\n");
	for (int t = 0; t < machine->tori; t++)
		write_torus(file, &machine->torus[t]);
}

int storus_converted_write_coords(FILE *file, const storus_converted_torus_t *torus,
				  torus_error_t *err)
{
	int32_t coord[TORUS_MAX_DIMS];
	uint32_t count;

	for (uint32_t i = 0; i < torus->nodes; i += count) {
		char *list;

		count = storus_converted_on_router(torus, i);
		list = storus_converted_hostlist(torus, i, count);
		if (!list)
			return torus_fail(err, "out of memory");
		torus_cell_to_coord(&torus->geometry, torus->node[i].cell, coord);
		fputs(list, file);
		for (int axis = 0; axis < torus->geometry.dims; axis++)
			fprintf(file, " %d", coord[axis]);
		fputc('\n', file);
		free(list);
	}
	return 0;
}
