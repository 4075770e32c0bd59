/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the worst shape costs, as a multiple of an ordinary one on a machine of as many
 * nodes: 2x3x4x5x6x7 on 8x8x8x8x8x8, which has 720 rotations, and 2x3x4 on 64x64x64,
 * which has 6. Both of 262,144 nodes, all dimensions wrapped.
 *
 * Prints CSV, a line for each curve and state of the machine:
 *   state       free; holes: one node in 10,000 busy, so that few large boxes are left;
 *               half: one in two, no box is free; weights: free, and every node has one
 *               weight of four
 *   three_ms, six_ms  one torus_box_place() of each, medians of processor time
 *   ratio       the quotient of these two
 *   copies      the second as a multiple of copying 4 bytes a node once
 *
 * The seed is TORUS_BENCH_SEED, or 1.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "base/bitmap.h"
#include "machine/map.h"
#include "place/box.h"

#define ROUNDS 7
#define NODES (UINT32_C(1) << 18)

static double time_box(const torus_map_t *map, const char *text,
		       const uint64_t *free_ranks, const uint64_t *weights,
		       uint32_t *chosen)
{
	double times[ROUNDS];
	torus_shape_t shape;
	torus_error_t err;
	uint32_t count;

	if (torus_shape_parse(text, &shape, &err))
		exit(1);
	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_now();

		if (torus_box_place(&map->geometry, map->cell_of_rank, map->nodes,
				    free_ranks, weights, &shape, chosen, &count,
				    &err) < 0) {
			fprintf(stderr, "bench_boxes: %s\n", err.text);
			exit(1);
		}
		times[round] = bench_now() - start;
	}
	return bench_median(times, ROUNDS) / 1e6;
}

static double time_copy(uint32_t *from, uint32_t *to)
{
	double times[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_now();

		memcpy(to, from, NODES * sizeof(*to));
		__asm__ volatile("" ::: "memory"); /* copy anew each time */
		times[round] = bench_now() - start;
	}
	return bench_median(times, ROUNDS) / 1e6;
}

static torus_map_t *machine(const char *dims, torus_curve_t curve)
{
	torus_geometry_t geometry;
	torus_error_t err;
	torus_map_t *map;

	if (torus_geometry_parse(dims, "all", &geometry, &err))
		exit(1);
	map = torus_map_create("bench", &geometry, curve, 1, &err);
	if (!map) {
		fprintf(stderr, "bench_boxes: %s\n", err.text);
		exit(1);
	}
	return map;
}

int main(void)
{
	static const torus_curve_t curves[] = {TORUS_CURVE_HILBERT, TORUS_CURVE_SNAKE,
					       TORUS_CURVE_ROW_MAJOR,
					       TORUS_CURVE_Z_ORDER};
	static const struct {
		const char *name;
		uint32_t busy; /* one node in so many; 0: none */
		bool weights;
	} states[] = {{"free", 0, false},
		      {"holes", 10000, false},
		      {"half", 2, false},
		      {"weights", 0, true}};
	static uint64_t free_ranks[TORUS_WORDS(NODES)], weights[NODES];
	static uint32_t chosen[NODES], other[NODES];
	uint64_t seed = bench_seed();

	for (uint32_t rank = 0; rank < NODES; rank++)
		weights[rank] = torus_random_next(&seed) >> 62;
	puts("curve,state,three_ms,six_ms,ratio,copies");
	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		torus_map_t *three = machine("64x64x64", curves[i]);
		torus_map_t *six = machine("8x8x8x8x8x8", curves[i]);

		for (size_t j = 0; j < sizeof(states) / sizeof(states[0]); j++) {
			const uint64_t *weight = states[j].weights ? weights : NULL;
			double three_ms, six_ms;

			memset(free_ranks, 0xff, sizeof(free_ranks));
			for (uint32_t rank = 0; states[j].busy && rank < NODES; rank++) {
				if (torus_random_next(&seed) % states[j].busy == 0)
					torus_bit_clear(free_ranks, rank);
			}
			three_ms = time_box(three, "2x3x4", free_ranks, weight, chosen);
			six_ms = time_box(six, "2x3x4x5x6x7", free_ranks, weight, chosen);
			printf("%s,%s,%.2f,%.2f,%.1f,%.0f\n", torus_curve_name(curves[i]),
			       states[j].name, three_ms, six_ms, six_ms / three_ms,
			       six_ms / time_copy(chosen, other));
			fflush(stdout);
		}
		torus_map_destroy(three);
		torus_map_destroy(six);
	}
	return 0;
}
