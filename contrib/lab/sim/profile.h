/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many nodes of each torus are expected to be free from now on, for schedulers to
 * plan with: steps in time, each up to the next, the last for ever. Private to the
 * simulator.
 */
#ifndef TORUS_SIM_PROFILE_H
#define TORUS_SIM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What torus_profile_add() was told. */
typedef struct torus_profile_change {
	int64_t from, until;
} torus_profile_change_t;

/*
 * Changes wait until somebody asks: where no job waits nobody does, and those of jobs
 * that have ended meanwhile are forgotten. Whoever reads the steps asks first, by one of
 * the functions that say so.
 */
typedef struct torus_profile {
	int tori;
	size_t steps;  /* >= 1 */
	int64_t *time; /* [steps] ascending; the first is not after now */
	/* [steps][tori]; negative where more nodes are reserved than there are */
	int64_t *free;
	/* The arrays have [room] steps from time[0] on, and [gone] before it. */
	size_t room, gone;
	torus_profile_change_t *change; /* [changes] that the steps do not have yet; there
					 * is room for the steps that they will make */
	int64_t *more;			/* [changes][tori] their nodes */
	size_t changes, change_room;
	/* Unless NULL, which is borrowed and of one torus, told what becomes free; set
	 * before the first change. Then changes do not wait. */
	struct torus_gainers *gainers;
} torus_profile_t;

/* The nodes that a job is planned on. */
typedef struct torus_plan {
	int64_t start;
	int torus; /* or TORUS_SPREAD */
} torus_plan_t;

/* All nodes of [tori] tori free, nodes[t] on torus t. NULL: out of memory. */
torus_profile_t *torus_profile_create(int tori, const uint32_t *nodes, int64_t begin);
/* NULL is accepted. */
void torus_profile_destroy(torus_profile_t *profile);

/* Forget what was before [now], which is not before the last one. O(log steps). */
void torus_profile_advance(torus_profile_t *profile, int64_t now);

/*
 * From [from], which is not before the last advance, until [until], nodes[t] more are
 * free on torus t, or fewer if that is negative. Nothing if the time is empty. O(1), and
 * O(steps) when it is asked for. Returns 0, or -1 when memory is short.
 */
int torus_profile_add(torus_profile_t *profile, int64_t from, int64_t until,
		      const int64_t *nodes);

/* These ask, so that the steps have all changes. */

/*
 * The least number of free nodes from [from], not before the last advance, until [until],
 * on each torus into least[0 .. tori-1]. O(steps).
 */
void torus_profile_least(torus_profile_t *profile, int64_t from, int64_t until,
			 int64_t *least);

/*
 * Of one torus: the first time from [from] on, and before [last], at which [nodes] are
 * free for [duration], or up to [until] if that is sooner; INT64_MAX: there is none.
 * [last] is at most [until], and [from] not before the last advance. O(log steps + steps
 * between).
 */
int64_t torus_profile_before(torus_profile_t *profile, int64_t from, int64_t last,
			     int64_t until, uint32_t nodes, int64_t duration);

/* Whether more nodes of some torus are reserved than there are. O(steps * tori). */
bool torus_profile_is_overbooked(torus_profile_t *profile);

/*
 * The earliest time from [from] on at which [nodes] are free for [duration] >= 1, and the
 * torus, of several the first; if [spread], on all tori together. Only on tori t with
 * on[t], unless [on] is NULL. The machine must have the nodes: then there is such a time,
 * as the last step has all nodes free. Fills least[] for that time as
 * torus_profile_least() does. O(steps * tori), spread O(steps^2 * tori).
 */
torus_plan_t torus_profile_earliest(torus_profile_t *profile, int64_t from,
				    uint32_t nodes, int64_t duration, bool spread,
				    const bool *on, int64_t *least);

#endif
