/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulated jobs wish for: as text, and what the site adds. */
#ifndef STORUS_SIM_WISH_H
#define STORUS_SIM_WISH_H

#include "base/error.h"
#include "machine/network_option.h"
#include "machine/patience.h"
#include "sim/wish.h"

/*
 * Read "none", or words of --network=torus: that torus_network_parse() reads, without
 * that prefix, and that say what to wait for: near=R, or a box, and within=TIME. Returns
 * 0, or -1 with [err] filled: also for words that say something else of a job.
 */
int storus_wish_parse(const char *text, torus_network_request_t *request,
		      torus_error_t *err);

/*
 * The wish of jobs that ask for [request] where the site says [site], as the plugins have
 * it (torus_patience_of()), but for a shape without within=: it is waited for as long as
 * it takes, by the jobs that have so many nodes.
 */
torus_sim_wish_t storus_wish_of(const torus_network_request_t *request,
				const torus_patience_site_t *site);

#endif
