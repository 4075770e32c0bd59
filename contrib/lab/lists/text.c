/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows: see text.h. */
#include "lists/text.h"

#include <stdlib.h>
#include <string.h>

int torus_text_reserve(torus_text_t *text, size_t more)
{
	size_t room = text->length + more + 1;
	char *grown;

	if (room <= text->room)
		return 0;
	if (room < 2 * text->room)
		room = 2 * text->room;
	grown = realloc(text->text, room);
	if (!grown)
		return -1;
	text->text = grown;
	text->room = room;
	return 0;
}

int torus_text_add(torus_text_t *text, const char *string)
{
	size_t length = strlen(string);

	if (torus_text_reserve(text, length) != 0)
		return -1;
	memcpy(text->text + text->length, string, length + 1);
	text->length += length;
	return 0;
}

void torus_text_clear(torus_text_t *text)
{
	free(text->text);
	*text = (torus_text_t){0};
}
