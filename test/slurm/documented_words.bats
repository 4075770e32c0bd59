#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every sbatch that docs/users.md tells users to type, as it stands there, on an empty
# 8x8x4 torus.

load select_support

setup_file()
{
	is_since 24.11 && segments=yes
	export segments=${segments-}
	cluster_start --dims 8x8x4 --wrap all --exclusive --cpus 4
	printf '#!/bin/sh\n' >"$BATS_FILE_TMPDIR/job.sh"
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# commands: one a line, as the shell gets them: a bar is \| in a table
commands()
{
	sed -nE 's/^\|.*\| `(sbatch .*)` \|$/\1/p' "$TORUS_SRCDIR/docs/users.md" |
		sed 's/\\|/|/g'
}

is_completed() { [ "$(job_state "$1")" = COMPLETED ]; }

@test "every sbatch of docs/users.md is accepted, and its job runs" {
	local command job
	commands >"$BATS_TEST_TMPDIR/commands"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/commands")" -ge 12 ]
	cd "$BATS_FILE_TMPDIR"
	while read -r command; do
		[[ $command != *--segment* || $segments ]] || continue
		job=$(bash -c "${command/sbatch/sbatch --parsable -o /dev/null}") ||
			fail "refused: $command"
		wait_until 60 is_completed "$job" || fail "does not run: $command"
		# A box, 24 nodes of which somebody else has none, or as many as the box has
		expect_match "$(token "$job")" ',nodes=(24|32|64),' "token for $command"
	done <"$BATS_TEST_TMPDIR/commands"
}
