/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One simulation of a comparison: see compare_cell.h. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/simulate.h"
#include "sim/swf.h"
#include "sim/transform.h"
#include "storus/cli/logfile.h"
#include "storus/cli/machine_options.h"
#include "storus/sim/compare_cell.h"
#include "storus/sim/counted.h"
#include "storus/sim/source.h"
#include "storus/sim/mix.h"
#include "storus/sim/segments.h"
#include "storus/sim/synthetic.h"
#include "storus/sim/wish.h"
#include "strategies/strategies.h"

/*
 * How many curves a machine may need: those listed or the standard one, and one for
 * each allocator's own.
 */
static size_t curves_of(const storus_matrix_t *matrix)
{
	return matrix->list[STORUS_MATRIX_CURVES].count + 1 +
	       matrix->list[STORUS_MATRIX_ALLOCATORS].count;
}

int storus_inputs_create(const storus_plan_t *plan, storus_inputs_t *inputs,
			 torus_error_t *err)
{
	const storus_matrix_t *matrix = plan->matrix;
	size_t traces = matrix->list[STORUS_MATRIX_TRACES].count;

	inputs->plan = plan;
	inputs->cluster =
		calloc(matrix->machines * curves_of(matrix), sizeof(*inputs->cluster));
	inputs->trace = calloc(traces + 1, sizeof(*inputs->trace));
	inputs->has_trace = calloc(traces + 1, sizeof(*inputs->has_trace));
	if (inputs->cluster && inputs->trace && inputs->has_trace)
		return 0;
	storus_inputs_free(inputs);
	return torus_fail(err, "out of memory");
}

void storus_inputs_free(storus_inputs_t *inputs)
{
	const storus_matrix_t *matrix = inputs->plan->matrix;

	for (size_t i = 0; inputs->cluster && i < matrix->machines * curves_of(matrix);
	     i++)
		torus_cluster_destroy(inputs->cluster[i]);
	for (size_t i = 0; inputs->trace && i < matrix->list[STORUS_MATRIX_TRACES].count;
	     i++)
		torus_workload_clear(&inputs->trace[i]);
	free(inputs->cluster);
	free(inputs->trace);
	free(inputs->has_trace);
}

static torus_cluster_t **cluster_of(const storus_inputs_t *inputs,
				    const storus_cell_t *cell)
{
	const storus_matrix_t *matrix = inputs->plan->matrix;

	size_t curve = cell->at[STORUS_AXIS_CURVE];

	if (storus_cell_own_curve(inputs->plan, cell))
		curve = matrix->list[STORUS_MATRIX_CURVES].count + 1 +
			cell->at[STORUS_AXIS_ALLOCATOR];
	return &inputs->cluster[cell->at[STORUS_AXIS_MACHINE] * curves_of(matrix) +
				curve];
}

/* A value that is the same for all cells, or [standard]. */
static uint64_t number_of(const storus_matrix_t *matrix, storus_matrix_key_t key,
			  uint64_t standard)
{
	const storus_matrix_list_t *list = &matrix->list[key];

	return list->count ? strtoull(list->item[0], NULL, 10) : standard;
}

static int open_machine(const storus_inputs_t *inputs, const storus_cell_t *cell,
			torus_error_t *err)
{
	const storus_plan_t *plan = inputs->plan;
	const storus_matrix_machine_t *machine =
		&plan->matrix->machine[cell->at[STORUS_AXIS_MACHINE]];
	const char *conf_name = machine->value[STORUS_MATRIX_CONF];
	const char *per_router = machine->value[STORUS_MATRIX_NODES_PER_ROUTER];
	const char *curve_name = storus_cell_item(plan, cell, STORUS_AXIS_CURVE);
	char *conf = NULL, *curve = NULL;
	torus_cluster_t *cluster = NULL;
	int rc = -1;

	if (conf_name) {
		conf = storus_plan_path(plan, conf_name);
		if (!conf)
			goto no_memory;
	}
	if (curve_name) {
		curve = storus_plan_curve(plan, curve_name);
		if (!curve)
			goto no_memory;
	}
	cluster = storus_cluster_open(&(storus_machine_options_t){
		.conf = conf,
		.dims = machine->value[STORUS_MATRIX_DIMS],
		.wrap = machine->value[STORUS_MATRIX_WRAP],
		.nodes_per_router = per_router ? strtoull(per_router, NULL, 10) : 0,
		.curve = curve,
	});
	*cluster_of(inputs, cell) = cluster;
	rc = cluster ? 0
		     : torus_fail(err, "%s:%u: no such machine", plan->matrix->path,
				  machine->line);
	goto done;
no_memory:
	torus_fail(err, "out of memory");
done:
	free(conf);
	free(curve);
	return rc;
}

/* What messages call the jobs of the cell. */
static storus_counted_t counted_of(const storus_plan_t *plan, const storus_cell_t *cell)
{
	return (storus_counted_t){
		.source = storus_cell_item(plan, cell, STORUS_AXIS_STREAM),
		.is_trace = storus_cell_has_trace(plan, cell),
		.warmup_option = "Warmup=",
		.warmup = number_of(plan->matrix, STORUS_MATRIX_WARMUP, 0),
	};
}

