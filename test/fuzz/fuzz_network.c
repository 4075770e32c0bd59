/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --network texts. What has "torus:" in it is understood or refused, a shape that is read
 * has sensible sides and survives being written among others' items, and a refusal holds
 * no control characters.
 */
#define _GNU_SOURCE /* strcasestr() */
#include "fuzz.h"

#include "base/duration.h"
#include "base/printable.h"
#include "machine/nearness.h"
#include "machine/network_option.h"

static void check_shapes(const torus_shapes_t *shapes)
{
	torus_network_request_t back;
	char text[TORUS_SHAPES_TEXT], again[TORUS_SHAPES_TEXT + 80];

	CHECK(shapes->any ? !shapes->count : shapes->count >= 1);
	CHECK(shapes->count <= TORUS_MOST_SHAPES);
	for (int i = 0; i < shapes->count; i++) {
		const torus_shape_t *shape = &shapes->shape[i];

		CHECK(shape->dims >= 1 && shape->dims <= TORUS_MAX_DIMS);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			CHECK(shape->side[axis] >= 1);
	}
	torus_shapes_format(shapes, text);
	snprintf(again, sizeof(again), "others;more, Torus : %s = %s %s%s,instances=4",
		 torus_shapes_in_chips(shapes) ? "chips" : "shape", text,
		 shapes->count && shapes->shape[0].twist ? ", twist" : "",
		 shapes->closed ? ", Closed" : "");
	CHECK(!torus_network_parse(again, &back, NULL) && back.has_shape);
	CHECK(!memcmp(&back.shapes, shapes, sizeof(*shapes)));
}

static void check_words(const torus_task_words_t *words)
{
	torus_network_request_t back;
	torus_task_grid_t written = words->grid;
	char sides[TORUS_DIMS_TEXT] = "Auto", periodic[TORUS_MAX_DIMS + 1] = "none";
	char again[sizeof(sides) + sizeof(periodic) + 120];
	int at = 0;

	CHECK(words->grid.dims >= 1 && words->grid.dims <= TORUS_MAX_DIMS);
	CHECK(words->kind == TORUS_GRID_GIVEN || !words->mpi);
	if (words->mpi || words->kind == TORUS_GRID_AUTO)
		torus_task_grid_reverse(&written);
	if (words->kind == TORUS_GRID_GIVEN) {
		CHECK(torus_task_grid_tasks(&words->grid) >= 1);
		torus_lengths_format(written.dims, written.length, sides);
	}
	for (int axis = 0; axis < written.dims; axis++) {
		if (written.periodic[axis]) {
			periodic[at++] = "xyzuvw"[axis];
			periodic[at] = '\0';
		}
	}
	snprintf(again, sizeof(again),
		 "others;torus:grid=%s%s,periodic=%s , STENCIL = %s%s,instances=4",
		 words->mpi ? "Mpi:" : "", sides, periodic,
		 words->grid.stencil == TORUS_STENCIL_CORNERS ? "27" : "7",
		 words->free_head ? ",Head= FREE" : "");
	CHECK(!torus_network_parse(again, &back, NULL) && !back.has_shape);
	CHECK(!memcmp(&back.tasks, words, sizeof(*words)));
}

static void check_flags(const torus_network_request_t *request)
{
	torus_network_request_t back;
	char again[64];

	CHECK(!request->loose || (!request->isolated && !request->has_shape));
	snprintf(again, sizeof(again), "others,torus:%s%s,instances=4",
		 request->isolated ? "isolate" : "", request->loose ? "loose" : "");
	CHECK(!torus_network_parse(again, &back, NULL));
	CHECK(back.isolated == request->isolated && back.loose == request->loose);
}

static void check_wish(const torus_network_request_t *request)
{
	torus_network_request_t back;
	char within[TORUS_DURATION_TEXT], again[2 * TORUS_DURATION_TEXT];

	CHECK(request->has_within || !request->within);
	CHECK(request->within >= 0 && request->within <= TORUS_DURATION_MAX);
	CHECK(!request->near || !request->has_shape);
	CHECK(!request->near ||
	      (request->near >= TORUS_NEAR_LEAST && request->near <= TORUS_NEAR_MOST));
	if (!request->has_within)
		return;
	torus_duration_format(request->within, within);
	snprintf(again, sizeof(again), "torus:within = %s,others", within);
	CHECK(!torus_network_parse(again, &back, NULL) && back.has_within);
	CHECK(back.within == request->within);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	torus_network_request_t request;
	torus_error_t err;

	if (torus_network_parse(text, &request, &err)) {
		torus_error_t clean;

		CHECK(!request.has_shape && request.tasks.kind == TORUS_GRID_ANY);
		CHECK(!request.isolated && !request.loose);
		CHECK(!request.order_off && !request.tasks.free_head);
		CHECK(!request.has_within && !request.near);
		torus_printable(err.text, clean.text, sizeof(clean.text));
		CHECK(!strcmp(err.text, clean.text));
	} else if (request.has_shape || request.tasks.kind != TORUS_GRID_ANY ||
		   request.isolated || request.loose || request.has_within ||
		   request.near || request.order_off || request.tasks.free_head) {
		CHECK(strcasestr(text, "torus"));
		CHECK(!request.order_off ||
		      (request.tasks.kind == TORUS_GRID_ANY && !request.tasks.free_head));
		if (request.isolated || request.loose)
			check_flags(&request);
		check_wish(&request);
		if (request.has_shape)
			check_shapes(&request.shapes);
		if (request.tasks.kind != TORUS_GRID_ANY)
			check_words(&request.tasks);
	} else {
		CHECK(!strcasestr(text, "torus:") || strcasestr(text, "any"));
	}
	free(text);
	return 0;
}
