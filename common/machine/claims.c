/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the nodes of a table say that they are: see machine/claims.h. */
#include "machine/claims.h"

#include <stdlib.h>
#include <string.h>

/* Append a word to a list with commas; returns its new end. */
static char *append(const char *text, char *end, const char *word, size_t length)
{
	if (end != text)
		*end++ = ',';
	memcpy(end, word, length);
	end[length] = '\0';
	return end + length;
}

bool torus_features_place(const char *features, const char *place, char *text)
{
	const size_t key = strlen(TORUS_PLACE_FEATURE);
	char *end = text;

	*text = '\0';
	for (const char *at = features; at && *at; at += *at == ',') {
		size_t length = strcspn(at, ",");

		if (strncmp(at, TORUS_PLACE_FEATURE, key) != 0)
			end = append(text, end, at, length);
		at += length;
	}
	if (place) {
		end = append(text, end, TORUS_PLACE_FEATURE, key);
		memcpy(end, place, strlen(place) + 1);
	}
	return *text;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void forget_features(torus_claims_t *claims)
{
	for (int i = 0; i < claims->nodes; i++)
		free(claims->features[i]);
	free(claims->features);
	claims->features = NULL;
	claims->nodes = 0;
}

static int keep_features(torus_claims_t *claims, const torus_node_table_t *table)
{
	forget_features(claims);
	claims->features = calloc((size_t)table->nodes + 1, sizeof(char *));
	if (!claims->features)
		return -1;
	for (int i = 0; i < table->nodes; i++) {
		torus_listed_node_t node = table->at(table->context, i);

		if (node.name && node.features) {
			claims->features[i] = strdup(node.features);
			if (!claims->features[i])
				return -1;
		}
		claims->nodes++;
	}
	return 0;
}

/* Keep the text that was told; without memory it will be told again. */
static void keep_told(torus_claims_t *claims, int index, const char *why)
{
	if (index >= claims->told_nodes) {
		size_t room = (size_t)index + 1, had = (size_t)claims->told_nodes;
		char **told = *why ? realloc(claims->told, room * sizeof(*told)) : NULL;

		if (!told)
			return;
		memset(told + had, 0, (room - had) * sizeof(*told));
		claims->told = told;
		claims->told_nodes = (int)room;
	}
	free(claims->told[index]);
	claims->told[index] = *why ? strdup(why) : NULL;
}

void torus_claims_tell(torus_claims_t *claims, const torus_node_table_t *table, int index,
		       const char *why)
{
	const char *told = index < claims->told_nodes ? claims->told[index] : NULL;

	if (same_text(*why ? why : NULL, told))
		return;
	if (*why)
		table->tell(why);
	keep_told(claims, index, why);
}

/* The claims of the nodes of a table that have a name, in its order. */
typedef struct collected {
	uint32_t count;
	torus_claim_t *claim; /* [count] with malloc'ed places */
	int *index;	      /* [count] in the table */
} collected_t;

static int collect(const torus_node_table_t *table, collected_t *all)
{
	size_t room = (size_t)table->nodes + 1;

	all->count = 0;
	all->claim = calloc(room, sizeof(*all->claim));
	all->index = calloc(room, sizeof(*all->index));
	for (int i = 0; all->claim && all->index && i < table->nodes; i++) {
		torus_listed_node_t node = table->at(table->context, i);
		size_t length;
		const char *said = torus_place_said(node.features, &length);
		char *place;

		if (!node.name)
			continue;
		place = said ? strndup(said, length) : NULL;
		if (said && !place)
			return -1;
		all->index[all->count] = i;
		all->claim[all->count] = (torus_claim_t){
			.node = node.name,
			.place = place,
			.stays = node.has_jobs,
			.away = node.away,
		};
		all->count++;
	}
	return all->claim && all->index ? 0 : -1;
}

static void forget_collected(collected_t *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		free((char *)all->claim[i].place);
	free(all->claim);
	free(all->index);
}

/* Memory for what is noted until the next time; nothing is noted yet. */
static int begin_anew(torus_claims_t *claims, const torus_cluster_t *cluster,
		      const torus_node_table_t *table)
{
	free(claims->promised);
	claims->promised = calloc(torus_cluster_nodes(cluster), sizeof(bool));
	free(claims->deferred_node);
	claims->deferred_node = calloc((size_t)table->nodes + 1, sizeof(int));
	claims->deferred = 0;
	claims->refused = false;
	claims->when = time(NULL);
	return keep_features(claims, table) || !claims->promised || !claims->deferred_node
		       ? -1
		       : 0;
}

/* Note what may change though no features do, and tell what was not granted. */
static void note_result(torus_claims_t *claims, const torus_cluster_t *cluster,
			const torus_node_table_t *table, const torus_claim_t *claim,
			int index)
{
	torus_error_t why = {""};

	torus_claim_explain(cluster, claim, &why);
	torus_claims_tell(claims, table, index, why.text);
	if (claim->result == TORUS_CLAIM_DEFERRED)
		claims->deferred_node[claims->deferred++] = index;
	claims->refused = claims->refused || claim->result == TORUS_CLAIM_TAKEN;
}

int torus_claims_register(torus_claims_t *claims, torus_cluster_t *cluster,
			  const torus_node_table_t *table, torus_error_t *err)
{
	collected_t all;
	int rc;

	if (collect(table, &all) || (claims && begin_anew(claims, cluster, table)))
		rc = torus_fail(err, "out of memory for %d nodes", table->nodes);
	else
		rc = torus_cluster_register(cluster, all.claim, all.count, err);
	for (uint32_t i = 0; !rc && claims && i < all.count; i++)
		note_result(claims, cluster, table, &all.claim[i], all.index[i]);
	forget_collected(&all);
	return rc;
}

/* Whether the node can be at one of the [places] of torus number [t] from [first] on;
 * that one is kept for it. */
static bool promise(torus_claims_t *claims, const torus_cluster_t *cluster,
		    const torus_node_table_t *table, const char *name, int t,
		    uint32_t first, uint32_t places)
{
	const torus_map_t *map = cluster->map[t];

	for (uint32_t i = first; i < first + places; i++) {
		bool *promised = &claims->promised[torus_cluster_number(cluster, t, i)];
		int there = torus_map_is_vacant(map, i)
				    ? -1
				    : table->find(table->context, map->node_name[i]);
		torus_listed_node_t other = {0};

		if (there >= 0)
			other = table->at(table->context, there);
		if (*promised || (other.name && !other.away && strcmp(other.name, name)))
			continue;
		*promised = true;
		return true;
	}
	return false;
}

bool torus_claims_ask(torus_claims_t *claims, const torus_cluster_t *cluster,
		      const torus_node_table_t *table, torus_claim_t *claim)
{
	uint32_t first, places;
	bool can;
	int t;

	if (!torus_claim_names_place(cluster, claim, &t, &first, &places))
		return false;
	can = promise(claims, cluster, table, claim->node, t, first, places);
	claim->result = can ? TORUS_CLAIM_GRANTED : TORUS_CLAIM_TAKEN;
	return can;
}

bool torus_claims_are_old(const torus_claims_t *claims, const torus_node_table_t *table)
{
	if (claims->refused && claims->when != time(NULL))
		return true;
	for (int i = 0; i < claims->deferred; i++) {
		torus_listed_node_t node =
			table->at(table->context, claims->deferred_node[i]);

		if (!node.name || !node.has_jobs)
			return true;
	}
	for (int i = 0; i < claims->nodes && i < table->nodes; i++) {
		torus_listed_node_t node = table->at(table->context, i);

		if (!same_text(node.name ? node.features : NULL, claims->features[i]))
			return true;
	}
	return false;
}

void torus_claims_clear(torus_claims_t *claims)
{
	forget_features(claims);
	for (int i = 0; i < claims->told_nodes; i++)
		free(claims->told[i]);
	free(claims->told);
	free(claims->deferred_node);
	free(claims->promised);
	*claims = (torus_claims_t){0};
}
