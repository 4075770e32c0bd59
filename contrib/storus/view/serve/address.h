/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where `storus view --serve` listens. */
#ifndef STORUS_VIEW_SERVE_ADDRESS_H
#define STORUS_VIEW_SERVE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/error.h"

#define STORUS_SERVE_PORT 6840

typedef struct storus_address {
	const char *path; /* of a Unix socket, borrowed from the text; NULL: TCP */
	struct sockaddr_storage name;
	socklen_t length; /* of name */
	bool loopback;	  /* TCP that only this host reaches */
} storus_address_t;

/*
 * Read "unix:PATH" or [ADDR][:PORT]: ADDR an IPv4 address, an IPv6 address in brackets or
 * localhost, PORT 0 for any that is free; by default 127.0.0.1 and STORUS_SERVE_PORT. A
 * number alone is a port. Returns 0, or -1 with [err] filled.
 */
int storus_address_parse(const char *text, storus_address_t *address, torus_error_t *err);

/* Whether [host] is an address, IPv6 in brackets, without a port: no name. */
bool storus_address_is_literal(const char *host);

typedef struct storus_listener {
	int fd;		  /* non-blocking; -1: closed */
	const char *path; /* of the Unix socket, which is removed at the end; or NULL */
	unsigned port;	  /* 0 with a Unix socket */
	char url[80];	  /* what to open in a browser; empty with a Unix socket */
} storus_listener_t;

/*
 * Listen on [address], which must outlive the listener. A Unix socket is never for users
 * but the owner and his group, and umask may keep it from that, too; one that is left
 * over, on which nobody listens, is replaced. Returns 0, or -1 with [err] filled and the
 * listener closed.
 */
int storus_listen(const storus_address_t *address, storus_listener_t *listener,
		  torus_error_t *err);

/* Remove the Unix socket, and close the descriptor if it is not -1. */
void storus_listener_close(storus_listener_t *listener);

#endif
