/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wishes as text: see wish.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "place/nearness.h"
#include "sim/workload.h"
#include "storus/sim/wish.h"

int storus_within_parse(const char *text, int64_t *within, torus_error_t *err)
{
	int64_t seconds;

	if (strcasecmp(text, "infinite") == 0) {
		*within = TORUS_FOR_EVER;
		return 0;
	}
	if (torus_duration_parse(text, &seconds, err) != 0)
		return -1;
	*within = seconds * TORUS_SECOND;
	return 0;
}

/* Read one word, "key=value", which is cut into two. */
static int read_word(char *word, torus_sim_wish_t *wish, torus_error_t *err)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	else
		value = word + strlen(word);
	if (strcasecmp(word, "near") == 0)
		return torus_near_parse(value, &wish->near, err);
	if (strcasecmp(word, "shape") == 0)
		return torus_shapes_parse(value, &wish->shapes, err);
	if (strcasecmp(word, "within") == 0)
		return storus_within_parse(value, &wish->within, err);
	return torus_fail(err, "'%s' is none of near=, shape=, within= and \"none\"",
			  word);
}

int storus_wish_parse(const char *text, torus_sim_wish_t *wish, torus_error_t *err)
{
	torus_sim_wish_t read = {.within = TORUS_FOR_EVER};
	char *words, *rest, *word;
	int result = 0;

	if (strcasecmp(text, "none") == 0) {
		*wish = (torus_sim_wish_t){0};
		return 0;
	}
	words = rest = strdup(text);
	if (!words)
		return torus_fail(err, "out of memory");
	while (result == 0 && (word = strsep(&rest, ",")))
		result = read_word(word, &read, err);
	free(words);
	if (result == 0 && !torus_sim_wish_asked(&read))
		return torus_fail(
			err,
			"'%s' says what to wait for by neither near= nor shape=", text);
	if (result == 0)
		*wish = read;
	return result;
}
