/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that `storus sim compare` reads: see matrix.h. */
#include "torus_config.h"

#include "storus/sim/matrix.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bitmap.h"
#include "base/edit_distance.h"
#include "base/lines.h"
#include "lists/ranklist.h"
#include "geometry/geometry.h"
#include "sim/synthetic/synthetic.h"
#include "storus/sim/matrix_check.h"
#include "storus/sim/wish.h"

/* A longer list is taken for a mistake. */
enum { ITEMS_MAX = 1000 };

/* Seeds are below this. */
enum { SEEDS_LIMIT = 1000000 };

static const struct {
	const char *name;
	const char *separators; /* NULL: one item, as it stands */
	const char *standard;	/* the value when the key is not there, or NULL */
} keys[STORUS_MATRIX_KEYS] = {
	[STORUS_MATRIX_DIMS] = {"Dims", NULL, NULL},
	[STORUS_MATRIX_WRAP] = {"Wrap", NULL, NULL},
	[STORUS_MATRIX_NODES_PER_ROUTER] = {"NodesPerRouter", NULL, NULL},
	[STORUS_MATRIX_CONF] = {"Conf", NULL, NULL},
	[STORUS_MATRIX_TRACES] = {"Traces", " \t", NULL},
	[STORUS_MATRIX_WORKLOADS] = {"Workloads", " \t", NULL},
	[STORUS_MATRIX_LOADS] = {"Loads", ", \t", NULL},
	[STORUS_MATRIX_WORK_MULTIPLES] = {"WorkMultiples", ", \t", NULL},
	[STORUS_MATRIX_SCHEDULERS] = {"Schedulers", ", \t", "easy"},
	[STORUS_MATRIX_CURVES] = {"Curves", ", \t", NULL},
	[STORUS_MATRIX_ALLOCATORS] = {"Allocators", ", \t", NULL},
	[STORUS_MATRIX_WISHES] = {"Wishes", " \t", NULL},
	[STORUS_MATRIX_SEGMENTS] = {"Segments", ", \t", NULL},
	[STORUS_MATRIX_SEEDS] = {"Seeds", "", "1"},
	[STORUS_MATRIX_PROCESSORS_PER_NODE] = {"ProcessorsPerNode", NULL, NULL},
	[STORUS_MATRIX_MAX_JOBS] = {"MaxJobs", NULL, NULL},
	[STORUS_MATRIX_REPLICATE] = {"Replicate", NULL, NULL},
	[STORUS_MATRIX_WARMUP] = {"Warmup", NULL, NULL},
	[STORUS_MATRIX_SLOWDOWN] = {"Slowdown", NULL, NULL},
	[STORUS_MATRIX_MEASURE] =
		{"Measure", ", \t",
		 "mean_average_distance,mean_stretch_span,mean_wait,utilization"},
	[STORUS_MATRIX_BASELINE] = {"Baseline", ", \t", NULL},
};

const char *storus_matrix_key_name(storus_matrix_key_t key)
{
	return keys[key].name;
}

int storus_matrix_fail(const storus_matrix_t *matrix, storus_matrix_key_t key,
		       torus_error_t *err)
{
	return torus_fail_prefix(err, "%s:%u: %s=: ", matrix->path,
				 matrix->list[key].line, keys[key].name);
}

static int fail_unknown(const char *name, torus_error_t *err)
{
	const char *nearest = NULL;
	size_t least = strlen(name) / 2;

	for (int key = 0; key < STORUS_MATRIX_KEYS; key++) {
		size_t distance = torus_edit_distance(name, keys[key].name);

		if (distance <= least && (!nearest || distance < least)) {
			least = distance;
			nearest = keys[key].name;
		}
	}
	if (nearest)
		return torus_fail(err, "unknown key '%s=': did you mean %s=?", name,
				  nearest);
	return torus_fail(err, "unknown key '%s=': storus-sim-compare(1) has them all",
			  name);
}

/* Cut "Key=value" at the first `=`. */
static int split_word(char *text, storus_matrix_key_t *key, char **value,
		      torus_error_t *err)
{
	char *equals = strchr(text, '=');
	int known = 0;

	if (!equals || equals == text)
		return torus_fail(err,
				  "'%.64s' is not of the form Key=value; a value with "
				  "blanks stands in \"...\"",
				  text);
	*equals = '\0';
	while (known < STORUS_MATRIX_KEYS && strcasecmp(text, keys[known].name) != 0)
		known++;
	if (known == STORUS_MATRIX_KEYS)
		return fail_unknown(text, err);
	if (!equals[1])
		return torus_fail(err, "%s= has no value", keys[known].name);
	*key = (storus_matrix_key_t)known;
	*value = equals + 1;
	return 0;
}

