/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison. */
#ifndef STORUS_SIM_COMPARE_TABLE_H
#define STORUS_SIM_COMPARE_TABLE_H

#include "storus/sim/compare_lines.h"

/* Print the lines. As text, what is the same in all of them stands above the table. */
void storus_compare_print(storus_lines_t *lines, storus_format_t format);

#endif
