/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a host of Tenstorrent's is, by one of two descriptions in the text format of
 * protocol buffers that tt-metal's tools write and read.
 *
 * A factory system descriptor lists the hosts of a system, which it numbers from 0, and
 * their cables. Hosts that are cabled in a ring or line have their place along it.
 *
 * A mesh graph descriptor says how many hosts a mesh has in its two dimensions
 * (host_topology). Which of them this one is, counted with the second dimension fastest,
 * is in the variable TT_MESH_HOST_RANK, and of which mesh in TT_MESH_ID.
 */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storus/locate/files.h"
#include "storus/locate/place.h"
#include "storus/locate/ring.h"
#include "storus/locate/textproto.h"

#define MOST_OF_DESCRIPTOR ((size_t)256 << 20)

#define VARIABLE "TT_MESH_GRAPH_DESC_PATH"
#define RANK "TT_MESH_HOST_RANK"
#define MESH "TT_MESH_ID"

typedef struct described {
	/* A system: */
	storus_ring_t ring;
	int32_t end[2]; /* of the cable that is read */
	/* A mesh: */
	int meshes;	 /* descriptors of one */
	int32_t side[2]; /* hosts in each dimension, the same in all of them */
	int32_t read[2];
	int sides; /* of the one that is read */
} described_t;

#define CABLE "eth_connections.connection"
#define HOST_GRID "mesh_descriptors.host_topology"

static int begin(described_t *described, const char *path, torus_error_t *err)
{
	if (strcmp(path, "hosts") == 0)
		return storus_ring_add(&described->ring, err);
	/* A number that is 0 need not be written. */
	if (strcmp(path, CABLE) == 0)
		described->end[0] = described->end[1] = 0;
	if (strcmp(path, "mesh_descriptors") == 0)
		described->sides = 0;
	return 0;
}

static int end(described_t *described, const char *path, torus_error_t *err)
{
	if (strcmp(path, CABLE) == 0)
		return storus_ring_link(&described->ring, described->end[0],
					described->end[1], err);
	if (strcmp(path, "mesh_descriptors") != 0)
		return 0;
	if (described->sides != 2)
		return torus_fail(err, "a mesh with %d sides in its host_topology, not 2",
				  described->sides);
	if (described->meshes &&
	    memcmp(described->side, described->read, sizeof(described->side)) != 0)
		return torus_fail(
			err,
			"meshes of %dx%d hosts and of %dx%d: which one this host is "
			"in is not told",
			described->side[0], described->side[1], described->read[0],
			described->read[1]);
	memcpy(described->side, described->read, sizeof(described->side));
	described->meshes++;
	return 0;
}

static int value(described_t *described, const char *path, const char *text,
		 torus_error_t *err)
{
	if (strcmp(path, "hosts.hostname") == 0 || strcmp(path, "hosts.host") == 0)
		return storus_ring_name(&described->ring, text, err);
	for (int i = 0; i < 2; i++) {
		if (strcmp(path, i ? CABLE ".endpoint_b.host_id"
				   : CABLE ".endpoint_a.host_id") == 0 &&
		    storus_place_number(text, &described->end[i]) != 0)
			return torus_fail(err, "host_id: '%s' is no number", text);
	}
	if (strcmp(path, HOST_GRID ".dims") == 0) {
		int32_t side;

		if (storus_place_number(text, &side) != 0 || side < 1 || side > 65535)
			return torus_fail(err, "host_topology: '%s' is no side of a mesh",
					  text);
		if (described->sides < 2)
			described->read[described->sides] = side;
		described->sides++;
	}
	return 0;
}

static int visit(void *context, storus_textproto_event_t event, const char *path,
		 const char *text, torus_error_t *err)
{
	described_t *described = context;

	switch (event) {
	case STORUS_TEXTPROTO_BEGIN:
		return begin(described, path, err);
	case STORUS_TEXTPROTO_END:
		return end(described, path, err);
	default:
		return value(described, path, text, err);
	}
}

/* Find the host on its ring. Returns 0, or -1 with [err]. */
static int find_on_ring(const storus_locating_t *locating, const storus_ring_t *ring,
			storus_place_t *place, torus_error_t *err)
{
	char own[256];
	int32_t host, at, first;

	if (!locating->host && gethostname(own, sizeof(own)) != 0)
		return torus_fail(err, "cannot find out this host's name: %s",
				  strerror(errno));
	own[sizeof(own) - 1] = '\0';
	host = storus_ring_find(ring, locating->host ? locating->host : own, err);
	if (host < 0 || storus_ring_place(ring, host, &at, &first, err) != 0)
		return -1;
	*place = (storus_place_t){.dims = 1, .at = {at}};
	if (ring->host[first].name)
		snprintf(place->of, sizeof(place->of), "%.*s",
			 (int)strcspn(ring->host[first].name, "."),
			 ring->host[first].name);
	return 0;
}

/* Find the host in its mesh. Returns 0, or -1 with [err]. */
static int find_in_mesh(const described_t *described, storus_place_t *place,
			torus_error_t *err)
{
	const char *text = getenv(RANK), *mesh = getenv(MESH);
	int32_t rank, number = 0;

	if (!text || storus_place_number(text, &rank) != 0)
		return torus_fail(
			err,
			RANK "%s%.100s%s: set it to the number of this host in its mesh, "
			     "from 0",
			text ? "='" : " is not set", text ? text : "",
			text ? "' is no number" : "");
	if (rank / described->side[1] >= described->side[0])
		return torus_fail(err, RANK "=%d, but the mesh has %dx%d hosts", rank,
				  described->side[0], described->side[1]);
	if (mesh && *mesh && storus_place_number(mesh, &number) != 0)
		return torus_fail(err, MESH "='%.100s' is no number", mesh);
	*place = (storus_place_t){
		.dims = 2,
		.at = {rank / described->side[1], rank % described->side[1]},
	};
	snprintf(place->of, sizeof(place->of), "%d", number);
	return 0;
}

/* Find the host in what [text], called [name], describes. */
static int find(const storus_locating_t *locating, const char *text, const char *name,
		storus_place_t *place, torus_error_t *err)
{
	described_t described = {0};
	int rc = storus_textproto_read(text, name, visit, &described, err);

	if (rc == 0) {
		if (described.ring.hosts)
			rc = find_on_ring(locating, &described.ring, place, err);
		else if (described.meshes)
			rc = find_in_mesh(&described, place, err);
		else
			rc = torus_fail(
				err,
				"neither hosts, as a factory system descriptor has, "
				"nor mesh_descriptors, as a mesh graph descriptor has");
		if (rc != 0)
			torus_fail_prefix(err, "%s: ", name);
	}
	storus_ring_clear(&described.ring);
	return rc;
}

storus_located_t storus_locate_tenstorrent(const storus_locating_t *locating,
					   storus_place_t *place, torus_error_t *err)
{
	const char *path = locating->descriptor, *root = "";
	char *text;
	int rc;

	if (!path) {
		path = getenv(VARIABLE);
		root = locating->root;
	}
	if (!path || !*path) {
		torus_fail(err, "there is no --descriptor and no " VARIABLE);
		return STORUS_LOCATE_ABSENT;
	}
	if (storus_file_read(root, path, MOST_OF_DESCRIPTOR, &text, err) <= 0)
		return STORUS_LOCATE_BAD;
	rc = find(locating, text, path, place, err);
	free(text);
	return rc == 0 ? STORUS_LOCATED : STORUS_LOCATE_BAD;
}
