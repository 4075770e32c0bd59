/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the simulator against slow ones: queue, agenda, profile, free space, and
 * compact allocations to compare with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "measures/values.h"
#include "random.h"
#include "sim/agenda.h"
#include "sim/free_space.h"
#include "sim/gainers.h"
#include "sim/ideal.h"
#include "sim/profile.h"
#include "sim/queue.h"
#include "sim/workload.h"
#include "strategies/strategies.h"
#include "torus/cubes.h"

enum { PLACES = 40, HORIZON = 60, TORI = 3 };

static void the_queue_finds_the_first_that_fits(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t places = random_in(1, PLACES), waiting = 0;
		torus_queue_t *queue = torus_queue_create(places);
		uint32_t nodes[PLACES] = {0}; /* 0: none waits */
		int64_t time[PLACES], least = INT64_MAX;

		assert_non_null(queue);
		for (int step = 0; step < 200; step++) {
			uint32_t place = random_in(0, places - 1), expected;
			uint32_t from = random_in(0, places), most = random_in(0, 12);
			int64_t latest = random_in(0, 12);

			if (nodes[place] && random_in(0, 1)) {
				torus_queue_remove(queue, place);
				nodes[place] = 0;
				waiting--;
			} else if (nodes[place]) {
				time[place] = random_in(0, 12);
				torus_queue_set_time(queue, place, time[place]);
			} else {
				nodes[place] = random_in(1, 12);
				time[place] = random_in(0, 12);
				torus_queue_put(queue, place, nodes[place], time[place]);
				waiting++;
			}
			least = INT64_MAX;
			for (uint32_t i = 0; i < places; i++) {
				if (nodes[i] && time[i] < least)
					least = time[i];
			}
			for (expected = from; expected < places; expected++) {
				if (nodes[expected] && nodes[expected] <= most &&
				    time[expected] <= latest)
					break;
			}
			if (expected == places)
				expected = TORUS_NO_PLACE;
			assert_int_equal(torus_queue_find(queue, from, most, latest),
					 expected);
			assert_int_equal(queue->waiting, waiting);
			assert_int_equal(torus_queue_first_time(queue), least);
		}
		torus_queue_destroy(queue);
	}
}

static void the_agenda_gives_what_is_next(void **state)
{
	torus_agenda_t agenda = {0};
	bool there[100] = {false};
	int64_t time[100];

	(void)state;
	for (int step = 0; step < 5000; step++) {
		uint32_t job = random_in(0, 99), next = 100;
		torus_agenda_entry_t entry = {random_in(0, 9), job, 1}, taken;

		if (!there[job]) {
			assert_int_equal(torus_agenda_add(&agenda, &entry), 0);
			there[job] = true;
			time[job] = entry.time;
		}
		if (random_in(0, 2) == 0)
			continue;
		for (uint32_t i = 0; i < 100; i++) {
			if (there[i] && (next == 100 || time[i] < time[next]))
				next = i;
		}
		taken = torus_agenda_take(&agenda);
		assert_int_equal(taken.job, next);
		assert_int_equal(taken.time, time[next]);
		there[next] = false;
	}
	torus_agenda_clear(&agenda);
}

/* The profile, second by second. */
typedef struct plain {
	int64_t free[HORIZON + 1][TORI]; /* the last for ever */
} plain_t;

static bool plain_fits(const plain_t *plain, int tori, int64_t start, int64_t duration,
		       uint32_t nodes, bool spread, const bool *on, int *torus)
{
	int64_t least[TORI], sum = 0;

	for (int t = 0; t < tori; t++) {
		least[t] = INT64_MAX;
		for (int64_t at = start; at < start + duration; at++) {
			int64_t free = plain->free[at < HORIZON ? at : HORIZON][t];

			least[t] = free < least[t] ? free : least[t];
		}
		sum += least[t] > 0 ? least[t] : 0;
	}
	*torus = -1;
	for (int t = 0; !spread && t < tori; t++) {
		if (least[t] >= nodes && (!on || on[t]) && *torus < 0)
			*torus = t;
	}
	return spread ? sum >= nodes : *torus >= 0;
}

