/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A heap of ends: see agenda.h. */
#include "sim/agenda.h"

#include <stdbool.h>
#include <stdlib.h>

static bool before(const torus_agenda_entry_t *a, const torus_agenda_entry_t *b)
{
	return a->time != b->time ? a->time < b->time : a->job < b->job;
}

int torus_agenda_add(torus_agenda_t *agenda, const torus_agenda_entry_t *entry)
{
	size_t at = agenda->count;

	if (at == agenda->room) {
		size_t room = agenda->room ? 2 * agenda->room : 64;
		torus_agenda_entry_t *more =
			reallocarray(agenda->entry, room, sizeof(*more));

		if (!more)
			return -1;
		agenda->entry = more;
		agenda->room = room;
	}
	agenda->count++;
	for (; at && before(entry, &agenda->entry[(at - 1) / 2]); at = (at - 1) / 2)
		agenda->entry[at] = agenda->entry[(at - 1) / 2];
	agenda->entry[at] = *entry;
	return 0;
}

torus_agenda_entry_t torus_agenda_take(torus_agenda_t *agenda)
{
	torus_agenda_entry_t first = agenda->entry[0];
	torus_agenda_entry_t last = agenda->entry[--agenda->count];
	size_t at = 0;

	for (size_t child = 1; child < agenda->count; child = 2 * at + 1) {
		if (child + 1 < agenda->count &&
		    before(&agenda->entry[child + 1], &agenda->entry[child]))
			child++;
		if (!before(&agenda->entry[child], &last))
			break;
		agenda->entry[at] = agenda->entry[child];
		at = child;
	}
	agenda->entry[at] = last;
	return first;
}

void torus_agenda_clear(torus_agenda_t *agenda)
{
	free(agenda->entry);
	*agenda = (torus_agenda_t){0};
}
