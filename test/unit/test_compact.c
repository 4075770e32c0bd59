/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compact: its sums against their definitions, pair by pair; the whole decision against a
 * slow one that tries the same candidates and scores each by definition; and what it
 * promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "place/compact/curves.h"
#include "place/compact/descend.h"
#include "place/compact/foreign.h"
#include "place/compact/near.h"
#include "curve/curve.h"
#include "strategy_case.h"

/* ---- by definition ---- */

/* The free nodes, and which of them are in a set. */
typedef struct slow {
	const strategy_case_t *machine;
	const uint32_t (*hops)[CASE_RANKS]; /* between cells */
	uint32_t count;
	uint32_t rank[CASE_RANKS];
	uint32_t cell[CASE_RANKS];
	bool required[CASE_RANKS];
	bool in[CASE_RANKS];
	torus_compact_prices_t prices;
	uint32_t isolation; /* thousandths */
	bool loose;
} slow_t;

static uint32_t hops_between[CASE_RANKS][CASE_RANKS];

static void slow_begin(const strategy_case_t *machine, slow_t *slow)
{
	memset(slow, 0, sizeof(*slow));
	slow->machine = machine;
	slow->hops = (const uint32_t(*)[CASE_RANKS])hops_between;
	for (uint32_t a = 0; a < machine->cells; a++) {
		for (uint32_t b = 0; b < machine->cells; b++)
			hops_between[a][b] = torus_hops_cells(&machine->geometry, a, b);
	}
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		if (!machine->usable[rank])
			continue;
		slow->rank[slow->count] = rank;
		slow->cell[slow->count++] = machine->cell_of_rank[rank];
	}
}

typedef struct sums {
	int64_t pairs, reach, rest, between, edge;
	uint32_t nodes;
} sums_t;

static sums_t slow_sums(const slow_t *slow)
{
	sums_t sums = {0};

	for (uint32_t a = 0; a < slow->count; a++) {
		sums.nodes += slow->in[a];
		for (uint32_t b = 0; b < slow->count; b++) {
			int64_t hops = slow->hops[slow->cell[a]][slow->cell[b]];

			if (a < b) {
				sums.between += hops;
				sums.pairs += slow->in[a] && slow->in[b] ? hops : 0;
				sums.rest += slow->in[a] || slow->in[b] ? 0 : hops;
			}
			sums.reach += slow->in[a] ? hops : 0;
			sums.edge += slow->in[a] && !slow->in[b] && hops <= 1;
		}
	}
	return sums;
}

static int64_t slow_cost(const slow_t *slow)
{
	sums_t sums = slow_sums(slow);

	return sums.pairs * slow->prices.pair - sums.reach * slow->prices.reach +
	       sums.edge * slow->prices.edge;
}

/*
 * The smallest arc of an axis, or range where it does not wrap, that holds the set, of
 * several the one that begins lowest: by trying all.
 */
static void slow_arc(const slow_t *slow, int axis, bool *held)
{
	const torus_geometry_t *geometry = &slow->machine->geometry;
	int32_t length = geometry->length[axis], coord[TORUS_MAX_DIMS];
	bool used[CASE_RANKS] = {false};

	for (uint32_t i = 0; i < slow->count; i++) {
		torus_cell_to_coord(geometry, slow->cell[i], coord);
		used[coord[axis]] |= slow->in[i];
	}
	for (int32_t side = 1; side <= length; side++) {
		for (int32_t origin = 0; origin < length; origin++) {
			bool all = geometry->wrap[axis] || origin + side <= length;

			memset(held, 0, (size_t)length * sizeof(*held));
			for (int32_t i = 0; i < side; i++)
				held[(origin + i) % length] = true;
			for (int32_t i = 0; i < length; i++)
				all &= held[i] || !used[i];
			if (all)
				return;
		}
	}
	fail();
}

/* Nodes in the box around the set that are not free: of all the machine's. */
static uint32_t slow_foreign(const slow_t *slow)
{
	const strategy_case_t *machine = slow->machine;
	static bool held[TORUS_MAX_DIMS][CASE_RANKS];
	uint32_t foreign = 0;

	for (int axis = 0; axis < machine->geometry.dims; axis++)
		slow_arc(slow, axis, held[axis]);
	for (uint32_t rank = 0; rank < machine->ranks; rank++) {
		int32_t coord[TORUS_MAX_DIMS];
		bool inside = true;

		torus_cell_to_coord(&machine->geometry, machine->cell_of_rank[rank],
				    coord);
		for (int axis = 0; axis < machine->geometry.dims; axis++)
			inside &= held[axis][coord[axis]];
		foreign += inside && !machine->usable[rank];
	}
	return foreign;
}

/* With what is counted for whole candidates only. */
static int64_t slow_whole_cost(const slow_t *slow)
{
	int64_t cost = slow_cost(slow);

	if (slow->isolation)
		cost += slow->prices.foreign * slow_foreign(slow);
	return cost;
}

static double mean(int64_t sum, double ordered)
{
	return ordered > 0 ? 2 * (double)sum / ordered : 0;
}

/* In hops; without what all sets have in common if [relative] is not set. */
static double slow_score(const slow_t *slow, bool relative)
{
	sums_t sums = slow_sums(slow);
	double n = sums.nodes, all = slow->count, rest = all - n;
	double score = mean(sums.pairs, n > 1 ? n * (n - 1) : 2);

	if (slow->loose)
		score /= 4;
	score += 3.0 / 16 * mean(sums.rest, rest * rest);
	score += (double)sums.edge / n / slow->machine->most;
	if (slow->isolation)
		score += slow->isolation / 1000.0 * slow_foreign(slow) / n;
	if (relative)
		score -= 3.0 / 16 * mean(sums.between, all * all);
	return score;
}

/* ---- the sums ---- */

static torus_site_t *begin_site(const strategy_case_t *machine, uint64_t *usable)
{
	torus_site_t *site = torus_site_create(&machine->geometry, machine->cell_of_rank,
					       machine->ranks, NULL);

	assert_non_null(site);
	case_bitmap(machine->usable, machine->ranks, usable);
	torus_site_begin(site, usable);
	return site;
}

