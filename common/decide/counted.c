/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes have as many of each feature as a job counts: see decide/counted.h. */
#include "decide/counted.h"

#include <stdlib.h>

/* Nodes that have the same features. */
typedef struct kind {
	uint64_t has;
	uint32_t room; /* nodes that count for no feature yet */
} kind_t;

typedef struct counting {
	int features;
	size_t kinds;
	kind_t *kind;	 /* [kinds] */
	uint32_t *given; /* [kinds * features] nodes of the kind that count for each */
	/* The search for a path: how each feature was reached. */
	bool reached[TORUS_COUNTED_MOST];
	int from[TORUS_COUNTED_MOST];	    /* feature; -1: it is the first */
	size_t through[TORUS_COUNTED_MOST]; /* kind */
} counting_t;

static uint32_t *given(const counting_t *c, size_t kind, int feature)
{
	return &c->given[kind * (size_t)c->features + (size_t)feature];
}

/* Reach the features that have nodes of [kind], by [feature]; they are added to queue[].
 */
static void reach(counting_t *c, size_t kind, int feature, int *queue, int *last)
{
	for (int other = 0; other < c->features; other++) {
		if (c->reached[other] || !*given(c, kind, other))
			continue;
		c->reached[other] = true;
		c->from[other] = feature;
		c->through[other] = kind;
		queue[(*last)++] = other;
	}
}

/* Have up to [wanted] nodes of [kind] count for [feature], and what that takes from each
 * feature on the way be made good by the one before. How many. */
static uint32_t shift(counting_t *c, size_t kind, int feature, uint32_t wanted)
{
	uint32_t most = c->kind[kind].room < wanted ? c->kind[kind].room : wanted;

	for (int f = feature; c->from[f] >= 0; f = c->from[f]) {
		uint32_t there = *given(c, c->through[f], f);

		most = there < most ? there : most;
	}
	c->kind[kind].room -= most;
	*given(c, kind, feature) += most;
	for (int f = feature; c->from[f] >= 0; f = c->from[f]) {
		*given(c, c->through[f], f) -= most;
		*given(c, c->through[f], c->from[f]) += most;
	}
	return most;
}

/* Count up to [wanted] more nodes for [feature], by the shortest way. How many; 0: there
 * are none. */
static uint32_t count_more(counting_t *c, int feature, uint32_t wanted)
{
	int queue[TORUS_COUNTED_MOST], last = 0;

	for (int f = 0; f < c->features; f++)
		c->reached[f] = f == feature;
	c->from[feature] = -1;
	queue[last++] = feature;
	for (int next = 0; next < last; next++) {
		int f = queue[next];

		for (size_t k = 0; k < c->kinds; k++) {
			if (!(c->kind[k].has >> f & 1))
				continue;
			if (c->kind[k].room)
				return shift(c, k, f, wanted);
			reach(c, k, f, queue, &last);
		}
	}
	return 0;
}

static bool each_on_its_own(counting_t *c, const uint32_t *number)
{
	for (int feature = 0; feature < c->features; feature++) {
		for (uint32_t left = number[feature]; left;) {
			uint32_t more = count_more(c, feature, left);

			if (!more)
				return false;
			left -= more;
		}
	}
	return true;
}

static size_t find_kinds(const uint64_t *has, size_t count, kind_t *kind)
{
	size_t kinds = 0;

	for (size_t i = 0; i < count; i++) {
		if (!kinds || kind[kinds - 1].has != has[i])
			kind[kinds++] = (kind_t){.has = has[i]};
		kind[kinds - 1].room++;
	}
	return kinds;
}

/* Whether each feature by itself is on enough nodes. */
static bool enough_with_each(int features, const uint32_t *number, const uint64_t *has,
			     size_t count)
{
	for (int feature = 0; feature < features; feature++) {
		uint32_t with = 0;

		for (size_t i = 0; i < count; i++)
			with += has[i] >> feature & 1;
		if (with < number[feature])
			return false;
	}
	return true;
}

static int compare_sets(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return one < other ? -1 : one > other;
}

bool torus_counted_suffice(int features, const uint32_t *number, bool apart,
			   uint64_t *has, size_t count)
{
	counting_t c = {.features = features};
	bool suffice = false;

	if (!enough_with_each(features, number, has, count))
		return false;
	if (!apart || !features)
		return true;
	qsort(has, count, sizeof(*has), compare_sets);
	c.kind = malloc((count + 1) * sizeof(*c.kind));
	if (c.kind) {
		c.kinds = find_kinds(has, count, c.kind);
		c.given = calloc((c.kinds + 1) * (size_t)features, sizeof(*c.given));
		suffice = c.given && each_on_its_own(&c, number);
	}
	free(c.given);
	free(c.kind);
	return suffice;
}

uint32_t torus_counted_least(int features, const uint32_t *number, bool apart)
{
	uint32_t sum = 0, most = 0;

	for (int i = 0; i < features; i++) {
		sum += number[i];
		most = number[i] > most ? number[i] : most;
	}
	return apart ? sum : most;
}

uint64_t torus_counted_sum(int features, const uint32_t *number, uint32_t subset)
{
	uint64_t sum = 0;

	for (int i = 0; i < features && i < TORUS_COUNTED_SUBSET; i++)
		sum += (subset >> i & 1) ? number[i] : 0;
	return sum;
}

bool torus_counted_overlap(const uint32_t *overlap, uint32_t subset)
{
	uint32_t reached = subset & -subset, before = 0;

	while (reached != before) {
		before = reached;
		for (int i = 0; i < TORUS_COUNTED_SUBSET; i++) {
			if (reached >> i & 1)
				reached |= overlap[i] & subset;
		}
	}
	return reached == subset;
}
