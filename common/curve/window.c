/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See window.h.
 *
 * Hops are separable by dimension, so the pair sum of a window is, dimension by
 * dimension, a function of how many of its cells have each coordinate. When the window
 * slides by one rank, a coordinate enters and one leaves, and the pair sum changes by the
 * sum of their distances to all the others. A *probe* keeps that sum up to date for the
 * entering and one for the leaving coordinate: when the probe moves by one position, the
 * sum grows by the number of cells it moves away from less the number it comes nearer to.
 * Along a curve whose steps are short, sliding therefore costs a handful of additions a
 * dimension. Windows of all cells of an order are summed axis by axis, for which the
 * positions of its cells are worked out once for all lengths.
 */
#include "curve/window.h"

#include <stdlib.h>
#include <string.h>

static uint32_t ring_behind(const torus_window_ring_t *ring, uint32_t from,
			    uint32_t position)
{
	return from >= position ? from - position : from + ring->length - position;
}

static void probe_forward(const torus_window_ring_t *ring, torus_probe_t *probe)
{
	uint32_t opposite = ring_behind(ring, probe->at, ring->half);
	uint32_t nearer = ring->cells - probe->behind;

	/* On a ring of odd length the cells just opposite stay as far as they were. */
	if (ring->length % 2)
		nearer -= ring->count[opposite];
	probe->sum += probe->behind;
	probe->sum -= nearer;
	if (++probe->at == ring->length)
		probe->at = 0;
	probe->behind += ring->count[probe->at];
	probe->behind -= ring->count[ring_behind(ring, probe->at, ring->half)];
}

static void probe_backward(const torus_window_ring_t *ring, torus_probe_t *probe)
{
	uint32_t opposite;

	probe->behind -= ring->count[probe->at];
	probe->behind += ring->count[ring_behind(ring, probe->at, ring->half)];
	probe->at = (probe->at ? probe->at : ring->length) - 1;
	opposite = ring_behind(ring, probe->at, ring->half);
	probe->sum -= probe->behind;
	probe->sum += ring->cells - probe->behind;
	if (ring->length % 2)
		probe->sum -= ring->count[opposite];
}

static void probe_move(const torus_window_ring_t *ring, torus_probe_t *probe, uint32_t to)
{
	if (ring_behind(ring, to, probe->at) <= ring->half) {
		while (probe->at != to)
			probe_forward(ring, probe);
	} else {
		while (probe->at != to)
			probe_backward(ring, probe);
	}
}

/* A cell at [position] enters (sign 1) or leaves (sign -1) the window. */
static void probe_count(const torus_window_ring_t *ring, torus_probe_t *probe,
			uint32_t position, int sign)
{
	uint32_t back = ring_behind(ring, probe->at, position);
	uint32_t distance = back <= ring->half ? back : ring->length - back;

	probe->sum += (uint64_t)(int64_t)sign * distance;
	if (back < ring->half)
		probe->behind += (uint32_t)sign;
}

/*
 * A cell enters at [position], or leaves there: the sum of its distances to all others.
 * The probe that stands there sees it at distance 0.
 */
static inline uint64_t ring_enter(torus_window_ring_t *ring, uint32_t position)
{
	uint64_t sum;

	probe_move(ring, &ring->enter, position);
	sum = ring->enter.sum;
	ring->count[position]++;
	ring->cells++;
	ring->enter.behind += ring->half > 0;
	probe_count(ring, &ring->leave, position, 1);
	return sum;
}

static inline uint64_t ring_leave(torus_window_ring_t *ring, uint32_t position)
{
	uint64_t sum;

	probe_move(ring, &ring->leave, position);
	sum = ring->leave.sum;
	ring->count[position]--;
	ring->cells--;
	ring->leave.behind -= ring->half > 0;
	probe_count(ring, &ring->enter, position, -1);
	return sum;
}

