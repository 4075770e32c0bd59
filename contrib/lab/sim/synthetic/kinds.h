/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of synthetic workloads are to synthetic.c. Only for this folder. */
#ifndef TORUS_SIM_SYNTHETIC_KINDS_H
#define TORUS_SIM_SYNTHETIC_KINDS_H

#include "sim/synthetic/synthetic.h"

/* Every kind has these parameters first; its own follow. */
enum {
	TORUS_SYNTHETIC_RUN,
	TORUS_SYNTHETIC_LOAD,
	TORUS_SYNTHETIC_TIMES,
	TORUS_SYNTHETIC_F,
	TORUS_SYNTHETIC_OWN
};

#define TORUS_SYNTHETIC_RUN_PARAMETER(text, seconds)                                     \
	[TORUS_SYNTHETIC_RUN] = {.name = "run",                                          \
				 .summary = text,                                        \
				 .minimum = 1,                                           \
				 .maximum = 1e8,                                         \
				 .standard = seconds}
#define TORUS_SYNTHETIC_LOAD_PARAMETER(value)                                            \
	[TORUS_SYNTHETIC_LOAD] = {.name = "load",                                        \
				  .summary = "offered load; 0: all jobs are there at 0", \
				  .minimum = 0,                                          \
				  .maximum = 100,                                        \
				  .standard = value}
#define TORUS_SYNTHETIC_TIMES_PARAMETER                                                  \
	[TORUS_SYNTHETIC_TIMES] = {.name = "times",                                      \
				   .summary = "which run times and arrivals the jobs "   \
					      "get: 0, 1, 2 ... are different sets",     \
				   .minimum = 0,                                         \
				   .maximum = 1e8,                                       \
				   .whole = true}
#define TORUS_SYNTHETIC_F_PARAMETER                                                      \
	[TORUS_SYNTHETIC_F] = {.name = "f",                                              \
			       .summary = "users ask for 1 to 1 + f times the run "      \
					  "time, each as likely; 0: for just that",      \
			       .minimum = 0,                                             \
			       .maximum = 100}
#define TORUS_SYNTHETIC_JOBS_PARAMETER(count)                                            \
	{                                                                                \
		.name = "jobs", .summary = "how many jobs", .minimum = 1,                \
		.maximum = 1e8, .whole = true, .standard = count                         \
	}

struct torus_synthetic_kind {
	const char *name;
	const char *summary;
	torus_synthetic_parameter_t parameter[TORUS_SYNTHETIC_PARAMETERS];
	/* The parameter (no, yes) that says whether run times are exponentially
	 * distributed; 0: they always are. */
	int vary;
	/*
	 * Append the jobs in the order of their submission, with their nodes and shapes
	 * only, for the parameters in value[]. Returns 0, or -1 with [err] filled.
	 */
	int (*draw)(const double *value, const torus_synthetic_machine_t *machine,
		    uint64_t *random, torus_workload_t *workload, torus_error_t *err);
};

extern const torus_synthetic_kind_t torus_synthetic_cplant_stream;
extern const torus_synthetic_kind_t torus_synthetic_beta;
extern const torus_synthetic_kind_t torus_synthetic_exponential;
extern const torus_synthetic_kind_t torus_synthetic_log_uniform;

#endif
