/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances where hops do not add up: see metrics/pair_sums.h. */
#include "metrics/pair_sums.h"

#include <stdbool.h>
#include <stdlib.h>

#include "geometry/chords.h"

/* The nodes on each cell, and how many cells have any. */
typedef struct members {
	uint32_t *nodes_on; /* [cells] */
	uint32_t cells, taken;
} members_t;

static void add_member(torus_pair_sums_t *sums, uint64_t sum, uint64_t times)
{
	sums->summed += sum * times;
	sums->center = sum < sums->center ? sum : sums->center;
}

/* From one cell to all nodes. */
static uint64_t sum_from(const torus_geometry_t *geometry, uint32_t from,
			 const members_t *members, uint32_t *farthest)
{
	uint64_t sum = 0;

	for (uint32_t cell = 0; cell < members->cells; cell++) {
		uint32_t hops;

		if (!members->nodes_on[cell])
			continue;
		hops = torus_hops_cells(geometry, from, cell);
		*farthest = hops > *farthest ? hops : *farthest;
		sum += (uint64_t)hops * members->nodes_on[cell];
	}
	return sum;
}

static void sum_twisted(const torus_geometry_t *geometry, const members_t *members,
			uint32_t n, torus_pair_sums_t *sums)
{
	const uint32_t *nodes_on = members->nodes_on;
	bool even = true;

	for (uint32_t cell = 1; cell < members->cells; cell++)
		even = even && nodes_on[cell] == nodes_on[0];
	/* From every cell the torus looks the same. */
	for (uint32_t cell = 0; cell < (even ? 1 : members->cells); cell++) {
		if (nodes_on[cell])
			add_member(
				sums,
				sum_from(geometry, cell, members, &sums->diameter),
				even ? n : nodes_on[cell]);
	}
}

/* Walkers on their way to all members. */
typedef struct meeting {
	const members_t *members;
	uint64_t *sum; /* [cells] of the hops from all nodes to a cell */
	uint64_t left; /* that are still to come, of each walker to each member's cell */
	uint32_t farthest;
} meeting_t;

static bool meet(void *context, uint32_t cell, uint32_t hops, uint64_t walkers)
{
	meeting_t *meeting = context;
	uint32_t count = (uint32_t)__builtin_popcountll(walkers);

	if (!meeting->members->nodes_on[cell])
		return false;
	meeting->sum[cell] += (uint64_t)hops * count;
	meeting->left -= count;
	if (hops > meeting->farthest)
		meeting->farthest = hops;
	return !meeting->left;
}

/* By walks over all links from every node: as far as from there to it. */
static int sum_walks(const torus_chords_t *chords, const members_t *members,
		     const uint32_t *cells, uint32_t n, torus_pair_sums_t *sums,
		     torus_error_t *err)
{
	meeting_t meeting = {.members = members,
			     .sum = calloc(members->cells, sizeof(*meeting.sum))};
	int rc = meeting.sum
			 ? 0
			 : torus_fail(err, "out of memory for %u cells", members->cells);

	for (uint32_t first = 0; !rc && first < n; first += TORUS_CHORDS_WALKERS) {
		uint32_t count = n - first;

		if (count > TORUS_CHORDS_WALKERS)
			count = TORUS_CHORDS_WALKERS;
		meeting.left = (uint64_t)count * members->taken;
		rc = torus_chords_walk(chords, cells + first, count, meet, &meeting, err);
	}
	for (uint32_t cell = 0; !rc && cell < members->cells; cell++) {
		if (members->nodes_on[cell])
			add_member(sums, meeting.sum[cell], members->nodes_on[cell]);
	}
	sums->diameter = meeting.farthest;
	free(meeting.sum);
	return rc;
}

int torus_pair_sums(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		    torus_pair_sums_t *sums, torus_error_t *err)
{
	members_t members = {.cells = torus_geometry_cells(geometry)};
	int rc = 0;

	members.nodes_on = calloc(members.cells, sizeof(*members.nodes_on));
	if (!members.nodes_on)
		return torus_fail(err, "out of memory for %u cells", members.cells);
	for (uint32_t i = 0; i < n; i++)
		members.taken += !members.nodes_on[cells[i]]++;
	*sums = (torus_pair_sums_t){.center = UINT64_MAX};
	if (geometry->chords)
		rc = sum_walks(geometry->chords, &members, cells, n, sums, err);
	else
		sum_twisted(geometry, &members, n, sums);
	free(members.nodes_on);
	return rc;
}
