/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An index from names to numbers: see base/name_index.h. Linear probing, two thirds full.
 */
#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

struct torus_name_index {
	torus_name_of_t *name_of;
	const void *owner;
	uint32_t slots;
	uint32_t slot[]; /* TORUS_NO_NAME: empty */
};

static uint32_t slots_for(uint32_t names)
{
	return names + names / 2 + 1;
}

torus_name_index_t *torus_name_index_create(uint32_t names, torus_name_of_t *name_of,
					    const void *owner)
{
	uint32_t slots = slots_for(names);
	torus_name_index_t *index =
		malloc(sizeof(*index) + sizeof(uint32_t) * (size_t)slots);

	if (!index)
		return NULL;
	index->name_of = name_of;
	index->owner = owner;
	index->slots = slots;
	memset(index->slot, 0xff, sizeof(uint32_t) * (size_t)slots);
	return index;
}

void torus_name_index_destroy(torus_name_index_t *index)
{
	free(index);
}

/*
 * FNV-1a; then its bits are mixed, as names of one machine differ in their last digits
 * only, and the upper half scaled to the number of slots.
 */
static uint32_t first_slot(const torus_name_index_t *index, const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	hash = (hash ^ (hash >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)((hash >> 32) * index->slots >> 32);
}

/* The slot that holds [name], or the empty one where it belongs. */
static uint32_t probe(const torus_name_index_t *index, const char *name)
{
	uint32_t at = first_slot(index, name);

	while (index->slot[at] != TORUS_NO_NAME &&
	       strcmp(index->name_of(index->owner, index->slot[at]), name) != 0) {
		if (++at == index->slots)
			at = 0;
	}
	return at;
}

uint32_t torus_name_index_add(torus_name_index_t *index, uint32_t number)
{
	uint32_t at = probe(index, index->name_of(index->owner, number));
	uint32_t there = index->slot[at];

	if (there == TORUS_NO_NAME)
		index->slot[at] = number;
	return there;
}

uint32_t torus_name_index_find(const torus_name_index_t *index, const char *name)
{
	return index->slot[probe(index, name)];
}
