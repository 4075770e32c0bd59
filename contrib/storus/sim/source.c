/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the jobs of a simulation come from. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>

#include "sim/sacct.h"
#include "sim/swf.h"
#include "storus/cli/progress.h"
#include "storus/sim/logfile.h"
#include "storus/sim/options.h"
#include "storus/sim/source.h"
#include "storus/sim/synthetic.h"

/* Each reads what its option says; 0, or -1 with the error filled. */
typedef int source_t(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		     const char *argument, torus_workload_t *workload,
		     torus_error_t *error);

typedef int reader_t(const storus_sim_options_t *options, const char *path,
		     const char *text, size_t length, torus_workload_t *workload,
		     torus_error_t *error);

/* Read the log that is the file [path] by [reader]. */
static int read_log(const storus_sim_options_t *options, const char *path,
		    reader_t *reader, torus_workload_t *workload, torus_error_t *error)
{
	char *text;
	size_t length;
	int result = storus_logfile_read(path, &text, &length, error);

	if (result == 0) {
		result = reader(options, path, text, length, workload, error);
		free(text);
	}
	return result;
}

static int read_swf(const storus_sim_options_t *options, const char *path,
		    const char *text, size_t length, torus_workload_t *workload,
		    torus_error_t *error)
{
	(void)path; /* every line that is wrong is skipped, and counted */
	return torus_swf_read(text, length, options->processors_per_node, workload,
			      error);
}

static int read_trace(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		      const char *argument, torus_workload_t *workload,
		      torus_error_t *error)
{
	(void)cluster;
	return read_log(options, argument, read_swf, workload, error);
}

static int read_history(const storus_sim_options_t *options, const char *path,
			const char *text, size_t length, torus_workload_t *workload,
			torus_error_t *error)
{
	(void)options;
	return torus_sacct_read(text, length, path, workload, error);
}

static int read_sacct(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		      const char *argument, torus_workload_t *workload,
		      torus_error_t *error)
{
	(void)cluster;
	return read_log(options, argument, read_history, workload, error);
}

static int make_workload(const storus_sim_options_t *options,
			 const torus_cluster_t *cluster, const char *argument,
			 torus_workload_t *workload, torus_error_t *error)
{
	return storus_synthetic_generate(argument, NULL, cluster, options->seed, workload,
					 error);
}

static source_t *const sources[STORUS_SOURCES] = {
	[STORUS_SOURCE_TRACE] = read_trace,
	[STORUS_SOURCE_WORKLOAD] = make_workload,
	[STORUS_SOURCE_SACCT] = read_sacct,
};

int storus_source_read(const storus_sim_options_t *options,
		       const torus_cluster_t *cluster, torus_workload_t *workload)
{
	torus_error_t error;
	int source = 0, result;

	while (!options->source[source])
		source++;
	storus_progress_begin("reading the jobs");
	result = sources[source](options, cluster, options->source[source], workload,
				 &error);
	storus_progress_end();
	if (result != 0)
		warnx("%s", error.text);
	return result;
}
