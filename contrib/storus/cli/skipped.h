/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a log was skipped, and why. */
#ifndef STORUS_CLI_SKIPPED_H
#define STORUS_CLI_SKIPPED_H

#include "sim/skipped.h"

/* Print one line about it on standard error, if anything was skipped. */
void storus_skipped_report(const torus_skipped_t *skipped);

#endif