/* An earlier time of a job that has what it needs from a later time on anyway. */
static void compare_before(torus_profile_t *profile, const plain_t *plain, int64_t now,
			   uint32_t wanted, int64_t duration)
{
	int64_t until = random_in((uint32_t)now, HORIZON), start, found = INT64_MAX;
	int64_t last = random_in((uint32_t)now, HORIZON);
	bool overbooked = false;
	int torus;

	for (start = now; start < until && found == INT64_MAX; start++) {
		int64_t rest = until - start;

		if (plain_fits(plain, 1, start, duration < rest ? duration : rest, wanted,
			       false, NULL, &torus))
			found = start;
	}
	if (found >= last)
		found = INT64_MAX;
	last = last < until ? last : until;
	assert_int_equal(
		torus_profile_before(profile, now, last, until, wanted, duration), found);
	for (int64_t at = now; at <= HORIZON; at++)
		overbooked = overbooked || plain->free[at][0] < 0;
	assert_int_equal(torus_profile_is_overbooked(profile), overbooked);
}

static void the_profile_finds_the_earliest_time(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		int tori = (int)random_in(1, TORI);
		uint32_t size[TORI];
		plain_t plain;
		torus_profile_t *profile;
		int64_t now = 0;

		for (int t = 0; t < tori; t++)
			size[t] = random_in(1, 20);
		for (int at = 0; at <= HORIZON; at++) {
			for (int t = 0; t < tori; t++)
				plain.free[at][t] = size[t];
		}
		profile = torus_profile_create(tori, size, 0);
		assert_non_null(profile);
		for (int step = 0; step < 40; step++) {
			int64_t from = random_in((uint32_t)now, HORIZON - 1);
			int64_t until = random_in((uint32_t)from, HORIZON), start;
			int64_t nodes[TORI], least[TORI];
			int64_t duration = random_in(1, 12);
			bool spread = tori > 1 && random_in(0, 3) == 0;
			bool on[TORI];
			uint32_t wanted = random_in(1, 20);
			torus_plan_t plan;
			int torus;

			for (int t = 0; t < tori; t++)
				nodes[t] = (int64_t)random_in(0, 12) - 8;
			assert_int_equal(torus_profile_add(profile, from, until, nodes),
					 0);
			for (int64_t at = from; at < until; at++) {
				for (int t = 0; t < tori; t++)
					plain.free[at][t] += nodes[t];
			}
			if (random_in(0, 4) == 0 && now < HORIZON - 1)
				torus_profile_advance(profile, ++now);
			/* Changes add up, of which some are over, until it is asked. */
			if (random_in(0, 2) == 0 && step < 39)
				continue;
			for (int t = 0; t < tori; t++)
				on[t] = random_in(0, 3);
			plan = torus_profile_earliest(profile, now, wanted, duration,
						      spread, random_in(0, 1) ? on : NULL,
						      least);
			/* Again, with what was asked for known. */
			start = random_in(0, 1) ? now : random_in((uint32_t)now, HORIZON);
			plan = torus_profile_earliest(profile, start, wanted, duration,
						      spread, on, least);
			for (; start <= HORIZON; start++) {
				if (plain_fits(&plain, tori, start, duration, wanted,
					       spread, on, &torus))
					break;
			}
			assert_int_equal(plan.start, start > HORIZON ? INT64_MAX : start);
			if (start <= HORIZON && !spread)
				assert_int_equal(plan.torus, torus);
			if (tori == 1)
				compare_before(profile, &plain, now, wanted, duration);
		}
		/* Steps that are alike are one. */
		for (size_t i = 1; i < profile->steps; i++)
			assert_true(profile->time[i] > profile->time[i - 1]);
		torus_profile_destroy(profile);
	}
}

/* Strategies that demand a box find no place on nodes that are apart; the torus that
 * shows it may be any. */
/* One torus, jobs with reservations, and what becomes free. */
typedef struct gain {
	torus_profile_t *profile;
	torus_gainers_t *gainers;
	int64_t start[PLACES];
	bool waiting[PLACES];
	int64_t now;
} gain_t;

/* An earlier start of the job on [place], or INT64_MAX. */
static int64_t earlier(const gain_t *gain, uint32_t place)
{
	const torus_gain_place_t *job = &gain->gainers->place[place];

	return torus_profile_before(gain->profile, gain->now, gain->start[place],
				    gain->start[place], job->nodes, job->duration);
}

/* The job takes the earliest time there is, but not from the profile: others have it too.
 */
static void look(gain_t *gain, uint32_t place)
{
	int64_t start = earlier(gain, place);

	if (start < gain->start[place])
		gain->start[place] = start;
	torus_gainers_looked(gain->gainers, place, gain->start[place]);
}

