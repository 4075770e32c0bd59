/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of tori by registration: see cli_filter/registered.h. */
#include "cli_filter/registered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

static uint32_t collect(const node_info_msg_t *answer, torus_claim_t *claim)
{
	uint32_t claims = 0;

	for (uint32_t i = 0; i < answer->record_count; i++) {
		const node_info_t *node = &answer->node_array[i];
		size_t length;
		const char *place =
			node->name ? torus_place_said(node->features, &length) : NULL;

		if (place)
			claim[claims++] = (torus_claim_t){
				.node = node->name,
				.place = strndup(place, length),
				.away = node->node_state & (NODE_STATE_POWERED_DOWN |
							    NODE_STATE_POWERING_DOWN),
			};
	}
	return claims;
}

int torus_register_from_slurm(torus_cluster_t *cluster, torus_error_t *err)
{
	node_info_msg_t *answer;
	torus_claim_t *claim;
	uint32_t claims;
	int rc;

	if (!torus_cluster_is_open(cluster))
		return 0;
	if (slurm_load_node(0, &answer, SHOW_ALL))
		return torus_fail(err,
				  "cannot ask slurmctld where the nodes have said to be: %s",
				  slurm_strerror(errno));
	claim = calloc((size_t)answer->record_count + 1, sizeof(*claim));
	claims = claim ? collect(answer, claim) : 0;
	rc = claim ? torus_cluster_register(cluster, claim, claims, err)
		   : torus_fail(err, "out of memory");
	for (uint32_t i = 0; i < claims; i++)
		free((char *)claim[i].place);
	free(claim);
	slurm_free_node_info_msg(answer);
	return rc;
}
