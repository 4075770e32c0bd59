#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs that wait for a better place although they could run (within=, near=, Patience=): a 4x4
# mesh, of which other jobs often hold every second node, so that no two free ones are
# neighbours.

bats_require_minimum_version 1.5.0
load select_support

# Every second node, as on a board of chess
BLACK=000,002,005,007,008,010,013,015

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		PreemptType=preempt/partition_prio
		PreemptMode=REQUEUE
		PartitionName=all Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=left Nodes=n[000-007] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=right Nodes=n[008-015] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
	END
	cluster_start --dims 4x4 --wrap none --curve row_major --exclusive \
		--conf-append "$BATS_FILE_TMPDIR/conf"
	cp "$TORUS_CONF" "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { cluster_stop; }
teardown()
{
	if ! cmp -s "$TORUS_CONF" "$BATS_FILE_TMPDIR/torus.conf"; then
		cp "$BATS_FILE_TMPDIR/torus.conf" "$TORUS_CONF"
		reconfigure
	fi
	cluster_clear
}

# hold NUMBERS [OPTION]...: an allocation of n[NUMBERS]; prints its job's number
hold()
{
	allocate -w "n[$1]" -N "$(tr ',' '\n' <<<"$1" | wc -l)" "${@:2}"
}

# waiting JOB FIELD: of the token of a job that waits
waiting() { system_comment "$1" | sed -nE "s/.*torus_wait=([^ ]*,)?$2=([^, ]*).*/\2/p"; }
waits() { [[ $(system_comment "$1") == *torus_wait=* ]]; }
seconds() { date -d "$1" +%s; }
# patience_of JOB: how many seconds it waits at most
patience_of() { echo $(($(seconds "$(waiting "$1" until)") - $(seconds "$(waiting "$1" since)"))); }
started() { [ "$(job_state "$1")" = RUNNING ]; }
has_state() { [ "$(job_state "$1")" = "$2" ]; }
# start_time JOB: when it started, or is expected to
start_time() { seconds "$(scontrol -o show job "$1" | sed -nE '1s/.* StartTime=([^ ]*).*/\1/p')"; }
# expected_at JOB SECOND [SLACK]: whether slurmctld says that it will start then
expected_at()
{
	local start
	start=$(start_time "$1" 2>/dev/null) || return 1
	((start >= $2 - ${3:-2} && start <= $2 + ${3:-2}))
}

@test "within=: a job waits that long for its box, then starts without" {
	hold "$BLACK"
	local job until
	job=$(submit -N 2 --network=torus:shape=2x1,within=0:20)
	wait_until 10 waits "$job"
	expect_match "$(system_comment "$job")" \
		'^torus_wait=shape,since=[0-9T:-]+[+-][0-9]{4},until=[0-9T:-]+[+-][0-9]{4}$' token
	until=$(seconds "$(waiting "$job" until)")
	expect_equal $((until - $(seconds "$(waiting "$job" since)"))) 20 "seconds of patience"
	! is_since 26.05 || wait_until 15 has_reason "$job" No_suitable_topology_unit_found
	wait_until 40 started "$job"
	[ "$(start_time "$job")" -ge "$until" ]
	expect_match "$(token "$job")" 'torus=main,nodes=2,.*avghops=[2-6].00'
	! waits "$job" || false
}

@test "within=: a box that comes in time is taken" {
	hold 003,007,011,015
	local other job
	other=$(hold 000,002,005,008,010,013)
	job=$(submit -N 4 --network=torus:shape=2x2,within=10)
	wait_until 10 waits "$job"
	scancel "$other"
	wait_until 20 started "$job"
	expect_match "$(token "$job")" 'torus=main,nodes=4,.*box=2x2'
}

@test "within=: a box without --nodes gets as many nodes" {
	hold "$BLACK"
	local job
	job=$(submit --network='torus:shape=3x2,within=0:05')
	wait_until 40 started "$job"
	expect_match "$(token "$job")" 'torus=main,nodes=6'
}

@test "--contiguous waits within=, too" {
	hold "$BLACK"
	local job
	job=$(submit -N 3 --contiguous --network=torus:within=0:10)
	wait_until 10 waits "$job"
	expect_equal "$(waiting "$job" until | wc -l)" 1
	expect_match "$(system_comment "$job")" '^torus_wait=contiguous,'
	wait_until 30 started "$job"
	expect_match "$(token "$job")" 'torus=main,nodes=3'
}

@test "within=0 takes a box that is free, and does not wait" {
	hold 003,007,011,015
	local job
	job=$(submit -N 4 --network=torus:shape=2x2,within=0)
	wait_until 10 started "$job"
	expect_match "$(token "$job")" 'box=2x2'
	hold 002,013
	job=$(submit -N 4 --network=torus:shape=2x2,within=0)
	wait_until 10 started "$job"
}

