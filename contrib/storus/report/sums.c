/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over runs, and means. */
#include "torus_config.h"

#include "storus/report/sums.h"

#define HOUR 3600.0

void storus_sums_add(storus_sums_t *sums, const storus_measured_t *measured,
		     uint32_t nodes, uint64_t weight)
{
	double w = (double)weight;

	sums->weight += weight;
	if (nodes > 1)
		sums->spread_weight += weight;
	if (measured->has_hops) {
		sums->hops_weight += weight;
		sums->hops += w * measured->hops;
	}
	if (measured->has_hops && measured->has_alone) {
		sums->alone_weight += weight;
		sums->hops_beside += w * measured->hops;
		sums->alone += w * measured->alone;
	}
	if (!measured->has_place)
		return;
	sums->place_weight += weight;
	if (measured->pieces == 1)
		sums->one_piece_weight += weight;
	sums->pieces += w * measured->pieces;
	sums->fill += w * measured->fill;
	sums->foreign += w * measured->foreign_nodes;
}

void storus_sums_count(storus_sums_t *sums, const storus_run_t *run)
{
	sums->jobs++;
	if (!run->began || run->waited < 0)
		return;
	sums->began++;
	sums->waited += (uint64_t)(run->start - run->waited);
}

static storus_mean_t mean(double sum, double over)
{
	return (storus_mean_t){.known = over > 0, .value = over > 0 ? sum / over : 0};
}

storus_means_t storus_means(const storus_sums_t *sums)
{
	double placed = (double)sums->place_weight;

	return (storus_means_t){
		.node_hours = (double)sums->weight / HOUR,
		.hops = mean(sums->hops, (double)sums->hops_weight),
		.alone = mean(sums->alone, (double)sums->alone_weight),
		.ratio = mean(sums->hops_beside, sums->alone),
		.excess = {.known = sums->alone_weight > 0,
			   .value = (sums->hops_beside - sums->alone) / HOUR},
		.pieces = mean(sums->pieces, placed),
		.one_piece = mean((double)sums->one_piece_weight, placed),
		.fill = mean(sums->fill, placed),
		.foreign = mean(sums->foreign, placed),
		.wait = mean((double)sums->waited, (double)sums->began),
		.measured = mean((double)sums->hops_weight, (double)sums->spread_weight),
	};
}
