#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which nodes topology/torus gives to jobs, from Slurm 24.11 on: what the engine chooses
# among the nodes that Slurm offers. 8x8x5 torus, partitions whole and shared, 4 CPUs a node.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/partitions" <<-END
		DefMemPerCPU=10
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
		PartitionName=spread Nodes=ALL MaxTime=INFINITE State=UP LLN=YES
	END
	topology_start --dims 8x8x5 --wrap all --cpus 4 --conf-append "$BATS_FILE_TMPDIR/partitions"
}
teardown_file() { cluster_stop; }
setup() { since 24.11; }
teardown() { cluster_clear; }

# start_random FREE: jobs of random sizes one after the other, as many as fit for sure;
# adds "job size" of each to STARTS
start_random()
{
	local left size
	left=$(expand_ranks "$1" | wc -l)
	while size=$((1 + RANDOM % (RANDOM % 4 ? 7 : 30))) && ((size <= left)); do
		STARTS+=("$(submit -N "$size") $size")
		left=$((left - size))
	done
}
none_pending() { [ -z "$(squeue -h -t PD -o %A)" ]; }
# requeued: those that are; fails if none is
requeued() { scontrol -o show jobs | grep -oE '^JobId=[0-9]+ .* Restarts=[1-9]' | grep -oE '^JobId=[0-9]+'; }

@test "random starts: the nodes that storus place chooses among those that are free" {
	local seed=${TORUS_TEST_SEED:-$RANDOM}
	RANDOM=$seed
	echo "# seed: TORUS_TEST_SEED=$seed"
	free=0-319
	count=0
	anew=0
	while ((count < ${TORUS_TEST_STARTS:-200})); do
		STARTS=()
		start_random "$free"
		wait_until 120 none_pending
		squeue -h -o '%A %N' >"$BATS_TEST_TMPDIR/jobs"
		if requeued >"$BATS_TEST_TMPDIR/requeued"; then
			# A node was too slow to launch it: what was free since is not known.
			echo "# begun anew: requeued by Slurm: $(<"$BATS_TEST_TMPDIR/requeued")"
			((++anew <= 3)) || fail "jobs are requeued again and again"
			cluster_clear
			free=0-319
			continue
		fi
		for start in "${STARTS[@]}"; do
			read -r job size <<<"$start"
			ranks=$(ranks_of "$(sed -n "s/^$job //p" "$BATS_TEST_TMPDIR/jobs")")
			[ -n "$ranks" ] || fail "job $job has no nodes: $(scontrol -o show job "$job")
				$(grep "JobId=${job}[ :]" "$CONTROLLER_LOG" | tail)"
			expect_equal "$ranks" \
				"$(ranks_of "$(engine_field nodes --free "$free" --nodes "$size")")" \
				"start $count: job $job on $size of $free"
			free=$(without "$free" "$ranks")
			((++count))
		done
		# Some of all jobs end, so that the next ones find holes.
		while read -r job nodes; do
			((RANDOM % 3)) || continue
			echo "$job"
			free=$({ expand_ranks "$free"; expand_ranks "$(ranks_of "$nodes")"; } | in_ranges)
		done <"$BATS_TEST_TMPDIR/jobs" >"$BATS_TEST_TMPDIR/ended"
		xargs scancel <"$BATS_TEST_TMPDIR/ended"
		wait_until 120 nodes_idle "$(expand_ranks "$free" | wc -l)"
	done
	echo "# $count starts"
}

@test "tasks without a node count: as few nodes as hold them, close together" {
	occupy 3-9,12-20
	job=$(allocate -p shared -n 21)
	expect_placed "$job" "$(all_but 3-9,12-20)" --nodes 6
	by_engine "$job"
	job=$(allocate -p shared -n 5 -c 3)
	by_engine "$job"
	expect_match "$(token "$job")" ',nodes=5,span=5,'
}

@test "a range of nodes: as many as there are" {
	occupy_all_but 10-13,40-41
	job=$(allocate -N 2-9)
	expect_ranks "$job" 10-13,40-41
	scancel "$job"
	wait_until 30 nodes_idle 6
	job=$(allocate -N 2-4)
	expect_ranks "$job" 10-13
}

@test "shared nodes: a job fits beside others, and lies as close as it can" {
	allocate -p shared -w "$(nodes_at 0-319)" -N 320 --ntasks-per-node=2 >/dev/null
	occupied=$(allocate -p shared -w "$(nodes_at 100-199)" -N 100 --ntasks-per-node=1)
	job=$(allocate -p shared -N 8 --ntasks-per-node=2)
	expect_placed "$job" "$(without 0-319 100-199)" --nodes 8
	by_engine "$job"
	job=$(allocate -p shared -N 100 --ntasks-per-node=1 --contiguous)
	by_engine "$job"
	expect_match "$(token "$job")" ',nodes=100,span=100,'
	scancel "$occupied"
}

@test "more processors than an even share: what only a mixture holds is started all the same" {
	allocate -p shared -w "$(nodes_at 0-319)" -N 320 --ntasks-per-node=3 >/dev/null
	first=$(squeue -h -o %A | head -n 1)
	job=$(allocate -p shared -N 2 -n 2)
	by_engine "$job"
	scancel "$first" "$job"
	wait_until 30 nodes_idle 320
	allocate -p shared -w "$(nodes_at 1-319)" -N 319 --ntasks-per-node=3 >/dev/null
	job=$(allocate -p shared -N 2 -n 5) # four of one node, one of another
	wait_running "$job"
	scancel "$job"
	wait_until 30 nodes_idle 1
	job=$(allocate -p shared -N 2 -n 5 --contiguous)
	by_engine "$job"
	expect_match "$(grep "JobId=$job .* by=engine" "$CONTROLLER_LOG")" ' count=2 span=2 '
}

@test "where a rule of Slurm's own says which nodes, it has its way" {
	occupied=$(allocate -p shared -w "$(nodes_at 0-99)" -N 100 --ntasks-per-node=1)
	job=$(allocate -p spread -N 3 -n 3)
	expect_equal "$(without "$(job_ranks "$job")" 0-99)" "$(job_ranks "$job")" "least loaded nodes"
	not_by_engine "$job"
	job=$(allocate -p shared --spread-job -n 30)
	not_by_engine "$job"
	expect_equal "$(scontrol show hostnames "$(job_nodes "$job")" | wc -l)" 30 nodes
	scancel "$occupied"
}

@test "backfill: planned nodes are close together too" {
	allocate -N 300 -t 10 >/dev/null
	long=$(submit -N 100 -t 10)
	wait_until 60 scheduled "$long"
	expect_equal "$(scheduled_nodes "$long")" 100 "planned nodes"
	short=$(submit -N 12 -t 5)
	wait_running "$short"
	by_engine "$short"
}
scheduled_nodes() { scontrol show hostnames "$(scontrol -o show job "$1" | sed -nE 's/.* SchedNodeList=([^ ]*).*/\1/p')" | wc -l; }
scheduled() { [ "$(scheduled_nodes "$1")" -gt 0 ]; }
