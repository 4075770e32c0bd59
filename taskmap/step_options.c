/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many tasks a step has: see taskmap/step_options.h. */
#include "taskmap/step_options.h"

#include <string.h>

int torus_step_tasks(const torus_step_options_t *options, uint32_t *nodes,
		     uint32_t *tasks, torus_error_t *err)
{
	bool range = options->most_nodes && options->most_nodes != options->least_nodes;

	if (!options->nodes_given || options->least_nodes < 1)
		return torus_fail(err, "the number of nodes is not given");
	*nodes = (uint32_t)options->least_nodes;
	if (options->by_gpus)
		return torus_fail(err, "the number of tasks follows from the GPUs");
	if (options->tasks_given) {
		if (options->per_node && options->tasks_by_variable &&
		    !options->nodes_by_variable)
			return torus_fail(err, "the number of tasks is not clear");
		*tasks = options->tasks;
	} else if (options->per_node && !range) {
		*tasks = *nodes * options->per_node;
	} else if (!range && !options->by_cpus) {
		*tasks = *nodes;
	} else {
		return torus_fail(err, "the number of tasks is not given");
	}
	if (*tasks < *nodes)
		return torus_fail(err, "fewer tasks than nodes");
	return 0;
}

bool torus_line_has_components(const char *line)
{
	static const char option[] = "--het-group";

	if (!line)
		return false;
	if (strstr(line, " : "))
		return true;
	for (line = strstr(line, option); line; line = strstr(line, option)) {
		line += strlen(option);
		if (*line)
			line++; /* what comes before the value */
		if (strcspn(line, ",-[") < strcspn(line, " "))
			return true;
	}
	return false;
}
