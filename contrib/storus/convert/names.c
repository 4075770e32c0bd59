/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node names whose last three characters are coordinates. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "storus/convert/names.h"

enum { AXES = 3, BASE = 36 };

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/*
 * The value of a character of a coordinate, -1 if it is none. As in Slurm, small
 * letters are none.
 */
static int value_of(char c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Read the three characters at [text], which may end earlier, into [coord]. */
static bool read_coord(const char *text, int32_t coord[TORUS_MAX_DIMS])
{
	memset(coord, 0, TORUS_MAX_DIMS * sizeof(*coord));
	for (int axis = 0; axis < AXES; axis++) {
		coord[axis] = value_of(text[axis]);
		if (coord[axis] < 0)
			return false;
	}
	return true;
}

storus_converted_torus_t *storus_names_begin(storus_converted_t *machine,
					     torus_error_t *err)
{
	storus_converted_torus_t *torus =
		storus_converted_add_torus(machine, "main", err);

	if (!torus)
		return NULL;
	torus->geometry = (torus_geometry_t){.dims = AXES};
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		torus->geometry.length[axis] = axis < AXES ? BASE : 1;
		torus->geometry.wrap[axis] = axis < AXES;
	}
	return torus;
}

static int add_name(storus_converted_torus_t *torus, const char *name, torus_error_t *err)
{
	size_t length = strlen(name);
	int32_t coord[TORUS_MAX_DIMS];

	if (length < AXES || !read_coord(name + length - AXES, coord))
		return torus_fail(
			err,
			"node '%s' does not end in three coordinates (0-9, A-Z), "
			"as topology/3d_torus demands of every node",
			name);
	return storus_converted_add_node(
		torus, name, torus_coord_to_cell(&torus->geometry, coord), err);
}