static void check_sums(const slow_t *slow, const torus_compact_set_t *set)
{
	sums_t sums = slow_sums(slow);

	assert_int_equal(set->held.nodes, sums.nodes);
	assert_int_equal(set->free, slow->count);
	assert_true(set->pairs == sums.pairs);
	assert_true(set->reach == sums.reach);
	assert_true(set->between == sums.between);
	assert_true(set->edge == sums.edge);
	assert_true(torus_compact_set_rest(set) == sums.rest);
	if (sums.nodes) {
		double score = 1000 * slow_score(slow, true);
		double fast = (double)torus_compact_score(set, 0, slow->loose, 0);

		/* Three quotients and their sum are rounded down. */
		assert_true(fast > score - 3.2 && fast < score + 3);
	}
}

/* What a node costs: the difference of two costs. */
static void check_costs(slow_t *slow, const torus_compact_set_t *set, uint32_t node)
{
	int64_t without, with;

	slow->in[node] ^= true;
	without = slow_cost(slow);
	slow->in[node] ^= true;
	with = slow_cost(slow);
	assert_true(torus_compact_cost(set, &slow->prices) == with);
	if (slow->in[node])
		assert_true(torus_compact_cost_with(set, &slow->prices,
						    slow->cell[node]) == with - without);
	else
		assert_true(torus_compact_cost_of(set, &slow->prices, slow->cell[node]) ==
			    without - with);
}

/* A node in the set, or not; UINT32_MAX if there is none. */
static uint32_t random_node(const slow_t *slow, bool in)
{
	uint32_t start = random_in(0, slow->count - 1);

	for (uint32_t i = 0; i < slow->count; i++) {
		uint32_t node = (start + i) % slow->count;

		if (slow->in[node] == in)
			return node;
	}
	return UINT32_MAX;
}

/* Remove random nodes of the set, and add others, all at a time. */
static void change_some(slow_t *slow, torus_compact_set_t *set)
{
	uint32_t out[CASE_RANKS], in[CASE_RANKS], outs = 0, ins = 0;

	for (uint32_t i = 0; i < slow->count; i++) {
		if (random_in(0, 2))
			continue;
		if (slow->in[i])
			out[outs++] = slow->cell[i];
		else
			in[ins++] = slow->cell[i];
		slow->in[i] = !slow->in[i];
	}
	torus_compact_set_change(set, out, outs, in, ins);
}

static void sums_are_those_of_all_pairs(void **state)
{
	static strategy_case_t machine;
	static slow_t slow;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(800); round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		torus_compact_set_t set;
		torus_site_t *site;

		case_random(&machine, TORUS_MAX_DIMS, 60);
		slow_begin(&machine, &slow);
		if (!slow.count)
			continue;
		site = begin_site(&machine, usable);
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		torus_compact_set_reset(&set);
		for (int step = 0; step < 12; step++) {
			uint32_t out = random_node(&slow, true);
			uint32_t in = random_node(&slow, false);
			uint32_t kind = random_in(0, 4);

			if (kind == 4) {
				change_some(&slow, &set);
			} else if (kind == 0 && out != UINT32_MAX) {
				torus_compact_set_remove(&set, slow.cell[out]);
				slow.in[out] = false;
			} else if (kind == 1 && out != UINT32_MAX && in != UINT32_MAX) {
				torus_compact_set_exchange(&set, slow.cell[out],
							   slow.cell[in]);
				slow.in[out] = false;
				slow.in[in] = true;
			} else if (in != UINT32_MAX) {
				torus_compact_set_add(&set, slow.cell[in]);
				slow.in[in] = true;
			}
			check_sums(&slow, &set);
			if (!set.held.nodes)
				continue;
			assert_true(torus_compact_prices(&set, set.held.nodes, 0, false,
							 &slow.prices));
			check_costs(&slow, &set, random_in(0, slow.count - 1));
		}
		torus_compact_set_end(&set);
		torus_site_destroy(site);
	}
}

/* Costs are scores, but for a factor, and for what sets of one size have in common. */
static void costs_are_scores(void **state)
{
	static strategy_case_t machine;
	static slow_t slow;
	uint32_t compared = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		torus_compact_set_t set;
		torus_site_t *site;
		int64_t cost[2];
		double score[2], unit;
		uint32_t n;

		case_random(&machine, TORUS_MAX_DIMS, 60);
		slow_begin(&machine, &slow);
		if (slow.count < 2)
			continue;
		n = random_in(1, slow.count - 1);
		if (3 * n * (n - 1) > 64 * (slow.count - n) * (slow.count - n))
			continue; /* the rest counts less there */
		site = begin_site(&machine, usable);
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		torus_compact_set_reset(&set);
		slow.loose = round % 2;
		assert_true(torus_compact_prices(&set, n, 0, slow.loose, &slow.prices));
		unit = (slow.loose ? 4 : 1) *
		       (double)(slow.prices.pair - slow.prices.reach) *
		       (n > 1 ? n * (n - 1) / 2.0 : 1);
		for (int i = 0; i < 2; i++) {
			memset(slow.in, 0, sizeof(slow.in));
			for (uint32_t k = 0; k < n; k++)
				slow.in[random_node(&slow, false)] = true;
			cost[i] = slow_cost(&slow);
			score[i] = slow_score(&slow, false);
		}
		score[0] -= score[1];
		score[0] -= (double)(cost[0] - cost[1]) / unit;
		assert_true(score[0] < 1e-6 && score[0] > -1e-6);
		compared++;
		torus_compact_set_end(&set);
		torus_site_destroy(site);
	}
	assert_true(compared > RANDOM_CASES(400));
}

/* ---- isolation ---- */

/* Nodes in the boxes of random sets, some of them required, one decision after another.
 */
