#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus and preemption by partition priority, with requeued and with suspended
# preemptees, beside stock select/cons_tres on a cluster of its own: 64 nodes in a 4x4x4 torus.

load select_support

setup_file()
{
	local mode
	# Gang scheduling needs partitions that share by force; jobs take whole nodes there
	# by asking for all CPUs.
	cat >"$BATS_FILE_TMPDIR/requeue.conf" <<-END
		PreemptType=preempt/partition_prio
		PreemptMode=REQUEUE
		PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
	END
	cat >"$BATS_FILE_TMPDIR/suspend.conf" <<-END
		PreemptType=preempt/partition_prio
		PreemptMode=SUSPEND,GANG
		PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP OverSubscribe=FORCE:1
		PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=FORCE:1
	END
	for mode in suspend requeue; do
		CLUSTER=$BATS_FILE_TMPDIR/stock.$mode minicluster up --select cons_tres \
			--dims 4x4x4 --conf-append "$BATS_FILE_TMPDIR/$mode.conf" || return
	done
	CLUSTER_NAME=suspend cluster_start --dims 4x4x4 --wrap all \
		--conf-append "$BATS_FILE_TMPDIR/suspend.conf" || return
	CLUSTER_NAME=requeue cluster_start --dims 4x4x4 --wrap all \
		--conf-append "$BATS_FILE_TMPDIR/requeue.conf"
}

teardown_file()
{
	local name
	for name in stock.requeue stock.suspend suspend requeue; do
		CLUSTER=$BATS_FILE_TMPDIR/$name minicluster down
	done
}

teardown()
{
	local name
	for name in stock.requeue stock.suspend suspend requeue; do
		use_cluster "$name"
		cluster_clear
	done
}

# fill SIZE...: batch jobs of low priority that take so many whole nodes, one after the
# other; their numbers in low[]
fill()
{
	local size job
	low=()
	for size; do
		job=$(submit -p low -N "$size" --ntasks-per-node=2 --requeue) || return
		low+=("$job")
	done
	wait_running "${low[@]}"
}

# urgent OPTION...: a job of high priority
urgent() { submit -p high --ntasks-per-node=2 "$@"; }

restarts() { scontrol -o show job "$1" | sed -nE '1s/.* Restarts=([0-9]+).*/\1/p'; }

# preemptees STATE: how many of low[] are in it
preemptees()
{
	local job count=0
	for job in "${low[@]}"; do
		! in_state "$job" "$1" || ((count += 1))
	done
	echo "$count"
}

# preemptees_of STATE OPTION...: how many jobs an urgent one costs among jobs of sizes[]
preemptees_of()
{
	local state=$1 job
	shift
	fill "${sizes[@]}" || return
	job=$(urgent "$@") || return
	wait_running "$job" || return
	preemptees "$state"
	cluster_cancel
	wait_until 60 all_idle
}

# no_more_preemptees_than_stock CLUSTER STATE NODES...: an urgent job of so many nodes costs at
# least one job, and not more jobs than with select/cons_tres
no_more_preemptees_than_stock()
{
	local cluster=$1 state=$2 nodes stock ours sizes=(4 6 10 3 9 8 12 12)
	shift 2
	for nodes; do
		use_cluster "stock.$cluster"
		stock=$(preemptees_of "$state" -N "$nodes")
		use_cluster "$cluster"
		ours=$(preemptees_of "$state" -N "$nodes")
		echo "# $nodes nodes: $stock preemptees with select/cons_tres, $ours with select/torus" >&3
		[ "$ours" -gt 0 ]
		[ "$ours" -le "$stock" ]
	done
}

@test "requeue: one job makes room for one of its size, is requeued once and described anew" {
	use_cluster requeue
	fill 8 8 8 8 8 8 8 8
	log_mark
	job=$(urgent -N 8)
	wait_running "$job"
	for preemptee in "${low[@]}"; do
		in_state "$preemptee" RUNNING || break
	done
	expect_equal "$(preemptees RUNNING)" 7 "low jobs that still run"
	wait_until 60 in_state "$preemptee" PENDING
	expect_comment "$preemptee" ""
	expect_equal "$(restarts "$preemptee")" 1 "restarts of the preemptee"
	expect_equal "$(log_since | grep -c "preempted JobId=$preemptee has been requeued")" 1 "lines about the preemptee"
	expect_ranks "$job" "$(job_ranks "$job")"
	expect_match "$(token "$job")" ',nodes=8,span=8,'
	# and back again
	scancel "$job"
	scontrol update JobId="$preemptee" StartTime=now+3
	wait_running "$preemptee"
	expect_match "$(token "$preemptee")" ',nodes=8,span=8,'
	expect_equal "$(restarts "$preemptee")" 1 "restarts of the preemptee"
}

@test "requeue: nobody is preempted while there is room" {
	use_cluster requeue
	fill 8 8 8 8 8 8 8
	job=$(urgent -N 8)
	wait_running "$job"
	expect_ranks "$job" 56-63
	expect_equal "$(preemptees RUNNING)" 7 "low jobs that still run"
}

@test "requeue: free nodes and those of a preemptee together" {
	use_cluster requeue
	fill 8 8 8 8 8 8 8
	job=$(urgent -N 12)
	wait_running "$job"
	expect_equal "$(preemptees RUNNING)" 6 "low jobs that still run"
	expect_ranks "$job" "$(job_ranks "$job")"
	expect_equal "$(scontrol show hostnames "$(job_nodes "$job")" | wc -l)" 12 "number of nodes"
}

@test "requeue: never more preemptees than stock Slurm makes" {
	no_more_preemptees_than_stock requeue PENDING 3 7 13 20 33
}

@test "requeue: --contiguous gets an interval from whoever has it" {
	use_cluster requeue
	fill 8 8 8 8 8 8 8 8
	job=$(urgent -N 10 --contiguous)
	wait_running "$job"
	expect_match "$(token "$job")" ',nodes=10,span=10,'
	wait_until 60 eval '[ "$(preemptees PENDING)" = 2 ]'
}

@test "requeue: a shape gets a box from whoever has it" {
	use_cluster requeue
	fill 16 16 16 16
	job=$(urgent -N 8 --network=torus:shape=2x2x2)
	wait_running "$job"
	expect_match "$(token "$job")" ',nodes=8,.*,box=2x2x2,'
	wait_until 60 eval '[ "$(preemptees PENDING)" = 1 ]'
}

@test "suspend: the preemptee stops, keeps nodes and token, and goes on" {
	use_cluster suspend
	fill 8 8 8 8 8 8 8 8
	before=$(for job in "${low[@]}"; do job_nodes "$job"; token "$job"; done)
	job=$(urgent -N 8)
	wait_running "$job"
	wait_until 60 eval '[ "$(preemptees SUSPENDED)" = 1 ]'
	expect_match "$(token "$job")" ',nodes=8,span=8,'
	expect_equal "$(for job in "${low[@]}"; do job_nodes "$job"; token "$job"; done)" "$before" \
		"nodes and tokens of the low jobs"
	for preemptee in "${low[@]}"; do
		! in_state "$preemptee" SUSPENDED || break
	done
	expect_equal "$(job_nodes "$job")" "$(job_nodes "$preemptee")" "nodes of both"
	scancel "$job"
	wait_until 60 in_state "$preemptee" RUNNING
	expect_equal "$(for job in "${low[@]}"; do job_nodes "$job"; token "$job"; done)" "$before" \
		"nodes and tokens of the low jobs"
}

@test "suspend: never more preemptees than stock Slurm makes" {
	no_more_preemptees_than_stock suspend SUSPENDED 3 13 33
}
