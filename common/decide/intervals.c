/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals that have enough in all: see decide/intervals.h. */
#include "decide/intervals.h"

#include <stdlib.h>

#include "base/bitmap.h"

/*
 * A torus's line of ranks, a ring gone along twice, with running sums over it: of each
 * kind, then of weights and of required nodes.
 */
typedef struct line {
	uint32_t ranks;
	uint32_t length; /* places on the line: ranks, or twice as many */
	int fields;
	uint64_t *before; /* [(length + 1) * fields] the sums before each place */
	uint32_t *run;	  /* [ranks] candidates in a row from each rank on */
} line_t;

static uint64_t sum_of(const line_t *line, uint32_t first, uint32_t end, int field)
{
	size_t fields = (size_t)line->fields;

	return line->before[end * fields + (size_t)field] -
	       line->before[first * fields + (size_t)field];
}

static int weight_field(const line_t *line)
{
	return line->fields - 2;
}

static int required_field(const line_t *line)
{
	return line->fields - 1;
}

static void add_place(line_t *line, const torus_supply_t *supply, int kinds,
		      uint32_t place)
{
	const torus_candidates_t *candidates = supply->candidates;
	size_t fields = (size_t)line->fields;
	const uint64_t *old = line->before + place * fields;
	uint64_t *next = line->before + (place + 1) * fields;
	uint32_t rank = place % line->ranks;

	for (int field = 0; field < line->fields; field++)
		next[field] = old[field];
	if (!torus_bit_test(candidates->free, rank))
		return;
	for (int kind = 0; kind < kinds; kind++)
		next[kind] += supply->has[(size_t)rank * (size_t)kinds + (size_t)kind];
	next[weight_field(line)] += torus_candidates_weight(candidates, rank);
	next[required_field(line)] +=
		candidates->required && torus_bit_test(candidates->required, rank);
}

static void count_runs(line_t *line, const torus_supply_t *supply)
{
	uint32_t run = 0;

	for (uint32_t place = line->length; place-- > 0;) {
		if (!torus_bit_test(supply->candidates->free, place % line->ranks))
			run = 0;
		else if (run < line->ranks)
			run++;
		if (place < line->ranks)
			line->run[place] = run;
	}
}

static int make_line(line_t *line, const torus_supply_t *supply,
		     const torus_wanted_t *wanted, torus_error_t *err)
{
	int kinds = wanted->need->kinds;

	line->ranks = supply->map->nodes;
	line->length =
		supply->map->span == TORUS_SPAN_RING ? 2 * line->ranks : line->ranks;
	line->fields = kinds + 2;
	line->before = malloc(((size_t)line->length + 1) * (size_t)line->fields *
			      sizeof(*line->before));
	line->run = malloc((size_t)line->ranks * sizeof(*line->run));
	if (!line->before || !line->run)
		return torus_fail(err, "out of memory for the intervals of %u nodes",
				  line->ranks);
	for (int field = 0; field < line->fields; field++)
		line->before[field] = 0;
	for (uint32_t place = 0; place < line->length; place++)
		add_place(line, supply, kinds, place);
	count_runs(line, supply);
	return 0;
}

static bool has_enough(const line_t *line, const torus_wanted_t *wanted, uint32_t first,
		       uint32_t end)
{
	const torus_need_t *need = wanted->need;

	for (int kind = 0; kind < need->kinds; kind++) {
		if (sum_of(line, first, end, kind) < need->sum[kind])
			return false;
	}
	return sum_of(line, first, end, required_field(line)) == wanted->required;
}

/* The place from [first] to before [end]. */
static torus_place_t place_of(const line_t *line, const torus_supply_t *supply,
			      const torus_wanted_t *wanted, uint32_t first, uint32_t end)
{
	return (torus_place_t){
		.torus = supply->torus,
		.nodes = end - first,
		.first = first,
		.distance = torus_wanted_distance(wanted, end - first),
		.weight = sum_of(line, first, end, weight_field(line)),
		.waste = wanted->need->kinds ? sum_of(line, first, end, 0) : 0,
		.lowest = first,
	};
}

/*
 * Add the places from [first] on that have [least] to [most] nodes, those liked best
 * first, until no more of them find room.
 */
static void add_from(const line_t *line, const torus_supply_t *supply,
		     const torus_wanted_t *wanted, uint32_t first, uint32_t least,
		     uint32_t most, torus_places_t *places, uint64_t *work)
{
	uint32_t below = wanted->nodes < most ? wanted->nodes : most;
	uint32_t above = wanted->nodes + 1 > least ? wanted->nodes + 1 : least;
	uint32_t nodes = below >= least ? below : above;

	while (nodes <= most) {
		torus_place_t place =
			place_of(line, supply, wanted, first, first + nodes);

		if (!*work || !torus_places_takes(places, &place)) {
			places->complete = false;
			return;
		}
		torus_places_add(places, &place);
		--*work;
		if (nodes > wanted->nodes)
			nodes++;
		else
			nodes = nodes > least ? nodes - 1 : above;
	}
}

static void look_along(const line_t *line, const torus_supply_t *supply,
		       const torus_wanted_t *wanted, torus_places_t *places,
		       uint64_t *work)
{
	/* An interval that begins at [first] or later must end at [end] or later to have
	 * enough. */
	uint32_t end = 0;

	for (uint32_t first = 0; first < line->ranks; first++) {
		uint32_t most = line->run[first];

		if (most > wanted->max_nodes)
			most = wanted->max_nodes;
		if (most == line->ranks && first) /* the whole ring once is enough */
			most--;
		if (most < wanted->min_nodes)
			continue;
		if (end < first + wanted->min_nodes)
			end = first + wanted->min_nodes;
		while (end <= first + most && !has_enough(line, wanted, first, end))
			end++;
		if (end <= first + most)
			add_from(line, supply, wanted, first, end - first, most, places,
				 work);
	}
}

int torus_intervals_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			 torus_places_t *places, uint64_t *work, torus_error_t *err)
{
	uint64_t cost =
		3 * (uint64_t)supply->map->nodes * (uint64_t)(wanted->need->kinds + 2);
	line_t line = {0};
	int result;

	if (*work < cost) {
		places->complete = false;
		return 0;
	}
	*work -= cost;
	result = make_line(&line, supply, wanted, err);
	if (!result)
		look_along(&line, supply, wanted, places, work);
	free(line.before);
	free(line.run);
	return result;
}
