/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links in use under dimension-order routing: see links.h. */
#include "measures/links.h"

#include <stdlib.h>

#include "base/radix.h"

/* Directions of a line. */
enum { UP, DOWN, DIRECTIONS };

uint32_t torus_links_total(const torus_geometry_t *geometry)
{
	return DIRECTIONS * (uint32_t)geometry->dims * torus_geometry_cells(geometry);
}

/* Cells from one coordinate along [axis] to the next. */
static uint32_t stride_of(const torus_geometry_t *geometry, int axis)
{
	uint32_t stride = 1;

	for (int lower = 0; lower < axis; lower++)
		stride *= (uint32_t)geometry->length[lower];
	return stride;
}

uint32_t torus_link_number(const torus_geometry_t *geometry, uint32_t cell, int axis,
			   bool down)
{
	uint32_t stride = stride_of(geometry, axis);
	uint32_t length = (uint32_t)geometry->length[axis];
	uint32_t line = cell / (stride * length) * stride + cell % stride;
	uint32_t block = DIRECTIONS * (uint32_t)axis + (down ? DOWN : UP);

	return block * torus_geometry_cells(geometry) + line * length +
	       cell / stride % length;
}

void torus_links_clear(torus_links_t *links)
{
	free(links->range);
	*links = (torus_links_t){0};
}

/*
 * Members that agree in all dimensions before the current one, or in all after it. Their
 * coordinates in it are position[UP][first .. first+count-1], distinct and ascending;
 * position[DOWN] has them as seen from the other end of the line, also ascending.
 */
typedef struct group {
	uint32_t line; /* their part of the number of a line */
	uint32_t first, count;
} group_t;

typedef struct grouping {
	group_t *group; /* [groups] */
	uint32_t groups;
	uint32_t *position[DIRECTIONS]; /* [n] */
} grouping_t;

/* A dimension of the machine. */
typedef struct axis {
	uint32_t length, stride;
	bool wrap;
	/* The most hops of a message, upward and downward. */
	uint32_t farthest[DIRECTIONS];
} axis_t;

/* The state of one search for links. */
typedef struct search {
	const torus_geometry_t *geometry;
	uint32_t n;
	torus_keyed_t *scratch; /* [n] */
	/*
	 * Members, by keys that hold all coordinates: the last dimension the most
	 * significant (sources), and the first (destinations).
	 */
	torus_keyed_t *by_last, *by_first; /* [n] ascending */
	grouping_t from, to;
	torus_links_t *links;
} search_t;

static axis_t describe_axis(const torus_geometry_t *geometry, int number)
{
	axis_t axis = {
		.length = (uint32_t)geometry->length[number],
		.stride = stride_of(geometry, number),
		.wrap = geometry->wrap[number],
	};

	axis.farthest[UP] = axis.wrap ? axis.length / 2 : axis.length - 1;
	axis.farthest[DOWN] = axis.wrap ? (axis.length - 1) / 2 : axis.length - 1;
	return axis;
}

/* The number of [cell] if the first dimension were the slowest. */
static uint64_t first_major(const torus_geometry_t *geometry, uint32_t cell)
{
	uint64_t key = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];

		key = key * length + cell % length;
		cell /= length;
	}
	return key;
}

static int open_grouping(grouping_t *grouping, uint32_t n)
{
	grouping->group = malloc(n * sizeof(*grouping->group));
	grouping->position[UP] = malloc(n * sizeof(*grouping->position[UP]));
	grouping->position[DOWN] = malloc(n * sizeof(*grouping->position[DOWN]));
	return grouping->group && grouping->position[UP] && grouping->position[DOWN] ? 0
										     : -1;
}

static void close_grouping(grouping_t *grouping)
{
	free(grouping->group);
	free(grouping->position[UP]);
	free(grouping->position[DOWN]);
}

static void close_search(search_t *search)
{
	free(search->scratch);
	free(search->by_last);
	free(search->by_first);
	close_grouping(&search->from);
	close_grouping(&search->to);
}

static int open_search(search_t *search, const uint32_t *cells, torus_error_t *err)
{
	uint32_t n = search->n;

	search->scratch = malloc(n * sizeof(*search->scratch));
	search->by_last = malloc(n * sizeof(*search->by_last));
	search->by_first = malloc(n * sizeof(*search->by_first));
	if (!search->scratch || !search->by_last || !search->by_first ||
	    open_grouping(&search->from, n) != 0 || open_grouping(&search->to, n) != 0)
		return torus_fail(err, "out of memory for the links of %u cells", n);
	for (uint32_t i = 0; i < n; i++) {
		search->by_last[i] = (torus_keyed_t){cells[i], cells[i]};
		search->by_first[i] = (torus_keyed_t){
			first_major(search->geometry, cells[i]), cells[i]};
	}
	torus_radix_sort(search->by_last, search->scratch, n);
	torus_radix_sort(search->by_first, search->scratch, n);
	return 0;
}

/* Fill in the positions of a whole group as seen from the other end. */
static void turn_round(const grouping_t *grouping, const group_t *group, uint32_t length)
{
	const uint32_t *up = grouping->position[UP] + group->first;
	uint32_t *down = grouping->position[DOWN] + group->first;

	for (uint32_t i = 0; i < group->count; i++)
		down[group->count - 1 - i] = length - 1 - up[i];
}

/*
 * Group the [n] members in [sorted], whose key / divisor is a number of their group times
 * the length of the axis plus their coordinate along it.
 */
