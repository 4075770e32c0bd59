/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on one torus: see room.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "lists/ranklist.h"
#include "place/box_bits.h"
#include "storus/capacity/room.h"

/* Jobs on ranks, as they are found. */
typedef struct pairs {
	uint32_t count, room;
	uint32_t *rank, *job;
} pairs_t;

static int add_pair(pairs_t *pairs, uint32_t rank, uint32_t job)
{
	if (pairs->count == pairs->room) {
		uint32_t room = pairs->room ? 2 * pairs->room : 1024;
		uint32_t *ranks = realloc(pairs->rank, room * sizeof(*ranks));
		uint32_t *jobs;

		if (ranks)
			pairs->rank = ranks;
		jobs = ranks ? realloc(pairs->job, room * sizeof(*jobs)) : NULL;
		if (!jobs)
			return -1;
		pairs->job = jobs;
		pairs->room = room;
	}
	pairs->rank[pairs->count] = rank;
	pairs->job[pairs->count++] = job;
	return 0;
}

/* Find the ranks that a holder has on torus [t]. Returns 0, or -1 with [err] filled. */
static int add_nodes(pairs_t *pairs, const torus_cluster_t *cluster, int t,
		     uint32_t number, const char *nodelist, torus_error_t *err)
{
	char **names;
	uint32_t count;
	int rc = 0;

	if (torus_hostlist_expand(nodelist, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		uint32_t node;
		int torus;

		if (torus_cluster_find(cluster, names[i], &torus, &node) && torus == t)
			rc = add_pair(pairs, cluster->map[t]->rank_of_node[node], number);
	}
	free(names);
	return rc ? torus_fail(err, "out of memory") : 0;
}

static int allocate(storus_room_t *room)
{
	size_t ranks = room->map->nodes, cells = room->cells;
	size_t jobs = (size_t)room->jobs->count + 1;
	size_t reservations = room->jobs->reservations;

	room->free = torus_bitmap_create(room->map->nodes);
	room->down = torus_bitmap_create(room->map->nodes);
	room->reserved = torus_bitmap_create(room->map->nodes);
	room->usable = torus_bitmap_create(room->cells);
	room->never = torus_bitmap_create(room->cells);
	room->never_down = torus_bitmap_create(room->cells);
	room->never_now = torus_bitmap_create(room->cells);
	room->down_rank = malloc(ranks * sizeof(uint32_t));
	room->first = malloc((cells + 1) * sizeof(uint32_t));
	room->first_job = malloc((cells + 1) * sizeof(uint32_t));
	room->first_of_rank = malloc((ranks + 1) * sizeof(uint32_t));
	room->dear = malloc(jobs * sizeof(*room->dear));
	room->end = malloc(jobs * sizeof(*room->end));
	room->shown_end = malloc(jobs * sizeof(*room->shown_end));
	room->closure = calloc(reservations + 1, sizeof(*room->closure));
	room->closed = calloc(reservations * TORUS_WORDS(cells) + 1, sizeof(uint64_t));
	room->closure_of_ranks =
		calloc(reservations + 1, sizeof(*room->closure_of_ranks));
	room->closed_ranks =
		calloc(reservations * TORUS_WORDS(ranks) + 1, sizeof(uint64_t));
	return room->free && room->down && room->reserved && room->usable &&
			       room->never && room->never_down && room->never_now &&
			       room->down_rank && room->first && room->first_job &&
			       room->dear && room->end && room->shown_end &&
			       room->closure && room->closed && room->first_of_rank &&
			       room->closure_of_ranks && room->closed_ranks
		       ? 0
		       : -1;
}

/* Whether Slurm, if it was asked, says that jobs can run on the node. */
static bool node_usable(const storus_room_t *room, uint32_t rank)
{
	const torus_map_t *map = room->map;
	const storus_node_t *node;

	if (!room->jobs->nodes_known)
		return true;
	node = storus_jobs_find_node(room->jobs, map->node_name[map->node_of_rank[rank]]);
	return node && node->usable;
}

/* Read the list of --free. Returns 0, or -1 with [err] filled. */
static int read_free(storus_room_t *room, const char *list, torus_error_t *err)
{
	list = list ? list : "all";
	if (torus_ranklist_parse_set(strcmp(list, "none") == 0 ? "" : list,
				     room->map->nodes, room->free, err) == 0)
		return 0;
	return torus_fail_prefix(err, "--free: ");
}

/* Note which cells the reservations, the holders of [pairs], close. */
static void sort_reserved(storus_room_t *room, const pairs_t *pairs)
{
	const storus_jobs_t *jobs = room->jobs;
	size_t words = TORUS_WORDS(room->cells);
	size_t rank_words = TORUS_WORDS(room->map->nodes);

	for (uint32_t i = 0; i < pairs->count; i++) {
		torus_bit_set(room->closed + pairs->job[i] * words,
			      room->map->cell_of_rank[pairs->rank[i]]);
		torus_bit_set(room->closed_ranks + pairs->job[i] * rank_words,
			      pairs->rank[i]);
	}
	for (uint32_t i = 0; i < jobs->reservations; i++) {
		room->closure[i] = (torus_closure_t){
			.start = jobs->reservation[i].start,
			.end = jobs->reservation[i].end,
			.period = jobs->reservation[i].period,
			.cells = room->closed + i * words,
		};
		room->closure_of_ranks[i] = room->closure[i];
		room->closure_of_ranks[i].cells = room->closed_ranks + i * rank_words;
	}
}

bool storus_room_in_force(const storus_room_t *room, uint32_t number)
{
	return torus_closure_in_force(&room->closure[number], room->when.now,
				      room->when.now + room->when.seconds);
}

/* Take the ranks of reservations in force from those that are free. */
static void reserve_ranks(storus_room_t *room, const pairs_t *reserved)
{
	for (uint32_t i = 0; i < reserved->count; i++) {
		uint32_t rank = reserved->rank[i];

		if (!storus_room_in_force(room, reserved->job[i]))
			continue;
		torus_bit_set(room->never_now, room->map->cell_of_rank[rank]);
		if (!torus_bit_test(room->free, rank))
			continue;
		torus_bit_clear(room->free, rank);
		torus_bit_set(room->reserved, rank);
	}
}

/* Which ranks are free and which are down. */
static void sort_ranks(storus_room_t *room, const pairs_t *pairs)
{
	const torus_map_t *map = room->map;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!torus_bit_test(room->free, rank))
			torus_bit_set(room->down, rank);
	}
	for (uint32_t i = 0; i < pairs->count; i++) {
		torus_bit_clear(room->free, pairs->rank[i]);
		torus_bit_clear(room->down, pairs->rank[i]);
	}
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (node_usable(room, rank))
			continue;
		torus_bit_set(room->down, rank);
		torus_bit_clear(room->free, rank);
	}
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (torus_bit_test(room->down, rank))
			room->down_rank[room->downs++] = rank;
	}
}

