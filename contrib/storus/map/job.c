/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a job, where they are, how many tasks each takes. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "conf/torus_conf.h"
#include "geometry/chords.h"
#include "lists/ranklist.h"
#include "machine/network_option.h"
#include "storus/cli/conf.h"
#include "storus/cli/slurm.h"
#include "storus/map/job.h"
#include "storus/map/slurm.h"
#include "taskmap/job.h"
#include "torus/cubes.h"
#include "torus/joined.h"

#ifdef HAVE_LIBSLURM
static int describe_job(const char *id, storus_map_description_t *description,
			torus_error_t *err)
{
	storus_slurm_start();
	description->id = strdup(id);
	return storus_map_slurm_job(id, description, err);
}

/* What the job we run in asked for by --network; malloc'ed, NULL: nothing known. */
static char *ask_network(void)
{
	const char *id = getenv("SLURM_JOB_ID");
	char *network = NULL;
	torus_error_t err;

	storus_slurm_start();
	if (id && storus_map_slurm_network(id, &network, &err))
		warnx("how the job's cubes are joined is not known, the most compact torus "
		      "is assumed: %s",
		      err.text);
	return network;
}
#else
static char *ask_network(void)
{
	return NULL;
}

static int describe_job(const char *id, storus_map_description_t *description,
			torus_error_t *err)
{
	(void)description;
	return torus_fail(
		err, "built without Slurm's library: job %s cannot be looked up", id);
}
#endif

/*
 * A copy of the environment variable [name], for component [component] of a
 * heterogeneous job (-1: another job). NULL if it is not set or empty.
 */
static char *copy_of_variable(const char *name, int component)
{
	char of_component[64];
	const char *value;

	snprintf(of_component, sizeof(of_component), "%s_HET_GROUP_%d", name, component);
	value = getenv(component < 0 ? name : of_component);
	return value && *value ? strdup(value) : NULL;
}

/* Fill *component for copy_of_variable() from the text of --het-group. */
static int find_component(const char *option, int *component, torus_error_t *err)
{
	const char *size = getenv("SLURM_HET_SIZE");
	long components = size ? strtol(size, NULL, 10) : 0;

	*component = components > 0 ? 0 : -1;
	if (!option)
		return 0;
	if (!*option || option[strspn(option, "0123456789")])
		return torus_fail(err,
				  "--het-group: '%s' is not the number of one component; "
				  "a step over several numbers their tasks one component "
				  "after the other, and takes a mapping for each",
				  option);
	if (components <= 0)
		return torus_fail(err, "--het-group: not inside a heterogeneous job "
				       "(SLURM_HET_SIZE is not set)");
	if (strlen(option) > 4 || strtol(option, NULL, 10) >= components)
		return torus_fail(err,
				  "--het-group: there is no component %s but 0 to %ld",
				  option, components - 1);
	*component = (int)strtol(option, NULL, 10);
	return 0;
}

/* The job that we run in, by its environment. */
static int describe_own_job(const char *het_group, storus_map_description_t *description,
			    torus_error_t *err)
{
	char *tasks;
	int component;

	if (find_component(het_group, &component, err))
		return -1;
	description->nodelist = copy_of_variable("SLURM_JOB_NODELIST", component);
	if (!description->nodelist)
		return torus_fail(err,
				  "which nodes? Give --job, or --nodelist, or --dims and "
				  "--cells, or run it inside a job (SLURM_JOB_NODELIST "
				  "is not set)");
	description->id = copy_of_variable("SLURM_JOB_ID", component);
	description->counts = copy_of_variable("SLURM_TASKS_PER_NODE", component);
	description->network = copy_of_variable("SLURM_NETWORK", component);
	tasks = copy_of_variable("SLURM_NTASKS", component);
	if (tasks && !description->counts)
		description->tasks = (uint32_t)strtoul(tasks, NULL, 10);
	description->guessed = !description->counts && !description->tasks;
	free(tasks);
	return 0;
}

