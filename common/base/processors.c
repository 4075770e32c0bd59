/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processors of this host: see base/processors.h. */
#define _GNU_SOURCE
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

uint32_t torus_processors(void)
{
	cpu_set_t set;
	long online;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return (uint32_t)CPU_COUNT(&set);
	/* There are more than fit into the set. */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (uint32_t)online : 1;
}
