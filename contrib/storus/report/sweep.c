/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine through time. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/radix.h"
#include "measures/isolation.h"
#include "metrics/fragments.h"
#include "sim/workload.h"
#include "storus/cli/progress.h"
#include "storus/report/sweep.h"
#include "torus/joined.h"

/* What happens; of what happens in the same second, in this order. */
typedef enum kind {
	RUN_ENDS,
	OUTAGE_ENDS,
	WEEK_ENDS,
	OUTAGE_BEGINS,
	WAITING_ENDS,
	WAITING_BEGINS,
	RUN_BEGINS,
	KINDS
} kind_t;
#define KEY(time, kind) ((uint64_t)(time)*8 + (kind))

/* How often progress is told, in events. */
#define PROGRESS_EVERY 4096

static const torus_links_t no_links; /* its messages are not counted */

/* A torus now. */
typedef struct place {
	const torus_map_t *map;
	torus_occupancy_t *occupancy;
	uint64_t *down; /* bitmap of ranks out of order */
	uint64_t *idle; /* bitmap of ranks that are neither held nor out of order */
	uint32_t idle_nodes, down_nodes; /* of the latter, those that nobody holds */
	uint64_t *router;		 /* scratch: bitmap of cells, no bit set */
} place_t;

typedef struct state {
	storus_sweep_t *sweep;
	place_t *place;		 /* [maps] */
	uint32_t nodes, largest; /* of all tori, of the largest torus */
	storus_nodes_t *held;	 /* [runs] of those that run */
	uint32_t *waiting;	 /* [nodes + 2] jobs that ask for so many; larger ones in
				  * the last */
	uint64_t *sizes;	 /* bitmap of the waiting[] that are not 0 */
	uint32_t *cell;		 /* [largest] scratch */
	torus_keyed_t *event;	 /* [events] */
	uint32_t events;
	uint32_t *beginning; /* [beginners] runs that begin in this second */
	uint32_t beginners;
	int64_t now;
	size_t week;
	torus_error_t *err;
} state_t;

static int make_places(state_t *state)
{
	const torus_cluster_t *cluster = state->sweep->cluster;

	state->place = calloc((size_t)cluster->maps, sizeof(*state->place));
	for (int t = 0; state->place && t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];
		place_t *place = &state->place[t];

		place->map = map;
		place->occupancy = torus_occupancy_create(
			&map->geometry, map->cell_of_rank, map->nodes, state->err);
		if (!place->occupancy)
			return -1;
		place->down = torus_bitmap_create(map->nodes);
		place->idle = torus_bitmap_create(map->nodes);
		place->router = torus_bitmap_create(torus_geometry_cells(&map->geometry));
		if (!place->down || !place->idle || !place->router)
			return torus_fail(state->err, "out of memory");
		torus_bitmap_set_range(place->idle, 0, map->nodes);
		place->idle_nodes = map->nodes;
		state->nodes += map->nodes;
		if (map->nodes > state->largest)
			state->largest = map->nodes;
	}
	return state->place ? 0 : torus_fail(state->err, "out of memory");
}

static void add_event(state_t *state, int64_t time, kind_t kind, size_t value)
{
	state->event[state->events++] = (torus_keyed_t){KEY(time, kind), (uint32_t)value};
}

static void add_run(state_t *state, size_t i)
{
	const storus_run_t *run = &state->sweep->run[i];
	const storus_weeks_t *weeks = state->sweep->weeks;
	int64_t waited = run->waited;

	if (run->ran) {
		add_event(state, run->start, RUN_BEGINS, i);
		if (run->end > run->start)
			add_event(state, run->end, RUN_ENDS, i);
	}
	if (waited < 0 || waited >= run->start)
		return;
	add_event(state, waited < weeks->begin[0] ? weeks->begin[0] : waited,
		  WAITING_BEGINS, i);
	add_event(state, run->start, WAITING_ENDS, i);
}

