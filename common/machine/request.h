/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for with `--network=torus:...`. */
#ifndef TORUS_MACHINE_REQUEST_H
#define TORUS_MACHINE_REQUEST_H

#include <stdbool.h>

#include "base/error.h"
#include "place/box.h"

typedef struct torus_network_request {
	bool has_shape;
	torus_shape_t shape;
} torus_network_request_t;

/*
 * Read the text of --network, or NULL for none: items separated by ';'. The items from
 * the one that begins with "torus:" (any case) on are ours, each `key=value`; what comes
 * before is somebody else's and ignored. Keys: shape=AxBxC. Returns 0 (with everything
 * false when nothing is ours), or -1 with [err] filled: unknown key, key given twice, bad
 * value, no item after "torus:".
 */
int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err);

#endif
