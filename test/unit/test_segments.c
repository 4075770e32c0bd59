/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments: against the rules followed step by step, and against all choices there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "place/box_sizes.h"
#include "place/pieces.h"
#include "place/segments.h"
#include "random.h"

#define MOST 160
#define MOST_PIECES 20000

typedef struct machine {
	torus_geometry_t geometry;
	torus_segments_site_t site;
	uint32_t cell_of_rank[MOST];
	uint64_t free_ranks[TORUS_WORDS(MOST)];
	uint64_t weights[MOST];
	bool even; /* all routers with nodes have equally many */
	uint32_t per_router;
} machine_t;

typedef struct slow_piece {
	bool has[MOST];
	uint64_t hops;
	uint32_t middle, order;
	bool box;
} slow_piece_t;

static slow_piece_t slow[MOST_PIECES];
static uint32_t slow_count;

/* ---- machines ---- */

static void shuffle(machine_t *machine)
{
	for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
		uint32_t other = random_in(rank, machine->site.ranks - 1);
		uint32_t cell = machine->cell_of_rank[rank];

		machine->cell_of_rank[rank] = machine->cell_of_rank[other];
		machine->cell_of_rank[other] = cell;
	}
}

static void random_machine(machine_t *machine, uint32_t most_cells)
{
	uint32_t cells, taken = random_in(0, 20);
	bool holes = !random_in(0, 3);

	memset(machine, 0, sizeof(*machine));
	machine->geometry = random_geometry(random_in(0, 2) ? 3 : 4, most_cells);
	machine->even = random_in(0, 3);
	machine->per_router = random_in(0, 2) ? 1 : 2;
	cells = torus_geometry_cells(&machine->geometry);
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t nodes = machine->even ? machine->per_router : random_in(1, 2);

		if (holes && !random_in(0, 15))
			nodes = 0;
		while (nodes-- && machine->site.ranks < MOST)
			machine->cell_of_rank[machine->site.ranks++] = cell;
	}
	if (!machine->site.ranks)
		machine->cell_of_rank[machine->site.ranks++] = 0;
	if (!random_in(0, 3))
		shuffle(machine);
	machine->site.geometry = &machine->geometry;
	machine->site.cell_of_rank = machine->cell_of_rank;
	machine->site.span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
	for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
		machine->weights[rank] = random_in(1, 3);
		if (random_in(1, 40) > taken)
			torus_bit_set(machine->free_ranks, rank);
	}
	/* Where only some routers happen to have other numbers, they are even. */
	if (!machine->even) {
		uint32_t nodes_on[MOST + 1] = {0}, fewest = MOST, most = 0;

		for (uint32_t rank = 0; rank < machine->site.ranks; rank++)
			nodes_on[machine->cell_of_rank[rank]]++;
		for (uint32_t cell = 0; cell < cells; cell++) {
			if (nodes_on[cell] && nodes_on[cell] < fewest)
				fewest = nodes_on[cell];
			if (nodes_on[cell] > most)
				most = nodes_on[cell];
		}
		machine->even = fewest == most;
	}
}

static uint32_t free_of(const machine_t *machine)
{
	return torus_bitmap_count(machine->free_ranks, machine->site.ranks);
}

static uint64_t slow_hops(const machine_t *machine, const bool *has)
{
	uint64_t sum = 0;

	for (uint32_t a = 0; a < machine->site.ranks; a++) {
		for (uint32_t b = 0; has[a] && b < machine->site.ranks; b++) {
			if (has[b])
				sum += torus_hops_cells(&machine->geometry,
							machine->cell_of_rank[a],
							machine->cell_of_rank[b]);
		}
	}
	return sum;
}

/* ---- pieces, slowly ---- */

static void slow_add(const machine_t *machine, const bool *has, uint32_t middle, bool box)
{
	slow_piece_t *piece = &slow[slow_count];

	assert_true(slow_count < MOST_PIECES);
	memcpy(piece->has, has, sizeof(piece->has));
	piece->hops = slow_hops(machine, has);
	piece->middle = middle;
	piece->box = box;
	piece->order = slow_count++;
}

