/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of workload logs in the Standard Workload Format, version 2.2 (Chapin et
 * al., "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers", 1999;
 * the Parallel Workloads Archive).
 *
 * A line is a job of 18 fields separated by blanks, -1 for what is not known; `;` begins
 * a comment. Boxes that jobs ask for stand in comments of their own: see swf_shapes.h. Of
 * a job count:
 *
 *   1 number      4 run time (s)                  9 requested time (s)
 *   2 submit (s)  5 allocated processors          11 status
 *   3 wait (s)    8 requested processors
 *
 * Its processors are those allocated, else those requested. The user's estimate is the
 * requested time, or the run time where that is missing or shorter than the run time.
 * Seconds may have decimals; all beyond microseconds are cut off.
 *
 * Skipped, and counted in the workload, are
 *   malformed          lines with fewer than 18 fields, a field that is no number, or
 *                      without a submission time; numbers that no job can have
 *   partial_execution  status 2 to 4: parts of a job whose summary stands on another line
 *   no_run_time        run time -1; or 0 and cancelled (status 5)
 *   no_processors      neither allocated nor requested ones
 *
 * A line whose fields are all those of a line before is a job, too, but counted as
 * repeated.
 */
#ifndef TORUS_SIM_SWF_H
#define TORUS_SIM_SWF_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/workload.h"

/* Longest time that a job may have, in seconds: some 3,000 years. */
#define TORUS_SWF_LONGEST INT64_C(100000000000)

/*
 * Read the log text[0 .. length-1] (no NUL needed) into the empty workload [workload], in
 * the order of submission; jobs need ceil(processors / processors_per_node) nodes,
 * [processors_per_node] >= 1. Returns 0, and then the workload is to be cleared by the
 * caller even if it has no job; or -1 with [err] filled (memory), the workload empty.
 * O(length + n log n).
 */
int torus_swf_read(const char *text, size_t length, uint32_t processors_per_node,
		   torus_workload_t *workload, torus_error_t *err);

#endif
