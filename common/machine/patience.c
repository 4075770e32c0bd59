/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a job waits for a better place: see patience.h. */
#include "machine/patience.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "machine/nearness.h"

int torus_patience_parse(const char *text, torus_patience_site_t *site,
			 torus_error_t *err)
{
	const char *at = strchr(text, '@');
	char near[32];

	site->near = 0;
	site->within = 0;
	if (!strcasecmp(text, "none"))
		return 0;
	if (!at || at - text >= (int)sizeof(near))
		return torus_fail(
			err,
			"'%.64s' is neither none nor of the form 1.2@30, a mean "
			"distance and a time",
			text);
	snprintf(near, sizeof(near), "%.*s", (int)(at - text), text);
	if (torus_near_parse(near, &site->near, err))
		return -1;
	return torus_duration_parse(at + 1, &site->within, err);
}

torus_patience_site_t torus_patience_least(torus_patience_site_t one,
					   torus_patience_site_t other)
{
	torus_patience_site_t least = {.is_limited = one.is_limited || other.is_limited};

	if (one.near && other.near) {
		least.near = one.near > other.near ? one.near : other.near;
		least.within = one.within < other.within ? one.within : other.within;
	}
	if (!other.is_limited || (one.is_limited && one.most < other.most))
		least.most = one.most;
	else
		least.most = other.most;
	return least;
}

torus_patience_t torus_patience_of(const torus_network_request_t *request,
				   bool contiguous, const torus_patience_site_t *site)
{
	torus_patience_t patience = {.near = request->near};

	if (request->has_shape || contiguous) {
		patience.near = 0;
		if (request->has_within)
			patience.wish = request->has_shape ? TORUS_WISH_SHAPE
							   : TORUS_WISH_CONTIGUOUS;
	} else if (request->near || (site->near && !request->loose)) {
		patience.wish = TORUS_WISH_NEAR;
		patience.near = request->near ? request->near : site->near;
	}
	if (!patience.wish)
		return patience;
	patience.within = request->has_within ? request->within
			  : site->near	      ? site->within
					      : TORUS_PATIENCE_USUAL;
	if (site->is_limited && patience.within > site->most)
		patience.within = site->most;
	return patience;
}
