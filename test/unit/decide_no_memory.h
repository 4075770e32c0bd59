/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decisions without enough memory. */
#ifndef TORUS_TEST_DECIDE_NO_MEMORY_H
#define TORUS_TEST_DECIDE_NO_MEMORY_H

#include "decide_case.h"
#include "no_memory.h"

/*
 * Let each allocation of the case's decision fail once: an error that says so, and
 * nothing lost. Frees the case. Returns how many allocations there were.
 */
static inline long decide_without_memory(const decide_case_t *made)
{
	static decide_case_t c;
	long failures = 0;
	torus_outcome_t outcome;

	for (;; failures++) {
		torus_cluster_placement_t placement;
		torus_error_t err = {.text = ""};

		c = *made;
		allow(failures);
		outcome = case_decide(&c, &placement, &err);
		if (!allow_all())
			break;
		assert_int_equal(outcome, TORUS_OUTCOME_ERROR);
		assert_non_null(strstr(err.text, "memory"));
	}
	assert_int_not_equal(outcome, TORUS_OUTCOME_ERROR);
	case_free(&c);
	return failures;
}

#endif
