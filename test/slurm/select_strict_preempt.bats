#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Strict jobs (a shape, --contiguous) that preempt, where other jobs that may not be
# preempted share nodes with the preemptees: 64 nodes in a 4x4x4 torus, with requeued and
# with suspended preemptees. Those of partition "firm" stay, on the nodes with z = 0.

bats_require_minimum_version 1.5.0
load select_support

# partitions MODE LOW_OVERSUBSCRIBE
partitions()
{
	cat <<-END
		PreemptType=preempt/partition_prio
		PreemptMode=$1
		PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP OverSubscribe=$2
		PartitionName=firm Nodes=ALL PriorityTier=1 PreemptMode=OFF MaxTime=INFINITE State=UP OverSubscribe=$2
		PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=$2
	END
}

setup_file()
{
	partitions REQUEUE NO >"$BATS_FILE_TMPDIR/requeue.conf"
	partitions SUSPEND,GANG FORCE:1 >"$BATS_FILE_TMPDIR/suspend.conf"
	for name in requeue suspend; do
		CLUSTER_NAME=$name cluster_start --dims 4x4x4 --wrap all \
			--conf-append "$BATS_FILE_TMPDIR/$name.conf" || return
	done
}
teardown_file() { for name in requeue suspend; do use_cluster $name; cluster_stop; done; }
teardown() { for name in requeue suspend; do use_cluster $name; cluster_clear; done; }

# occupied: one processor of each node by a job of "low", the other one by another; where
# z = 0 that is one of "firm"
occupied()
{
	local job jobs=()
	jobs+=("$(submit -p firm --nodelist='n[000-015]' -N 16 --ntasks-per-node=1)") || return
	wait_running "${jobs[@]}" || return
	for ((i = 0; i < 64; i += 8)); do
		job=$(printf 'n[%03d-%03d]' "$i" $((i + 7)))
		jobs+=("$(submit -p low --requeue --nodelist="$job" -N 8 \
			--ntasks-per-node=$((i < 16 ? 1 : 2)))") || return
	done
	wait_running "${jobs[@]}"
}

urgent() { submit -p high --ntasks-per-node=2 "$@"; }

# free_of_firm JOB: it has no node of those with z = 0
free_of_firm()
{
	wait_running "$1" || fail "$(scontrol show job "$1")" || return
	run grep -xE 'n0(0[0-9]|1[0-5])' <(scontrol show hostnames "$(job_nodes "$1")")
	[ "$status" -eq 1 ] || fail "job $1 has $(job_nodes "$1")"
}

# preempts CLUSTER OPTION...: an urgent job with these options starts where nobody is firm
preempts()
{
	use_cluster "$1"
	shift
	occupied
	job=$(urgent "$@")
	free_of_firm "$job"
}

# whole_interval JOB: span and nodes are equal
whole_interval() { expect_match "$(token "$1")" 'nodes=([0-9]+),span=\1,'; }

@test "requeue: an ordinary job" { preempts requeue -N 8; }
@test "requeue: a shape" { preempts requeue --network=torus:shape=2x2x2; }
@test "requeue: --contiguous" { preempts requeue -N 10 --contiguous && whole_interval "$job"; }
@test "requeue: --contiguous with a range of nodes" { preempts requeue -N 4-8 --contiguous && whole_interval "$job"; }
@test "requeue: --contiguous with tasks" { preempts requeue -n 12 --contiguous && whole_interval "$job"; }
@test "suspend: an ordinary job" { preempts suspend -N 8; }
@test "suspend: a shape" { preempts suspend --network=torus:shape=2x2x2; }
@test "suspend: --contiguous" { preempts suspend -N 10 --contiguous && whole_interval "$job"; }
@test "suspend: --contiguous with a range of nodes" { preempts suspend -N 4-8 --contiguous && whole_interval "$job"; }

@test "requeue: only those whose nodes it gets are preempted" {
	use_cluster requeue
	occupied
	job=$(urgent --network=torus:shape=2x2x1)
	free_of_firm "$job"
	wait_until 60 eval '[ "$(squeue -h -t PD -p low -o %A | wc -l)" -gt 0 ]'
	[ "$(squeue -h -t PD -p low -o %A | wc -l)" -le 2 ]
}

@test "requeue: one that no preemption helps waits" {
	use_cluster requeue
	occupied
	job=$(urgent --network=torus:shape=4x4x4)
	wait_refused "$job"
	sleep 3
	expect_equal "$(squeue -h -t PD -p low -o %A | wc -l)" 0 "preemptees in vain"
}
