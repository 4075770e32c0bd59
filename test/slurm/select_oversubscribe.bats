#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Partitions that share processors (OverSubscribe=YES:n and FORCE:n), beside stock
# select/cons_tres on the same configuration: 64 nodes in a 4x4x4 torus.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/partitions.conf" <<-END
		PartitionName=force Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
		PartitionName=yes Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=YES:2
	END
	pair_start --dims 4x4x4 --wrap all --conf-append "$BATS_FILE_TMPDIR/partitions.conf"
}
teardown_file() { pair_stop; }
teardown() { pair_clear; }

# full PARTITION [SIZE]: jobs of SIZE nodes (default 8) hold all processors; jobs[]
full()
{
	local size=${2:-8} i
	jobs=()
	for ((i = 0; i < 64 / size; i++)); do
		jobs+=("$(submit -p "$1" --oversubscribe -N "$size" --ntasks-per-node=2)") || return
	done
	wait_running "${jobs[@]}"
}

# starts OPTION...: it runs beside the others; $job
starts()
{
	job=$(submit --oversubscribe --ntasks-per-node=2 "$@") || return
	wait_running "$job" || fail "$(scontrol show job "$job")"
}

# below JOB: how many of jobs[] have nodes of it
below()
{
	local nodes other count=0
	nodes=$(scontrol show hostnames "$(job_nodes "$1")")
	for other in "${jobs[@]}"; do
		! grep -qxF "$nodes" <(scontrol show hostnames "$(job_nodes "$other")") ||
			((count += 1))
	done
	echo "$count"
}

for_both_partitions=(force yes)

@test "an ordinary job shares, upon one other job" {
	shared()
	{
		full force
		starts -p force -N 8
		expect_equal "$(below "$job")" 1 "jobs below in $CLUSTER"
		starts -p force -N 8
		expect_equal "$(below "$job")" 1 "jobs below in $CLUSTER"
	}
	pair_do shared
	use_cluster torus
	whole=$(token "$job")
	expect_match "$whole" 'nodes=8,span=8,box=2x2x2,'
}

@test "an ordinary job of tasks shares, upon one other job" {
	shared()
	{
		full force 4
		job=$(submit -p force -n 8)
		wait_running "$job" || return
		expect_equal "$(below "$job")" 1 "jobs below in $CLUSTER"
	}
	pair_do shared
}

@test "with YES:2 only who asks for it shares" {
	shared()
	{
		full yes
		starts -p yes -N 8
		waiting=$(submit -p yes --ntasks-per-node=2 -N 8)
		wait_refused "$waiting"
	}
	pair_do shared
}

@test "a shape shares where there is no other box" {
	use_cluster torus
	for partition in "${for_both_partitions[@]}"; do
		full "$partition"
		starts -p "$partition" --network=torus:shape=2x2x4
		expect_match "$(token "$job")" 'box=(2x2x4|2x4x2|4x2x2),'
		cluster_clear
	done
}

@test "--contiguous shares where there is no other interval" {
	use_cluster torus
	for partition in "${for_both_partitions[@]}"; do
		full "$partition"
		starts -p "$partition" -N 12 --contiguous
		expect_match "$(token "$job")" 'nodes=12,span=12,'
		cluster_clear
	done
}

@test "no strict job shares more than the partition allows" {
	use_cluster torus
	full force
	starts -p force --network=torus:shape=4x4x4
	job=$(submit -p force --ntasks-per-node=2 --network=torus:shape=2x2x2)
	wait_refused "$job"
	scancel "${jobs[0]}"
	wait_running "$job"
}

@test "an idle box is better than a shared one" {
	use_cluster torus
	full force
	scancel "${jobs[3]}"
	wait_until 60 eval '! squeue -h -o %A | grep -qx "${jobs[3]}"'
	unset 'jobs[3]'
	starts -p force --network=torus:shape=2x2x2
	expect_equal "$(below "$job")" 0 "jobs below"
}

@test "processors of a job that somebody has suspended are given to others" {
	suspended()
	{
		full yes 64
		scontrol suspend "${jobs[0]}"
		wait_until 60 in_state "${jobs[0]}" SUSPENDED
		other=$(submit -p yes --ntasks-per-node=2 -N 8)
		wait_running "$other" || return
		scancel "${jobs[0]}"
	}
	# Some releases never forget which partitions have had jobs on a node.
	pair_do minicluster restart-ctld
	pair_do wait_until 60 all_idle
	pair_do suspended
	use_cluster torus
	expect_match "$(token "$other")" 'nodes=8,span=8,'
}
