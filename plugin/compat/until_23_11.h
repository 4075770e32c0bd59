/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 23.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_23_11_H
#define TORUS_COMPAT_UNTIL_23_11_H

#include "compat/until_24_05.h"

#include "torus/segments.h"

/* Names that later releases have changed. */
#define CONF_FLAG_ASRU CTL_CONF_ASRU

/* The nodes of a segment that the job asks for: it cannot. */
static inline uint32_t job_segment_size(const job_record_t *job)
{
	(void)job;
	return 0;
}
static inline torus_segments_where_t job_segments_where(const job_record_t *job)
{
	(void)job;
	return TORUS_SEGMENTS_ANYWHERE;
}
#define SEGMENTS_UNAVAILABLE ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE

/* Whether the job, or what it holds, takes nodes whole by a wish of its own. */
static inline bool wants_whole_nodes(uint8_t whole_node)
{
	return whole_node == WHOLE_NODE_REQUIRED;
}

/* Its function that brings its rows up to date, which they always are here. */
#define CONS_TRES_REBUILD_ROWS NULL

#endif
