/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the nodes are: see cli_filter/places.h. */
#include "cli_filter/places.h"

#include <unistd.h>

#include "slurm/compat.h"

#include "cli_filter/registered.h"
#include "conf/torus_conf.h"

typedef torus_cluster_t *reader_t(const char *path, torus_error_t *err);

static torus_cluster_t *read_by(reader_t *reader, bool nodes, torus_error_t *err)
{
	char *path = get_extra_conf_path("torus.conf");
	torus_cluster_t *cluster = reader(path, err);

	if (!cluster && access(path, F_OK) != 0) {
		char *other = get_extra_conf_path("topology.conf");

		cluster = reader(other, NULL);
		xfree(other);
	}
	xfree(path);
	if (cluster && nodes && torus_register_from_slurm(cluster, err)) {
		torus_cluster_destroy(cluster);
		return NULL;
	}
	return cluster;
}

torus_cluster_t *torus_filter_tori(torus_error_t *err)
{
	return read_by(torus_conf_read_places, false, err);
}

torus_cluster_t *torus_filter_places(torus_error_t *err)
{
	return read_by(torus_conf_read_places, true, err);
}

torus_cluster_t *torus_filter_curves(torus_error_t *err)
{
	return read_by(torus_conf_read, true, err);
}
