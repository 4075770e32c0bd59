# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The build that is tested, and the Slurm that it was made for.
#
# Environment: TORUS_PLUGIN_DIR (in a build directory), STORUS (the command built there).

: "${TORUS_PLUGIN_DIR:?in a build directory}"
: "${STORUS:?the command storus}"

# from_makefile NAME: a variable of the build directory's
from_makefile() { sed -n "s/^$1 = //p" "$TORUS_PLUGIN_DIR/../Makefile"; }

# source_tree: Slurm's; configured_tree: where its config.h is
source_tree() { from_makefile SLURM_SRC_CPPFLAGS | sed 's/.* -I//'; }
configured_tree() { from_makefile SLURM_SRC_CPPFLAGS | sed 's/-I\([^ ]*\) .*/\1/'; }

# library NAME: that slurmctld or storus is linked to
library()
{
	ldd "$(command -v slurmctld)" "$STORUS" | sed -n "s/.*$1\.so[.0-9]* => \([^ ]*\).*/\1/p" |
		head -n 1
}
