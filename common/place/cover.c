/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces that have no rank in common: see place/cover.h. */
#include "place/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* Numbers in the lists of pieces by rank, beyond which no cover is looked for. */
#define MOST_LISTED (UINT64_C(1) << 24)

/* Instead of a piece: the rank is given up. */
#define GIVEN_UP UINT32_MAX

/* One step on the way: a rank, and what became of it. */
typedef struct choice {
	uint32_t rank;
	uint32_t next;	/* place in the rank's list of what is tried after that */
	uint32_t piece; /* or GIVEN_UP */
} choice_t;

typedef struct covering {
	const torus_pieces_t *pieces;
	uint32_t all, size, count; /* ranks of the machine, of a piece; pieces wanted */
	uint64_t *left;		   /* bitmap of ranks: what is not covered */
	uint32_t spare;		   /* ranks that may still be given up */
	/* The pieces of each rank, the fewest hops first: listed[from[rank] ..] */
	uint32_t *from, *listed;
	uint32_t *ranks;  /* [size] of one piece */
	choice_t *choice; /* [count + spare] */
	uint32_t steps;	  /* that are left */
} covering_t;

static int make(covering_t *c, const uint64_t *ranks)
{
	size_t choices = (size_t)c->count + c->spare;

	c->left = torus_bitmap_create(c->all);
	c->ranks = malloc(c->size * sizeof(*c->ranks));
	c->choice = malloc(choices * sizeof(*c->choice));
	c->from = calloc((size_t)c->all + 2, sizeof(*c->from));
	c->listed = malloc(((size_t)c->pieces->count * c->size + 1) * sizeof(*c->listed));
	if (!c->left || !c->ranks || !c->choice || !c->from || !c->listed)
		return -1;
	memcpy(c->left, ranks, TORUS_WORDS(c->all) * sizeof(*c->left));
	return 0;
}

static void clear(covering_t *c)
{
	free(c->left);
	free(c->from);
	free(c->listed);
	free(c->ranks);
	free(c->choice);
}

static void list_by_rank(covering_t *c)
{
	const torus_pieces_t *pieces = c->pieces;

	for (uint32_t i = 0; i < pieces->count; i++) {
		torus_piece_ranks(pieces, &pieces->piece[i], c->ranks);
		for (uint32_t j = 0; j < c->size; j++)
			c->from[c->ranks[j] + 2]++;
	}
	for (uint32_t rank = 0; rank < c->all; rank++)
		c->from[rank + 2] += c->from[rank + 1];
	for (uint32_t i = 0; i < pieces->count; i++) {
		torus_piece_ranks(pieces, &pieces->piece[i], c->ranks);
		for (uint32_t j = 0; j < c->size; j++)
			c->listed[c->from[c->ranks[j] + 1]++] = i;
	}
}

/* Whether the piece has only ranks that are left. */
static bool is_left(covering_t *c, uint32_t piece)
{
	torus_piece_ranks(c->pieces, &c->pieces->piece[piece], c->ranks);
	for (uint32_t i = 0; i < c->size; i++) {
		if (!torus_bit_test(c->left, c->ranks[i]))
			return false;
	}
	return true;
}

/*
 * The next piece for a rank that is left, in its list from place [at] on. The place after
 * it is *at. GIVEN_UP: none.
 */
static uint32_t next_of(covering_t *c, uint32_t rank, uint32_t *at)
{
	while (*at < c->from[rank + 1] && c->steps) {
		uint32_t piece = c->listed[(*at)++];

		c->steps--;
		if (is_left(c, piece))
			return piece;
	}
	return GIVEN_UP;
}

/* The pieces of a rank that are left, counted as far as [most]. */
static uint32_t count_left(covering_t *c, uint32_t rank, uint32_t most)
{
	uint32_t count = 0, at = c->from[rank];

	while (count < most && next_of(c, rank, &at) != GIVEN_UP)
		count++;
	return count;
}

/* The rank that is covered next: the lowest that is left or, among those with the fewest
 * pieces left, the lowest. */
