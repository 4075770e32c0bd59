/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job costs slurmctld, within the bounds of cost/search.h: the input are the
 * numbers of a question (cost/question.h), four bytes each, those that are left out 0. An
 * input that costs more than all before it counts as one that reaches new code, so that
 * libFuzzer keeps it and goes on from there. Seeds are questions that test_cost found.
 */
#include "fuzz.h"

#include "../cost/search.h"

/* So many steps up to the bound. */
#define STEPS 1024

/* libFuzzer reads these beside its own counters. */
__attribute__((used,
	       section("__libfuzzer_extra_counters"))) static uint8_t reached[STEPS];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	found_t found = {0};
	size_t genes = size / 4;

	for (size_t i = 0; i < genes && i < GENES; i++)
		found.question.gene[i] =
			(uint32_t)data[4 * i] | (uint32_t)data[4 * i + 1] << 8 |
			(uint32_t)data[4 * i + 2] << 16 | (uint32_t)data[4 * i + 3] << 24;
	cost_ask(&found);
	if (found.cost > 1)
		cost_print(&found, stderr);
	CHECK(found.cost <= 1);
	memset(reached, 0, sizeof(reached));
	for (int step = 0; step < (int)(found.cost * (STEPS - 1)); step++)
		reached[step] = 1;
	return 0;
}
