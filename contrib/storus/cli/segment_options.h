/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say where a job's segments may be, as those of sbatch. */
#ifndef STORUS_CLI_SEGMENT_OPTIONS_H
#define STORUS_CLI_SEGMENT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cluster.h"
#include "torus/segments.h"

typedef struct storus_segment_options {
	bool spread, consolidate;
} storus_segment_options_t;

/* Their lines in a table of options; [segments_] is where they go. */
#define STORUS_SEGMENT_OPTIONS(segments_)                                                \
	{"spread-segments", NULL,                                                        \
	 "with --segment on a machine of cubes: no two segments in one cube, as sbatch " \
	 "has it for blocks",                                                            \
	 .flag = &(segments_)->spread},                                                  \
	{                                                                                \
		"consolidate-segments", NULL,                                            \
			"the same: all segments in one cube, if one holds the job",      \
			.flag = &(segments_)->consolidate                                \
	}

/*
 * Check them (of both the first counts) beside --segment, which says [size] nodes (0: it
 * is not given), on the machine [cluster]. Returns 0 with *where, or -1 (message
 * printed).
 */
int storus_segment_options_read(const storus_segment_options_t *segments, uint64_t size,
				const torus_cluster_t *cluster,
				torus_segments_where_t *where);

#endif