static int add_item(storus_matrix_list_t *list, const char *text, torus_error_t *err)
{
	char **more, *copy;

	for (size_t i = 0; i < list->count; i++) {
		if (!strcmp(list->item[i], text))
			return torus_fail(err, "'%s' stands twice in the list", text);
	}
	if (list->count == ITEMS_MAX)
		return torus_fail(err, "more than %d items", ITEMS_MAX);
	copy = strdup(text);
	more = copy ? realloc(list->item, (list->count + 1) * sizeof(*more)) : NULL;
	if (!more) {
		free(copy);
		return torus_fail(err, "out of memory");
	}
	list->item = more;
	list->item[list->count++] = copy;
	return 0;
}

/* "1-5,10": each number an item. */
static int add_seeds(storus_matrix_list_t *list, const char *value, torus_error_t *err)
{
	uint64_t *bitmap = torus_bitmap_create(SEEDS_LIMIT);
	int rc = bitmap ? torus_ranklist_parse_set(value, SEEDS_LIMIT, bitmap, err)
			: torus_fail(err, "out of memory");

	for (uint32_t seed = 0; !rc; seed++) {
		char text[16];

		seed = torus_bitmap_next_set(bitmap, SEEDS_LIMIT, seed);
		if (seed >= SEEDS_LIMIT)
			break;
		snprintf(text, sizeof(text), "%u", seed);
		rc = add_item(list, text, err);
	}
	free(bitmap);
	return rc;
}

/* Take the items of [value], which is cut into pieces. */
static int add_items(storus_matrix_list_t *list, storus_matrix_key_t key, char *value,
		     torus_error_t *err)
{
	const char *separators = keys[key].separators;
	bool more = true; /* an item must follow: at the beginning, behind a comma */

	if (key == STORUS_MATRIX_SEEDS)
		return add_seeds(list, value, err);
	if (!separators)
		return storus_matrix_check(key, value, err) || add_item(list, value, err)
			       ? -1
			       : 0;
	while (*(value += strspn(value, " \t"))) {
		char *item = value, *end = value + strcspn(value, separators);

		value = end + strspn(end, " \t");
		more = *value == ',' && strchr(separators, ',');
		value += more;
		*end = '\0';
		if (!*item)
			break;
		if (storus_matrix_check(key, item, err) || add_item(list, item, err))
			return -1;
	}
	return more ? torus_fail(err, "an item of the list is empty") : 0;
}

static int set_key(storus_matrix_t *matrix, storus_matrix_key_t key, char *value,
		   uint32_t line, torus_error_t *err)
{
	storus_matrix_list_t *list = &matrix->list[key];

	if (list->line)
		return torus_fail(err, "%s= is given twice, first on line %u",
				  keys[key].name, list->line);
	list->line = line;
	if (add_items(list, key, value, err))
		return torus_fail_prefix(err, "%s=: ", keys[key].name);
	return 0;
}

static int set_machine_key(storus_matrix_machine_t *machine, storus_matrix_key_t key,
			   const char *value, torus_error_t *err)
{
	if (machine->value[key])
		return torus_fail(err, "%s= is given twice for the same machine",
				  keys[key].name);
	if (storus_matrix_check(key, value, err))
		return torus_fail_prefix(err, "%s=: ", keys[key].name);
	machine->value[key] = strdup(value);
	return machine->value[key] ? 0 : torus_fail(err, "out of memory");
}

/* Check the keys of a machine's line together. */
static int check_machine(const storus_matrix_machine_t *machine, torus_error_t *err)
{
	const char *dims = machine->value[STORUS_MATRIX_DIMS];
	const char *wrap = machine->value[STORUS_MATRIX_WRAP];
	const char *nodes = machine->value[STORUS_MATRIX_NODES_PER_ROUTER];
	torus_geometry_t geometry;

	if (dims && machine->value[STORUS_MATRIX_CONF])
		return torus_fail(err, "Dims= and Conf= exclude each other");
	if (!dims && (wrap || nodes))
		return torus_fail(
			err, "%s= goes with Dims=, on the same line",
			keys[wrap ? STORUS_MATRIX_WRAP : STORUS_MATRIX_NODES_PER_ROUTER]
				.name);
	if (wrap && torus_geometry_parse(dims, wrap, &geometry, err))
		return torus_fail_prefix(err, "Wrap=: ");
	return 0;
}

