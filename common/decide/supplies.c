/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the candidates of a decision have: see decide/supplies.h. */
#include "decide/supplies.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* The candidates of the request on torus [t], or elsewhere. */
static const torus_candidates_t *asked_of(const torus_supplies_t *supplies,
					  const torus_decide_request_t *request, int t)
{
	return t < supplies->tori ? &request->cluster.torus[t]
				  : &request->cluster.elsewhere;
}

static torus_candidates_t *used_of(torus_supplies_t *supplies, int t)
{
	return t < supplies->tori ? &supplies->torus[t] : &supplies->cluster.elsewhere;
}

static bool has_each(const torus_need_t *need, const uint64_t *has)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (has[kind] < need->each[kind])
			return false;
	}
	return true;
}

static void note_bounds(torus_supplies_t *supplies, const torus_need_t *need,
			const uint64_t *has)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (has[kind] < supplies->least[kind])
			supplies->least[kind] = has[kind];
		if (has[kind] > supplies->most[kind])
			supplies->most[kind] = has[kind];
	}
}

/* Ask about the candidates of one place. */
static void ask(torus_supplies_t *supplies, const torus_verifier_t *verifier,
		const torus_decide_request_t *request, int t)
{
	const torus_candidates_t *candidates = asked_of(supplies, request, t);
	torus_stock_t *stock = &supplies->stock[t];
	size_t kinds = (size_t)request->need->kinds;
	int torus = t < supplies->tori ? t : TORUS_ELSEWHERE;

	for (uint32_t i = torus_bitmap_next_set(candidates->free, stock->nodes, 0);
	     i < stock->nodes;
	     i = torus_bitmap_next_set(candidates->free, stock->nodes, i + 1)) {
		uint64_t *has = stock->has + i * kinds;

		verifier->has(verifier->context, torus, i, has);
		if (!has_each(request->need, has))
			continue;
		torus_bit_set(stock->usable, i);
		note_bounds(supplies, request->need, has);
	}
}

int torus_supplies_load(torus_supplies_t *supplies, const torus_decider_t *decider,
			const torus_decide_request_t *request, torus_error_t *err)
{
	const torus_cluster_placer_t *placer = decider->placer;
	int tori = placer->tori, kinds = request->need->kinds;

	*supplies = (torus_supplies_t){.tori = tori, .cluster = request->cluster};
	for (int kind = 0; kind < kinds; kind++)
		supplies->least[kind] = UINT64_MAX;
	supplies->torus = malloc((size_t)tori * sizeof(*supplies->torus));
	supplies->stock = calloc((size_t)tori + 1, sizeof(*supplies->stock));
	if (!supplies->torus || !supplies->stock)
		goto fail;
	supplies->cluster.torus = supplies->torus;
	for (int t = 0; t <= tori; t++) {
		torus_stock_t *stock = &supplies->stock[t];

		stock->nodes = t < tori ? placer->map[t]->nodes
					: request->cluster.elsewhere_nodes;
		if (!kinds || !stock->nodes)
			continue;
		stock->has = malloc((size_t)stock->nodes * (size_t)kinds *
				    sizeof(*stock->has));
		stock->usable = torus_bitmap_create(stock->nodes);
		if (!stock->has || !stock->usable)
			goto fail;
		ask(supplies, decider->verifier, request, t);
	}
	torus_supplies_use_all(supplies, request);
	return 0;
fail:
	return torus_fail(err, "out of memory for what the candidates have");
}

void torus_supplies_free(torus_supplies_t *supplies)
{
	for (int t = 0; supplies->stock && t <= supplies->tori; t++) {
		free(supplies->stock[t].has);
		free(supplies->stock[t].usable);
		free(supplies->stock[t].shared);
	}
	free(supplies->stock);
	free(supplies->torus);
	*supplies = (torus_supplies_t){0};
}

void torus_supplies_narrow(torus_supplies_t *supplies,
			   const torus_decide_request_t *request)
{
	for (int t = 0; t <= supplies->tori; t++) {
		const uint64_t *free_words = asked_of(supplies, request, t)->free;
		torus_stock_t *stock = &supplies->stock[t];

		for (size_t word = 0; stock->usable && word < TORUS_WORDS(stock->nodes);
		     word++)
			stock->usable[word] &= free_words[word];
	}
	torus_supplies_use_all(supplies, request);
}

