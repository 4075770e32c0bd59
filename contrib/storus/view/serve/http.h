/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What browsers ask for, and the stream that tells them of changes. Every connection has
 * one request; what it may take of time and memory is bounded.
 */
#ifndef STORUS_VIEW_SERVE_HTTP_H
#define STORUS_VIEW_SERVE_HTTP_H

#include "base/error.h"
#include "storus/view/serve/access.h"
#include "storus/view/serve/address.h"
#include "storus/view/serve/watch.h"

/* Connections at a time, and how many of them may be streams. */
#define STORUS_HTTP_CONNECTIONS 2000
#define STORUS_HTTP_STREAMS 1000

typedef struct storus_http storus_http_t;

/*
 * A server that has nothing to show yet, and will look at most once in so many [seconds];
 * [access] is borrowed. NULL with [err] filled:
 * memory.
 */
storus_http_t *storus_http_create(const storus_access_t *access, unsigned seconds,
				  torus_error_t *err);

/* A storus_watch_told_t: [http] is a storus_http_t. */
void storus_http_told(void *http, const storus_sighting_t *sighting, const char *failure,
		      bool forbidden);

/*
 * Serve at [listener], whose descriptor becomes the server's, in a thread of its own,
 * what [watch] sees. Returns 0, or -1 with [err] filled.
 */
int storus_http_start(storus_http_t *http, storus_listener_t *listener,
		      storus_watch_t *watch, torus_error_t *err);

/* To be called every second: ends connections that take too long. */
void storus_http_tick(storus_http_t *http);

/* End all connections and the thread; storus_http_told() may still be called. */
void storus_http_stop(storus_http_t *http);

/* Free a stopped server. NULL is accepted. */
void storus_http_destroy(storus_http_t *http);

#endif