static void foreign_nodes_are_those_of_all_ranks(void **state)
{
	static strategy_case_t machine;
	static slow_t slow;
	uint32_t some = 0, holding = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(3000); round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		torus_compact_foreign_t foreign_nodes = {0};
		torus_site_t *site;

		case_random(&machine, TORUS_MAX_DIMS, 90);
		site = begin_site(&machine, usable);
		for (int again = 0; again < 3; again++) {
			uint32_t cell[CASE_RANKS], required, foreign;

			if (again) {
				for (uint32_t rank = 0; rank < machine.ranks; rank++)
					machine.usable[rank] = random_in(0, 2) > 0;
				case_bitmap(machine.usable, machine.ranks, usable);
				torus_site_begin(site, usable);
			}
			slow_begin(&machine, &slow);
			if (!slow.count)
				continue;
			assert_int_equal(
				torus_compact_foreign_reset(&foreign_nodes, site, NULL),
				0);
			required = random_in(0, 1) ? random_in(0, slow.count - 1) : 0;
			required = required > 3 ? 3 : required;
			for (uint32_t i = 0; i < required; i++) {
				uint32_t node = random_node(&slow, false);

				slow.in[node] = slow.required[node] = true;
				torus_compact_foreign_require(&foreign_nodes,
							      slow.cell[node]);
			}
			for (int set = 0; set < 3; set++) {
				uint32_t room = slow.count - required, n;

				memcpy(slow.in, slow.required, sizeof(slow.in));
				n = random_in(1, set ? room : (room + 7) / 8);
				for (uint32_t i = 0; i < n; i++) {
					uint32_t node = random_node(&slow, false);

					slow.in[node] = true;
					cell[i] = slow.cell[node];
				}
				foreign = torus_compact_foreign_count(&foreign_nodes,
								      cell, n);
				assert_int_equal(foreign, slow_foreign(&slow));
				some += foreign > 0;
				holding += required > 0;
			}
		}
		torus_compact_foreign_end(&foreign_nodes);
		torus_site_destroy(site);
	}
	assert_true(some > RANDOM_CASES(3000) && holding > RANDOM_CASES(1000));
}

/* ---- curves ---- */

/* The cells of a machine with a node on each, in the order of a curve. */
static void curve_of(const torus_geometry_t *geometry, uint32_t curve, uint32_t *order)
{
	static strategy_case_t machine;
	uint64_t usable[TORUS_WORDS(CASE_RANKS)];
	torus_compact_curves_t curves;
	torus_compact_line_t line;
	torus_compact_set_t set;
	torus_site_t *site;

	memset(&machine, 0, sizeof(machine));
	machine.geometry = *geometry;
	machine.cells = machine.ranks = torus_geometry_cells(geometry);
	for (uint32_t rank = 0; rank < machine.ranks; rank++) {
		machine.cell_of_rank[rank] = rank;
		machine.usable[rank] = true;
	}
	site = begin_site(&machine, usable);
	assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
	assert_int_equal(torus_compact_curves_begin(&curves, site, NULL), 0);
	assert_int_equal(torus_compact_line_begin(&line, site, NULL), 0);
	torus_compact_set_reset(&set);
	torus_compact_curves_list(&curves, curve, &set, &line);
	assert_int_equal(line.count, machine.cells);
	memcpy(order, line.cell, machine.cells * sizeof(*order));
	torus_compact_line_end(&line);
	torus_compact_curves_end(&curves);
	torus_compact_set_end(&set);
	torus_site_destroy(site);
}

/* Every curve is the Hilbert curve of the box, which is moved onto itself: all distances
 * along it are the same. */
static void curves_are_hilbert_curves(void **state)
{
	static uint32_t hilbert[CASE_RANKS], order[CASE_RANKS];
	uint32_t others = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(150); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 80);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t curve = random_in(0, TORUS_COMPACT_CURVES - 1);
		bool wraps = random_in(0, 1);

		for (int axis = 0; axis < geometry.dims; axis++)
			geometry.wrap[axis] = wraps;
		assert_int_equal(
			torus_curve_order(&geometry, TORUS_CURVE_HILBERT, hilbert, NULL),
			0);
		curve_of(&geometry, curve, order);
		for (uint32_t a = 0; a < cells; a++) {
			others += order[a] != hilbert[a];
			for (uint32_t b = 0; b < a; b++)
				assert_int_equal(
					torus_hops_cells(&geometry, order[a], order[b]),
					torus_hops_cells(&geometry, hilbert[a],
							 hilbert[b]));
		}
	}
	assert_true(others > RANDOM_CASES(100));
}

/* ---- the nearest ---- */

static void nearest_cells_by_all_distances(void **state)
{
	static strategy_case_t machine;
	static slow_t slow;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1000); round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		torus_compact_near_t near;
		torus_compact_set_t set;
		torus_site_t *site;

		case_random(&machine, TORUS_MAX_DIMS, 90);
		slow_begin(&machine, &slow);
		site = begin_site(&machine, usable);
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		assert_int_equal(torus_compact_near_begin(&near, site, NULL), 0);
		torus_compact_set_reset(&set);
		for (int again = 0; again < 3; again++) {
			uint32_t centre = random_in(0, machine.cells - 1);
			uint32_t nodes = random_in(1, machine.ranks), within = 0;
			uint32_t found = 0, expected = 0, cells, last = 0;

			cells = torus_compact_near_find(&near, &set, centre, nodes);
			while (found < nodes && found < slow.count) {
				found = 0;
				for (uint32_t i = 0; i < slow.count; i++)
					found +=
						slow.hops[centre][slow.cell[i]] <= within;
				within++;
			}
			for (uint32_t cell = 0; cell < machine.cells; cell++)
				expected += case_nodes_on(&machine, cell, true) &&
					    slow.hops[centre][cell] < within;
			assert_int_equal(cells, expected);
			for (uint32_t i = 0; i < cells; i++) {
				uint32_t hops = slow.hops[centre][near.cell[i]];

				assert_true(hops >= last && hops < within);
				assert_true(case_nodes_on(&machine, near.cell[i], true));
				assert_true(!i || hops + 1 < within || last < hops ||
					    near.cell[i] > near.cell[i - 1]);
				last = hops;
			}
		}
		torus_compact_near_end(&near);
		torus_compact_set_end(&set);
		torus_site_destroy(site);
	}
}