static storus_matrix_machine_t *add_machine(storus_matrix_t *matrix, uint32_t line)
{
	storus_matrix_machine_t *more =
		realloc(matrix->machine, (matrix->machines + 1) * sizeof(*more));

	if (!more)
		return NULL;
	matrix->machine = more;
	more += matrix->machines++;
	*more = (storus_matrix_machine_t){.line = line};
	return more;
}

static int read_line(storus_matrix_t *matrix, const torus_lines_t *lines,
		     torus_error_t *err)
{
	storus_matrix_machine_t *machine = NULL;
	uint32_t first = lines->word[0].line;

	for (size_t i = 0; i < lines->words; i++) {
		uint32_t line = lines->word[i].line;
		storus_matrix_key_t key = STORUS_MATRIX_KEYS;
		char *value = NULL;

		if (split_word(lines->word[i].text, &key, &value, err))
			return torus_fail_prefix(err, "%s:%u: ", matrix->path, line);
		if (i && (key < STORUS_MATRIX_MACHINE_KEYS) != (machine != NULL))
			return torus_fail(err,
					  "%s:%u: %s= stands on a line with %s=: a "
					  "machine has a line of its own",
					  matrix->path, line, keys[key].name,
					  lines->word[0].text);
		if (key >= STORUS_MATRIX_MACHINE_KEYS) {
			if (set_key(matrix, key, value, line, err))
				return torus_fail_prefix(err, "%s:%u: ", matrix->path,
							 line);
			continue;
		}
		if (!machine)
			machine = add_machine(matrix, first);
		if (!machine)
			return torus_fail(err, "%s:%u: out of memory", matrix->path,
					  line);
		if (set_machine_key(machine, key, value, err))
			return torus_fail_prefix(err, "%s:%u: ", matrix->path, line);
	}
	if (machine && check_machine(machine, err))
		return torus_fail_prefix(err, "%s:%u: ", matrix->path, first);
	return 0;
}

/* Every load goes with every workload. */
static int check_loads(const storus_matrix_t *matrix, torus_error_t *err)
{
	const storus_matrix_list_t *loads = &matrix->list[STORUS_MATRIX_LOADS];
	const storus_matrix_list_t *workloads = &matrix->list[STORUS_MATRIX_WORKLOADS];

	if (loads->count && !workloads->count) {
		torus_fail(err, "loads are for Workloads=, of which there are none; for "
				"traces there is WorkMultiples=");
		return storus_matrix_fail(matrix, STORUS_MATRIX_LOADS, err);
	}
	for (size_t w = 0; loads->count && w < workloads->count; w++) {
		torus_synthetic_t synthetic;

		if (torus_synthetic_parse(workloads->item[w], &synthetic, err) ||
		    torus_synthetic_set(&synthetic, "load", loads->item[0], err))
			return storus_matrix_fail(matrix, STORUS_MATRIX_LOADS, err);
	}
	return 0;
}

/* An allocator with a curve of its own would be the same with each of several curves. */
static int check_own_curves(const storus_matrix_t *matrix, torus_error_t *err)
{
	const storus_matrix_list_t *list = &matrix->list[STORUS_MATRIX_ALLOCATORS];

	for (size_t i = 0; i < list->count; i++) {
		if (matrix->list[STORUS_MATRIX_CURVES].count < 2 ||
		    !strchr(list->item[i], STORUS_MATRIX_OWN_CURVE))
			continue;
		torus_fail(err, "'%s' has its curve, and Curves= lists several",
			   list->item[i]);
		return storus_matrix_fail(matrix, STORUS_MATRIX_ALLOCATORS, err);
	}
	return 0;
}

/* A job with a box has no segments. */
static int check_segments(const storus_matrix_t *matrix, torus_error_t *err)
{
	const storus_matrix_list_t *wishes = &matrix->list[STORUS_MATRIX_WISHES];
	const storus_matrix_list_t *segments = &matrix->list[STORUS_MATRIX_SEGMENTS];
	bool any = false;

	for (size_t i = 0; i < segments->count; i++)
		any |= strcasecmp(segments->item[i], "none") != 0;
	for (size_t i = 0; any && i < wishes->count; i++) {
		torus_network_request_t asked;

		if (storus_wish_parse(wishes->item[i], &asked, err))
			return storus_matrix_fail(matrix, STORUS_MATRIX_WISHES, err);
		if (!asked.has_shape)
			continue;
		torus_fail(err,
			   "'%.64s' is a box, and Segments= asks for segments: compare "
			   "them in two files",
			   wishes->item[i]);
		return storus_matrix_fail(matrix, STORUS_MATRIX_WISHES, err);
	}
	return 0;
}

