/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What asking a running Slurm begins with. */
#include "torus_config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/textfile.h"
#include "storus/cli/libslurm.h"
#include "storus/cli/slurm.h"
#include "storus/commands.h"

static bool slurm_started, slurm_starting;

static void leave_with_our_status(void)
{
	if (slurm_starting)
		_exit(STORUS_BAD);
}

void storus_slurm_start(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(20, 11, 0)
	if (slurm_started)
		return;
	slurm_started = true;
	/* Without a configuration slurm_init() calls exit(1). But 1 means that
	 * nothing fits; a broken setup is STORUS_BAD. */
	atexit(leave_with_our_status);
	slurm_starting = true;
	slurm_init(NULL);
	slurm_starting = false;
#endif
}

char *storus_slurm_torus_conf(torus_error_t *err)
{
	const char *slurm_conf = getenv("SLURM_CONF");
	slurm_conf_t *conf = NULL;
	char *path = NULL;

	if (slurm_conf && *slurm_conf) {
		path = torus_textfile_beside(slurm_conf, "torus.conf");
	} else if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS) {
		torus_fail(err, "cannot ask slurmctld where slurm.conf is: %s",
			   slurm_strerror(errno));
		return NULL;
	} else {
		path = torus_textfile_beside(conf->slurm_conf, "torus.conf");
		slurm_free_conf(conf);
	}
	if (!path)
		torus_fail(err, "out of memory");
	return path;
}

char *storus_slurm_state_file(const char *name, torus_error_t *err)
{
	slurm_conf_t *conf = NULL;
	char *path;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS) {
		torus_fail(err, "cannot ask slurmctld for its StateSaveLocation: %s",
			   slurm_strerror(errno));
		return NULL;
	}
	if (asprintf(&path, "%s/%s", conf->state_save_location, name) < 0) {
		torus_fail(err, "out of memory");
		path = NULL;
	}
	slurm_free_conf(conf);
	return path;
}

/* Of Slurm's library, but in none of its public headers: frees, and sets to NULL. */
void slurm_xfree(void **memory);

void storus_slurm_free_jobs(struct job_info_msg *answer)
{
	if (!answer)
		return;
	/* Slurm 22.05 itself forgets these. */
	for (uint32_t i = 0; i < answer->record_count; i++) {
		slurm_xfree((void **)&answer->job_array[i].admin_comment);
		slurm_xfree((void **)&answer->job_array[i].system_comment);
	}
	slurm_free_job_info_msg(answer);
}

bool storus_slurm_node_usable(const struct node_info *node)
{
	uint32_t base = node->node_state & NODE_STATE_BASE;

	return (base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED ||
		base == NODE_STATE_MIXED) &&
	       !(node->node_state &
		 (NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_NO_RESPOND));
}
