/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When running jobs end: a binary heap. Private to the simulator. */
#ifndef TORUS_SIM_AGENDA_H
#define TORUS_SIM_AGENDA_H

#include <stddef.h>
#include <stdint.h>

typedef struct torus_agenda_entry {
	int64_t time;
	uint32_t job;
	uint32_t run; /* which run of the job: an outage may have ended it before */
} torus_agenda_entry_t;

/* Empty: {0}. */
typedef struct torus_agenda {
	torus_agenda_entry_t *entry; /* [count] as a heap, owned; the first is the next */
	size_t count, room;
} torus_agenda_t;

/* Add an entry. O(log count). Returns 0, or -1 when memory is short. */
int torus_agenda_add(torus_agenda_t *agenda, const torus_agenda_entry_t *entry);

/* Take the first entry out, by time and then by job; there is one. O(log count). */
torus_agenda_entry_t torus_agenda_take(torus_agenda_t *agenda);

void torus_agenda_clear(torus_agenda_t *agenda);

#endif
