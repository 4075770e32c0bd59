/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of schedulers: see scheduler.h. */
#include "sim/scheduler.h"

#include <strings.h>

#define SCHEDULERS 6

static const char *const names[SCHEDULERS] = {
	[TORUS_FCFS] = "fcfs",
	[TORUS_EASY] = "easy",
	[TORUS_CONSERVATIVE] = "conservative",
	[TORUS_CPLANT] = "cplant",
	[TORUS_GREEDY] = "greedy",
	[TORUS_RECORDED] = "recorded",
};

int torus_scheduler_parse(const char *text, torus_scheduler_t *scheduler,
			  torus_error_t *err)
{
	for (int i = 0; i < SCHEDULERS; i++) {
		if (strcasecmp(text, names[i]) == 0) {
			*scheduler = (torus_scheduler_t)i;
			return 0;
		}
	}
	return torus_fail(err,
			  "unknown scheduler '%s'; known are fcfs, easy, conservative, "
			  "cplant, greedy, recorded",
			  text);
}

const char *torus_scheduler_name(torus_scheduler_t scheduler)
{
	return names[scheduler];
}
