/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of nodes of free boxes: see decide/any_numbers.h. */
#include "decide/any_numbers.h"

#include <stdlib.h>

#include "base/bitmap.h"
#include "decide/boxes.h"
#include "place/box_bits.h"
#include "place/box_sizes.h"
#include "place/box_volumes.h"
#include "torus/fit.h"

/* What is looked for on one torus. */
typedef struct looking {
	torus_deciding_t *d;
	int torus;
	const torus_map_t *map;
	bool upwards;
	torus_boxes_t *boxes;
	torus_router_nodes_t on_router;
	uint32_t least, most;  /* of the numbers that would be better than the best */
	uint32_t best;	       /* 0: none yet */
	uint64_t *volumes;     /* bitmap: of which there is a free box */
	uint64_t *maps;	       /* as torus_box_bits_fit() takes them */
	torus_places_t places; /* the best one of a size */
} looking_t;

/* Take [number], and look for better ones only. */
static void note(looking_t *looking, uint32_t number)
{
	if (number < looking->least || number > looking->most)
		return;
	looking->best = number;
	if (looking->upwards)
		looking->most = number - 1;
	else
		looking->least = number + 1;
}

/* Take what boxes and joined tori can have on routers with equally many nodes, free or
 * not. */
static void note_volumes(looking_t *looking)
{
	uint32_t cells = torus_geometry_cells(&looking->map->geometry);

	for (uint32_t volume = 1; volume <= cells; volume++) {
		uint64_t nodes = (uint64_t)volume * looking->on_router.most;

		if (torus_bit_test(looking->volumes, volume) && nodes <= UINT32_MAX)
			note(looking, (uint32_t)nodes);
	}
}

/* Look at the boxes of one size for a better number. */
static int look_at_size(looking_t *looking, const torus_shape_t *shape)
{
	const torus_deciding_t *d = looking->d;
	const torus_wanted_t wanted = {
		.min_nodes = looking->least,
		.max_nodes = looking->most,
		.nodes = looking->upwards ? looking->least : looking->most,
		.need = d->request->need,
		.required = torus_deciding_required(d),
	};

	if (!torus_box_bits_fit(&looking->map->geometry, shape->side, looking->maps))
		return 0;
	torus_places_clear(&looking->places);
	if (torus_boxes_find(looking->boxes, &wanted, shape, true, &looking->places,
			     &looking->d->work, d->err))
		return -1;
	if (looking->places.count)
		note(looking, looking->places.place[0]->nodes);
	return 0;
}

/* Look at the boxes of [volume] routers, if one may have a better number. */
static int look_at_volume(looking_t *looking, uint32_t volume)
{
	const torus_router_nodes_t one = torus_routers_alike(1);
	const torus_deciding_t *d = looking->d;
	torus_box_sizes_t sizes;
	int result = 0;

	if (looking->least > looking->most ||
	    torus_most_in_box(looking->on_router, volume) < looking->least ||
	    torus_fewest_in_box(looking->on_router, volume) > looking->most)
		return 0;
	if (torus_box_sizes_list(&looking->map->geometry, one, volume,
				 d->request->shapes->closed, &sizes, d->err))
		return -1;
	for (size_t i = 0; i < sizes.count && looking->least <= looking->most && d->work;
	     i++) {
		result = look_at_size(looking, &sizes.size[i].shape);
		if (result)
			break;
	}
	torus_box_sizes_free(&sizes);
	return result;
}

static int look_at_volumes(looking_t *looking)
{
	const torus_deciding_t *d = looking->d;
	const torus_map_t *map = looking->map;
	uint32_t cells = torus_geometry_cells(&map->geometry);

	torus_box_bits_usable(&map->geometry, map->cell_of_rank, map->nodes,
			      d->supplies.torus[looking->torus].free, looking->maps);
	if (torus_box_volumes(&map->geometry, looking->maps, d->request->shapes->closed,
			      (looking->least - 1) / looking->on_router.most + 1,
			      looking->most / looking->on_router.fewest, looking->volumes,
			      d->err))
		return -1;
	for (uint32_t i = 1; i <= cells && d->work; i++) {
		uint32_t volume = looking->upwards ? i : cells + 1 - i;

		if (torus_bit_test(looking->volumes, volume) &&
		    look_at_volume(looking, volume))
			return -1;
	}
	return 0;
}

static int begin(looking_t *looking)
{
	const torus_deciding_t *d = looking->d;
	const torus_supply_t supply = {
		.torus = looking->torus,
		.map = looking->map,
		.candidates = &d->supplies.torus[looking->torus],
		.has = d->supplies.stock[looking->torus].has,
	};
	const torus_geometry_t *geometry = &looking->map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);

	looking->boxes = torus_boxes_open(&supply, d->request->need, d->err);
	if (!looking->boxes)
		return -1;
	looking->on_router = torus_boxes_on_router(looking->boxes);
	looking->volumes = torus_bitmap_create(cells + 1);
	looking->maps = malloc(((size_t)geometry->dims + 2) * TORUS_WORDS(cells) *
			       sizeof(*looking->maps));
	if (torus_places_open(&looking->places, 1) || !looking->volumes || !looking->maps)
		return torus_fail(d->err, "out of memory for the boxes of %u cells",
				  cells);
	return 0;
}

static void end(looking_t *looking)
{
	torus_boxes_close(looking->boxes);
	torus_places_close(&looking->places);
	free(looking->volumes);
	free(looking->maps);
	looking->boxes = NULL;
	looking->volumes = looking->maps = NULL;
}

int torus_any_number(torus_deciding_t *d, uint32_t least, uint32_t most, bool upwards,
		     uint32_t *number, bool *complete)
{
	looking_t looking = {
		.d = d,
		.upwards = upwards,
		.least = least,
		.most = most,
	};
	int result = 0;

	for (int t = 0; t < d->supplies.tori && !result; t++) {
		looking.torus = t;
		looking.map = d->decider->placer->map[t];
		result = looking.least <= looking.most ? begin(&looking) : 1;
		if (!result &&
		    torus_joined_volumes(&looking.map->geometry, looking.volumes))
			note_volumes(&looking);
		else if (!result)
			result = look_at_volumes(&looking);
		end(&looking);
	}
	if (!d->work)
		*complete = false;
	if (result < 0)
		return -1;
	*number = looking.best;
	return looking.best != 0;
}
