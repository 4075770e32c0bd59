/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that looks at the machine for all who look on: at most once in so many
 * seconds, however many they are, and not at all while there is nobody. There is never
 * more than one look at a time, and after one that took long a pause as long as that,
 * but of at most ten seconds after one that failed.
 */
#ifndef STORUS_VIEW_SERVE_WATCH_H
#define STORUS_VIEW_SERVE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storus/view/serve/look.h"

/* What was seen. */
typedef struct storus_sighting {
	char version[40];
	storus_text_t page;    /* NULL: nothing has changed since the version before */
	storus_text_t data;    /* the page's data alone; the same */
	storus_text_t changes; /* what is not as in the version [since]; NULL: all */
	char since[40];
	storus_text_t metrics; /* NULL: nobody asked for them */
} storus_sighting_t;

/*
 * Called in the thread after each look, with [data] of storus_watch_start(): takes over
 * the texts of *sighting, or with [sighting] NULL is told why the look failed, and
 * whether what was seen before must be shown no longer. It may call no function of these
 * here.
 */
typedef void storus_watch_told_t(void *data, const storus_sighting_t *sighting,
				 const char *failure, bool forbidden);

typedef struct storus_watch storus_watch_t;

/*
 * Look for the first time, and start the thread. [sight] is copied. NULL with [err]
 * filled: the first look failed, memory.
 */
storus_watch_t *storus_watch_start(const storus_sight_t *sight, unsigned seconds,
				   storus_watch_told_t *told, void *data,
				   torus_error_t *err);

/*
 * Whether the last look is so long ago that there may be another, which this asks for:
 * [told] is called soon. With [metrics] the same of the last look with metrics; as these
 * take time there are none otherwise, and the look may have to wait for its turn.
 */
bool storus_watch_refresh(storus_watch_t *watch, bool metrics);

/* How many look on from now on; while there is anybody, looks follow each other. */
void storus_watch_viewers(storus_watch_t *watch, unsigned viewers);

/*
 * End the thread. False if it still waits for an answer of Slurm two seconds later: then
 * it goes on, [watch] and what it was given must stay, and the process should end.
 * NULL is accepted.
 */
bool storus_watch_stop(storus_watch_t *watch);

#endif
