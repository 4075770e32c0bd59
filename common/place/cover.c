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
	const uint64_t *required;  /* bitmap of ranks that are to be covered; or NULL */
	bool only_required;	   /* nothing else is to be */
	uint64_t *left;		   /* bitmap of ranks: what is not covered */
	uint32_t spare;		   /* ranks that may still be given up */
	/* The pieces of each rank, the fewest hops first: listed[from[rank] ..] */
	uint32_t *from, *listed;
	uint32_t *ranks;  /* [size] of one piece */
	choice_t *choice; /* [count + spare] */
	uint32_t steps;	  /* that are left */
	uint64_t looks;	  /* at ranks that are left, see site->work */
} covering_t;

static int make(covering_t *c, const uint64_t *ranks)
{
	size_t choices = (size_t)c->count + c->spare + 1;

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

static bool is_required(const covering_t *c, uint32_t rank)
{
	return c->required && torus_bit_test(c->required, rank);
}

/* The required ranks of a piece. */
static uint32_t required_in(const covering_t *c, uint32_t piece)
{
	uint32_t count = 0;

	torus_piece_ranks(c->pieces, &c->pieces->piece[piece], c->ranks);
	for (uint32_t i = 0; i < c->size; i++)
		count += is_required(c, c->ranks[i]);
	return count;
}

/* The required ranks that are left. */
static uint32_t required_left(const covering_t *c)
{
	uint32_t count = 0;

	for (size_t word = 0; c->required && word < TORUS_WORDS(c->all); word++)
		count +=
			(uint32_t)__builtin_popcountll(c->required[word] & c->left[word]);
	return count;
}

/* Of each required rank, the pieces with most of these first; the order remains. */
static int sort_by_required(covering_t *c)
{
	uint32_t *key = malloc(((size_t)c->pieces->count + 1) * sizeof(*key));
	uint32_t *sorted = malloc(((size_t)c->pieces->count + 1) * sizeof(*sorted));
	uint32_t *at = malloc(((size_t)c->size + 2) * sizeof(*at));
	int result = -1;

	if (!key || !sorted || !at)
		goto done;
	for (uint32_t i = 0; i < c->pieces->count; i++)
		key[i] = required_in(c, i);
	for (uint32_t rank = 0; rank < c->all; rank++) {
		uint32_t from = c->from[rank], end = c->from[rank + 1];

		if (!is_required(c, rank))
			continue;
		/* Where those with so many of them begin, the most in front. */
		memset(at, 0, ((size_t)c->size + 2) * sizeof(*at));
		for (uint32_t i = from; i < end; i++)
			at[c->size - key[c->listed[i]] + 1]++;
		for (uint32_t i = 1; i <= c->size; i++)
			at[i] += at[i - 1];
		for (uint32_t i = from; i < end; i++)
			sorted[at[c->size - key[c->listed[i]]]++] = c->listed[i];
		memcpy(c->listed + from, sorted, (end - from) * sizeof(*sorted));
	}
	result = 0;
done:
	free(key);
	free(sorted);
	free(at);
	return result;
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

static bool may_look(const covering_t *c)
{
	return c->steps && c->looks;
}

static void count_looks(covering_t *c, uint64_t looks)
{
	c->looks = c->looks > looks ? c->looks - looks : 0;
}

/* Whether the piece has only ranks that are left. */
static bool is_left(covering_t *c, uint32_t piece)
{
	uint64_t looks = 1;
	bool left = torus_piece_all(c->pieces, &c->pieces->piece[piece], c->left, true,
				    &looks);

	count_looks(c, looks);
	return left;
}

/*
 * The next piece for a rank that is left, in its list from place [at] on. The place after
 * it is *at. GIVEN_UP: none.
 */
static uint32_t next_of(covering_t *c, uint32_t rank, uint32_t *at)
{
	while (*at < c->from[rank + 1] && may_look(c)) {
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

/* The first rank from [rank] on that is left, and required if that matters. */
static uint32_t next_left(const covering_t *c, uint32_t rank, bool required)
{
	uint64_t first = ~UINT64_C(0) << rank % 64;

	if (!required)
		return torus_bitmap_next_set(c->left, c->all, rank);
	for (size_t word = rank / 64; word < TORUS_WORDS(c->all); word++) {
		uint64_t both = c->left[word] & c->required[word] & first;

		if (both)
			return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(both);
		first = ~UINT64_C(0);
	}
	return c->all;
}

/* The rank that is covered next, a required one if any is left: the lowest that is left
 * or, among those with the fewest pieces left, the lowest. */
static uint32_t next_rank(covering_t *c, bool fewest_first)
{
	bool required = required_left(c);
	uint32_t fewest = UINT32_MAX;
	uint32_t rank = next_left(c, 0, required), best = rank;

	while (fewest_first && rank < c->all && fewest && may_look(c)) {
		uint32_t count = count_left(c, rank, fewest);

		if (count < fewest) {
			fewest = count;
			best = rank;
		}
		rank = next_left(c, rank + 1, required);
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
	return may_look(c) && c->spare && !is_required(c, choice->rank);
}

/* Whether the pieces taken, so many, are what is wanted. */
static bool is_done(const covering_t *c, uint32_t taken)
{
	if (!c->only_required && taken < c->count)
		return false;
	return !required_left(c);
}

/* Whether those that may follow can have all required ranks. */
static bool may_go_on(const covering_t *c, uint32_t taken)
{
	return taken < c->count &&
	       required_left(c) <= (uint64_t)(c->count - taken) * c->size;
}

/* Go forward and back until enough pieces are taken; their number is *pieces_taken. If
 * they are not to be had, nothing is taken away in the end. */
static torus_covering_t cover(covering_t *c, bool fewest_first, uint32_t steps,
			      uint32_t *pieces_taken)
{
	uint32_t depth = 0, taken = 0;
	bool forward = true;

	c->steps = steps;
	while (!forward || !is_done(c, taken)) {
		choice_t *choice;

		if (forward && may_go_on(c, taken)) {
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
		count_looks(c, c->required ? 3 * TORUS_WORDS(c->all) : 1);
		if (!may_look(c)) {
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
	*pieces_taken = taken;
	return TORUS_COVERED;
}

/*
 * Leave out the ranks that are in no piece. Whether those that remain may be enough; then
 * c->spare is how many of them are not needed.
 */
static bool leave_out(covering_t *c)
{
	uint32_t needed = c->only_required ? 0 : c->count * c->size, useful = 0;

	for (uint32_t rank = torus_bitmap_next_set(c->left, c->all, 0); rank < c->all;
	     rank = torus_bitmap_next_set(c->left, c->all, rank + 1)) {
		if (c->from[rank] < c->from[rank + 1])
			useful++;
		else if (is_required(c, rank))
			return false;
		else
			torus_bit_clear(c->left, rank);
	}
	c->spare = useful > needed ? useful - needed : 0;
	return useful >= needed;
}

static torus_covering_t cover_ranks(const torus_pieces_t *pieces, const uint64_t *ranks,
				    const uint64_t *required, bool only_required,
				    uint32_t count, uint32_t *covered, uint32_t *taken,
				    torus_error_t *err)
{
	covering_t c = {
		.pieces = pieces,
		.all = pieces->site->ranks,
		.size = pieces->size,
		.count = count,
		.required = required,
		.only_required = only_required,
	};
	const uint64_t listed = (uint64_t)pieces->count * c.size;
	torus_covering_t found = TORUS_COVER_GAVE_UP;
	uint64_t *work = pieces->site->work;

	c.looks = work ? *work : UINT64_MAX;
	c.spare = torus_bitmap_count(ranks, c.all) - count * c.size;
	if (listed > MOST_LISTED || 2 * listed >= c.looks)
		return TORUS_COVER_GAVE_UP;
	c.looks -= 2 * listed;
	if (make(&c, ranks)) {
		torus_fail(err, "out of memory for %u segments", count);
		clear(&c);
		return TORUS_COVER_ERROR;
	}
	list_by_rank(&c);
	if (required && sort_by_required(&c)) {
		torus_fail(err, "out of memory for %u segments", count);
		clear(&c);
		return TORUS_COVER_ERROR;
	}
	if (!leave_out(&c))
		found = TORUS_NOT_COVERED;
	else if (!c.spare)
		found = cover(&c, false, TORUS_CUT_STEPS, taken);
	if (found == TORUS_COVER_GAVE_UP)
		found = cover(&c, true, c.spare ? TORUS_PACK_STEPS : TORUS_CUT_MORE_STEPS,
			      taken);
	for (uint32_t i = 0; found == TORUS_COVERED && i < *taken; i++)
		covered[i] = c.choice[i].piece;
	if (work)
		*work = c.looks;
	clear(&c);
	return found;
}

torus_covering_t torus_pieces_cover(const torus_pieces_t *pieces, const uint64_t *ranks,
				    const uint64_t *required, uint32_t count,
				    uint32_t *covered, torus_error_t *err)
{
	uint32_t taken;

	return cover_ranks(pieces, ranks, required, false, count, covered, &taken, err);
}

torus_covering_t torus_pieces_cover_required(const torus_pieces_t *pieces,
					     const uint64_t *ranks,
					     const uint64_t *required, uint32_t count,
					     uint32_t *covered, uint32_t *taken,
					     torus_error_t *err)
{
	return cover_ranks(pieces, ranks, required, true, count, covered, taken, err);
}
