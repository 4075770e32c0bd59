/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs wish for, and how long they wait for it, as `--network=torus:` has it: a box
 * of exactly the job's nodes, or nodes that are near each other (machine/nearness.h).
 * Such a job does not start on other nodes before its patience has ended. That begins
 * when it could first have started without its wish, and goes on even if others then take
 * those nodes. Afterwards it starts on the best nodes that there are, as it would have
 * without its wish.
 *
 * Private to the simulator, but for torus_sim_wish_t.
 */
#ifndef TORUS_SIM_WISH_H
#define TORUS_SIM_WISH_H

#include <stdbool.h>
#include <stdint.h>

#include "place/shape.h"

/* For as long as it takes. */
#define TORUS_FOR_EVER INT64_MAX

typedef struct torus_sim_wish {
	torus_shapes_t shapes; /* none asked for: all 0 */
	uint32_t near;	       /* in thousandths, as torus_is_near(); 0: not asked for */
	int64_t within;	       /* microseconds, or TORUS_FOR_EVER */
} torus_sim_wish_t;

/* Whether there is one. A place that meets either of two will do. */
static inline bool torus_sim_wish_asked(const torus_sim_wish_t *wish)
{
	return wish->near || torus_shapes_asked(&wish->shapes);
}

#endif
