/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading what a slowdown is to be: see slowdown.h. */
#include "sim/slowdown.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measures/values.h"

int torus_slowdown_parse(const char *text, torus_slowdown_t *slowdown, torus_error_t *err)
{
	const char *colon = strchr(text, ':');
	char name[32];
	char *end;
	double weight;
	int metric;

	if (!colon || (size_t)(colon - text) >= sizeof(name))
		return torus_fail(err,
				  "'%s' is not METRIC:WEIGHT, as in "
				  "average_distance:0.5",
				  text);
	memcpy(name, text, (size_t)(colon - text));
	name[colon - text] = '\0';
	metric = torus_metric_find(name);
	if (metric < 0 || strcmp(name, "contiguous") == 0)
		return torus_fail(err,
				  "'%s' is no metric that slows jobs down, as "
				  "average_distance does",
				  name);
	weight = strtod(colon + 1, &end);
	if ((!isdigit((unsigned char)colon[1]) && colon[1] != '.') || *end ||
	    !isfinite(weight) || weight < 0)
		return torus_fail(err, "'%s': the weight is not a number of at least 0",
				  text);
	*slowdown = (torus_slowdown_t){metric, weight};
	return 0;
}
