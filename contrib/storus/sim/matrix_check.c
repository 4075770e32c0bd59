/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which values the keys of a matrix take: see matrix_check.h. */
#include "storus/sim/matrix_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/curve.h"
#include "geometry/geometry.h"
#include "place/place.h"
#include "sim/scheduler.h"
#include "sim/slowdown.h"
#include "sim/synthetic/synthetic.h"
#include "storus/sim/measures.h"
#include "storus/sim/segments.h"
#include "storus/sim/wish.h"
#include "strategies/strategies.h"

/* A decimal number above 0; by hand, as strtod() takes signs, exponents and nan. */
static int check_decimal(const char *text, double most, torus_error_t *err)
{
	char *end;
	double number = strtod(text, &end);

	if (text[strspn(text, "0123456789.")] || *end || !(number > 0))
		return torus_fail(err, "'%s' is not a number above 0", text);
	if (number > most)
		return torus_fail(err, "%s is too large, at most %.15g is possible", text,
				  most);
	return 0;
}

static int check_whole(const char *text, uint64_t least, uint64_t most,
		       torus_error_t *err)
{
	uint64_t number;

	if (text[strspn(text, "0123456789")])
		return torus_fail(err, "'%s' is not a whole number", text);
	number = strlen(text) > 18 ? UINT64_MAX : strtoull(text, NULL, 10);
	if (number < least || number > most)
		return torus_fail(err, "%s is not in %llu to %llu", text,
				  (unsigned long long)least, (unsigned long long)most);
	return 0;
}

static int check_dims(const char *text, torus_error_t *err)
{
	torus_geometry_t geometry;

	return torus_geometry_parse(text, NULL, &geometry, err);
}

static int check_curve(const char *text, torus_error_t *err)
{
	torus_curve_t curve;
	const char *path;

	return torus_curve_parse(text, &curve, &path, err);
}

/* "best_fit", or with a curve of its own "best_fit@snake". */
static int check_allocator(const char *text, torus_error_t *err)
{
	const char *at = strchr(text, STORUS_MATRIX_OWN_CURVE), *path;
	const torus_allocator_t *allocator;
	torus_curve_t curve;
	char name[64];

	if (!at)
		return torus_allocator_parse(text, torus_strategies, &allocator, err);
	snprintf(name, sizeof(name), "%.*s", (int)(at - text), text);
	if (torus_allocator_parse(name, torus_strategies, &allocator, err) ||
	    torus_curve_parse(at + 1, &curve, &path, err))
		return -1;
	if (path)
		return torus_fail(err,
				  "'%s': a curve from a file stands in Curves=", text);
	return 0;
}

static int check_scheduler(const char *text, torus_error_t *err)
{
	torus_scheduler_t scheduler;

	return torus_scheduler_parse(text, &scheduler, err);
}

static int check_workload(const char *text, torus_error_t *err)
{
	torus_synthetic_t synthetic;

	return torus_synthetic_parse(text, &synthetic, err);
}

static int check_slowdown(const char *text, torus_error_t *err)
{
	torus_slowdown_t slowdown;

	return torus_slowdown_parse(text, &slowdown, err);
}

static int check_measure(const char *text, torus_error_t *err)
{
	if (storus_measure_find(text) >= 0)
		return 0;
	return torus_fail(err,
			  "unknown measure '%s'; `storus sim compare --help` lists them",
			  text);
}

int storus_matrix_check(storus_matrix_key_t key, const char *item, torus_error_t *err)
{
	switch (key) {
	case STORUS_MATRIX_DIMS:
		return check_dims(item, err);
	case STORUS_MATRIX_NODES_PER_ROUTER:
		return check_whole(item, 1, TORUS_MAX_CELLS, err);
	case STORUS_MATRIX_WORKLOADS:
		return check_workload(item, err);
	case STORUS_MATRIX_LOADS:
		return check_decimal(item, 100, err);
	case STORUS_MATRIX_WORK_MULTIPLES:
		return check_decimal(item, 1e6, err);
	case STORUS_MATRIX_SCHEDULERS:
		return check_scheduler(item, err);
	case STORUS_MATRIX_CURVES:
		return check_curve(item, err);
	case STORUS_MATRIX_ALLOCATORS:
		return check_allocator(item, err);
	case STORUS_MATRIX_WISHES:
		return storus_wish_parse(item, &(torus_network_request_t){0}, err);
	case STORUS_MATRIX_SEGMENTS:
		return storus_segments_parse(item, &(uint32_t){0},
					     &(torus_segments_where_t){0}, err);
	case STORUS_MATRIX_PROCESSORS_PER_NODE:
	case STORUS_MATRIX_REPLICATE:
		return check_whole(item, 1, 1000000, err);
	case STORUS_MATRIX_MAX_JOBS:
		return check_whole(item, 1, 1000000000, err);
	case STORUS_MATRIX_WARMUP:
		return check_whole(item, 0, 1000000000, err);
	case STORUS_MATRIX_SLOWDOWN:
		return check_slowdown(item, err);
	case STORUS_MATRIX_MEASURE:
		return check_measure(item, err);
	/* A wrap goes with its dimensions, seeds are resolved, a baseline goes with the
	 * other lists, and files are opened when they are needed. */
	default:
		return 0;
	}
}
