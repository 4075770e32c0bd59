/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paging: the machine is cut into pages, squares (cubes ...) with sides 2^k, which are in
 * row-major or snake order, or in one of these shuffled; a job gets the first pages that
 * are free. "Noncontiguous Processor Allocation Algorithms for Mesh-Connected
 * Multicomputers" (Lo, Windisch, Liu, Nitzberg, 1997), where this is Paging(k).
 *
 * Shuffled, the order is that of the halves, quarters (eighths ...) of the machine, again
 * within each of them, and so on: row by row, which is the Z-order curve, since bits of
 * row and column take turns (Thompson and Kung, "Sorting on a Mesh-Connected Parallel
 * Computer", 1977); or in a snake, the last two quarters the other way round. That is
 * our reading of a shuffled snake, and of pages that are not a square with a power of two
 * as its side: where there is nothing, nothing is counted.
 *
 * Pages at the far edges may be cut off. In the paper a job gets whole pages and waits
 * when there are too few. Here it gets n nodes: the first ones of its last page, in
 * row-major order; and when no wholly free page is left, free nodes of the other pages,
 * in the same order.
 */
#include "strategies/strategies.h"

#include <stdlib.h>

#include "curve/curve.h"

typedef struct pages {
	torus_site_t *site;
	int32_t side;
	torus_geometry_t geometry; /* a cell of it is a page */
	uint32_t count;
	uint32_t *order;   /* [count] of the pages */
	uint32_t *free_on; /* [count] nodes */
	uint32_t *nodes;   /* [count] */
} pages_t;

static uint32_t page_of(const pages_t *pages, uint32_t cell)
{
	const int32_t *coord = torus_site_coord(pages->site, cell);
	int32_t page[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < pages->geometry.dims; axis++)
		page[axis] = coord[axis] / pages->side;
	return torus_coord_to_cell(&pages->geometry, page);
}

/* A page and its place in the order, which is that of these numbers. */
typedef struct sorted_page {
	uint64_t key;
	uint32_t page;
} sorted_page_t;

static int compare_pages(const void *a, const void *b)
{
	const sorted_page_t *first = a, *second = b;

	return first->key < second->key ? -1 : first->key > second->key;
}

/*
 * The place of a page in a shuffled snake. From the halves on, in each step the number of
 * the part that it is in: that of its Gray code, as each dimension is run through the
 * other way round when the next one has gone on.
 */
static uint64_t shuffled_snake_key(const torus_geometry_t *pages, uint32_t page)
{
	int32_t at[TORUS_MAX_DIMS];
	uint64_t key = 0;

	torus_cell_to_coord(pages, page, at);
	for (int bit = 30; bit >= 0; bit--) {
		uint32_t part = 0;

		for (int axis = pages->dims - 1; axis >= 0; axis--) {
			if (pages->length[axis] - 1 < INT32_C(1) << bit)
				continue;
			part = part << 1 | ((uint32_t)(at[axis] >> bit & 1) ^ (part & 1));
			key = key << 1 | (part & 1);
		}
	}
	return key;
}

static int sort_shuffled_snake(pages_t *pages, torus_error_t *err)
{
	sorted_page_t *sorted = malloc(pages->count * sizeof(*sorted));

	if (!sorted)
		return torus_fail(err, "out of memory for %u pages", pages->count);
	for (uint32_t page = 0; page < pages->count; page++)
		sorted[page] =
			(sorted_page_t){shuffled_snake_key(&pages->geometry, page), page};
	qsort(sorted, pages->count, sizeof(*sorted), compare_pages);
	for (uint32_t i = 0; i < pages->count; i++)
		pages->order[i] = sorted[i].page;
	free(sorted);
	return 0;
}

/* Put the pages in order. */
static int sort_pages(pages_t *pages, unsigned variant, torus_error_t *err)
{
	bool snake = variant & TORUS_PAGES_SNAKE,
	     shuffled = variant & TORUS_PAGES_SHUFFLED;

	if (snake && shuffled)
		return sort_shuffled_snake(pages, err);
	return torus_curve_order(&pages->geometry,
				 shuffled ? TORUS_CURVE_Z_ORDER
				 : snake  ? TORUS_CURVE_SNAKE
					  : TORUS_CURVE_ROW_MAJOR,
				 pages->order, err);
}

static int begin(pages_t *pages, unsigned variant, torus_error_t *err)
{
	const torus_site_t *site = pages->site;

	pages->geometry = site->geometry;
	pages->geometry.chords = NULL; /* they are between the site's cells */
	for (int axis = 0; axis < site->geometry.dims; axis++)
		pages->geometry.length[axis] =
			(site->geometry.length[axis] + pages->side - 1) / pages->side;
	pages->count = torus_geometry_cells(&pages->geometry);
	pages->order = malloc(pages->count * sizeof(*pages->order));
	pages->free_on = calloc(pages->count, sizeof(*pages->free_on));
	pages->nodes = calloc(pages->count, sizeof(*pages->nodes));
	if (!pages->order || !pages->free_on || !pages->nodes)
		return torus_fail(err, "out of memory for %u pages", pages->count);
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		uint32_t page = page_of(pages, cell);

		pages->free_on[page] += site->free_on[cell];
		pages->nodes[page] += site->first_on[cell + 1] - site->first_on[cell];
	}
	return sort_pages(pages, variant, err);
}

/* Take up to [count] nodes of a page. Returns how many. */
static uint32_t take_page(const pages_t *pages, uint32_t page, uint32_t count)
{
	const torus_geometry_t *geometry = &pages->site->geometry;
	int32_t first[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
	uint32_t taken = 0;
	int axis = 0;

	torus_cell_to_coord(&pages->geometry, page, first);
	for (int i = 0; i < TORUS_MAX_DIMS; i++)
		coord[i] = first[i] *= i < geometry->dims ? pages->side : 1;
	while (axis < geometry->dims && taken < count) {
		taken += torus_site_take(
			pages->site, torus_coord_to_cell(geometry, coord), count - taken);
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++coord[axis] < first[axis] + pages->side &&
			    coord[axis] < geometry->length[axis])
				break;
			coord[axis] = first[axis];
		}
	}
	return taken;
}

int torus_paging(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	pages_t pages = {.site = ask->site,
			 .side = INT32_C(1) << (ask->variant & TORUS_PAGES_SIDE_LOG)};
	uint32_t left = ask->nodes;
	int placed = -1;

	(void)score;
	if (begin(&pages, ask->variant, err))
		goto out;
	for (int whole = 1; whole >= 0; whole--) {
		for (uint32_t i = 0; i < pages.count && left; i++) {
			uint32_t page = pages.order[i];

			if ((pages.free_on[page] == pages.nodes[page]) == whole)
				left -= take_page(&pages, page, left);
		}
	}
	placed = 1;
out:
	free(pages.order);
	free(pages.free_on);
	free(pages.nodes);
	return placed;
}