/* Spread the tasks evenly; the first nodes take one more if they do not divide. */
static int spread_tasks(storus_map_job_t *job, uint32_t tasks, torus_error_t *err)
{
	if (tasks < job->nodes)
		return torus_fail(err,
				  "the job has %" PRIu32 " nodes but %" PRIu32
				  " tasks: give --tasks-per-node",
				  job->nodes, tasks);
	for (uint32_t node = 0; node < job->nodes; node++)
		job->tasks_on_node[node] =
			tasks / job->nodes + (node < tasks % job->nodes);
	return 0;
}

/* Fill tasks_on_node[] from --tasks-per-node, or else from [description]. */
static int count_tasks(const char *option, const storus_map_description_t *description,
		       storus_map_job_t *job, torus_error_t *err)
{
	const char *counts = option ? option : description->counts;
	uint64_t tasks = 0;

	if (!option && description->unknown)
		return torus_fail(err, "Slurm does not say how many tasks each node of "
				       "the job takes: give --tasks-per-node");
	job->guessed = !option && description->guessed;
	job->tasks_on_node = malloc(job->nodes * sizeof(*job->tasks_on_node));
	if (!job->tasks_on_node)
		return torus_fail(err, "out of memory");
	if (!counts && description->tasks) {
		if (spread_tasks(job, description->tasks, err))
			return -1;
	} else if (torus_task_counts_parse(counts ? counts : "1", job->nodes,
					   job->tasks_on_node, err)) {
		return torus_fail_prefix(err, option ? "--tasks-per-node: " : "");
	}
	for (uint32_t node = 0; node < job->nodes; node++)
		tasks += job->tasks_on_node[node];
	if (tasks > TORUS_MAX_CELLS)
		return torus_fail(err, "%" PRIu64 " tasks are more than %u", tasks,
				  TORUS_MAX_CELLS);
	job->tasks = (uint32_t)tasks;
	return 0;
}

/* Which node is there twice? Returns 0, or -1 with [err] filled. */
static int check_once(const torus_cluster_t *cluster, const uint32_t *number,
		      const storus_map_job_t *job, torus_error_t *err)
{
	bool *seen = calloc(torus_cluster_nodes(cluster), sizeof(*seen));
	int rc = 0;

	if (!seen)
		return torus_fail(err, "out of memory");
	for (uint32_t i = 0; i < job->nodes && !rc; i++) {
		if (seen[number[i]])
			rc = torus_fail(err, "node '%s' is in the list twice",
					job->name[i]);
		seen[number[i]] = true;
	}
	free(seen);
	return rc;
}

/* Find the cells of the nodes job->name[], all on one torus of [cluster]. */
static int find_cells(const torus_cluster_t *cluster, const char *network,
		      storus_map_job_t *job, torus_error_t *err)
{
	uint32_t *number = malloc(job->nodes * sizeof(*number));
	torus_network_request_t request;
	const torus_shapes_t *shapes = torus_network_shapes(network, &request);
	int rc = -1;

	job->cell = malloc(job->nodes * sizeof(*job->cell));
	if (!number || !job->cell)
		torus_fail(err, "out of memory");
	else if (!torus_cluster_numbers(cluster, job->name, job->nodes, number, err) &&
		 !check_once(cluster, number, job, err))
		rc = torus_cluster_cells(cluster, number, job->nodes, shapes,
					 &job->geometry, job->cell, err);
	torus_chords_hold(job->geometry.chords);
	free(number);
	return rc;
}

/*
 * Nodes by name, their coordinates from torus.conf. [network] is what the job asked for,
 * or NULL; if [is_own], the job we run in, it can be asked for where it counts.
 */
