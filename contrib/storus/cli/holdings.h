/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes of the tori the jobs hold, and how much the jobs disturb each other
 * there.
 */
#ifndef STORUS_CLI_HOLDINGS_H
#define STORUS_CLI_HOLDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cluster.h"
#include "measures/isolation.h"

/* What one job holds of one torus. */
typedef struct storus_holding {
	int torus;
	uint32_t nodes;
	uint32_t *rank; /* [nodes] owned */
	bool linked;	/* its messages count */
	torus_links_t links;
} storus_holding_t;

typedef struct storus_holdings {
	int tori;
	torus_occupancy_t **occupancy; /* [tori] with all that follows */
	uint32_t count;
	storus_holding_t *holding; /* [count] in the order in which they were added */
} storus_holdings_t;

/*
 * Begin with no holdings on [cluster], which must outlive them. Returns 0, or -1 with
 * [err] filled (memory). In either case the caller frees them with
 * storus_holdings_close().
 */
int storus_holdings_open(storus_holdings_t *holdings, const torus_cluster_t *cluster,
			 torus_error_t *err);
/* {0} is accepted. */
void storus_holdings_close(storus_holdings_t *holdings);

/*
 * Add a job's rank[0 .. nodes-1] (distinct, nodes >= 1) of a torus; unless [linked] its
 * messages use no links. Returns 0, or -1 with [err] filled (memory).
 */
int storus_holdings_add(storus_holdings_t *holdings, int torus, const uint32_t *rank,
			uint32_t nodes, bool linked, torus_error_t *err);

/* Measure holding [number] against all others. Returns 0, or -1 + [err] (memory). */
int storus_holdings_measure(const storus_holdings_t *holdings, uint32_t number,
			    torus_isolation_t *isolation, torus_error_t *err);

/* How many holdings on a torus have messages that count. */
uint32_t storus_holdings_on(const storus_holdings_t *holdings, int torus);

#endif
