/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much the jobs on a machine disturb each other: nodes of others in a job's bounding
 * box, and links that its messages share with theirs.
 *
 * The state of a machine is the number of jobs on each node and on each link. Adding or
 * removing a job costs time proportional to its own nodes and links.
 */
#ifndef TORUS_MEASURES_ISOLATION_H
#define TORUS_MEASURES_ISOLATION_H

#include "measures/links.h"

/* The numbers of one job among others; all 0 for a job that is alone on one router. */
typedef struct torus_isolation {
	/*
	 * Foreign nodes: those that other jobs hold inside the job's bounding box
	 * (metrics.h; of several smallest arcs of a wrapped dimension the one that begins
	 * lowest), on the job's own routers as well. A node held by several counts once.
	 */
	uint32_t foreign_nodes;
	uint32_t links_used;   /* by messages between its nodes: see links.h */
	uint32_t links_shared; /* of these, links that other jobs use as well */
} torus_isolation_t;

/* These numbers by number and name, in the order of the struct. */
#define TORUS_ISOLATION_VALUES 3

/* The name of value [number], as that of the member. A constant string. */
const char *torus_isolation_name(int number);
double torus_isolation_value(const torus_isolation_t *isolation, int number);

/* The use of the links by all jobs together. */
typedef struct torus_link_load {
	uint64_t used;	 /* links that some job uses */
	uint64_t shared; /* links that more than one does */
	uint64_t
		sharers; /* sum over the shared links of the number of jobs that use each;
			  * divided by the number of jobs, the mean of links_shared */
	uint32_t most;	 /* jobs on one link, at most */
} torus_link_load_t;

/* The state of one torus. */
typedef struct torus_occupancy {
	torus_geometry_t geometry;
	const uint32_t *cell_of_rank; /* [ranks] borrowed */
	uint32_t *jobs;		      /* [ranks] how many hold the node */
	uint32_t *taken; /* [cells] nodes on the router that some job holds */
	uint32_t *load;	 /* [torus_links_total()] how many jobs use the link; NULL while
			  * none of the jobs has links */
} torus_occupancy_t;

/*
 * A machine without jobs, whose node [rank] is on the router cell_of_rank[rank]; the
 * array must outlive it. NULL with [err] filled (memory).
 */
torus_occupancy_t *torus_occupancy_create(const torus_geometry_t *geometry,
					  const uint32_t *cell_of_rank, uint32_t ranks,
					  torus_error_t *err);
/* NULL is accepted. */
void torus_occupancy_destroy(torus_occupancy_t *occupancy);

/*
 * A job begins that holds rank[0 .. n-1] (distinct) and uses [links], what
 * torus_links_used() says of their cells; an empty set if its messages are not to be
 * counted. Other jobs may hold the same nodes. O(n + links). Returns 0, or -1 with [err]
 * filled (memory), nothing changed.
 */
int torus_occupancy_add(torus_occupancy_t *occupancy, const uint32_t *rank, uint32_t n,
			const torus_links_t *links, torus_error_t *err);

/* A job ends that was added with the same. */
void torus_occupancy_remove(torus_occupancy_t *occupancy, const uint32_t *rank,
			    uint32_t n, const torus_links_t *links);

/*
 * Measure the job that holds rank[0 .. n-1] (distinct, n >= 1) and uses [links], which is
 * one of those added if [present], otherwise one that might come. O(n + links + volume of
 * the bounding box). Returns 0, or -1 with [err] filled (memory).
 */
int torus_occupancy_measure(const torus_occupancy_t *occupancy, const uint32_t *rank,
			    uint32_t n, const torus_links_t *links, bool present,
			    torus_isolation_t *isolation, torus_error_t *err);

/* All links together. O(torus_links_total()). */
torus_link_load_t torus_occupancy_load(const torus_occupancy_t *occupancy);

#endif
