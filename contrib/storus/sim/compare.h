/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus sim compare: a matrix of simulations, in one table. */
#ifndef STORUS_SIM_COMPARE_H
#define STORUS_SIM_COMPARE_H

/* As the subcommands of commands.h; argv[0] is "compare", and overwritten. */
int storus_sim_compare(int argc, char **argv);

#endif
