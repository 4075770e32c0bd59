/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --network=torus:... of a job. */
#ifndef TORUS_MACHINE_NETWORK_OPTION_H
#define TORUS_MACHINE_NETWORK_OPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "place/shape.h"
#include "taskmap/words.h"

typedef struct torus_network_request {
	bool has_shape;
	torus_shapes_t shapes;	  /* zeroed without has_shape */
	torus_task_words_t tasks; /* zeroed where nothing is said of them */
} torus_network_request_t;

/*
 * Read the text of --network (NULL: none). Items are separated by commas, as for Slurm's
 * own network types. One of them may be ours, the others belong to other plugins:
 *
 *   text   = item *("," item)
 *   item   = *(part ";") ours / part *(";" part)
 *   ours   = "torus" ":" option *((";" / ",") option)
 *   option = key "=" value
 *
 * Words in any case, blanks (spaces and tabs) allowed around every word and separator.
 * The keys are
 *
 *   shape     the box of nodes, AxBxC, several of them, or any, as torus_shapes_parse()
 *             reads it
 *   grid, periodic, stencil
 *             how the tasks communicate, as torus_task_words_parse() reads it
 *
 * A comma ends our item unless one of these keys and "=" follow it: in "ib0,
 * torus:grid=4x4,periodic=xy, sn_single" the grid and what is periodic are ours. A 0 or 1
 * alone behind a comma goes on with "periodic=1", as in "periodic=1,0,1".
 *
 * Returns 0; *request is zeroed when no item is ours. Returns -1 with [err] naming the
 * offending part: the word "torus" without a colon, "torus:" in the middle of a part, a
 * second item of ours, an empty option, an unknown key, a key given twice, a bad value,
 * an item after ours that begins with a digit (a side of the shape after a wrong
 * separator), and what looks like a request elsewhere: one of the keys before a "=" or
 * ":", or a longer word that begins with "torus" before a colon ("torus3d:4x4").
 */
int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err);

#endif
