/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulations of a comparison: see compare_plan.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "conf/torus_conf.h"
#include "storus/sim/compare_plan.h"
#include "storus/sim/measures.h"
#include "strategies/strategies.h"

enum { CELLS_MAX = 1000000 };

/* The list of the matrix behind each axis that has one. */
static const storus_matrix_key_t key_of_axis[STORUS_AXES] = {
	[STORUS_AXIS_LOAD] = STORUS_MATRIX_LOADS,
	[STORUS_AXIS_WORK_MULTIPLE] = STORUS_MATRIX_WORK_MULTIPLES,
	[STORUS_AXIS_SCHEDULER] = STORUS_MATRIX_SCHEDULERS,
	[STORUS_AXIS_CURVE] = STORUS_MATRIX_CURVES,
	[STORUS_AXIS_ALLOCATOR] = STORUS_MATRIX_ALLOCATORS,
	[STORUS_AXIS_WISH] = STORUS_MATRIX_WISHES,
	[STORUS_AXIS_SEGMENT] = STORUS_MATRIX_SEGMENTS,
	[STORUS_AXIS_SEED] = STORUS_MATRIX_SEEDS,
};

/* The digests of the files that a matrix names, each read once. */
typedef struct digests {
	uint64_t build;		   /* of this program */
	uint64_t *machine, *trace; /* [machines], 0 without Conf; [traces] */
	uint64_t *curve;	   /* [curves], 0 but for files */
} digests_t;

uint64_t storus_hash(uint64_t hash, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	return hash;
}

static size_t at_least_one(size_t count)
{
	return count ? count : 1;
}

bool storus_cell_has_trace(const storus_plan_t *plan, const storus_cell_t *cell)
{
	return cell->at[STORUS_AXIS_STREAM] <
	       plan->matrix->list[STORUS_MATRIX_TRACES].count;
}

const char *storus_cell_own_curve(const storus_plan_t *plan, const storus_cell_t *cell)
{
	const storus_matrix_list_t *list = &plan->matrix->list[STORUS_MATRIX_ALLOCATORS];
	const char *at = list->count ? strchr(list->item[cell->at[STORUS_AXIS_ALLOCATOR]],
					      STORUS_MATRIX_OWN_CURVE)
				     : NULL;

	return at ? at + 1 : NULL;
}

const char *storus_cell_item(const storus_plan_t *plan, const storus_cell_t *cell,
			     storus_axis_t axis)
{
	const storus_matrix_list_t *lists = plan->matrix->list;
	size_t at = cell->at[axis];
	const storus_matrix_list_t *list;

	if (axis == STORUS_AXIS_MACHINE) {
		char *const *value = plan->matrix->machine[at].value;

		return value[STORUS_MATRIX_DIMS] ? value[STORUS_MATRIX_DIMS]
						 : value[STORUS_MATRIX_CONF];
	}
	if (axis == STORUS_AXIS_STREAM) {
		size_t traces = lists[STORUS_MATRIX_TRACES].count;

		return at < traces ? lists[STORUS_MATRIX_TRACES].item[at]
				   : lists[STORUS_MATRIX_WORKLOADS].item[at - traces];
	}
	if (axis == STORUS_AXIS_LOAD && storus_cell_has_trace(plan, cell))
		return NULL;
	list = &lists[key_of_axis[axis]];
	if (axis == STORUS_AXIS_CURVE && storus_cell_own_curve(plan, cell))
		return storus_cell_own_curve(plan, cell);
	if (axis == STORUS_AXIS_ALLOCATOR)
		return list->count ? plan->allocator[at] : NULL;
	return list->count ? list->item[at] : NULL;
}

char *storus_plan_machine_name(const storus_plan_t *plan, size_t machine)
{
	char *const *value = plan->matrix->machine[machine].value;
	const char *wrap = value[STORUS_MATRIX_WRAP];
	const char *nodes = value[STORUS_MATRIX_NODES_PER_ROUTER];
	char *name;

	if (!value[STORUS_MATRIX_DIMS])
		return strdup(value[STORUS_MATRIX_CONF]);
	if (asprintf(&name, "%s%s%s%s%s", value[STORUS_MATRIX_DIMS], wrap ? " Wrap=" : "",
		     wrap ? wrap : "", nodes ? " NodesPerRouter=" : "",
		     nodes ? nodes : "") < 0)
		return NULL;
	return name;
}

