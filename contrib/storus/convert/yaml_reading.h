/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading mappings and lists of a YAML document as Slurm does. */
#ifndef STORUS_CONVERT_YAML_READING_H
#define STORUS_CONVERT_YAML_READING_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "base/error.h"
#include "storus/convert/topology_yaml.h"

typedef struct storus_yaml_reading {
	const char *path;
	yaml_document_t document;
	storus_remark_t *remark;
	void *context; /* of remark */
	torus_error_t *err;
} storus_yaml_reading_t;

/* Fail because of [node], whose line is put in front. */
#define YAML_FAIL(reading, node, ...)                                                    \
	(torus_fail((reading)->err, __VA_ARGS__),                                        \
	 torus_fail_prefix((reading)->err, "%s:%zu: ", (reading)->path,                  \
			   (node)->start_mark.line + 1))

/* Say what is left out, or made different, at [node], whose line is put in front. */
void storus_yaml_remark(storus_yaml_reading_t *reading, const yaml_node_t *node,
			const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The text of a scalar. */
const char *storus_yaml_text(const yaml_node_t *node);

/* Whether it is text without a NUL inside, which would end it early. */
bool storus_yaml_is_text(const yaml_node_t *node);

/* Whether it says nothing: NULL, empty text or null, an empty list or mapping. */
bool storus_yaml_is_empty(const yaml_node_t *node);

/* A key that a mapping may have, and the value it has. */
typedef struct storus_yaml_key {
	const char *name;
	yaml_node_t *value; /* NULL: not given, or empty */
} storus_yaml_key_t;

/*
 * Find the values of key[0 .. keys-1] in [node], a mapping that is a [what]. As with
 * Slurm other keys do not count, and of equal ones the last does; remarks tell of both.
 * Returns 0, or -1: no mapping.
 */
int storus_yaml_mapping(storus_yaml_reading_t *reading, yaml_node_t *node,
			const char *what, storus_yaml_key_t *key, int keys);

/* The value of [key], which [node], a [what], must have; NULL (error filled) if not. */
yaml_node_t *storus_yaml_required(storus_yaml_reading_t *reading, const yaml_node_t *node,
				  const char *what, const storus_yaml_key_t *key);

/*
 * Element [i] of the list [node], NULL behind the last. Like Slurm, this takes a single
 * element for a list of one.
 */
yaml_node_t *storus_yaml_element(storus_yaml_reading_t *reading, yaml_node_t *node,
				 size_t i);

#endif