static bool same_as_before(uint32_t from, const bool *has)
{
	for (uint32_t i = from; i < slow_count; i++) {
		if (!memcmp(slow[i].has, has, sizeof(slow[i].has)))
			return true;
	}
	return false;
}

/* The box with these sides at a corner, if it is free and has [size] nodes. */
static void slow_box(const machine_t *machine, const int32_t *side, uint32_t corner,
		     uint32_t size, uint32_t first_of_turn)
{
	const torus_geometry_t *geometry = &machine->geometry;
	int32_t at[TORUS_MAX_DIMS], middle[TORUS_MAX_DIMS];
	uint32_t cells = torus_geometry_cells(geometry), count = 0;
	bool has[MOST] = {false};

	torus_cell_to_coord(geometry, corner, at);
	memcpy(middle, at, sizeof(middle));
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		if (side[axis] > length ||
		    (!geometry->wrap[axis] && at[axis] + side[axis] > length))
			return;
		middle[axis] = (at[axis] + side[axis] / 2) % length;
	}
	for (uint32_t cell = 0; cell < cells; cell++) {
		bool any = false;

		if (!torus_box_has(geometry, at, side, cell))
			continue;
		for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
			if (machine->cell_of_rank[rank] != cell)
				continue;
			if (!torus_bit_test(machine->free_ranks, rank))
				return;
			has[rank] = any = true;
			count++;
		}
		if (!any)
			return;
	}
	if (count == size && !same_as_before(first_of_turn, has))
		slow_add(machine, has, torus_coord_to_cell(geometry, middle), true);
}

static void slow_boxes(const machine_t *machine, uint32_t size)
{
	torus_router_nodes_t on_router;
	uint32_t nodes_on[MOST + 1];
	torus_box_sizes_t sizes;
	torus_error_t err;

	if (!machine->even)
		return;
	on_router = torus_router_nodes(&machine->geometry, machine->cell_of_rank,
				       machine->site.ranks, nodes_on);
	assert_int_equal(torus_box_sizes_list(&machine->geometry, on_router, size, false,
					      &sizes, &err),
			 0);
	for (size_t i = 0; i < sizes.count && i < TORUS_PIECES_SIZES; i++) {
		int32_t side[TORUS_MAX_DIMS];

		memcpy(side, sizes.size[i].shape.side, sizeof(side));
		do {
			uint32_t first = slow_count;

			for (uint32_t cell = 0;
			     cell < torus_geometry_cells(&machine->geometry); cell++)
				slow_box(machine, side, cell, size, first);
		} while (torus_next_rotation(machine->geometry.dims, side));
	}
	torus_box_sizes_free(&sizes);
}

static bool slow_window(const machine_t *machine, uint32_t first, uint32_t size,
			bool *has)
{
	uint32_t ranks = machine->site.ranks;

	memset(has, 0, MOST * sizeof(*has));
	if (machine->site.span == TORUS_SPAN_LINEAR && first + size > ranks)
		return false;
	for (uint32_t i = 0; i < size; i++) {
		uint32_t rank = (first + i) % ranks;

		if (!torus_bit_test(machine->free_ranks, rank))
			return false;
		has[rank] = true;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const slow_piece_t *one = a, *other = b;

	if (one->hops != other->hops)
		return one->hops < other->hops ? -1 : 1;
	return one->order < other->order ? -1 : 1;
}

static void slow_pieces(const machine_t *machine, uint32_t size)
{
	bool has[MOST];

	slow_count = 0;
	if (size > machine->site.ranks)
		return;
	slow_boxes(machine, size);
	for (uint32_t first = 0; first < machine->site.ranks; first++) {
		if (slow_window(machine, first, size, has) &&
		    (size < machine->site.ranks || !first))
			slow_add(machine, has,
				 machine->cell_of_rank[(first + size / 2) %
						       machine->site.ranks],
				 false);
	}
}

static uint32_t random_size(const machine_t *machine)
{
	uint32_t most = machine->site.ranks < 16 ? machine->site.ranks : 16;

	return random_in(1, random_in(0, 2) ? most : machine->site.ranks);
}

/* On a ring the intervals that go around the end come in another order: by the run. */
static void pieces_as_found_slowly(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(4000); i++) {
		machine_t machine;
		torus_pieces_t pieces;
		torus_error_t err;
		uint32_t size, ranks[MOST];
		uint32_t boxes = 0;

		random_machine(&machine, 60);
		size = random_size(&machine);
		slow_pieces(&machine, size);
		assert_int_equal(torus_pieces_list(&pieces, &machine.site,
						   machine.free_ranks, size, &err),
				 0);
		assert_int_equal(pieces.count, slow_count);
		qsort(slow, slow_count, sizeof(*slow), compare);
		for (uint32_t j = 0; j < pieces.count; j++) {
			const torus_piece_t *piece = &pieces.piece[j];
			bool has[MOST] = {false};

			torus_piece_ranks(&pieces, piece, ranks);
			for (uint32_t k = 0; k < size; k++)
				has[ranks[k]] = true;
			assert_int_equal(piece->hops, slow_hops(&machine, has));
			assert_int_equal(piece->hops, slow[j].hops);
			assert_int_equal(piece->turn >= 0, slow[j].box);
			boxes += piece->turn >= 0;
			if (piece->turn >= 0 || machine.site.span == TORUS_SPAN_LINEAR) {
				assert_memory_equal(has, slow[j].has, sizeof(has));
				assert_int_equal(piece->middle, slow[j].middle);
			}
		}
		reached("no pieces", !pieces.count);
		reached("boxes and intervals", boxes && boxes < pieces.count);
		reached("a ring", machine.site.span == TORUS_SPAN_RING);
		reached("routers that differ", !machine.even && pieces.count);
		torus_pieces_free(&pieces);
	}
	assert_true(reached_all(2));
}

