/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random links beside a torus's own, and hops over them by a walk. */
#ifndef TORUS_TEST_RANDOM_CHORDS_H
#define TORUS_TEST_RANDOM_CHORDS_H

#include "geometry/chips.h"
#include "geometry/chords.h"
#include "random.h"

#define RANDOM_CHORDS_MOST 40

/*
 * Give [geometry], which has none, up to RANDOM_CHORDS_MOST links beside its own, if
 * there are pairs of cells for any, and not too many cells. They are between chips where nodes are boxes of them.
 * To be released by torus_chords_release(geometry->chords).
 */
static inline void random_chords(torus_geometry_t *geometry)
{
	const torus_geometry_t chips = torus_chip_machine(geometry), *machine = &chips;
	uint32_t cells = torus_geometry_cells(machine), count = 0;
	uint32_t most = random_in(0, 3) ? random_in(1, RANDOM_CHORDS_MOST / 4)
					: RANDOM_CHORDS_MOST;
	torus_chord_t chord[RANDOM_CHORDS_MOST];

	if (cells > TORUS_CHORDS_CELLS_MAX)
		return;
	for (int round = 0; round < 200 && count < most; round++) {
		/* Some cells have several. */
		torus_chord_t one = {{random_in(0, random_in(0, cells - 1)),
				      random_in(0, cells - 1)}};
		bool fresh = !torus_chord_check(machine, one, NULL);

		for (uint32_t i = 0; i < count; i++) {
			const uint32_t *cell = chord[i].cell;

			fresh &= !(cell[0] == one.cell[0] && cell[1] == one.cell[1]) &&
				 !(cell[0] == one.cell[1] && cell[1] == one.cell[0]);
		}
		if (fresh)
			chord[count++] = one;
	}
	if (!count)
		return;
	geometry->chords = torus_chords_create(geometry, chord, count, NULL);
	if (!geometry->chords)
		abort();
}

#endif
