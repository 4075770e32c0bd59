/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of one torus or mesh: dimensions, wrap, coordinates, hop distance.
 *
 * A *cell* is the position of a router: cell = x + y*X + z*X*Y + ... (x fastest). A
 * coordinate is an array of TORUS_MAX_DIMS numbers of which the first `dims` count and
 * the others are 0.
 */
#ifndef TORUS_GEOMETRY_H
#define TORUS_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TORUS_MAX_DIMS 6
/* Cells a geometry may have: well above the largest machines, safely inside 32 bits. */
#define TORUS_MAX_CELLS (UINT32_C(1) << 28)
/* A buffer that holds any "AxBx..." text with its terminating NUL. */
#define TORUS_DIMS_TEXT 72

typedef struct torus_geometry {
	int dims;			/* number of dimensions, 1 .. TORUS_MAX_DIMS */
	int32_t length[TORUS_MAX_DIMS]; /* each >= 1; 1 in the dimensions not used */
	bool wrap[TORUS_MAX_DIMS];	/* whether the dimension closes to a ring */
	/* The sides of the box of chips that a node is; all 0 where nodes are none. Only
	 * what says so (geometry/chips.h) looks at chips. */
	int32_t chips[TORUS_MAX_DIMS];
	/* Sides of the cubes that optical switches join at will (torus/cubes.h), each a
	 * divisor of the length; all 0: the machine is no such. Distances in this header
	 * are those of the grid, without the switches. */
	int32_t cube[TORUS_MAX_DIMS];
	/* The long sides of a twisted torus, axis i as bit i; 0: it is not twisted. Its
	 * sides are k and 2k, all of them wrap, and who goes once around a side of k
	 * comes back shifted by k along every side of 2k. */
	unsigned twist;
	/* Links beside the torus's own (geometry/chords.h), borrowed and not to be
	 * changed; NULL: there are none. They are between these cells: a copy with other
	 * lengths must not keep them. */
	struct torus_chords *chords;
} torus_geometry_t;

/*
 * Read "8x8x5" into [dims] and [lengths] (TORUS_MAX_DIMS of them; unused ones become 1).
 * Each number is decimal, 1 .. TORUS_MAX_CELLS, no sign, no blanks; 'x' and 'X' separate.
 * Also used for shapes and task grids. Returns 0, or -1 with [err] filled when the text
 * is not of that form, has more than TORUS_MAX_DIMS numbers, or their product is above
 * TORUS_MAX_CELLS.
 */
int torus_lengths_parse(const char *text, int *dims, int32_t lengths[TORUS_MAX_DIMS],
			torus_error_t *err);

/*
 * Fill [geometry] from a `Dims=` text and a `Wrap=` text (NULL: no dimension wraps).
 * Wrap is "all", "none", letters of "xyzuvw" in any order and case, or one digit 0 or 1 a
 * dimension separated by commas ("1,0,1"). Returns 0, or -1 with [err] filled.
 */
int torus_geometry_parse(const char *dims, const char *wrap, torus_geometry_t *geometry,
			 torus_error_t *err);

/* Read a `Wrap=` text (as above) for [dims] dimensions into [wrap]. 0, or -1 + [err]. */
int torus_wrap_parse(const char *text, int dims, bool wrap[TORUS_MAX_DIMS],
		     torus_error_t *err);

/* Write "8x8x5" into [text] (TORUS_DIMS_TEXT bytes); returns [text]. */
char *torus_lengths_format(int dims, const int32_t *lengths, char text[TORUS_DIMS_TEXT]);

/* Write the letters of the dimensions that wrap, "xz", or "none"; returns [text]. */
#define TORUS_WRAP_TEXT (TORUS_MAX_DIMS + 1)
char *torus_wrap_format(const torus_geometry_t *geometry, char text[TORUS_WRAP_TEXT]);

/* Number of cells, 1 .. TORUS_MAX_CELLS. */
uint32_t torus_geometry_cells(const torus_geometry_t *geometry);

/* Whether some dimension wraps. */
bool torus_geometry_wraps(const torus_geometry_t *geometry);

/* Coordinate of [cell] (which must be below the number of cells). */
void torus_cell_to_coord(const torus_geometry_t *geometry, uint32_t cell,
			 int32_t coord[TORUS_MAX_DIMS]);

/* Cell of [coord], whose entries must lie in 0 .. length-1. */
uint32_t torus_coord_to_cell(const torus_geometry_t *geometry,
			     const int32_t coord[TORUS_MAX_DIMS]);

/*
 * Hops between two positions along dimension [axis]: |a - b|, or the shorter way round
 * where that dimension wraps (Lee distance).
 */
static inline int32_t torus_hops_axis(const torus_geometry_t *geometry, int axis,
				      int32_t a, int32_t b)
{
	int32_t distance = a > b ? a - b : b - a;

	if (geometry->wrap[axis] && geometry->length[axis] - distance < distance)
		distance = geometry->length[axis] - distance;
	return distance;
}

/*
 * Whether the hops between two coordinates are the sum of torus_hops_axis() over the
 * dimensions: not on a twisted torus, nor with links beside the torus's own.
 */
static inline bool torus_hops_add_up(const torus_geometry_t *geometry)
{
	return !geometry->twist && !geometry->chords;
}

/* The sum of torus_hops_axis() over the dimensions: hops by the torus's own links, unless
 * it is twisted. */
static inline uint32_t torus_straight_hops(const torus_geometry_t *geometry,
					   const int32_t *a, const int32_t *b)
{
	uint32_t hops = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		hops += (uint32_t)torus_hops_axis(geometry, axis, a[axis], b[axis]);
	return hops;
}

/* Hops between two coordinates where they do not add up. */
uint32_t torus_other_hops(const torus_geometry_t *geometry, const int32_t *a,
			  const int32_t *b);

/* Hops between two coordinates: those of the shortest way over links. */
static inline uint32_t torus_hops(const torus_geometry_t *geometry, const int32_t *a,
				  const int32_t *b)
{
	if (!torus_hops_add_up(geometry))
		return torus_other_hops(geometry, a, b);
	return torus_straight_hops(geometry, a, b);
}

/* Hops between two cells. */
uint32_t torus_hops_cells(const torus_geometry_t *geometry, uint32_t a, uint32_t b);

#endif
