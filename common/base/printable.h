/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from elsewhere, made safe for a log and a terminal. */
#ifndef TORUS_BASE_PRINTABLE_H
#define TORUS_BASE_PRINTABLE_H

#include <stddef.h>

/*
 * Copy [text] to [buffer] of [size] >= 1 bytes, as valid UTF-8 without control
 * characters: each byte of a control character (C0 with newline and tab, DEL, C1 either
 * as U+0080 to U+009F or as a bare byte), of what sets the direction of text or begins a
 * line (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069), of what is not
 * UTF-8, and of U+FFFE and U+FFFF, which XML forbids, becomes `\x1b`. Everything else
 * stays, the backslash too, so copying a copy changes nothing. A text that does not fit
 * ends with "..." behind the last character that does. [buffer] must not overlap [text].
 * Returns [buffer].
 */
char *torus_printable(const char *text, char *buffer, size_t size);

/* The bytes that torus_printable() needs for all of [text], the final zero included. */
size_t torus_printable_size(const char *text);

#endif
