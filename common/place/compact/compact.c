/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compact: of many sets of free nodes, the one with the lowest score (score.h). The score
 * weighs how close the nodes are to each other against how close together the nodes are
 * that stay free.
 *
 * Candidates are what best_fit would take, and windows: n consecutive free nodes on the
 * machine's own line of ranks or on a curve (curves.h). All windows are scored by
 * sliding, or, if that is too much work, some of them (sweep.h). The best windows of some
 * lines then exchange single nodes (exchange.h), and the best set of all of these many
 * nodes at a time (descend.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/compact/curves.h"
#include "place/compact/descend.h"
#include "place/compact/exchange.h"
#include "place/compact/foreign.h"
#include "place/compact/sweep.h"
#include "place/free_boxes.h"

/* Lines whose best window is improved by exchange. */
#define IMPROVED 4

/*
 * The least number of curves whose windows are scored; where few nodes are free up to
 * all.
 */
#define CURVES_LEAST 3
#define CURVES_FREE 2048 /* cells with free nodes, of all these curves together */

/* Bounds of the work of a decision; see docs/strategies.md. */
#define LISTED_MOST (UINT32_C(1) << 17)	   /* nodes listed along curves */
#define EXCHANGED_MOST (UINT32_C(1) << 15) /* nodes looked at by each exchange */
#define EXCHANGES_LEAST 16		   /* with fewer a window is not improved */
#define DESCENTS 2			   /* of the best set, each near its new median */
#define ROUNDS 16			   /* of each descent */

typedef struct compact {
	torus_compact_set_t set;
	torus_compact_curves_t curves;
	torus_compact_near_t near;
	torus_compact_descent_t descent;
	torus_compact_line_t line;
	torus_compact_foreign_t foreign; /* begun when isolation is first asked for */
	uint32_t *member; /* [ranks] cells of the current candidate, without required
			   * nodes */
	uint32_t *best;	  /* [ranks] of the best one so far */
} compact_t;

typedef struct search {
	const torus_ask_t *ask;
	compact_t *own;
	torus_compact_prices_t prices;
	uint32_t listed; /* the line that is listed */
	uint32_t choose; /* number of nodes to choose, without required ones */
	int64_t best;	 /* the lowest cost so far */
	uint32_t first;	 /* with ask->contiguous: the first rank of the best interval */
	torus_compact_window_t window[1 + TORUS_COMPACT_CURVES]; /* of each line */
} search_t;

static void destroy(void *kept)
{
	compact_t *compact = kept;

	if (!compact)
		return;
	torus_compact_set_end(&compact->set);
	torus_compact_curves_end(&compact->curves);
	torus_compact_near_end(&compact->near);
	torus_compact_descent_end(&compact->descent);
	torus_compact_line_end(&compact->line);
	torus_compact_foreign_end(&compact->foreign);
	free(compact->member);
	free(compact->best);
	free(compact);
}

static compact_t *create(const torus_site_t *site, torus_error_t *err)
{
	compact_t *own = calloc(1, sizeof(*own));

	if (!own)
		goto fail;
	if (torus_compact_set_begin(&own->set, site, err) ||
	    torus_compact_curves_begin(&own->curves, site, err) ||
	    torus_compact_near_begin(&own->near, site, err) ||
	    torus_compact_descent_begin(&own->descent, site, err) ||
	    torus_compact_line_begin(&own->line, site, err)) {
		destroy(own);
		return NULL;
	}
	own->member = malloc(site->ranks * sizeof(*own->member));
	own->best = malloc(site->ranks * sizeof(*own->best));
	if (own->member && own->best)
		return own;
fail:
	destroy(own);
	torus_fail(err, "out of memory for candidates of %u ranks", site->ranks);
	return NULL;
}

/* List line number [number]: 0 is the machine's own, the others are curves. */
static void list_line(search_t *search, uint32_t number)
{
	compact_t *own = search->own;

	if (number == search->listed)
		return;
	search->listed = number;
	if (number)
		torus_compact_curves_list(&own->curves, number - 1, &own->set,
					  &own->line);
	else
		torus_compact_line_of_ranks(&own->line, search->ask);
}

/* Remember the current candidate, which the set holds, if it is the best so far. Returns
 * whether it is. */
static bool keep(search_t *search)
{
	compact_t *own = search->own;
	int64_t cost = torus_compact_cost(&own->set, &search->prices);

	if (search->prices.foreign)
		cost += search->prices.foreign *
			torus_compact_foreign_count(&own->foreign, own->member,
						    search->choose);
	if (cost >= search->best)
		return false;
	search->best = cost;
	memcpy(own->best, own->member, search->choose * sizeof(*own->best));
	return true;
}

/* The member with fewest hops to all others; ties: the lowest cell. */
static uint32_t median_of(const search_t *search)
{
	const compact_t *own = search->own;
	uint32_t median = own->member[0];
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < search->choose; i++) {
		int64_t hops = torus_compact_set_hops(&own->set, own->member[i]);

		if (hops < least || (hops == least && own->member[i] < median)) {
			least = hops;
			median = own->member[i];
		}
	}
	return median;
}

