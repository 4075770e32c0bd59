/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of jobs from their start to when nobody asks for them any more: in pages,
 * as of a million jobs a few thousand run. Private to the simulator.
 */
#ifndef TORUS_SIM_RECORDS_H
#define TORUS_SIM_RECORDS_H

#include <stddef.h>

#include "sim/simulate.h"

#define TORUS_RECORDS_PAGE 1024

/* Empty: {0}. */
typedef struct torus_records {
	torus_sim_record_t **page; /* [pages] each of TORUS_RECORDS_PAGE, or NULL */
	size_t pages;
} torus_records_t;

/* For jobs 0 .. jobs-1, jobs >= 1. Returns 0, or -1: out of memory. */
int torus_records_open(torus_records_t *records, size_t jobs);
void torus_records_close(torus_records_t *records);

/* Make the record of [job], which may be there. Returns 0, or -1: out of memory. */
int torus_records_make(torus_records_t *records, size_t job);

/* Nobody will ask for [job] or any before it again. */
void torus_records_drop(torus_records_t *records, size_t job);

/* The record of [job], which was made. */
static inline torus_sim_record_t *torus_records_of(const torus_records_t *records,
						   size_t job)
{
	return &records->page[job / TORUS_RECORDS_PAGE][job % TORUS_RECORDS_PAGE];
}

#endif
