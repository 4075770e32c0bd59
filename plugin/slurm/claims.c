/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where nodes say that they are: see claims.h. */
#include "slurm/claims.h"

#include <stdlib.h>

char *claims_place(const char *features)
{
	size_t length;
	const char *place = torus_place_said(features, &length);

	return place ? xstrndup(place, length) : NULL;
}

char *claims_features(const char *features, const char *place)
{
	char *text = NULL;

	for (const char *at = features; at && *at; at += *at == ',') {
		size_t length = strcspn(at, ",");

		if (strncmp(at, TORUS_PLACE_FEATURE, strlen(TORUS_PLACE_FEATURE)))
			xstrfmtcat(text, "%s%.*s", text ? "," : "", (int)length, at);
		at += length;
	}
	if (place)
		xstrfmtcat(text, "%s" TORUS_PLACE_FEATURE "%s", text ? "," : "", place);
	return text;
}

static bool is_away(const node_record_t *node)
{
	return IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node);
}

static void keep_features(claims_t *claims)
{
	for (int i = 0; i < claims->nodes; i++)
		xfree(claims->features[i]);
	xfree(claims->features);
	claims->nodes = node_record_count;
	claims->features = xcalloc((size_t)claims->nodes + 1, sizeof(char *));
	for (int i = 0; i < claims->nodes; i++) {
		if (node_record_table_ptr[i])
			claims->features[i] = xstrdup(node_record_table_ptr[i]->features);
	}
}

void claims_tell(claims_t *claims, int index, const char *why)
{
	char *text = *why ? xstrdup(why) : NULL;

	if (index >= claims->told_nodes) {
		xrecalloc(claims->told, (size_t)index + 1, sizeof(char *));
		claims->told_nodes = index + 1;
	}
	if (text && xstrcmp(text, claims->told[index]))
		error("%s: %s", plugin_type, text);
	xfree(claims->told[index]);
	claims->told[index] = text;
}

/* Fill the claims of the nodes, those of their table in its order; how many there are. */
static uint32_t collect(torus_claim_t *claim, char **place, int *index)
{
	uint32_t count = 0;

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node)
			continue;
		place[count] = claims_place(node->features);
		index[count] = i;
		claim[count] = (torus_claim_t){
			.node = node->name,
			.place = place[count],
			.stays = node_has_jobs(node),
			.away = is_away(node),
		};
		count++;
	}
	return count;
}

/* Note what may change though no features do. */
static void note_result(claims_t *claims, torus_claim_result_t result, int index)
{
	if (result == TORUS_CLAIM_DEFERRED)
		claims->deferred_node[claims->deferred++] = index;
	claims->refused = claims->refused || result == TORUS_CLAIM_TAKEN;
}

int claims_register(claims_t *claims, torus_cluster_t *cluster, torus_error_t *err)
{
	size_t room = (size_t)node_record_count + 1;
	torus_claim_t *claim = xcalloc(room, sizeof(*claim));
	char **place = xcalloc(room, sizeof(*place));
	int *index = xcalloc(room, sizeof(*index));
	uint32_t count = collect(claim, place, index);
	int rc = torus_cluster_register(cluster, claim, count, err);

	keep_features(claims);
	xfree(claims->promised);
	claims->promised = xcalloc(torus_cluster_nodes(cluster), sizeof(bool));
	xfree(claims->deferred_node);
	claims->deferred_node = xcalloc(room, sizeof(int));
	claims->deferred = 0;
	claims->refused = false;
	claims->when = time(NULL);
	for (uint32_t i = 0; i < count; i++) {
		torus_error_t why = {""};

		if (!rc)
			torus_claim_explain(cluster, &claim[i], &why);
		claims_tell(claims, index[i], why.text);
		note_result(claims, claim[i].result, index[i]);
		xfree(place[i]);
	}
	xfree(claim);
	xfree(place);
	xfree(index);
	return rc;
}

/* Whether the node can be at one of the [places] of torus number [t] from [first] on;
 * that one is kept for it. */
static bool promise(claims_t *claims, const torus_cluster_t *cluster, const char *name,
		    int t, uint32_t first, uint32_t places)
{
	const torus_map_t *map = cluster->map[t];

	for (uint32_t i = first; i < first + places; i++) {
		bool *promised = &claims->promised[torus_cluster_number(cluster, t, i)];
		const node_record_t *there =
			torus_map_is_vacant(map, i) ? NULL
						    : find_node_record(map->node_name[i]);

		if (*promised || (there && !is_away(there) && xstrcmp(there->name, name)))
			continue;
		*promised = true;
		return true;
	}
	return false;
}

bool claims_ask(claims_t *claims, const torus_cluster_t *cluster, torus_claim_t *claim)
{
	uint32_t first, places;
	bool can;
	int t;

	if (!torus_claim_names_place(cluster, claim, &t, &first, &places))
		return false;
	can = promise(claims, cluster, claim->node, t, first, places);
	claim->result = can ? TORUS_CLAIM_GRANTED : TORUS_CLAIM_TAKEN;
	return can;
}

bool claims_are_old(const claims_t *claims)
{
	if (claims->refused && claims->when != time(NULL))
		return true;
	for (int i = 0; i < claims->deferred; i++) {
		const node_record_t *node =
			node_record_table_ptr[claims->deferred_node[i]];

		if (!node || !node_has_jobs(node))
			return true;
	}
	for (int i = 0; i < claims->nodes && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (xstrcmp(node ? node->features : NULL, claims->features[i]))
			return true;
	}
	return false;
}

void claims_clear(claims_t *claims)
{
	for (int i = 0; i < claims->nodes; i++)
		xfree(claims->features[i]);
	for (int i = 0; i < claims->told_nodes; i++)
		xfree(claims->told[i]);
	xfree(claims->features);
	xfree(claims->told);
	xfree(claims->deferred_node);
	xfree(claims->promised);
	*claims = (claims_t){0};
}
