/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads as logs in the Standard Workload Format, version 2.2 (Chapin et al.,
 * "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers", 1999): 18
 * numbers a line, -1 where unknown, comments behind `;`.
 *
 * The format has no boxes. A job that asks for one has the number of its box as
 * executable number (field 14), and a comment `; Shape: NUMBER AxBxC` for each such
 * number says which box that is; to other programs the log has plain node counts. Times
 * that are not whole seconds are written with decimals, which not all programs read.
 */
#ifndef TORUS_SIM_SWF_WRITE_H
#define TORUS_SIM_SWF_WRITE_H

#include "base/error.h"
#include "sim/workload.h"

/*
 * The log of [workload], for a machine of [nodes] nodes; [note] is a line for its header
 * that says where it comes from. Control characters in it become as
 * base/printable.h says. Returns malloc'ed text, or NULL with [err] filled (memory).
 * Time O(jobs log boxes).
 */
char *torus_swf_format(const torus_workload_t *workload, uint32_t nodes, const char *note,
		       torus_error_t *err);

#endif
