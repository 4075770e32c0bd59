/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text made safe for a log and a terminal: see base/printable.h. */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes of `\x1b`. */
#define ESCAPE 4

/* The bytes of the UTF-8 character at [text] and its number; 0: not UTF-8. */
static size_t decode(const unsigned char *text, uint32_t *code)
{
	/*
	 * The smallest number that needs so many bytes; a smaller one in this length is
	 * not valid UTF-8.
	 */
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes;

	if (text[0] < 0x80) {
		*code = text[0];
		return 1;
	}
	if (text[0] < 0xc0 || text[0] > 0xf7)
		return 0;
	bytes = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	*code = text[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80) /* the end of the text, too */
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	if (*code < least[bytes] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return bytes;
}

/* What sets the direction of text or begins a line, and so makes a line seem another. */
static bool misleads(uint32_t code)
{
	return code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool stays(uint32_t code)
{
	return !misleads(code) && code >= 0x20 && (code < 0x7f || code > 0x9f) &&
	       code != 0xfffe && code != 0xffff;
}

/*
 * The next character at [text], not at its end: how many bytes it has, and in [written]
 * what becomes of it, of *length bytes.
 */
static size_t next(const unsigned char *text, char written[4 * ESCAPE], size_t *length)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t code = 0;
	size_t bytes = decode(text, &code);

	if (bytes && stays(code)) {
		memcpy(written, text, bytes);
		*length = bytes;
		return bytes;
	}
	if (!bytes)
		bytes = 1;
	for (size_t i = 0; i < bytes; i++) {
		char *escape = written + i * ESCAPE;

		escape[0] = '\\';
		escape[1] = 'x';
		escape[2] = digits[text[i] >> 4];
		escape[3] = digits[text[i] & 15];
	}
	*length = bytes * ESCAPE;
	return bytes;
}

char *torus_printable(const char *text, char *buffer, size_t size)
{
	static const char cut[] = "...";
	const unsigned char *at = (const unsigned char *)text;
	char written[4 * ESCAPE];
	size_t used = 0, length;
	size_t before_cut = 0; /* the bytes used that leave room for "..." */

	while (*at) {
		at += next(at, written, &length);
		if (used + length >= size) {
			size_t room = size - 1 - before_cut;

			used = before_cut;
			length = room < sizeof(cut) - 1 ? room : sizeof(cut) - 1;
			memcpy(buffer + used, cut, length);
			used += length;
			break;
		}
		memcpy(buffer + used, written, length);
		used += length;
		if (used + sizeof(cut) <= size)
			before_cut = used;
	}
	buffer[used] = '\0';
	return buffer;
}

size_t torus_printable_size(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	char written[4 * ESCAPE];
	size_t size = 1, length;

	while (*at) {
		at += next(at, written, &length);
		size += length;
	}
	return size;
}
