#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Decision equality: through random starts and ends of jobs on the 320-node 8x8x5 torus,
# the nodes that slurmctld chooses are, decision by decision, those that the engine alone
# chooses for the same free set.  The script "decisions" does the work.

load select_support

setup_file() { cluster_start --dims 8x8x5 --wrap all --exclusive; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# follow ALLOCATOR COUNT
follow()
{
	sed -i '/^Allocator=/d' "$TORUS_CONF"
	echo "Allocator=$1" >>"$TORUS_CONF"
	reconfigure
	"$BATS_TEST_DIRNAME/decisions" "$@" >"$BATS_TEST_TMPDIR/summary" || return
	sed 's/^/# /' "$BATS_TEST_TMPDIR/summary" >&3
}

@test "best_fit: 500 decisions like the engine's" { follow best_fit 500; }

@test "first_fit: 100 decisions like the engine's" { follow first_fit 100; }

@test "sum_of_squares: 100 decisions like the engine's" { follow sum_of_squares 100; }

@test "free_list: 100 decisions like the engine's" { follow free_list 100; }

@test "compact: 150 decisions like the engine's" { follow compact 150; }
