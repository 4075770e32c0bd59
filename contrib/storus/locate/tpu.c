/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a host is in its slice of TPUs: its worker's number and how many hosts there are
 * in x, y and z, x fastest. Both come from variables (TPU_WORKER_ID, TPU_HOST_BOUNDS,
 * TPU_TOPOLOGY, TPU_CHIPS_PER_HOST_BOUNDS), as Google Kubernetes Engine sets them for a
 * pod, or else from a copy of the attribute tpu-env of the metadata of a TPU VM.
 *
 * Worker numbers are not always places: on Kubernetes they may follow the order of pods
 * (pull request 66029 of ray has how libtpu is asked instead). Where a slice has several
 * hosts, this is believed only if it is asked for by name.
 */
#include "torus_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/locate/files.h"
#include "storus/locate/place.h"

/* Where a site puts the attribute; docs/locate.md has how. */
#define TPU_ENV "/run/storus/tpu-env"
#define MOST_OF_TPU_ENV ((size_t)1 << 20)

typedef enum { WORKER, HOSTS, TOPOLOGY, CHIPS, SLICE, FACTS } fact_t;

static const char *const variable[FACTS] = {
	[WORKER] = "TPU_WORKER_ID",  [HOSTS] = "TPU_HOST_BOUNDS",
	[TOPOLOGY] = "TPU_TOPOLOGY", [CHIPS] = "TPU_CHIPS_PER_HOST_BOUNDS",
	[SLICE] = "TPU_NAME",
};
static const char *const key[FACTS] = {
	[WORKER] = "WORKER_ID",	 [HOSTS] = "HOST_BOUNDS",
	[TOPOLOGY] = "TOPOLOGY", [CHIPS] = "CHIPS_PER_HOST_BOUNDS",
	[SLICE] = "NODE_ID",
};

typedef struct facts {
	const char *const *name; /* what they are called where they come from */
	const char *text[FACTS]; /* NULL: not said */
} facts_t;

typedef struct sides {
	int dims; /* 1 .. 3 */
	int32_t length[3];
} sides_t;

/* Take the facts from the lines KEY: 'value' of [text], which is cut up. */
static void read_lines(char *text, facts_t *facts)
{
	char *rest;

	for (char *line = strtok_r(text, "\r\n", &rest); line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		char *value = strchr(line, ':');

		if (!value)
			continue;
		*value++ = '\0';
		value += strspn(value, " \t'\"");
		value[strcspn(value, " \t'\"")] = '\0';
		for (int i = 0; i < FACTS; i++) {
			if (strcmp(line, key[i]) == 0 && value[0])
				facts->text[i] = value;
		}
	}
}

/* Read up to three sides with one of [between] between them. Returns 0, or -1. */
static int read_sides(const facts_t *facts, fact_t fact, const char *between,
		      sides_t *sides, torus_error_t *err)
{
	char words[64], *rest;

	*sides = (sides_t){0, {1, 1, 1}};
	if (strlen(facts->text[fact]) < sizeof(words)) {
		snprintf(words, sizeof(words), "%s", facts->text[fact]);
		for (char *word = strtok_r(words, between, &rest); word;
		     word = strtok_r(NULL, between, &rest)) {
			int32_t length;

			if (sides->dims == 3 || storus_place_number(word, &length) != 0 ||
			    length < 1 || length > 65535) {
				sides->dims = 0;
				break;
			}
			sides->length[sides->dims++] = length;
		}
		if (sides->dims)
			return 0;
	}
	return torus_fail(err, "%s='%.100s': write up to three sides, such as 2%c2%c1",
			  facts->name[fact], facts->text[fact], between[0], between[0]);
}

