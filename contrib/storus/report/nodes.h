/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of one run: on which tori, at which ranks. */
#ifndef STORUS_REPORT_NODES_H
#define STORUS_REPORT_NODES_H

#include <stdint.h>

#include "machine/cluster.h"
#include "place/shape.h"

/* Its nodes on one torus, rank[first .. first+count-1]. */
typedef struct storus_nodes_part {
	int torus;
	uint32_t first, count;
} storus_nodes_part_t;

/* No nodes: {0}. */
typedef struct storus_nodes {
	uint32_t *rank; /* [count] distinct on each torus, owned */
	uint32_t count;
	storus_nodes_part_t *part; /* [parts] by torus, owned */
	int parts;
	uint32_t elsewhere;   /* nodes that no torus has */
	torus_shape_t joined; /* of a job on a machine of cubes, as its token says it;
			       * zeroed: not known */
} storus_nodes_t;

/*
 * Find the nodes of the hostlist text[0 .. length-1]; a name that stands there twice
 * counts once. Returns 0, and then [nodes] is to be cleared; or -1 with [err] filled: it
 * is no hostlist, memory.
 */
int storus_nodes_find(const torus_cluster_t *cluster, const char *text, size_t length,
		      storus_nodes_t *nodes, torus_error_t *err);

/*
 * Make empty [nodes] ready for [count] ranks in at most [parts] parts. Returns 0, or -1
 * with [err] filled (memory).
 */
int storus_nodes_reserve(storus_nodes_t *nodes, uint32_t count, int parts,
			 torus_error_t *err);

/* Add ranks first .. first+count-1 of [torus], that of the last part or a higher one. */
void storus_nodes_add(storus_nodes_t *nodes, int torus, uint32_t first, uint32_t count);

void storus_nodes_clear(storus_nodes_t *nodes);

#endif