/* A round over all jobs; who is left out has no earlier time, and others none elsewhere.
 */
static void find_gainers(gain_t *gain, uint32_t places, int64_t *asked, int64_t *gained)
{
	uint32_t next = 0, left_out = 0;

	for (uint32_t at = 0; at < places; at++) {
		int64_t first = 0, last = 0, start = INT64_MAX;

		if (at >= left_out)
			next = torus_gainers_next(gain->gainers, at, &first, &last);
		left_out = next;
		if (!gain->waiting[at]) {
			assert_int_not_equal(at, next);
			continue;
		}
		start = earlier(gain, at);
		if (at != next) {
			assert_int_equal(start, INT64_MAX);
			continue;
		}
		++*asked;
		*gained += start != INT64_MAX;
		assert_true(start == INT64_MAX || (start >= first && start < last));
		look(gain, at);
	}
}

/* No job that gains is left out, however much becomes free between two rounds. */
static void nobody_who_gains_is_left_out(void **state)
{
	int64_t asked = 0, gained = 0, looks = 0;

	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t nodes = random_in(1, 100), places = random_in(1, PLACES);
		torus_gain_place_t *place = calloc(places, sizeof(*place));
		gain_t gain = {.profile = torus_profile_create(1, &nodes, 0)};

		assert_non_null(place);
		assert_non_null(gain.profile);
		for (uint32_t i = 0; i < places; i++) {
			place[i].nodes = random_in(1, nodes);
			place[i].duration = random_in(1, 12);
		}
		gain.gainers = torus_gainers_create(place, places);
		assert_non_null(gain.gainers);
		gain.profile->gainers = gain.gainers;
		for (int step = 0; step < 30; step++) {
			int changes = random_in(0, 9) ? (int)random_in(0, 6) : 700;

			for (int i = 0; i < changes; i++) {
				int64_t from = random_in((uint32_t)gain.now, HORIZON);
				int64_t most = (int64_t)nodes / 3 + 2;
				int64_t change =
					(int64_t)random_in(0, 2 * (uint32_t)most) - most;

				assert_int_equal(torus_profile_add(gain.profile, from,
								   from + random_in(0, 9),
								   &change),
						 0);
			}
			for (uint32_t i = 0; i < places; i++) {
				if (gain.waiting[i] && !random_in(0, 9)) {
					gain.waiting[i] = false;
					torus_gainers_gone(gain.gainers, i);
				} else if (!gain.waiting[i] && random_in(0, 1)) {
					gain.waiting[i] = true;
					gain.start[i] = gain.now + random_in(0, HORIZON);
					look(&gain, i);
				}
				looks += gain.waiting[i];
			}
			find_gainers(&gain, places, &asked, &gained);
			if (!random_in(0, 9))
				torus_profile_advance(gain.profile, ++gain.now);
		}
		torus_gainers_destroy(gain.gainers);
		torus_profile_destroy(gain.profile);
	}
	/* It says something: some gain, and most are not even asked for. */
	assert_true(gained > 2000 && 2 * asked < looks);
}

