/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the jobs of a simulation come from. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/sacct.h"
#include "sim/swf.h"
#include "storus/cli/logfile.h"
#include "storus/cli/progress.h"
#include "storus/sim/options.h"
#include "storus/sim/source.h"
#include "storus/sim/synthetic.h"

/* Each reads what its option says; 0, or -1 with the error filled. */
typedef int source_t(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		     const char *argument, torus_workload_t *workload,
		     torus_error_t *error);

/* Read the log that is the file [path], in the format of its source. */
static int read_log(storus_source_t source, const storus_sim_options_t *options,
		    const char *path, torus_workload_t *workload, torus_error_t *error)
{
	char *text;
	size_t length;
	int result = storus_logfile_read(path, &text, &length, error);

	if (result != 0)
		return result;
	if (source == STORUS_SOURCE_SACCT)
		result = torus_sacct_read(text, length, path, workload, error);
	else
		result = torus_swf_read(text, length,
					(uint32_t)options->processors_per_node, workload,
					error);
	free(text);
	return result;
}

static int read_trace(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		      const char *argument, torus_workload_t *workload,
		      torus_error_t *error)
{
	(void)cluster;
	return read_log(STORUS_SOURCE_TRACE, options, argument, workload, error);
}

static int read_sacct(const storus_sim_options_t *options, const torus_cluster_t *cluster,
		      const char *argument, torus_workload_t *workload,
		      torus_error_t *error)
{
	(void)cluster;
	return read_log(STORUS_SOURCE_SACCT, options, argument, workload, error);
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

uint64_t storus_source_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