static void make_groups(const torus_keyed_t *sorted, uint32_t n, uint64_t divisor,
			uint32_t length, grouping_t *grouping)
{
	uint64_t before = UINT64_MAX, group_before = UINT64_MAX;
	uint32_t positions = 0;
	group_t *group = grouping->group - 1;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t quotient = sorted[i].key / divisor;

		if (quotient == before)
			continue;
		before = quotient;
		if (quotient / length != group_before) {
			group_before = quotient / length;
			if (positions)
				turn_round(grouping, group, length);
			*++group = (group_t){sorted[i].value, positions, 0};
		}
		grouping->position[UP][positions++] = (uint32_t)(quotient % length);
		group->count++;
	}
	turn_round(grouping, group, length);
	grouping->groups = (uint32_t)(group - grouping->group) + 1;
}

/* Group sources by the dimensions behind the axis, destinations by those before it. */
static void group_members(search_t *search, const axis_t *axis)
{
	uint32_t cells = torus_geometry_cells(search->geometry);
	uint32_t block = axis->stride * axis->length;

	make_groups(search->by_last, search->n, axis->stride, axis->length,
		    &search->from);
	for (uint32_t i = 0; i < search->from.groups; i++)
		search->from.group[i].line =
			search->from.group[i].line / block * axis->stride;
	make_groups(search->by_first, search->n, cells / block, axis->length,
		    &search->to);
	for (uint32_t i = 0; i < search->to.groups; i++)
		search->to.group[i].line %= axis->stride;
}

static int add_range(torus_links_t *links, uint32_t first, uint32_t count,
		     torus_error_t *err)
{
	if (links->ranges == links->room) {
		size_t room = links->room ? 2 * links->room : 16;
		torus_link_range_t *more =
			reallocarray(links->range, room, sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory for %zu ranges of links",
					  room);
		links->range = more;
		links->room = room;
	}
	links->range[links->ranges++] = (torus_link_range_t){first, count};
	links->count += count;
	return 0;
}

/* The members of a group along a line, ascending in the direction looked at. */
typedef struct places {
	const uint32_t *at; /* [count] */
	uint32_t count;
} places_t;

/* Member [i] of [places], going on round the ring behind the last. */
static uint32_t place_at(const places_t *places, uint32_t i, uint32_t length)
{
	return i < places->count ? places->at[i] : places->at[i - places->count] + length;
}

/* A line, seen in one direction. */
typedef struct line {
	uint32_t base; /* number of its first link */
	uint32_t length;
	uint32_t farthest;
	bool wrap, down;
} line_t;

/* Add the links that leave places begin .. end-1. */
static int add_stretch(torus_links_t *links, const line_t *line, uint32_t begin,
		       uint32_t end, torus_error_t *err)
{
	if (begin == end)
		return 0;
	return add_range(links, line->base + (line->down ? line->length - end : begin),
			 end - begin, err);
}

/*
 * Add the union of the routes from each of [from] to each of [to] that run in this
 * direction. From each source it is enough to look at the farthest destination that is
 * reached this way; it never moves back when the source moves on.
 */
static int add_routes(torus_links_t *links, const line_t *line, const places_t *from,
		      const places_t *to, torus_error_t *err)
{
	uint32_t laps = line->wrap ? 2 * to->count : to->count;
	uint32_t last = from->at[from->count - 1], begin = 0, end = 0, next = laps;

	/* What the last source reaches around the end of the ring is at its beginning. */
	while (next && place_at(to, next - 1, line->length) > last + line->farthest)
		next--;
	if (next && place_at(to, next - 1, line->length) > line->length)
		end = place_at(to, next - 1, line->length) - line->length;
	next = 0;
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t source = from->at[i], reach;

		while (next < laps &&
		       place_at(to, next, line->length) <= source + line->farthest)
			next++;
		reach = next ? place_at(to, next - 1, line->length) : 0;
		if (reach <= source)
			continue;
		if (reach > line->length)
			reach = line->length;
		if (source > end) {
			if (add_stretch(links, line, begin, end, err) != 0)
				return -1;
			begin = source;
		}
		if (reach > end)
			end = reach;
	}
	return add_stretch(links, line, begin, end, err);
}

/* Add the links on the line of the sources [from] and the destinations [to]. */
static int add_line(search_t *search, int number, const axis_t *axis, const group_t *from,
		    const group_t *to, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(search->geometry);

	for (int way = UP; way < DIRECTIONS; way++) {
		const places_t sources = {search->from.position[way] + from->first,
					  from->count};
		const places_t destinations = {search->to.position[way] + to->first,
					       to->count};
		const line_t line = {
			.base = (DIRECTIONS * (uint32_t)number + (uint32_t)way) * cells +
				(from->line + to->line) * axis->length,
			.length = axis->length,
			.farthest = axis->farthest[way],
			.wrap = axis->wrap,
			.down = way == DOWN,
		};

		if (add_routes(search->links, &line, &sources, &destinations, err) != 0)
			return -1;
	}
	return 0;
}

/* Add the links of the axis with [number]. */
static int add_axis(search_t *search, int number, torus_error_t *err)
{
	const axis_t axis = describe_axis(search->geometry, number);

	group_members(search, &axis);
	for (uint32_t d = 0; d < search->to.groups; d++) {
		for (uint32_t s = 0; s < search->from.groups; s++) {
			if (add_line(search, number, &axis, &search->from.group[s],
				     &search->to.group[d], err) != 0)
				return -1;
		}
	}
	return 0;
}

int torus_links_used(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		     torus_links_t *links, torus_error_t *err)
{
	search_t search = {.geometry = geometry, .n = n, .links = links};
	int result;

	*links = (torus_links_t){0};
	if (n < 2)
		return 0;
	result = open_search(&search, cells, err);
	for (int axis = 0; result == 0 && axis < geometry->dims; axis++) {
		if (geometry->length[axis] > 1)
			result = add_axis(&search, axis, err);
	}
	close_search(&search);
	if (result != 0)
		torus_links_clear(links);
	return result;
}
