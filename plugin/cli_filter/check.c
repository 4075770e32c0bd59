/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for: see cli_filter/check.h. */
#include "cli_filter/check.h"

#include "cli_filter/places.h"
#include "machine/network_option.h"
#include "machine/no_box.h"

/* The numbers of nodes that the job asks for; 0: it does not say. */
static void read_nodes(const slurm_opt_t *opt, uint32_t *least, uint32_t *most)
{
	*least = *most = 0;
	if (!opt->nodes_set || opt->min_nodes < 1)
		return;
	*least = (uint32_t)opt->min_nodes;
	*most = opt->max_nodes > opt->min_nodes ? (uint32_t)opt->max_nodes : *least;
}

/* Whether no torus ever has the box; [reason] says why. */
static bool is_impossible(const slurm_opt_t *opt, const torus_shapes_t *shapes,
			  char *reason, size_t size)
{
	torus_error_t err;
	torus_cluster_t *cluster;
	uint32_t least, most;
	bool never;

	read_nodes(opt, &least, &most);
	if (shapes->any && !least)
		return false;
	cluster = torus_filter_tori(&err);
	never = cluster &&
		torus_explain_never(cluster, shapes, least, most, reason, size);
	torus_cluster_destroy(cluster);
	return never;
}

void torus_filter_check(const slurm_opt_t *opt)
{
	torus_network_request_t request;
	char reason[TORUS_NO_BOX_TEXT];
	torus_error_t err;

	if (!opt->network || opt->clusters)
		return;
	if (torus_network_parse(opt->network, &request, &err))
		error("--network=%s: %s", opt->network, err.text);
	else if (request.has_shape &&
		 is_impossible(opt, &request.shapes, reason, sizeof(reason)))
		error("--network=%s: %s", opt->network, reason);
}