char *storus_plan_path(const storus_plan_t *plan, const char *name)
{
	return torus_textfile_beside(plan->matrix->path, name);
}

static bool curve_is_file(const char *name)
{
	return !strncasecmp(name, "file:", 5);
}

char *storus_plan_curve(const storus_plan_t *plan, const char *name)
{
	char *path, *curve;

	if (!curve_is_file(name))
		return strdup(name);
	path = storus_plan_path(plan, name + 5);
	if (!path || asprintf(&curve, "file:%s", path) < 0)
		curve = NULL;
	free(path);
	return curve;
}

/* The digest of the file [path]. */
static int digest_file(const char *path, uint64_t *digest, torus_error_t *err)
{
	size_t length;
	char *text;

	if (torus_textfile_read(path, &text, &length, err))
		return -1;
	*digest = storus_hash(STORUS_HASH_BEGIN, text, length);
	free(text);
	return 0;
}

/* The digest of a torus.conf and of all the files that it names. */
static int digest_conf(const char *path, uint64_t *digest, torus_error_t *err)
{
	torus_cluster_t *cluster = torus_conf_read(path, err);

	if (!cluster)
		return -1;
	*digest = STORUS_HASH_BEGIN;
	for (int i = 0; i < cluster->sources.count; i++)
		*digest = storus_hash(*digest, cluster->sources.source[i].text,
				      cluster->sources.source[i].length);
	torus_cluster_destroy(cluster);
	return 0;
}

/* Of a file that the matrix names: as one of those above. */
static int digest_named(const storus_plan_t *plan, const char *name,
			int (*digest)(const char *, uint64_t *, torus_error_t *),
			uint64_t *result, torus_error_t *err)
{
	char *path = storus_plan_path(plan, name);
	int rc = path ? digest(path, result, err) : torus_fail(err, "out of memory");

	free(path);
	return rc;
}

static int read_digests(const storus_plan_t *plan, digests_t *digests, torus_error_t *err)
{
	const storus_matrix_t *matrix = plan->matrix;
	const storus_matrix_list_t *traces = &matrix->list[STORUS_MATRIX_TRACES];
	const storus_matrix_list_t *curves = &matrix->list[STORUS_MATRIX_CURVES];

	digests->machine = calloc(matrix->machines, sizeof(uint64_t));
	digests->trace = calloc(at_least_one(traces->count), sizeof(uint64_t));
	digests->curve = calloc(at_least_one(curves->count), sizeof(uint64_t));
	if (!digests->machine || !digests->trace || !digests->curve)
		return torus_fail(err, "out of memory");
	/* Another build of the same version may place differently. */
	if (digest_file("/proc/self/exe", &digests->build, err))
		return -1;
	for (size_t i = 0; i < matrix->machines; i++) {
		const char *conf = matrix->machine[i].value[STORUS_MATRIX_CONF];

		if (conf &&
		    digest_named(plan, conf, digest_conf, &digests->machine[i], err))
			return torus_fail_prefix(err, "%s:%u: Conf=: ", matrix->path,
						 matrix->machine[i].line);
	}
	for (size_t i = 0; i < traces->count; i++) {
		if (digest_named(plan, traces->item[i], digest_file, &digests->trace[i],
				 err))
			return storus_matrix_fail(matrix, STORUS_MATRIX_TRACES, err);
	}
	for (size_t i = 0; i < curves->count; i++) {
		if (curve_is_file(curves->item[i]) &&
		    digest_named(plan, curves->item[i] + 5, digest_file,
				 &digests->curve[i], err))
			return storus_matrix_fail(matrix, STORUS_MATRIX_CURVES, err);
	}
	return 0;
}

static void print_line(FILE *file, const char *key, const char *value)
{
	if (value)
		fprintf(file, "%s %s\n", key, value);
}

static void print_digest(FILE *file, const char *key, uint64_t digest)
{
	if (digest)
		fprintf(file, "%s %016" PRIx64 "\n", key, digest);
}

/* Whether anything in the cell is random, so that its seed matters. */
static bool depends_on_seed(const storus_plan_t *plan, const storus_cell_t *cell)
{
	const char *name = storus_cell_item(plan, cell, STORUS_AXIS_ALLOCATOR);
	const torus_allocator_t *allocator;
	torus_error_t err;

	return !storus_cell_has_trace(plan, cell) ||
	       plan->matrix->list[STORUS_MATRIX_REPLICATE].count ||
	       (name &&
		torus_allocator_parse(name, torus_strategies, &allocator, &err) == 0 &&
		torus_allocator_by_chance(allocator));
}

