/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a job that could run waits for a better place: its own words, within= and
 * near= of --network=torus: (machine/network_option.h), and what the site says by
 * Patience= and PatienceMax= of torus.conf.
 *
 * The clock starts when the job could run without its wish. When the patience is over the
 * job is like any other.
 */
#ifndef TORUS_MACHINE_PATIENCE_H
#define TORUS_MACHINE_PATIENCE_H

#include "base/error.h"
#include "machine/network_option.h"
#include "machine/waiting.h"

/* Seconds that a job waits which does not say how long, where the site does not either;
 * as Slurm's max_switch_wait. */
#define TORUS_PATIENCE_USUAL 300

/* What the site says. Zeroed: nothing. */
typedef struct torus_patience_site {
	uint32_t
		near; /* of jobs that wish nothing, in thousandths; 0: they do not wait */
	int64_t within; /* seconds; of these jobs */
	bool is_limited;
	int64_t most; /* seconds that any job may wait, where is_limited */
} torus_patience_site_t;

typedef struct torus_patience {
	torus_wish_t wish; /* TORUS_WISH_NONE: it waits for nothing, or for ever */
	uint32_t near;	   /* TORUS_WISH_NEAR: as torus_is_near() takes it */
	int64_t within;	   /* seconds */
} torus_patience_t;

/*
 * Read the value of Patience=: "none", or "1.2@30", a mean distance as torus_near_parse()
 * reads it and a duration as torus_duration_parse() does. Returns 0, or -1 with [err]
 * filled.
 */
int torus_patience_parse(const char *text, torus_patience_site_t *site,
			 torus_error_t *err);

/*
 * What the less patient of two tori say of a job that may run on either: it wishes
 * only if it does on both, for the farther place, and waits for the shorter time.
 */
torus_patience_site_t torus_patience_least(torus_patience_site_t one,
					   torus_patience_site_t other);

/*
 * What the job of [request] waits for, and how long, [contiguous] being --contiguous. A
 * shape or --contiguous is a wish only with within=, otherwise a condition; of both the
 * shape counts. near= without within= waits as long as the site's jobs, or, where these
 * do not wait, TORUS_PATIENCE_USUAL. Without a shape, --contiguous and near= the job has
 * the site's wish, for which within= is another time, unless it is loose. Nobody waits
 * longer than site->most.
 */
torus_patience_t torus_patience_of(const torus_network_request_t *request,
				   bool contiguous, const torus_patience_site_t *site);

#endif