/* ---- the decision ---- */

typedef struct window {
	int64_t cost;
	uint32_t line;
	uint32_t member[CASE_RANKS]; /* nodes */
} window_t;

typedef struct twin {
	slow_t slow;
	torus_span_t span;
	bool contiguous;
	uint32_t choose; /* nodes beside the required */
	int64_t best;
	bool in[CASE_RANKS];
	uint32_t member[CASE_RANKS]; /* those of in[] that are not required */
} twin_t;

static void twin_keep(twin_t *twin)
{
	int64_t cost = slow_whole_cost(&twin->slow);
	uint32_t count;

	if (cost >= twin->best)
		return;
	twin->best = cost;
	memcpy(twin->in, twin->slow.in, sizeof(twin->in));
	count = 0;
	for (uint32_t i = 0; i < twin->slow.count; i++) {
		if (twin->in[i] && !twin->slow.required[i])
			twin->member[count++] = i;
	}
}

static void twin_hold(twin_t *twin, const uint32_t *member)
{
	memcpy(twin->slow.in, twin->slow.required, sizeof(twin->slow.in));
	for (uint32_t i = 0; i < twin->choose; i++)
		twin->slow.in[member[i]] = true;
}

/* The nodes that are not required, along a line. Returns how many. */
static uint32_t twin_line(const twin_t *twin, uint32_t line, uint32_t *node)
{
	static uint32_t order[CASE_RANKS];
	const slow_t *slow = &twin->slow;
	uint32_t count = 0;

	if (!line) {
		for (uint32_t i = 0; i < slow->count; i++) {
			if (!slow->required[i])
				node[count++] = i;
		}
		return count;
	}
	curve_of(&slow->machine->geometry, line - 1, order);
	for (uint32_t at = 0; at < slow->machine->cells; at++) {
		for (uint32_t i = 0; i < slow->count; i++) {
			if (!slow->required[i] && slow->cell[i] == order[at])
				node[count++] = i;
		}
	}
	return count;
}

/* Whether the window of nodes is one interval of the machine's ranks. */
static bool twin_interval(const twin_t *twin, const uint32_t *member)
{
	const slow_t *slow = &twin->slow;

	for (uint32_t i = 0; i + 1 < twin->choose; i++) {
		uint32_t next = slow->rank[member[i]] + 1;

		if (next == slow->machine->ranks && twin->span == TORUS_SPAN_RING)
			next = 0;
		if (slow->rank[member[i + 1]] != next)
			return false;
	}
	return true;
}

static window_t twin_sweep(twin_t *twin, uint32_t line)
{
	window_t best = {.cost = INT64_MAX, .line = line}, window = {.line = line};
	uint32_t node[CASE_RANKS];
	uint32_t count = twin_line(twin, line, node);

	for (uint32_t start = 0; start < count; start++) {
		for (uint32_t i = 0; i < twin->choose; i++)
			window.member[i] = node[(start + i) % count];
		if (twin->contiguous && !twin_interval(twin, window.member))
			continue;
		twin_hold(twin, window.member);
		window.cost = slow_cost(&twin->slow);
		if (window.cost < best.cost)
			best = window;
	}
	return best;
}

/* The member from which it is least far to all others. */
static uint32_t twin_median(const twin_t *twin, const uint32_t *member)
{
	const slow_t *slow = &twin->slow;
	uint32_t median = member[0];
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < twin->choose; i++) {
		int64_t hops = 0;

		for (uint32_t b = 0; b < slow->count; b++)
			hops += slow->in[b]
					? slow->hops[slow->cell[member[i]]][slow->cell[b]]
					: 0;
		if (hops < least ||
		    (hops == least && slow->cell[member[i]] < slow->cell[median])) {
			least = hops;
			median = member[i];
		}
	}
	return slow->cell[median];
}

/* Mark the free nodes that may come in: those nearest to the median. */
static void twin_pool(const twin_t *twin, uint32_t centre, bool *pool)
{
	const slow_t *slow = &twin->slow;
	uint32_t found = 0, outside = 0;

	for (uint32_t i = 0; i < slow->count; i++)
		outside += !slow->in[i];
	for (uint32_t hops = 0; found < 2 * twin->choose + 16 && found < outside;
	     hops++) {
		for (uint32_t i = 0; i < slow->count; i++) {
			if (slow->in[i] || slow->hops[centre][slow->cell[i]] != hops)
				continue;
			pool[i] = true;
			found++;
		}
	}
	/* A node that goes may come again, as may those on its router. */
	for (uint32_t i = 0; i < slow->count; i++) {
		for (uint32_t b = 0; b < slow->count; b++)
			pool[i] |= pool[b] && slow->cell[b] == slow->cell[i];
	}
}

static bool twin_exchange(twin_t *twin, uint32_t *member, const bool *pool)
{
	slow_t *slow = &twin->slow;
	int64_t cost = slow_cost(slow), most = INT64_MIN, gain, least;
	uint32_t worst = 0, out, in;

	for (uint32_t i = 0; i < twin->choose; i++) {
		slow->in[member[i]] = false;
		gain = cost - slow_cost(slow);
		if (gain > most ||
		    (gain == most && slow->cell[member[i]] < slow->cell[member[worst]])) {
			most = gain;
			worst = i;
		}
		slow->in[member[i]] = true;
	}
	in = out = member[worst];
	slow->in[out] = false;
	least = cost;
	for (uint32_t i = 0; i < slow->count; i++) {
		int64_t with;

		if (slow->in[i] || !pool[i])
			continue;
		slow->in[i] = true;
		with = slow_cost(slow);
		slow->in[i] = false;
		if (with < least ||
		    (with == least && in != out && slow->cell[i] < slow->cell[in])) {
			least = with;
			in = i;
		}
	}
	slow->in[in] = true;
	member[worst] = in;
	return in != out;
}

static int compare_windows(const void *a, const void *b)
{
	const window_t *left = a, *right = b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return left->line < right->line ? -1 : 1;
}