@test "a shape that can never be is refused, with patience, too" {
	run ! sbatch -N 5 --network=torus:shape=5x1,within=10 --wrap true
	expect_match "$output" "node configuration is not available"
	run ! sbatch -N 5 --network=torus:shape=any,within=10 --wrap true
}

@test "a plan names the end of the patience, and keeps nodes for it" {
	hold "$BLACK" --time=600
	local job until other
	job=$(submit -N 6 --time=30 --network=torus:shape=3x2,within=5)
	wait_until 10 waits "$job"
	until=$(seconds "$(waiting "$job" until)")
	wait_until 20 expected_at "$job" "$until"
	# There are 8 free nodes: 2 for long jobs, 6 for those that end before.
	other=$(submit -N 3 --time=60 --nice=100)
	sleep 4
	expect_equal "$(job_state "$other")" PENDING
	other=$(submit -N 3 --time=2 --nice=200)
	wait_until 20 started "$other"
}

@test "a plan names the time at which there will be a box, if that comes first" {
	hold 003,007,011,015 --time=600
	local other end job
	other=$(hold 000,002,005,008,010,013 --time=3)
	end=$(seconds "$(scontrol -o show job "$other" | sed -nE '1s/.* EndTime=([^ ]*).*/\1/p')")
	job=$(submit -N 4 --time=30 --network=torus:shape=2x2,within=30)
	wait_until 10 waits "$job"
	wait_until 20 expected_at "$job" "$end" 31
}

@test "held and put off jobs keep their patience" {
	hold "$BLACK"
	local held later
	held=$(submit -N 2 --hold --network=torus:shape=2x1,within=0:20)
	later=$(submit -N 2 --begin=now+8 --network=torus:shape=2x1,within=0:20)
	sleep 6
	! waits "$held" || false
	! waits "$later" || false
	scontrol release "$held"
	wait_until 10 waits "$held"
	wait_until 20 waits "$later"
	(($(seconds "$(waiting "$held" until)") >= $(date +%s) + 12))
	# Held again, and released: from the beginning.
	local until
	until=$(seconds "$(waiting "$held" until)")
	scontrol hold "$held"
	sleep 3
	scontrol release "$held"
	later_than() { (($(seconds "$(waiting "$held" until)") > until + 2)); }
	wait_until 10 later_than
}

@test "each task of an array has its own time" {
	hold "$BLACK"
	local job
	job=$(submit -N 2 --array=1-2 --network=torus:shape=2x1,within=0:08)
	wait_until 30 started "${job}_1"
	wait_until 10 waits "${job}_2"
	wait_until 30 started "${job}_2"
	(($(start_time "${job}_2") >= $(start_time "${job}_1") + 8))
}

@test "a heterogeneous job waits within=, too, and starts whole" {
	hold "$BLACK"
	local job
	job=$(submit -N 2 --network=torus:shape=2x1,within=0:15 : -N 3)
	wait_until 10 waits "$job"
	sleep 5
	expect_equal "$(squeue -h -t R -o %A -j "$job")" "" "components that run"
	wait_until 60 started "$job"
	expect_equal "$(squeue -h -t R -o '%D' -j "$job" | sort | xargs)" "2 3" "nodes of its components"
	(($(start_time "$job") >= $(seconds "$(scontrol -o show job "$job" | sed -nE '1s/.* SubmitTime=([^ ]*).*/\1/p')") + 15))
}

@test "a restart and a new configuration keep the time" {
	hold "$BLACK"
	local job since
	job=$(submit -N 2 --network=torus:shape=2x1,within=10)
	wait_until 10 waits "$job"
	run -0 "$STORUS" show "$job"
	expect_match "$output" $'^job '"$job"$'\nwaits_for shape\n.*\nuntil 20'
	since=$(waiting "$job" since)
	reconfigure
	expect_equal "$(waiting "$job" since)" "$since"
	minicluster restart-ctld
	wait_until 120 all_respond
	expect_equal "$(waiting "$job" since)" "$since"
}

# Nothing but the beginning of its time has changed since the last save of slurmctld.
@test "a crash keeps the time, once it has been there as long as slurmctld takes to save" {
	hold "$BLACK"
	local job comment
	job=$(submit -N 2 --begin=now+8 --network=torus:shape=2x1,within=10)
	wait_until 90 waits "$job"
	comment=$(system_comment "$job")
	wait_saved
	minicluster restart-ctld KILL
	expect_equal "$(system_comment "$job")" "$comment" "what it waits for after the kill"
	wait_until 120 all_respond
	sleep 2
	expect_equal "$(system_comment "$job")" "$comment" "what it waits for when it has been looked at again"
}

@test "a requeued job has its time anew" {
	hold "$BLACK"
	local job since
	job=$(submit -N 2 --requeue --network=torus:shape=2x1,within=0:05)
	wait_until 30 started "$job"
	scontrol requeue "$job"
	wait_until 30 has_state "$job" PENDING
	scontrol update JobId="$job" StartTime=now+1
	wait_until 60 waits "$job"
	(($(seconds "$(waiting "$job" since)") > $(date +%s) - 30))
}

