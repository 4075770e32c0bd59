#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plans that backfill asks for twice and select/torus makes once (plugin/select/asked_twice.h).
# That they are the same as plans made anew, among random jobs: select_rows.bats.

bats_require_minimum_version 1.5.0
load select_support

setup() { only_select "is asked by Slurm's plugin, twice"; }
teardown() { [ -z "${CLUSTER:-}" ] || cluster_stop; }

@test "a kept plan answers the second question, and no other" {
	local library directory
	library=$(find "${SLURM_PREFIX:-/usr}"/lib* -name libslurmfull.so -print -quit)
	directory=${library%/*}
	# shellcheck disable=SC2046 # several words
	cc -O1 -Wall -Wextra -DHAVE_CONFIG_H -o "$BATS_TEST_TMPDIR/asked_twice" "$TORUS_SRCDIR/test/slurm/asked_twice.c" \
		"$TORUS_SRCDIR/plugin/select/asked_twice.c" $(slurm_flags) -I "$TORUS_PLUGIN_DIR/.." \
		-I "$TORUS_SRCDIR/plugin" -I "$TORUS_SRCDIR/common" -rdynamic -pthread -L "$directory" -lslurmfull \
		"-Wl,-rpath,$directory"
	run -0 "$BATS_TEST_TMPDIR/asked_twice"
	expect_match "$output" '^[1-9][0-9]* cases, 0 failed$'
}

# plans JOB: how its plans have come about since log_mark, those that start later
plans() { log_since | sed -n "s/.*select\/torus: plan: JobId=$1 \([a-z]*\) wait=[1-9].*/\1/p"; }
planned() { [ "$(plans "$1" | wc -l)" -ge "$2" ]; }

# expect_plans "MADE..." OPTION...: how the first four plans of a job come about that has to wait
expect_plans()
{
	local job
	log_mark
	job=$(submit "${@:2}")
	wait_until 60 planned "$job" 2
	# Something has changed: backfill plans again.
	scontrol update JobId="$job" Comment=touched
	wait_until 60 planned "$job" 4
	expect_equal "$(plans "$job" | head -4 | xargs)" "$1" "plans"
	scancel "$job"
}

@test "backfill's second question is answered by the first plan where processors are not shared" {
	cat >"$BATS_TEST_TMPDIR/conf" <<-'END'
		PartitionName=plain Nodes=ALL Default=YES MaxTime=INFINITE State=UP
		PartitionName=yes Nodes=ALL OverSubscribe=YES:2 MaxTime=INFINITE State=UP
		SchedulerParameters=bf_interval=1,bf_resolution=1
	END
	checked_start --dims 4x2x2 --cpus 4 --conf-append "$BATS_TEST_TMPDIR/conf"
	running=$(allocate -n 60 -t 30)
	expect_plans "made kept made kept" -n 20 -t 5
	expect_plans "made kept made kept" -N 3 -t 5
	# The limit counts only in the second question.
	expect_plans "made made made made" -N 3 --ntasks-per-node=3 -t 5
	# Sharing counts only in the second question.
	expect_plans "made made made made" -p yes --oversubscribe -n 20 -t 5
	in_state "$running" RUNNING
	expect_equal "$(grep -E 'error: .*plan: ' "$CONTROLLER_LOG" | head -20)" "" "differences"
}
