/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of beta-distributed sizes, all present at time 0, after Pascual, Lozano and
 * Miguel-Alonso, "Analyzing the Performance of Allocation Strategies Based on
 * Space-Filling Curves" (2015): shaped jobs ask for a box, each side of which is drawn by
 * itself; unshaped ones for a number of nodes.
 *
 * With x of the distribution, a side is 1 + floor(x * s), where s is [largest] times the
 * machine's side, rounded down, but at least 1; a number of nodes is 1 + floor(x * n),
 * where n are the nodes of the largest box. Both kinds so have the same largest job. The
 * distributions are ours: (alpha, beta) = (2, 6), (4, 4) and (6, 2), with means of a
 * quarter, half and three quarters and the same spread about the middle of the range.
 * With sides=any a box has as many cells as an unshaped job has nodes, or a few more, and
 * may be elongated or flat, up to the machine's sides. The largest job may also be given
 * by its cells (most=), the same for machines of other dimensions.
 */
#include "sim/synthetic/kinds.h"

#include "base/random.h"
#include "sim/synthetic/variates.h"

enum { SIZES = TORUS_SYNTHETIC_OWN, SHAPED, SIDES, LARGEST, MOST, JOBS };

static const char *const sizes[] = {"small", "medium", "large", NULL};
static const char *const sides[] = {"beta", "any", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};

static const struct {
	int alpha, beta;
} distribution[] = {{2, 6}, {4, 4}, {6, 2}};

/* The largest box that a job may ask for. */
static torus_shape_t largest_box(const torus_geometry_t *geometry, double part)
{
	torus_shape_t box = {.dims = geometry->dims};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		box.side[axis] = (int32_t)(geometry->length[axis] * part);
		if (box.side[axis] < 1)
			box.side[axis] = 1;
	}
	return box;
}

static uint32_t volume(const torus_shape_t *box)
{
	uint32_t cells = 1;

	for (int axis = 0; axis < box->dims; axis++)
		cells *= (uint32_t)box->side[axis];
	return cells;
}

/* [volume] by [cells], rounded up. */
static uint32_t divide_up(uint32_t volume, uint32_t cells)
{
	return (volume + cells - 1) / cells;
}

/*
 * A box of at least [cells] cells, and few more: each side in turn is log-uniform between
 * what leaves the other axes room for the rest and the rest itself; the last side is the
 * rest. Which axis is the last is left to chance.
 */
static torus_shape_t any_box(const torus_geometry_t *geometry, uint32_t cells,
			     uint64_t *random)
{
	torus_shape_t box = {.dims = geometry->dims, .side = {1, 1, 1, 1, 1, 1}};
	uint32_t others = torus_geometry_cells(geometry), left = cells;
	int first = (int)torus_random_below(random, (uint32_t)box.dims);

	for (int i = 0; i < box.dims; i++) {
		int axis = (first + i) % box.dims;
		uint32_t length = (uint32_t)geometry->length[axis], least, most;

		others /= length;
		least = divide_up(left, others);
		most = left < length ? left : length;
		box.side[axis] = (int32_t)torus_variate_log_uniform(random, least, most);
		left = divide_up(left, (uint32_t)box.side[axis]);
	}
	return box;
}

static int draw(const double *value, const torus_synthetic_machine_t *machine,
		uint64_t *random, torus_workload_t *workload, torus_error_t *err)
{
	int alpha = distribution[(int)value[SIZES]].alpha;
	int beta = distribution[(int)value[SIZES]].beta;
	uint32_t cells = torus_geometry_cells(&machine->geometry);
	/* As many as a box has at most, should some routers have fewer. */
	uint32_t nodes_per_router = (machine->nodes + cells - 1) / cells;
	torus_shape_t most = largest_box(&machine->geometry, value[LARGEST]);
	uint32_t most_cells = value[MOST] != 0 ? (uint32_t)value[MOST] : volume(&most);
	uint32_t most_nodes;

	if (value[MOST] != 0 && value[SHAPED] != 0 && value[SIDES] == 0)
		return torus_fail(err, "beta: most= is not for boxes of sides=beta");
	if (most_cells > cells)
		most_cells = cells;
	most_nodes = most_cells * nodes_per_router;
	if (most_nodes > machine->nodes)
		most_nodes = machine->nodes;
	for (uint32_t i = 0; i < (uint32_t)value[JOBS]; i++) {
		torus_sim_job_t job = {.has_shape = value[SHAPED] != 0};

		if (job.has_shape && value[SIDES] != 0) {
			uint32_t wanted =
				1 + (uint32_t)(torus_variate_beta(random, alpha, beta) *
					       most_cells);

			job.shape = any_box(&machine->geometry, wanted, random);
			job.nodes = volume(&job.shape) * nodes_per_router;
		} else if (job.has_shape) {
			job.shape = most;
			for (int axis = 0; axis < most.dims; axis++)
				job.shape.side[axis] =
					1 + (int32_t)(torus_variate_beta(random, alpha,
									 beta) *
						      most.side[axis]);
			job.nodes = volume(&job.shape) * nodes_per_router;
		} else {
			job.nodes =
				1 + (uint32_t)(torus_variate_beta(random, alpha, beta) *
					       most_nodes);
		}
		if (torus_workload_add(workload, &job, err))
			return -1;
	}
	return 0;
}

const torus_synthetic_kind_t torus_synthetic_beta = {
	.name = "beta",
	.summary = "beta-distributed numbers of nodes, or boxes of such sides",
	.parameter = {TORUS_SYNTHETIC_RUN_PARAMETER(
			      "mean of exponential run times, in seconds", 3600),
		      TORUS_SYNTHETIC_LOAD_PARAMETER(0), TORUS_SYNTHETIC_TIMES_PARAMETER,
		      TORUS_SYNTHETIC_F_PARAMETER,
		      [SIZES] = {.name = "sizes",
				 .summary = "mean 1/4, 1/2 or 3/4 of the largest",
				 .choices = sizes,
				 .standard = 1},
		      [SHAPED] = {.name = "shaped",
				  .summary = "whether the jobs ask for boxes",
				  .choices = no_yes},
		      [SIDES] = {.name = "sides",
				 .summary = "each side of a box by itself, or any box of "
					    "about so many nodes",
				 .choices = sides},
		      [LARGEST] = {.name = "largest",
				   .summary =
					   "of the machine's sides, that the largest has",
				   .minimum = 0.01,
				   .maximum = 1,
				   .standard = 0.5},
		      [MOST] = {.name = "most",
				.summary =
					"or the coordinates that it has; 0: by largest",
				.maximum = TORUS_MAX_CELLS,
				.whole = true},
		      [JOBS] = TORUS_SYNTHETIC_JOBS_PARAMETER(150)},
	.draw = draw,
};