@test "a job that waits for a box preempts for it, as with --switches" {
	local preemptee job
	preemptee=$(submit -N 16 --requeue)
	wait_until 20 started "$preemptee"
	scancel "$preemptee"
	wait_until 30 all_idle
	preemptee=$(submit -N 8 --requeue -w "n[$BLACK]")
	wait_until 20 started "$preemptee"
	job=$(submit -p high -N 4 --network=torus:shape=2x2,within=10)
	wait_until 60 started "$job"
	expect_match "$(token "$job")" 'box=2x2'
}

@test "near=: a job waits for a place as near as it wants" {
	hold "$BLACK"
	local other job
	job=$(submit -N 4 --network=torus:near=1.2,within=0:15)
	wait_until 10 waits "$job"
	expect_match "$(system_comment "$job")" '^torus_wait=near,'
	wait_until 40 started "$job"
	scancel "$job"
	wait_until 30 nodes_idle 8
	job=$(submit -N 4 --network=torus:near=3,within=10)
	wait_until 10 started "$job"
	scancel "$job"
	cluster_clear
	other=$(hold "$BLACK")
	job=$(submit -N 4 --network=torus:near=1,within=10)
	wait_until 10 waits "$job"
	scancel "$other"
	wait_until 20 started "$job"
	expect_match "$(token "$job")" 'avghops=1.[0-6]'
}

@test "near=: a plan names when there will be such a place, or the end of the patience" {
	hold 003,007,011,015 --time=600
	local other end job until
	other=$(hold 000,002,005,008,010,013 --time=3)
	end=$(seconds "$(scontrol -o show job "$other" | sed -nE '1s/.* EndTime=([^ ]*).*/\1/p')")
	job=$(submit -N 4 --time=30 --network=torus:near=1,within=30)
	wait_until 10 waits "$job"
	wait_until 20 expected_at "$job" "$end" 31
	scancel "$job"
	job=$(submit -N 4 --time=30 --network=torus:near=1,within=1)
	wait_until 10 waits "$job"
	until=$(seconds "$(waiting "$job" until)")
	wait_until 20 expected_at "$job" "$until"
	scancel "$job"
	# No end in sight: planned for the place, and nothing else
	job=$(submit -N 4 --time=30 --network=torus:near=1,within=infinite)
	wait_until 10 waits "$job"
	expect_match "$(waiting "$job" until)" '^4[0-9]{3}-'
	wait_until 20 expected_at "$job" "$end" 31
}

@test "Patience= is for jobs that say nothing, PatienceMax= for all" {
	echo 'Patience=1.2@0:30 PatienceMax=1' >>"$TORUS_CONF"
	reconfigure
	hold "$BLACK"
	local job
	job=$(submit -N 4)
	wait_until 10 waits "$job"
	expect_match "$(system_comment "$job")" '^torus_wait=near,'
	expect_equal "$(patience_of "$job")" 30
	scancel "$job"
	job=$(submit -N 2 --network=torus:shape=2x1,within=1-0)
	wait_until 10 waits "$job"
	expect_equal "$(patience_of "$job")" 60
	scancel "$job"
	job=$(submit -N 2 --network=torus:shape=2x1,within=infinite)
	wait_until 10 waits "$job"
	expect_equal "$(patience_of "$job")" 60
	scancel "$job"
	job=$(submit -N 4 --network=torus:within=0)
	wait_until 10 started "$job"
}

@test "a torus may have its own; of several in the partition the least patient counts" {
	cat >"$TORUS_CONF" <<-END
		TorusName=left Dims=2x4 Nodes=n[000-007] Patience=1.2@0:40
		TorusName=right Dims=2x4 Nodes=n[008-015] PatienceMax=0:20
		Allocator=best_fit
	END
	reconfigure
	hold 000,002,005,007 -p left
	hold 008,010,013,015 -p right
	local job
	job=$(submit -p left -N 3)
	wait_until 10 waits "$job"
	expect_equal "$(patience_of "$job")" 40 "seconds on the left"
	scancel "$job"
	job=$(submit -p right -N 3)
	wait_until 10 started "$job"
	scancel "$job"
	wait_until 30 nodes_idle 8
	job=$(submit -N 3)
	wait_until 10 started "$job"
	scancel "$job"
	wait_until 30 nodes_idle 8
	job=$(submit -p left --network=torus:shape=2x2,within=0:50)
	wait_until 10 waits "$job"
	expect_equal "$(patience_of "$job")" 50 "seconds of its own on the left"
	scancel "$job"
	job=$(submit --network=torus:shape=2x2,within=0:50)
	wait_until 10 waits "$job"
	expect_equal "$(patience_of "$job")" 20 "seconds of its own on either"
}
