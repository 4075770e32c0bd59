/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random trades of nodes between tasks: see taskmap/any/trades.c. */
#ifndef TORUS_TASKMAP_ANY_TRADES_H
#define TORUS_TASKMAP_ANY_TRADES_H

#include "taskmap/any/search.h"

/* Jobs of up to so many nodes have trades; for larger ones a table of what each task
 * costs on each node and trials enough for it to matter would take too long. */
#define TORUS_ANY_TRADES_NODES 512

/*
 * Look for a better order than the best of [search], beginning with [order], of 2 to
 * TORUS_ANY_TRADES_NODES nodes. The search's table has the list of all distances
 * (torus_hop_table_expand()). The same on every host. Returns 0, or -1 with [err] filled
 * (memory). The pattern's weights are others afterwards.
 */
int torus_any_trades(torus_any_search_t *search, const uint32_t *order,
		     torus_error_t *err);

#endif
