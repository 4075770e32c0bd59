/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places that jobs wish for: see pool.h. */
#include "decide/decide.h"
#include "machine/cluster_near.h"
#include "sim/pool.h"

int torus_pool_place_box(torus_pool_t *pool, const torus_job_need_t *need,
			 const uint64_t *const *among, torus_error_t *err)
{
	static const torus_need_t nothing;
	static const torus_verifier_t any_place;
	const torus_shapes_t *shapes = &need->wish->shapes;
	torus_decider_t decider = {.placer = pool->placer, .verifier = &any_place};
	const torus_decide_request_t request = {
		.cluster = {.seed = need->seed, .torus = pool->candidates},
		.shapes = shapes,
		.min_nodes = need->nodes,
		.wanted_nodes = need->nodes,
		.max_nodes = need->nodes,
		.need = &nothing,
		.most_verified = 1,
		/* Every place will do, so that the engine's first is the only one looked
		 * for. What it takes to look for any box is bounded by the machine. */
		.most_work = shapes->any ? UINT64_MAX : 0,
	};
	torus_outcome_t outcome;

	torus_pool_set_candidates(pool, among);
	outcome = torus_decide(&decider, &request, &pool->placement, err);
	return outcome == TORUS_OUTCOME_ERROR ? -1 : outcome == TORUS_PLACE_FOUND;
}

int torus_pool_place_wished(torus_pool_t *pool, const torus_job_need_t *need,
			    const uint64_t *const *among, bool *met, torus_error_t *err)
{
	const torus_sim_wish_t *wish = need->wish;
	int placed = 0, near = 0;

	if (torus_shapes_asked(&wish->shapes))
		placed = torus_pool_place_box(pool, need, among, err);
	*met = placed > 0;
	if (placed)
		return placed;
	placed = torus_pool_place(pool, need, among, err);
	if (placed > 0 && wish->near)
		near = torus_cluster_is_near(pool->placer, &pool->placement, wish->near,
					     err);
	*met = near > 0;
	return near < 0 ? -1 : placed;
}
