/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Node names whose last three characters are coordinates, as Slurm's topology/3d_torus
 * reads them: x, y and z, each 0 to 9 or, for 10 to 35, A to Z.
 */
#ifndef STORUS_CONVERT_NAMES_H
#define STORUS_CONVERT_NAMES_H

#include "base/error.h"
#include "storus/convert/converted.h"

/*
 * Add the torus "main" to [machine], for the nodes: as large as three characters can say,
 * all its dimensions wrapped. NULL with [err] filled as storus_converted_add_torus().
 */
storus_converted_torus_t *storus_names_begin(storus_converted_t *machine,
					     torus_error_t *err);

/*
 * Add the nodes of a hostlist. Beside what base/hostlist.h reads, a bracket at the end of
 * a name may hold what a Slurm built for three dimensions writes: boxes such as
 * "[000x733]", and coordinates and ranges with letters, such as "[00A-00F]", which count
 * to the base 36. A range such as "[000-013]", which has 14 names to the base 10 and 40
 * to the base 36, is refused: which it is depends on how Slurm was built.
 *
 * Returns 0, or -1 with [err] filled: that, a name that does not end in coordinates, and
 * the errors of a hostlist.
 */
int storus_names_add(storus_converted_torus_t *torus, const char *hosts,
		     torus_error_t *err);

/* When all are added: make the sides of [torus] the highest coordinates plus one. */
void storus_names_fit(storus_converted_torus_t *torus);

#endif
