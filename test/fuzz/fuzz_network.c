/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --network texts. A shape that is read has sensible sides and survives being written. */
#include "fuzz.h"

#include "machine/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	torus_network_request_t request, back;

	if (!torus_network_parse(text, &request, NULL) && request.has_shape) {
		char sides[TORUS_DIMS_TEXT], again[TORUS_DIMS_TEXT + 32];

		CHECK(request.shape.dims >= 1 && request.shape.dims <= TORUS_MAX_DIMS);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			CHECK(request.shape.side[axis] >= 1);
		torus_lengths_format(request.shape.dims, request.shape.side, sides);
		snprintf(again, sizeof(again), "others;torus:shape=%s", sides);
		CHECK(!torus_network_parse(again, &back, NULL) && back.has_shape);
		CHECK(back.shape.dims == request.shape.dims);
		CHECK(!memcmp(back.shape.side, request.shape.side,
			      sizeof(back.shape.side)));
	}
	free(text);
	return 0;
}
