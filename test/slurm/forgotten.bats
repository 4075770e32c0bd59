#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One kill of slurmctld right after starts that it has not saved, half a minute;
# test/slurm/forgotten by itself makes more.

bats_require_minimum_version 1.5.0
load select_support

@test "slurmctld killed right after starts: no node is given while a forgotten process runs" {
	[ "$TORUS_VIA" = select ] || skip "with select/torus it is tested"
	run -0 "$TORUS_SRCDIR/test/slurm/forgotten" --kills 1 "${VIA[@]}" --expect-none --dir "$BATS_TEST_TMPDIR/work"
	echo "$output"
	expect_match "${lines[-1]}" ': 1 kills, [0-9]+ starts seen, [0-9]+ forgotten, 0 nodes given '
}
