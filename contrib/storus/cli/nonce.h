/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number by which a page's Content-Security-Policy knows the page's own scripts and
 * styles from what others may have put into it. */
#ifndef STORUS_CLI_NONCE_H
#define STORUS_CLI_NONCE_H

#include "base/error.h"

/* 128 bits as text */
#define STORUS_NONCE_TEXT 33

/* Make one that nobody knew who could have put a text into the page. Returns 0, or -1
 * with [err] filled: the system gives no random numbers. */
int storus_nonce_make(char nonce[STORUS_NONCE_TEXT], torus_error_t *err);

#endif