/* ---- the choice, slowly ---- */

static bool disjoint(const bool *a, const bool *b)
{
	for (uint32_t rank = 0; rank < MOST; rank++) {
		if (a[rank] && b[rank])
			return false;
	}
	return true;
}

/* The class of a piece: how many eighths more hops than the fewest. */
static int slow_class(uint64_t hops, uint64_t fewest)
{
	static const uint64_t eighths[] = {0, 1, 2, 4, 8};

	for (int i = 0; i < 5; i++) {
		if (8 * (hops - fewest) <= eighths[i] * fewest)
			return i;
	}
	return 5;
}

static bool slow_grow(const machine_t *machine, const torus_pieces_t *pieces,
		      uint32_t begin, uint32_t count, bool *taken, uint64_t *within)
{
	static bool has[MOST_PIECES][MOST];
	uint32_t middle[MOST], ranks[MOST];

	for (uint32_t i = 0; i < pieces->count; i++) {
		memset(has[i], 0, sizeof(has[i]));
		torus_piece_ranks(pieces, &pieces->piece[i], ranks);
		for (uint32_t j = 0; j < pieces->size; j++)
			has[i][ranks[j]] = true;
	}
	memcpy(taken, has[begin], MOST * sizeof(*taken));
	*within = pieces->piece[begin].hops;
	middle[0] = pieces->piece[begin].middle;
	for (uint32_t n = 1; n < count; n++) {
		uint32_t best = UINT32_MAX;
		uint64_t best_hops = 0;
		int best_class = 0;

		for (uint32_t i = 0; i < pieces->count; i++) {
			const torus_piece_t *piece = &pieces->piece[i];
			int class = slow_class(piece->hops, pieces->piece[0].hops);
			uint64_t hops = 0;

			if (!disjoint(has[i], taken))
				continue;
			for (uint32_t j = 0; j < n; j++)
				hops += torus_hops_cells(&machine->geometry,
							 piece->middle, middle[j]);
			if (best == UINT32_MAX || class < best_class ||
			    (class == best_class && hops < best_hops)) {
				best = i;
				best_class = class;
				best_hops = hops;
			}
		}
		if (best == UINT32_MAX)
			return false;
		for (uint32_t rank = 0; rank < MOST; rank++)
			taken[rank] |= has[best][rank];
		*within += pieces->piece[best].hops;
		middle[n] = pieces->piece[best].middle;
	}
	return true;
}

typedef struct slow_choice {
	bool found;
	bool taken[MOST];
	torus_segments_hops_t hops;
} slow_choice_t;