/* Exchange while that is for the better. */
static void twin_improve(twin_t *twin, uint32_t centre, uint32_t *member)
{
	bool pool[CASE_RANKS] = {false};

	twin_keep(twin);
	twin_pool(twin, centre, pool);
	while (twin_exchange(twin, member, pool))
		;
	twin_keep(twin);
}

/* Of two nodes that cost the same the members go first, and then the lower cell. */
static bool costs_less(const slow_t *slow, const int64_t *cost, uint32_t a, uint32_t b)
{
	if (cost[a] != cost[b])
		return cost[a] < cost[b];
	return slow->in[a] != slow->in[b] ? slow->in[a] : slow->cell[a] < slow->cell[b];
}

/* Take the nodes that cost least beside the members as they are. False: not better. */
static bool twin_round(twin_t *twin, uint32_t *member, const bool *pool)
{
	slow_t *slow = &twin->slow;
	int64_t cost[CASE_RANKS], before = slow_cost(slow);
	uint32_t list[CASE_RANKS], count = 0;

	for (uint32_t i = 0; i < slow->count; i++) {
		if (slow->required[i] || (!slow->in[i] && !pool[i]))
			continue;
		slow->in[i] = !slow->in[i];
		cost[i] =
			slow->in[i] ? slow_cost(slow) - before : before - slow_cost(slow);
		slow->in[i] = !slow->in[i];
		list[count++] = i;
		for (uint32_t at = count - 1;
		     at && costs_less(slow, cost, list[at], list[at - 1]); at--) {
			list[at] = list[at - 1];
			list[at - 1] = i;
		}
	}
	twin_hold(twin, list);
	if (slow_cost(slow) >= before) {
		twin_hold(twin, member);
		return false;
	}
	memcpy(member, list, twin->choose * sizeof(*member));
	return true;
}

/* Random sets, of which some nodes are required, and random nodes that may come. */
static void descents_are_those_by_definition(void **state)
{
	static strategy_case_t machine;
	static twin_t twin;
	slow_t *slow = &twin.slow;
	uint32_t rounds = 0, many = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		uint64_t usable[TORUS_WORDS(CASE_RANKS)];
		uint32_t cell[CASE_RANKS], pool[CASE_RANKS], member[CASE_RANKS];
		uint32_t held[CASE_RANKS] = {0}, cells = 0, made, limit;
		bool in_pool[CASE_RANKS] = {false};
		torus_compact_descent_t descent;
		torus_compact_set_t set;
		torus_site_t *site;

		memset(&twin, 0, sizeof(twin));
		case_random(&machine, TORUS_MAX_DIMS, 60);
		slow_begin(&machine, slow);
		if (slow->count < 2)
			continue;
		site = begin_site(&machine, usable);
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		assert_int_equal(torus_compact_descent_begin(&descent, site, NULL), 0);
		torus_compact_set_reset(&set);
		for (uint32_t i = 0; i < slow->count; i++) {
			slow->in[i] = random_in(0, 2) == 0;
			slow->required[i] = slow->in[i] && random_in(0, 9) == 0;
			if (slow->in[i])
				torus_compact_set_add(&set, slow->cell[i]);
			if (!slow->in[i] || slow->required[i])
				continue;
			cell[twin.choose] = slow->cell[i];
			member[twin.choose++] = i;
		}
		for (uint32_t at = 0; at < machine.cells; at++) {
			if (random_in(0, 4))
				pool[cells++] = at;
		}
		for (uint32_t i = 0; i < slow->count; i++) {
			for (uint32_t at = 0; at < cells; at++)
				in_pool[i] |= slow->cell[i] == pool[at];
		}
		if (set.held.nodes && twin.choose) {
			assert_true(torus_compact_prices(&set, set.held.nodes, 0,
							 round % 2, &slow->prices));
			limit = random_in(0, 1) ? 1 : 20;
			made = torus_compact_descend(&descent, &set, &slow->prices, cell,
						     twin.choose, pool, cells, limit);
			rounds += made;
			many += made > 1;
			for (; made; made--, limit--)
				assert_true(twin_round(&twin, member, in_pool));
			assert_false(limit && twin_round(&twin, member, in_pool));
			for (uint32_t i = 0; i < twin.choose; i++) {
				held[cell[i]]++;
				held[slow->cell[member[i]]]--;
			}
			for (uint32_t at = 0; at < machine.cells; at++)
				assert_int_equal(held[at], 0);
			check_sums(slow, &set);
		}
		torus_compact_descent_end(&descent);
		torus_compact_set_end(&set);
		torus_site_destroy(site);
	}
	assert_true(rounds > RANDOM_CASES(700) && many > RANDOM_CASES(50));
}

static void twin_descend(twin_t *twin)
{
	uint32_t member[CASE_RANKS];

	memcpy(member, twin->member, sizeof(member));
	twin_hold(twin, member);
	for (int i = 0; i < 2; i++) {
		bool pool[CASE_RANKS] = {false};

		twin_pool(twin, twin_median(twin, member), pool);
		for (int round = 0; round < 16; round++) {
			if (!twin_round(twin, member, pool))
				break;
		}
	}
	twin_keep(twin);
}

static void twin_lines(twin_t *twin)
{
	static window_t window[1 + TORUS_COMPACT_CURVES];

	for (uint32_t line = 0; line <= TORUS_COMPACT_CURVES; line++)
		window[line] = twin_sweep(twin, line);
	qsort(window, 1 + TORUS_COMPACT_CURVES, sizeof(*window), compare_windows);
	for (uint32_t i = 0; i <= TORUS_COMPACT_CURVES; i++) {
		if ((i >= 4 && !twin->slow.isolation) ||
		    (i && window[i].cost == window[i - 1].cost))
			continue;
		twin_hold(twin, window[i].member);
		twin_keep(twin);
		if (i >= 4)
			continue;
		twin_improve(twin, twin_median(twin, window[i].member), window[i].member);
	}
	twin_descend(twin);
}

