/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What takes the place of serve.c in a build without libmicrohttpd. */
#include "torus_config.h"

#include "storus/view/serve/serve.h"

int storus_serve(const storus_serve_options_t *options, torus_error_t *err)
{
	(void)options;
	return torus_fail(err,
			  "this storus was built without libmicrohttpd, which --serve "
			  "needs (Debian: libmicrohttpd-dev)");
}
