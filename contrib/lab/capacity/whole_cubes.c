/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of whole cubes: see whole_cubes.h. */
#define _GNU_SOURCE /* qsort_r() */
#include "capacity/whole_cubes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "torus/fit.h"

/* Holders in several cubes of a group of which all sets are tried. */
#define MOST_SHARED 12
/* Instead of such a set: the first cubes of the group. */
#define ONE_BY_ONE UINT32_MAX
#define NONE UINT32_MAX
/* What a dear holder costs, against 1. */
#define DEAR (UINT64_C(1) << 32)

uint32_t torus_whole_needed(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	int32_t side[TORUS_MAX_DIMS];

	return torus_shape_fit(geometry, shape, side) == TORUS_FIT_JOINED
		       ? torus_cubes_needed(geometry, side)
		       : 0;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint64_t torus_choices(uint32_t all, uint32_t count)
{
	uint64_t choices = 1;

	if (count > all)
		return 0;
	if (count > all - count)
		count = all - count;
	for (uint64_t i = 1; i <= count; i++) {
		/* choices * more / i are the choices of i: without the common divisor the
		 * rest of i divides [more]. */
		uint64_t more = all - count + i;
		uint64_t divisor = greatest_divisor(choices, i);

		if (__builtin_mul_overflow(choices / divisor, more / (i / divisor),
					   &choices))
			return UINT64_MAX;
	}
	return choices;
}

typedef struct fewest {
	const torus_geometry_t *geometry;
	const torus_holders_t *holders;
	uint32_t cubes, each; /* and the cells of one */
	uint32_t needed;
	/* The distinct holders of a cube are list[first[cube] .. first[cube + 1] - 1]. */
	uint32_t *first, *list;
	uint32_t *times;  /* [holders] in how many usable cubes each is */
	uint32_t *last;	  /* [holders] the last cube that was found to have it */
	uint32_t *bit;	  /* [holders] its number among those shared in its group */
	uint32_t *parent; /* [cubes] towards the root of its group; in the end the root */
	bool *shares;	  /* [cubes] has a holder that another cube has, too */
	uint64_t *own;	  /* [cubes] what the holders cost that only it has */
	uint32_t *mask;	  /* [cubes] the bits of the others */
	uint32_t *order;  /* [usable] the usable cubes, group by group */
	uint32_t usable;
	uint64_t *cost;	  /* [needed + 1] of so many cubes of the groups so far */
	uint64_t *before; /* the same without the last group */
	uint64_t *table;  /* [usable + 1] of so many cubes of a group */
	uint32_t *set;	  /* [usable + groups] by which set the table's entries are */
	uint32_t *begin;  /* [groups + 1] a group's cubes are order[begin[group]] up to
			   * before order[begin[group + 1]] */
	uint32_t groups;
	uint32_t *taken; /* [groups][needed + 1] cubes of the group among so many */
} fewest_t;

static uint64_t cost_of(const fewest_t *d, uint32_t holder)
{
	return d->holders->dear && d->holders->dear[holder] ? DEAR : 1;
}

static uint32_t root_of(const fewest_t *d, uint32_t cube)
{
	while (d->parent[cube] != cube) {
		d->parent[cube] = d->parent[d->parent[cube]];
		cube = d->parent[cube];
	}
	return cube;
}

/* ---- which cubes there are, and who has them ---- */

/* List the holders of [cube] at list[*count]. False, without any: it can never be had. */
static bool list_cube(fewest_t *d, uint32_t cube, uint32_t *count)
{
	const torus_holders_t *holders = d->holders;

	for (uint32_t inner = 0; inner < d->each; inner++) {
		if (torus_bit_test(holders->never,
				   torus_cube_cell(d->geometry, cube, inner)))
			return false;
	}
	for (uint32_t inner = 0; inner < d->each; inner++) {
		uint32_t cell = torus_cube_cell(d->geometry, cube, inner);

		for (uint32_t i = holders->first[cell]; i < holders->first[cell + 1];
		     i++) {
			uint32_t holder = holders->holder[i];

			if (d->times[holder] && d->last[holder] == cube)
				continue;
			d->times[holder]++;
			d->last[holder] = cube;
			d->list[(*count)++] = holder;
		}
	}
	return true;
}

static void list_cubes(fewest_t *d)
{
	uint32_t count = 0;

	for (uint32_t cube = 0; cube < d->cubes; cube++) {
		d->first[cube] = count;
		if (list_cube(d, cube, &count))
			d->order[d->usable++] = cube;
	}
	d->first[d->cubes] = count;
}

/* Put cubes that share a holder into one group. */
static void group_cubes(fewest_t *d)
{
	for (uint32_t cube = 0; cube < d->cubes; cube++)
		d->parent[cube] = cube;
	for (uint32_t i = 0; i < d->usable; i++) {
		uint32_t cube = d->order[i];

		for (uint32_t at = d->first[cube]; at < d->first[cube + 1]; at++) {
			uint32_t holder = d->list[at];

			if (d->times[holder] == 1) {
				d->own[cube] += cost_of(d, holder);
				continue;
			}
			d->shares[cube] = true;
			/* [last] is the last cube that has it: the one to go with. */
			d->parent[root_of(d, cube)] = root_of(d, d->last[holder]);
		}
	}
	for (uint32_t cube = 0; cube < d->cubes; cube++)
		d->parent[cube] = root_of(d, cube);
}

/* The group of a cube as a number; those that share nothing are one, the first. */
static uint32_t group_of(const fewest_t *d, uint32_t cube)
{
	return d->shares[cube] ? d->parent[cube] + 1 : 0;
}

/* By group, then what costs least. */
static int compare(const void *a, const void *b, void *context)
{
	const fewest_t *d = context;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	uint32_t group = group_of(d, left), other = group_of(d, right);

	if (group != other)
		return group < other ? -1 : 1;
	if (d->own[left] != d->own[right])
		return d->own[left] < d->own[right] ? -1 : 1;
	return left < right ? -1 : left > right;
}

static void order_cubes(fewest_t *d)
{
	qsort_r(d->order, d->usable, sizeof(*d->order), compare, d);
	for (uint32_t i = 0; i < d->usable; i++) {
		if (!i || group_of(d, d->order[i]) != group_of(d, d->order[i - 1]))
			d->begin[d->groups++] = i;
	}
	d->begin[d->groups] = d->usable;
}

/* ---- one group ---- */

/* Number the shared holders of a group. Returns how many there are. */
static uint32_t number_shared(fewest_t *d, uint32_t from, uint32_t end, uint32_t *shared)
{
	uint32_t count = 0;

	for (uint32_t i = from; i < end; i++) {
		uint32_t cube = d->order[i];

		for (uint32_t at = d->first[cube]; at < d->first[cube + 1]; at++) {
			uint32_t holder = d->list[at];

			if (d->times[holder] == 1)
				continue;
			if (d->bit[holder] == NONE) {
				if (count < MOST_SHARED)
					shared[count] = holder;
				d->bit[holder] = count++;
			}
			if (d->bit[holder] < MOST_SHARED)
				d->mask[cube] |= 1u << d->bit[holder];
		}
	}
	return count;
}

/* The table by all sets of shared holders: the cubes without another one, the cheapest
 * first. */
static void try_sets(fewest_t *d, uint32_t from, uint32_t end, const uint32_t *shared,
		     uint32_t count, uint32_t *set)
{
	for (uint32_t s = 0; s < 1u << count; s++) {
		uint64_t cost = 0;
		uint32_t cubes = 0;

		for (uint32_t bit = 0; bit < count; bit++)
			cost += s >> bit & 1 ? cost_of(d, shared[bit]) : 0;
		for (uint32_t i = from; i < end && cubes < d->needed; i++) {
			if (d->mask[d->order[i]] & ~s)
				continue;
			cost += d->own[d->order[i]];
			if (cost < d->table[++cubes]) {
				d->table[cubes] = cost;
				set[cubes] = s;
			}
		}
	}
}

/* What [cube] adds to the cubes whose shared holders have lost their bit. */
static uint64_t added(const fewest_t *d, uint32_t cube)
{
	uint64_t cost = d->own[cube];

	for (uint32_t at = d->first[cube]; at < d->first[cube + 1]; at++) {
		uint32_t holder = d->list[at];

		if (d->times[holder] > 1 && d->bit[holder] != NONE)
			cost += cost_of(d, holder);
	}
	return cost;
}

/* The table, and the order of the group, one cube after the other. */
static void one_by_one(fewest_t *d, uint32_t from, uint32_t end, uint32_t *set)
{
	uint64_t cost = 0;

	for (uint32_t next = from; next < end; next++) {
		uint64_t least = UINT64_MAX;
		uint32_t best = next, cube;

		for (uint32_t i = next; i < end; i++) {
			uint64_t more = added(d, d->order[i]);

			if (more < least) {
				least = more;
				best = i;
			}
		}
		cube = d->order[best];
		d->order[best] = d->order[next];
		d->order[next] = cube;
		for (uint32_t at = d->first[cube]; at < d->first[cube + 1]; at++)
			d->bit[d->list[at]] = NONE;
		cost += least;
		d->table[next + 1 - from] = cost;
		set[next + 1 - from] = ONE_BY_ONE;
	}
}

/* ---- all groups ---- */

/* Where the sets of a group are. */
static uint32_t *sets_of(const fewest_t *d, uint32_t group)
{
	return d->set + d->begin[group] + group;
}

/* Add a group to the cubes of those before it. */
static void add_group(fewest_t *d, uint32_t group)
{
	uint32_t from = d->begin[group], end = d->begin[group + 1];
	uint32_t shared[MOST_SHARED];
	uint32_t *set = sets_of(d, group);
	uint32_t *taken = d->taken + (size_t)group * (d->needed + 1);
	uint32_t count = number_shared(d, from, end, shared);
	uint64_t *swap = d->before;

	d->table[0] = 0;
	for (uint32_t i = 1; i <= end - from; i++)
		d->table[i] = UINT64_MAX;
	if (count <= MOST_SHARED)
		try_sets(d, from, end, shared, count, set);
	else
		one_by_one(d, from, end, set);
	d->before = d->cost;
	d->cost = swap;
	for (uint32_t cubes = 0; cubes <= d->needed; cubes++) {
		d->cost[cubes] = UINT64_MAX;
		for (uint32_t here = 0; here <= end - from && here <= cubes; here++) {
			uint64_t others = d->before[cubes - here];

			if (others == UINT64_MAX || d->table[here] == UINT64_MAX ||
			    others + d->table[here] >= d->cost[cubes])
				continue;
			d->cost[cubes] = others + d->table[here];
			taken[cubes] = here;
		}
	}
}

/* Take a cube: its cells, and those of its holders that are not in yet. */
static void take_cube(fewest_t *d, uint32_t cube, torus_in_the_way_t *box,
		      uint64_t *cells)
{
	for (uint32_t inner = 0; cells && inner < d->each; inner++)
		torus_bit_set(cells, torus_cube_cell(d->geometry, cube, inner));
	for (uint32_t at = d->first[cube]; at < d->first[cube + 1]; at++) {
		uint32_t holder = d->list[at];

		if (!d->times[holder])
			continue;
		d->times[holder] = 0;
		if (cost_of(d, holder) == DEAR)
			box->dear++;
		else
			box->other++;
	}
}

/* Go back through the groups. */
static void take_cubes(fewest_t *d, torus_in_the_way_t *box, uint64_t *cells)
{
	uint32_t left = d->needed;

	for (uint32_t group = d->groups; group--;) {
		uint32_t here = d->taken[(size_t)group * (d->needed + 1) + left];
		uint32_t set = here ? sets_of(d, group)[here] : 0;

		left -= here;
		for (uint32_t i = d->begin[group]; here; i++) {
			uint32_t cube = d->order[i];

			if (set != ONE_BY_ONE && (d->mask[cube] & ~set))
				continue;
			take_cube(d, cube, box, cells);
			here--;
		}
	}
}

static int allocate(fewest_t *d, torus_error_t *err)
{
	size_t holders = (size_t)d->holders->holders + 1, cubes = d->cubes;
	size_t pairs = (size_t)d->holders->first[d->cubes * d->each] + 1;

	d->first = malloc((cubes + 1) * sizeof(*d->first));
	d->list = malloc(pairs * sizeof(*d->list));
	d->times = calloc(holders, sizeof(*d->times));
	d->last = calloc(holders, sizeof(*d->last));
	d->bit = malloc(holders * sizeof(*d->bit));
	d->parent = malloc(cubes * sizeof(*d->parent));
	d->shares = calloc(cubes, sizeof(*d->shares));
	d->own = calloc(cubes, sizeof(*d->own));
	d->mask = calloc(cubes, sizeof(*d->mask));
	d->order = malloc(cubes * sizeof(*d->order));
	d->cost = malloc(((size_t)d->needed + 1) * sizeof(*d->cost));
	d->before = malloc(((size_t)d->needed + 1) * sizeof(*d->before));
	d->table = malloc((cubes + 1) * sizeof(*d->table));
	d->set = malloc((2 * cubes + 1) * sizeof(*d->set));
	d->begin = malloc((cubes + 1) * sizeof(*d->begin));
	if (!d->first || !d->list || !d->times || !d->last || !d->bit || !d->parent ||
	    !d->shares || !d->own || !d->mask || !d->order || !d->cost || !d->before ||
	    !d->table || !d->set || !d->begin)
		return torus_fail(err, "out of memory for the holders of %u cubes",
				  d->cubes);
	for (size_t i = 0; i < holders; i++)
		d->bit[i] = NONE;
	return 0;
}

static void release(fewest_t *d)
{
	free(d->first);
	free(d->list);
	free(d->times);
	free(d->last);
	free(d->bit);
	free(d->parent);
	free(d->shares);
	free(d->own);
	free(d->mask);
	free(d->order);
	free(d->cost);
	free(d->before);
	free(d->table);
	free(d->set);
	free(d->begin);
	free(d->taken);
}

int torus_fewest_cubes(const torus_geometry_t *geometry, const torus_holders_t *holders,
		       uint32_t needed, torus_in_the_way_t *box, uint64_t *cells,
		       torus_error_t *err)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	const torus_geometry_t grid = torus_cubes_grid(geometry);
	fewest_t d = {
		.geometry = geometry,
		.holders = holders,
		.cubes = torus_geometry_cells(&grid),
		.each = torus_geometry_cells(&one),
		.needed = needed,
	};
	int found = -1;

	if (allocate(&d, err) != 0)
		goto done;
	list_cubes(&d);
	found = 0;
	if (d.usable < needed)
		goto done;
	group_cubes(&d);
	order_cubes(&d);
	d.taken = malloc(d.groups * ((size_t)needed + 1) * sizeof(*d.taken));
	if (!d.taken) {
		found = torus_fail(err, "out of memory for the holders of %u cubes",
				   d.cubes);
		goto done;
	}
	d.cost[0] = 0;
	for (uint32_t cubes = 1; cubes <= needed; cubes++)
		d.cost[cubes] = UINT64_MAX;
	for (uint32_t group = 0; group < d.groups; group++)
		add_group(&d, group);
	found = 1;
	box->dear = box->other = 0;
	if (cells)
		memset(cells, 0, TORUS_WORDS(d.cubes * d.each) * sizeof(*cells));
	take_cubes(&d, box, cells);
done:
	release(&d);
	return found;
}
