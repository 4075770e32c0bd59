/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job never gets the box that it asks for: see machine/no_box.h. */
#include "machine/no_box.h"

#include <inttypes.h>
#include <stdio.h>

#include "geometry/chips.h"
#include "machine/chip_boxes.h"
#include "torus/fit.h"
#include "torus/joined.h"
#include "torus/other_boxes.h"

bool torus_cluster_lacks_cubes(const torus_cluster_t *cluster,
			       const torus_shapes_t *shapes, torus_error_t *why)
{
	const torus_geometry_t *told = &cluster->map[0]->geometry;

	for (int t = 0; t < cluster->maps; t++) {
		const torus_geometry_t *geometry = &cluster->map[t]->geometry;

		for (int i = 0; i < shapes->count; i++) {
			if (torus_shape_fit(geometry, &shapes->shape[i], NULL) !=
			    TORUS_FIT_NEVER)
				return false;
		}
		if (!torus_has_cubes(told))
			told = geometry;
	}
	if (shapes->count)
		torus_shape_explain(told, &shapes->shape[0], why);
	return shapes->count;
}

/* Whether a box of some shape may be closed on some torus. */
static bool may_close(const torus_cluster_t *cluster, const torus_shapes_t *shapes)
{
	for (int t = 0; t < cluster->maps; t++) {
		for (int i = 0; i < shapes->count; i++) {
			if (torus_closed_fit(&cluster->map[t]->geometry,
					     &shapes->shape[i]))
				return true;
		}
	}
	return false;
}

/* Which sides close: on the torus, or in general. [text] has room for it. */
static const char *closed_sides(const torus_cluster_t *cluster,
				const torus_shapes_t *shapes, char *text)
{
	torus_geometry_t geometry = cluster->map[0]->geometry;

	if (cluster->maps > 1)
		return "1, 2 or as long as a wrapped dimension";
	if (torus_shapes_in_chips(shapes))
		geometry = torus_chip_machine(&geometry);
	return torus_closed_sides_format(&geometry, text);
}

static void explain_any(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			uint32_t min_nodes, uint32_t max_nodes, char *reason, size_t size)
{
	char sides[TORUS_CLOSED_SIDES_TEXT], most[32] = "", closed[128] = "";

	if (min_nodes != max_nodes)
		snprintf(most, sizeof(most), " to %" PRIu32, max_nodes);
	if (shapes->closed)
		snprintf(closed, sizeof(closed), "; sides close that are %s",
			 closed_sides(cluster, shapes, sides));
	snprintf(reason, size,
		 "no %sbox of %" PRIu32 "%s nodes fits into the nodes it may use%s",
		 shapes->closed ? "closed " : "", min_nodes, most, closed);
}

/* What the only torus, with nothing else on it, does not have, and what it has instead.
 */
static bool lacks_box(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
		      uint32_t min_nodes, uint32_t max_nodes, char *reason, size_t size)
{
	const torus_geometry_t *geometry = &cluster->map[0]->geometry;
	char text[TORUS_SHAPES_TEXT], dims[TORUS_DIMS_TEXT];
	char others[TORUS_OTHER_BOXES_TEXT] = "", sides[TORUS_CLOSED_SIDES_TEXT];

	if (cluster->maps == 1 && (!shapes->any || min_nodes == max_nodes))
		torus_other_boxes(geometry, torus_map_nodes_per_router(cluster->map[0]),
				  shapes, min_nodes, others);
	if (!*others)
		return false;
	torus_lengths_format(geometry->dims, geometry->length, dims);
	if (shapes->any && shapes->closed)
		snprintf(reason, size,
			 "no closed box of %" PRIu32 " nodes fits into the %s machine; "
			 "%s; sides close that are %s",
			 min_nodes, dims, others, closed_sides(cluster, shapes, sides));
	else if (shapes->any)
		snprintf(reason, size,
			 "no box of %" PRIu32 " nodes fits into the %s machine; %s",
			 min_nodes, dims, others);
	else
		snprintf(reason, size, "no box of shape %s fits into the %s machine; %s",
			 torus_shapes_format(shapes, text), dims, others);
	return true;
}

bool torus_explain_never(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			 uint32_t min_nodes, uint32_t max_nodes, char *reason,
			 size_t size)
{
	const char *word = torus_shapes_in_chips(shapes) ? "chips" : "shape";
	char text[TORUS_SHAPES_TEXT], sides[TORUS_CLOSED_SIDES_TEXT];
	torus_error_t why;

	if (torus_cluster_lacks_chip_box(cluster, shapes, &why) ||
	    torus_cluster_lacks_cubes(cluster, shapes, &why))
		snprintf(reason, size, "%s", why.text);
	else if (!shapes->any && shapes->closed && !may_close(cluster, shapes))
		snprintf(reason, size,
			 "no box of %s %s is ever closed: sides close that are %s", word,
			 torus_shapes_format(shapes, text),
			 closed_sides(cluster, shapes, sides));
	else
		return lacks_box(cluster, shapes, min_nodes, max_nodes, reason, size);
	return true;
}

void torus_explain_no_box(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			  uint32_t min_nodes, uint32_t max_nodes, uint32_t of_other_size,
			  char *reason, size_t size)
{
	const char *word = torus_shapes_in_chips(shapes) ? "chips" : "shape";
	const char *closed = shapes->closed ? "closed " : "";
	char text[TORUS_SHAPES_TEXT];

	if (torus_explain_never(cluster, shapes, min_nodes, max_nodes, reason, size))
		return;
	torus_shapes_format(shapes, text);
	if (shapes->any)
		explain_any(cluster, shapes, min_nodes, max_nodes, reason, size);
	else if (!of_other_size)
		snprintf(reason, size, "no %sbox of %s %s fits into the nodes it may use",
			 closed, word, text);
	else if (shapes->count == 1)
		snprintf(reason, size,
			 "a box of %s %s has %" PRIu32
			 " nodes, and the job asks for %" PRIu32 " to %" PRIu32
			 ": give --nodes=%" PRIu32 " or none",
			 word, text, of_other_size, min_nodes, max_nodes, of_other_size);
	else
		snprintf(reason, size,
			 "no %sbox of %s %s has the %" PRIu32 " to %" PRIu32
			 " nodes that the job asks for",
			 closed, word, text, min_nodes, max_nodes);
}