/* How many hosts there are in each dimension. Returns 0, or -1 with [err]. */
static int read_hosts(const facts_t *facts, sides_t *hosts, torus_error_t *err)
{
	sides_t topology, chips;
	bool both = facts->text[TOPOLOGY] && facts->text[CHIPS];

	if (!facts->text[HOSTS] && !both)
		return torus_fail(
			err,
			"%s is set, but neither %s nor both of %s and %s, which say "
			"how many hosts there are",
			facts->name[WORKER], facts->name[HOSTS], facts->name[TOPOLOGY],
			facts->name[CHIPS]);
	if (facts->text[HOSTS] && read_sides(facts, HOSTS, ",", hosts, err) != 0)
		return -1;
	if (!both)
		return 0;
	if (read_sides(facts, TOPOLOGY, "x", &topology, err) != 0 ||
	    read_sides(facts, CHIPS, ",", &chips, err) != 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (topology.length[i] % chips.length[i] != 0 ||
		    (facts->text[HOSTS] &&
		     topology.length[i] != chips.length[i] * hosts->length[i]))
			return torus_fail(
				err,
				"%s='%s' chips are not made of hosts with %s='%s'%s%s",
				facts->name[TOPOLOGY], facts->text[TOPOLOGY],
				facts->name[CHIPS], facts->text[CHIPS],
				facts->text[HOSTS] ? " as many as HOST_BOUNDS says, "
						   : "",
				facts->text[HOSTS] ? facts->text[HOSTS] : "");
		hosts->length[i] = topology.length[i] / chips.length[i];
	}
	hosts->dims = topology.dims;
	return 0;
}

static storus_located_t find(const storus_locating_t *locating, const facts_t *facts,
			     storus_place_t *place, torus_error_t *err)
{
	sides_t hosts = {0};
	int64_t all = 1;
	int32_t worker;

	if (storus_place_number(facts->text[WORKER], &worker) != 0) {
		torus_fail(err, "%s='%.100s' is no number", facts->name[WORKER],
			   facts->text[WORKER]);
		return STORUS_LOCATE_BAD;
	}
	if (read_hosts(facts, &hosts, err) != 0)
		return STORUS_LOCATE_BAD;
	for (int i = 0; i < 3; i++)
		all *= hosts.length[i];
	if (worker >= all) {
		torus_fail(
			err,
			"%s=%d, but there are %dx%dx%d hosts, the last of which is %lld",
			facts->name[WORKER], worker, hosts.length[0], hosts.length[1],
			hosts.length[2], (long long)all - 1);
		return STORUS_LOCATE_BAD;
	}
	if (all > 1 && !locating->named) {
		torus_fail(
			err,
			"%s=%d of %lld hosts may be the order of pods and no place: say --from "
			"tpu where it is one, or give a --program that asks libtpu "
			"(storus-locate(1))",
			facts->name[WORKER], worker, (long long)all);
		return STORUS_LOCATE_NOWHERE;
	}
	*place = (storus_place_t){
		.dims = hosts.dims,
		.at = {worker % hosts.length[0],
		       worker / hosts.length[0] % hosts.length[1],
		       worker / hosts.length[0] / hosts.length[1]},
	};
	if (facts->text[SLICE])
		snprintf(place->of, sizeof(place->of), "%s", facts->text[SLICE]);
	return STORUS_LOCATED;
}

storus_located_t storus_locate_tpu(const storus_locating_t *locating,
				   storus_place_t *place, torus_error_t *err)
{
	facts_t facts = {.name = variable};
	storus_located_t located;
	char *text = NULL;

	for (int i = 0; i < FACTS; i++) {
		facts.text[i] = getenv(variable[i]);
		if (facts.text[i] && !facts.text[i][0])
			facts.text[i] = NULL;
	}
	if (!facts.text[WORKER]) {
		int found = storus_file_read(locating->root, TPU_ENV, MOST_OF_TPU_ENV,
					     &text, err);

		if (found < 0)
			return STORUS_LOCATE_BAD;
		if (found == 0) {
			torus_fail(err,
				   "there is no TPU_WORKER_ID and no '%s" TPU_ENV "'",
				   locating->root);
			return STORUS_LOCATE_ABSENT;
		}
		facts = (facts_t){.name = key};
		read_lines(text, &facts);
		if (!facts.text[WORKER]) {
			free(text);
			torus_fail(err, "'%s" TPU_ENV "' has no WORKER_ID: 'number'",
				   locating->root);
			return STORUS_LOCATE_BAD;
		}
	}
	located = find(locating, &facts, place, err);
	if (located == STORUS_LOCATE_BAD && text)
		torus_fail_prefix(err, "'%s" TPU_ENV "': ", locating->root);
	free(text);
	return located;
}
