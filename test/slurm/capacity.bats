#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus capacity asks a live cluster: nodes, jobs, their ends, and which may be preempted.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-'END'
		TorusName=main Dims=4x4 Nodes=n[000-015] Curve=row_major
	END
	cat >"$BATS_FILE_TMPDIR/more.conf" <<-'END'
		PreemptType=preempt/partition_prio
		PreemptMode=REQUEUE
		PartitionName=low Nodes=ALL PriorityTier=1 OverSubscribe=EXCLUSIVE
		PartitionName=high Nodes=ALL PriorityTier=9 OverSubscribe=EXCLUSIVE
	END
	cluster_start --nodes 16 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/more.conf"
}
teardown_file() { cluster_stop; }
teardown()
{
	scontrol update nodename=ALL state=resume 2>/dev/null || true
	cluster_clear
}

# take NODES OPTION...: a job on exactly these nodes; prints its number
take()
{
	allocate --nodelist="$1" --nodes="$(scontrol show hostnames "$1" | wc -l)" \
		--exclusive "${@:2}"
}

# key NAME: its value in $output
key() { sed -n "s/^$1 //p" <<<"$output"; }

@test "an idle cluster" {
	run -0 "$STORUS" capacity --shape 2x2
	expect_equal "$(key free) $(key largest_interval) $(key largest_box)" "16 16 4x4"
	expect_equal "$(key shape_at_once_least) $(key shape_first_time)" "4 now"
}

@test "jobs, their limits, partitions that may be preempted, and nodes that are down" {
	dear=$(take 'n[000-003]' -p high -t 10)
	cheap=$(take 'n[008-011]' -p low -t 20)
	scontrol update nodename=n015 state=drain reason=test
	run -1 "$STORUS" capacity --shape 2x3 --advise 2x3
	expect_equal "$(key free) $(key down) $(key largest_box)" "7 1 4x1"
	# 3x2 from n000 on when the dear one ends, first of all; the other one may be preempted
	expect_equal "$(key shape_first_time)" "$(scontrol show job "$dear" | sed -n 's/.*EndTime=\([^ ]*\).*/\1/p')"
	expect_equal "$(key requeue_jobs) $(key requeue_preemptible)" "$cheap 1"
	expect_equal "$(key wait_jobs)" "$dear"
	# the whole machine never: n015 is drained
	run -1 "$STORUS" capacity --shape 4x4 --advise 4x4
	expect_equal "$(key shape_first_time) $(key in_the_way_jobs) $(key in_the_way_down)" \
		"never $dear,$cheap n015"
	expect_equal "$(key requeue_jobs)" ""
	# the upper half waits for the job of ten minutes
	run -1 "$STORUS" capacity --shape 4x2 --advise 4x2 --drain n005
	expect_equal "$(key shape_first_time)" "$(scontrol show job "$dear" | sed -n 's/.*EndTime=\([^ ]*\).*/\1/p')"
	expect_equal "$(key requeue_jobs)" "$cheap"
	expect_equal "$(key drain_free) $(key drain_largest_box)" "6 3x1"
}
