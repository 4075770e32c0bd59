/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partner, multipartner and gray_code: subcubes of a k-ary n-cube of k^d nodes. For k = 2
 * they are those of "A New Strategy for Processors Allocation in an N-Cube
 * Multiprocessor" (Al-Dhelaan, Bose, 1989) and "Processor Allocation in an N-Cube
 * Multiprocessor Using Gray Codes" (Chen, Shin, 1987). For larger k, as in "Contiguous
 * and Non-Contiguous Processor Allocation Algorithms for k-ary n-cubes" (Windisch, Lo,
 * Bose, 1997), the details are our reading.
 *
 * partner       a subcube of k^m nodes is one of k^(m-1) at a multiple of its size with
 * its k - 1 partners, whose addresses differ in one of the d - m + 1 higher digits: (d -
 * m + 1) * k^(d - m) subcubes are recognised, the buddy strategy's k^(d - m) among them.
 * multipartner  the same rule applied again to the parts, and to their parts, down to
 *               single nodes; the paper of 1989 has it for one level. Then every subcube
 * is recognised. gray_code     k^m consecutive codes of the reflected Gray code, from a
 * multiple of k^(m-1) on; if k is even, around its end, too. For k = 2 these are
 * subcubes; for larger k those that are not are pieces of two neighbouring ones.
 *
 * In the papers jobs have k^m nodes. Here one of n nodes gets n of the smallest subcube
 * that holds it, the first in Morton order as under buddy, or of its codes the first. The
 * number of a cell is its address in base k.
 */
#include <stdlib.h>

#include "curve/curve.h"
#include "curve/gray.h"
#include "strategies/strategies.h"

/* A set of dimensions, a bit each. */
typedef uint32_t axes_t;

/*
 * Whether a strategy recognises the subcubes of [size] dimensions that extend along
 * [across].
 */
typedef bool recognised_t(axes_t across, int size);

/* The low m - 1 dimensions and one more. */
static bool of_partners(axes_t across, int size)
{
	axes_t block = size ? (UINT32_C(1) << (size - 1)) - 1 : 0;

	return (across & block) == block;
}

static bool any(axes_t across, int size)
{
	(void)across;
	(void)size;
	return true;
}

/* The first cell after [cell] of the subcube along [across]; [cells] if it was the last.
 */
static uint32_t next_in_subcube(uint32_t cell, axes_t across, uint32_t base,
				uint32_t cells)
{
	uint32_t weight = 1;

	for (; weight < cells; weight *= base, across >>= 1) {
		if (!(across & 1))
			continue;
		if (cell / weight % base < base - 1)
			return cell + weight;
		cell -= (base - 1) * weight;
	}
	return cells;
}

/* Whether [cell] is the lowest of its subcube along [across]. */
static bool is_lowest(uint32_t cell, axes_t across, uint32_t base)
{
	for (; across; across >>= 1, cell /= base) {
		if ((across & 1) && cell % base)
			return false;
	}
	return true;
}

static bool all_free(const torus_site_t *site, uint32_t lowest, axes_t across,
		     uint32_t base)
{
	uint32_t cell = lowest;

	while (cell < site->cells && torus_site_whole(site, cell))
		cell = next_in_subcube(cell, across, base, site->cells);
	return cell == site->cells;
}

/*
 * Find the first free subcube of [size] dimensions, by its lowest node, then by the
 * dimensions. Returns whether there is one.
 */
static bool find(const torus_site_t *site, int size, uint32_t base,
		 recognised_t *recognised, uint32_t *lowest, axes_t *across)
{
	axes_t end = UINT32_C(1) << site->geometry.dims;

	for (*lowest = 0; *lowest < site->cells; ++*lowest) {
		if (!torus_site_whole(site, *lowest))
			continue;
		for (*across = 0; *across < end; ++*across) {
			if (__builtin_popcount(*across) == size &&
			    is_lowest(*lowest, *across, base) &&
			    recognised(*across, size) &&
			    all_free(site, *lowest, *across, base))
				return true;
		}
	}
	return false;
}

