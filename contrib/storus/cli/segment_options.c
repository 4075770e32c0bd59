/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job's segments may be: see segment_options.h. */
#include "torus_config.h"

#include "storus/cli/options.h"
#include "storus/cli/segment_options.h"

int storus_segment_options_read(const storus_segment_options_t *segments, uint64_t size,
				const torus_cluster_t *cluster,
				torus_segments_where_t *where)
{
	const char *name = segments->spread ? "spread-segments" : "consolidate-segments";

	*where = TORUS_SEGMENTS_ANYWHERE;
	if (!segments->spread && !segments->consolidate)
		return 0;
	if (!size) {
		storus_misuse("--%s: segments of how many nodes? Give --segment", name);
		return -1;
	}
	if (!torus_cluster_has_cubes(cluster)) {
		storus_misuse("--%s needs a machine of cubes (--cube, or Cube= in "
			      "torus.conf): a cube is what a block is to sbatch",
			      name);
		return -1;
	}
	*where = segments->spread ? TORUS_SEGMENTS_SPREAD : TORUS_SEGMENTS_CONSOLIDATED;
	return 0;
}