static void strict_strategies_are_known(void **state)
{
	static const struct {
		const char *strategy;
		bool strict;
	} table[] = {
		{"best_fit", false},  {"compact", false},      {"mbs", false},
		{"contiguous", true}, {"frame_sliding", true}, {"listed_boxes", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t mesh = {.dims = 2, .length = {4, 4, 1, 1, 1, 1}};
		torus_map_t *maps[2];
		torus_pool_t *pool;

		for (int t = 0; t < 2; t++) {
			maps[t] = torus_map_create("mesh", &mesh, TORUS_CURVE_ROW_MAJOR,
						   1, NULL);
			assert_non_null(maps[t]);
		}
		assert_int_equal(torus_allocator_parse(table[i].strategy,
						       torus_strategies,
						       &maps[1]->allocator, NULL),
				 0);
		for (int tori = 1; tori <= 2; tori++) {
			pool = torus_pool_create((const torus_map_t *const *)maps +
							 (2 - tori),
						 tori, NULL);
			assert_non_null(pool);
			assert_int_equal(pool->strict, table[i].strict);
			torus_pool_destroy(pool);
		}
		torus_map_destroy(maps[0]);
		torus_map_destroy(maps[1]);
	}
}

static void free_space_is_counted(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		uint32_t ranks = random_in(1, random_in(0, 9) ? 200 : 2000),
			 intervals = 0, largest = 0, length = 0;
		torus_geometry_t geometry = {.dims = 1,
					     .length = {(int32_t)ranks, 1, 1, 1, 1, 1}};
		torus_map_t *map = torus_map_create("line", &geometry,
						    TORUS_CURVE_ROW_MAJOR, 1, NULL);
		const torus_map_t *const maps[] = {map};
		torus_pool_t *pool;
		torus_free_space_t space;
		uint32_t density = random_in(0, 4);

		assert_non_null(map);
		map->span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		pool = torus_pool_create(maps, 1, NULL);
		assert_non_null(pool);
		assert_false(pool->strict);
		for (uint32_t rank = 0; rank < ranks; rank++) {
			if (random_in(0, 4) < density)
				torus_pool_take(pool, 0, rank, 1);
		}
		torus_free_space(pool);
		/* And after changes here and there. */
		for (uint32_t change = random_in(0, 5); change; change--) {
			uint32_t rank = random_in(0, ranks - 1);
			bool taken = !torus_bit_test(pool->free[0], rank);
			uint32_t count = 1;

			while (rank + count < ranks && random_in(0, 19) &&
			       !torus_bit_test(pool->free[0], rank + count) == taken)
				count++;
			(taken ? torus_pool_give : torus_pool_take)(pool, 0, rank, count);
		}
		/* Twice around a ring finds the interval over the seam. */
		for (uint32_t i = 0; i < (map->span == TORUS_SPAN_RING ? 2 : 1) * ranks;
		     i++) {
			length =
				torus_bit_test(pool->free[0], i % ranks) ? length + 1 : 0;
			length = length > ranks ? ranks : length;
			largest = length > largest ? length : largest;
			if (length && i < ranks &&
			    (i ? !torus_bit_test(pool->free[0], i - 1)
			       : map->span == TORUS_SPAN_LINEAR ||
					     !torus_bit_test(pool->free[0], ranks - 1) ||
					     pool->total == ranks))
				intervals++;
		}
		space = torus_free_space(pool);
		assert_int_equal(space.intervals, intervals);
		assert_int_equal(space.largest, largest);
		assert_int_equal(space.nodes, pool->total);
		torus_pool_destroy(pool);
		torus_map_destroy(map);
	}
}

/* The free ranks of a line at random times, against the state kept for every second. */
static void free_space_is_followed(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		enum { RANKS = 40, SECONDS = 4000 };
		torus_geometry_t geometry = {.dims = 1, .length = {RANKS, 1, 1, 1, 1, 1}};
		torus_map_t *map = torus_map_create("line", &geometry,
						    TORUS_CURVE_ROW_MAJOR, 1, NULL);
		const torus_map_t *const maps[] = {map};
		torus_pool_t *pool = torus_pool_create(maps, 1, NULL);
		int64_t counted_from = random_in(0, 100),
			last = random_in(1, SECONDS - 1);
		int64_t step = random_in(1, 300);
		torus_free_space_t at[SECONDS];
		torus_free_watch_t watch;
		torus_summary_t summary;
		const torus_free_history_t *history = &summary.free;
		int64_t now = 0, every;

		assert_non_null(pool);
		torus_free_watch_begin(&watch, pool, 0, counted_from * TORUS_SECOND);
		while (now < last) {
			int64_t next = now + random_in(1, (uint32_t)step);
			uint32_t rank = random_in(0, RANKS - 1);

			next = next < last ? next : last;
			for (; now < next; now++)
				at[now] = torus_free_space(pool);
			if (torus_bit_test(pool->free[0], rank))
				torus_pool_take(pool, 0, rank, 1);
			else
				torus_pool_give(pool, 0, rank, 1);
			torus_free_watch_look(&watch, pool, now * TORUS_SECOND);
		}
		memset(&summary, 0, sizeof(summary));
		torus_free_watch_end(&watch, &summary);
		for (every = 1;
		     (last - counted_from + every - 1) / every > TORUS_FREE_SAMPLES;)
			every *= 2;
		assert_int_equal(history->every, every * TORUS_SECOND);
		assert_int_equal(history->count,
				 last > counted_from
					 ? (last - counted_from + every - 1) / every
					 : 0);
		for (uint32_t i = 0; i < history->count; i++) {
			const torus_free_space_t *then = &at[counted_from + i * every];

			assert_int_equal(history->sample[i].nodes, then->nodes);
			assert_int_equal(history->sample[i].intervals, then->intervals);
			assert_int_equal(history->sample[i].largest, then->largest);
		}
		torus_pool_destroy(pool);
		torus_map_destroy(map);
	}
}

