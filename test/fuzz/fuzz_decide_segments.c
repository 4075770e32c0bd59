/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision where a job of segments runs, on clusters that the input describes, number
 * by number, against trying every set of nodes. */
#include "fuzz.h"

#include "../unit/segments_case.h"

static const uint8_t *next, *end;

/* The next byte of the input; of one that has come to its end the lowest numbers. */
static uint32_t number(uint32_t low, uint32_t high)
{
	return next < end ? low + *next++ % (high - low + 1) : low;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static decide_case_t c;
	torus_cluster_placement_t placement;
	torus_outcome_t outcome;
	torus_error_t err;
	const char *wrong;
	set_t usable;

	next = data;
	end = data + size;
	CHECK(segments_case_make(&c, number));
	usable = segments_usable(&c);
	outcome = case_decide(&c, &placement, &err);
	wrong = segments_check(&c, usable, outcome);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	CHECK(!wrong);
	case_free(&c);
	return 0;
}
