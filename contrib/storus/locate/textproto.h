/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a text in the format of protocol buffers, field by field. */
#ifndef STORUS_LOCATE_TEXTPROTO_H
#define STORUS_LOCATE_TEXTPROTO_H

#include <stddef.h>

#include "base/error.h"

/* Messages within messages, and characters of all their names. */
#define STORUS_TEXTPROTO_DEPTH 32
#define STORUS_TEXTPROTO_PATH 512

typedef enum storus_textproto_event {
	STORUS_TEXTPROTO_BEGIN, /* of a message */
	STORUS_TEXTPROTO_END,	/* of one */
	STORUS_TEXTPROTO_VALUE, /* one that is no message; of a list each element */
} storus_textproto_event_t;

/*
 * Is called for each field in the order of the text. [path] are the names of the messages
 * that it is in, and its own: "hosts.hostname". [value], for a value, is its text without
 * quotes, and valid only now. Returns 0, or -1 with [err] to end the reading.
 */
typedef int storus_textproto_visit_t(void *context, storus_textproto_event_t event,
				     const char *path, const char *value,
				     torus_error_t *err);

/*
 * Read [text], called [name] in messages. Escapes within strings stay as they are, and a
 * string or number longer than 255 characters is cut. Returns 0, or -1 with [err] as
 * "[name]:LINE: reason".
 */
int storus_textproto_read(const char *text, const char *name,
			  storus_textproto_visit_t *visit, void *context,
			  torus_error_t *err);

#endif
