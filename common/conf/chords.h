/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Links= says: the links that a torus has beside its own. */
#ifndef TORUS_CONF_CHORDS_H
#define TORUS_CONF_CHORDS_H

#include <stddef.h>

#include "base/error.h"
#include "geometry/chords.h"

/*
 * Read links such as "0:0-16:0", the coordinates of both ends, from text[0 .. length-1]:
 * several of them separated by commas, blanks or line ends; `#` comments. They are
 * between the routers of [geometry], or, where its nodes are boxes of chips, between
 * chips. [path] is what the text is called in messages; NULL: it is the value of a key,
 * whose line the caller says. Returns the links, for torus_chords_create(), malloc'ed,
 * *count >= 1 of them; or NULL with [err] filled, as "[path]:LINE: reason" if there is a
 * path: another form, a coordinate outside the dimensions, what torus_chord_check()
 * refuses, a link given twice, more than TORUS_CHORDS_MAX, none at all, memory.
 */
torus_chord_t *torus_chords_parse(const char *text, size_t length, const char *path,
				  const torus_geometry_t *geometry, uint32_t *count,
				  torus_error_t *err);

/* A buffer for a link as text. */
#define TORUS_CHORD_TEXT 144

/* Write the link [chord] of [geometry] as it is read. Returns [text]. */
char *torus_chord_format(const torus_geometry_t *geometry, torus_chord_t chord,
			 char text[TORUS_CHORD_TEXT]);

#endif
