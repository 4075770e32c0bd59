/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats that go node by node: see storus/map/by_node.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/chords.h"
#include "storus/map/by_node.h"

/* The tasks of each node, ascending: those of node n are task[first[n] .. first[n+1]-1].
 */
typedef struct tasks_of_nodes {
	uint32_t *first; /* [nodes + 1] */
	uint32_t *task;	 /* [tasks] */
} tasks_of_nodes_t;

static void forget_tasks(tasks_of_nodes_t *tasks)
{
	free(tasks->first);
	free(tasks->task);
}

/* Returns 0, or -1 with [err] filled; forget_tasks() in either case. */
static int sort_tasks(const storus_map_job_t *job, const uint32_t *node_of_task,
		      tasks_of_nodes_t *tasks, torus_error_t *err)
{
	tasks->first = calloc((size_t)job->nodes + 2, sizeof(*tasks->first));
	tasks->task = malloc(job->tasks * sizeof(*tasks->task));
	if (!tasks->first || !tasks->task)
		return torus_fail(err, "out of memory");
	/* A counting sort: first[node + 1] moves to the end of the node's tasks. */
	for (uint32_t node = 0; node < job->nodes; node++)
		tasks->first[node + 2] =
			tasks->first[node + 1] + job->tasks_on_node[node];
	for (uint32_t task = 0; task < job->tasks; task++)
		tasks->task[tasks->first[node_of_task[task] + 1]++] = task;
	return 0;
}

int storus_map_write_mpich(FILE *file, const storus_map_job_t *job,
			   const uint32_t *node_of_task, torus_error_t *err)
{
	tasks_of_nodes_t tasks = {0};
	int rc = sort_tasks(job, node_of_task, &tasks, err);

	for (uint32_t node = 0, i = 0; !rc && node < job->nodes; node++) {
		for (; i < tasks.first[node + 1]; i++)
			fprintf(file, "%" PRIu32 "%c", tasks.task[i],
				i + 1 < tasks.first[node + 1] ? ',' : '\n');
	}
	forget_tasks(&tasks);
	return rc;
}

/* The nodes in the order of their first tasks, malloc'ed; NULL with [err] filled. */
static uint32_t *order_nodes(const storus_map_job_t *job, const uint32_t *node_of_task,
			     torus_error_t *err)
{
	uint32_t *order = malloc(job->nodes * sizeof(*order)), count = 0;
	bool *seen = calloc(job->nodes, sizeof(*seen));

	if (!order || !seen) {
		torus_fail(err, "out of memory");
		free(order);
		order = NULL;
	}
	for (uint32_t task = 0; order && task < job->tasks; task++) {
		if (!seen[node_of_task[task]])
			order[count++] = node_of_task[task];
		seen[node_of_task[task]] = true;
	}
	free(seen);
	return order;
}

/* Whether dealing tasks out along [order] gives each task its node; -1: out of memory. */
static int is_dealt(const storus_map_job_t *job, const uint32_t *order, torus_deal_t deal,
		    const uint32_t *node_of_task)
{
	size_t size = job->tasks * sizeof(*node_of_task);
	uint32_t *dealt = malloc(size);
	int same;

	if (!dealt)
		return -1;
	torus_any_deal(order, job->nodes, job->tasks_on_node, deal, dealt);
	same = memcmp(dealt, node_of_task, size) == 0;
	free(dealt);
	return same;
}

/* The same as order_nodes(), but the order must be all that the launcher needs to know.
 */
static uint32_t *order_to_deal(const storus_map_job_t *job, const char *format,
			       torus_deal_t deal, const uint32_t *node_of_task,
			       torus_error_t *err)
{
	uint32_t *order = order_nodes(job, node_of_task, err);
	int dealt = order ? is_dealt(job, order, deal, node_of_task) : 0;

	if (!order || dealt > 0)
		return order;
	if (dealt < 0)
		torus_fail(err, "out of memory");
	else
		torus_fail(err,
			   "--format=%s is an order of nodes with consecutive tasks, "
			   "which this mapping is not: leave --mapper out, or use "
			   "--format=json",
			   format);
	free(order);
	return NULL;
}

int storus_map_write_hosts(FILE *file, const storus_map_job_t *job, torus_deal_t deal,
			   const uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *order = order_to_deal(job, "hosts", deal, node_of_task, err);

	for (uint32_t i = 0; order && i < job->nodes; i++)
		fprintf(file, "%s\n", job->name[order[i]]);
	free(order);
	return order ? 0 : -1;
}

