/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Put a grid of 4x4 tasks on the nodes of a job, and say what it comes to:
 *
 *   cc grid.c $(pkg-config --cflags --libs storus) -o grid
 *   ./grid torus.conf "$SLURM_JOB_NODELIST"
 */
#include <stdio.h>
#include <stdlib.h>
#include <storus.h>

static char error[STORUS_ERROR_SIZE] = "usage: grid TORUS.CONF HOSTLIST (16 nodes)";

int main(int argc, char **argv)
{
	const int32_t lengths[] = {4, 4};
	uint32_t node[16], node_of_task[16], count = 0, maximum;
	double average;
	storus_machine_t *machine =
		argc == 3 ? storus_machine_read(argv[1], error, sizeof(error)) : NULL;
	storus_job_t *job = NULL;
	storus_pattern_t *grid = storus_pattern_grid(2, lengths, NULL, STORUS_FACES, NULL, 0);
	int failed = 1;

	if (!machine ||
	    storus_machine_find(machine, argv[2], node, 16, &count, error, sizeof(error)))
		goto done;
	job = storus_job_create(machine, count < 16 ? count : 16, node, NULL, error,
				sizeof(error));
	if (!job || storus_map(job, grid, 0.5, node_of_task, error, sizeof(error)) ||
	    storus_hops(job, grid, node_of_task, &average, &maximum, error, sizeof(error)))
		goto done;
	for (int task = 0; task < 16; task++)
		printf("%d %s\n", task, storus_node_name(machine, node_of_task[task]));
	printf("average %.2f hops, maximum %u\n", average, maximum);
	failed = 0;
done:
	if (failed)
		fprintf(stderr, "%s\n", error);
	storus_pattern_free(grid);
	storus_job_free(job);
	storus_machine_free(machine);
	return failed;
}