static void sort_cells(storus_room_t *room, const pairs_t *pairs)
{
	const torus_map_t *map = room->map;

	torus_bitmap_set_range(room->never, 0, room->cells);
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		torus_bit_clear(room->never, map->cell_of_rank[rank]);
	memcpy(room->never_down, room->never,
	       TORUS_WORDS(room->cells) * sizeof(uint64_t));
	for (uint32_t i = 0; i < room->downs; i++)
		torus_bit_set(room->never_down, map->cell_of_rank[room->down_rank[i]]);
	for (size_t i = 0; i < TORUS_WORDS(room->cells); i++)
		room->never_now[i] |= room->never_down[i];
	for (uint32_t i = 0; i < pairs->count; i++) {
		if (room->jobs->job[pairs->job[i]].hidden)
			torus_bit_set(room->never_now, map->cell_of_rank[pairs->rank[i]]);
	}
	torus_box_bits_usable(&map->geometry, map->cell_of_rank, map->nodes, room->free,
			      room->usable);
}

/* Fill [first] and [holder] with the pairs, by cell, of which there are [cells];
 * [cell_of_rank] NULL: by rank. */
static void sort_pairs(const pairs_t *pairs, const uint32_t *cell_of_rank, uint32_t cells,
		       uint32_t *first, uint32_t *holder)
{
	memset(first, 0, ((size_t)cells + 1) * sizeof(*first));
	for (uint32_t i = 0; i < pairs->count; i++) {
		uint32_t rank = pairs->rank[i];

		first[(cell_of_rank ? cell_of_rank[rank] : rank) + 1]++;
	}
	for (uint32_t cell = 0; cell < cells; cell++)
		first[cell + 1] += first[cell];
	for (uint32_t i = 0; i < pairs->count; i++) {
		uint32_t rank = pairs->rank[i];

		holder[first[cell_of_rank ? cell_of_rank[rank] : rank]++] = pairs->job[i];
	}
	/* Each has become the next one. */
	memmove(first + 1, first, cells * sizeof(*first));
	first[0] = 0;
}

static int list_holders(storus_room_t *room, pairs_t *pairs, const pairs_t *reserved)
{
	uint32_t others = room->jobs->count + room->downs;
	const torus_map_t *map = room->map;

	room->job = malloc(((size_t)pairs->count + 1) * sizeof(*room->job));
	room->job_of_rank =
		malloc(((size_t)pairs->count + 1) * sizeof(*room->job_of_rank));
	if (!room->job || !room->job_of_rank)
		return -1;
	sort_pairs(pairs, map->cell_of_rank, room->cells, room->first_job, room->job);
	sort_pairs(pairs, NULL, map->nodes, room->first_of_rank, room->job_of_rank);
	for (uint32_t i = 0; i < room->downs; i++) {
		if (add_pair(pairs, room->down_rank[i], room->jobs->count + i) != 0)
			return -1;
	}
	for (uint32_t i = 0; i < reserved->count; i++) {
		if (storus_room_in_force(room, reserved->job[i]) &&
		    add_pair(pairs, reserved->rank[i], others + reserved->job[i]) != 0)
			return -1;
	}
	room->holder = malloc(((size_t)pairs->count + 1) * sizeof(*room->holder));
	if (!room->holder)
		return -1;
	sort_pairs(pairs, map->cell_of_rank, room->cells, room->first, room->holder);
	return 0;
}

