#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What slurmctld's log says of jobs that can not run, now or for ever: once a job. A mesh of
# 4x4 nodes.

bats_require_minimum_version 1.5.0
load select_support

setup_file() { cluster_start --dims 4x4 --exclusive; }
teardown_file() { cluster_stop; }
teardown()
{
	scontrol update nodename=n000,n005 state=resume 2>/dev/null || true
	cluster_clear
}

# lines_of JOB: how many lines the log has since the mark that the job can not run, and how
# many of these say "now"
lines_of()
{
	log_since | awk -v job="JobId=$1 can not run" '
		index($0, job) { lines++; now += index($0, job " now: ") > 0 }
		END { print lines + 0, now + 0 }'
}

# slurmctld looks at what waits whenever a job ends
poke() { srun -n1 -w n015 true; }

@test "jobs that wait for drained nodes are in the log once at most, as not running now" {
	local first second third
	scontrol update nodename=n000,n005 state=drain reason=test
	log_mark
	first=$(submit --network=torus:shape=4x4)
	second=$(submit -N 16 --contiguous)
	third=$(submit --network=torus:shape=3x4)
	for _ in 1 2 3 4 5 6; do
		poke
	done
	in_state "$first" PENDING
	in_state "$second" PENDING
	in_state "$third" PENDING
	for job in "$first" "$second" "$third"; do
		read -r lines now < <(lines_of "$job")
		[ "$lines" -le 1 ] || fail "$lines lines of job $job" "$(log_since)"
		expect_equal "$lines" "$now" "lines that say now, job $job"
	done
	scontrol update nodename=n000,n005 state=resume
	for job in "$first" "$second" "$third"; do
		wait_running "$job"
		scancel "$job"
	done
}

@test "a job that can never run is in the log once, and not as something of today" {
	log_mark
	! submit --network=torus:shape=5x1 2>/dev/null || fail "it was accepted"
	expect_equal "$(log_since | grep -c 'can not run: no box of shape 5x1')" 1 lines
	expect_equal "$(log_since | grep -c 'can not run now')" 0 "lines about now"
}

@test "a shape that one of two partitions has is said to be missing in the other" {
	scontrol create partition=row nodes=n[000-003] state=up oversubscribe=exclusive
	log_mark
	job=$(submit -p row,all --network=torus:shape=2x2) ||
		fail "refused" "$(log_since | tail)"
	wait_running "$job"
	! logged "JobId=$job can not run: " || fail "$(log_since | grep 'can not run')"
	scancel "$job"
	cluster_clear
	scontrol delete partition=row
}
