/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus capacity prints of one torus: fields, worked out one after the other. */
#ifndef STORUS_CAPACITY_REPORT_H
#define STORUS_CAPACITY_REPORT_H

#include "storus/capacity/options.h"
#include "storus/capacity/room.h"
#include "storus/cli/output.h"

#define STORUS_CAPACITY_FIELDS 64

typedef struct storus_report {
	storus_field_t field[STORUS_CAPACITY_FIELDS];
	size_t fields;
	char *text[STORUS_CAPACITY_FIELDS]; /* owned, that fields point to */
	size_t texts;
	bool refused; /* no box of --shape is free, or none of --advise can be had */
} storus_report_t;

/*
 * Fill the empty *report for a torus. [dims] is the largest number of dimensions of all
 * tori, as every torus has the same fields, some of them missing; [name] is printed first
 * unless NULL; [drain] is the rank of --drain, or its torus's number of nodes if the node
 * is on another torus; it is not looked at without --drain. Returns 0, or -1 with [err]
 * filled. In either case to be freed with storus_report_clear().
 */
int storus_report_fill(storus_report_t *report, const storus_room_t *room,
		       const storus_capacity_options_t *options, const char *name,
		       int dims, uint32_t drain, torus_error_t *err);
void storus_report_clear(storus_report_t *report);

#endif
