/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links beside the torus's own: see geometry/chords.h. */
#include "geometry/chords.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"

/* So many hops are added at once, by vectors. */
#define AT_ONCE 16
/* Behind the last end that is listed: farther than any, and twice that is in 16 bits. */
#define NO_END 0x3fff

int torus_chord_check(const torus_geometry_t *geometry, torus_chord_t chord,
		      torus_error_t *err)
{
	int32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
	uint32_t hops;

	torus_cell_to_coord(geometry, chord.cell[0], a);
	torus_cell_to_coord(geometry, chord.cell[1], b);
	hops = torus_straight_hops(geometry, a, b);
	if (!hops)
		return torus_fail(err, "a link from a place to itself: leave it out");
	if (hops == 1)
		return torus_fail(err, "a link that the torus has already: leave it out");
	return 0;
}

/* --- which cells are next to each other --------------------------------- */

int torus_chord_compare(const void *a, const void *b)
{
	const torus_chord_t *left = a, *right = b;

	for (int end = 0; end < 2; end++) {
		if (left->cell[end] != right->cell[end])
			return left->cell[end] < right->cell[end] ? -1 : 1;
	}
	return 0;
}

uint32_t torus_chords_unique(torus_chord_t *chord, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *cell = chord[i].cell;

		if (cell[0] > cell[1])
			chord[i] = (torus_chord_t){{cell[1], cell[0]}};
	}
	qsort(chord, count, sizeof(*chord), torus_chord_compare);
	for (uint32_t i = 0; i < count; i++) {
		if (!kept || torus_chord_compare(&chord[i], &chord[kept - 1]) != 0)
			chord[kept++] = chord[i];
	}
	return kept;
}

static int compare_cells(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* Add the neighbours of [cell] on the torus to near[end] and on. Returns the new end. */
static uint32_t add_own(const torus_geometry_t *geometry, uint32_t cell, uint32_t *near,
			uint32_t end)
{
	int32_t coord[TORUS_MAX_DIMS];
	uint32_t stride = 1;

	torus_cell_to_coord(geometry, cell, coord);
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t at = (uint32_t)coord[axis], base = cell - at * stride;
		bool ring = geometry->wrap[axis] && length > 2;

		if (at || ring)
			near[end++] = base + (at + length - 1) % length * stride;
		if (at + 1 < length || ring)
			near[end++] = base + (at + 1) % length * stride;
		stride *= length;
	}
	return end;
}

/* Fill first[] and near[]; arc[] has each chord in both directions, ascending. */
static void list_near(torus_chords_t *chords, const torus_geometry_t *geometry,
		      const torus_chord_t *arc)
{
	uint32_t end = 0, next = 0;

	for (uint32_t cell = 0; cell < chords->cells; cell++) {
		chords->first[cell] = end;
		end = add_own(geometry, cell, chords->near, end);
		for (; next < 2 * chords->count && arc[next].cell[0] == cell; next++)
			chords->near[end++] = arc[next].cell[1];
		qsort(chords->near + chords->first[cell], end - chords->first[cell],
		      sizeof(*chords->near), compare_cells);
	}
	chords->first[chords->cells] = end;
}

/* --- hops ----------------------------------------------------------------- */

/* The walkers, as bits: who was at a cell, who came to it last, and who comes next. */
typedef struct walk {
	uint64_t *seen, *last, *next; /* [cells] */
	uint64_t all;
} walk_t;

/* One step of all walkers. Whether they go on. */
static bool step(const torus_chords_t *chords, walk_t *walk, uint32_t hops,
		 torus_chords_see_t *see, void *context)
{
	uint64_t *came = walk->next;
	bool more = false;

	for (uint32_t cell = 0; cell < chords->cells; cell++) {
		uint64_t walkers = 0;

		if (walk->seen[cell] != walk->all) {
			for (uint32_t i = chords->first[cell];
			     i < chords->first[cell + 1]; i++)
				walkers |= walk->last[chords->near[i]];
			walkers &= ~walk->seen[cell];
		}
		came[cell] = walkers;
		if (!walkers)
			continue;
		walk->seen[cell] |= walkers;
		more = true;
		if (see(context, cell, hops, walkers))
			return false;
	}
	walk->next = walk->last;
	walk->last = came;
	return more;
}