void torus_supplies_use_all(torus_supplies_t *supplies,
			    const torus_decide_request_t *request)
{
	for (int t = 0; t <= supplies->tori; t++) {
		torus_candidates_t *used = used_of(supplies, t);

		*used = *asked_of(supplies, request, t);
		if (supplies->stock[t].usable)
			used->free = supplies->stock[t].usable;
	}
}

static bool has_share(const torus_need_t *need, const uint64_t *has, uint32_t nodes)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (has[kind] < torus_need_share(need, kind, nodes))
			return false;
	}
	return true;
}

static bool has_feature(const torus_need_t *need, const uint64_t *has, uint32_t nodes)
{
	(void)nodes;
	for (int feature = 0; feature < need->features; feature++) {
		if (has[need->first_feature + feature])
			return true;
	}
	return false;
}

/* Of one place, the nodes of which [does] holds and those required. */
static int keep(torus_supplies_t *supplies, const torus_decide_request_t *request, int t,
		bool (*does)(const torus_need_t *need, const uint64_t *has,
			     uint32_t nodes),
		uint32_t nodes)
{
	torus_candidates_t *used = used_of(supplies, t);
	torus_stock_t *stock = &supplies->stock[t];
	size_t kinds = (size_t)request->need->kinds;

	if (!stock->nodes)
		return 0;
	if (!stock->shared)
		stock->shared = torus_bitmap_create(stock->nodes);
	if (!stock->shared)
		return -1;
	memcpy(stock->shared, stock->usable,
	       TORUS_WORDS(stock->nodes) * sizeof(*stock->shared));
	for (uint32_t i = torus_bitmap_next_set(stock->usable, stock->nodes, 0);
	     i < stock->nodes;
	     i = torus_bitmap_next_set(stock->usable, stock->nodes, i + 1)) {
		if (!does(request->need, stock->has + i * kinds, nodes) &&
		    !(used->required && torus_bit_test(used->required, i)))
			torus_bit_clear(stock->shared, i);
	}
	used->free = stock->shared;
	return 0;
}

int torus_supplies_use_shares(torus_supplies_t *supplies,
			      const torus_decide_request_t *request, uint32_t nodes,
			      torus_error_t *err)
{
	torus_supplies_use_all(supplies, request);
	if (has_share(request->need, supplies->least, nodes))
		return 0;
	for (int t = 0; t <= supplies->tori; t++) {
		if (keep(supplies, request, t, has_share, nodes))
			return torus_fail(err, "out of memory for even shares");
	}
	return 0;
}

int torus_supplies_use_featured(torus_supplies_t *supplies,
				const torus_decide_request_t *request, torus_error_t *err)
{
	torus_supplies_use_all(supplies, request);
	for (int t = 0; t <= supplies->tori; t++) {
		if (keep(supplies, request, t, has_feature, 0))
			return torus_fail(err, "out of memory for features");
	}
	return 0;
}

uint32_t torus_supplies_count(const torus_supplies_t *supplies, int t)
{
	const torus_candidates_t *used =
		t < supplies->tori ? &supplies->torus[t] : &supplies->cluster.elsewhere;

	return supplies->stock[t].nodes
		       ? torus_bitmap_count(used->free, supplies->stock[t].nodes)
		       : 0;
}

bool torus_supplies_suffice(const torus_supplies_t *supplies, const torus_need_t *need,
			    const torus_cluster_placer_t *placer,
			    const torus_cluster_placement_t *placement)
{
	const torus_part_t *part = &placer->part[placement->torus];
	const torus_stock_t *stock = &supplies->stock[placement->torus];
	uint64_t sum[TORUS_MAX_KINDS] = {0};

	for (uint32_t i = 0; need->kinds && i < part->count; i++) {
		const uint64_t *has =
			stock->has + (size_t)part->rank[i] * (size_t)need->kinds;

		for (int kind = 0; kind < need->kinds; kind++)
			sum[kind] += has[kind];
	}
	for (int kind = 0; kind < need->kinds; kind++) {
		if (sum[kind] < need->sum[kind])
			return false;
	}
	return true;
}
