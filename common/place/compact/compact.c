/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "place/compact/compact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/compact/curves.h"
#include "place/compact/exchange.h"
#include "place/strategy.h"

struct torus_compact {
	torus_compact_set_t set;
	torus_compact_curves_t curves;
	torus_compact_near_t near;
	uint32_t *open;	  /* [cells] with free nodes */
	uint32_t *list;	  /* [ranks] */
	uint32_t *member; /* [ranks] of the candidate at hand */
	uint32_t *best;	  /* [ranks] of the best candidate so far */
	uint32_t *pool;	  /* [cells] */
};

typedef struct window {
	int64_t score;
	uint32_t line, start;
} window_t;

typedef struct search {
	const torus_ask_t *ask;
	torus_compact_t *own;
	torus_compact_prices_t prices;
	uint32_t open;	 /* cells */
	uint32_t free;	 /* nodes to choose from */
	uint32_t choose; /* how many of them */
	int64_t best;	 /* score */
	window_t window[TORUS_COMPACT_CURVES + 1];
} search_t;

static double knob(const char *name, double def)
{
	const char *t = getenv(name);
	return t ? atof(t) : def;
}

void torus_compact_destroy(torus_compact_t *compact)
{
	if (!compact)
		return;
	torus_compact_set_end(&compact->set);
	torus_compact_curves_end(&compact->curves);
	torus_compact_near_end(&compact->near);
	free(compact->open);
	free(compact->list);
	free(compact->member);
	free(compact->best);
	free(compact->pool);
	free(compact);
}

static torus_compact_t *create(const torus_site_t *site, torus_error_t *err)
{
	torus_compact_t *own = calloc(1, sizeof(*own));

	if (!own) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	if (torus_compact_set_begin(&own->set, site, err) ||
	    torus_compact_curves_begin(&own->curves, site, err) ||
	    torus_compact_near_begin(&own->near, site, err))
		goto fail;
	own->open = malloc(site->cells * sizeof(uint32_t));
	own->pool = malloc(site->cells * sizeof(uint32_t));
	own->list = malloc(site->ranks * sizeof(uint32_t));
	own->member = malloc(site->ranks * sizeof(uint32_t));
	own->best = malloc(site->ranks * sizeof(uint32_t));
	if (!own->open || !own->pool || !own->list || !own->member || !own->best) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	return own;
fail:
	torus_compact_destroy(own);
	return NULL;
}

/* List the line [line]: 0 the machine's own, others curves. */
static void list_line(search_t *search, uint32_t line)
{
	torus_compact_t *own = search->own;
	const torus_site_t *site = search->ask->site;
	uint32_t listed = 0;

	if (line) {
		torus_compact_curves_list(&own->curves, line - 1, &own->set, own->open,
					  search->open, own->list);
		return;
	}
	for (size_t i = 0; i < TORUS_WORDS(site->ranks); i++) {
		uint64_t bits = site->free[i];

		if (search->ask->required)
			bits &= ~search->ask->required[i];
		for (; bits; bits &= bits - 1)
			own->list[listed++] =
				site->cell_of_rank[i * 64 +
						   (uint32_t)__builtin_ctzll(bits)];
	}
}

static void hold(search_t *search, uint32_t start)
{
	torus_compact_t *own = search->own;

	for (uint32_t i = 0; i < search->choose; i++) {
		uint32_t at = start + i;

		own->member[i] = own->list[at < search->free ? at : at - search->free];
		torus_compact_set_add(&own->set, own->member[i]);
	}
}

static void let_go(search_t *search)
{
	for (uint32_t i = 0; i < search->choose; i++)
		torus_compact_set_remove(&search->own->set, search->own->member[i]);
}

static void slide(search_t *search, uint32_t line)
{
	torus_compact_t *own = search->own;
	torus_compact_set_t *set = &own->set;
	window_t *best = &search->window[line];

	list_line(search, line);
	*best = (window_t){.score = INT64_MAX, .line = line};
	hold(search, 0);
	for (uint32_t start = 0; start < search->free; start++) {
		int64_t score = torus_compact_score(set, &search->prices);
		uint32_t next = start + search->choose;

		if (score < best->score) {
			best->score = score;
			best->start = start;
		}
		if (search->free == search->choose)
			break;
		torus_compact_set_remove(set, own->list[start]);
		torus_compact_set_add(set, own->list[next < search->free
							     ? next
							     : next - search->free]);
	}
	let_go(search); /* the first window again */
}