static void slow_keep(const machine_t *machine, const bool *taken, uint64_t within,
		      slow_choice_t *best)
{
	uint64_t all = slow_hops(machine, taken);

	if (best->found && (within > best->hops.within ||
			    (within == best->hops.within && all >= best->hops.all)))
		return;
	best->found = true;
	memcpy(best->taken, taken, sizeof(best->taken));
	best->hops = (torus_segments_hops_t){.within = within, .all = all};
}

/* The first rank of each segment of the intervals, in the order of the line. */
static uint32_t slow_segments(const machine_t *machine, uint32_t size, uint32_t *begin)
{
	uint32_t ranks = machine->site.ranks, count = 0, start = 0, length;
	const uint64_t *free_ranks = machine->free_ranks;
	bool has[MOST];

	if (machine->site.span == TORUS_SPAN_RING &&
	    torus_bit_test(free_ranks, ranks - 1) && free_of(machine) < ranks)
		while (torus_bit_test(free_ranks, start))
			start++;
	for (uint32_t at = 0; at < ranks; at += length + 1) {
		uint32_t best = 0;
		uint64_t fewest = UINT64_MAX;

		length = 0;
		while (at + length < ranks &&
		       torus_bit_test(free_ranks, (start + at + length) % ranks))
			length++;
		for (uint32_t skip = 0; length >= size && skip <= length % size; skip++) {
			uint64_t sum = 0;

			for (uint32_t i = skip; i + size <= length; i += size) {
				memset(has, 0, sizeof(has));
				for (uint32_t j = 0; j < size; j++)
					has[(start + at + i + j) % ranks] = true;
				sum += slow_hops(machine, has);
			}
			if (sum < fewest) {
				fewest = sum;
				best = skip;
			}
		}
		for (uint32_t i = best; i + size <= length; i += size)
			begin[count++] = (start + at + i) % ranks;
	}
	return count;
}

