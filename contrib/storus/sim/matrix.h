/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that `storus sim compare` reads: which simulations are to be compared. Lines
 * of Key=Value as base/lines.h reads them, keys in any case, e.g.
 *
 *     Dims=8x8x5 Wrap=all
 *     Workloads="log-uniform:max=64 exponential"
 *     Loads=0.7,0.9
 *     Curves=hilbert,snake  Allocators=free_list,best_fit  Schedulers=easy
 *     Seeds=1-5
 *     Measure=mean_average_distance,mean_wait  Baseline=free_list
 *
 * A line with Dims= or Conf= describes a machine, of which there may be several. Every
 * other key stands once. Names are separated by commas or blanks, a value with blanks
 * stands in quotes; workloads and wishes hold commas themselves and are separated by
 * blanks only.
 */
#ifndef STORUS_SIM_MATRIX_H
#define STORUS_SIM_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum storus_matrix_key {
	/* A line of these is a machine. */
	STORUS_MATRIX_DIMS,
	STORUS_MATRIX_WRAP,
	STORUS_MATRIX_NODES_PER_ROUTER,
	STORUS_MATRIX_CONF,
	STORUS_MATRIX_MACHINE_KEYS,
	/* What is combined with each other. */
	STORUS_MATRIX_TRACES = STORUS_MATRIX_MACHINE_KEYS,
	STORUS_MATRIX_WORKLOADS,
	STORUS_MATRIX_LOADS,
	STORUS_MATRIX_WORK_MULTIPLES,
	STORUS_MATRIX_SCHEDULERS,
	STORUS_MATRIX_CURVES,
	STORUS_MATRIX_ALLOCATORS,
	STORUS_MATRIX_WISHES,
	STORUS_MATRIX_SEGMENTS,
	STORUS_MATRIX_SEEDS,
	/* What is the same for all. */
	STORUS_MATRIX_PROCESSORS_PER_NODE,
	STORUS_MATRIX_MAX_JOBS,
	STORUS_MATRIX_REPLICATE,
	STORUS_MATRIX_WARMUP,
	STORUS_MATRIX_SLOWDOWN,
	/* What is printed. */
	STORUS_MATRIX_MEASURE,
	STORUS_MATRIX_BASELINE,
	STORUS_MATRIX_KEYS,
} storus_matrix_key_t;

/* The items of a value. */
typedef struct storus_matrix_list {
	char **item; /* [count] */
	size_t count;
	uint32_t line; /* of the key; 0: it is missing, and this is the default */
} storus_matrix_list_t;

typedef struct storus_matrix_machine {
	char *value[STORUS_MATRIX_MACHINE_KEYS]; /* NULL: not given; either Dims or Conf
						  * is */
	uint32_t line;
} storus_matrix_machine_t;

typedef struct storus_matrix {
	char *path;			  /* as given, for messages */
	storus_matrix_machine_t *machine; /* [machines], at least 1 */
	size_t machines;
	/*
	 * By key. Traces or workloads or both are there; loads only with workloads. An
	 * allocator may have a curve of its own, "best_fit@snake", which is no file, and
	 * then there is at most one of Curves.
	 * Without a key its list is empty, but for Schedulers (easy), Seeds (1), and
	 * Measure. Seeds are single numbers, ranges are resolved.
	 */
	storus_matrix_list_t list[STORUS_MATRIX_KEYS];
} storus_matrix_t;

/* Between an allocator and the curve that is its own. */
#define STORUS_MATRIX_OWN_CURVE '@'

/* The key as it is written in the manual, e.g. "WorkMultiples". */
const char *storus_matrix_key_name(storus_matrix_key_t key);

/*
 * Read text[0 .. length-1], called [path] in messages. Every value is checked by itself:
 * names are known, numbers in their range, nothing stands twice in a list. Returns 0, and
 * then the matrix is to be freed by the caller; or -1 with [err] as "[path]:LINE:
 * reason", the matrix empty.
 */
int storus_matrix_read(const char *text, size_t length, const char *path,
		       storus_matrix_t *matrix, torus_error_t *err);
void storus_matrix_free(storus_matrix_t *matrix);

/*
 * Put "PATH:LINE: Key=: " in front of the message in [err], for an error in the value of
 * [key] that was found later. Returns -1.
 */
int storus_matrix_fail(const storus_matrix_t *matrix, storus_matrix_key_t key,
		       torus_error_t *err);

#endif
