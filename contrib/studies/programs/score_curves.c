/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score tables of docs/curves.md, as Markdown: our curves and the truncated Hilbert
 * curve on the boxes given, as a mesh and with all dimensions wrapped; after each, the
 * ratio of our Hilbert curve to the truncated one. With --path: the cells of a curve on
 * one box, one line of coordinates a rank, for contrib/studies/scripts/curves.gnuplot. With --order:
 * the row of an order that another program writes in that form to standard input.
 *
 *     score_curves [8x8x5 ...]
 *     score_curves --path hilbert|truncated 20x20
 *     other-program | score_curves --order 20x20
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../test/truncated_hilbert.h"
#include "curve/curve.h"
#include "measures/score.h"

/* Stands, in lists of curves, behind ours. */
#define TRUNCATED (TORUS_CURVE_FILE + 1)

/* A file has no order of its own, and gray is for hypercubes. */
static bool is_scored(int curve)
{
	return curve != TORUS_CURVE_FILE && curve != TORUS_CURVE_GRAY;
}

static const char *const defaults[] = {"8x8x5", "11x12x16", "16x12x24", "16x16x16",
				       "20x20", "10x12x16", "5x4x5"};

static const char *name_of(int curve)
{
	return curve == TRUNCATED ? "truncated hilbert"
				  : torus_curve_name((torus_curve_t)curve);
}

static int order_along(const torus_geometry_t *geometry, int curve, uint32_t *order,
		       torus_error_t *err)
{
	if (curve != TRUNCATED)
		return torus_curve_order(geometry, (torus_curve_t)curve, order, err);
	truncated_hilbert_order(geometry, order);
	return 0;
}

static double mean_of(const torus_curve_score_t *score)
{
	double sum = 0;

	for (int w = 0; w < score->windows; w++)
		sum += score->window[w].average_distance;
	return score->windows ? sum / score->windows : 0;
}

static void print_head(const torus_curve_score_t *score)
{
	printf("| curve | long steps | longest |");
	for (int w = 0; w < score->windows; w++)
		printf(" %u |", score->window[w].length);
	printf(" mean |\n|---|--:|--:|");
	for (int w = 0; w <= score->windows; w++)
		printf("--:|");
	printf("\n");
}

static void print_row(const char *name, const torus_curve_score_t *score)
{
	printf("| %s | %u | %u |", name, score->long_steps, score->longest_step);
	for (int w = 0; w < score->windows; w++)
		printf(" %.3f |", score->window[w].average_distance);
	printf(" %.3f |\n", mean_of(score));
}

static void print_ratio(const torus_curve_score_t *ours, const torus_curve_score_t *peer)
{
	printf("| hilbert / truncated | | |");
	for (int w = 0; w < ours->windows; w++)
		printf(" %.3f |", ours->window[w].average_distance /
					  peer->window[w].average_distance);
	printf(" %.3f |\n", mean_of(ours) / mean_of(peer));
}

/* The box, how many cells it has, and room for an order of them; NULL with [err] filled.
 */
static uint32_t *order_of_box(const char *dims, const char *wrap,
			      torus_geometry_t *geometry, uint32_t *cells,
			      torus_error_t *err)
{
	uint32_t *order;

	if (torus_geometry_parse(dims, wrap, geometry, err))
		return NULL;
	*cells = torus_geometry_cells(geometry);
	order = malloc(*cells * sizeof(*order));
	if (!order)
		torus_fail(err, "no memory for %s", dims);
	return order;
}

static int print_table(const char *dims, const char *wrap, torus_error_t *err)
{
	torus_curve_score_t score[TRUNCATED + 1];
	torus_geometry_t geometry;
	uint32_t *order, cells;
	int rv = -1;

	order = order_of_box(dims, wrap, &geometry, &cells, err);
	if (!order)
		return -1;
	for (int curve = 0; curve <= TRUNCATED; curve++) {
		if (!is_scored(curve))
			continue;
		if (order_along(&geometry, curve, order, err) ||
		    torus_curve_score(&geometry, order, cells, NULL, NULL, &score[curve],
				      err))
			goto done;
	}
	printf("\n**%s, %s**\n\n", dims, wrap ? "torus" : "mesh");
	print_head(&score[0]);
	for (int curve = 0; curve <= TRUNCATED; curve++) {
		if (is_scored(curve))
			print_row(name_of(curve), &score[curve]);
	}
	print_ratio(&score[TORUS_CURVE_HILBERT], &score[TRUNCATED]);
	rv = 0;
done:
	free(order);
	return rv;
}

static int print_path(const char *curve, const char *dims, torus_error_t *err)
{
	torus_geometry_t geometry;
	uint32_t *order, cells;
	int rv;

	order = order_of_box(dims, NULL, &geometry, &cells, err);
	if (!order)
		return -1;
	rv = order_along(&geometry,
			 strcmp(curve, "truncated") ? TORUS_CURVE_HILBERT : TRUNCATED,
			 order, err);
	for (uint32_t rank = 0; !rv && rank < cells; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&geometry, order[rank], coord);
		for (int axis = 0; axis < geometry.dims; axis++)
			printf(axis ? " %d" : "%d", coord[axis]);
		printf("\n");
	}
	free(order);
	return rv;
}

static int read_coord(const torus_geometry_t *geometry, uint32_t *cell)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (scanf("%d", &coord[axis]) != 1 || coord[axis] < 0 ||
		    coord[axis] >= geometry->length[axis])
			return -1;
	}
	*cell = torus_coord_to_cell(geometry, coord);
	return 0;
}

static int print_order(const char *dims, torus_error_t *err)
{
	torus_curve_score_t score;
	torus_geometry_t geometry;
	uint32_t *order, cells;
	int rv;

	order = order_of_box(dims, NULL, &geometry, &cells, err);
	if (!order)
		return -1;
	rv = 0;
	for (uint32_t rank = 0; rank < cells && !rv; rank++) {
		if (read_coord(&geometry, &order[rank]))
			rv = torus_fail(err, "no coordinates in %s for rank %u", dims,
					rank);
	}
	if (!rv)
		rv = torus_curve_score(&geometry, order, cells, NULL, NULL, &score, err);
	if (!rv)
		print_row(dims, &score);
	free(order);
	return rv;
}

int main(int argc, char **argv)
{
	const char *const *boxes = defaults;
	int count = sizeof(defaults) / sizeof(defaults[0]), rv = 0;
	torus_error_t err;

	if (argc == 4 && !strcmp(argv[1], "--path")) {
		rv = print_path(argv[2], argv[3], &err);
	} else if (argc == 3 && !strcmp(argv[1], "--order")) {
		rv = print_order(argv[2], &err);
	} else {
		if (argc > 1) {
			boxes = (const char *const *)argv + 1;
			count = argc - 1;
		}
		for (int wrapped = 0; wrapped < 2; wrapped++) {
			for (int i = 0; i < count && !rv; i++)
				rv = print_table(boxes[i], wrapped ? "all" : NULL, &err);
		}
	}
	if (rv)
		fprintf(stderr, "score_curves: %s\n", err.text);
	return rv ? 2 : 0;
}
