/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A look at the machine for those who look on from a browser. */
#include "torus_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "storus/cli/shown.h"
#include "storus/cli/view.h"
#include "storus/metrics/decisions.h"
#include "storus/metrics/write.h"
#include "storus/view/machine_json.h"
#include "storus/view/serve/look.h"

/* Take out what not everybody may see. */
static int hide(const storus_sight_t *sight, storus_jobs_t *jobs, bool *forbidden,
		torus_error_t *err)
{
	bool hides;

	/* A file has no PrivateData. */
	if (sight->jobs || (sight->all && sight->guarded))
		return 0;
	if (storus_shown_hide_private(jobs, !sight->all, &hides, err) != 0)
		return -1;
	*forbidden = hides && !sight->guarded;
	if (*forbidden)
		return torus_fail(
			err, "slurm.conf's PrivateData hides jobs or nodes, and every "
			     "user of this host can reach this port: serve with "
			     "--token-file, or at unix:PATH");
	return 0;
}

static int write_metrics(const storus_sight_t *sight, const torus_cluster_t *cluster,
			 storus_jobs_t *jobs, storus_text_t *metrics, torus_error_t *err)
{
	torus_error_t unreadable;
	torus_tally_t tally;
	bool decided = false;
	FILE *file;
	int rc;

	/* Whoever serves need not be allowed to read slurmctld's files. */
	if (!sight->jobs)
		decided = storus_decisions_read(NULL, &tally, &unreadable) > 0;
	file = open_memstream(&metrics->text, &metrics->size);
	if (!file)
		return torus_fail(err, "out of memory");
	rc = storus_metrics_write(file, cluster, jobs, NULL, (int64_t)time(NULL),
				  decided ? &tally : NULL, err);
	if (fclose(file) != 0 && rc == 0)
		rc = torus_fail(err, "out of memory");
	return rc;
}

json_t *storus_look(const storus_sight_t *sight, torus_cluster_t **cluster,
		    bool *forbidden, storus_text_t *metrics, torus_error_t *err)
{
	storus_jobs_t jobs = {0};
	storus_view_t *view = NULL;
	torus_racks_t racks = {0};
	json_t *machine = NULL;

	*forbidden = false;
	if (storus_shown_again(sight->conf, sight->jobs, &jobs, cluster, err) == 0 &&
	    (!metrics || write_metrics(sight, *cluster, &jobs, metrics, err) == 0) &&
	    hide(sight, &jobs, forbidden, err) == 0 &&
	    torus_racks_read(*cluster, &racks, err) == 0)
		view = storus_view_create(*cluster, &jobs, err);
	if (view)
		machine = storus_machine_json(view, &racks, (int64_t)time(NULL), err);
	/* The same machine a moment later is the same. */
	if (machine)
		json_object_set_new(machine, "time", json_integer(0));
	if (!machine && metrics) {
		free(metrics->text);
		*metrics = (storus_text_t){0};
	}
	torus_racks_clear(&racks);
	storus_view_destroy(view);
	storus_jobs_clear(&jobs);
	return machine;
}
