/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partner and multipartner: subcubes of a binary hypercube of 2^d nodes. "A New Strategy
 * for Processors Allocation in an N-Cube Multiprocessor" (Al-Dhelaan, Bose, 1989).
 *
 * partner       a subcube of 2^k nodes is one of 2^(k-1) at a multiple of its size with a
 *               partner, whose address differs in one of the d - k + 1 higher bits:
 *               (d - k + 1) * 2^(d - k) subcubes are recognised, more than by the buddy
 *               strategy (2^(d - k)) and the Gray code (twice that).
 * multipartner  the same rule applied again to the two halves, and to their halves, down
 *               to single nodes; the paper has it for one level. Then every subcube is
 *               recognised.
 *
 * In the paper jobs have 2^k nodes. Here one of n nodes gets n of the smallest subcube
 * that holds it, those with the lowest addresses. The number of a cell is its binary
 * address.
 */
#include "strategies/strategies.h"

/*
 * Whether a strategy recognises the subcubes of 2^[size] nodes that extend along the
 * dimensions whose bits are set in [across].
 */
typedef bool recognised_t(uint32_t across, int size);

/* The low k - 1 dimensions and one more. */
static bool of_partners(uint32_t across, int size)
{
	uint32_t block = size ? (UINT32_C(1) << (size - 1)) - 1 : 0;

	return (across & block) == block;
}

static bool any(uint32_t across, int size)
{
	(void)across;
	(void)size;
	return true;
}

/* The first free subcube as a bitmap of its (at most 64) cells; 0: none. */
static uint64_t find(const torus_site_t *site, int size, recognised_t *recognised)
{
	for (uint32_t lowest = 0; lowest < site->cells; lowest++) {
		for (uint32_t across = 0; across < site->cells; across++) {
			uint64_t cells = 0;
			bool free = true;

			if ((lowest & across) || __builtin_popcount(across) != size ||
			    !recognised(across, size))
				continue;
			for (uint32_t cell = 0; cell < site->cells; cell++) {
				if ((cell & ~across) != lowest)
					continue;
				cells |= UINT64_C(1) << cell;
				free &= torus_site_whole(site, cell);
			}
			if (free)
				return cells;
		}
	}
	return 0;
}

/*
 * Take n nodes of the first recognised free subcube of the smallest size that holds n;
 * the first by its lowest node, then by [across]. A cell is free if its router is full
 * and all nodes there are free. Returns as a rule does; -1 also when a length of the
 * machine is not 2, so that it is no binary hypercube.
 */
static int place(const torus_ask_t *ask, recognised_t *recognised, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t left = ask->nodes;
	uint64_t cells;
	int size = 0;

	for (int axis = 0; axis < site->geometry.dims; axis++) {
		char dims[TORUS_DIMS_TEXT];

		if (site->geometry.length[axis] == 2)
			continue;
		torus_lengths_format(site->geometry.dims, site->geometry.length, dims);
		return torus_fail(err,
				  "partner and multipartner are for binary hypercubes "
				  "(2x2x2 and so on), not for %s",
				  dims);
	}
	while ((uint64_t)site->most << size < ask->nodes)
		size++;
	if (size > site->geometry.dims)
		return 0;
	cells = find(site, size, recognised);
	for (uint64_t bits = cells; bits && left; bits &= bits - 1)
		left -= torus_site_take(site, (uint32_t)__builtin_ctzll(bits), left);
	return cells != 0;
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