static void ring_empty(torus_window_ring_t *ring)
{
	memset(ring->count, 0, ring->length * sizeof(*ring->count));
	ring->cells = 0;
	ring->enter = ring->leave = (torus_probe_t){0};
}

int torus_window_init(torus_window_t *window, const torus_geometry_t *geometry)
{
	size_t positions = 0;

	*window = (torus_window_t){.dims = geometry->dims};
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t side = (uint32_t)geometry->length[axis];
		torus_window_ring_t *ring = &window->ring[axis];

		window->side[axis] = side;
		ring->length = geometry->wrap[axis] ? side : 2 * side;
		ring->half = ring->length / 2;
		positions += ring->length;
	}
	window->counts = calloc(positions, sizeof(*window->counts));
	if (!window->counts)
		return -1;
	for (int axis = 0, at = 0; axis < geometry->dims; axis++) {
		window->ring[axis].count = window->counts + at;
		at += (int)window->ring[axis].length;
	}
	return 0;
}

void torus_window_free(torus_window_t *window)
{
	free(window->counts);
}

void torus_window_empty(torus_window_t *window)
{
	for (int axis = 0; axis < window->dims; axis++)
		ring_empty(&window->ring[axis]);
}

uint64_t torus_window_enter(torus_window_t *window, uint32_t cell)
{
	uint64_t sum = 0;

	for (int axis = 0; axis < window->dims; axis++) {
		sum += ring_enter(&window->ring[axis], cell % window->side[axis]);
		cell /= window->side[axis];
	}
	return sum;
}

uint64_t torus_window_leave(torus_window_t *window, uint32_t cell)
{
	uint64_t sum = 0;

	for (int axis = 0; axis < window->dims; axis++) {
		sum += ring_leave(&window->ring[axis], cell % window->side[axis]);
		cell /= window->side[axis];
	}
	return sum;
}

/* Slide a window of [length] along the positions at[0 .. cells-1] of one axis. */
static void add_axis(const torus_window_ring_t *axis, const uint32_t *at, uint32_t cells,
		     uint32_t length, uint64_t *line, uint64_t *around)
{
	torus_window_ring_t ring = *axis;
	uint64_t inside = 0, sum = 0;

	ring_empty(&ring);
	for (uint32_t rank = 0; rank < length; rank++)
		inside += ring_enter(&ring, at[rank]);
	sum = inside;
	for (uint32_t rank = length; rank < cells; rank++) {
		inside -= ring_leave(&ring, at[rank - length]);
		inside += ring_enter(&ring, at[rank]);
		sum += inside;
	}
	*line += sum;
	if (!around)
		return;
	for (uint32_t start = cells - length, end = 0; end + 1 < length; start++, end++) {
		inside -= ring_leave(&ring, at[start]);
		inside += ring_enter(&ring, at[end]);
		sum += inside;
	}
	*around += sum;
}

int torus_window_hops(const torus_geometry_t *geometry, const uint32_t *order,
		      uint64_t *line, uint64_t *around)
{
	uint32_t cells = torus_geometry_cells(geometry), stride = 1;
	uint32_t *at = malloc(cells * sizeof(*at));
	torus_window_t window;

	if (!at || torus_window_init(&window, geometry)) {
		free(at);
		return -1;
	}
	for (int w = 0; w < torus_window_lengths(cells); w++) {
		line[w] = 0;
		if (around)
			around[w] = 0;
	}
	for (int axis = 0; axis < window.dims; axis++) {
		uint32_t side = window.side[axis];

		if (side == 1)
			continue;
		for (uint32_t rank = 0; rank < cells; rank++)
			at[rank] = order[rank] / stride % side;
		for (int w = 0; w < torus_window_lengths(cells); w++)
			add_axis(&window.ring[axis], at, cells, UINT32_C(2) << w,
				 &line[w], around ? &around[w] : NULL);
		stride *= side;
	}
	torus_window_free(&window);
	free(at);
	return 0;
}
