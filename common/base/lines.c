/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines and words of a configuration text: see lines.h. */
#include "base/lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

int torus_lines_open(torus_lines_t *lines, const char *text, size_t length,
		     const char *path, torus_error_t *err)
{
	*lines = (torus_lines_t){
		.text = text, .end = text + length, .path = path, .line = 1};
	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		lines->text += 3;
	/* Between two words there is at least one byte, which becomes the first one's
	 * NUL. */
	lines->store = malloc(length + 1);
	if (!lines->store)
		return torus_fail(err, "%s: out of memory", path);
	return 0;
}

void torus_lines_close(torus_lines_t *lines)
{
	free(lines->word);
	free(lines->store);
}

uint32_t torus_lines_last(const torus_lines_t *lines)
{
	return lines->line > 1 && lines->end[-1] == '\n' ? lines->line - 1 : lines->line;
}

static int fail_here(const torus_lines_t *lines, const char *reason, torus_error_t *err)
{
	return torus_fail(err, "%s:%u: %s", lines->path, lines->line, reason);
}

/* Where the line after a `\` begins if only blanks follow it, or NULL. */
static const char *continued(const torus_lines_t *lines)
{
	const char *at = lines->text + 1;

	while (at < lines->end && is_blank(*at))
		at++;
	if (at == lines->end)
		return at;
	return *at == '\n' ? at + 1 : NULL;
}

/* Skip blanks, comments and continued line ends. */
static void skip_blanks(torus_lines_t *lines)
{
	while (lines->text < lines->end) {
		const char *next = *lines->text == '\\' ? continued(lines) : NULL;

		if (next) {
			lines->text = next;
			lines->line++;
		} else if (is_blank(*lines->text)) {
			lines->text++;
		} else if (*lines->text == '#') {
			while (lines->text < lines->end && *lines->text != '\n')
				lines->text++;
		} else {
			return;
		}
	}
}

static int add_word(torus_lines_t *lines, torus_error_t *err)
{
	if (lines->words == lines->room) {
		size_t room = lines->room ? 2 * lines->room : 16;
		torus_word_t *larger = realloc(lines->word, room * sizeof(*larger));

		if (!larger)
			return fail_here(lines, "out of memory", err);
		lines->word = larger;
		lines->room = room;
	}
	lines->word[lines->words++] = (torus_word_t){lines->store_at, lines->line};
	return 0;
}

/* Copy the word that begins here to the store. */
static int read_word(torus_lines_t *lines, torus_error_t *err)
{
	bool quoted = false, closed = false, in_value = false;
	char before = '\0';

	if (add_word(lines, err))
		return -1;
	for (; lines->text < lines->end; lines->text++) {
		char c = *lines->text;
		const char *next = c == '\\' && !quoted ? continued(lines) : NULL;

		if (c == '\n' || (!quoted && (is_blank(c) || c == '#')))
			break;
		if (next) {
			lines->text = next - 1;
			lines->line++;
			continue;
		}
		if (c == '\0')
			return fail_here(lines, "a NUL byte: this is not a text file",
					 err);
		if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
			return fail_here(lines, "a control character", err);
		if (closed)
			return fail_here(lines, "text right after a closing quote", err);
		if (c == '"') {
			if (!quoted && before != '=')
				return fail_here(lines,
						 "a quote inside a word: write "
						 "Key=\"value\"",
						 err);
			closed = quoted;
			quoted = !quoted;
			before = c;
			continue;
		}
		/*
		 * Only the first `=` separates key and value; a quote after a later one
		 * is an error.
		 */
		before = c == '=' && in_value ? '\0' : c;
		in_value = in_value || c == '=';
		*lines->store_at++ = c;
	}
	if (quoted)
		return fail_here(lines, "a quote is not closed", err);
	*lines->store_at++ = '\0';
	return 0;
}

int torus_lines_next(torus_lines_t *lines, torus_error_t *err)
{
	lines->words = 0;
	lines->store_at = lines->store;
	for (;;) {
		skip_blanks(lines);
		if (lines->text == lines->end)
			return lines->words > 0;
		if (*lines->text == '\n') {
			lines->text++;
			lines->line++;
			if (lines->words)
				return 1;
		} else if (read_word(lines, err)) {
			return -1;
		}
	}
}
