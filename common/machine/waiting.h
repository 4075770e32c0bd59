/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The token in the SystemComment of a pending job that could run and waits for a better
 * place, as it wishes: for which, since when, and until when at most.
 * "torus_wait=shape,since=2026-11-23T09:10:00+0100,until=2026-11-23T09:40:00+0100".
 * It is also where slurmctld keeps the time over restarts.
 */
#ifndef TORUS_MACHINE_WAITING_H
#define TORUS_MACHINE_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* What it waits for; the words are those of the options. */
typedef enum torus_wish {
	TORUS_WISH_NONE,
	TORUS_WISH_SHAPE,
	TORUS_WISH_CONTIGUOUS,
	TORUS_WISH_NEAR,
	TORUS_WISHES,
} torus_wish_t;

/* "shape", "contiguous", "near"; a constant. */
const char *torus_wish_name(torus_wish_t wish);

#define TORUS_WAITING_KEY "torus_wait="
/* A buffer for the token. */
#define TORUS_WAITING_TEXT 128
/* For a job that is no array. */
#define TORUS_WAITING_NO_TASK UINT32_MAX

typedef struct torus_waiting {
	torus_wish_t wish;
	int64_t since, until; /* seconds of the epoch, 0 .. TORUS_WAITING_LAST */
	uint32_t task;	      /* of an array, which waits: its index */
} torus_waiting_t;

/* The end of the year 9999, but for two days. */
#define TORUS_WAITING_LAST INT64_C(253402128000)

/*
 * Write the token into [text], times as local time with its distance from UTC, and
 * ",task=N" at the end for an array. Returns [text].
 */
char *torus_waiting_format(const torus_waiting_t *waiting, char text[TORUS_WAITING_TEXT]);

/* Read the first token in [comment] (NULL: none); false: there is none, or it is not of
 * this form. */
bool torus_waiting_read(const char *comment, torus_waiting_t *waiting);

#endif