static void keep(search_t *search)
{
	torus_compact_t *own = search->own;
	int64_t score = torus_compact_score(&own->set, &search->prices);

	if (score >= search->best)
		return;
	search->best = score;
	memcpy(own->best, own->member, search->choose * sizeof(*own->best));
}

/* From the members at hand to the best by exchange; the set holds them. */
static void improve(search_t *search)
{
	torus_compact_t *own = search->own;
	uint32_t cells, centre = own->member[0];
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < search->choose; i++) {
		int64_t hops = torus_compact_set_hops(&own->set, own->member[i]);

		if (hops < least) {
			least = hops;
			centre = own->member[i];
		}
	}
	cells = torus_compact_near_find(&own->near, &own->set, centre,
					search->choose * (uint32_t)knob("CPOOL", 2) + 16, own->pool);
	torus_compact_exchange(&own->set, &search->prices, own->member, search->choose,
			       own->pool, cells, (uint32_t)knob("CX", 100000));
	keep(search);
}

static void ball(search_t *search, uint32_t centre)
{
	torus_compact_t *own = search->own;
	uint32_t cells = torus_compact_near_find(&own->near, &own->set, centre,
						 search->choose, own->pool),
		 count = 0;

	for (uint32_t i = 0; i < cells; i++) {
		uint32_t left = torus_compact_set_left(&own->set, own->pool[i]);

		while (left-- && count < search->choose)
			own->member[count++] = own->pool[i];
	}
	if (count < search->choose)
		return;
	for (uint32_t i = 0; i < count; i++)
		torus_compact_set_add(&own->set, own->member[i]);
	keep(search);
	let_go(search);
}

static int compare_windows(const void *a, const void *b)
{
	const window_t *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

int torus_compact(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	search_t search = {.ask = ask, .choose = ask->nodes, .best = INT64_MAX};
	uint32_t lines, tops, n = ask->nodes;
	torus_compact_t *own;

	if (ask->shape) {
		torus_ask_t boxes = *ask;

		boxes.variant = TORUS_BOX_BEST | TORUS_BOX_TURNS;
		return torus_contiguous(&boxes, score, err);
	}
	if (!site->compact)
		site->compact = create(site, err);
	search.own = own = site->compact;
	if (!own)
		return -1;
	search.prices.pair = 256;
	search.prices.edge = llround(256 * knob("CL", 1) * pow(n, -knob("CA", 1)) *
				     (n > 1 ? (double)n * (n - 1) / 2 : 1) / site->most);
	lines = 1 + (uint32_t)knob("CK", 16);
	tops = (uint32_t)knob("CT", 3);
	torus_compact_set_reset(&own->set);
	if (ask->required) {
		for (uint32_t rank = torus_bitmap_next_set(ask->required, site->ranks, 0);
		     rank < site->ranks;
		     rank = torus_bitmap_next_set(ask->required, site->ranks, rank + 1)) {
			torus_compact_set_add(&own->set, site->cell_of_rank[rank]);
			torus_bit_set(site->taken, rank);
			search.choose--;
		}
	}
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		uint32_t left = torus_compact_set_left(&own->set, cell);

		search.free += left;
		if (left)
			own->open[search.open++] = cell;
	}
	for (uint32_t line = 0; line < lines; line++)
		slide(&search, line);
	qsort(search.window, lines, sizeof(window_t), compare_windows);
	for (uint32_t i = 0; i < tops && i < lines; i++) {
		list_line(&search, search.window[i].line);
		hold(&search, search.window[i].start);
		keep(&search);
		improve(&search);
		let_go(&search);
	}
	if (knob("CB", 1) > 0) {
		int64_t before = search.best;

		for (uint32_t i = 0; i < search.open; i++)
			ball(&search, own->open[i]);
		if (search.best < before) {
			memcpy(own->member, own->best, search.choose * sizeof(uint32_t));
			for (uint32_t i = 0; i < search.choose; i++)
				torus_compact_set_add(&own->set, own->member[i]);
			improve(&search);
			let_go(&search);
		}
	}
	for (uint32_t i = 0; i < search.choose; i++)
		torus_site_take(site, own->best[i], 1);
	*score = search.best;
	return 1;
}
