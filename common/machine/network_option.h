/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --network=torus:... of a job. */
#ifndef TORUS_MACHINE_NETWORK_OPTION_H
#define TORUS_MACHINE_NETWORK_OPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "place/shape.h"
#include "taskgrid/words.h"

typedef struct torus_network_request {
	bool has_shape, has_within;
	torus_shapes_t shapes; /* zeroed without has_shape */
	int64_t within;	       /* seconds; 0 without has_within */
	uint32_t near; /* in thousandths, as torus_is_near() takes it; 0: nothing is said
			*/
	bool isolated, loose; /* as in machine/cluster_place.h */
	bool order_off;	      /* no order of tasks of ours, but Slurm's */
	/* Zeroed where nothing is said of them; free_head may be said without a grid. */
	torus_task_words_t tasks;
} torus_network_request_t;

/*
 * Read the text of --network (NULL: none). Items are separated by commas, as for Slurm's
 * own network types. One of them may be ours, the others belong to other plugins:
 *
 *   text   = item *("," item)
 *   item   = *(part ";") ours / part *(";" part)
 *   ours   = "torus" ":" option *((";" / ",") option)
 *   option = key "=" value / flag
 *
 * Words in any case, blanks (spaces and tabs) allowed around every word and separator.
 * The keys are
 *
 *   shape     the box of nodes, AxBxC, several of them, or any, as torus_shapes_parse()
 *             reads it
 *   chips     the same in chips (geometry/chips.h), as torus_chip_shapes_parse() reads
 *             it; not with shape
 *   closed    only a closed one of these boxes (place/shape.h); not without a shape
 *   isolate, loose
 *             keep nodes of others out of the job's box, or leave compact places to
 *             others (machine/cluster_place.h); not both, nor loose with a shape or near=
 *   grid, periodic, stencil
 *             how the tasks communicate, as torus_task_words_parse() reads it
 *   order     off: tasks are in Slurm's own order; not with a grid but "any", nor head=
 *   head      free: task 0 may be on any node of the job (taskgrid/words.h)
 *
 *   within    how long the job waits for what it wishes, before it takes another place:
 *             a duration as torus_duration_or_infinite() reads it
 *   near      how many times the distance of the same job alone its nodes may have, as
 *             torus_near_parse() reads it; not with a shape
 *
 * The flag is
 *
 *   twist     the cubes of the shape are joined to a twisted torus (torus/joined.h); only
 *             with shape or chips, and not any
 *
 * A comma ends our item unless one of these keys and "=", or a flag, follow it: in "ib0,
 * torus:grid=4x4,periodic=xy, sn_single" the grid and what is periodic are ours. A 0 or 1
 * alone behind a comma goes on with "periodic=1", as in "periodic=1,0,1".
 *
 * Returns 0; *request is zeroed when no item is ours. Returns -1 with [err] naming the
 * offending part: the word "torus" without a colon, "torus:" in the middle of a part, a
 * second item of ours, an empty option, an unknown key, a word given twice, both of
 * shape and chips, a bad value,
 * a flag with a value, an item after ours that begins with a digit (a side of the shape
 * after a wrong separator), and what looks like a request elsewhere: a flag as a part of
 * its own, one of the words before a "=" or ":", or a longer word that begins with
 * "torus" before a colon ("torus3d:4x4").
 */
int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err);

/* The shapes that such a text (NULL: none) asks for, in *request; NULL: for none, or it
 * cannot be read. */
const torus_shapes_t *torus_network_shapes(const char *text,
					   torus_network_request_t *request);

#endif