static char *describe(const storus_plan_t *plan, const storus_cell_t *cell,
		      const digests_t *digests)
{
	static const char *const axis_names[STORUS_AXES] = {
		[STORUS_AXIS_LOAD] = "load",
		[STORUS_AXIS_WORK_MULTIPLE] = "work_multiple",
		[STORUS_AXIS_SCHEDULER] = "scheduler",
		[STORUS_AXIS_CURVE] = "curve",
		[STORUS_AXIS_ALLOCATOR] = "allocator",
		[STORUS_AXIS_WISH] = "wish",
		[STORUS_AXIS_SEGMENT] = "segment",
		[STORUS_AXIS_SEED] = "seed",
	};
	const storus_matrix_t *matrix = plan->matrix;
	bool trace = storus_cell_has_trace(plan, cell);
	char *machine = storus_plan_machine_name(plan, cell->at[STORUS_AXIS_MACHINE]);
	char *text = NULL;
	size_t length;
	FILE *file = machine ? open_memstream(&text, &length) : NULL;
	bool whole = false;

	if (file) {
		fputs("storus " PACKAGE_VERSION "\n", file);
		print_digest(file, "build", digests->build);
		print_line(file, "machine", machine);
		print_digest(file, "conf_digest",
			     digests->machine[cell->at[STORUS_AXIS_MACHINE]]);
		print_line(file, trace ? "trace" : "workload",
			   storus_cell_item(plan, cell, STORUS_AXIS_STREAM));
		if (trace)
			print_digest(file, "trace_digest",
				     digests->trace[cell->at[STORUS_AXIS_STREAM]]);
		for (int axis = STORUS_AXIS_LOAD; axis < STORUS_AXES; axis++) {
			if (axis != STORUS_AXIS_SEED || depends_on_seed(plan, cell))
				print_line(file, axis_names[axis],
					   storus_cell_item(plan, cell,
							    (storus_axis_t)axis));
		}
		if (!storus_cell_own_curve(plan, cell))
			print_digest(file, "curve_digest",
				     digests->curve[cell->at[STORUS_AXIS_CURVE]]);
		print_line(file, "isolation", plan->isolation ? "measured" : NULL);
		for (int key = STORUS_MATRIX_PROCESSORS_PER_NODE;
		     key <= STORUS_MATRIX_SLOWDOWN; key++) {
			if (matrix->list[key].count)
				print_line(
					file,
					storus_matrix_key_name((storus_matrix_key_t)key),
					matrix->list[key].item[0]);
		}
		whole = !ferror(file);
		whole = fclose(file) == 0 && whole;
	}
	free(machine);
	if (whole)
		return text;
	free(text);
	return NULL;
}

static int name_allocators(storus_plan_t *plan, torus_error_t *err)
{
	const storus_matrix_list_t *list = &plan->matrix->list[STORUS_MATRIX_ALLOCATORS];

	plan->allocator = calloc(at_least_one(list->count), sizeof(*plan->allocator));
	for (size_t i = 0; plan->allocator && i < list->count; i++) {
		const char *item = list->item[i];
		const char *at = strchrnul(item, STORUS_MATRIX_OWN_CURVE);

		plan->allocator[i] = strndup(item, (size_t)(at - item));
		if (!plan->allocator[i])
			return torus_fail(err, "out of memory");
	}
	return plan->allocator ? 0 : torus_fail(err, "out of memory");
}

/* The lengths of the axes for a stream of that number. */
static void axis_lengths(const storus_matrix_t *matrix, size_t stream,
			 size_t length[STORUS_AXES])
{
	for (int axis = STORUS_AXIS_LOAD; axis < STORUS_AXES; axis++)
		length[axis] = at_least_one(matrix->list[key_of_axis[axis]].count);
	if (stream < matrix->list[STORUS_MATRIX_TRACES].count)
		length[STORUS_AXIS_LOAD] = 1;
}

