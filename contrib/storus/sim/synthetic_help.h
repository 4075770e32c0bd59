/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help says about synthetic workloads. */
#ifndef STORUS_SIM_SYNTHETIC_HELP_H
#define STORUS_SIM_SYNTHETIC_HELP_H

#include <stdio.h>

/* Print the kinds of workloads with their parameters. */
void storus_synthetic_help(FILE *file);

#endif