int torus_chords_walk(const torus_chords_t *chords, const uint32_t *from, uint32_t count,
		      torus_chords_see_t *see, void *context, torus_error_t *err)
{
	uint64_t *room = calloc(3 * (size_t)chords->cells, sizeof(*room));
	walk_t walk = {.seen = room,
		       .last = room + chords->cells,
		       .next = room + 2 * (size_t)chords->cells,
		       .all = UINT64_MAX >> (TORUS_CHORDS_WALKERS - count)};
	bool more = true;

	if (!room)
		return torus_fail(err, "out of memory for %u cells", chords->cells);
	for (uint32_t i = 0; i < count; i++) {
		walk.seen[from[i]] |= UINT64_C(1) << i;
		walk.last[from[i]] |= UINT64_C(1) << i;
		more = !see(context, from[i], 0, UINT64_C(1) << i) && more;
	}
	for (uint32_t hops = 1; more; hops++)
		more = step(chords, &walk, hops, see, context);
	free(room);
	return 0;
}

uint32_t torus_chords_hops(const torus_chords_t *chords, uint32_t a, uint32_t b)
{
	const int16_t *from = chords->hops + a * chords->row;
	const int16_t *to = chords->hops + b * chords->row;
	int16_t least[AT_ONCE], all = INT16_MAX;

	for (int i = 0; i < AT_ONCE; i++)
		least[i] = INT16_MAX;
	for (size_t end = 0; end < chords->row; end += AT_ONCE) {
		/* Compilers make this a few operations on whole vectors. */
		for (size_t i = 0; i < AT_ONCE; i++) {
			int16_t hops = (int16_t)(from[end + i] + to[end + i]);

			least[i] = hops < least[i] ? hops : least[i];
		}
	}
	for (int i = 0; i < AT_ONCE; i++)
		all = least[i] < all ? least[i] : all;
	return (uint32_t)all;
}

/*
 * Choose ends of chords so that each chord has one of them, cells with many chords first.
 * end[] has room for one a chord. Returns how many they are.
 */
static uint32_t choose_ends(const torus_chords_t *chords, const torus_chord_t *arc,
			    bool *chosen, uint32_t *end)
{
	uint32_t arcs = 2 * chords->count, most = 0, ends = 0;

	for (uint32_t i = 0, run = 0; i < arcs; i++) {
		run = i && arc[i].cell[0] == arc[i - 1].cell[0] ? run + 1 : 1;
		most = run > most ? run : most;
	}
	for (uint32_t many = most; many; many--) {
		for (uint32_t i = 0; i < arcs;) {
			uint32_t cell = arc[i].cell[0], begin = i;
			bool open = false;

			for (; i < arcs && arc[i].cell[0] == cell; i++)
				open = open || !chosen[arc[i].cell[1]];
			if (i - begin != many || chosen[cell] || !open)
				continue;
			chosen[cell] = true;
			end[ends++] = cell;
		}
	}
	return ends;
}

/* Whose hops are listed: the walkers are the ends from [first] on. */
typedef struct listing {
	torus_chords_t *chords;
	uint32_t first;
} listing_t;

static bool list_one(void *context, uint32_t cell, uint32_t hops, uint64_t walkers)
{
	const listing_t *listing = context;
	int16_t *row = listing->chords->hops + cell * listing->chords->row;

	for (; walkers; walkers &= walkers - 1)
		row[listing->first + (uint32_t)__builtin_ctzll(walkers)] = (int16_t)hops;
	return false;
}

