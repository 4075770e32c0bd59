#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# test/slurm/leaks, where the Slurm at hand is built for it.

bats_require_minimum_version 1.5.0

# leaks OPTION...: passes, or is skipped with its reason
leaks()
{
	run "$TORUS_SRCDIR/test/slurm/leaks" --dir "$BATS_TEST_TMPDIR/leaks" "$@"
	[ "$status" -ne 77 ] || skip "${output#*skipped: }"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "topology/torus leaks nothing, and uses nothing after it was freed" { leaks; }

@test "select/torus leaks nothing, and uses nothing after it was freed" { leaks --select torus --topology ''; }