/* The second in which that microsecond is; outside the span, its end. */
static int64_t second_of(const storus_weeks_t *weeks, int64_t microseconds)
{
	int64_t second = microseconds / TORUS_SECOND;

	if (second < weeks->begin[0])
		return weeks->begin[0];
	return second > weeks->begin[weeks->count] ? weeks->begin[weeks->count] : second;
}

static int make_events(state_t *state)
{
	const storus_sweep_t *sweep = state->sweep;
	const storus_weeks_t *weeks = sweep->weeks;
	size_t most = 4 * sweep->runs + 2 * sweep->outages->count + weeks->count;
	torus_keyed_t *scratch;

	if (most > UINT32_MAX)
		return torus_fail(state->err, "too many jobs: %zu", sweep->runs);
	state->event = malloc(most * sizeof(*state->event));
	scratch = malloc(most * sizeof(*scratch));
	if (!state->event || !scratch) {
		free(scratch);
		return torus_fail(state->err, "out of memory for %zu jobs", sweep->runs);
	}
	for (size_t i = 0; i < sweep->runs; i++)
		add_run(state, i);
	for (size_t i = 0; i < sweep->outages->count; i++) {
		const torus_outage_t *outage = &sweep->outages->outage[i];
		int64_t from = second_of(weeks, outage->from);
		int64_t until = second_of(weeks, outage->until);

		if (from >= until)
			continue;
		add_event(state, from, OUTAGE_BEGINS, i);
		add_event(state, until, OUTAGE_ENDS, i);
	}
	for (size_t i = 0; i < weeks->count; i++)
		add_event(state, weeks->begin[i + 1], WEEK_ENDS, i);
	torus_radix_sort(state->event, scratch, state->events);
	free(scratch);
	return 0;
}

static int make_state(state_t *state)
{
	size_t runs = state->sweep->runs;

	if (make_places(state) != 0 || make_events(state) != 0)
		return -1;
	state->held = calloc(runs + 1, sizeof(*state->held));
	state->waiting = calloc((size_t)state->nodes + 2, sizeof(*state->waiting));
	state->sizes = torus_bitmap_create(state->nodes + 2);
	state->cell = malloc(state->largest * sizeof(*state->cell));
	state->beginning = malloc((runs + 1) * sizeof(*state->beginning));
	if (!state->held || !state->waiting || !state->sizes || !state->cell ||
	    !state->beginning)
		return torus_fail(state->err, "out of memory for %zu jobs", runs);
	state->now = state->sweep->weeks->begin[0];
	return 0;
}

static void clear_state(state_t *state)
{
	for (int t = 0; state->place && t < state->sweep->cluster->maps; t++) {
		torus_occupancy_destroy(state->place[t].occupancy);
		free(state->place[t].down);
		free(state->place[t].idle);
		free(state->place[t].router);
	}
	for (size_t i = 0; state->held && i < state->sweep->runs; i++)
		storus_nodes_clear(&state->held[i]);
	free(state->place);
	free(state->event);
	free(state->held);
	free(state->waiting);
	free(state->sizes);
	free(state->cell);
	free(state->beginning);
}

/* Whether a node is idle or only down may have changed. */
static void look_at(place_t *place, uint32_t rank, bool was_down)
{
	bool held = place->occupancy->jobs[rank] > 0;
	bool down = torus_bit_test(place->down, rank);
	bool was_idle = torus_bit_test(place->idle, rank);
	bool is_idle = !held && !down;

	place->down_nodes += (!held && down);
	place->down_nodes -= was_down;
	if (is_idle == was_idle)
		return;
	if (is_idle) {
		torus_bit_set(place->idle, rank);
		place->idle_nodes++;
	} else {
		torus_bit_clear(place->idle, rank);
		place->idle_nodes--;
	}
}

/* Whether the node counts among place->down_nodes. */
static bool only_down(const place_t *place, uint32_t rank)
{
	return torus_bit_test(place->down, rank) && !place->occupancy->jobs[rank];
}

