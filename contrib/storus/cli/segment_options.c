/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job's segments may be: see segment_options.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "storus/cli/options.h"
#include "storus/cli/segment_options.h"

int storus_segment_options_read(const storus_segment_options_t *segments, uint64_t size,
				const torus_cluster_t *cluster,
				torus_segments_where_t *where)
{
	const char *name = segments->spread ? "spread-segments" : "consolidate-segments";
	bool has_cubes = false;

	*where = TORUS_SEGMENTS_ANYWHERE;
	if (!segments->spread && !segments->consolidate)
		return 0;
	if (!size) {
		storus_misuse("--%s: segments of how many nodes? Give --segment", name);
		return -1;
	}
	for (int t = 0; t < cluster->maps; t++)
		has_cubes |= torus_has_cubes(&cluster->map[t]->geometry);
	if (!has_cubes) {
		storus_misuse("--%s needs a machine of cubes (--cube, or Cube= in "
			      "torus.conf): a cube is what a block is to sbatch",
			      name);
		return -1;
	}
	*where = segments->spread ? TORUS_SEGMENTS_SPREAD : TORUS_SEGMENTS_CONSOLIDATED;
	return 0;
}

int storus_segments_parse(const char *text, uint32_t *size, torus_segments_where_t *where,
			  torus_error_t *err)
{
	size_t digits = strspn(text, "0123456789");
	const char *rest = text + digits;
	unsigned long long number = strtoull(text, NULL, 10);

	*size = 0;
	*where = TORUS_SEGMENTS_ANYWHERE;
	if (strcasecmp(text, "none") == 0)
		return 0;
	if (!digits || digits > 10 || !number || number > UINT32_MAX)
		return torus_fail(err, "'%.64s' is neither none nor a number of nodes",
				  text);
	if (strcasecmp(rest, ":spread") == 0)
		*where = TORUS_SEGMENTS_SPREAD;
	else if (strcasecmp(rest, ":consolidate") == 0)
		*where = TORUS_SEGMENTS_CONSOLIDATED;
	else if (*rest)
		return torus_fail(err,
				  "'%.64s': behind the number may be :spread or "
				  ":consolidate",
				  text);
	*size = (uint32_t)number;
	return 0;
}
