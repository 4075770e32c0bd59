#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus capacity asks a live cluster: nodes, jobs, their ends, and which may be preempted.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-'END'
		TorusName=main Dims=4x4 Nodes=n[000-015] Curve=row_major Allocator=best_fit
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
	for name in now soon daily; do
		scontrol delete reservationname="$name" 2>/dev/null || true
	done
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

# at MOMENT: as capacity prints it
at() { date -d "$1" +%Y-%m-%dT%H:%M:%S; }

@test "reservations: in force, to come, repeated; and as a file of scontrol's own output" {
	job=$(take 'n[000-003]' -p high -t 10)
	soon=$(at "+30 minutes") over=$(at "+2 hours")
	scontrol create reservation reservationname=now starttime=now duration=60 users=root nodes='n[012-015]' flags=maint,ignore_jobs
	scontrol create reservation reservationname=soon starttime="$soon" endtime="$over" users=root nodes='n[004-007]'
	end=$(scontrol show job "$job" | sed -n 's/.*EndTime=\([^ ]*\).*/\1/p')
	first_over=$(scontrol show reservation now | sed -n 's/.*EndTime=\([^ ]*\).*/\1/p')
	run -1 "$STORUS" capacity --shape 4x3
	expect_equal "$(key free) $(key reserved) $(key down) $(key largest_box)" "8 4 0 4x2"
	# rows 0 to 2 when the job has ended, before row 1 is reserved
	expect_equal "$(key shape_first_time) $(key in_the_way_jobs)" "$end $job"
	expect_equal "$(key in_the_way_reservations)" ""
	# for an hour not before both reservations are over
	run -1 "$STORUS" capacity --shape 4x3 --duration 60
	expect_equal "$(key free) $(key reserved) $(key shape_first_time)" "4 8 $over"
	run -1 "$STORUS" capacity --shape 4x4
	expect_equal "$(key shape_first_time)" "$over"
	run -1 "$STORUS" capacity --shape 2x2 --duration 60 --advise 4x2
	# rows 0 and 1, 1 and 2 have a reservation within the hour, and so has row 3
	expect_equal "$(key requeue_jobs)$(key requeue_box)" ""
	expect_equal "$(key wait_until)" "$first_over"
	# the same from files
	{
		squeue -ho '%i %N end=%e'
		scontrol -o show reservation | sed -n \
			's/^ReservationName=\([^ ]*\) StartTime=\([^ ]*\) EndTime=\([^ ]*\) .* Nodes=\([^ ]*\) .*/\1 \4 reservation=yes start=\2 end=\3/p'
	} >"$BATS_TEST_TMPDIR/jobs"
	run -1 "$STORUS" capacity --shape 4x3 --duration 60
	from_slurm=$output
	run -1 "$STORUS" capacity --conf "$BATS_FILE_TMPDIR/torus.conf" --jobs "$BATS_TEST_TMPDIR/jobs" --shape 4x3 --duration 60
	expect_equal "$output" "$from_slurm"
	# every day an hour: never 23 and a half between
	scontrol delete reservationname=soon
	scontrol create reservation reservationname=daily starttime="$soon" duration=60 users=root nodes='n[004-007]' flags=daily
	run -1 "$STORUS" capacity --shape 4x3 --duration 23:30:00
	expect_equal "$(key shape_first_time)" never
	scontrol delete reservationname=daily
	scontrol delete reservationname=now
}
