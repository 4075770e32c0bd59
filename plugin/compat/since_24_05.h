/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 24.05 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_24_05_H
#define TORUS_COMPAT_SINCE_24_05_H

#include "compat/since_23_11.h"

#include "torus/segments.h"

/* Slurm asks the topology plugin which nodes a job gets. */
#define TOPOLOGY_CHOOSES

/* Its function that brings its rows up to date, which they are not after a job's end. */
#define CONS_TRES_REBUILD_ROWS "part_data_rebuild_rows"

/* The nodes of a segment that the job asks for (--segment); 0: none. */
static inline uint32_t job_segment_size(const job_record_t *job)
{
	return job->details->segment_size;
}

/* Where the segments may be (--spread-segments, --consolidate-segments), which Slurm has
 * for its blocks; of both the first, as no block but the machine is above a cube. */
static inline torus_segments_where_t job_segments_where(const job_record_t *job)
{
#ifdef CONSOLIDATE_SEGMENTS
	if (job->bit_flags & SPREAD_SEGMENTS)
		return TORUS_SEGMENTS_SPREAD;
	if (job->bit_flags & CONSOLIDATE_SEGMENTS)
		return TORUS_SEGMENTS_CONSOLIDATED;
#else
	(void)job;
#endif
	return TORUS_SEGMENTS_ANYWHERE;
}

/* Whether the job, or what it holds, takes nodes whole by a wish of its own. */
static inline bool wants_whole_nodes(uint8_t whole_node)
{
	return whole_node & WHOLE_NODE_REQUIRED;
}

#endif
