/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workload logs. Input: a byte for the processors of a node, then the log. Every line is
 * a job, a comment or skipped; what is read as a job can be replayed.
 */
#include "fuzz.h"

#include "sim/swf.h"

/* Lines that hold something in front of a comment. */
static size_t count_lines(const char *text, size_t length)
{
	size_t lines = 0;
	bool something = false, comment = false;

	for (size_t i = 0; i < length; i++) {
		comment = comment || text[i] == ';';
		if (text[i] == '\n') {
			lines += something;
			something = comment = false;
		} else if (!comment && !strchr(" \t\r", text[i] ? text[i] : 'x')) {
			something = true;
		}
	}
	return lines + something;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t processors_per_node = size ? 1 + data[0] % 64u : 1;
	const char *text = (const char *)data + (size > 0);
	size_t length = size - (size > 0);
	torus_workload_t workload;

	CHECK(torus_swf_read(text, length, processors_per_node, &workload, NULL) == 0);
	CHECK(workload.count + torus_skipped_total(&workload.skipped) ==
	      count_lines(text, length));
	for (size_t i = 0; i < workload.count; i++) {
		const torus_sim_job_t *job = &workload.job[i];

		CHECK(!i || workload.job[i - 1].submit <= job->submit);
		CHECK(job->submit >= 0 && job->wait >= -1 && job->run_time >= 0);
		CHECK(job->estimate >= job->run_time && job->nodes && job->line);
		CHECK(job->submit <= TORUS_SWF_LONGEST * TORUS_SECOND);
		CHECK(job->estimate <= TORUS_SWF_LONGEST * TORUS_SECOND);
	}
	torus_workload_clear(&workload);
	return 0;
}
