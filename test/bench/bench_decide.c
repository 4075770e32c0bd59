/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What common/decide adds to a decision: torus_decide() as a multiple of
 * torus_cluster_place() for the same request, measured in turn in one run.
 *
 * For cubes of about 1,000 to 100,000 nodes, every second node free, at random. Prints
 * CSV; times are medians over rounds of decisions about 1 to 512 nodes:
 *   ordinary       as select/torus asks: a number of nodes, nothing else
 *   processors     as topology/torus asks: with what each candidate has free
 *   contiguous     one interval that any nodes will do for
 *   shape          a box of 2x2x2
 * And where nodes differ and a place is judged by a sum, so that there is no such
 * decision of torus_cluster_place() to compare with: milliseconds for the first place
 *   contiguous_sum 16 neighbours that have three times what is common
 *   shape_sum      a box of 4x2x2 that has it
 *   none           the proof that no 16 neighbours have ten times that
 * The seed is TORUS_BENCH_SEED, or 1.
 */
#include "bench.h"

#include <stdio.h>

#include "base/bitmap.h"
#include "decide/decide.h"

#define ROUNDS 21
#define MIX 10 /* decisions a round: of 1, 2, 4 .. 512 nodes */

/* One machine, and what its nodes have. */
typedef struct bench {
	torus_map_t *map;
	torus_cluster_placer_t *placer;
	torus_candidates_t candidates;
	uint8_t *has;
} bench_t;

static void has(void *context, int torus, uint32_t number, uint64_t *has)
{
	const bench_t *bench = context;

	(void)torus;
	has[0] = bench->has[number];
}

static torus_decide_request_t request_for(const bench_t *bench, uint32_t nodes,
					  const torus_need_t *need)
{
	return (torus_decide_request_t){
		.cluster.torus = &bench->candidates,
		.cluster.nodes = nodes,
		.min_nodes = nodes,
		.wanted_nodes = nodes,
		.max_nodes = nodes,
		.need = need,
		.most_verified = 64,
		.most_work = UINT64_MAX,
	};
}

static void decide(bench_t *bench, const torus_decide_request_t *request)
{
	const torus_verifier_t verifier = {.context = bench, .has = has};
	torus_decider_t decider = {.placer = bench->placer, .verifier = &verifier};
	torus_cluster_placement_t placement;

	torus_decide(&decider, request, &placement, NULL);
}

/* The ratio of the two for requests of this kind. */
static double ratio(bench_t *bench, const torus_need_t *need, bool contiguous,
		    const torus_shape_t *shape)
{
	double ours[ROUNDS], plain[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		ours[round] = plain[round] = 0;
		for (int i = 0; i < MIX; i++) {
			torus_decide_request_t request =
				request_for(bench, UINT32_C(1) << i, need);
			torus_cluster_placement_t placement;
			double start = bench_now(), middle;

			request.cluster.contiguous = contiguous;
			request.cluster.shape = shape;
			if (shape)
				request.min_nodes = request.max_nodes =
					request.wanted_nodes = 8;
			torus_cluster_place(bench->placer, &request.cluster, &placement,
					    NULL);
			middle = bench_now();
			plain[round] += middle - start;
			/* An interval that is not there is looked for otherwise. */
			if (contiguous && !placement.nodes)
				plain[round] -= middle - start;
			else
				decide(bench, &request);
			ours[round] +=
				contiguous && !placement.nodes ? 0 : bench_now() - middle;
		}
	}
	return bench_median(ours, ROUNDS) / bench_median(plain, ROUNDS);
}

static double milliseconds(bench_t *bench, uint64_t sum, bool contiguous,
			   const torus_shape_t *shape)
{
	const torus_need_t need = {.kinds = 1, .each = {1}, .sum = {sum}};
	torus_decide_request_t request = request_for(bench, 16, &need);
	double took[ROUNDS];

	request.cluster.contiguous = contiguous;
	request.cluster.shape = shape;
	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_now();

		decide(bench, &request);
		took[round] = bench_now() - start;
	}
	return bench_median(took, ROUNDS) / 1e6;
}

static void measure(int32_t side, uint64_t *seed)
{
	static const torus_need_t nothing, some = {.kinds = 1, .each = {1}};
	static const torus_shape_t small = {.dims = 3, .side = {2, 2, 2, 1, 1, 1}};
	static const torus_shape_t large = {.dims = 3, .side = {4, 2, 2, 1, 1, 1}};
	torus_geometry_t cube = {.dims = 3,
				 .length = {side, side, side, 1, 1, 1},
				 .wrap = {true, true, true}};
	bench_t bench = {
		.map = torus_map_create("m", &cube, TORUS_CURVE_HILBERT, 1, NULL)};
	uint64_t *half, *all;
	double ordinary, processors, contiguous, shape;

	if (!bench.map)
		exit(1);
	bench.placer =
		torus_cluster_placer_create((const torus_map_t *const *)&bench.map, 1);
	half = torus_bitmap_create(bench.map->nodes);
	all = torus_bitmap_create(bench.map->nodes);
	bench.has = malloc(bench.map->nodes);
	if (!bench.placer || !half || !all || !bench.has)
		exit(1);
	for (uint32_t i = 0; i < bench.map->nodes; i++) {
		torus_bit_set(all, i);
		if (torus_random_next(seed) & 1)
			torus_bit_set(half, i);
		bench.has[i] = torus_random_next(seed) % 8 ? 1 : 8;
	}
	bench.candidates.free = half;
	ordinary = ratio(&bench, &nothing, false, NULL);
	processors = ratio(&bench, &some, false, NULL);
	contiguous = ratio(&bench, &nothing, true, NULL);
	bench.candidates.free = all;
	shape = ratio(&bench, &nothing, false, &small);
	printf("%u,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", bench.map->nodes, ordinary,
	       processors, contiguous, shape, milliseconds(&bench, 48, true, NULL),
	       milliseconds(&bench, 48, false, &large),
	       milliseconds(&bench, 160, true, NULL));
	free(half);
	free(all);
	free(bench.has);
	torus_cluster_placer_destroy(bench.placer);
	torus_map_destroy(bench.map);
}

int main(void)
{
	uint64_t seed = bench_seed();

	printf("nodes,ordinary,processors,contiguous,shape,contiguous_sum,shape_sum,none\n");
	measure(10, &seed);
	measure(22, &seed);
	measure(46, &seed);
	return 0;
}
