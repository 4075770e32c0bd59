/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is, and what the sources of that are given. */
#ifndef STORUS_LOCATE_PLACE_H
#define STORUS_LOCATE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/* Characters of a TorusName=, as torus.conf has it. */
#define STORUS_PLACE_NAME 63

typedef struct storus_place {
	char torus[STORUS_PLACE_NAME +
		   1];			/* as the source names it; empty: it does not */
	char of[STORUS_PLACE_NAME + 1]; /* what the torus is a part of the machine: a
					 * server, a slice; empty: the source does not say
					 */
	int dims;			/* 1 .. TORUS_MAX_DIMS */
	int32_t at[TORUS_MAX_DIMS];
} storus_place_t;

typedef struct storus_locating {
	const char *root;	/* in front of the names of files that are the node's */
	const char *program;	/* NULL: none is given */
	double time_limit;	/* of the program, in seconds */
	const char *descriptor; /* NULL: none is given */
	const char *host;	/* the node's name; NULL: what it calls itself */
	bool named;		/* this source is asked for by name */
} storus_locating_t;

typedef enum storus_located {
	STORUS_LOCATED,	       /* the place is filled */
	STORUS_LOCATE_ABSENT,  /* the node has nothing of this kind; [err] says of what */
	STORUS_LOCATE_NOWHERE, /* it has, but no place, or none yet; [err] says why */
	STORUS_LOCATE_BAD,     /* [err] says what is wrong */
} storus_located_t;

/* The sources. Each fills [place], or [err]. */
storus_located_t storus_locate_neuron(const storus_locating_t *locating,
				      storus_place_t *place, torus_error_t *err);
storus_located_t storus_locate_tpu(const storus_locating_t *locating,
				   storus_place_t *place, torus_error_t *err);
storus_located_t storus_locate_tenstorrent(const storus_locating_t *locating,
					   storus_place_t *place, torus_error_t *err);
storus_located_t storus_locate_program(const storus_locating_t *locating,
				       storus_place_t *place, torus_error_t *err);

/*
 * Read [text] as 1 to TORUS_MAX_DIMS coordinates with blanks or colons between them, and
 * the name of a torus in front of them if there is a letter in what stands there. Returns
 * 0, or -1 with [err] filled.
 */
int storus_place_parse(const char *text, storus_place_t *place, torus_error_t *err);

/* Read all of [text] as a number 0 .. INT32_MAX. Returns 0, or -1. */
int storus_place_number(const char *text, int32_t *number);

/*
 * Write into [name] what the torus of [place] is called: as the source names it, or else
 * [torus] with its %s replaced by what [place] is of, whose characters that no name has
 * become _. Returns 0, or -1 with [err]: the name is none.
 */
int storus_place_name(const storus_place_t *place, const char *torus,
		      char name[STORUS_PLACE_NAME + 1], torus_error_t *err);

#endif
