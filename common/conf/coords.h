/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that torus.conf names: coordinates of nodes, and the site's own node order. */
#ifndef TORUS_CONF_COORDS_H
#define TORUS_CONF_COORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * Read coordinate lines "node x y z" from text[0 .. length-1]: as many numbers as
 * [geometry] has dimensions, separated by blanks, `#` comments and empty lines allowed.
 * `node` may be a hostlist whose nodes share the coordinate (one router). On success
 * *names (one block, as of torus_hostlist_expand()) and *cells are malloc'ed, *count
 * long, in the order of the file. Returns 0, or -1 with [err] as "[path]:LINE: reason":
 * wrong number of fields, a coordinate outside the dimensions, a node given twice, no
 * node at all.
 */
int torus_coords_parse(const char *text, size_t length, const char *path,
		       const torus_geometry_t *geometry, char ***names, uint32_t **cells,
		       uint32_t *count, torus_error_t *err);

/*
 * Read a node order: one name (or hostlist) a line, comments as above. names[0 ..
 * count-1] are the nodes that must each appear exactly once. Fills order[0 .. count-1]
 * with their indexes. Returns 0, or -1 with [err] as "[path]:LINE: reason".
 */
int torus_order_parse(const char *text, size_t length, const char *path,
		      char *const *names, uint32_t count, uint32_t *order,
		      torus_error_t *err);

#endif
