/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 as a Content-Security-Policy names it: FIPS 180-4, in base 64. */
#ifndef STORUS_VIEW_SHA256_H
#define STORUS_VIEW_SHA256_H

#include <stddef.h>

/* A buffer for a hash: 44 characters and the final zero. */
#define STORUS_SHA256_TEXT 45

/* Write the hash of [size] bytes at [data] in base 64 into [text]; returns [text]. */
char *storus_sha256(const void *data, size_t size, char text[STORUS_SHA256_TEXT]);

#endif