static void slow_cut(const machine_t *machine, uint32_t size, uint32_t count,
		     slow_choice_t *best)
{
	uint32_t begin[MOST], ranks = machine->site.ranks, smallest = UINT32_MAX, at = 0;
	uint32_t there = slow_segments(machine, size, begin);
	bool taken[MOST] = {false}, has[MOST];
	uint64_t within = 0;

	if (there < count)
		return;
	for (uint32_t i = 0; i < there; i++) {
		uint32_t span;

		if (machine->site.span == TORUS_SPAN_LINEAR && i + count > there)
			break;
		span = (begin[(i + count - 1) % there] + ranks - begin[i]) % ranks;
		if (span < smallest) {
			smallest = span;
			at = i;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		memset(has, 0, sizeof(has));
		for (uint32_t j = 0; j < size; j++)
			has[(begin[(at + i) % there] + j) % ranks] = true;
		within += slow_hops(machine, has);
		for (uint32_t rank = 0; rank < ranks; rank++)
			taken[rank] |= has[rank];
	}
	slow_keep(machine, taken, within, best);
}

static slow_choice_t slow_place(const machine_t *machine, uint32_t size, uint32_t count)
{
	slow_choice_t best = {0};
	torus_pieces_t pieces;
	torus_error_t err;
	uint64_t within;
	bool taken[MOST];

	assert_int_equal(torus_pieces_list(&pieces, &machine->site, machine->free_ranks,
					   size, &err),
			 0);
	assert_true(pieces.count < MOST_PIECES);
	for (uint32_t i = 0; i < pieces.count; i++) {
		if (slow_class(pieces.piece[i].hops, pieces.piece[0].hops))
			break;
		if (slow_grow(machine, &pieces, i, count, taken, &within))
			slow_keep(machine, taken, within, &best);
	}
	if (!best.found)
		slow_cut(machine, size, count, &best);
	torus_pieces_free(&pieces);
	return best;
}

/* ---- all choices there are ---- */

typedef struct all {
	uint32_t count;
	const uint64_t *required; /* bitmap */
	bool found;
	uint64_t within;
	uint64_t tried;
} all_t;

/* The fewest hops within of all ways to have [count] pieces, in the order of the list. */
static void try_all(all_t *all, uint32_t from, uint32_t n, const bool *taken,
		    uint64_t within)
{
	if (all->found && within >= all->within)
		return;
	if (n == all->count) {
		for (uint32_t rank = 0; rank < MOST; rank++) {
			if (torus_bit_test(all->required, rank) && !taken[rank])
				return;
		}
		all->found = true;
		all->within = within;
		return;
	}
	for (uint32_t i = from; i < slow_count && all->tried < 200000; i++) {
		bool more[MOST];

		all->tried++;
		if (!disjoint(slow[i].has, taken))
			continue;
		for (uint32_t rank = 0; rank < MOST; rank++)
			more[rank] = taken[rank] || slow[i].has[rank];
		try_all(all, i + 1, n + 1, more, within + slow[i].hops);
	}
}

/*
 * What was found by trying: its ranks, ascending, can be cut into pieces. Neither the way
 * that it was found nor the cut, which may be another, has fewer hops within than there
 * can be.
 */
static void expect_pieces(const machine_t *machine, const uint32_t *chosen, uint32_t size,
			  uint32_t count, const torus_segments_hops_t *hops)
{
	uint32_t order[MOST];
	const uint64_t none[TORUS_WORDS(MOST)] = {0};
	all_t all = {.count = count, .required = none};
	machine_t held = *machine;
	bool taken[MOST] = {false}, pieces;
	torus_segments_hops_t cut;
	torus_error_t err;

	memset(held.free_ranks, 0, sizeof(held.free_ranks));
	for (uint32_t i = 0; i < size * count; i++)
		torus_bit_set(held.free_ranks, chosen[i]);
	slow_pieces(&held, size);
	qsort(slow, slow_count, sizeof(*slow), compare);
	try_all(&all, 0, 0, taken, 0);
	assert_true(all.found || all.tried >= 200000);
	assert_int_equal(torus_segments_cut(&machine->site, chosen, size, count, order,
					    &pieces, &cut, &err),
			 0);
	assert_true(pieces);
	assert_int_equal(cut.all, hops->all);
	if (all.tried < 200000) {
		assert_true(cut.within >= all.within);
		assert_true(hops->within >= all.within);
	}
	for (uint32_t i = 0; i < size * count; i++) {
		assert_true(torus_bit_test(machine->free_ranks, chosen[i]));
		assert_true(!i || chosen[i] > chosen[i - 1]);
	}
}

static void as_by_the_rules(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(3000); i++) {
		machine_t machine;
		uint32_t size, count, chosen[MOST], in_intervals;
		slow_choice_t best;
		torus_segments_hops_t hops;
		torus_error_t err;
		int found;

		random_machine(&machine, 40);
		size = random_size(&machine);
		count = random_in(1, machine.site.ranks / size + 1);
		best = slow_place(&machine, size, count);
		in_intervals = torus_segments_in_intervals(&machine.site,
							   machine.free_ranks, size);
		found = torus_segments_place(&machine.site, machine.free_ranks, size,
					     count, chosen, &hops, &err);
		assert_true(found || (!best.found && in_intervals < count));
		reached("none", !found);
		reached("found, not in intervals", found && in_intervals < count);
		reached("one segment", found && count == 1);
		reached("several", found && count > 2 && size > 2);
		if (found && !best.found)
			expect_pieces(&machine, chosen, size, count, &hops);
		if (!best.found)
			continue;
		assert_int_equal(hops.within, best.hops.within);
		assert_int_equal(hops.all, best.hops.all);
		for (uint32_t j = 0; j < size * count; j++) {
			assert_true(best.taken[chosen[j]]);
			assert_true(!j || chosen[j] > chosen[j - 1]);
		}
	}
	assert_true(reached_all(RANDOM_CASES(4)));
}

/* ---- beside all choices ---- */

/* Require [n] of the free ranks, or as many as there are. */
static void require(machine_t *machine, uint64_t *required, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank = random_in(0, machine->site.ranks - 1);

		rank = torus_bitmap_next_set(machine->free_ranks, machine->site.ranks,
					     rank);
		if (rank < machine->site.ranks)
			torus_bit_set(required, rank);
	}
	machine->site.required = required;
}

