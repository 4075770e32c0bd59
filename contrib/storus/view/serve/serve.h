/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `storus view --serve`: the page, live, for browsers that look on. */
#ifndef STORUS_VIEW_SERVE_SERVE_H
#define STORUS_VIEW_SERVE_SERVE_H

#include <stdbool.h>

#include "base/error.h"

/* All borrowed. */
typedef struct storus_serve_options {
	const char *address; /* as address.h reads it; NULL: the default */
	const char *token_file;
	const char *server_name;
	const char *conf; /* --conf; NULL: as cli/conf.h finds it */
	const char *jobs; /* --jobs; NULL: the running Slurm */
	const char *three_js;
	unsigned seconds; /* between two looks, at least */
	bool all;	  /* what PrivateData hides, too */
} storus_serve_options_t;

/*
 * Serve until SIGTERM, SIGINT or SIGHUP, after a line on the standard output that says
 * where. Returns 0 then, or -1 with [err] filled when it cannot begin.
 */
int storus_serve(const storus_serve_options_t *options, torus_error_t *err);

#endif
