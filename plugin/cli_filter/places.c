/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the nodes are: see cli_filter/places.h. */
#include "cli_filter/places.h"

#include <unistd.h>

#include "slurm/compat.h"

#include "conf/torus_conf.h"

torus_cluster_t *torus_filter_places(torus_error_t *err)
{
	char *path = get_extra_conf_path("torus.conf");
	torus_cluster_t *cluster = torus_conf_read_places(path, err);

	if (!cluster && access(path, F_OK) != 0) {
		char *other = get_extra_conf_path("topology.conf");

		cluster = torus_conf_read_places(other, NULL);
		xfree(other);
	}
	xfree(path);
	return cluster;
}
