/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of tori by registration: see cli_filter/registered.h. */
#include "cli_filter/registered.h"

#include <errno.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "machine/claims.h"

static torus_listed_node_t node_at(const void *answer, int index)
{
	const node_info_t *node = &((const node_info_msg_t *)answer)->node_array[index];

	return (torus_listed_node_t){
		.name = node->name,
		.features = node->features,
		.away = node->node_state &
			(NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_DOWN),
	};
}

int torus_register_from_slurm(torus_cluster_t *cluster, torus_error_t *err)
{
	torus_node_table_t table = {.at = node_at};
	node_info_msg_t *answer;
	int rc;

	if (!torus_cluster_is_open(cluster))
		return 0;
	if (slurm_load_node(0, &answer, SHOW_ALL))
		return torus_fail(err,
				  "cannot ask slurmctld where the nodes have said to be: %s",
				  slurm_strerror(errno));
	table.nodes = (int)answer->record_count;
	table.context = answer;
	rc = torus_claims_register(NULL, cluster, &table, err);
	slurm_free_node_info_msg(answer);
	return rc;
}
