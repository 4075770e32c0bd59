/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are linked to each other: see ring.h. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "storus/locate/ring.h"

/* Make room for [hosts] of them. Returns 0, or -1. */
static int reserve(storus_ring_t *ring, int32_t hosts, torus_error_t *err)
{
	storus_ring_host_t *more;
	int32_t room = ring->room ? ring->room : 16;

	if (hosts <= ring->room)
		return 0;
	while (room < hosts)
		room *= 2;
	more = realloc(ring->host, (size_t)room * sizeof(*more));
	if (!more)
		return torus_fail(err, "out of memory");
	memset(more + ring->room, 0, (size_t)(room - ring->room) * sizeof(*more));
	ring->host = more;
	ring->room = room;
	return 0;
}

int storus_ring_add(storus_ring_t *ring, torus_error_t *err)
{
	if (ring->hosts == STORUS_RING_HOSTS)
		return torus_fail(err, "more than %d hosts", STORUS_RING_HOSTS);
	if (reserve(ring, ring->hosts + 1, err) != 0)
		return -1;
	ring->hosts++;
	return 0;
}

int storus_ring_name(storus_ring_t *ring, const char *name, torus_error_t *err)
{
	storus_ring_host_t *host = &ring->host[ring->hosts - 1];

	free(host->name);
	host->name = strdup(name);
	return host->name ? 0 : torus_fail(err, "out of memory");
}

static void add_neighbour(storus_ring_host_t *host, int32_t neighbour)
{
	for (int i = 0; i < host->neighbours && i < 2; i++) {
		if (host->neighbour[i] == neighbour)
			return;
	}
	if (host->neighbours < 2)
		host->neighbour[host->neighbours] = neighbour;
	if (host->neighbours < 3)
		host->neighbours++;
}

int storus_ring_link(storus_ring_t *ring, int32_t one, int32_t other, torus_error_t *err)
{
	int32_t last = one > other ? one : other;

	if (one < 0 || other < 0 || last >= STORUS_RING_HOSTS)
		return torus_fail(err, "a link between hosts %d and %d", one, other);
	if (one == other)
		return 0;
	if (reserve(ring, last + 1, err) != 0)
		return -1;
	add_neighbour(&ring->host[one], other);
	add_neighbour(&ring->host[other], one);
	return 0;
}

int32_t storus_ring_find(const storus_ring_t *ring, const char *name, torus_error_t *err)
{
	size_t length = strcspn(name, ".");
	int32_t found = -1;

	for (int32_t i = 0; i < ring->hosts; i++) {
		const char *known = ring->host[i].name;

		if (known && strcasecmp(known, name) == 0)
			return i;
	}
	for (int32_t i = 0; i < ring->hosts; i++) {
		const char *known = ring->host[i].name;

		if (!known || strcspn(known, ".") != length ||
		    strncasecmp(known, name, length) != 0)
			continue;
		if (found >= 0)
			return torus_fail(err, "both '%s' and '%s' may be the host '%s'",
					  ring->host[found].name, known, name);
		found = i;
	}
	if (found < 0)
		torus_fail(err,
			   "none of %d hosts is called '%s': give its name with --host",
			   ring->hosts, name);
	return found;
}

static const char *name_of(const storus_ring_t *ring, int32_t host)
{
	return ring->host[host].name ? ring->host[host].name : "?";
}

/* The neighbour of [host] that is not [before]; -1: there is none. */
static int32_t next_of(const storus_ring_host_t *host, int32_t before)
{
	for (int i = 0; i < host->neighbours; i++) {
		if (host->neighbour[i] != before)
			return host->neighbour[i];
	}
	return -1;
}

/* Whether [host] can be on a ring or line. */
static int check(const storus_ring_t *ring, int32_t host, torus_error_t *err)
{
	if (host >= ring->hosts)
		return torus_fail(err, "a link to host %d, but there are %d of them",
				  host, ring->hosts);
	if (ring->host[host].neighbours > 2)
		return torus_fail(
			err,
			"the host '%s' is linked to three others or more: they are no "
			"ring, and which coordinates they have is not told",
			name_of(ring, host));
	return 0;
}

/*
 * Go from [from], where [before] is behind, until there is no next host or it is [stop];
 * *low becomes the lowest host on the way. Returns the last one, or -1.
 */
static int32_t walk(const storus_ring_t *ring, int32_t from, int32_t before, int32_t stop,
		    int32_t *low, torus_error_t *err)
{
	for (;;) {
		int32_t next;

		if (check(ring, from, err) != 0)
			return -1;
		if (from < *low)
			*low = from;
		next = next_of(&ring->host[from], before);
		if (next < 0 || next == stop)
			return from;
		before = from;
		from = next;
	}
}

/* How many steps [host] is from [first] when the first of them is to [next]. */
static int32_t steps(const storus_ring_t *ring, int32_t first, int32_t next, int32_t host)
{
	int32_t at = first, count = 0;

	while (at != host) {
		int32_t before = at;

		at = next;
		next = next_of(&ring->host[at], before);
		count++;
	}
	return count;
}

int storus_ring_place(const storus_ring_t *ring, int32_t host, int32_t *place,
		      int32_t *first, torus_error_t *err)
{
	const storus_ring_host_t *ends;
	int32_t low = host, one, other;

	if (check(ring, host, err) != 0)
		return -1;
	/* One way until it ends, or comes back here. */
	one = walk(ring, host, -1, host, &low, err);
	if (one < 0)
		return -1;
	ends = &ring->host[one];
	if (ends->neighbours == 2) {
		int32_t left = ring->host[low].neighbour[0];
		int32_t right = ring->host[low].neighbour[1];

		*first = low;
		*place = steps(ring, low, left < right ? left : right, host);
		return 0;
	}
	/* A line: from its one end to the other. */
	other = walk(ring, one, -1, -1, &low, err);
	if (other < 0)
		return -1;
	*first = one < other ? one : other;
	*place = steps(ring, *first, next_of(&ring->host[*first], -1), host);
	return 0;
}

void storus_ring_clear(storus_ring_t *ring)
{
	for (int32_t i = 0; i < ring->hosts; i++)
		free(ring->host[i].name);
	free(ring->host);
	*ring = (storus_ring_t){0};
}