/* The ranks of the best set: of each cell the required ones, and the lowest others. */
static void twin_ranks(const twin_t *twin, bool *set)
{
	const slow_t *slow = &twin->slow;

	memset(set, 0, CASE_RANKS * sizeof(*set));
	for (uint32_t i = 0; i < slow->count; i++)
		set[slow->rank[i]] = slow->required[i];
	for (uint32_t i = 0; i < slow->count; i++) {
		if (!twin->in[i] || slow->required[i])
			continue;
		if (twin->contiguous) /* no other nodes of the same routers will do */
			set[slow->rank[i]] = true;
		else
			case_add(slow->machine, slow->cell[i], 1, set);
	}
}

typedef struct decision {
	torus_place_request_t request;
	uint64_t usable[TORUS_WORDS(CASE_RANKS)];
	uint64_t required[TORUS_WORDS(CASE_RANKS)];
	uint32_t best_fit[CASE_RANKS]; /* what that chooses */
	uint32_t chosen[CASE_RANKS];
	torus_placement_t placement;
	int placed;
} decision_t;

/* Decide as best_fit and as compact, twice, with the same placer. */
static void decide(const strategy_case_t *machine, decision_t *decision)
{
	torus_placer_t *placer = torus_placer_create(machine->ranks);
	torus_place_request_t *request = &decision->request;
	uint32_t n = request->nodes, again[CASE_RANKS];
	bool fits;

	assert_non_null(placer);
	request->allocator = &torus_best_fit;
	fits = torus_place(placer, decision->usable, request, decision->best_fit, NULL);
	request->allocator = allocator_called("compact");
	decision->placed =
		torus_place_weighted(placer, decision->usable, NULL, request,
				     decision->chosen, &decision->placement, NULL);
	assert_int_equal(decision->placed, fits);
	assert_int_equal(torus_place_weighted(placer, decision->usable, NULL, request,
					      again, NULL, NULL),
			 fits);
	if (fits)
		assert_memory_equal(again, decision->chosen, n * sizeof(*again));
	torus_placer_destroy(placer);
}

/* The set of the nodes of [ranks], and what it costs. */
static int64_t cost_of_ranks(slow_t *slow, const uint32_t *ranks, uint32_t n)
{
	memset(slow->in, 0, sizeof(slow->in));
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < slow->count; k++)
			slow->in[k] |= slow->rank[k] == ranks[i];
	}
	return slow_whole_cost(slow);
}

/* A weight of isolation, small ones as often as large ones. */
static uint32_t random_weight(void)
{
	static const uint32_t most[] = {100, 1000, TORUS_ISOLATION_WEIGHT_MOST};

	return random_in(1, most[random_in(0, 2)]);
}

/* A request for [n] nodes; some require nodes, or one interval, or isolation. */
static void ask(const strategy_case_t *machine, uint32_t n, twin_t *twin,
		decision_t *decision)
{
	uint64_t usable[TORUS_WORDS(CASE_RANKS)];
	uint32_t kind = random_in(0, 3);
	uint32_t isolation = random_in(0, 1) ? random_weight() : 0;
	torus_site_t *site = begin_site(machine, usable);
	torus_compact_set_t set;

	memset(twin, 0, sizeof(*twin));
	memset(decision, 0, sizeof(*decision));
	slow_begin(machine, &twin->slow);
	assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
	torus_compact_set_reset(&set);
	twin->slow.loose = !random_in(0, 2);
	assert_true(torus_compact_prices(&set, n, isolation, twin->slow.loose,
					 &twin->slow.prices));
	torus_compact_set_end(&set);
	torus_site_destroy(site);

	decision->request = case_request(machine, "compact", n);
	decision->request.isolation = twin->slow.isolation = isolation;
	decision->request.loose = twin->slow.loose;
	if (random_in(0, 3) == 0)
		decision->request.span = (torus_span_t)random_in(0, 1);
	decision->request.contiguous = twin->contiguous = kind == 0;
	twin->span = decision->request.span;
	twin->best = INT64_MAX;
	twin->choose = n;
	case_bitmap(machine->usable, machine->ranks, decision->usable);
	decision->request.required = decision->required;
	for (uint32_t i = 0; kind == 1 && i < twin->slow.count && twin->choose; i++) {
		if (random_in(0, 7))
			continue;
		twin->slow.required[i] = true;
		torus_bit_set(decision->required, twin->slow.rank[i]);
		twin->choose--;
	}
}

/* Whether the weight of isolation makes the decision another one. */
static bool is_moved_by_isolation(const strategy_case_t *machine,
				  const decision_t *decision)
{
	decision_t without = *decision;

	if (!decision->request.isolation)
		return false;
	without.request.isolation = 0;
	without.request.required = without.required;
	decide(machine, &without);
	return memcmp(without.chosen, decision->chosen,
		      without.request.nodes * sizeof(*without.chosen)) != 0;
}

/* Whether it makes the decision another one that the job is loose. */
static bool is_moved_by_looseness(const strategy_case_t *machine,
				  const decision_t *decision)
{
	decision_t without = *decision;

	if (!decision->request.loose)
		return false;
	without.request.loose = false;
	without.request.required = without.required;
	decide(machine, &without);
	return memcmp(without.chosen, decision->chosen,
		      without.request.nodes * sizeof(*without.chosen)) != 0;
}

/* Windows, the exchange, required ranks and intervals, with isolation and without, of
 * loose jobs and others. */