/* The nodes near the median from which the current candidate may get some. */
static uint32_t find_near(search_t *search)
{
	compact_t *own = search->own;

	return torus_compact_near_find(&own->near, &own->set, median_of(search),
				       2 * search->choose + 16);
}

/* How many exchanges of single nodes are not too much work for a window. */
static uint32_t count_exchanges(const search_t *search)
{
	uint32_t exchanges = EXCHANGED_MOST / (3 * search->choose + 16);

	return exchanges < EXCHANGES_LEAST ? 0 : exchanges;
}

/* Improve the current candidate by exchanges of single nodes. */
static void exchange(search_t *search, uint32_t exchanges)
{
	compact_t *own = search->own;
	uint32_t cells = find_near(search);

	torus_compact_exchange(&own->set, &search->prices, own->member, search->choose,
			       own->near.cell, cells, exchanges);
	keep(search);
}

static int compare_windows(const void *a, const void *b)
{
	const torus_compact_window_t *left = a, *right = b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return left->line < right->line ? -1 : 1;
}

/* Let the set hold the current candidate. */
static void hold(search_t *search)
{
	torus_compact_set_change(&search->own->set, NULL, 0, search->own->member,
				 search->choose);
}

static void let_go(search_t *search)
{
	torus_compact_set_change(&search->own->set, search->own->member, search->choose,
				 NULL, 0);
}

/* Make the window the current candidate, which the set holds. */
static void hold_window(search_t *search, const torus_compact_window_t *window)
{
	compact_t *own = search->own;

	list_line(search, window->line);
	torus_compact_line_take(&own->line, window->start, search->choose, own->member);
	hold(search);
}

/* Improve the best candidate by exchanges of many nodes at a time. */
static void descend(search_t *search)
{
	compact_t *own = search->own;
	uint32_t made = 1;

	memcpy(own->member, own->best, search->choose * sizeof(*own->best));
	hold(search);
	for (int i = 0; i < DESCENTS && made; i++)
		made = torus_compact_descend(&own->descent, &own->set, &search->prices,
					     own->member, search->choose, own->near.cell,
					     find_near(search), ROUNDS);
	keep(search);
	let_go(search);
}

/* The number of lines to use. */
static uint32_t count_lines(const search_t *search)
{
	uint32_t cells = search->own->set.cells, curves = CURVES_FREE / cells;

	if (curves < CURVES_LEAST)
		curves = CURVES_LEAST;
	if (curves > TORUS_COMPACT_CURVES)
		curves = TORUS_COMPACT_CURVES;
	if (curves > LISTED_MOST / cells)
		curves = LISTED_MOST / cells;
	return 1 + curves;
}

/* Find the best window of each line, improve the best of these, and then the best. */
static void search_lines(search_t *search)
{
	compact_t *own = search->own;
	uint32_t lines = count_lines(search), exchanges = count_exchanges(search);
	uint32_t tried = exchanges ? IMPROVED : 1;

	list_line(search, 0);
	if (own->line.count == search->choose)
		return; /* it gets all that is free */
	for (uint32_t i = 0; i < lines; i++) {
		list_line(search, i);
		search->window[i].line = i;
		torus_compact_sweep(&own->line, &own->set, &search->prices,
				    search->choose, TORUS_COMPACT_ALL,
				    &search->window[i]);
	}
	qsort(search->window, lines, sizeof(*search->window), compare_windows);
	if (search->prices.foreign) /* which the costs of windows do not include */
		tried = lines;
	for (uint32_t i = 0; i < lines && i < tried; i++) {
		if (i && search->window[i].cost == search->window[i - 1].cost)
			continue; /* likely the same nodes */
		hold_window(search, &search->window[i]);
		keep(search);
		if (i < IMPROVED && exchanges)
			exchange(search, exchanges);
		let_go(search);
	}
	descend(search);
}

