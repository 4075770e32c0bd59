/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes of segments in a matrix: see segments.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "storus/sim/segments.h"

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