/* Each item of the baseline is one of the curves, strategies, schedulers, wishes or
 * segments compared. */
static int check_baseline(const storus_matrix_t *matrix, torus_error_t *err)
{
	enum { AXES = 5 };
	static const storus_matrix_key_t axes[AXES] = {
		STORUS_MATRIX_SCHEDULERS, STORUS_MATRIX_CURVES, STORUS_MATRIX_ALLOCATORS,
		STORUS_MATRIX_WISHES, STORUS_MATRIX_SEGMENTS};
	const storus_matrix_list_t *baseline = &matrix->list[STORUS_MATRIX_BASELINE];
	const char *of_axis[AXES] = {NULL};

	for (size_t i = 0; i < baseline->count; i++) {
		const char *item = baseline->item[i];
		int found = -1;

		for (int axis = 0; axis < AXES; axis++) {
			const storus_matrix_list_t *list = &matrix->list[axes[axis]];

			for (size_t k = 0; k < list->count; k++) {
				if (!strcmp(list->item[k], item))
					found = axis;
			}
		}
		if (found < 0) {
			torus_fail(err,
				   "'%s' is none of this file's schedulers, curves, "
				   "allocators, wishes and segments",
				   item);
			return storus_matrix_fail(matrix, STORUS_MATRIX_BASELINE, err);
		}
		if (of_axis[found]) {
			torus_fail(err, "'%s' and '%s' are both %s", of_axis[found], item,
				   keys[axes[found]].name);
			return storus_matrix_fail(matrix, STORUS_MATRIX_BASELINE, err);
		}
		of_axis[found] = item;
	}
	return 0;
}

static int set_standards(storus_matrix_t *matrix, torus_error_t *err)
{
	for (int key = 0; key < STORUS_MATRIX_KEYS; key++) {
		char *value;
		int rc;

		if (matrix->list[key].line || !keys[key].standard)
			continue;
		value = strdup(keys[key].standard);
		rc = value ? add_items(&matrix->list[key], (storus_matrix_key_t)key,
				       value, err)
			   : torus_fail(err, "out of memory");
		free(value);
		if (rc)
			return -1;
	}
	return 0;
}

static int check_whole(const storus_matrix_t *matrix, uint32_t last, torus_error_t *err)
{
	if (!matrix->machines)
		return torus_fail(err,
				  "%s:%u: no machine: give Dims= or Conf=", matrix->path,
				  last);
	if (!matrix->list[STORUS_MATRIX_TRACES].count &&
	    !matrix->list[STORUS_MATRIX_WORKLOADS].count)
		return torus_fail(err, "%s:%u: no jobs: give Traces= or Workloads=",
				  matrix->path, last);
	return check_loads(matrix, err) || check_own_curves(matrix, err) ||
			       check_segments(matrix, err) || check_baseline(matrix, err)
		       ? -1
		       : 0;
}

int storus_matrix_read(const char *text, size_t length, const char *path,
		       storus_matrix_t *matrix, torus_error_t *err)
{
	torus_lines_t lines;
	int result;

	*matrix = (storus_matrix_t){.path = strdup(path)};
	result = torus_lines_open(&lines, text, length, path, err);
	if (!matrix->path)
		result = torus_fail(err, "out of memory");
	while (!result) {
		int more = torus_lines_next(&lines, err);

		if (!more)
			break;
		result = more < 0 ? -1 : read_line(matrix, &lines, err);
	}
	if (!result)
		result = set_standards(matrix, err);
	if (!result)
		result = check_whole(matrix, torus_lines_last(&lines), err);
	torus_lines_close(&lines);
	if (result)
		storus_matrix_free(matrix);
	return result;
}

void storus_matrix_free(storus_matrix_t *matrix)
{
	for (size_t i = 0; i < matrix->machines; i++) {
		for (int key = 0; key < STORUS_MATRIX_MACHINE_KEYS; key++)
			free(matrix->machine[i].value[key]);
	}
	free(matrix->machine);
	for (int key = 0; key < STORUS_MATRIX_KEYS; key++) {
		for (size_t i = 0; i < matrix->list[key].count; i++)
			free(matrix->list[key].item[i]);
		free(matrix->list[key].item);
	}
	free(matrix->path);
	*matrix = (storus_matrix_t){0};
}
