#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A few of the kills of test/slurm/crash, which by hand does thousands: what slurmctld showed
# before one is there after it.

bats_require_minimum_version 1.5.0
load select_support

# killed KIND KILLS OPTION...: at a time that another run does not have
killed()
{
	run "$TORUS_SRCDIR/test/slurm/crash" "${VIA[@]}" --only "$1" --kills "$2" "${@:3}" \
		--dir "$BATS_TEST_TMPDIR/crash"
	echo "$output"
	# shellcheck disable=SC2154 # set by run
	[ "$status" -eq 0 ]
	expect_match "${lines[-1]}" "^# sums kills=$2 .* lost=0 "
}

@test "slurmctld killed at steps of writing its state" {
	killed step 6 --first-step $((1 + RANDOM % 120))
}

@test "slurmctld killed as soon as a change can be seen" { killed at-once 4; }

@test "slurmctld killed when nothing has changed for as long as it takes to save" {
	killed quiet 3
	expect_match "${lines[-1]}" ' old=[1-9]'
}

@test "the first of two slurmctlds killed, and the second one, too" {
	[ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null || skip "needs root's rights and UTS namespaces"
	run "$TORUS_SRCDIR/test/slurm/crash" "${VIA[@]}" --takeover --kills 5 \
		--first-step $((1 + RANDOM % 40)) --dir "$BATS_TEST_TMPDIR/crash"
	echo "$output"
	# shellcheck disable=SC2154 # set by run
	[ "$status" -eq 0 ]
	expect_match "${lines[-1]}" "^# sums kills=[5-9] .* lost=0 "
}
