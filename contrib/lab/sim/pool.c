/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free nodes: see pool.h. */
#include "sim/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

void torus_pool_destroy(torus_pool_t *pool)
{
	if (!pool)
		return;
	for (int t = 0; pool->intervals && t < pool->tori; t++)
		torus_intervals_destroy(pool->intervals[t]);
	for (int t = 0; pool->free && t < pool->tori; t++)
		free(pool->free[t]);
	free(pool->intervals);
	free(pool->free);
	free(pool->count);
	free(pool->nothing);
	free(pool->candidates);
	torus_cluster_placer_destroy(pool->placer);
	free(pool);
}

/* The rank whose cell is farthest from that of rank 0. */
static uint32_t farthest_rank(const torus_map_t *map)
{
	uint32_t farthest = 0, most = 0;

	for (uint32_t rank = 1; rank < map->nodes; rank++) {
		uint32_t hops = torus_hops_cells(&map->geometry, map->cell_of_rank[0],
						 map->cell_of_rank[rank]);

		if (hops > most) {
			most = hops;
			farthest = rank;
		}
	}
	return farthest;
}

/*
 * Find out whether a strategy is strict: does it refuse a job of two nodes if only two
 * nodes are free, far apart?
 */
static int ask_strategies(torus_pool_t *pool, torus_error_t *err)
{
	const uint64_t *among[TORUS_MAX_TORI] = {NULL};
	const torus_job_need_t two = {.nodes = 2};

	for (int t = 0; t < pool->tori && !pool->strict; t++) {
		uint32_t far = farthest_rank(pool->map[t]);
		uint64_t *ends;
		int placed;

		if (!far)
			continue;
		ends = torus_bitmap_create(pool->map[t]->nodes);
		if (!ends)
			return torus_fail(err, "out of memory");
		torus_bit_set(ends, 0);
		torus_bit_set(ends, far);
		among[t] = ends;
		placed = torus_pool_place(pool, &two, among, err);
		among[t] = NULL;
		free(ends);
		if (placed < 0)
			return -1;
		pool->strict = !placed;
	}
	return 0;
}

torus_pool_t *torus_pool_create(const torus_map_t *const *map, int tori,
				torus_error_t *err)
{
	torus_pool_t *pool = calloc(1, sizeof(*pool));
	size_t maps = (size_t)tori;

	if (!pool) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	pool->map = map;
	pool->tori = tori;
	pool->free = calloc(maps, sizeof(*pool->free));
	pool->intervals = calloc(maps, sizeof(*pool->intervals));
	pool->count = calloc(maps, sizeof(*pool->count));
	pool->candidates = calloc(maps, sizeof(*pool->candidates));
	pool->placer = torus_cluster_placer_create(map, tori);
	if (!pool->free || !pool->intervals || !pool->count || !pool->candidates ||
	    !pool->placer)
		goto memory;
	for (int t = 0; t < tori; t++) {
		pool->free[t] = torus_bitmap_create(map[t]->nodes);
		if (!pool->free[t])
			goto memory;
		pool->intervals[t] = torus_intervals_create(pool->free[t], map[t]->nodes);
		if (!pool->intervals[t])
			goto memory;
		torus_pool_give(pool, t, 0, map[t]->nodes);
		if (map[t]->nodes > pool->largest)
			pool->largest = map[t]->nodes;
	}
	pool->nodes = pool->total;
	pool->nothing = torus_bitmap_create(pool->largest);
	if (!pool->nothing)
		goto memory;
	if (ask_strategies(pool, err) == 0)
		return pool;
	torus_pool_destroy(pool);
	return NULL;
memory:
	torus_fail(err, "out of memory for the nodes of %d tori", tori);
	torus_pool_destroy(pool);
	return NULL;
}

bool torus_pool_enough(const torus_pool_t *pool, const torus_job_need_t *need)
{
	if (need->spread)
		return pool->total >= need->nodes;
	for (int t = 0; t < pool->tori; t++) {
		if (pool->count[t] >= need->nodes)
			return true;
	}
	return false;
}

uint32_t torus_pool_most(const torus_pool_t *pool)
{
	uint32_t most = 0;

	/* Or else only a job that is larger than the largest torus uses several. */
	if (pool->spreads || pool->total > pool->largest)
		return pool->total < UINT32_MAX ? (uint32_t)pool->total : UINT32_MAX - 1;
	for (int t = 0; t < pool->tori; t++)
		most = pool->count[t] > most ? pool->count[t] : most;
	return most;
}

void torus_pool_set_candidates(torus_pool_t *pool, const uint64_t *const *among)
{
	for (int t = 0; t < pool->tori; t++) {
		const uint64_t *free = among ? among[t] : pool->free[t];

		pool->candidates[t] =
			(torus_candidates_t){.free = free ? free : pool->nothing};
	}
}

int torus_pool_place(torus_pool_t *pool, const torus_job_need_t *need,
		     const uint64_t *const *among, torus_error_t *err)
{
	const torus_cluster_request_t request = {
		.nodes = need->nodes,
		.shape = need->shape,
		.spread = need->spread,
		.isolated = need->isolated,
		.loose = need->loose,
		.segment = need->segment,
		.segments = need->segments,
		.seed = need->seed,
		.torus = pool->candidates,
	};

	torus_pool_set_candidates(pool, among);
	for (int t = 0; t < pool->tori; t++) {
		if (pool->candidates[t].free == pool->free[t])
			pool->candidates[t].free_count = pool->count[t];
	}
	return torus_cluster_place(pool->placer, &request, &pool->placement, err);
}

void torus_pool_take(torus_pool_t *pool, int torus, uint32_t first, uint32_t count)
{
	torus_bitmap_clear_range(pool->free[torus], first, count);
	torus_intervals_note(pool->intervals[torus], first, count);
	pool->count[torus] -= count;
	pool->total -= count;
	pool->changes++;
}

void torus_pool_give(torus_pool_t *pool, int torus, uint32_t first, uint32_t count)
{
	torus_bitmap_set_range(pool->free[torus], first, count);
	torus_intervals_note(pool->intervals[torus], first, count);
	pool->count[torus] += count;
	pool->total += count;
	pool->changes++;
}
