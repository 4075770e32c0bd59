/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that wait for the place that they wish for: the simulator against slow schedulers
 * that look at time microsecond by microsecond, and at every box and all pairs of nodes.
 * Only which nodes a job gets is left to the engine (test_any_box, test_cluster_place).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "machine/cluster_place.h"
#include "random.h"
#include "sim/simulate.h"

enum { JOBS = 14, MOST_NODES = 40, NONE = -1 };

typedef struct slow {
	const torus_sim_job_t *job;
	uint32_t jobs;
	const torus_map_t *map;
	torus_cluster_placer_t *placer;
	torus_sim_wish_t wish;
	torus_scheduler_t scheduler;
	int64_t now;
	bool arrived[JOBS], ended[JOBS], met[JOBS], late[JOBS];
	int64_t start[JOBS], could[JOBS], reserved[JOBS];
	uint64_t nodes[JOBS]; /* bitmaps of ranks */
	bool disturbed;
} slow_t;

static int64_t estimate(const slow_t *s, uint32_t i)
{
	return s->job[i].estimate ? s->job[i].estimate : 1;
}

static bool waits(const slow_t *s, uint32_t i)
{
	return s->arrived[i] && s->start[i] < 0;
}

static bool runs(const slow_t *s, uint32_t i)
{
	return s->start[i] >= 0 && !s->ended[i];
}

static uint32_t count(uint64_t nodes)
{
	return (uint32_t)__builtin_popcountll(nodes);
}

/* The nodes free at [time], if those that run take their whole estimates. */
static uint64_t free_at(const slow_t *s, int64_t time)
{
	uint64_t nodes = (UINT64_C(1) << s->map->nodes) - 1;

	for (uint32_t i = 0; i < s->jobs; i++) {
		if (runs(s, i) && (time == s->now || time < s->start[i] + estimate(s, i)))
			nodes &= ~s->nodes[i];
	}
	return nodes;
}

/* ---- wishes ---- */

/* The nodes of the box with [side] at [corner], if it exists; else 0. */
static uint64_t box_nodes(const slow_t *s, const int32_t *corner, const int32_t *side)
{
	const torus_geometry_t *geometry = &s->map->geometry;
	uint64_t nodes = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis] ||
		    (!geometry->wrap[axis] &&
		     corner[axis] + side[axis] > geometry->length[axis]))
			return 0;
	}
	for (uint32_t rank = 0; rank < s->map->nodes; rank++) {
		if (torus_box_has(geometry, corner, side, s->map->cell_of_rank[rank]))
			nodes |= UINT64_C(1) << rank;
	}
	return nodes;
}

/* Whether sides are those of one of the shapes, or any are wanted. */
static bool is_wanted(const torus_shapes_t *shapes, const int32_t *side, int dims)
{
	int32_t sorted[TORUS_MAX_DIMS], asked[TORUS_MAX_DIMS];
	const torus_shape_t given = {.dims = dims};
	torus_shape_t turned = given;

	memcpy(turned.side, side, sizeof(turned.side));
	torus_shape_sides(&turned, TORUS_MAX_DIMS, sorted);
	for (int i = 0; i < shapes->count; i++) {
		torus_shape_sides(&shapes->shape[i], TORUS_MAX_DIMS, asked);
		if (!memcmp(sorted, asked, sizeof(sorted)))
			return true;
	}
	return shapes->any;
}

/* Whether some box of [shapes] has exactly [n] nodes, all of them in [among]. */
static bool has_box(const slow_t *s, const torus_shapes_t *shapes, uint32_t n,
		    uint64_t among)
{
	const torus_geometry_t *geometry = &s->map->geometry;
	uint32_t cells = torus_geometry_cells(geometry);

	for (uint32_t last = 0; last < cells; last++) {
		int32_t side[TORUS_MAX_DIMS] = {0};

		torus_cell_to_coord(geometry, last, side);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			side[axis]++;
		if (!is_wanted(shapes, side, geometry->dims))
			continue;
		for (uint32_t first = 0; first < cells; first++) {
			int32_t corner[TORUS_MAX_DIMS];
			uint64_t nodes;

			torus_cell_to_coord(geometry, first, corner);
			nodes = box_nodes(s, corner, side);
			if (nodes && count(nodes) == n && !(nodes & ~among))
				return true;
		}
	}
	return false;
}

