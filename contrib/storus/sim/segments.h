/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes of segments in a matrix of "storus sim compare". */
#ifndef STORUS_SIM_SEGMENTS_H
#define STORUS_SIM_SEGMENTS_H

#include <stdint.h>

#include "base/error.h"
#include "torus/segments.h"

/*
 * Read "none", "8", "8:spread" or "8:consolidate" into the size of the segments, 0 for
 * none, and where they may be. Returns 0, or -1 with [err] filled.
 */
int storus_segments_parse(const char *text, uint32_t *size, torus_segments_where_t *where,
			  torus_error_t *err);

#endif
