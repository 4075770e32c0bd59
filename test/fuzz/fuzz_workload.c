/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts of synthetic workloads. What is read has values in their ranges; what is
 * generated of it fits the machine, and is there again when its log is read.
 */
#include "fuzz.h"

#include "sim/swf.h"
#include "sim/swf_write.h"
#include "sim/synthetic/synthetic.h"

/* More jobs only take time. */
enum { JOBS_MAX = 2000 };

static void check_values(const torus_synthetic_t *synthetic)
{
	const torus_synthetic_parameter_t *parameter;

	for (int i = 0; (parameter = torus_synthetic_kind_parameter(synthetic->kind, i));
	     i++) {
		double value = synthetic->value[i];

		CHECK(value >= 0);
		if (!parameter->choices)
			CHECK(value >= parameter->minimum && value <= parameter->maximum);
		if (parameter->whole)
			CHECK(value == (double)(uint64_t)value);
	}
}

static double value_of(const torus_synthetic_t *synthetic, const char *name)
{
	const torus_synthetic_parameter_t *parameter;

	for (int i = 0; (parameter = torus_synthetic_kind_parameter(synthetic->kind, i));
	     i++) {
		if (!strcmp(parameter->name, name))
			return synthetic->value[i];
	}
	return 0;
}

static void check_log(const torus_workload_t *workload, uint32_t nodes)
{
	char *text = torus_swf_format(workload, nodes, "fuzz", NULL);
	torus_workload_t back = {0};

	CHECK(text);
	CHECK(!torus_swf_read(text, strlen(text), 1, &back, NULL));
	CHECK(back.count == workload->count && !torus_skipped_total(&back.skipped));
	for (size_t i = 0; i < back.count; i++) {
		CHECK(back.job[i].submit == workload->job[i].submit);
		CHECK(back.job[i].run_time == workload->job[i].run_time);
		CHECK(back.job[i].nodes == workload->job[i].nodes);
		CHECK(back.job[i].has_shape == workload->job[i].has_shape);
	}
	torus_workload_clear(&back);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const torus_synthetic_machine_t machine = {.nodes = 120,
						   {3, {5, 4, 3, 1, 1, 1}, {false}}};
	char *text = fuzz_text(data, size);
	torus_synthetic_t synthetic;
	torus_workload_t workload;

	if (!torus_synthetic_parse(text, &synthetic, NULL)) {
		check_values(&synthetic);
		if (value_of(&synthetic, "jobs") <= JOBS_MAX &&
		    !torus_synthetic_generate(&synthetic, &machine, size, &workload,
					      NULL)) {
			for (size_t i = 0; i < workload.count; i++)
				CHECK(workload.job[i].nodes >= 1 &&
				      workload.job[i].nodes <= machine.nodes);
			check_log(&workload, machine.nodes);
			torus_workload_clear(&workload);
		}
	}
	free(text);
	return 0;
}