static uint64_t all_nodes(const slow_t *s)
{
	return (UINT64_C(1) << s->map->nodes) - 1;
}

/* The shapes that the job wishes for: those that the machine has. */
static torus_shapes_t shapes_of(const slow_t *s, uint32_t i)
{
	torus_shapes_t kept = {0};
	uint32_t n = s->job[i].nodes;

	if (s->wish.shapes.any) {
		kept.any = has_box(s, &s->wish.shapes, n, all_nodes(s));
		return kept;
	}
	for (int k = 0; k < s->wish.shapes.count; k++) {
		torus_shapes_t one = {.count = 1, .shape = {s->wish.shapes.shape[k]}};

		if (has_box(s, &one, n, all_nodes(s)))
			kept.shape[kept.count++] = s->wish.shapes.shape[k];
	}
	return kept;
}

static bool has_wish(const slow_t *s, uint32_t i)
{
	torus_shapes_t shapes = shapes_of(s, i);

	return s->job[i].wishes && (s->wish.near || torus_shapes_asked(&shapes));
}

static uint64_t decided(const slow_t *s)
{
	uint64_t nodes = 0;

	for (uint32_t k = 0; k < s->placer->part[0].count; k++)
		nodes |= UINT64_C(1) << s->placer->part[0].rank[k];
	return nodes;
}

/* What the engine chooses among nodes that are enough: [shape], or NULL. */
static uint64_t choose(slow_t *s, uint32_t i, uint64_t among, const torus_shape_t *shape)
{
	const torus_candidates_t candidates = {.free = &among};
	const torus_cluster_request_t request = {
		.nodes = s->job[i].nodes, .shape = shape, .torus = &candidates};
	torus_cluster_placement_t placement;
	torus_error_t err;

	assert_int_equal(torus_cluster_place(s->placer, &request, &placement, &err), 1);
	return decided(s);
}

static uint64_t all_pairs(const slow_t *s, uint64_t nodes)
{
	uint64_t sum = 0;

	for (uint32_t a = 0; a < s->map->nodes; a++) {
		for (uint32_t b = 0; b < s->map->nodes; b++) {
			if (nodes >> a & nodes >> b & 1)
				sum += torus_hops_cells(&s->map->geometry,
							s->map->cell_of_rank[a],
							s->map->cell_of_rank[b]);
		}
	}
	return sum;
}

/* Where the job would be among nodes that are enough; *met: as it wishes. */
static uint64_t place(slow_t *s, uint32_t i, uint64_t among, bool *met)
{
	torus_shapes_t shapes = shapes_of(s, i);
	static const torus_shape_t any;
	uint64_t nodes;

	*met = s->job[i].wishes;
	for (int k = 0; *met && k < shapes.count; k++) {
		torus_shapes_t one = {.count = 1, .shape = {shapes.shape[k]}};

		if (has_box(s, &one, s->job[i].nodes, among))
			return choose(s, i, among, &shapes.shape[k]);
	}
	if (*met && shapes.any && has_box(s, &shapes, s->job[i].nodes, among))
		return choose(s, i, among, &any);
	nodes = choose(s, i, among, NULL);
	*met = *met && s->wish.near &&
	       all_pairs(s, nodes) * 1000 <=
		       all_pairs(s, choose(s, i, all_nodes(s), NULL)) * s->wish.near;
	return nodes;
}

static bool for_ever(const slow_t *s)
{
	return s->wish.within == TORUS_FOR_EVER;
}

/* Whether it waits for its wish, not for nodes. */
static bool is_patient(const slow_t *s, uint32_t i)
{
	return s->could[i] >= 0 && (for_ever(s) || s->now < s->could[i] + s->wish.within);
}

/* Start the job on nodes of [among], if there are enough, and not against its wish. */
static bool try(slow_t *s, uint32_t i, uint64_t among)
{
	uint64_t nodes;
	bool met;

	if (count(among) < s->job[i].nodes)
		return false;
	nodes = place(s, i, among, &met);
	if (has_wish(s, i) && !met) {
		if (s->could[i] < 0)
			s->could[i] = s->now;
		if (is_patient(s, i))
			return false;
	}
	s->start[i] = s->now;
	s->nodes[i] = nodes;
	s->met[i] = has_wish(s, i) && met;
	return true;
}