int storus_room_open(storus_room_t *room, const torus_cluster_t *cluster, int t,
		     const storus_jobs_t *jobs, const char *free_list,
		     const storus_when_t *when, torus_error_t *err)
{
	pairs_t pairs = {0}, reserved = {0};
	int rc = 0;

	*room = (storus_room_t){
		.cluster = cluster,
		.torus = t,
		.map = cluster->map[t],
		.jobs = jobs,
		.when = *when,
	};
	room->cells = torus_geometry_cells(&room->map->geometry);
	room->line = (torus_geometry_t){
		.dims = 1, .length = {(int32_t)room->map->nodes, 1, 1, 1, 1, 1}};
	if (allocate(room) != 0)
		return torus_fail(err, "out of memory");
	if (read_free(room, free_list, err) != 0)
		return -1;
	for (uint32_t i = 0; i < jobs->count && rc == 0; i++) {
		const storus_job_t *job = &jobs->job[i];

		room->dear[i] = !job->preemptible;
		room->end[i] = job->end ? job->end : TORUS_NEVER;
		room->shown_end[i] = job->hidden ? when->now : room->end[i];
		rc = add_nodes(&pairs, cluster, t, i, job->nodelist, err);
	}
	for (uint32_t i = 0; i < jobs->reservations && rc == 0; i++)
		rc = add_nodes(&reserved, cluster, t, i, jobs->reservation[i].nodelist,
			       err);
	if (rc == 0) {
		sort_ranks(room, &pairs);
		sort_reserved(room, &reserved);
		reserve_ranks(room, &reserved);
		sort_cells(room, &pairs);
		if (list_holders(room, &pairs, &reserved) != 0)
			rc = torus_fail(err, "out of memory");
	}
	free(pairs.rank);
	free(pairs.job);
	free(reserved.rank);
	free(reserved.job);
	return rc;
}

void storus_room_clear(storus_room_t *room)
{
	free(room->free);
	free(room->down);
	free(room->reserved);
	free(room->usable);
	free(room->down_rank);
	free(room->first);
	free(room->holder);
	free(room->first_job);
	free(room->job);
	free(room->first_of_rank);
	free(room->job_of_rank);
	free(room->closure_of_ranks);
	free(room->closed_ranks);
	free(room->never);
	free(room->never_down);
	free(room->never_now);
	free(room->closure);
	free(room->closed);
	free(room->dear);
	free(room->end);
	free(room->shown_end);
	*room = (storus_room_t){0};
}

torus_holders_t storus_room_obstacles(const storus_room_t *room)
{
	return (torus_holders_t){
		.holders = room->jobs->count + room->downs + room->jobs->reservations,
		.first = room->first,
		.holder = room->holder,
		.never = room->never,
	};
}

torus_holders_t storus_room_jobs(const storus_room_t *room)
{
	return (torus_holders_t){
		.holders = room->jobs->count,
		.dear = room->dear,
		.end = room->end,
		.first = room->first_job,
		.holder = room->job,
		.never = room->never_down,
		.now = room->when.now,
		.seconds = room->when.seconds,
		.closures = room->jobs->reservations,
		.closure = room->closure,
	};
}

torus_holders_t storus_room_jobs_of_ranks(const storus_room_t *room)
{
	torus_holders_t holders = storus_room_jobs(room);

	holders.first = room->first_of_rank;
	holders.holder = room->job_of_rank;
	holders.never = room->down;
	holders.closure = room->closure_of_ranks;
	return holders;
}

bool storus_room_shown(const storus_room_t *room, torus_holders_t *holders)
{
	const storus_jobs_t *jobs = room->jobs;
	bool hidden = false;

	*holders = storus_room_jobs(room);
	holders->end = room->shown_end;
	for (uint32_t i = 0; i < jobs->count; i++)
		hidden |= jobs->job[i].hidden;
	/* What storus_jobs_add_hidden() adds stands last. */
	if (jobs->reservations && !jobs->reservation[jobs->reservations - 1].name) {
		holders->closures--;
		hidden = true;
	}
	if (!hidden)
		*holders = (torus_holders_t){.holders = 0};
	return hidden;
}

torus_holders_t storus_room_jobs_now(const storus_room_t *room)
{
	torus_holders_t holders = storus_room_jobs(room);

	holders.never = room->never_now;
	return holders;
}