/* List the hops from all cells to the ends that are chosen. */
static int list_hops(torus_chords_t *chords, const torus_chord_t *arc, torus_error_t *err)
{
	uint32_t ends = 0, *end = malloc(((size_t)chords->count + 1) * sizeof(*end));
	bool *chosen = calloc(chords->cells, sizeof(*chosen));
	size_t entries;
	int rc = end && chosen ? 0 : -1;

	if (!rc)
		ends = choose_ends(chords, arc, chosen, end);
	chords->row = ((size_t)ends + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
	entries = chords->cells * chords->row;
	chords->hops = malloc((entries + 1) * sizeof(*chords->hops));
	if (!chords->hops || rc)
		rc = torus_fail(err, "out of memory for %u links", chords->count);
	for (size_t i = 0; !rc && i < entries; i++)
		chords->hops[i] = NO_END;
	for (uint32_t first = 0; !rc && first < ends; first += TORUS_CHORDS_WALKERS) {
		listing_t listing = {chords, first};
		uint32_t left = ends - first;

		rc = torus_chords_walk(
			chords, end + first,
			left < TORUS_CHORDS_WALKERS ? left : TORUS_CHORDS_WALKERS,
			list_one, &listing, err);
	}
	free(chosen);
	free(end);
	return rc;
}

/* --- making and freeing them ---------------------------------------------- */

void torus_chords_hold(torus_chords_t *chords)
{
	if (chords)
		atomic_fetch_add(&chords->holders, 1);
}

void torus_chords_release(torus_chords_t *chords)
{
	if (!chords || atomic_fetch_sub(&chords->holders, 1) > 1)
		return;
	torus_chords_release(chords->of_chips);
	free(chords->chord);
	free(chords->first);
	free(chords->near);
	free(chords->hops);
	free(chords);
}

static int check_number(uint32_t cells, uint32_t count, torus_error_t *err)
{
	if (count > TORUS_CHORDS_MAX)
		return torus_fail(err, "more than %u links", TORUS_CHORDS_MAX);
	if (cells > TORUS_CHORDS_CELLS_MAX)
		return torus_fail(err,
				  "on a torus of %u places: hops over such links are "
				  "known on one of at most %u",
				  cells, TORUS_CHORDS_CELLS_MAX);
	return 0;
}

/* The chords of [geometry] whose cells chord[] has. */
static torus_chords_t *make(const torus_geometry_t *geometry, const torus_chord_t *chord,
			    uint32_t count, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(geometry);
	size_t most = (size_t)cells * (size_t)geometry->dims * 2 + 2 * (size_t)count;
	torus_chords_t *chords;
	torus_chord_t *arc;

	if (check_number(cells, count, err))
		return NULL;
	chords = calloc(1, sizeof(*chords));
	arc = malloc((2 * (size_t)count + 1) * sizeof(*arc));
	if (!chords || !arc)
		goto no_memory;
	chords->holders = 1;
	chords->cells = cells;
	chords->count = count;
	chords->chord = malloc(((size_t)count + 1) * sizeof(*chords->chord));
	chords->first = malloc(((size_t)cells + 1) * sizeof(*chords->first));
	chords->near = malloc(most * sizeof(*chords->near));
	if (!chords->chord || !chords->first || !chords->near)
		goto no_memory;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = chord[i].cell[0], b = chord[i].cell[1];

		chords->chord[i] = a < b ? (torus_chord_t){{a, b}}
					 : (torus_chord_t){{b, a}};
		arc[2 * i] = (torus_chord_t){{a, b}};
		arc[2 * i + 1] = (torus_chord_t){{b, a}};
	}
	qsort(chords->chord, count, sizeof(*chords->chord), torus_chord_compare);
	qsort(arc, 2 * (size_t)count, sizeof(*arc), torus_chord_compare);
	list_near(chords, geometry, arc);
	if (list_hops(chords, arc, err))
		goto fail;
	free(arc);
	return chords;
no_memory:
	torus_fail(err, "out of memory for %u links", count);
fail:
	free(arc);
	torus_chords_release(chords);
	return NULL;
}

/*
 * The chords between the nodes of chips that chord[] joins, each once, into on_nodes[],
 * which has room for as many. Returns how many.
 */
static uint32_t join_nodes(const torus_geometry_t *geometry,
			   const torus_geometry_t *machine, const torus_chord_t *chord,
			   uint32_t count, torus_chord_t *on_nodes)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		torus_chord_t joins;

		for (int end = 0; end < 2; end++) {
			int32_t coord[TORUS_MAX_DIMS];

			torus_cell_to_coord(machine, chord[i].cell[end], coord);
			for (int axis = 0; axis < geometry->dims; axis++)
				coord[axis] /= torus_node_side(geometry, axis);
			joins.cell[end] = torus_coord_to_cell(geometry, coord);
		}
		if (!torus_chord_check(geometry, joins, NULL))
			on_nodes[found++] = joins;
	}
	return torus_chords_unique(on_nodes, found);
}

torus_chords_t *torus_chords_create(const torus_geometry_t *geometry,
				    const torus_chord_t *chord, uint32_t count,
				    torus_error_t *err)
{
	const torus_geometry_t machine = torus_chip_machine(geometry);
	torus_chords_t *chords, *of_chips;
	torus_chord_t *on_nodes;

	if (!torus_has_chips(geometry))
		return make(geometry, chord, count, err);
	of_chips = make(&machine, chord, count, err);
	if (!of_chips)
		return NULL;
	on_nodes = malloc(((size_t)count + 1) * sizeof(*on_nodes));
	if (!on_nodes) {
		torus_fail(err, "out of memory for %u links", count);
		torus_chords_release(of_chips);
		return NULL;
	}
	count = join_nodes(geometry, &machine, chord, count, on_nodes);
	chords = make(geometry, on_nodes, count, err);
	free(on_nodes);
	if (chords)
		chords->of_chips = of_chips;
	else
		torus_chords_release(of_chips);
	return chords;
}
