/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turned, reflected and shifted Hilbert curves: see curves.h. */
#include "place/compact/curves.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/random.h"
#include "curve/curve.h"

/* How a curve lies: axis i of the machine is axis[i] of the curve as it was made. */
typedef struct motion {
	int axis[TORUS_MAX_DIMS];
	bool reflected[TORUS_MAX_DIMS];
	int32_t shift[TORUS_MAX_DIMS];
} motion_t;

/* Draw a random motion that maps the box onto itself. */
static motion_t draw(const torus_geometry_t *geometry, uint64_t *seed)
{
	motion_t motion;

	for (int axis = 0; axis < geometry->dims; axis++)
		motion.axis[axis] = axis;
	for (int axis = 0; axis < geometry->dims; axis++) {
		int other = (int)torus_random_below(seed, (uint32_t)geometry->dims);
		int kept = motion.axis[axis];

		if (geometry->length[motion.axis[other]] == geometry->length[kept]) {
			motion.axis[axis] = motion.axis[other];
			motion.axis[other] = kept;
		}
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		motion.reflected[axis] = torus_random_below(seed, 2);
		motion.shift[axis] = (int32_t)torus_random_below(seed, length);
		if (!geometry->wrap[axis])
			motion.shift[axis] = 0;
	}
	return motion;
}

/* Fill the table of a curve. */
static void move(const torus_geometry_t *geometry, const motion_t *motion,
		 uint32_t *moved)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		uint32_t stride = 1;

		for (int before = 0; before < motion->axis[axis]; before++)
			stride *= (uint32_t)geometry->length[before];
		for (int32_t i = 0; i < length; i++) {
			int32_t to = (i + motion->shift[axis]) % length;

			if (motion->reflected[axis])
				to = length - 1 - to;
			*moved++ = stride * (uint32_t)to;
		}
	}
}

static int trace(torus_compact_curves_t *curves, torus_error_t *err)
{
	const torus_geometry_t *geometry = &curves->site->geometry;
	uint32_t cells = curves->site->cells;
	uint32_t *order = curves->at;
	uint64_t seed = 1;

	if (torus_curve_order(geometry, TORUS_CURVE_HILBERT, order, err))
		return -1;
	for (uint32_t i = 0; i < cells; i++)
		curves->place[order[i]] = i;
	for (uint32_t i = 0; i < TORUS_COMPACT_CURVES; i++) {
		motion_t motion = draw(geometry, &seed);

		move(geometry, &motion, curves->moved + (size_t)i * curves->lengths);
	}
	return 0;
}

int torus_compact_curves_begin(torus_compact_curves_t *curves, const torus_site_t *site,
			       torus_error_t *err)
{
	*curves = (torus_compact_curves_t){.site = site};
	for (int axis = 0; axis < site->geometry.dims; axis++)
		curves->lengths += (uint32_t)site->geometry.length[axis];
	curves->place = malloc(site->cells * sizeof(*curves->place));
	curves->moved = malloc((size_t)curves->lengths * TORUS_COMPACT_CURVES *
			       sizeof(*curves->moved));
	curves->passed = torus_bitmap_create(site->cells);
	curves->at = malloc(site->cells * sizeof(*curves->at));
	if (!curves->place || !curves->moved || !curves->passed || !curves->at)
		return torus_fail(err, "out of memory for curves of %u cells",
				  site->cells);
	return trace(curves, err);
}

void torus_compact_curves_end(torus_compact_curves_t *curves)
{
	free(curves->place);
	free(curves->moved);
	free(curves->passed);
	free(curves->at);
}

void torus_compact_curves_list(torus_compact_curves_t *curves, uint32_t curve,
			       const torus_compact_set_t *set, torus_compact_line_t *line)
{
	const torus_site_t *site = curves->site;

	line->count = 0;
	line->places = site->cells;
	for (uint32_t i = 0; i < set->cells; i++) {
		const uint32_t *moved = curves->moved + (size_t)curve * curves->lengths;
		const int32_t *coord = torus_site_coord(site, set->open[i]);
		uint32_t place = 0;

		for (int axis = 0; axis < site->geometry.dims; axis++) {
			place += moved[coord[axis]];
			moved += site->geometry.length[axis];
		}
		place = curves->place[place];
		torus_bit_set(curves->passed, place);
		curves->at[place] = set->open[i];
	}
	for (size_t i = 0; i < TORUS_WORDS(site->cells); i++) {
		for (uint64_t bits = curves->passed[i]; bits; bits &= bits - 1) {
			uint32_t place =
				(uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(bits);
			uint32_t cell = curves->at[place];

			for (uint32_t left = torus_compact_set_left(set, cell); left;
			     left--) {
				line->place[line->count] = place;
				line->cell[line->count++] = cell;
			}
		}
		curves->passed[i] = 0;
	}
}