static void decisions_are_those_of_a_slow_search(void **state)
{
	static strategy_case_t machine;
	static twin_t twin;
	static decision_t decision;
	static const uint32_t most_cells[] = {90, 30, 30, 60};
	uint32_t better = 0, intervals = 0, moved = 0, loosened = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(1500); round++) {
		bool expected[CASE_RANKS];
		int64_t cost, best_fit;
		uint32_t n, few = random_in(1, 6);

		/* In turn all free nodes may come in by exchange, or those nearby. */
		case_random(&machine, round % 2 ? 3 : TORUS_MAX_DIMS,
			    most_cells[round % 4]);
		n = case_random_size(&machine);
		if (most_cells[round % 4] > 30 && few < n)
			n = few;
		if (!case_free_ranks(&machine))
			continue;
		ask(&machine, n, &twin, &decision);
		decide(&machine, &decision);
		if (!decision.placed) {
			assert_true(twin.contiguous);
			continue;
		}
		best_fit = cost_of_ranks(&twin.slow, decision.best_fit, n);
		twin_keep(&twin);
		if (twin.contiguous) {
			window_t window = twin_sweep(&twin, 0);

			twin_hold(&twin, window.member);
			twin_keep(&twin);
			intervals++;
		} else if (twin.choose) {
			twin_lines(&twin);
		}
		cost = cost_of_ranks(&twin.slow, decision.chosen, n);
		assert_true(cost <= best_fit);
		better += cost < best_fit;
		assert_true(cost == twin.best);
		assert_true((double)decision.placement.score >
			    1000 * slow_score(&twin.slow, true) - 3);
		assert_true((double)decision.placement.score <
			    1000 * slow_score(&twin.slow, true) + 3);
		assert_true(!twin.contiguous || decision.placement.contiguous);
		twin_ranks(&twin, expected);
		for (uint32_t i = 0; i < n; i++)
			assert_true(expected[decision.chosen[i]]);
		moved += is_moved_by_isolation(&machine, &decision);
		loosened += is_moved_by_looseness(&machine, &decision);
		assert_int_equal(
			decision.placement.span,
			torus_span_of(decision.chosen, n, machine.ranks, twin.span));
	}
	print_message(
		"# %u better than best_fit, %u intervals, %u moved by isolation, %u by "
		"looseness\n",
		better, intervals, moved, loosened);
	assert_true(better > RANDOM_CASES(150) && intervals > RANDOM_CASES(50));
	/* A fifth of the cases may have none. */
	assert_true(RANDOM_SHARE > 1 || (moved > 5 && loosened > 5));
}

/* ---- where not all is tried ---- */

/* Runs of free ranks, a fifth of all. */
static void fragment(uint32_t ranks, uint64_t *usable)
{
	memset(usable, 0, TORUS_WORDS(ranks) * sizeof(*usable));
	for (uint32_t rank = 0; rank < ranks;) {
		uint32_t run = random_in(1, 40);
		bool open = random_in(0, 9) < 2;

		for (; run-- && rank < ranks; rank++) {
			if (open)
				torus_bit_set(usable, rank);
		}
	}
}

static int64_t cost_of_window(const torus_compact_line_t *line, torus_compact_set_t *set,
			      const torus_compact_prices_t *prices, uint32_t start,
			      uint32_t n)
{
	int64_t cost;

	for (uint32_t i = 0; i < n; i++)
		torus_compact_set_add(set, line->cell[(start + i) % line->count]);
	cost = torus_compact_cost(set, prices);
	for (uint32_t i = 0; i < n; i++)
		torus_compact_set_remove(set, line->cell[(start + i) % line->count]);
	return cost;
}

/* Of large windows those are scored that begin in steps of at most an eighth. */
static void large_windows_by_steps(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(15); round++) {
		uint64_t usable[TORUS_WORDS(9000)];
		uint32_t cell_of_rank[9000], ranks, n;
		torus_geometry_t geometry;
		torus_compact_prices_t prices;
		torus_compact_set_t set;
		torus_compact_line_t line;
		torus_compact_window_t best;
		torus_site_t *site;
		torus_ask_t ask = {.span = TORUS_SPAN_LINEAR};

		assert_int_equal(torus_geometry_parse(round % 2 ? "20x20x20" : "30x300",
						      round % 3 ? "all" : "none",
						      &geometry, NULL),
				 0);
		ranks = torus_geometry_cells(&geometry);
		for (uint32_t rank = 0; rank < ranks; rank++)
			cell_of_rank[rank] = rank;
		memset(usable, 0, sizeof(usable));
		for (uint32_t rank = 0; rank < ranks; rank++) {
			if (random_in(0, 9))
				torus_bit_set(usable, rank);
		}
		site = torus_site_create(&geometry, cell_of_rank, ranks, NULL);
		assert_non_null(site);
		torus_site_begin(site, usable);
		ask.site = site;
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		assert_int_equal(torus_compact_line_begin(&line, site, NULL), 0);
		torus_compact_set_reset(&set);
		torus_compact_line_of_ranks(&line, &ask);
		n = random_in(256, line.count - 1);
		assert_true(torus_compact_prices(&set, n, 0, false, &prices));
		assert_true(torus_compact_sweep(&line, &set, &prices, n,
						TORUS_COMPACT_ALL, &best));
		assert_int_equal(set.held.nodes, 0);
		assert_true(set.pairs == 0 && set.reach == 0 && set.edge == 0);
		assert_true(best.cost ==
			    cost_of_window(&line, &set, &prices, best.start, n));
		for (uint32_t start = 0; start + n <= line.count; start += n / 8)
			assert_true(best.cost <=
				    cost_of_window(&line, &set, &prices, start, n));
		torus_compact_line_end(&line);
		torus_compact_set_end(&set);
		torus_site_destroy(site);
	}
}

/*
 * Of small windows of which not all can be scored as many are as can be put together one
 * by one, the first ones of the least span. All spans are the same here, and the price
 * makes each window better than those before.
 */
static void small_windows_as_many_as_can_be_built(void **state)
{
	enum { RANKS = 5000, NODES = 200, SCORED = 8192 / (2 * NODES) + 1 };
	const torus_geometry_t geometry = {.dims = 1, .length = {RANKS, 1, 1, 1, 1, 1}};
	const torus_compact_prices_t prices = {.reach = -1}; /* towards the middle */
	static uint32_t cell_of_rank[RANKS];
	uint64_t usable[TORUS_WORDS(RANKS)];
	torus_compact_window_t best;
	torus_compact_line_t line;
	torus_compact_set_t set;
	torus_site_t *site;

	(void)state;
	memset(usable, 0, sizeof(usable));
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		cell_of_rank[rank] = rank;
		torus_bit_set(usable, rank);
	}
	site = torus_site_create(&geometry, cell_of_rank, RANKS, NULL);
	assert_non_null(site);
	torus_site_begin(site, usable);
	assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
	assert_int_equal(torus_compact_line_begin(&line, site, NULL), 0);
	torus_compact_set_reset(&set);
	torus_compact_line_of_ranks(
		&line, &(torus_ask_t){.site = site, .span = TORUS_SPAN_LINEAR});
	assert_true(torus_compact_sweep(&line, &set, &prices, NODES, TORUS_COMPACT_ALL,
					&best));
	assert_int_equal(best.start, SCORED - 1);
	torus_compact_line_end(&line);
	torus_compact_set_end(&set);
	torus_site_destroy(site);
}

