/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fill a cluster with running jobs: for each line
 *
 *     nodelist nodes cpus_per_node minutes
 *
 * of standard input an allocation of exactly these nodes, as "salloc --no-shell" makes
 * it, from one process. Nothing runs on the nodes; for slurmctld the jobs run until their
 * time limit. Exit status: 0, or 1 at the first allocation that fails.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

static int allocate(char *nodes, uint32_t count, uint32_t cpus, uint32_t minutes)
{
	resource_allocation_response_msg_t *answer = NULL;
	job_desc_msg_t wish;
	int rc;

	slurm_init_job_desc_msg(&wish);
	wish.name = "fill";
	wish.work_dir = "/";
	wish.alloc_node = "localhost";
	wish.user_id = getuid();
	wish.group_id = getgid();
	wish.immediate = 1;
	wish.req_nodes = nodes;
	wish.min_nodes = wish.max_nodes = count;
	wish.ntasks_per_node = (uint16_t)cpus;
	wish.num_tasks = wish.min_cpus = count * cpus;
	wish.time_limit = minutes;
	rc = slurm_allocate_resources(&wish, &answer);
	if (answer)
		slurm_free_resource_allocation_response_msg(answer);
	return rc;
}

int main(void)
{
	static char nodes[1 << 16];
	uint32_t count, cpus, minutes;

	slurm_init(NULL);
	while (scanf("%65535s %" SCNu32 " %" SCNu32 " %" SCNu32, nodes, &count, &cpus,
		     &minutes) == 4) {
		if (allocate(nodes, count, cpus, minutes)) {
			fprintf(stderr, "allocate_many: %s: %s\n", nodes,
				slurm_strerror(slurm_get_errno()));
			return 1;
		}
	}
	return 0;
}
