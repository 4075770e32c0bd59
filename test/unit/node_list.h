/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of nodes for tests of what is joined with one. */
#ifndef TORUS_TEST_NODE_LIST_H
#define TORUS_TEST_NODE_LIST_H

#include <stdio.h>
#include <string.h>

#include "conf/torus_conf.h"
#include "machine/node_table.h"

#define LIST_MOST 64

/* What the table was told last, and how often. */
static char told_text[256];
static int told;

static inline void note_told(const char *text)
{
	snprintf(told_text, sizeof(told_text), "%s", text);
	told++;
}

static inline torus_listed_node_t list_at(const void *list, int index)
{
	return ((const torus_listed_node_t *)list)[index];
}

static inline int list_find(const void *list, const char *name)
{
	const torus_listed_node_t *node = list;

	for (int i = 0; i < LIST_MOST; i++) {
		if (node[i].name && !strcmp(node[i].name, name))
			return i;
	}
	return -1;
}

/* The first [nodes] of [list], which has LIST_MOST. */
static inline torus_node_table_t table_of(const torus_listed_node_t *list, int nodes)
{
	return (torus_node_table_t){
		.nodes = nodes,
		.at = list_at,
		.find = list_find,
		.tell = note_told,
		.context = list,
	};
}

/* The cluster of a torus.conf of these lines. */
static inline torus_cluster_t *make_cluster(const char *text)
{
	torus_error_t err;
	torus_cluster_t *cluster = torus_conf_read_text(text, strlen(text), "torus.conf",
							torus_file_from_disk, NULL, &err);

	if (!cluster)
		fail_msg("%s", err.text);
	return cluster;
}

#endif
