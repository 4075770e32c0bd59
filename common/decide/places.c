/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places found for a strict job: see decide/places.h. */
#include "decide/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/shape.h"

/* Whether [a] is better than [b]. */
static bool better(const torus_place_t *a, const torus_place_t *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->hops != b->hops)
		return a->hops < b->hops;
	if (a->waste != b->waste)
		return a->waste < b->waste;
	if (a->torus != b->torus)
		return a->torus < b->torus;
	return a->lowest < b->lowest;
}

int torus_places_open(torus_places_t *places, int room)
{
	*places = (torus_places_t){
		.place = malloc((size_t)room * sizeof(*places->place)),
		.slot = malloc((size_t)room * sizeof(*places->slot)),
		.room = room,
		.complete = true,
	};
	return places->place && places->slot ? 0 : -1;
}

void torus_places_close(torus_places_t *places)
{
	torus_places_clear(places);
	free(places->place);
	free(places->slot);
	*places = (torus_places_t){0};
}

bool torus_places_takes(const torus_places_t *places, const torus_place_t *place)
{
	return places->count < places->room ||
	       better(place, places->place[places->room - 1]);
}

/* How many of the list are not worse than [place]. */
static int count_before(const torus_places_t *places, const torus_place_t *place)
{
	int low = 0, high = places->count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (better(place, places->place[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void torus_places_add(torus_places_t *places, const torus_place_t *place)
{
	torus_place_t *slot;
	int at;

	if (places->count == places->room)
		places->complete = false;
	if (!torus_places_takes(places, place)) {
		free(place->ranks);
		return;
	}
	if (places->count == places->room) {
		slot = places->place[--places->count];
		free(slot->ranks);
	} else {
		slot = &places->slot[places->count];
	}
	*slot = *place;
	at = count_before(places, place);
	memmove(&places->place[at + 1], &places->place[at],
		(size_t)(places->count++ - at) * sizeof(*places->place));
	places->place[at] = slot;
}

void torus_places_clear(torus_places_t *places)
{
	for (int i = 0; i < places->count; i++)
		free(places->place[i]->ranks);
	places->count = 0;
	places->complete = true;
}

uint32_t torus_place_ranks(const torus_place_t *place, const torus_map_t *map,
			   uint32_t *ranks)
{
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t count = 0;

	if (!place->side[0]) {
		for (uint32_t i = 0; i < place->nodes; i++)
			ranks[i] = (uint32_t)(((uint64_t)place->first + i) % map->nodes);
		return place->nodes;
	}
	if (place->ranks) {
		for (uint32_t rank = place->lowest; count < place->nodes; rank++) {
			rank = torus_bitmap_next_set(place->ranks, map->nodes, rank);
			ranks[count++] = rank;
		}
		return count;
	}
	torus_cell_to_coord(&map->geometry, place->first, corner);
	for (uint32_t rank = place->lowest; rank < map->nodes && count < place->nodes;
	     rank++) {
		if (torus_box_has(&map->geometry, corner, place->side,
				  map->cell_of_rank[rank]))
			ranks[count++] = rank;
	}
	return count;
}