static void set_outage(state_t *state, const torus_outage_t *outage, bool down)
{
	place_t *place = &state->place[outage->torus];
	bool was_down = only_down(place, outage->rank);

	if (down)
		torus_bit_set(place->down, outage->rank);
	else
		torus_bit_clear(place->down, outage->rank);
	look_at(place, outage->rank, was_down);
}

/* A job begins, or ceases, to wait. */
static void set_waiting(state_t *state, const storus_run_t *run, bool waits)
{
	uint32_t size = run->nodes > state->nodes ? state->nodes + 1 : run->nodes;

	state->waiting[size] += waits ? 1 : (uint32_t)-1;
	if (state->waiting[size])
		torus_bit_set(state->sizes, size);
	else
		torus_bit_clear(state->sizes, size);
}

/* Whether a job of [nodes] nodes would fit; *together: into one free interval. */
static bool would_fit(const state_t *state, uint32_t nodes, uint32_t idle, bool *together)
{
	bool fits = false;

	*together = nodes > state->largest;
	if (nodes > state->largest)
		return nodes <= idle;
	for (int t = 0; !*together && t < state->sweep->cluster->maps; t++) {
		const place_t *place = &state->place[t];

		if (place->idle_nodes < nodes)
			continue;
		fits = true;
		*together =
			torus_fragments(place->idle, place->map->nodes, place->map->span)
				.largest >= nodes;
	}
	return fits;
}

/* Add up the time until [time]. */
static void pass_time(state_t *state, int64_t time)
{
	storus_use_t *use = &state->sweep->use[state->week];
	uint64_t seconds = (uint64_t)(time - state->now);
	uint32_t idle = 0, down = 0, size;
	storus_idle_t why = STORUS_IDLE_UNWANTED;
	bool together;

	if (!seconds)
		return;
	state->now = time;
	for (int t = 0; t < state->sweep->cluster->maps; t++) {
		idle += state->place[t].idle_nodes;
		down += state->place[t].down_nodes;
	}
	use->used += seconds * (state->nodes - idle - down);
	use->down += seconds * down;
	size = torus_bitmap_next_set(state->sizes, state->nodes + 2, 0);
	if (idle && size < state->nodes + 2) {
		if (!would_fit(state, size, idle, &together))
			why = STORUS_IDLE_TOO_FEW;
		else
			why = together ? STORUS_IDLE_HELD : STORUS_IDLE_SCATTERED;
	}
	use->idle[why] += seconds * idle;
}

static int hold(state_t *state, const storus_nodes_t *nodes, bool begins)
{
	for (int p = 0; p < nodes->parts; p++) {
		const storus_nodes_part_t *part = &nodes->part[p];
		const uint32_t *rank = nodes->rank + part->first;
		place_t *place = &state->place[part->torus];

		for (uint32_t i = 0; i < part->count; i++)
			place->down_nodes -= only_down(place, rank[i]);
		if (!begins)
			torus_occupancy_remove(place->occupancy, rank, part->count,
					       &no_links);
		else if (torus_occupancy_add(place->occupancy, rank, part->count,
					     &no_links, state->err) != 0)
			return -1;
		for (uint32_t i = 0; i < part->count; i++)
			look_at(place, rank[i], false);
	}
	return 0;
}

