/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that storus place chooses from: which are free, required, and how heavy. */
#ifndef STORUS_PLACE_CANDIDATES_H
#define STORUS_PLACE_CANDIDATES_H

#include <stdint.h>

#include "base/name_index.h"
#include "machine/cluster.h"
#include "machine/cluster_place.h"
#include "storus/place/options.h"
#include "storus/place/running.h"

/* The nodes of one place: of a torus, by rank, or of elsewhere. */
typedef struct storus_place_nodes {
	uint32_t nodes;
	uint64_t *free;	    /* bitmap */
	uint64_t *required; /* bitmap; NULL without --nodelist */
	uint64_t *weights;  /* NULL without --weights */
} storus_place_nodes_t;

typedef struct storus_candidates {
	torus_cluster_t *cluster;
	storus_place_nodes_t *torus; /* [cluster->maps] */
	/* Names in --free-nodes that are on no torus; none with --torus. */
	storus_place_nodes_t elsewhere;
	const char **elsewhere_name; /* [elsewhere.nodes], in the block of names */
	uint32_t required;	     /* number of nodes in --nodelist */
	storus_running_t running;    /* the jobs of --jobs */
	char **names;		     /* private: of --free-nodes */
	torus_name_index_t *index;   /* private: of elsewhere_name */
} storus_candidates_t;

/*
 * Open the cluster of [options] and read what is said of its nodes. Returns 0, or -1
 * (message printed). In either case to be freed with storus_candidates_clear().
 */
int storus_candidates_read(const storus_place_options_t *options,
			   storus_candidates_t *candidates);
void storus_candidates_clear(storus_candidates_t *candidates);

/* The same for torus_cluster_place(): borrowed pointers. */
torus_candidates_t storus_candidates_of(const storus_place_nodes_t *nodes);

#endif