/* ---- easy ---- */

/* When the job that stands in front is expected to have what it wishes for, from [from],
 * when it has nodes: by bisection over the ends of jobs, as easy.c says. */
static int64_t wished_time(slow_t *s, uint32_t i, int64_t from)
{
	int64_t time[JOBS], until = TORUS_FOR_EVER;
	int times = 0, low = 0, high;
	bool met;

	if (!for_ever(s))
		until = (s->could[i] < 0 ? from : s->could[i]) + s->wish.within;
	for (int64_t t = from > s->now ? from : s->now + 1; t <= until && t < 2000; t++) {
		bool ends = false;

		for (uint32_t k = 0; k < s->jobs; k++)
			ends |= runs(s, k) && s->start[k] + estimate(s, k) == t;
		if (ends)
			time[times++] = t;
	}
	if (times)
		place(s, i, free_at(s, time[times - 1]), &met);
	if (!times || !met)
		return until > from ? until : from;
	for (high = times - 1; low < high;) {
		int middle = low + (high - low) / 2;

		place(s, i, free_at(s, time[middle]), &met);
		if (met)
			high = middle;
		else
			low = middle + 1;
	}
	return time[low];
}

static void easy(slow_t *s, const uint32_t *queue, uint32_t waiting)
{
	uint32_t first = 0;
	uint64_t spare = 0;
	int64_t shadow = s->now, extra;
	bool wishes, met;

	while (first < waiting && try(s, queue[first], free_at(s, s->now)))
		first++;
	if (first == waiting)
		return;
	while (count(free_at(s, shadow)) < s->job[queue[first]].nodes)
		shadow++;
	wishes = has_wish(s, queue[first]) &&
		 (s->could[queue[first]] < 0 || is_patient(s, queue[first]));
	if (wishes)
		shadow = wished_time(s, queue[first], shadow);
	extra = (int64_t)count(free_at(s, shadow)) - s->job[queue[first]].nodes;
	if (wishes)
		spare = free_at(s, s->now) &
			~place(s, queue[first], free_at(s, shadow), &met);
	for (uint32_t k = first + 1; k < waiting; k++) {
		uint32_t i = queue[k];
		bool beyond =
			shadow != TORUS_FOR_EVER && s->now + estimate(s, i) > shadow;
		uint64_t idle = free_at(s, s->now);

		if (beyond && !wishes && s->job[i].nodes > extra)
			continue;
		if (!try(s, i, beyond && wishes ? spare : idle))
			continue;
		spare &= ~s->nodes[i];
		extra -= beyond ? s->job[i].nodes : 0;
	}
}

/* ---- conservative ---- */

static int64_t unreserved(const slow_t *s, int64_t time, uint32_t except)
{
	int64_t nodes = count(free_at(s, time));

	for (uint32_t i = 0; i < s->jobs; i++) {
		if (i != except && waits(s, i) && s->reserved[i] >= 0 &&
		    time >= s->reserved[i] && time < s->reserved[i] + estimate(s, i))
			nodes -= s->job[i].nodes;
	}
	return nodes;
}

static bool fits_at(const slow_t *s, int64_t time, uint32_t i)
{
	for (int64_t t = time; t < time + estimate(s, i); t++) {
		if (unreserved(s, t, i) < s->job[i].nodes)
			return false;
	}
	return true;
}

static void reserve(slow_t *s, uint32_t i)
{
	int64_t time = s->now;

	if (is_patient(s, i) && !for_ever(s))
		time = s->could[i] + s->wish.within;
	s->reserved[i] = NONE;
	while (!fits_at(s, time, i))
		time++;
	s->reserved[i] = time;
}

static void renew(slow_t *s, const uint32_t *queue, uint32_t waiting)
{
	bool late = false, disturbed = s->disturbed;

	s->disturbed = false;
	for (uint32_t k = 0; k < waiting; k++)
		late |= s->late[queue[k]];
	for (uint32_t k = 0; k < waiting; k++) {
		uint32_t i = queue[k];

		if (late && s->reserved[i] >= 0)
			s->reserved[i] = s->late[i] ? s->now : NONE;
		else if (disturbed && s->reserved[i] >= 0)
			reserve(s, i);
	}
	for (uint32_t k = 0; k < waiting; k++) {
		if (s->reserved[queue[k]] < 0)
			reserve(s, queue[k]);
	}
}

