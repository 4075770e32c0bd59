/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index from names to numbers: a hash table that stores only the numbers (6 bytes a
 * name) and asks its owner for the name of each.
 */
#ifndef TORUS_BASE_NAME_INDEX_H
#define TORUS_BASE_NAME_INDEX_H

#include <stdint.h>

/* No such name. */
#define TORUS_NO_NAME UINT32_MAX

/* The name that [owner] gives to [number]; stays valid as long as the index. */
typedef const char *torus_name_of_t(const void *owner, uint32_t number);

typedef struct torus_name_index torus_name_index_t;

/* An empty index with room for [names] names, at most 2^31. NULL: out of memory. */
torus_name_index_t *torus_name_index_create(uint32_t names, torus_name_of_t *name_of,
					    const void *owner);
void torus_name_index_destroy(torus_name_index_t *index);

/*
 * Add [number] under its name, unless that name is there. Returns TORUS_NO_NAME, or the
 * number that has the name already. The caller adds no more names than there is room for.
 */
uint32_t torus_name_index_add(torus_name_index_t *index, uint32_t number);

/* The number called [name], or TORUS_NO_NAME. */
uint32_t torus_name_index_find(const torus_name_index_t *index, const char *name);

#endif
