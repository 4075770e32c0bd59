/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has been said already: for a log that is to say it once. */
#ifndef TORUS_SAID_H
#define TORUS_SAID_H

#include <stdbool.h>
#include <stdint.h>

#define TORUS_SAID_SETS 1024
#define TORUS_SAID_TEXTS 4

/*
 * A memory of fixed size, 33 kB; all zeros in the beginning. It keeps the last four texts
 * about each of 1,024 subjects with consecutive numbers. Subjects whose numbers differ by
 * a multiple of that share the room.
 */
typedef struct torus_said {
	uint64_t text[TORUS_SAID_SETS][TORUS_SAID_TEXTS]; /* hashes; 0: none */
	uint8_t oldest[TORUS_SAID_SETS];
} torus_said_t;

/*
 * Whether [text] has been said about [subject] before; from now on it has. A text that
 * was forgotten, or was never said but has the hash of another (one in 2^62), gives the
 * wrong answer.
 */
bool torus_said_before(torus_said_t *said, uint32_t subject, const char *text);

#endif
