/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthetic workloads: generated from a text such as "exponential:mean=16,load=0.8", a
 * kind and its parameters. A kind says which sizes the jobs have; run times and arrivals
 * are drawn alike for all kinds. The same text, machine and seed give the same workload
 * with every compiler and on every processor (see variates.h).
 *
 * Sizes, run times and arrivals come from random sequences of their own: the same seed
 * under another load has the same jobs in the same order, and with other times (times=)
 * the same sizes.
 */
#ifndef TORUS_SIM_SYNTHETIC_H
#define TORUS_SIM_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "sim/workload.h"

#define TORUS_SYNTHETIC_PARAMETERS 10

typedef struct torus_synthetic_parameter {
	const char *name;
	const char *summary;
	const char *const *choices; /* names of its values 0, 1 ..., NULL-terminated; */
	double minimum, maximum;    /* or, without choices, their range ... */
	bool whole;		    /* ... and whether they are whole numbers */
	double standard;	    /* the value when it is not given */
} torus_synthetic_parameter_t;

typedef struct torus_synthetic_kind torus_synthetic_kind_t;

/* The kinds there are, and what --help says about them. NULL beyond the last. */
const torus_synthetic_kind_t *torus_synthetic_kind(int index);
const char *torus_synthetic_kind_name(const torus_synthetic_kind_t *kind);
const char *torus_synthetic_kind_summary(const torus_synthetic_kind_t *kind);
/* NULL beyond the last. */
const torus_synthetic_parameter_t *
torus_synthetic_kind_parameter(const torus_synthetic_kind_t *kind, int index);

typedef struct torus_synthetic {
	const torus_synthetic_kind_t *kind;
	double value[TORUS_SYNTHETIC_PARAMETERS]; /* as the kind's parameters are listed
						   */
	bool given[TORUS_SYNTHETIC_PARAMETERS];	  /* whether the text has it */
} torus_synthetic_t;

/*
 * Read "KIND" or "KIND:NAME=VALUE,NAME=VALUE..." Returns 0, or -1 with [err] naming the
 * kind, name or value that is unknown, twice there or out of its range.
 */
int torus_synthetic_parse(const char *text, torus_synthetic_t *synthetic,
			  torus_error_t *err);

/*
 * Set the parameter called [name], checked as in torus_synthetic_parse(); one that the
 * text has already is an error, as is one that the kind does not have.
 */
int torus_synthetic_set(torus_synthetic_t *synthetic, const char *name, const char *value,
			torus_error_t *err);

/* The machine that a workload is generated for. */
typedef struct torus_synthetic_machine {
	uint32_t nodes;		   /* at least 1 */
	torus_geometry_t geometry; /* of the torus that boxes are drawn for */
} torus_synthetic_machine_t;

/*
 * Generate the workload, sorted by submission, into [workload], to be freed with
 * torus_workload_clear() in either case. All times are whole seconds, as in a log; run
 * times are at least 1 s and waits unknown. Estimates are exact, or by the f-model.
 * Returns 0, or -1 with [err] filled: parameters that this machine is too small for, a
 * stream that lasts longer than a log may (TORUS_SWF_LONGEST), memory. Time O(jobs log
 * jobs).
 */
int torus_synthetic_generate(const torus_synthetic_t *synthetic,
			     const torus_synthetic_machine_t *machine, uint64_t seed,
			     torus_workload_t *workload, torus_error_t *err);

#endif
