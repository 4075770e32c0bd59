/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens in the accounts. */
#include "torus_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/token.h"
#include "storus/report/tokens.h"

/* Beyond this it is not rounding to two decimals that tells two numbers apart. */
#define ROUNDING 0.00501

typedef struct said {
	int torus; /* -1: none that is configured */
	uint32_t nodes;
	double hops;
} said_t;

/* The torus called name[0 .. length-1], or -1. */
static int find_torus(const torus_cluster_t *cluster, const char *name, size_t length)
{
	for (int t = 0; t < cluster->maps; t++) {
		const char *known = cluster->map[t]->name;

		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return t;
	}
	return -1;
}

/* Behind "[key]=" in the token, or NULL. */
static const char *find_key(const char *token, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = token; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, key, length) == 0 && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

/* Read the token; false: it says nothing of hops. */
static bool read_token(const torus_cluster_t *cluster, const char *token, said_t *said)
{
	const char *torus = find_key(token, "torus"), *nodes = find_key(token, "nodes");
	const char *hops = find_key(token, "avghops");
	char *end;

	if (!torus || !nodes || !hops)
		return false;
	said->torus = find_torus(cluster, torus, strcspn(torus, ","));
	said->nodes = (uint32_t)strtoul(nodes, &end, 10);
	if (end == nodes || *end != ',')
		return false;
	said->hops = strtod(hops, &end);
	return end != hops && (*end == '\0' || *end == ',') && isfinite(said->hops) &&
	       said->hops >= 0;
}

/* Let what the token says count. */
static int take(storus_accounts_t *accounts, const said_t *said,
		storus_measured_t *measured, torus_error_t *err)
{
	*measured = (storus_measured_t){.has_hops = true, .hops = said->hops};
	if (said->torus < 0 || said->nodes > accounts->cluster->map[said->torus]->nodes)
		return 0;
	measured->has_alone = true;
	return storus_alone_hops(accounts->alone, said->torus, said->nodes,
				 &measured->alone, err);
}

int storus_token_look(storus_accounts_t *accounts, size_t number, torus_error_t *err)
{
	const storus_run_t *run = &accounts->run[number];
	const torus_sacct_field_t *comment = &accounts->history.job[run->job].comment;
	storus_measured_t *measured = &accounts->measured[number];
	size_t length;
	said_t said;
	char *copy;
	const char *token;
	bool told;

	if (!run->ran || run->nodes < 2 || !comment->length)
		return 0;
	copy = strndup(comment->at, comment->length);
	if (!copy)
		return torus_fail(err, "out of memory");
	token = torus_token_find(copy, &length);
	if (token)
		copy[(size_t)(token - copy) + length] = '\0';
	told = token && read_token(accounts->cluster, token, &said) &&
	       said.nodes == run->nodes;
	free(copy);
	if (!told)
		return 0;
	if (!measured->has_hops)
		accounts->unmeasured.by_token++;
	else if (fabs(measured->hops - said.hops) > ROUNDING)
		accounts->unmeasured.moved++;
	else
		return 0;
	return take(accounts, &said, measured, err);
}
