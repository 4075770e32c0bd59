/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes, their Hilbert curves and what holds for all of them. After cmocka.h. */
#ifndef TORUS_TEST_HILBERT_CASE_H
#define TORUS_TEST_HILBERT_CASE_H

#include "curve/curve.h"
#include "curve/hilbert/order.h"
#include "random.h"

static inline torus_geometry_t box_of(const char *dims)
{
	torus_geometry_t geometry;

	assert_int_equal(torus_geometry_parse(dims, NULL, &geometry, NULL), 0);
	return geometry;
}

static inline uint32_t *order_of(const torus_geometry_t *geometry)
{
	uint32_t *order = malloc(torus_geometry_cells(geometry) * sizeof(*order));

	assert_non_null(order);
	assert_int_equal(torus_curve_order(geometry, TORUS_CURVE_HILBERT, order, NULL),
			 0);
	return order;
}

/* Each cell once, one hop a step. */
static inline void assert_continuous(const torus_geometry_t *geometry)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint32_t *order = order_of(geometry);
	uint8_t *seen = calloc(cells, 1);

	assert_non_null(seen);
	for (uint32_t rank = 0; rank < cells; rank++) {
		assert_in_range(order[rank], 0, cells - 1);
		assert_false(seen[order[rank]]);
		seen[order[rank]] = 1;
		if (rank)
			assert_int_equal(
				torus_hops_cells(geometry, order[rank - 1], order[rank]),
				1);
	}
	free(seen);
	free(order);
}

/* Plan and write the curve; the work of it, and the order's digest (FNV-1a). */
static inline uint64_t work_of(const torus_geometry_t *geometry, uint64_t *digest)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint32_t *order = malloc(cells * sizeof(*order));
	uint64_t work = 0;

	assert_non_null(order);
	assert_int_equal(torus_hilbert_order(geometry, order, &work, NULL), 0);
	*digest = UINT64_C(0xcbf29ce484222325);
	for (uint32_t rank = 0; rank < cells; rank++)
		*digest = (*digest ^ order[rank]) * UINT64_C(0x100000001b3);
	free(order);
	return work;
}

/* A box of up to a million cells: any number of sides, and sizes of any magnitude. */
static inline torus_geometry_t random_large_geometry(void)
{
	torus_geometry_t geometry = box_of("1x1x1x1x1x1");
	uint32_t room = 1000000;

	geometry.dims = (int)random_in(1, TORUS_MAX_DIMS);
	for (int i = 0; i < geometry.dims; i++) {
		uint32_t most = 1;

		/* A random share of the factors of two that are left. */
		while (2 * most <= room && random_in(0, 2 + (uint32_t)geometry.dims) > 1)
			most *= 2;
		geometry.length[i] = (int32_t)random_in(most / 2 + 1, most);
		room /= (uint32_t)geometry.length[i];
	}
	return geometry;
}

#endif