static int find_named(const char *nodelist, const char *network, bool is_own,
		      const char *given, storus_map_job_t *job, torus_error_t *err)
{
	torus_cluster_t *cluster;
	char *asked = NULL;
	char *conf;
	int rc = -1;

	if (torus_hostlist_expand(nodelist, &job->name, &job->nodes, err))
		return torus_fail_prefix(err, "node list: ");
	if (!job->nodes)
		return torus_fail(err, "the node list is empty");
	conf = storus_conf_path(given, err);
	if (!conf)
		return -1;
	cluster = torus_conf_read_places(conf, err);
	if (cluster && storus_conf_register(cluster, err)) {
		torus_cluster_destroy(cluster);
		cluster = NULL;
	}
	if (cluster && is_own && !network && torus_cluster_has_cubes(cluster))
		network = asked = ask_network();
	if (cluster && find_cells(cluster, network, job, err))
		torus_fail_prefix(err, "%s: ", conf);
	else if (cluster)
		rc = 0;
	torus_cluster_destroy(cluster);
	free(asked);
	free(conf);
	return rc;
}

static int find_cells_given(const storus_map_source_t *source, storus_map_job_t *job,
			    torus_error_t *err)
{
	torus_network_request_t request;
	const torus_shapes_t *shapes = torus_network_shapes(source->network, &request);

	if (torus_geometry_parse(source->dims, source->wrap, &job->geometry, err) ||
	    (source->cube && torus_cubes_parse(source->cube, &job->geometry, err)))
		return -1;
	if (torus_ranklist_parse_sequence(source->cells,
					  torus_geometry_cells(&job->geometry),
					  &job->cell, &job->nodes, err))
		return torus_fail_prefix(err, "--cells: ");
	if (source->cube) {
		job->called = malloc(job->nodes * sizeof(*job->called));
		if (!job->called)
			return torus_fail(err, "out of memory");
		memcpy(job->called, job->cell, job->nodes * sizeof(*job->called));
	}
	return torus_join_cells(&job->geometry, job->cell, job->nodes, shapes, err);
}

static int check_together(const storus_map_source_t *source, torus_error_t *err)
{
	torus_network_request_t request;

	if (source->network && torus_network_parse(source->network, &request, err))
		return torus_fail_prefix(err, "--network: ");
	if (source->dims || source->cells || source->wrap || source->cube) {
		if (!source->dims || !source->cells)
			return torus_fail(err, "--dims and --cells go together");
		if (source->conf || source->nodelist || source->job)
			return torus_fail(err, "--%s and --dims exclude each other",
					  source->conf	     ? "conf"
					  : source->nodelist ? "nodelist"
							     : "job");
	}
	if (source->nodelist && source->job)
		return torus_fail(err, "--nodelist and --job exclude each other");
	if (source->het_group && (source->dims || source->nodelist || source->job))
		return torus_fail(err,
				  "--het-group is for the job it runs in: it excludes "
				  "--dims and --nodelist, and with --job say 12+1");
	return 0;
}

int storus_map_job_find(const storus_map_source_t *source, storus_map_job_t *job,
			torus_error_t *err)
{
	storus_map_description_t description = {0};
	int rc = -1;

	*job = (storus_map_job_t){0};
	if (check_together(source, err))
		return -1;
	if (source->dims) {
		rc = find_cells_given(source, job, err);
	} else if (source->nodelist) {
		rc = find_named(source->nodelist, source->network, false, source->conf,
				job, err);
	} else {
		rc = source->job ? describe_job(source->job, &description, err)
				 : describe_own_job(source->het_group, &description, err);
		if (!rc)
			rc = find_named(description.nodelist,
					source->network ? source->network
							: description.network,
					!source->job, source->conf, job, err);
	}
	if (!rc)
		rc = count_tasks(source->tasks_per_node, &description, job, err);
	job->id = description.id;
	if (rc)
		storus_map_job_clear(job);
	free(description.nodelist);
	free(description.counts);
	free(description.network);
	return rc;
}

void storus_map_job_clear(storus_map_job_t *job)
{
	torus_chords_release(job->geometry.chords);
	free(job->name);
	free(job->cell);
	free(job->called);
	free(job->tasks_on_node);
	free(job->id);
	*job = (storus_map_job_t){0};
}