/* The routers among cell[0 .. n-1]. */
static uint32_t count_routers(place_t *place, const uint32_t *cell, uint32_t n)
{
	uint32_t routers = 0;

	for (uint32_t i = 0; i < n; i++) {
		routers += !torus_bit_test(place->router, cell[i]);
		torus_bit_set(place->router, cell[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		torus_bit_clear(place->router, cell[i]);
	return routers;
}

/* Measure the run that is on one torus alone and has begun. */
static int measure(state_t *state, const storus_nodes_t *nodes,
		   storus_measured_t *measured)
{
	int torus = nodes->part[0].torus;
	place_t *place = &state->place[torus];
	const torus_map_t *map = place->map;
	const torus_shapes_t shapes = {.count = 1, .shape = {nodes->joined}};
	torus_isolation_t isolation;
	torus_metrics_t metrics;

	for (uint32_t i = 0; i < nodes->count; i++)
		state->cell[i] = map->cell_of_rank[nodes->rank[i]];
	if (torus_join_metrics(&map->geometry, state->cell, NULL, nodes->count,
			       nodes->joined.dims ? &shapes : NULL, map->nodes, false,
			       &metrics, state->err) != 0 ||
	    torus_occupancy_measure(place->occupancy, nodes->rank, nodes->count,
				    &no_links, true, &isolation, state->err) != 0 ||
	    storus_alone_hops(state->sweep->alone, torus, nodes->count, &measured->alone,
			      state->err) != 0)
		return -1;
	measured->has_hops = measured->has_alone = measured->has_place = true;
	measured->hops = metrics.average_distance;
	measured->dims = map->geometry.dims;
	memcpy(measured->box, metrics.box, sizeof(measured->box));
	measured->pieces = metrics.components;
	measured->fill = (double)count_routers(place, state->cell, nodes->count) /
			 (double)metrics.volume;
	measured->foreign_nodes = isolation.foreign_nodes;
	return 0;
}

/* All runs that begin in this second are there now. */
static int measure_beginners(state_t *state)
{
	for (uint32_t i = 0; i < state->beginners; i++) {
		uint32_t number = state->beginning[i];
		storus_measured_t *measured = &state->sweep->measured[number];
		storus_nodes_t *nodes = &state->held[number];

		if (nodes->parts == 1 && nodes->count > 1 && !nodes->elsewhere &&
		    measure(state, nodes, measured) != 0)
			return -1;
	}
	for (uint32_t i = 0; i < state->beginners; i++) {
		uint32_t number = state->beginning[i];
		const storus_run_t *run = &state->sweep->run[number];

		if (run->end > run->start)
			continue;
		hold(state, &state->held[number], false);
		storus_nodes_clear(&state->held[number]);
	}
	state->beginners = 0;
	return 0;
}

static int begin_run(state_t *state, uint32_t number)
{
	storus_sweep_t *sweep = state->sweep;
	storus_nodes_t *nodes = &state->held[number];

	if (sweep->nodes(sweep->context, &sweep->run[number], nodes, state->err) != 0)
		return -1;
	state->beginning[state->beginners++] = number;
	return hold(state, nodes, true);
}

static int happen(state_t *state, kind_t kind, uint32_t value)
{
	const storus_sweep_t *sweep = state->sweep;

	switch (kind) {
	case RUN_ENDS:
		hold(state, &state->held[value], false);
		storus_nodes_clear(&state->held[value]);
		break;
	case OUTAGE_ENDS:
	case OUTAGE_BEGINS:
		set_outage(state, &sweep->outages->outage[value], kind == OUTAGE_BEGINS);
		break;
	case WEEK_ENDS:
		/* What happens at the end of the last one takes no time any more. */
		if (value + 1 < sweep->weeks->count)
			state->week = value + 1;
		break;
	case WAITING_ENDS:
	case WAITING_BEGINS:
		set_waiting(state, &sweep->run[value], kind == WAITING_BEGINS);
		break;
	case RUN_BEGINS:
		return begin_run(state, value);
	case KINDS:
		break;
	}
	return 0;
}

static int go_through(state_t *state)
{
	for (uint32_t i = 0; i < state->events; i++) {
		uint64_t key = state->event[i].key;

		if (state->beginners && key != state->event[i - 1].key &&
		    measure_beginners(state) != 0)
			return -1;
		pass_time(state, (int64_t)(key / 8));
		if (happen(state, (kind_t)(key % 8), state->event[i].value) != 0)
			return -1;
		if (i % PROGRESS_EVERY == 0)
			storus_progress(i, state->events, NULL);
	}
	return measure_beginners(state);
}

int storus_sweep(storus_sweep_t *sweep, torus_error_t *err)
{
	state_t state = {.sweep = sweep, .err = err};
	int result = make_state(&state);

	if (result == 0)
		result = go_through(&state);
	clear_state(&state);
	return result;
}
