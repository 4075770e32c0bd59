/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pending job that could run and waits for a better place. */
#ifndef STORUS_SHOW_WAITING_H
#define STORUS_SHOW_WAITING_H

#include <stdbool.h>

#include "storus/cli/output.h"

/*
 * If the running Slurm has a pending job [id] that waits, print for what, since when and
 * until when at most to standard output, in [format]. Returns whether it has.
 */
bool storus_show_waiting(const char *id, storus_format_t format);

#endif
