/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for with `--network=torus:...`. */
#ifndef TORUS_MACHINE_NETWORK_OPTION_H
#define TORUS_MACHINE_NETWORK_OPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "place/box.h"

typedef struct torus_network_request {
	bool has_shape;
	torus_shape_t shape;
} torus_network_request_t;

/*
 * Read the text of --network, or NULL for none. As Slurm's own network types are, items
 * are separated by commas; one of them may be ours, the rest is somebody else's:
 *
 *   text   = item *("," item)
 *   item   = *(part ";") ours / part *(";" part)
 *   ours   = "torus" ":" option *(";" option)
 *   option = key "=" value
 *
 * Words in any case, blanks (spaces and tabs) allowed around every word and separator;
 * the only key is "shape", its value AxBxC as torus_shape_parse() reads it. So in
 * "ib0, torus:shape=4x4x2, sn_single" the shape is ours; a comma ends our item.
 *
 * Returns 0, with everything false when nothing is ours. Returns -1 with [err] filled,
 * naming the offending part: a part that is the word "torus" without a colon behind it, a
 * part that has "torus:" elsewhere than at its beginning, a second item of ours, an empty
 * option, an unknown key, a key given twice, a bad value, and an item behind ours that
 * begins with a digit, which is a shape's side behind a wrong separator.
 */
int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err);

#endif
