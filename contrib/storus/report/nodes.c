/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of one run. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "storus/report/nodes.h"

int storus_nodes_reserve(storus_nodes_t *nodes, uint32_t count, int parts,
			 torus_error_t *err)
{
	nodes->rank = malloc(((size_t)count + 1) * sizeof(*nodes->rank));
	nodes->part = malloc(((size_t)parts + 1) * sizeof(*nodes->part));
	if (nodes->rank && nodes->part)
		return 0;
	storus_nodes_clear(nodes);
	return torus_fail(err, "out of memory for %u nodes", count);
}

void storus_nodes_add(storus_nodes_t *nodes, int torus, uint32_t first, uint32_t count)
{
	if (!nodes->parts || nodes->part[nodes->parts - 1].torus != torus)
		nodes->part[nodes->parts++] =
			(storus_nodes_part_t){.torus = torus, .first = nodes->count};
	nodes->part[nodes->parts - 1].count += count;
	for (uint32_t i = 0; i < count; i++)
		nodes->rank[nodes->count++] = first + i;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return one < other ? -1 : one > other;
}

/* The numbers in the cluster of the names that it has, ascending; returns how many. */
static uint32_t find_numbers(const torus_cluster_t *cluster, char *const *name,
			     uint32_t names, uint32_t *number, uint32_t *elsewhere)
{
	uint32_t count = 0, distinct = 0, node;
	int torus;

	for (uint32_t i = 0; i < names; i++) {
		if (torus_cluster_find(cluster, name[i], &torus, &node))
			number[count++] = torus_cluster_number(cluster, torus, node);
		else
			++*elsewhere;
	}
	qsort(number, count, sizeof(*number), compare_numbers);
	for (uint32_t i = 0; i < count; i++) {
		if (!i || number[i] != number[i - 1])
			number[distinct++] = number[i];
	}
	return distinct;
}

int storus_nodes_find(const torus_cluster_t *cluster, const char *text, size_t length,
		      storus_nodes_t *nodes, torus_error_t *err)
{
	char *copy = strndup(text, length), **name = NULL;
	uint32_t *number = NULL, names, count;
	int result = -1;

	*nodes = (storus_nodes_t){0};
	if (!copy) {
		torus_fail(err, "out of memory");
		goto done;
	}
	if (torus_hostlist_expand(copy, &name, &names, err) != 0)
		goto done;
	number = malloc(names * sizeof(*number));
	if (!number) {
		torus_fail(err, "out of memory for %u nodes", names);
		goto done;
	}
	count = find_numbers(cluster, name, names, number, &nodes->elsewhere);
	result = storus_nodes_reserve(nodes, count, cluster->maps, err);
	for (uint32_t i = 0; result == 0 && i < count; i++) {
		uint32_t node;
		int torus;

		torus_cluster_at(cluster, number[i], &torus, &node);
		storus_nodes_add(nodes, torus, cluster->map[torus]->rank_of_node[node],
				 1);
	}
done:
	free(number);
	free(name);
	free(copy);
	if (result != 0)
		storus_nodes_clear(nodes);
	return result;
}

void storus_nodes_clear(storus_nodes_t *nodes)
{
	free(nodes->rank);
	free(nodes->part);
	*nodes = (storus_nodes_t){0};
}