static uint32_t next_rank(covering_t *c, bool fewest_first)
{
	uint32_t fewest = UINT32_MAX;
	uint32_t rank = torus_bitmap_next_set(c->left, c->all, 0), best = rank;

	while (fewest_first && rank < c->all && fewest && c->steps) {
		uint32_t count = count_left(c, rank, fewest);

		if (count < fewest) {
			fewest = count;
			best = rank;
		}
		rank = torus_bitmap_next_set(c->left, c->all, rank + 1);
	}
	return best;
}

/* Take the ranks of a choice away, or put them back. */
static void turn_over(covering_t *c, const choice_t *choice, bool away)
{
	uint32_t count = c->size;

	if (choice->piece == GIVEN_UP) {
		c->ranks[0] = choice->rank;
		c->spare = away ? c->spare - 1 : c->spare + 1;
		count = 1;
	} else {
		torus_piece_ranks(c->pieces, &c->pieces->piece[choice->piece], c->ranks);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (away)
			torus_bit_clear(c->left, c->ranks[i]);
		else
			torus_bit_set(c->left, c->ranks[i]);
	}
}

/* Find what is tried next for the rank of a choice. Whether there is anything. */
static bool try_next(covering_t *c, choice_t *choice)
{
	/* Giving the rank up comes after all pieces. */
	if (choice->next > c->from[choice->rank + 1])
		return false;
	choice->piece = next_of(c, choice->rank, &choice->next);
	if (choice->piece != GIVEN_UP)
		return true;
	choice->next = c->from[choice->rank + 1] + 1;
	return c->steps && c->spare;
}

/* Go forward and back until enough pieces are taken. If they are not to be had, nothing
 * is taken away in the end. */
static torus_covering_t cover(covering_t *c, bool fewest_first, uint32_t steps)
{
	uint32_t depth = 0, taken = 0;
	bool forward = true;

	c->steps = steps;
	while (taken < c->count) {
		choice_t *choice;

		if (forward) {
			choice = &c->choice[depth];
			choice->rank = next_rank(c, fewest_first);
			choice->next = c->from[choice->rank];
		} else if (depth) {
			choice = &c->choice[--depth];
			turn_over(c, choice, false);
			taken -= choice->piece != GIVEN_UP;
		} else {
			return TORUS_NOT_COVERED;
		}
		forward = try_next(c, choice);
		c->steps -= c->steps > 0;
		if (!c->steps) {
			while (depth--)
				turn_over(c, &c->choice[depth], false);
			return TORUS_COVER_GAVE_UP;
		}
		if (forward) {
			turn_over(c, choice, true);
			taken += choice->piece != GIVEN_UP;
			depth++;
		}
	}
	for (uint32_t i = 0, n = 0; i < depth; i++) {
		if (c->choice[i].piece != GIVEN_UP)
			c->choice[n++] = c->choice[i];
	}
	return TORUS_COVERED;
}

torus_covering_t torus_pieces_cover(const torus_pieces_t *pieces, const uint64_t *ranks,
				    uint32_t count, uint32_t *covered, torus_error_t *err)
{
	covering_t c = {
		.pieces = pieces,
		.all = pieces->site->ranks,
		.size = pieces->size,
		.count = count,
	};
	torus_covering_t found = TORUS_COVER_GAVE_UP;

	c.spare = torus_bitmap_count(ranks, c.all) - count * c.size;
	if ((uint64_t)pieces->count * c.size > MOST_LISTED)
		return TORUS_COVER_GAVE_UP;
	if (make(&c, ranks)) {
		torus_fail(err, "out of memory for %u segments", count);
		clear(&c);
		return TORUS_COVER_ERROR;
	}
	list_by_rank(&c);
	if (!c.spare)
		found = cover(&c, false, TORUS_CUT_STEPS);
	if (found == TORUS_COVER_GAVE_UP)
		found = cover(&c, true,
			      c.spare ? TORUS_PACK_STEPS : TORUS_CUT_MORE_STEPS);
	for (uint32_t i = 0; found == TORUS_COVERED && i < count; i++)
		covered[i] = c.choice[i].piece;
	clear(&c);
	return found;
}
