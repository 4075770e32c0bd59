/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processors of this host. */
#ifndef TORUS_BASE_PROCESSORS_H
#define TORUS_BASE_PROCESSORS_H

#include <stdint.h>

/* How many this process may use (sched_setaffinity(2)): 1 or more. */
uint32_t torus_processors(void);

#endif
