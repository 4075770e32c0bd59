/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network as a list of its links:
 *
 *     # comment
 *     n1 n2
 *     n2 n3 2      # counts twice
 *
 * A line has the names of the two nodes that a link joins and, if it likes, its weight:
 * how much it is worth that these two are near one another; 1 if not given. Comments,
 * blanks and continued lines as in lines.h.
 */
#ifndef TORUS_ORDER_LINKLIST_H
#define TORUS_ORDER_LINKLIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "taskmap/graph.h"

typedef struct torus_linklist {
	uint32_t nodes;
	char **name;		   /* [nodes], in the order in which the text has them */
	torus_task_graph_t *graph; /* of the nodes; weights of repeated links added up */
	uint64_t repeated; /* lines that join two nodes which an earlier line joins */
	uint64_t loops;	   /* lines that join a node with itself */
	char *store;	   /* private: what name[] points to */
} torus_linklist_t;

/*
 * Read links from text[0 .. length-1], called [path] in messages. A link given several
 * times, in either direction, is several cables: the weights add up. A link from a node
 * to itself earns nothing; it is how to name a node that has no link. Returns 0, or -1
 * with [err] as "[path]:LINE: reason": other than two or three fields; a name that is
 * none, or a hostlist of several; a weight that is no number above 0 and up to
 * TORUS_TASK_GRAPH_WEIGHT; or without a line when there is no link at all, or memory is
 * short. [links] is to be emptied with torus_linklist_clear() in either case. O(length).
 */
int torus_linklist_parse(const char *text, size_t length, const char *path,
			 torus_linklist_t *links, torus_error_t *err);

/* Free what [links] holds; all zeros are accepted. */
void torus_linklist_clear(torus_linklist_t *links);

#endif
