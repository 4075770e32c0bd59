/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_chords: what links beside the torus's own cost.
 *
 * For machines with random links one CSV line: the time to make the lists when torus.conf
 * is read, the hops between two routers, and the sum over all pairs of nodes of a job of
 * 64 neighbours and of one on the whole machine, each beside the same without the links.
 * Processor time; the median of some runs.
 */
#include "bench.h"

#include <stdio.h>

#include "geometry/chords.h"
#include "metrics/metrics.h"

#define RUNS 5
#define PAIRS 20000

static torus_chords_t *random_links(const torus_geometry_t *geometry, uint32_t links,
				    uint64_t *seed)
{
	static torus_chord_t chord[TORUS_CHORDS_MAX];
	uint32_t cells = torus_geometry_cells(geometry);
	torus_chords_t *chords;
	torus_error_t err;

	for (uint32_t i = 0; i < links;) {
		chord[i].cell[0] = (uint32_t)(torus_random_next(seed) % cells);
		chord[i].cell[1] = (uint32_t)(torus_random_next(seed) % cells);
		i += !torus_chord_check(geometry, chord[i], NULL);
	}
	chords = torus_chords_create(geometry, chord, links, &err);
	if (!chords) {
		fprintf(stderr, "bench_chords: %s\n", err.text);
		exit(1);
	}
	return chords;
}

/* Microseconds for the hops between two cells. */
static double time_hops(const torus_geometry_t *geometry, uint64_t *seed)
{
	uint32_t cells = torus_geometry_cells(geometry), sum = 0;
	double begin = bench_now();

	for (int i = 0; i < PAIRS; i++)
		sum += torus_hops_cells(geometry,
					(uint32_t)(torus_random_next(seed) % cells),
					(uint32_t)(torus_random_next(seed) % cells));
	begin = (bench_now() - begin) / PAIRS / 1e3;
	return sum ? begin : -1;
}

/* Milliseconds for the sum over a job on the first [nodes] cells. */
static double time_sum(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t nodes)
{
	double times[RUNS];
	uint64_t sum;

	for (int run = 0; run < RUNS; run++) {
		times[run] = bench_now();
		if (torus_summed_distance(geometry, cells, nodes, &sum, NULL))
			exit(1);
		times[run] = (bench_now() - times[run]) / 1e6;
	}
	return bench_median(times, RUNS);
}

int main(void)
{
	static const struct {
		const char *dims;
		uint32_t links;
	} machines[] = {{"32x4", 64},	    {"16x16x16", 64}, {"16x16x16", 4096},
			{"64x128", 64},	    {"64x128", 4096}};
	static uint32_t cells[TORUS_CHORDS_CELLS_MAX];
	uint64_t seed = bench_seed();

	for (uint32_t i = 0; i < TORUS_CHORDS_CELLS_MAX; i++)
		cells[i] = i;
	puts("dims,links,read_ms,hops_us,without,sum_64_ms,without,sum_all_ms,without");
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		torus_geometry_t own, with;
		uint32_t all;
		double begin;

		if (torus_geometry_parse(machines[i].dims, "all", &own, NULL))
			return 1;
		all = torus_geometry_cells(&own);
		with = own;
		begin = bench_now();
		with.chords = random_links(&own, machines[i].links, &seed);
		printf("%s,%u,%.1f", machines[i].dims, machines[i].links,
		       (bench_now() - begin) / 1e6);
		printf(",%.2f,%.2f", time_hops(&with, &seed), time_hops(&own, &seed));
		printf(",%.3f,%.3f", time_sum(&with, cells, 64),
		       time_sum(&own, cells, 64));
		printf(",%.2f,%.2f\n", time_sum(&with, cells, all),
		       time_sum(&own, cells, all));
		fflush(stdout);
		torus_chords_release(with.chords);
	}
	return 0;
}
