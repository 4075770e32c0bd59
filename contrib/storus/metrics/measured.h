/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of one torus at one moment that storus metrics prints. */
#ifndef STORUS_METRICS_MEASURED_H
#define STORUS_METRICS_MEASURED_H

#include "metrics/fragments.h"
#include "measures/isolation.h"
#include "storus/capacity/room.h"
#include "storus/cli/alone.h"
#include "storus/cli/view.h"

/* The largest free boxes of these kinds. */
typedef enum storus_box_kind {
	STORUS_BOX_ANY,
	STORUS_BOX_CUBE,
	STORUS_BOX_PLANE, /* at most two sides longer than 1 */
	STORUS_BOX_LINE,  /* at most one */
	STORUS_BOX_KINDS,
} storus_box_kind_t;

#define STORUS_SIZE_CLASSES 32

/* Boxes with room for 2^k nodes. */
typedef struct storus_size_class {
	uint64_t nodes; /* 2^k */
	/* Of the most cube-like box with so many; on a machine of cubes within one of
	 * them, or else of the most compact torus of whole ones. */
	int32_t side[TORUS_MAX_DIMS];
	uint32_t boxes; /* that were packed into what is free */
} storus_size_class_t;

typedef struct storus_measured {
	const torus_map_t *map;		     /* borrowed */
	uint32_t free, reserved, down, used; /* nodes; together all */
	torus_fragments_t fragments;
	uint32_t largest_box[STORUS_BOX_KINDS]; /* nodes; within one cube */
	uint32_t free_cubes;			/* whole ones; 0 without cubes */
	int classes;
	storus_size_class_t size_class[STORUS_SIZE_CLASSES]; /* [classes] */
	uint32_t jobs;		 /* that run or are suspended */
	uint32_t jobs_in_pieces; /* of these, jobs of more than one piece */
	/* Sums over these jobs' nodes, where a job has several: */
	uint64_t hop_nodes; /* nodes */
	double hops;	    /* average_distance of the metrics */
	double alone_hops;  /* what storus_alone_hops() says of as many nodes */
	torus_link_load_t links;
} storus_measured_t;

/*
 * Measure torus number [t] of [view], whose jobs are laid over it in [room]; [alone] is
 * of the cluster of the view. Returns 0, or -1 with [err] filled (memory). What
 * torus_largest_box() takes, four times, and torus_packing() for each class of sizes.
 */
int storus_measure(const storus_view_t *view, const storus_room_t *room,
		   storus_alone_t *alone, int t, storus_measured_t *measured,
		   torus_error_t *err);

#endif