static void compare_with_best(uint32_t most_required)
{
	uint32_t compared = 0, placed = 0, reaching = 0, missed = 0;
	double excess = 0;

	for (int i = 0; i < RANDOM_CASES(2000); i++) {
		machine_t machine;
		uint32_t size, count, chosen[MOST];
		uint64_t required[TORUS_WORDS(MOST)] = {0};
		all_t all = {.required = required};
		bool taken[MOST] = {false};
		torus_segments_hops_t hops;
		torus_error_t err;
		int found;

		random_machine(&machine, 27);
		if (most_required)
			require(&machine, required, random_in(1, most_required));
		size = random_in(2, 6);
		count = random_in(1, machine.site.ranks / size + 1);
		slow_pieces(&machine, size);
		qsort(slow, slow_count, sizeof(*slow), compare);
		all.count = count;
		try_all(&all, 0, 0, taken, 0);
		if (all.tried >= 200000)
			continue;
		found = torus_segments_place(&machine.site, machine.free_ranks, size,
					     count, chosen, &hops, &err);
		compared++;
		assert_true(all.found || !found);
		if (!found) {
			missed += all.found;
			continue;
		}
		assert_true(hops.within >= all.within);
		for (uint32_t rank = 0, n = 0; rank < machine.site.ranks; rank++) {
			bool has = n < size * count && chosen[n] == rank;

			assert_true(has || !torus_bit_test(required, rank));
			n += has;
		}
		placed++;
		reaching += hops.within == all.within;
		if (all.within)
			excess += (double)hops.within / (double)all.within - 1;
	}
	printf("# of %u placed %u have the fewest hops within, %.2f%% more on average; "
	       "%u of %u are not found\n",
	       placed, reaching, 100 * excess / placed, missed, compared);
	assert_true(placed > 50 && reaching > placed / 2);
	assert_int_equal(missed, 0);
}

static void beside_the_best_there_is(void **state)
{
	(void)state;
	compare_with_best(0);
}

static void required_ranks_are_in(void **state)
{
	(void)state;
	compare_with_best(4);
}

/* ---- weights ---- */

static void lowest_weight(void **state)
{
	(void)state;
	for (int i = 0; i < RANDOM_CASES(1000); i++) {
		machine_t machine, light;
		uint32_t size, count, chosen[MOST], expected[MOST];
		torus_segments_hops_t hops, of_light;
		torus_error_t err;
		uint64_t limit = 0;
		int found, there = 0;

		random_machine(&machine, 40);
		size = random_in(1, 5);
		count = random_in(1, machine.site.ranks / size + 1);
		for (limit = 1; !there && limit <= 3; limit++) {
			light = machine;
			light.site.geometry = &light.geometry;
			light.site.cell_of_rank = light.cell_of_rank;
			for (uint32_t rank = 0; rank < machine.site.ranks; rank++) {
				if (machine.weights[rank] > limit)
					torus_bit_clear(light.free_ranks, rank);
			}
			there = torus_segments_place(&light.site, light.free_ranks, size,
						     count, expected, &of_light, &err);
		}
		found = torus_segments_place_weighted(&machine.site, machine.free_ranks,
						      machine.weights, size, count,
						      chosen, &hops, &err);
		assert_int_equal(found, there);
		reached("light nodes are enough", found && limit <= 3);
		reached("all nodes are needed", found && limit == 4);
		if (found)
			assert_memory_equal(chosen, expected,
					    size * count * sizeof(*chosen));
	}
	assert_true(reached_all(2));
}

/* ---- cuts ---- */

static bool is_piece(const uint32_t *ranks, uint32_t size)
{
	bool has[MOST] = {false};

	for (uint32_t i = 0; i < size; i++)
		has[ranks[i]] = true;
	return same_as_before(0, has);
}

