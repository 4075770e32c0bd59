/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words Key=value of Slurm's files. */
#ifndef STORUS_CONVERT_WORDS_H
#define STORUS_CONVERT_WORDS_H

#include <string.h>
#include <strings.h>

#include "base/lines.h"

/* The value of the word "[key]=value" of the line, with [key] in any case; NULL: it has no
 * such word. */
static inline const char *storus_word_value(const torus_lines_t *lines, const char *key)
{
	size_t length = strlen(key);

	for (size_t i = 0; i < lines->words; i++) {
		const char *text = lines->word[i].text;

		if (!strncasecmp(text, key, length) && text[length] == '=')
			return text + length + 1;
	}
	return NULL;
}

#endif
