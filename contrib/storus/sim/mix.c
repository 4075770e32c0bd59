/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What logs do not say of their jobs: see mix.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <strings.h>

#include "base/random.h"
#include "storus/sim/mix.h"
#include "strategies/wanted_box.h"

/* Whether chance falls into [share]. */
static bool falls_into(uint64_t *chance, double share)
{
	/* 53 bits are what a double holds. */
	return (double)(torus_random_next(chance) >> 11) < share * 9007199254740992.0;
}

/* The smallest cube of at least [cells] cells, as torus_cube_like() has boxes. */
static bool cube(const torus_geometry_t *geometry, uint32_t cells,
		 int32_t side[TORUS_MAX_DIMS])
{
	int32_t shortest = geometry->length[0], length = 0;
	uint64_t volume = 0;

	for (int axis = 1; axis < geometry->dims; axis++) {
		if (geometry->length[axis] < shortest)
			shortest = geometry->length[axis];
	}
	while (volume < cells && length < shortest) {
		length++;
		volume = 1;
		for (int axis = 0; axis < geometry->dims; axis++)
			volume *= (uint64_t)length;
	}
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = axis < geometry->dims ? length : 1;
	return volume >= cells;
}

static void ask_for_box(torus_sim_job_t *job, const torus_map_t *map, bool cubes)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	/* Nodes of a router, if all have equally many. */
	uint32_t depth = (map->nodes + cells - 1) / cells, volume = 1;
	uint32_t routers = (job->nodes + depth - 1) / depth;
	torus_shape_t shape = {.dims = geometry->dims};

	if (cubes ? !cube(geometry, routers, shape.side)
		  : !torus_cube_like(geometry, routers, shape.side))
		return;
	for (int axis = 0; axis < geometry->dims; axis++)
		volume *= (uint32_t)shape.side[axis];
	job->has_shape = true;
	job->shape = shape;
	job->wanted = job->nodes;
	job->nodes = volume * depth;
}

int storus_whole_parse(const char *text, uint32_t *whole, torus_error_t *err)
{
	char *end;
	unsigned long side = strtoul(text, &end, 10);

	if (strcasecmp(text, "buddy") == 0)
		*whole = STORUS_WHOLE_BUDDY;
	else if (text[0] < '1' || text[0] > '9' || *end || side > TORUS_MAX_CELLS)
		return torus_fail(
			err,
			"'%.32s' is neither buddy nor the side of a block, such "
			"as 2",
			text);
	else
		*whole = (uint32_t)side;
	return 0;
}

/* Nodes of a block of routers with this side. */
static uint64_t block_nodes(const torus_map_t *map, uint32_t side)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);
	uint64_t nodes = (map->nodes + cells - 1) / cells;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		nodes *= side < length ? side : length;
	}
	return nodes;
}

static void round_up(torus_sim_job_t *job, const torus_map_t *map, uint32_t whole)
{
	uint64_t block, nodes;
	uint32_t side = 1;

	if (whole == STORUS_WHOLE_BUDDY) {
		while (block_nodes(map, side) < job->nodes && side < TORUS_MAX_CELLS)
			side *= 2;
		nodes = block_nodes(map, side);
	} else {
		block = block_nodes(map, whole);
		nodes = (job->nodes + block - 1) / block * block;
	}
	if (nodes <= job->nodes || nodes > map->nodes)
		return;
	job->wanted = job->nodes;
	job->nodes = (uint32_t)nodes;
}

void storus_mix(torus_workload_t *workload, const torus_map_t *map,
		const storus_shares_t *shares, uint64_t seed)
{
	for (size_t i = 0; i < workload->count; i++) {
		torus_sim_job_t *job = &workload->job[i];
		uint64_t chance = seed ^ (i + 1) * UINT64_C(0xd1342543de82ef95);

		if (falls_into(&chance, shares->boxes) && job->nodes > 1 &&
		    !job->has_shape)
			ask_for_box(job, map, shares->cubes);
		if (shares->whole && !job->has_shape)
			round_up(job, map, shares->whole);
		if (falls_into(&chance, shares->preemptible) && !job->has_shape)
			job->preemptible = true;
		if (falls_into(&chance, shares->isolate) && !job->has_shape)
			job->isolated = true;
		if (falls_into(&chance, shares->loose) && !job->has_shape &&
		    !job->isolated)
			job->loose = true;
	}
}

void storus_mix_wishes(torus_workload_t *workload, double wishes, uint64_t seed)
{
	for (size_t i = 0; i < workload->count; i++) {
		uint64_t chance = seed ^ (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

		workload->job[i].wishes = falls_into(&chance, wishes);
	}
}
