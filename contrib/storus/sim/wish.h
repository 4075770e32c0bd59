/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulated jobs wish for, as text. */
#ifndef STORUS_SIM_WISH_H
#define STORUS_SIM_WISH_H

#include "base/error.h"
#include "sim/wish.h"

/*
 * Read how long a job waits for what it wishes: a duration as Slurm has it ("30" are
 * minutes), "0" or "infinite". Returns 0 with *within in microseconds, or -1 with [err]
 * filled.
 */
int storus_within_parse(const char *text, int64_t *within, torus_error_t *err);

/*
 * Read "none", or words of `--network=torus:` with a comma between them: near=R,
 * shape=any or shapes, within=TIME; without that a job waits as long as it takes.
 * Returns as above.
 */
int storus_wish_parse(const char *text, torus_sim_wish_t *wish, torus_error_t *err);

#endif
