/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori and what jobs have of them in the form of Slurm's own output: "Name=value ...". */
#ifndef TORUS_MACHINE_SHOW_H
#define TORUS_MACHINE_SHOW_H

#include "machine/map.h"

/* Room for what torus_show_map() writes, with names as torus.conf may have them. */
#define TORUS_SHOW_TEXT 512

/*
 * Write "TorusName=main Dims=4x2 Wrap=x Curve=snake Allocator=compact NodeCount=8 Free=3
 * Used=4 Unavailable=1 LargestFreeInterval=2" for [map], of whose ranks those of the
 * bitmap [free] are free, and [used] others have jobs on them. Returns [text].
 */
char *torus_show_map(const torus_map_t *map, const uint64_t *free, uint32_t used,
		     char text[TORUS_SHOW_TEXT]);

/*
 * The items of a token (machine/token.h) about a place, each behind a blank, under the
 * names that Slurm's own output would give them: " TorusName=main NodeCount=12 Span=14
 * Box=3x2x3 AvgHops=1.83". Others are left out. Returns malloc'ed text; NULL: memory.
 */
char *torus_show_token(const char *token);

#endif
