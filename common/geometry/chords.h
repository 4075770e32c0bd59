/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links of a machine beside those of its torus or mesh, here called chords: each joins
 * two routers, both ways, and is one hop.
 *
 * Every way that takes a chord passes one of its ends. So the hops between two cells are
 * the least of those by the torus alone and, over one end of each chord, of the hops from
 * the one cell to that end and from there to the other: these are listed for each cell.
 */
#ifndef TORUS_GEOMETRY_CHORDS_H
#define TORUS_GEOMETRY_CHORDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * At most so many chords, on at most so many cells: with all of these the lists take 40
 * to 64 MB and 0.15 s to make, and the sums of a job on the whole machine 0.2 s each time
 * (test/bench/bench_chords).
 */
#define TORUS_CHORDS_MAX 4096
#define TORUS_CHORDS_CELLS_MAX 8192

/* The two cells that a chord joins. */
typedef struct torus_chord {
	uint32_t cell[2];
} torus_chord_t;

typedef struct torus_chords {
	uint32_t cells;	      /* of the machine */
	uint32_t count;	      /* chords, may be 0 */
	torus_chord_t *chord; /* [count] ascending, the lower cell first */
	/* The cells one hop from cell c, by the torus's own links and chords, are
	 * near[first[c]] to near[first[c + 1] - 1], ascending, each once. */
	uint32_t *first; /* [cells + 1] */
	uint32_t *near;
	struct torus_chords *of_chips; /* the chords between chips, where nodes are boxes
					* of them (geometry/chips.h); owned; else NULL */
	/* private */
	size_t row;    /* ends that are listed, and what makes that a multiple of 16 */
	int16_t *hops; /* [cells * row] the hops from a cell to each of these */
	atomic_uint holders;
} torus_chords_t;

/* For qsort(): two torus_chord_t by their cells, the first one first. */
int torus_chord_compare(const void *a, const void *b);

/* Sort the chord[0 .. count-1], in each the lower cell first, and keep each once. Returns
 * how many are left. */
uint32_t torus_chords_unique(torus_chord_t *chord, uint32_t count);

/*
 * Whether [chord] may be one: 0, or -1 with [err] filled: it joins a cell to itself, or
 * two that the torus joins already.
 */
int torus_chord_check(const torus_geometry_t *geometry, torus_chord_t chord,
		      torus_error_t *err);

/*
 * Make the chords[0 .. count-1] of [geometry], which is no machine of cubes and has none
 * so far; each has been checked, and none is there twice, in either direction. Where
 * nodes are boxes of chips they are between chips (cells of torus_chip_machine()), and so
 * between their nodes, unless these are one or neighbours. Returns them, for
 * torus_chords_release(); NULL with [err] filled: too many chords or cells, memory.
 * O(chords * cells).
 */
torus_chords_t *torus_chords_create(const torus_geometry_t *geometry,
				    const torus_chord_t *chord, uint32_t count,
				    torus_error_t *err);

/* Keep [chords] until one more torus_chords_release(). Both accept NULL; threads may call
 * them at the same time. */
void torus_chords_hold(torus_chords_t *chords);
void torus_chords_release(torus_chords_t *chords);

/*
 * Hops of the shortest way between two cells that comes by one of the listed ends: at
 * least those between them, and just these if the shortest way takes a chord.
 * O(ends listed).
 */
uint32_t torus_chords_hops(const torus_chords_t *chords, uint32_t a, uint32_t b);

/* So many walk together. */
#define TORUS_CHORDS_WALKERS 64

/* Is told that those of [walkers], from[i] as bit i, are [hops] from [cell]. Whether they
 * may stop. */
typedef bool torus_chords_see_t(void *context, uint32_t cell, uint32_t hops,
				uint64_t walkers);

/*
 * Walk from the cells from[0 .. count-1], which may be the same, over all links at once,
 * 1 <= count <= TORUS_CHORDS_WALKERS: each is at a cell once, nearest cells first.
 * Returns 0, or -1 with [err] filled (memory). O(cells * hops to the farthest).
 */
int torus_chords_walk(const torus_chords_t *chords, const uint32_t *from, uint32_t count,
		      torus_chords_see_t *see, void *context, torus_error_t *err);

#endif