static void compact_allocations_are_boxes(void **state)
{
	static const struct {
		const char *dims;
		uint32_t nodes_per_router, nodes, side_sum, diameter;
	} boxes[] = {
		{"8x8", 1, 4, 4, 2},	 /* 2x2 */
		{"8x8", 1, 6, 5, 3},	 /* 3x2 */
		{"8x8x8", 1, 27, 9, 6},	 /* 3x3x3 */
		{"8x8x8", 1, 28, 10, 7}, /* 4x3x3 */
		{"2x8", 1, 9, 7, 5},	 /* 2x5 */
		{"8x8", 4, 16, 4, 2},	 /* 2x2 routers */
		{"8x8", 1, 1, 2, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry;
		torus_metrics_t metrics;
		torus_map_t *map;

		assert_int_equal(
			torus_geometry_parse(boxes[i].dims, NULL, &geometry, NULL), 0);
		map = torus_map_create("m", &geometry, TORUS_CURVE_SNAKE,
				       boxes[i].nodes_per_router, NULL);
		assert_non_null(map);
		assert_int_equal(torus_ideal_metrics(map, boxes[i].nodes, &metrics, NULL),
				 0);
		assert_int_equal(metrics.nodes, boxes[i].nodes);
		if (metrics.side_sum != boxes[i].side_sum ||
		    metrics.diameter != boxes[i].diameter)
			fail_msg("%s, %u nodes: sides %u, diameter %u", boxes[i].dims,
				 boxes[i].nodes, metrics.side_sum, metrics.diameter);
		torus_map_destroy(map);
	}
}

/* On a machine of cubes: whole ones joined, the box within one, or that of the grid. */
static void compact_allocations_are_joined(void **state)
{
	static const struct {
		uint32_t nodes_per_router, nodes, side_sum, diameter;
	} boxes[] = {
		{1, 4, 4, 2},	{1, 15, 8, 6},	/* boxes of a mesh of 4x4 */
		{1, 16, 8, 4},	{1, 32, 12, 6}, /* 4x4, 4x8, 8x8 that wrap */
		{1, 64, 16, 8}, {2, 32, 8, 4},
		{2, 31, 8, 4},	{1, 24, 10, 8}, /* 5x5 of the grid, but one */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry;
		torus_metrics_t metrics;
		torus_map_t *map;

		assert_int_equal(torus_geometry_parse("8x8", NULL, &geometry, NULL), 0);
		assert_int_equal(torus_cubes_parse("4x4", &geometry, NULL), 0);
		map = torus_map_create("m", &geometry, TORUS_CURVE_SNAKE,
				       boxes[i].nodes_per_router, NULL);
		assert_non_null(map);
		assert_int_equal(torus_ideal_metrics(map, boxes[i].nodes, &metrics, NULL),
				 0);
		if (metrics.side_sum != boxes[i].side_sum ||
		    metrics.diameter != boxes[i].diameter)
			fail_msg("%u nodes: sides %u, diameter %u", boxes[i].nodes,
				 metrics.side_sum, metrics.diameter);
		torus_map_destroy(map);
	}
}

/* A mesh of any size holds any number of its nodes. */
static void compact_allocations_fit(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(6, 300);
		torus_map_t *map =
			torus_map_create("m", &geometry, TORUS_CURVE_SNAKE, 1, NULL);
		uint32_t nodes = random_in(1, map->nodes);
		torus_metrics_t metrics;

		/* As many routers as nodes, so none is there twice. */
		assert_int_equal(torus_ideal_metrics(map, nodes, &metrics, NULL), 0);
		assert_true(metrics.volume >= nodes);
		assert_int_equal(metrics.components, 1);
		torus_map_destroy(map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_queue_finds_the_first_that_fits),
		cmocka_unit_test(the_agenda_gives_what_is_next),
		cmocka_unit_test(the_profile_finds_the_earliest_time),
		cmocka_unit_test(nobody_who_gains_is_left_out),
		cmocka_unit_test(strict_strategies_are_known),
		cmocka_unit_test(free_space_is_counted),
		cmocka_unit_test(free_space_is_followed),
		cmocka_unit_test(compact_allocations_are_boxes),
		cmocka_unit_test(compact_allocations_are_joined),
		cmocka_unit_test(compact_allocations_fit),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
