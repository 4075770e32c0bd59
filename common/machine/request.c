/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for with `--network=torus:...`: see request.h. */
#include "machine/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ours[] = "torus:";

/* The text behind the "torus:" that begins an item, or NULL. */
static const char *find_ours(const char *text)
{
	while (strncasecmp(text, ours, sizeof(ours) - 1) != 0) {
		text = strchr(text, ';');
		if (!text)
			return NULL;
		text++;
	}
	return text + sizeof(ours) - 1;
}

/* Take over "key=value", which may be changed. */
static int read_item(char *item, torus_network_request_t *request, torus_error_t *err)
{
	char *equals = strchr(item, '=');

	if (!equals || equals == item)
		return torus_fail(err,
				  "'%.64s' is not of the form key=value, such as "
				  "--network=torus:shape=4x4x2",
				  item);
	*equals = '\0';
	if (strcasecmp(item, "shape") != 0)
		return torus_fail(err,
				  "unknown key '%.64s=': the only key is shape=", item);
	if (request->has_shape)
		return torus_fail(err, "shape= is given twice");
	if (torus_shape_parse(equals + 1, &request->shape, err))
		return torus_fail_prefix(err, "shape=");
	request->has_shape = true;
	return 0;
}

int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err)
{
	const char *begin = text ? find_ours(text) : NULL;
	torus_network_request_t parsed = {0};
	char *copy, *next;
	int result = 0;

	*request = parsed;
	if (!begin)
		return 0;
	copy = strdup(begin);
	if (!copy)
		return torus_fail(err, "--network: out of memory");
	for (char *item = copy; !result && item; item = next) {
		next = strchr(item, ';');
		if (next)
			*next++ = '\0';
		result = read_item(item, &parsed, err);
	}
	free(copy);
	if (result)
		return torus_fail_prefix(err, "--network=torus: ");
	*request = parsed;
	return 0;
}
