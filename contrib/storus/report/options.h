/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of storus report. */
#ifndef STORUS_REPORT_OPTIONS_H
#define STORUS_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/scheduler.h"
#include "storus/cli/output.h"

/* Texts are borrowed from argv, NULL where not given. */
typedef struct storus_report_options {
	const char *conf;
	const char *from_sacct;
	bool has_from, has_to;
	int64_t from, to; /* seconds since 1970 */
	int64_t now;	  /* when the command began */
	const char *outages;
	uint64_t worst;
	const char *replay; /* names of allocators, separated by commas */
	torus_scheduler_t scheduler;
	const char *html;
	storus_format_t format;
} storus_report_options_t;

/*
 * Read the options. Returns 0; or -1 when there is no more to be done, *status being the
 * exit status (help or a message printed).
 */
int storus_report_options_read(int argc, char **argv, storus_report_options_t *options,
			       int *status);

#endif