/* Add the cells of one machine and stream. */
static int add_cells(storus_plan_t *plan, size_t machine, size_t stream,
		     const digests_t *digests, torus_error_t *err)
{
	size_t length[STORUS_AXES], cells = 1;
	storus_cell_t *more;

	axis_lengths(plan->matrix, stream, length);
	for (int axis = STORUS_AXIS_LOAD; axis < STORUS_AXES; axis++) {
		cells *= length[axis];
		if (cells > CELLS_MAX)
			break;
	}
	if (plan->count + cells > CELLS_MAX)
		return torus_fail(err, "%s: more than %d simulations", plan->matrix->path,
				  CELLS_MAX);
	more = realloc(plan->cell, (plan->count + cells) * sizeof(*more));
	if (!more)
		return torus_fail(err, "out of memory");
	plan->cell = more;
	for (size_t i = 0; i < cells; i++) {
		storus_cell_t *cell = &plan->cell[plan->count];
		size_t rest = i;

		*cell = (storus_cell_t){.first = plan->count};
		cell->at[STORUS_AXIS_MACHINE] = machine;
		cell->at[STORUS_AXIS_STREAM] = stream;
		for (int axis = STORUS_AXES - 1; axis >= STORUS_AXIS_LOAD; axis--) {
			cell->at[axis] = rest % length[axis];
			rest /= length[axis];
		}
		cell->text = describe(plan, cell, digests);
		if (!cell->text)
			return torus_fail(err, "out of memory");
		plan->count++;
		/* Of cells with the same text, all but the seed is the same. */
		if (cell->at[STORUS_AXIS_SEED] &&
		    !strcmp(cell->text, plan->cell[plan->count - 2].text))
			cell->first = plan->cell[plan->count - 2].first;
	}
	return 0;
}

static bool measures_isolation(const storus_matrix_t *matrix)
{
	const storus_matrix_list_t *measures = &matrix->list[STORUS_MATRIX_MEASURE];

	for (size_t i = 0; i < measures->count; i++) {
		if (storus_measure_is_isolation(storus_measure_find(measures->item[i])))
			return true;
	}
	return false;
}

int storus_plan_create(const storus_matrix_t *matrix, storus_plan_t *plan,
		       torus_error_t *err)
{
	size_t streams = matrix->list[STORUS_MATRIX_TRACES].count +
			 matrix->list[STORUS_MATRIX_WORKLOADS].count;
	digests_t digests = {0};
	int rc;

	*plan = (storus_plan_t){.matrix = matrix,
				.seeds = matrix->list[STORUS_MATRIX_SEEDS].count,
				.isolation = measures_isolation(matrix)};
	rc = name_allocators(plan, err) || read_digests(plan, &digests, err) ? -1 : 0;
	for (size_t machine = 0; !rc && machine < matrix->machines; machine++) {
		for (size_t stream = 0; !rc && stream < streams; stream++)
			rc = add_cells(plan, machine, stream, &digests, err);
	}
	free(digests.machine);
	free(digests.trace);
	free(digests.curve);
	if (rc)
		storus_plan_free(plan);
	return rc;
}

void storus_plan_free(storus_plan_t *plan)
{
	size_t allocators =
		plan->matrix ? plan->matrix->list[STORUS_MATRIX_ALLOCATORS].count : 0;

	for (size_t i = 0; plan->allocator && i < allocators; i++)
		free(plan->allocator[i]);
	free(plan->allocator);
	for (size_t i = 0; i < plan->count; i++)
		free(plan->cell[i].text);
	free(plan->cell);
	*plan = (storus_plan_t){0};
}

size_t storus_plan_baseline(const storus_plan_t *plan, size_t row)
{
	const storus_matrix_list_t *baseline =
		&plan->matrix->list[STORUS_MATRIX_BASELINE];
	const storus_cell_t *cell = &plan->cell[row * plan->seeds];
	size_t step = 1, result = row;

	/* The step along an axis is the product of the lengths of those after it. */
	for (int axis = STORUS_AXIS_SEGMENT; axis >= STORUS_AXIS_SCHEDULER; axis--) {
		const storus_matrix_list_t *list = &plan->matrix->list[key_of_axis[axis]];

		for (size_t i = 0; i < list->count; i++) {
			for (size_t k = 0; k < baseline->count; k++) {
				if (!strcmp(list->item[i], baseline->item[k]))
					result =
						result - cell->at[axis] * step + i * step;
			}
		}
		step *= at_least_one(list->count);
	}
	return result;
}