int storus_map_write_torchrun(FILE *file, const storus_map_job_t *job,
			      const uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *order =
		order_to_deal(job, "torchrun", TORUS_DEAL_BLOCK, node_of_task, err);

	/* PyTorch before 2.0 knows these options with underscores only. */
	for (uint32_t i = 0; order && i < job->nodes; i++)
		fprintf(file,
			"%s --nnodes=%" PRIu32 " --node_rank=%" PRIu32
			" --nproc_per_node=%" PRIu32 " --master_addr=%s\n",
			job->name[order[i]], job->nodes, i, job->tasks_on_node[order[i]],
			job->name[order[0]]);
	free(order);
	return order ? 0 : -1;
}

/* `"[name]": [` and numbers; the caller closes it. */
static void begin_list(FILE *file, const char *name)
{
	fprintf(file, "\"%s\": [", name);
}

static void write_json_node(FILE *file, const storus_map_job_t *job, uint32_t node,
			    const tasks_of_nodes_t *tasks)
{
	int32_t coord[TORUS_MAX_DIMS];

	/* Names have no characters that JSON would want escaped: base/hostlist.h. */
	if (job->name)
		fprintf(file, "{\"name\": \"%s\", ", job->name[node]);
	else
		fprintf(file, "{\"cell\": %" PRIu32 ", ",
			storus_map_job_called(job, node));
	torus_cell_to_coord(&job->geometry, job->cell[node], coord);
	begin_list(file, "coordinates");
	for (int axis = 0; axis < job->geometry.dims; axis++)
		fprintf(file, "%s%" PRId32, axis ? ", " : "", coord[axis]);
	fputs("], ", file);
	begin_list(file, "tasks");
	for (uint32_t i = tasks->first[node]; i < tasks->first[node + 1]; i++)
		fprintf(file, "%s%" PRIu32, i > tasks->first[node] ? ", " : "",
			tasks->task[i]);
	fputs("]}", file);
}

/* The links beside the torus's own, behind the last list; without the bracket that ends
 * it. */
static void write_json_links(FILE *file, const torus_geometry_t *geometry)
{
	const torus_chords_t *chords = geometry->chords;

	fputs("], ", file);
	begin_list(file, "links");
	for (uint32_t i = 0; i < chords->count; i++) {
		fputs(i ? ", [" : "[", file);
		for (int end = 0; end < 2; end++) {
			int32_t coord[TORUS_MAX_DIMS];

			torus_cell_to_coord(geometry, chords->chord[i].cell[end], coord);
			fputs(end ? ", [" : "[", file);
			for (int axis = 0; axis < geometry->dims; axis++)
				fprintf(file, "%s%" PRId32, axis ? ", " : "",
					coord[axis]);
			fputc(']', file);
		}
		fputc(']', file);
	}
}

int storus_map_write_json(FILE *file, const storus_map_job_t *job,
			  const uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *order = order_nodes(job, node_of_task, err);
	tasks_of_nodes_t tasks = {0};
	int rc = order ? sort_tasks(job, node_of_task, &tasks, err) : -1;

	if (rc)
		goto done;
	fprintf(file, "{\"tasks\": %" PRIu32 ", ", job->tasks);
	begin_list(file, "dims");
	for (int axis = 0; axis < job->geometry.dims; axis++)
		fprintf(file, "%s%" PRId32, axis ? ", " : "", job->geometry.length[axis]);
	fputs("], ", file);
	begin_list(file, "wrap");
	for (int axis = 0; axis < job->geometry.dims; axis++)
		fprintf(file, "%s%s", axis ? ", " : "",
			job->geometry.wrap[axis] ? "true" : "false");
	if (job->geometry.twist) {
		fputs("], ", file);
		begin_list(file, "twist");
		for (int axis = 0; axis < job->geometry.dims; axis++)
			fprintf(file, "%s%s", axis ? ", " : "",
				job->geometry.twist >> axis & 1 ? "true" : "false");
	}
	if (job->geometry.chords)
		write_json_links(file, &job->geometry);
	fputs("],\n ", file);
	begin_list(file, "nodes");
	for (uint32_t i = 0; i < job->nodes; i++) {
		fputs(i ? ",\n  " : "\n  ", file);
		write_json_node(file, job, order[i], &tasks);
	}
	fputs("]}\n", file);
done:
	forget_tasks(&tasks);
	free(order);
	return rc;
}
