/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How everything in libtorus reports an error.
 *
 * A function that can fail returns 0 on success and -1 on error (or a pointer, NULL on
 * error) and then has filled the caller's torus_error_t with one line of text, without a
 * newline, that names the offending input and, where there is one, the cure. The text may
 * quote input of a user and end in a log or on a terminal, so control characters in it
 * are escaped as base/printable.h says. On success the text is left as it was. A caller
 * that does not want the text passes NULL.
 */
#ifndef TORUS_BASE_ERROR_H
#define TORUS_BASE_ERROR_H

typedef struct torus_error {
	char text[1024];
} torus_error_t;

/*
 * Fill [err] (may be NULL) from the printf-style [format], truncating if need be.
 * Returns -1 always, so that a function can end with `return torus_fail(err, ...)`.
 */
int torus_fail(torus_error_t *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Put "[prefix]" in front of the text already in [err], e.g. "torus.conf:12: ".
 * Returns -1 always.
 */
int torus_fail_prefix(torus_error_t *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
