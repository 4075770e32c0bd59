/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wishes as text: see wish.h. */
#include "torus_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "sim/workload.h"
#include "storus/sim/wish.h"

/* Check that [request] is nothing but a wish. */
static int check_wish(const char *text, const torus_network_request_t *request,
		      torus_error_t *err)
{
	if (request->isolated || request->loose)
		return torus_fail(err,
				  "'%.64s': isolate and loose are no wishes; storus sim "
				  "has --isolate and --loose",
				  text);
	if (request->tasks.kind != TORUS_GRID_ANY)
		return torus_fail(err,
				  "'%.64s': how tasks communicate is nothing that a "
				  "simulated job could wait for",
				  text);
	if (request->order_off || request->tasks.free_head)
		return torus_fail(err,
				  "'%.64s': the order of tasks is nothing that a "
				  "simulated job could wait for",
				  text);
	if (!request->near && !request->has_shape)
		return torus_fail(
			err,
			"'%.64s' says what to wait for by none of near=, shape= "
			"and chips=",
			text);
	return 0;
}

int storus_wish_parse(const char *text, torus_network_request_t *request,
		      torus_error_t *err)
{
	torus_network_request_t read = {0};
	char *words;
	int result = 0;

	if (strcasecmp(text, "none") != 0) {
		if (asprintf(&words, "torus:%s", text) < 0)
			return torus_fail(err, "out of memory");
		result = torus_network_parse(words, &read, err);
		free(words);
		if (!result)
			result = check_wish(text, &read, err);
	}
	if (!result)
		*request = read;
	return result;
}

torus_sim_wish_t storus_wish_of(const torus_network_request_t *request,
				const torus_patience_site_t *site)
{
	torus_patience_t patience = torus_patience_of(request, false, site);
	torus_sim_wish_t wish = {
		.shapes = request->shapes,
		.near = patience.near,
		.within = TORUS_FOR_EVER,
	};

	if (patience.wish && patience.within < TORUS_DURATION_MAX)
		wish.within = patience.within * TORUS_SECOND;
	return wish;
}
