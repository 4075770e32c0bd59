/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus place prints: the nodes chosen, and how compact they are. */
#ifndef STORUS_PLACE_REPORT_H
#define STORUS_PLACE_REPORT_H

#include "storus/cli/output.h"
#include "storus/place/decide.h"

/* Print the choice to stdout. Returns STORUS_OK, or STORUS_BAD (message printed). */
int storus_place_report(const storus_place_t *place, storus_format_t format);

#endif