/*
 * The dimensions of the smallest subcube that holds the job, which has [nodes_on] cells
 * then; more than the machine has: none does.
 */
static int smallest(const torus_site_t *site, uint32_t nodes, uint32_t base,
		    uint32_t *cells)
{
	int size = 0;

	for (*cells = 1; (uint64_t)site->most * *cells < nodes; *cells *= base) {
		if (size++ == site->geometry.dims)
			break;
	}
	return size;
}

/* Take [nodes] of the subcube of [cells], in Morton order. 0, or -1 + [err]: memory. */
static int take_of(torus_site_t *site, uint32_t lowest, axes_t across, uint32_t base,
		   uint32_t cells, uint32_t nodes, torus_error_t *err)
{
	torus_geometry_t subcube = {.length = {1, 1, 1, 1, 1, 1}};
	uint32_t *order = malloc(cells * sizeof(uint32_t));
	uint32_t weight[TORUS_MAX_DIMS], each = 1;
	int result;

	for (int axis = 0; axis < site->geometry.dims; axis++, each *= base) {
		if (!(across >> axis & 1))
			continue;
		weight[subcube.dims] = each;
		subcube.length[subcube.dims++] = (int32_t)base;
	}
	if (!subcube.dims)
		weight[subcube.dims++] = 0;
	result = order ? torus_curve_order(&subcube, TORUS_CURVE_Z_ORDER, order, err)
		       : torus_fail(err, "out of memory");
	for (uint32_t i = 0; !result && nodes; i++) {
		uint32_t digits = order[i], cell = lowest;

		for (int axis = 0; axis < subcube.dims; axis++, digits /= base)
			cell += digits % base * weight[axis];
		nodes -= torus_site_take(site, cell, nodes);
	}
	free(order);
	return result;
}

/*
 * Take n nodes of the first recognised free subcube of the smallest size that holds n. A
 * cell is free if its router is full and all nodes there are free. Returns as a rule
 * does; -1 also when the machine is no k-ary n-cube.
 */
static int place(const torus_ask_t *ask, recognised_t *recognised, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t lowest, cells;
	axes_t across;
	int size, base;

	base = torus_cube_base(&site->geometry, "partner and multipartner are", err);
	if (base < 0)
		return -1;
	size = smallest(site, ask->nodes, (uint32_t)base, &cells);
	if (size > site->geometry.dims ||
	    !find(site, size, (uint32_t)base, recognised, &lowest, &across))
		return 0;
	if (take_of(site, lowest, across, (uint32_t)base, cells, ask->nodes, err))
		return -1;
	return 1;
}

int torus_partner(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	(void)score;
	return place(ask, of_partners, err);
}

int torus_multipartner(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	(void)score;
	return place(ask, any, err);
}

int torus_gray_code(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	int base = torus_cube_base(&site->geometry, "gray_code is", err);
	uint32_t left = ask->nodes, cells, step;

	(void)score;
	if (base < 0)
		return -1;
	if (smallest(site, left, (uint32_t)base, &cells) > site->geometry.dims)
		return 0;
	step = cells > 1 ? cells / (uint32_t)base : 1;
	for (uint32_t first = 0; first < site->cells; first += step) {
		uint32_t i = 0;

		/* The code of an odd base ends far from where it began. */
		if (base % 2 && first + cells > site->cells)
			break;
		while (i < cells &&
		       torus_site_whole(site, torus_gray_cell(&site->geometry,
							      (first + i) % site->cells)))
			i++;
		if (i < cells)
			continue;
		for (i = 0; left; i++)
			left -= torus_site_take(
				site,
				torus_gray_cell(&site->geometry,
						(first + i) % site->cells),
				left);
		return 1;
	}
	return 0;
}
