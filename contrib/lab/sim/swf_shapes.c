/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boxes that jobs of a log ask for: see swf_shapes.h. */
#include "sim/swf_shapes.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* The decimal number at *at, which moves behind it; 0: there is none. */
static uint64_t read_number(const char **at, const char *end)
{
	uint64_t number = 0;

	for (; *at < end && **at >= '0' && **at <= '9' && number < UINT32_MAX; (*at)++)
		number = 10 * number + (uint64_t)(**at - '0');
	return number;
}

/* Read "; Shape: NUMBER AxBxC"; whether it is one, the NUMBERth being due. */
static bool read_comment(const char *at, const char *end, uint64_t due,
			 torus_shape_t *shape)
{
	static const char word[] = "Shape:";
	char dims[TORUS_DIMS_TEXT];
	size_t length = 0;

	at = skip_blanks(at + 1, end);
	if ((size_t)(end - at) < strlen(word) || memcmp(at, word, strlen(word)) != 0)
		return false;
	at = skip_blanks(at + strlen(word), end);
	if (read_number(&at, end) != due)
		return false;
	at = skip_blanks(at, end);
	while (at + length < end && !strchr(" \t\r", at[length]))
		length++;
	if (length >= sizeof(dims))
		return false;
	memcpy(dims, at, length);
	dims[length] = '\0';
	return torus_shape_parse(dims, shape, NULL) == 0;
}

int torus_swf_shapes_add(torus_swf_shapes_t *shapes, const char *comment, const char *end,
			 torus_error_t *err)
{
	torus_shape_t shape, *more;

	if (!read_comment(comment, end, shapes->count + 1, &shape))
		return 0;
	more = realloc(shapes->shape, (shapes->count + 1) * sizeof(*more));
	if (!more)
		return torus_fail(err, "out of memory for %zu boxes", shapes->count + 1);
	shapes->shape = more;
	shapes->shape[shapes->count++] = shape;
	return 0;
}

const torus_shape_t *torus_swf_shape(const torus_swf_shapes_t *shapes, int64_t number)
{
	return number >= 1 && (uint64_t)number <= shapes->count
		       ? &shapes->shape[number - 1]
		       : NULL;
}

void torus_swf_shapes_clear(torus_swf_shapes_t *shapes)
{
	free(shapes->shape);
	*shapes = (torus_swf_shapes_t){0};
}