/* On large machines: n free ranks, ascending, and never worse than those of best_fit. */
static void large_machines(void **state)
{
	static const char *const dims[] = {"60x50x50", "400x300", "100000",
					   "8x8x8x8x8x4"};
	const torus_allocator_t *compact = allocator_called("compact");

	(void)state;
	for (size_t i = 0; i < sizeof(dims) / sizeof(dims[0]); i++) {
		torus_geometry_t geometry;
		torus_placer_t *placer;
		torus_compact_set_t set;
		torus_compact_foreign_t foreign_nodes = {0};
		torus_site_t *site;
		uint64_t *usable;
		uint32_t *cell_of_rank, *chosen, *other, ranks;

		assert_int_equal(torus_geometry_parse(dims[i],
						      random_in(0, 1) ? "all" : "none",
						      &geometry, NULL),
				 0);
		ranks = torus_geometry_cells(&geometry);
		cell_of_rank = calloc(3 * (size_t)ranks, sizeof(*cell_of_rank));
		usable = torus_bitmap_create(ranks);
		placer = torus_placer_create(ranks);
		assert_non_null(cell_of_rank);
		assert_non_null(usable);
		assert_non_null(placer);
		chosen = cell_of_rank + ranks;
		other = chosen + ranks;
		assert_int_equal(torus_curve_order(&geometry, TORUS_CURVE_SNAKE,
						   cell_of_rank, NULL),
				 0);
		site = torus_site_create(&geometry, cell_of_rank, ranks, NULL);
		assert_non_null(site);
		assert_int_equal(torus_compact_set_begin(&set, site, NULL), 0);
		for (int round = 0; round < 6; round++) {
			torus_place_request_t request = {.allocator = compact,
							 .span = TORUS_SPAN_LINEAR,
							 .geometry = &geometry,
							 .cell_of_rank = cell_of_rank};
			torus_compact_prices_t prices;
			uint32_t weight = round % 2 ? random_weight() : 0, n;
			int64_t cost[2];

			fragment(ranks, usable);
			n = random_in(1, round ? 400 : 6000);
			request.nodes = n;
			request.isolation = weight;
			request.loose = round % 3 == 0;
			assert_int_equal(torus_place_weighted(placer, usable, NULL,
							      &request, chosen, NULL,
							      NULL),
					 1);
			request.allocator = &torus_best_fit;
			assert_true(torus_place(placer, usable, &request, other, NULL));
			torus_site_begin(site, usable);
			for (int k = 0; k < 2; k++) {
				const uint32_t *list = k ? other : chosen;

				torus_compact_set_reset(&set);
				assert_int_equal(torus_compact_foreign_reset(
							 &foreign_nodes, site, NULL),
						 0);
				assert_true(torus_compact_prices(
					&set, n, weight, round % 3 == 0, &prices));
				for (uint32_t at = 0; at < n; at++) {
					assert_true(torus_bit_test(usable, list[at]));
					assert_true(k || !at || list[at] > list[at - 1]);
					torus_compact_set_add(&set,
							      cell_of_rank[list[at]]);
					torus_compact_foreign_require(
						&foreign_nodes, cell_of_rank[list[at]]);
				}
				cost[k] =
					torus_compact_cost(&set, &prices) +
					prices.foreign * torus_compact_foreign_count(
								 &foreign_nodes, NULL, 0);
			}
			assert_true(cost[0] <= cost[1]);
		}
		torus_compact_foreign_end(&foreign_nodes);
		torus_compact_set_end(&set);
		torus_site_destroy(site);
		torus_placer_destroy(placer);
		free(usable);
		free(cell_of_rank);
	}
}

/* Of the free boxes of a shape the one most of whose surface is against nodes that are
 * not free. */
static void shapes_are_those_of_contiguous_best_fit(void **state)
{
	static strategy_case_t machine;
	static strategy_choice_t choice, expected;
	uint32_t placed = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(500); round++) {
		torus_shape_t shape = {.dims = 2,
				       .side = {(int32_t)random_in(1, 3),
						(int32_t)random_in(1, 3), 1, 1, 1, 1}};

		case_random(&machine, 3, 90);
		if (!case_free_ranks(&machine))
			continue;
		case_place(&machine, "compact", 1, &shape, &choice);
		case_place(&machine, "contiguous:best_fit", 1, &shape, &expected);
		assert_int_equal(choice.placed, expected.placed);
		placed += choice.placed > 0;
		if (!choice.placed)
			continue;
		assert_int_equal(choice.count, expected.count);
		assert_memory_equal(choice.chosen, expected.chosen,
				    choice.count * sizeof(*choice.chosen));
	}
	assert_true(placed > RANDOM_CASES(50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_all_pairs),
		cmocka_unit_test(costs_are_scores),
		cmocka_unit_test(foreign_nodes_are_those_of_all_ranks),
		cmocka_unit_test(curves_are_hilbert_curves),
		cmocka_unit_test(nearest_cells_by_all_distances),
		cmocka_unit_test(descents_are_those_by_definition),
		cmocka_unit_test(decisions_are_those_of_a_slow_search),
		cmocka_unit_test(large_windows_by_steps),
		cmocka_unit_test(small_windows_as_many_as_can_be_built),
		cmocka_unit_test(large_machines),
		cmocka_unit_test(shapes_are_those_of_contiguous_best_fit),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
