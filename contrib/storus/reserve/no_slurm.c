/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus reserve says where storus was built without Slurm's library. */
#include "torus_config.h"

#include <stddef.h>

#include "storus/reserve/slurm.h"

static int none(torus_error_t *err)
{
	return torus_fail(err, "built without Slurm's library: there is no Slurm to ask");
}

int storus_reserve_flags(const char *text, uint64_t *flags, torus_error_t *err)
{
	(void)text;
	(void)flags;
	return none(err);
}

int storus_reserve_load(storus_busy_t *busy, uint64_t flags, torus_error_t *err)
{
	(void)busy;
	(void)flags;
	return none(err);
}

const char *storus_reserve_create(const storus_reservation_t *reservation,
				  const char *nodes, torus_error_t *err)
{
	(void)reservation;
	(void)nodes;
	none(err);
	return NULL;
}