static void cuts_of_choices(void **state)
{
	int cut_short = 0;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(2000); i++) {
		machine_t machine;
		uint32_t size, count, chosen[MOST], order[MOST];
		bool pieces, seen[MOST] = {false};
		torus_segments_hops_t hops, cut;
		torus_error_t err;
		uint64_t within = 0;
		int found;

		random_machine(&machine, 60);
		size = random_in(1, 8);
		count = random_in(1, machine.site.ranks / size + 1);
		found = torus_segments_place(&machine.site, machine.free_ranks, size,
					     count, chosen, &hops, &err);
		if (!found)
			continue;
		if (random_in(0, 3)) {
			found = 2;
		} else { /* nodes that somebody named */
			for (uint32_t rank = 0, n = 0; n < size * count; rank++) {
				if (torus_bit_test(machine.free_ranks, rank))
					chosen[n++] = rank;
			}
		}
		assert_int_equal(torus_segments_cut(&machine.site, chosen, size, count,
						    order, &pieces, &cut, &err),
				 0);
		memset(machine.free_ranks, 0, sizeof(machine.free_ranks));
		for (uint32_t j = 0; j < size * count; j++)
			torus_bit_set(machine.free_ranks, chosen[j]);
		slow_pieces(&machine, size);
		cut_short += !pieces && found == 2;
		reached("chosen", found == 2 && count > 1);
		reached("named, in pieces", found == 1 && pieces && count > 1);
		reached("named, not in pieces", found == 1 && !pieces);
		for (uint32_t j = 0; j < count; j++) {
			const uint32_t *segment = order + (size_t)j * size;
			bool has[MOST] = {false};

			for (uint32_t k = 0; k < size; k++) {
				assert_false(seen[segment[k]]);
				assert_true(
					torus_bit_test(machine.free_ranks, segment[k]));
				seen[segment[k]] = has[segment[k]] = true;
				assert_true(!k || segment[k] > segment[k - 1]);
			}
			assert_true(!j || segment[0] > segment[-(int)size]);
			assert_true(!pieces || is_piece(segment, size));
			within += slow_hops(&machine, has);
		}
		assert_int_equal(cut.within, within);
		if (found == 2)
			assert_int_equal(cut.all, hops.all);
	}
	assert_int_equal(cut_short, 0);
	assert_true(reached_all(2));
}

/* ---- by hand ---- */

static void on_an_empty_cube(void **state)
{
	static uint32_t cell_of_rank[512], chosen[512], order[512];
	uint64_t free_ranks[8];
	torus_geometry_t geometry = {
		.dims = 3,
		.length = {8, 8, 8, 1, 1, 1},
		.wrap = {true, true, true},
	};
	torus_segments_site_t site = {.geometry = &geometry,
				      .cell_of_rank = cell_of_rank,
				      .ranks = 512,
				      .span = TORUS_SPAN_RING};
	torus_segments_hops_t hops;
	torus_error_t err;
	bool pieces;

	(void)state;
	memset(free_ranks, 0xff, sizeof(free_ranks));
	for (uint32_t rank = 0; rank < 512; rank++)
		cell_of_rank[rank] = rank; /* row-major: an interval of 8 is a line */
	assert_int_equal(
		torus_segments_place(&site, free_ranks, 8, 8, chosen, &hops, &err), 1);
	/* Eight boxes 2x2x2, of 96 hops each, and together a box 4x4x4. */
	assert_int_equal(hops.within, 8 * 96);
	assert_int_equal(hops.all, 3 * 20 * 16 * 16);
	assert_int_equal(
		torus_segments_cut(&site, chosen, 8, 8, order, &pieces, &hops, &err), 0);
	assert_true(pieces);
	assert_int_equal(hops.within, 8 * 96);
	/* The whole machine. */
	assert_int_equal(
		torus_segments_place(&site, free_ranks, 8, 64, chosen, &hops, &err), 1);
	assert_int_equal(
		torus_segments_place(&site, free_ranks, 8, 65, chosen, &hops, &err), 0);
}

static void what_divides(void **state)
{
	(void)state;
	assert_true(torus_segments_divide(8, 4));
	assert_true(torus_segments_divide(3, 4));
	assert_true(torus_segments_divide(4, 4));
	assert_false(torus_segments_divide(6, 4));
	assert_true(torus_segments_divide(6, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_as_found_slowly),
		cmocka_unit_test(as_by_the_rules),
		cmocka_unit_test(beside_the_best_there_is),
		cmocka_unit_test(required_ranks_are_in),
		cmocka_unit_test(lowest_weight),
		cmocka_unit_test(cuts_of_choices),
		cmocka_unit_test(on_an_empty_cube),
		cmocka_unit_test(what_divides),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
