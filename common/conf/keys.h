/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first stage of the reader of torus.conf: keys with their values as text, and the
 * lines they stand on. Only for conf/torus_conf.c.
 */
#ifndef TORUS_CONF_KEYS_H
#define TORUS_CONF_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum torus_key {
	TORUS_KEY_TORUS_NAME,
	TORUS_KEY_DIMS,
	TORUS_KEY_CHIP_DIMS,
	TORUS_KEY_NODE_SHAPE,
	TORUS_KEY_WRAP,
	TORUS_KEY_CUBE,
	TORUS_KEY_LINKS,
	TORUS_KEY_NODES,
	TORUS_KEY_NODES_PER_ROUTER,
	TORUS_KEY_COORDS,
	/*
	 * The keys from here on may also stand on a line without TorusName=, for all
	 * tori.
	 */
	TORUS_KEY_CURVE,
	TORUS_KEY_ALLOCATOR,
	TORUS_KEY_SPAN,
	TORUS_KEY_ISOLATION,
	TORUS_KEY_RACKS,
	TORUS_KEY_PATIENCE,
	TORUS_KEY_PATIENCE_MAX,
	/* Only on a line without TorusName=, as it holds for the whole cluster. */
	TORUS_KEY_CONTIGUOUS,
	TORUS_KEY_WAIT_FOR_TORUS,
	TORUS_KEY_TASK_ORDER,
	TORUS_KEYS,
} torus_key_t;

/* The values of one torus, or those for all. */
typedef struct torus_section {
	char *value[TORUS_KEYS]; /* NULL: not given */
	uint32_t line[TORUS_KEYS];
} torus_section_t;

typedef struct torus_sections {
	torus_section_t global;
	torus_section_t *torus; /* [tori] in the order of the file */
	int tori;
} torus_sections_t;

/* The key as it is written in the manual, e.g. "TorusName". */
const char *torus_key_name(torus_key_t key);

/*
 * Read text[0 .. length-1], called [path] in messages, into [sections], to be freed with
 * torus_sections_free() in either case. 1 to TORUS_MAX_TORI tori, their names differ
 * and are made of letters, digits and "._-". Returns 0, or -1 with [err] as
 * "[path]:LINE: reason".
 */
int torus_sections_read(const char *text, size_t length, const char *path,
			torus_sections_t *sections, torus_error_t *err);
void torus_sections_free(torus_sections_t *sections);

#endif
