/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as strategies see it: which ranks are on each cell, how many of them are
 * free, and which the job takes. For strategies only.
 */
#ifndef TORUS_PLACE_SITE_H
#define TORUS_PLACE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

typedef struct torus_site {
	torus_geometry_t geometry;
	uint32_t cells;
	uint32_t ranks;
	const uint32_t *cell_of_rank; /* [ranks], borrowed */
	uint32_t most;		      /* nodes on the fullest router, at least 1 */
	uint32_t *first_on; /* [cells + 1] index in rank_on of a cell's first rank */
	uint32_t *rank_on;  /* [ranks] cell by cell, those of a cell ascending */
	int32_t *coord;	    /* [cells * dims] */
	/* What a strategy keeps between decisions, and how it is freed: */
	void *kept; /* NULL until its first decision */
	void (*kept_destroy)(void *kept);

	/* Of the current decision: */
	const uint64_t *free; /* bitmap of ranks, borrowed */
	uint32_t *free_on;    /* [cells] how many of each cell's ranks are free */
	uint64_t *taken;      /* bitmap of the ranks that the job gets */
} torus_site_t;

/*
 * Index the machine whose ranks are on cell_of_rank[0 .. ranks-1], which must outlive
 * it. NULL with [err] filled: out of memory. Destroy accepts NULL. O(cells * dims +
 * ranks).
 */
torus_site_t *torus_site_create(const torus_geometry_t *geometry,
				const uint32_t *cell_of_rank, uint32_t ranks,
				torus_error_t *err);
void torus_site_destroy(torus_site_t *site);

/*
 * Begin a decision among the ranks set in [free], which must outlive the decision: fills
 * free_on and clears taken. Returns the number of free ranks. O(cells + free ranks).
 */
uint32_t torus_site_begin(torus_site_t *site, const uint64_t *free);

/*
 * Take up to [count] ranks of [cell], the lowest that are free and not taken. Returns how
 * many.
 */
uint32_t torus_site_take(torus_site_t *site, uint32_t cell, uint32_t count);

/* The coordinate of [cell]: dims numbers. */
static inline const int32_t *torus_site_coord(const torus_site_t *site, uint32_t cell)
{
	return site->coord + (size_t)cell * (size_t)site->geometry.dims;
}

/* Whether [cell] is a full router all of whose nodes are free. */
static inline bool torus_site_whole(const torus_site_t *site, uint32_t cell)
{
	return site->free_on[cell] == site->most;
}

#endif
