/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of nodes that somebody else keeps, such as slurmctld's, and may change; and
 * sets of them. */
#ifndef TORUS_MACHINE_NODE_TABLE_H
#define TORUS_MACHINE_NODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* A node as it is now; texts are only lent. */
typedef struct torus_listed_node {
	const char *name;     /* NULL: there is none at this index */
	const char *features; /* a list with commas; NULL: none */
	bool passing;	      /* it may go, and another one come to this index */
	bool has_jobs;
	bool away; /* it does not run, and gives way to one that does */
} torus_listed_node_t;

typedef struct torus_node_table {
	int nodes; /* the indices are 0 .. nodes-1 */
	torus_listed_node_t (*at)(const void *context, int index);
	int (*find)(const void *context, const char *name); /* its index; -1: none */
	void (*tell)(const char *text);			    /* a line for the log */
	const void *context;				    /* given to at() and find() */
} torus_node_table_t;

/* How to deal with sets of indices of the table, which are whatever its keeper has them
 * as, and with the nodes' weights. */
typedef struct torus_node_sets {
	int (*next)(const void *set, int from); /* its first index >= from; -1: none */
	uint32_t (*count)(const void *set);
	void (*clear)(void *set);
	void (*add)(void *set, int index);
	/* Nodes of less weight come first; [planned]: in a plan for later. */
	uint64_t (*weight)(int index, bool planned);
} torus_node_sets_t;

#endif