static void conservative(slow_t *s, const uint32_t *queue, uint32_t waiting)
{
	renew(s, queue, waiting);
	for (uint32_t k = 0; k < waiting; k++) {
		uint32_t i = queue[k];
		bool fits;

		if (s->reserved[i] > s->now)
			continue;
		fits = fits_at(s, s->now, i);
		s->late[i] = false;
		if (fits && try(s, i, free_at(s, s->now))) {
			s->disturbed |= s->reserved[i] != s->now;
			continue;
		}
		s->late[i] = fits && is_patient(s, i) && for_ever(s) &&
			     count(free_at(s, s->now)) >= s->job[i].nodes;
		if (s->late[i])
			s->reserved[i] = s->now;
		else
			reserve(s, i);
	}
	for (uint32_t k = 0; k < waiting; k++) {
		uint32_t i = queue[k];

		if (waits(s, i) && is_patient(s, i) && !for_ever(s) &&
		    s->reserved[i] > s->now && fits_at(s, s->now, i) &&
		    try(s, i, free_at(s, s->now)))
			s->disturbed = true;
	}
}

/* ---- time ---- */

static void decide(slow_t *s)
{
	uint32_t queue[JOBS], waiting = 0;

	for (uint32_t i = 0; i < s->jobs; i++) {
		if (waits(s, i))
			queue[waiting++] = i;
	}
	if (s->scheduler == TORUS_EASY)
		easy(s, queue, waiting);
	else if (s->scheduler == TORUS_CONSERVATIVE)
		conservative(s, queue, waiting);
	for (uint32_t k = 0; s->scheduler == TORUS_FCFS && k < waiting; k++) {
		if (!try(s, queue[k], free_at(s, s->now)))
			break;
	}
}

/* What happens now; whether anything does. */
static bool happens(slow_t *s)
{
	bool any = false;
	int64_t first = INT64_MAX;

	for (uint32_t i = 0; i < s->jobs; i++) {
		if (runs(s, i) && s->start[i] + s->job[i].run_time <= s->now) {
			s->ended[i] = any = true;
			s->disturbed |= s->job[i].run_time < estimate(s, i);
		}
		if (!s->arrived[i] && s->job[i].submit <= s->now)
			s->arrived[i] = any = true;
		if (waits(s, i) && s->could[i] >= 0 && !for_ever(s))
			any |= s->could[i] + s->wish.within == s->now;
		if (waits(s, i) && s->reserved[i] >= 0 && s->reserved[i] < first)
			first = s->reserved[i];
	}
	return any || (s->scheduler == TORUS_CONSERVATIVE && first == s->now);
}

static void replay(slow_t *s)
{
	uint32_t left = s->jobs;

	for (uint32_t i = 0; i < s->jobs; i++)
		s->start[i] = s->could[i] = s->reserved[i] = NONE;
	for (s->now = 0; left; s->now++) {
		bool again = happens(s);

		while (again) {
			decide(s);
			again = false;
			for (uint32_t i = 0; i < s->jobs; i++)
				again |= runs(s, i) &&
					 s->start[i] + s->job[i].run_time <= s->now;
			if (again)
				happens(s);
		}
		left = 0;
		for (uint32_t i = 0; i < s->jobs; i++)
			left += !s->ended[i];
		assert_true(s->now < 5000);
	}
}

/* ---- cases ---- */

static torus_map_t *random_map(void)
{
	torus_geometry_t geometry = random_geometry(3, 20);
	torus_error_t error;
	torus_map_t *map = torus_map_create("one", &geometry,
					    random_in(0, 1) ? TORUS_CURVE_HILBERT
							    : TORUS_CURVE_SNAKE,
					    random_in(1, 2), &error);

	assert_non_null(map);
	map->allocator = torus_allocators[random_in(0, 4)];
	return map;
}

static torus_sim_wish_t random_wish(void)
{
	torus_sim_wish_t wish = {.within = random_in(0, 4) ? random_in(0, 12)
							   : TORUS_FOR_EVER};
	uint32_t kind = random_in(0, 4);

	if (kind != 0)
		wish.near = random_in(1000, 1200);
	if (kind == 0 || kind == 1)
		wish.shapes.any = random_in(0, 1);
	if ((kind == 0 || kind == 1) && !wish.shapes.any)
		assert_int_equal(
			torus_shapes_parse("2x2|4x1|2x3|6x1|2x2x2", &wish.shapes, NULL),
			0);
	return wish;
}

