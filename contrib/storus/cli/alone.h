/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job would have had alone: the mean hops of its number of nodes where the torus's
 * own curve and allocator put them on the empty torus; on a machine of cubes on the torus
 * that they would be joined to. */
#ifndef STORUS_CLI_ALONE_H
#define STORUS_CLI_ALONE_H

#include <stdint.h>

#include "machine/cluster.h"

typedef struct storus_alone storus_alone_t;

/*
 * For the tori of [cluster], which must outlive it, with the allocators that they have
 * now; all nodes count as there. NULL: out of memory. Destroy accepts NULL.
 */
storus_alone_t *storus_alone_create(const torus_cluster_t *cluster);
void storus_alone_destroy(storus_alone_t *alone);

/*
 * The mean hops between [nodes] nodes, 1 .. those of [torus], in *hops. Returns 0, or -1
 * with [err] filled (memory). One placement for each number that is asked for.
 */
int storus_alone_hops(storus_alone_t *alone, int torus, uint32_t nodes, double *hops,
		      torus_error_t *err);

#endif