/* Find the best window that is one interval. */
static void search_intervals(search_t *search)
{
	torus_compact_window_t window = {0};

	list_line(search, 0);
	if (!torus_compact_sweep(&search->own->line, &search->own->set, &search->prices,
				 search->choose,
				 search->ask->span == TORUS_SPAN_RING
					 ? TORUS_COMPACT_RING
					 : TORUS_COMPACT_INTERVALS,
				 &window))
		return;
	hold_window(search, &window);
	if (keep(search))
		search->first = search->own->line.place[window.start];
	let_go(search);
}

/* The first candidate: what best_fit would take. */
static void try_best_fit(search_t *search)
{
	const torus_ask_t *ask = search->ask;
	compact_t *own = search->own;
	uint32_t count = 0;

	for (uint32_t i = 0; i < ask->nodes; i++) {
		uint32_t rank = ask->best_fit[i];

		if (!ask->required || !torus_bit_test(ask->required, rank))
			own->member[count++] = ask->site->cell_of_rank[rank];
	}
	hold(search);
	if (keep(search))
		search->first = ask->best_fit[0];
	let_go(search);
}

/* Take one node on each of the best cells; of an interval its own, and not others of the
 * same routers. */
static void take_best(const search_t *search)
{
	compact_t *own = search->own;
	torus_site_t *site = search->ask->site;

	for (uint32_t i = 0; i < search->choose; i++) {
		if (search->ask->contiguous)
			torus_bit_set(site->taken, (search->first + i) % site->ranks);
		else
			torus_site_take(site, own->best[i], 1);
		torus_compact_set_add(&own->set, own->best[i]);
	}
}

/* Put the required nodes into the set. */
static void begin(search_t *search)
{
	const torus_ask_t *ask = search->ask;
	torus_site_t *site = ask->site;
	compact_t *own = search->own;
	uint32_t rank = site->ranks;

	if (ask->required)
		rank = torus_bitmap_next_set(ask->required, site->ranks, 0);
	for (; rank < site->ranks;
	     rank = torus_bitmap_next_set(ask->required, site->ranks, rank + 1)) {
		torus_bit_set(site->taken, rank);
		torus_compact_set_add(&own->set, site->cell_of_rank[rank]);
		if (ask->isolation)
			torus_compact_foreign_require(&own->foreign,
						      site->cell_of_rank[rank]);
		search->choose--;
	}
}

/* The free box of the shape that fits in best. */
static int place_shape(const torus_ask_t *ask, torus_error_t *err)
{
	torus_free_boxes_t boxes;
	int placed = torus_free_boxes_begin(&boxes, ask->site, ask->shape, err);

	if (placed > 0)
		placed = torus_free_boxes_take_best(&boxes, true, err);
	torus_free_boxes_clear(&boxes);
	return placed;
}

static int compact(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	search_t search = {.ask = ask,
			   .choose = ask->nodes,
			   .listed = UINT32_MAX,
			   .best = INT64_MAX};
	compact_t *own;
	uint32_t foreign = 0;

	if (ask->shape)
		return place_shape(ask, err);
	if (!site->kept) {
		site->kept = create(site, err);
		site->kept_destroy = destroy;
	}
	search.own = own = site->kept;
	if (!own)
		return -1;
	torus_compact_set_reset(&own->set);
	if (ask->isolation && torus_compact_foreign_reset(&own->foreign, site, err) != 0)
		return -1;
	if (!torus_compact_prices(&own->set, ask->nodes, ask->isolation, ask->loose,
				  &search.prices))
		return 0;
	begin(&search);
	try_best_fit(&search);
	if (ask->contiguous)
		search_intervals(&search);
	else if (search.choose)
		search_lines(&search);
	if (ask->isolation)
		foreign = torus_compact_foreign_count(&own->foreign, own->best,
						      search.choose);
	take_best(&search);
	*score = torus_compact_score(&own->set, ask->isolation, ask->loose, foreign);
	return 1;
}

const torus_allocator_t torus_compact = {"compact", .rule = compact, .boxes = true,
					 .demands = true};
