/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of nodes in which a job's segments (sbatch --segment) follow each other. */
#ifndef TORUS_CLI_FILTER_SEGMENTS_H
#define TORUS_CLI_FILTER_SEGMENTS_H

#include "cli_filter/job.h"
#include "machine/cluster.h"

/* The nodes of a segment of the job; 0: it is not cut into segments. */
uint32_t torus_step_segment(const torus_step_job_t *job);

/*
 * Fill order[job->nodes] with the numbers of the job's nodes, which are on one torus:
 * segments of [size] nodes (torus_cut_segments()) one after the other, as the curve
 * has them. The one with the first node of the job's list is the first, from that node
 * on; the others follow, around the end. [cluster] has curves. Returns 0, or -1 with
 * [err] filled: a node that it does not have, memory.
 */
int torus_step_order_segments(const torus_cluster_t *cluster, const torus_step_job_t *job,
			      uint32_t size, uint32_t *order, torus_error_t *err);

#endif
