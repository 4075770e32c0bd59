/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that are packed for those who take them so. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "storus/view/serve/gzip.h"

/* zlib's for gzip: the largest window, and that header. Names and lists of numbers come
 * to about a fifth with the least effort already. */
enum { WINDOW = 15 + 16, MEMORY = 8 };

storus_text_t storus_gzip(storus_text_t text)
{
	z_stream stream = {0};
	storus_text_t packed = {0};
	uLong room;

	if (!text.text || deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW, MEMORY,
				       Z_DEFAULT_STRATEGY) != Z_OK)
		return packed;
	room = deflateBound(&stream, (uLong)text.size);
	packed.text = malloc(room);
	stream.next_in = (Bytef *)text.text;
	stream.avail_in = (uInt)text.size;
	stream.next_out = (Bytef *)packed.text;
	stream.avail_out = (uInt)room;
	if (packed.text && text.size <= UINT32_MAX && room <= UINT32_MAX &&
	    deflate(&stream, Z_FINISH) == Z_STREAM_END) {
		packed.size = stream.total_out;
	} else {
		free(packed.text);
		packed.text = NULL;
	}
	deflateEnd(&stream);
	return packed;
}

/* Whether a coding's weight, behind its semicolon, is 0: "q=0", "q=0.000". */
static bool is_refused(const char *parameter, size_t length)
{
	while (length && strchr(" \t;", *parameter)) {
		parameter++;
		length--;
	}
	return length > 2 && strncasecmp(parameter, "q=0", 3) == 0 &&
	       strspn(parameter + 3, ".0 \t") >= length - 3;
}

bool storus_takes_gzip(const char *header)
{
	while (header && *header) {
		size_t item, name;

		header += strspn(header, " \t,");
		item = strcspn(header, ",");
		name = strcspn(header, " \t;,");
		if ((name == 4 && strncasecmp(header, "gzip", 4) == 0) ||
		    (name == 1 && *header == '*'))
			return !is_refused(header + name, item - name);
		header += item;
	}
	return false;
}
