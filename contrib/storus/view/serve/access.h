/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may look: the token, and the names by which the server may be called. */
#ifndef STORUS_VIEW_SERVE_ACCESS_H
#define STORUS_VIEW_SERVE_ACCESS_H

#include <stdbool.h>

#include "base/error.h"

/* Characters of a token. */
#define STORUS_TOKEN_LEAST 32
#define STORUS_TOKEN_MOST 512

/* 256 bits as text */
#define STORUS_SESSION_TEXT 65

typedef struct storus_access {
	char *token; /* NULL: whoever reaches the server may look */
	/* What a browser that has shown the token keeps in its place. */
	char session[STORUS_SESSION_TEXT];
	const char *name;   /* --server-name, borrowed, or NULL */
	char own_name[256]; /* this host's */
	bool any_host;	    /* no browser comes here by itself: a Unix socket */
} storus_access_t;

/*
 * Fill [access]; with [token_file] not NULL, from that file: a token of
 * STORUS_TOKEN_LEAST to STORUS_TOKEN_MOST letters, digits and -._~+/= on one line, in a
 * regular file of this user or of root which nobody else may read. Returns 0, and then
 * storus_access_close() must follow; or -1 with [err] as "FILE: reason", which says what
 * to do.
 */
int storus_access_open(storus_access_t *access, const char *token_file,
		       torus_error_t *err);
/* {0} is accepted. */
void storus_access_close(storus_access_t *access);

/*
 * Whether a request for [host], its header Host (NULL: it has none), is for this server:
 * an address, localhost, this host's name or --server-name, with any port. A page from
 * elsewhere whose name was made to lead here (DNS rebinding) has another.
 */
bool storus_access_host(const storus_access_t *access, const char *host);

/*
 * Whether the request may look: its header Authorization ("Bearer TOKEN") or the cookie
 * with the session; each may be NULL. True where there is no token. What takes time does
 * not depend on how much of a secret is right.
 */
bool storus_access_granted(const storus_access_t *access, const char *authorization,
			   const char *cookie);

/* Whether [text], which may be NULL, is the token. False where there is none. */
bool storus_access_is_token(const storus_access_t *access, const char *text);

#endif