static int read_trace(storus_inputs_t *inputs, const storus_cell_t *cell,
		      torus_error_t *err)
{
	const storus_matrix_t *matrix = inputs->plan->matrix;
	const storus_counted_t counted = counted_of(inputs->plan, cell);
	size_t number = cell->at[STORUS_AXIS_STREAM];
	uint64_t processors = number_of(matrix, STORUS_MATRIX_PROCESSORS_PER_NODE, 1);
	char *path = storus_plan_path(inputs->plan,
				      matrix->list[STORUS_MATRIX_TRACES].item[number]);
	char *text = NULL;
	size_t length;
	int rc = path ? storus_logfile_read(path, &text, &length, err)
		      : torus_fail(err, "out of memory");

	if (!rc)
		rc = torus_swf_read(text, length, (uint32_t)processors,
				    &inputs->trace[number], err);
	free(text);
	free(path);
	inputs->has_trace[number] = !rc;
	if (!rc)
		rc = storus_counted_check_log(&counted, &inputs->trace[number], err);
	if (!rc && inputs->trace[number].repeated.count)
		warnx("%s: %" PRIu64
		      " of the jobs stand in the log before (first on line "
		      "%" PRIu64 "); they are replayed as well",
		      counted.source, inputs->trace[number].repeated.count,
		      inputs->trace[number].repeated.first_line);
	return rc ? storus_matrix_fail(matrix, STORUS_MATRIX_TRACES, err) : 0;
}

int storus_inputs_prepare(storus_inputs_t *inputs, const storus_cell_t *cell,
			  torus_error_t *err)
{
	size_t stream = cell->at[STORUS_AXIS_STREAM];

	if (!*cluster_of(inputs, cell) && open_machine(inputs, cell, err))
		return -1;
	if (storus_cell_has_trace(inputs->plan, cell) && !inputs->has_trace[stream])
		return read_trace(inputs, cell, err);
	return 0;
}

static int make_workload(const storus_inputs_t *inputs, const storus_cell_t *cell,
			 uint64_t seed, torus_workload_t *workload, torus_error_t *err)
{
	const storus_plan_t *plan = inputs->plan;
	const storus_matrix_t *matrix = plan->matrix;
	const char *multiple = storus_cell_item(plan, cell, STORUS_AXIS_WORK_MULTIPLE);
	const torus_transform_t transform = {
		.max_jobs = number_of(matrix, STORUS_MATRIX_MAX_JOBS, 0),
		.replicate = (uint32_t)number_of(matrix, STORUS_MATRIX_REPLICATE, 1),
		.work_multiple = multiple ? strtod(multiple, NULL) : 1,
		.memory = storus_source_memory(),
		.seed = seed,
	};

	if (storus_cell_has_trace(plan, cell))
		*workload = inputs->trace[cell->at[STORUS_AXIS_STREAM]];
	else if (storus_synthetic_generate(
			 storus_cell_item(plan, cell, STORUS_AXIS_STREAM),
			 storus_cell_item(plan, cell, STORUS_AXIS_LOAD),
			 *cluster_of(inputs, cell), seed, workload, err))
		return -1;
	return torus_workload_transform(workload, &transform, err);
}

int storus_cell_simulate(storus_inputs_t *inputs, const storus_cell_t *cell,
			 double value[STORUS_MEASURES], torus_error_t *err)
{
	const storus_plan_t *plan = inputs->plan;
	const storus_matrix_t *matrix = plan->matrix;
	const storus_matrix_list_t *slowdown = &matrix->list[STORUS_MATRIX_SLOWDOWN];
	const char *allocator = storus_cell_item(plan, cell, STORUS_AXIS_ALLOCATOR);
	const char *wish = storus_cell_item(plan, cell, STORUS_AXIS_WISH);
	const char *segment = storus_cell_item(plan, cell, STORUS_AXIS_SEGMENT);
	torus_cluster_t *cluster = *cluster_of(inputs, cell);
	uint64_t seed =
		strtoull(storus_cell_item(plan, cell, STORUS_AXIS_SEED), NULL, 10);
	torus_sim_config_t config = {
		.map = (const torus_map_t *const *)cluster->map,
		.tori = cluster->maps,
		.spreads = cluster->spreads_at_once,
		.warmup = number_of(matrix, STORUS_MATRIX_WARMUP, 0),
		.seed = seed,
		.forget = true,
		.isolation = plan->isolation,
	};
	const storus_counted_t counted = counted_of(plan, cell);
	torus_patience_site_t patience = torus_cluster_patience(cluster, NULL);
	torus_network_request_t asked = {0};
	torus_workload_t workload = {0};
	torus_sim_result_t result;

	for (int t = 0; allocator && t < cluster->maps; t++) {
		if (torus_allocator_parse(allocator, torus_strategies,
					  &cluster->map[t]->allocator, err))
			return -1;
	}
	if (torus_scheduler_parse(storus_cell_item(plan, cell, STORUS_AXIS_SCHEDULER),
				  &config.scheduler, err) ||
	    (slowdown->count &&
	     torus_slowdown_parse(slowdown->item[0], &config.slowdown, err)) ||
	    (wish && storus_wish_parse(wish, &asked, err)) ||
	    (segment &&
	     storus_segments_parse(segment, &config.segment, &config.segments, err)) ||
	    make_workload(inputs, cell, seed, &workload, err))
		return -1;
	/* "none" is none. */
	if (wish && !asked.near && !asked.has_shape)
		patience.near = 0;
	config.wish = storus_wish_of(&asked, &patience);
	storus_mix_wishes(&workload, 1, seed);
	if (torus_simulate(&workload, &config, &result, err) ||
	    storus_counted_check(&counted, &result, err))
		return -1;
	for (int i = 0; i < STORUS_MEASURES; i++)
		value[i] = storus_measure_value(&result, i);
	return 0;
}
