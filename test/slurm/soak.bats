#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short soak; "make soak" runs the long one.

load select_support

@test "soak: 250 jobs on two tori, whole, shared and with GPUs; nodes fail, slurmctld is killed twice" {
	"$TORUS_SRCDIR/test/slurm/soak" --jobs 250 --kills 2 "${VIA[@]}"
}
