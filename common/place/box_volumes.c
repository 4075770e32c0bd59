/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The volumes of free boxes: see box_volumes.h. */
#include "place/box_volumes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/box_bits.h"

typedef struct search {
	const torus_geometry_t *geometry;
	bool closed;
	uint32_t least, most;	  /* volumes that matter */
	int axis[TORUS_MAX_DIMS]; /* the longest last */
	uint32_t cells;
	size_t words;
	uint64_t *maps; /* [dims + 1] where boxes begin, by axes done */
	uint64_t *trial, *scratch;
	uint64_t *volumes;
} search_t;

static void sort_axes(search_t *search)
{
	const int32_t *length = search->geometry->length;
	int dims = search->geometry->dims, longest = 0;

	for (int axis = 0; axis < dims; axis++) {
		search->axis[axis] = axis;
		if (length[axis] >= length[longest])
			longest = axis;
	}
	search->axis[longest] = dims - 1;
	search->axis[dims - 1] = longest;
}

/* Whether a side of this length closes: see torus_box_is_closed(). */
static bool closes(const search_t *search, int axis, int32_t side)
{
	return side <= 2 ||
	       (search->geometry->wrap[axis] && side == search->geometry->length[axis]);
}

static bool any(const search_t *search, const uint64_t *boxes)
{
	return torus_box_bits_any(boxes, search->cells);
}

/* Whether some of [boxes], [from] long along [axis], are free when they are [to] long:
 * [boxes] are these then. */
static bool lengthen(search_t *search, int axis, int32_t from, int32_t to,
		     uint64_t *boxes)
{
	if (to > search->geometry->length[axis])
		return false;
	memcpy(search->trial, boxes, search->words * sizeof(*boxes));
	torus_box_bits_grow(search->geometry, axis, from, to, search->trial,
			    search->scratch);
	if (!any(search, search->trial))
		return false;
	memcpy(boxes, search->trial, search->words * sizeof(*boxes));
	return true;
}

/* How long [boxes], which are 1 long along [axis] and of which there are some, can be. */
static int32_t longest_side(search_t *search, int axis, uint64_t *boxes)
{
	int32_t side = 1, more = 1;

	while (lengthen(search, axis, side, side + more, boxes)) {
		side += more;
		more *= 2;
	}
	for (more /= 2; more; more /= 2) {
		if (lengthen(search, axis, side, side + more, boxes))
			side += more;
	}
	return side;
}

/* The last axis: boxes of [volume] times each side up to the longest. */
static void finish(search_t *search, uint32_t volume)
{
	int last = search->geometry->dims - 1, axis = search->axis[last];
	uint64_t *boxes = search->maps + (size_t)(last + 1) * search->words;
	int32_t longest;

	memcpy(boxes, search->maps + (size_t)last * search->words,
	       search->words * sizeof(*boxes));
	longest = longest_side(search, axis, boxes);
	for (int32_t side = 1; side <= longest; side++) {
		uint64_t product = (uint64_t)volume * (uint32_t)side;

		if (product >= search->least && product <= search->most &&
		    (!search->closed || closes(search, axis, side)))
			torus_bit_set(search->volumes, (uint32_t)product);
	}
}

/* Whether boxes of [volume], so far, can come to a number that matters. */
static bool matters(const search_t *search, int level, uint64_t volume)
{
	uint64_t most = volume;

	for (int i = level; i < search->geometry->dims; i++)
		most *= (uint64_t)search->geometry->length[search->axis[i]];
	return volume <= search->most && most >= search->least;
}

/* Map [level] has the boxes with sides along the axes before [level]. */
static void enumerate(search_t *search, int level, uint32_t volume)
{
	int axis = search->axis[level];
	uint64_t *boxes = search->maps + (size_t)(level + 1) * search->words;

	/* The second condition never decides; compilers ask how deep this may go. */
	if (level >= search->geometry->dims - 1 || level >= TORUS_MAX_DIMS - 1) {
		finish(search, volume);
		return;
	}
	memcpy(boxes, search->maps + (size_t)level * search->words,
	       search->words * sizeof(*boxes));
	for (int32_t side = 1; side <= search->geometry->length[axis]; side++) {
		if ((uint64_t)volume * (uint32_t)side > search->most)
			break;
		if (side > 1)
			torus_box_bits_grow(search->geometry, axis, side - 1, side, boxes,
					    search->scratch);
		if (!any(search, boxes))
			break;
		if ((!search->closed || closes(search, axis, side)) &&
		    matters(search, level + 1, (uint64_t)volume * (uint32_t)side))
			enumerate(search, level + 1, volume * (uint32_t)side);
	}
}

int torus_box_volumes(const torus_geometry_t *geometry, const uint64_t *usable,
		      bool closed, uint32_t least, uint32_t most, uint64_t *volumes,
		      torus_error_t *err)
{
	search_t search = {
		.geometry = geometry,
		.closed = closed,
		.least = least,
		.most = most,
		.cells = torus_geometry_cells(geometry),
		.volumes = volumes,
	};

	search.words = TORUS_WORDS(search.cells);
	search.maps =
		malloc(((size_t)geometry->dims + 3) * search.words * sizeof(*usable));
	if (!search.maps)
		return torus_fail(err, "out of memory for the boxes of %u cells",
				  search.cells);
	search.trial = search.maps + ((size_t)geometry->dims + 1) * search.words;
	search.scratch = search.trial + search.words;
	memcpy(search.maps, usable, search.words * sizeof(*usable));
	sort_axes(&search);
	if (any(&search, usable) && matters(&search, 0, 1))
		enumerate(&search, 0, 1);
	free(search.maps);
	return 0;
}