/* Add the names of a hostlist in which all brackets hold decimal numbers. */
static int add_decimal(storus_converted_torus_t *torus, const char *hosts,
		       torus_error_t *err)
{
	char **name;
	uint32_t count;
	int rc = 0;

	if (torus_hostlist_expand(hosts, &name, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; rc == 0 && i < count; i++)
		rc = add_name(torus, name[i], err);
	free(name);
	return rc;
}

/*
 * One element of the last bracket of an item: the coordinates from [first] to [last] in
 * each axis, or to the base 36.
 */
typedef struct element {
	bool box;
	int32_t first[TORUS_MAX_DIMS];
	int32_t last[TORUS_MAX_DIMS];
} element_t;

static int to_number(const int32_t coord[TORUS_MAX_DIMS])
{
	return (coord[0] * BASE + coord[1]) * BASE + coord[2];
}

/* Whether text[0 .. length-1] is an element to the base 36, and if so which. */
static bool read_element(const char *text, size_t length, element_t *element)
{
	if ((length != AXES && length != 2 * AXES + 1) ||
	    !read_coord(text, element->first))
		return false;
	memcpy(element->last, element->first, sizeof(element->last));
	element->box = length != AXES && text[AXES] == 'x';
	return length == AXES || ((element->box || text[AXES] == '-') &&
				  read_coord(text + AXES + 1, element->last));
}

/* Add head[0 .. length-1], which may have brackets of its own, with this coordinate. */
static int add_at(storus_converted_torus_t *torus, const char *head, size_t length, int x,
		  int y, int z, torus_error_t *err)
{
	char *hosts;
	int rc;

	if (asprintf(&hosts, "%.*s%c%c%c", (int)length, head, digits[x], digits[y],
		     digits[z]) < 0)
		return torus_fail(err, "out of memory");
	rc = add_decimal(torus, hosts, err);
	free(hosts);
	return rc;
}

static int add_box(storus_converted_torus_t *torus, const char *head, size_t length,
		   const element_t *element, torus_error_t *err)
{
	for (int z = element->first[2]; z <= element->last[2]; z++) {
		for (int y = element->first[1]; y <= element->last[1]; y++) {
			for (int x = element->first[0]; x <= element->last[0]; x++) {
				if (add_at(torus, head, length, x, y, z, err) != 0)
					return -1;
			}
		}
	}
	return 0;
}

static int add_range(storus_converted_torus_t *torus, const char *head, size_t length,
		     const element_t *element, torus_error_t *err)
{
	int last = to_number(element->last);

	for (int number = to_number(element->first); number <= last; number++) {
		if (add_at(torus, head, length, number / (BASE * BASE),
			   number / BASE % BASE, number % BASE, err) != 0)
			return -1;
	}
	return 0;
}

/*
 * Whether the end of the element is below its beginning, in an axis of a box or as a
 * number.
 */
static bool descends(const element_t *element)
{
	for (int axis = 0; element->box && axis < AXES; axis++) {
		if (element->first[axis] > element->last[axis])
			return true;
	}
	return to_number(element->first) > to_number(element->last);
}

/* Whether the element means the same to the base 10. */
static bool means_the_same(const char *text, size_t length, const element_t *element)
{
	return !element->box && strspn(text, "0123456789-") >= length &&
	       element->first[0] == element->last[0] &&
	       element->first[1] == element->last[1];
}

/* Add the element text[0 .. length-1] of the bracket behind head[0 .. head_length-1]. */
static int add_element(storus_converted_torus_t *torus, const char *head,
		       size_t head_length, const char *text, size_t length,
		       torus_error_t *err)
{
	element_t element;
	char *hosts;
	int rc;

	if (read_element(text, length, &element) &&
	    !means_the_same(text, length, &element)) {
		if (descends(&element))
			return torus_fail(err, "hostlist: '%.*s' descends", (int)length,
					  text);
		if (!element.box && strspn(text, "0123456789-") >= length)
			return torus_fail(
				err,
				"hostlist: '[%.*s]' has other names to the base 10 than "
				"to the base 36, to which a Slurm built for three "
				"dimensions counts; give --nodelist the names one by "
				"one: \"$(sinfo -hN -o %%N | sort -u | paste -sd,)\"",
				(int)length, text);
		return element.box ? add_box(torus, head, head_length, &element, err)
				   : add_range(torus, head, head_length, &element, err);
	}
	if (asprintf(&hosts, "%.*s[%.*s]", (int)head_length, head, (int)length, text) < 0)
		return torus_fail(err, "out of memory");
	rc = add_decimal(torus, hosts, err);
	free(hosts);
	return rc;
}

/* Add one item, text[0 .. length-1], of a hostlist. */
static int add_item(storus_converted_torus_t *torus, const char *text, size_t length,
		    torus_error_t *err)
{
	const char *end = text + length, *bracket = memrchr(text, '[', length);
	char *hosts;
	int rc = 0;

	/* Only a bracket at the very end can hold coordinates. */
	if (bracket && end - bracket > 2 && end[-1] == ']' &&
	    !memchr(bracket, ']', (size_t)(end - 1 - bracket))) {
		const char *at = bracket + 1;

		while (rc == 0 && at < end) {
			size_t size = strcspn(at, ",]");

			rc = add_element(torus, text, (size_t)(bracket - text), at, size,
					 err);
			at += size + 1;
		}
		return rc;
	}
	hosts = strndup(text, length);
	if (!hosts)
		return torus_fail(err, "out of memory");
	rc = add_decimal(torus, hosts, err);
	free(hosts);
	return rc;
}

int storus_names_add(storus_converted_torus_t *torus, const char *hosts,
		     torus_error_t *err)
{
	const char *begin = hosts;
	bool inside = false; /* a bracket */

	for (const char *at = hosts;; at++) {
		if (*at == '[')
			inside = true;
		else if (*at == ']')
			inside = false;
		if (*at && (*at != ',' || inside))
			continue;
		if (add_item(torus, begin, (size_t)(at - begin), err) != 0)
			return -1;
		if (!*at)
			return 0;
		begin = at + 1;
	}
}

void storus_names_fit(storus_converted_torus_t *torus)
{
	torus_geometry_t all = torus->geometry;
	int32_t coord[TORUS_MAX_DIMS];

	for (int axis = 0; axis < AXES; axis++)
		torus->geometry.length[axis] = 1;
	for (uint32_t i = 0; i < torus->nodes; i++) {
		torus_cell_to_coord(&all, torus->node[i].cell, coord);
		for (int axis = 0; axis < AXES; axis++) {
			if (coord[axis] >= torus->geometry.length[axis])
				torus->geometry.length[axis] = coord[axis] + 1;
		}
	}
	for (uint32_t i = 0; i < torus->nodes; i++) {
		torus_cell_to_coord(&all, torus->node[i].cell, coord);
		torus->node[i].cell = torus_coord_to_cell(&torus->geometry, coord);
	}
}
