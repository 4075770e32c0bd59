/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that tell a launcher which task runs on which node. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/planes.h"
#include "storus/map/by_node.h"
#include "storus/map/formats.h"
#include "storus/map/slots.h"

static const char *const names[] = {
	[STORUS_MAP_SLURM] = "slurm",	    [STORUS_MAP_OPENMPI] = "openmpi",
	[STORUS_MAP_MPICH] = "mpich",	    [STORUS_MAP_CSV] = "csv",
	[STORUS_MAP_HOSTS] = "hosts",	    [STORUS_MAP_JSON] = "json",
	[STORUS_MAP_TORCHRUN] = "torchrun",
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
		"--format: unknown format '%s'; known are slurm, openmpi, mpich, csv, hosts, "
		"json, torchrun",
		text);
}

const char *storus_map_format_name(storus_map_format_t format)
{
	return names[format];
}

bool storus_map_format_is_order(storus_map_format_t format)
{
	return format == STORUS_MAP_HOSTS || format == STORUS_MAP_TORCHRUN;
}

static void write_slurm(FILE *file, const storus_map_job_t *job,
			const uint32_t *node_of_task)
{
	for (uint32_t task = 0; task < job->tasks; task++)
		fprintf(file, "%s\n", job->name[node_of_task[task]]);
}

static int write_openmpi(FILE *file, const storus_map_job_t *job,
			 const uint32_t *node_of_task, torus_error_t *err)
{
	storus_map_slots_t *slots = malloc(job->tasks * sizeof(*slots));
	int rc = slots ? storus_map_slots(job, node_of_task, slots, err)
		       : torus_fail(err, "out of memory");

	for (uint32_t task = 0; !rc && task < job->tasks; task++) {
		fprintf(file, "rank %" PRIu32 "=%s slot=%" PRIu32, task,
			job->name[node_of_task[task]], slots[task].first);
		if (slots[task].last > slots[task].first)
			fprintf(file, "-%" PRIu32, slots[task].last);
		fputc('\n', file);
	}
	free(slots);
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
			fprintf(file, "%" PRIu32 ",%" PRIu32, task,
				storus_map_job_called(job, node));
		torus_cell_to_coord(&job->geometry, job->cell[node], coord);
		for (int axis = 0; axis < job->geometry.dims; axis++)
			fprintf(file, ",%" PRId32, coord[axis]);
		fputc('\n', file);
	}
}

/* Whether a format is of use without names. */
static bool needs_names(storus_map_format_t format)
{
	return format == STORUS_MAP_SLURM || format == STORUS_MAP_OPENMPI ||
	       storus_map_format_is_order(format);
}

int storus_map_format_write(FILE *file, storus_map_format_t format,
			    const storus_map_job_t *job, torus_deal_t deal,
			    const uint32_t *node_of_task, torus_error_t *err)
{
	if (!job->name && needs_names(format))
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
		return storus_map_write_mpich(file, job, node_of_task, err);
	case STORUS_MAP_CSV:
		write_csv(file, job, node_of_task);
		return 0;
	case STORUS_MAP_HOSTS:
		return storus_map_write_hosts(file, job, deal, node_of_task, err);
	case STORUS_MAP_JSON:
		return storus_map_write_json(file, job, node_of_task, err);
	case STORUS_MAP_TORCHRUN:
		return storus_map_write_torchrun(file, job, node_of_task, err);
	}
	return torus_fail(err, "unknown format");
}
