/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces: the sets of free nodes that may be a segment of a job (place/segments.h). A
 * piece is
 *
 * - an interval: so many consecutive free ranks, also around the end of a ring, or
 * - a box of routers (place/box.h) that have so many nodes together, all of them free.
 *   Boxes are looked at only where all routers that have nodes have equally many; of the
 *   sizes of box the most compact TORUS_PIECES_SIZES, and no further size or rotation once
 *   there are TORUS_PIECES_MOST boxes.
 *
 * Private to place/.
 */
#ifndef TORUS_PLACE_PIECES_H
#define TORUS_PLACE_PIECES_H

#include "place/segments.h"

#define TORUS_PIECES_SIZES 8
#define TORUS_PIECES_MOST (UINT32_C(1) << 20)
/* Where looks are counted (site->work), so many boxes for each rank instead. */
#define TORUS_PIECES_A_RANK 16

typedef struct torus_piece {
	uint64_t hops;	 /* summed distance of its nodes, over ordered pairs */
	uint32_t first;	 /* rank of an interval; cell at the corner of a box */
	uint32_t middle; /* cell: of the rank, or the cell, half way along (each side) */
	int32_t turn;	 /* of a box: its sides are sides[turn]; -1: an interval */
	uint32_t order;	 /* in which they were found */
} torus_piece_t;

/* The sides of boxes, along the axes where they are longer than 1. */
typedef struct torus_piece_sides {
	int axes;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t length[TORUS_MAX_DIMS]; /* of the machine, */
	uint32_t stride[TORUS_MAX_DIMS]; /* and from a cell to the next */
} torus_piece_sides_t;

typedef struct torus_pieces {
	/* [count] the fewest hops first; then boxes before intervals, the most compact
	 * size first, its rotations as in place/box.h, the lowest corner; intervals by
	 * their first rank */
	torus_piece_t *piece;
	uint32_t count;
	/* Private: */
	uint32_t room;
	const torus_segments_site_t *site;
	uint32_t size;
	torus_piece_sides_t *sides; /* [turns] */
	int turns;
	uint32_t *first_on; /* [cells + 1] index in rank_on of a cell's first rank */
	uint32_t *rank_on;  /* [ranks] */
} torus_pieces_t;

/*
 * List the pieces of [size] (>= 1) nodes of those set in [free_ranks]. Returns 0, or -1
 * with [err] filled (memory); to be freed in both cases. O(cells * sizes * rotations +
 * ranks * min(size, sum of the lengths) + P) for P pieces, of 32 bytes each.
 */
int torus_pieces_list(torus_pieces_t *pieces, const torus_segments_site_t *site,
		      const uint64_t *free_ranks, uint32_t size, torus_error_t *err);
void torus_pieces_free(torus_pieces_t *pieces);

/*
 * Whether all ranks of [piece] are set in the bitmap [ranks], or none with [set] false.
 * *looks grows by the number of ranks looked at, which ends with the first that is not
 * so.
 */
bool torus_piece_all(const torus_pieces_t *pieces, const torus_piece_t *piece,
		     const uint64_t *ranks, bool set, uint64_t *looks);

/* The ranks of [piece], ranks[0 .. size-1]: of an interval in the order of the line. */
void torus_piece_ranks(const torus_pieces_t *pieces, const torus_piece_t *piece,
		       uint32_t *ranks);

#endif
