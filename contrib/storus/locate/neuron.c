/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an instance is in its Trainium2 UltraServer, as AWS's Neuron driver tells in
 * sysfs. It has found out which instances are wired to which, calls the server by a
 * serial number and numbers the instances, 0 to 3 along the ring of four that the links
 * between them make (each chip is linked to those of the same place in the next and in
 * the previous instance), or 0 and 1 where two are linked. Within an instance the 16
 * chips are a torus of 4x4, so that an instance is a plane of 4x4x1 of a torus of chips,
 * and its number is the z of it.
 */
#include "torus_config.h"

#include <string.h>

#include "storus/locate/files.h"
#include "storus/locate/place.h"

#define DIRECTORY "/sys/class/neuron_device/"

/* The sizes of servers that the driver tells about, largest first. */
static const struct {
	int nodes;
	const char *node, *server;
} kinds[] = {
	{4, DIRECTORY "node_id_4", DIRECTORY "server_id_4"},
	{2, DIRECTORY "node_id_2", DIRECTORY "server_id_2"},
};

/* Read which server the node is in. */
static storus_located_t read_server(const char *root, const char *path, char of[64],
				    torus_error_t *err)
{
	int found = storus_file_line(root, path, of, err);

	if (found < 0)
		return STORUS_LOCATE_BAD;
	if (found == 0)
		return STORUS_LOCATE_ABSENT;
	if (strlen(of) != 16 || of[strspn(of, "0123456789abcdef")]) {
		torus_fail(err, "'%s%s' holds '%s', not the 16 digits of a server", root,
			   path, of);
		return STORUS_LOCATE_BAD;
	}
	return STORUS_LOCATED;
}

storus_located_t storus_locate_neuron(const storus_locating_t *locating,
				      storus_place_t *place, torus_error_t *err)
{
	const char *root = locating->root;
	bool told = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char line[64], of[64];
		int32_t number;
		int found = storus_file_line(root, kinds[i].node, line, err);

		if (found < 0)
			return STORUS_LOCATE_BAD;
		if (found == 0)
			continue;
		told = true;
		if (strcmp(line, "busy") == 0) {
			torus_fail(err,
				   "'%s%s' says busy: the driver is still finding out "
				   "which instances are linked; try again later",
				   root, kinds[i].node);
			return STORUS_LOCATE_NOWHERE;
		}
		if (!line[0]) {
			torus_fail(
				err,
				"'%s%s' is empty: the driver has just been loaded; try "
				"again later",
				root, kinds[i].node);
			return STORUS_LOCATE_NOWHERE;
		}
		if (strcmp(line, "-1") == 0)
			continue;
		if (storus_place_number(line, &number) != 0 || number >= kinds[i].nodes) {
			torus_fail(err, "'%s%s' holds '%s', not the number of a node",
				   root, kinds[i].node, line);
			return STORUS_LOCATE_BAD;
		}
		storus_located_t located = read_server(root, kinds[i].server, of, err);

		if (located != STORUS_LOCATED)
			return located == STORUS_LOCATE_ABSENT ? STORUS_LOCATE_BAD
							       : located;
		*place = (storus_place_t){.dims = 3, .at = {0, 0, number}};
		memcpy(place->of, of, strlen(of) + 1);
		return STORUS_LOCATED;
	}
	if (!told)
		return STORUS_LOCATE_ABSENT; /* and [err] says of what */
	torus_fail(err,
		   "'%s" DIRECTORY
		   "' says that this instance is in no UltraServer, or that "
		   "its links do not work",
		   root);
	return STORUS_LOCATE_NOWHERE;
}
