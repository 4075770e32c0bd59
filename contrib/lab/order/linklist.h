/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network as a list of its links:
 *
 *     # comment
 *     n1 n2
 *     n2 n3 2      # counts twice
 *
 * A line has the names of the two nodes that a link joins, and optionally its weight: how
 * much it is worth to have these two near each other (default 1). Comments, blanks and
 * continued lines are as in lines.h.
 */
#ifndef TORUS_ORDER_LINKLIST_H
#define TORUS_ORDER_LINKLIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

typedef struct torus_linklist {
	uint32_t nodes;
	char **name; /* [nodes], in the order of the text */
	torus_task_graph_t
		*graph;	   /* of the nodes; weights of repeated links are added up */
	uint64_t repeated; /* lines that repeat the link of an earlier line */
	uint64_t loops;	   /* lines that join a node with itself */
	char *store;	   /* private: what name[] points to */
} torus_linklist_t;

/*
 * Read links from text[0 .. length-1], called [path] in messages. A link that is given
 * several times, in either direction, stands for several cables: their weights add up. A
 * link from a node to itself earns nothing, but names a node without links. Returns 0, or
 * -1 with [err] as "[path]:LINE: reason": not two or three fields, no valid name, a
 * hostlist of several names, a weight that is not above 0 and at most
 * TORUS_TASK_GRAPH_WEIGHT; or without a line when there is no link at all or memory is
 * short. [links] must be emptied with torus_linklist_clear() in either case. O(length).
 */
int torus_linklist_parse(const char *text, size_t length, const char *path,
			 torus_linklist_t *links, torus_error_t *err);

/* Free what [links] holds. A zeroed one is accepted. */
void torus_linklist_clear(torus_linklist_t *links);

#endif