static torus_workload_t random_workload(uint32_t nodes)
{
	torus_workload_t workload = {0};
	uint32_t jobs = random_in(1, JOBS), gap = random_in(0, 6),
		 longest = random_in(1, 40), wishing = random_in(1, 3);
	int64_t submit = 0;

	for (uint32_t i = 0; i < jobs; i++) {
		torus_sim_job_t job = {
			.number = i + 1,
			.submit = submit,
			.run_time = random_in(0, longest),
			.nodes = random_in(0, 2) ? random_in(1, (nodes + 2) / 3)
						 : random_in(1, nodes),
			.wishes = random_in(1, 3) <= wishing,
		};

		job.estimate =
			job.run_time + (random_in(0, 1) ? random_in(0, longest) : 0);
		submit += random_in(0, gap);
		assert_int_equal(torus_workload_add(&workload, &job, NULL), 0);
	}
	return workload;
}

static void count_job(const slow_t *s, const torus_sim_record_t *record, uint32_t i)
{
	reached("a wish that is met at once",
		record->wished && record->met && record->could == record->start);
	reached("a wish that is met in time",
		record->wished && record->met && record->could < record->start);
	reached("patience that ends",
		record->wished && !record->met && record->could < record->start);
	reached("nodes that others have when patience ends",
		record->wished && !for_ever(s) &&
			record->start > record->could + s->wish.within);
	reached("a wish for what there is no box of",
		s->job[i].wishes && !record->wished && record->nodes > 1);
}

static void agree(int round, torus_scheduler_t scheduler)
{
	torus_map_t *map = random_map();
	const torus_map_t *const maps[] = {map};
	torus_workload_t workload = random_workload(map->nodes);
	const torus_sim_config_t config = {
		.map = maps,
		.tori = 1,
		.scheduler = scheduler,
		.wish = random_wish(),
	};
	slow_t slow = {
		.job = workload.job,
		.jobs = (uint32_t)workload.count,
		.map = map,
		.placer = torus_cluster_placer_create(maps, 1),
		.wish = config.wish,
		.scheduler = scheduler,
	};
	torus_sim_result_t result;
	torus_error_t error = {""};

	assert_non_null(slow.placer);
	if (torus_simulate(&workload, &config, &result, &error) != 0)
		fail_msg("%s", error.text);
	replay(&slow);
	assert_int_equal(result.count, workload.count);
	for (uint32_t i = 0; i < workload.count; i++) {
		const torus_sim_record_t *record = &result.record[i];
		uint64_t nodes = 0;

		if (record->start != slow.start[i])
			fail_msg("round %d, %s: job %u starts at %lld, not %lld", round,
				 torus_scheduler_name(scheduler), i + 1,
				 (long long)record->start, (long long)slow.start[i]);
		for (size_t r = 0; r < record->runs; r++) {
			const torus_sim_run_t *run = &result.run[record->first_run + r];

			for (uint32_t k = 0; k < run->count; k++)
				nodes |= UINT64_C(1) << (run->first + k);
		}
		assert_int_equal(nodes, slow.nodes[i]);
		assert_int_equal(record->wished, has_wish(&slow, i) && record->nodes > 1);
		assert_int_equal(record->met, slow.met[i]);
		assert_int_equal(record->could,
				 slow.could[i] < 0 ? slow.start[i] : slow.could[i]);
		count_job(&slow, record, i);
	}
	torus_sim_result_clear(&result);
	torus_cluster_placer_destroy(slow.placer);
	torus_workload_clear(&workload);
	torus_map_destroy(map);
}

static void waits_as_the_slow_schedulers_do(void **state)
{
	static const torus_scheduler_t schedulers[] = {TORUS_FCFS, TORUS_EASY,
						       TORUS_CONSERVATIVE};

	(void)state;
	for (int round = 0; round < RANDOM_CASES(6000); round++)
		agree(round, schedulers[round % 3]);
	assert_true(reached_all(RANDOM_CASES(50)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_as_the_slow_schedulers_do),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
