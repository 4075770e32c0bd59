/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that tell a launcher which task runs on which node. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/planes.h"
#include "storus/map/formats.h"

static const char *const names[] = {
	[STORUS_MAP_SLURM] = "slurm",
	[STORUS_MAP_OPENMPI] = "openmpi",
	[STORUS_MAP_MPICH] = "mpich",
	[STORUS_MAP_CSV] = "csv",
};

int storus_map_format_parse(const char *text, storus_map_format_t *format,
			    torus_error_t *err)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*format = (storus_map_format_t)i;
			return 0;
		}
	}
	return torus_fail(
		err,
		"--format: unknown format '%s'; known are slurm, openmpi, mpich, csv",
		text);
}

const char *storus_map_format_name(storus_map_format_t format)
{
	return names[format];
}

static void write_slurm(FILE *file, const storus_map_job_t *job,
			const uint32_t *node_of_task)
{
	for (uint32_t task = 0; task < job->tasks; task++)
		fprintf(file, "%s\n", job->name[node_of_task[task]]);
}

/* The tasks of a node take its slots 0, 1, 2 ... in task order. */
static int write_openmpi(FILE *file, const storus_map_job_t *job,
			 const uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *slot = calloc(job->nodes, sizeof(*slot));

	if (!slot)
		return torus_fail(err, "out of memory");
	for (uint32_t task = 0; task < job->tasks; task++)
		fprintf(file, "rank %" PRIu32 "=%s slot=%" PRIu32 "\n", task,
			job->name[node_of_task[task]], slot[node_of_task[task]]++);
	free(slot);
	return 0;
}

/* A line a node, in allocation order. */
static int write_mpich(FILE *file, const storus_map_job_t *job,
		       const uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *start = calloc((size_t)job->nodes + 1, sizeof(*start));
	uint32_t *tasks = malloc(job->tasks * sizeof(*tasks));
	int rc = -1;

	if (!start || !tasks) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (uint32_t node = 0; node < job->nodes; node++)
		start[node + 1] = start[node] + job->tasks_on_node[node];
	for (uint32_t task = 0; task < job->tasks; task++)
		tasks[start[node_of_task[task]]++] = task;
	/* start[node] has moved to the end of the node's tasks. */
	for (uint32_t node = 0, i = 0; node < job->nodes; node++) {
		for (; i < start[node]; i++)
			fprintf(file, "%" PRIu32 "%c", tasks[i],
				i + 1 < start[node] ? ',' : '\n');
	}
	rc = 0;
done:
	free(start);
	free(tasks);
	return rc;
}

static void write_csv(FILE *file, const storus_map_job_t *job,
		      const uint32_t *node_of_task)
{
	static const char axes[] = STORUS_AXIS_LETTERS;

	fputs("task,node_or_cell", file);
	for (int axis = 0; axis < job->geometry.dims; axis++)
		fprintf(file, ",%c", axes[axis]);
	fputc('\n', file);
	for (uint32_t task = 0; task < job->tasks; task++) {
		uint32_t node = node_of_task[task];
		int32_t coord[TORUS_MAX_DIMS];

		if (job->name)
			fprintf(file, "%" PRIu32 ",%s", task, job->name[node]);
		else
			fprintf(file, "%" PRIu32 ",%" PRIu32, task, job->cell[node]);
		torus_cell_to_coord(&job->geometry, job->cell[node], coord);
		for (int axis = 0; axis < job->geometry.dims; axis++)
			fprintf(file, ",%" PRId32, coord[axis]);
		fputc('\n', file);
	}
}

int storus_map_format_write(FILE *file, storus_map_format_t format,
			    const storus_map_job_t *job, const uint32_t *node_of_task,
			    torus_error_t *err)
{
	if (!job->name && (format == STORUS_MAP_SLURM || format == STORUS_MAP_OPENMPI))
		return torus_fail(err,
				  "--format=%s needs node names, --cells has none: use "
				  "--format=csv, or --conf and --nodelist",
				  names[format]);
	switch (format) {
	case STORUS_MAP_SLURM:
		write_slurm(file, job, node_of_task);
		return 0;
	case STORUS_MAP_OPENMPI:
		return write_openmpi(file, job, node_of_task, err);
	case STORUS_MAP_MPICH:
		return write_mpich(file, job, node_of_task, err);
	case STORUS_MAP_CSV:
		write_csv(file, job, node_of_task);
		return 0;
	}
	return torus_fail(err, "unknown format");
}
