#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus on the 320-node 8x8x5 torus: jobs that share nodes, features and weights.
# The nodes are of two kinds: x < 4 are "slow" (weight 10), the others "fast" (weight 20).

load select_support

setup_file()
{
	local extra=$BATS_FILE_TMPDIR/nodes.conf slow='' fast='' node
	for ((node = 0; node < 320; node++)); do
		if ((node % 8 < 4)); then
			printf -v slow '%s,%03d' "$slow" "$node"
		else
			printf -v fast '%s,%03d' "$fast" "$node"
		fi
	done
	cat >"$extra" <<-END
		NodeName=n[${slow#,}] CPUs=4 Feature=slow Weight=10
		NodeName=n[${fast#,}] CPUs=4 Feature=fast Weight=20
		PartitionName=shared Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	cluster_start --dims 8x8x5 --wrap all --conf-append "$extra" \
		--select-params CR_CPU_Memory
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# with_feature NAME: their ranks
with_feature() { ranks_of "$(scontrol -o show nodes | sed -n "s/NodeName=\([^ ]*\).* ActiveFeatures=$1 .*/\1/p" | paste -sd ,)"; }

# fill RANKS CPUS: a job that uses so many CPUs of each of these nodes
fill()
{
	local nodes count
	nodes=$(nodes_at "$1")
	count=$(scontrol show hostnames "$nodes" | wc -l)
	allocate --nodelist="$nodes" -N "$count" --ntasks-per-node="$2" --mem=100
}

@test "lowest weight first, then span" {
	slow=$(with_feature slow)
	first=$(allocate -N 20 --exclusive)
	expect_placed "$first" "$slow" --nodes 20
	slow=$(without "$slow" "$(job_ranks "$first")")
	second=$(allocate -N 139 --exclusive)
	expect_placed "$second" "$slow" --nodes 139
	# one slow node is left: it is taken, and fast ones near it
	last=$(without "$slow" "$(job_ranks "$second")")
	job=$(allocate -N 5 --exclusive)
	expect_placed "$job" "$last,$(with_feature fast)" --nodes 5 --nodelist "$(nodes_at "$last")"
}

@test "--constraint: only nodes with the feature, compactly" {
	fast=$(with_feature fast)
	job=$(allocate -N 12 -C fast --exclusive)
	expect_placed "$job" "$fast" --nodes 12
	job=$(allocate -N 12 -C slow --exclusive)
	expect_placed "$job" "$(with_feature slow)" --nodes 12
}

@test "--constraint: more nodes than have the feature are refused" {
	run submit -N 161 -C fast
	[ "$status" -ne 0 ]
	expect_match "$output" 'Requested node configuration is not available'
}

@test "jobs of one task share nodes, and each is described" {
	first=$(allocate -n 1 --mem=100 -C fast)
	second=$(allocate -n 1 --mem=100 -C fast)
	expect_equal "$(job_nodes "$first")" "$(job_nodes "$second")" "nodes of two small jobs"
	expect_ranks "$second" "$(job_ranks "$first")"
	expect_match "$(token "$second")" ',nodes=1,span=1,box=1x1x1,avghops=0.00'
}

@test "a job of several nodes is placed on those with enough CPUs left" {
	fast=$(with_feature fast)
	first=$(expand_ranks "$fast" | sed -n 1,30p | in_ranges)
	next=$(expand_ranks "$fast" | sed -n 31,35p | in_ranges)
	fill "$first" 3
	fill "$next" 2
	# two CPUs: beside the second job, not beside the first
	two=$(allocate -N 6 --ntasks-per-node=2 --mem=100 -C fast)
	expect_placed "$two" "$(without "$fast" "$first")" --nodes 6
	# one CPU: beside both, but not where two of ours and two of theirs are all four
	one=$(allocate -N 8 --ntasks-per-node=1 --mem=100 -C fast)
	expect_placed "$one" "$(without "$fast" "$(without "$(job_ranks "$two")" "$(without "$fast" "$next")")")" --nodes 8
	# four CPUs: only where nobody is
	four=$(allocate -N 6 --ntasks-per-node=4 --mem=100 -C fast)
	expect_placed "$four" "$(without "$fast" "$first,$next,$(job_ranks "$two"),$(job_ranks "$one")")" --nodes 6
}

@test "a job of several nodes is placed on those with enough memory left" {
	fast=$(with_feature fast)
	first=$(expand_ranks "$fast" | sed -n 4,9p | in_ranges)
	allocate --nodelist="$(nodes_at "$first")" -N 6 --ntasks-per-node=1 --mem=900
	job=$(allocate -N 8 --ntasks-per-node=1 --mem=200 -C fast)
	expect_placed "$job" "$(without "$fast" "$first")" --nodes 8
}

@test "--contiguous where nodes have different numbers of CPUs left: enough in all will do" {
	fill 0-99,103-319 3
	fill 100-102 2
	job=$(submit -N 2 -n 5 --mem=100 --contiguous) # more than two have anywhere
	wait_refused "$job"
	scancel "$job"
	job=$(allocate -N 3 -n 5 --mem=100 --contiguous) # an even share is two, and three have it
	expect_ranks "$job" 100-102
	scancel "$job"
	job=$(allocate -N 4 -n 7 --mem=100 --contiguous) # an even share is two, and four have not
	expect_ranks "$job" 99-102
}

@test "--contiguous with memory for each CPU: as many as the memory is enough for" {
	fill 2-318 3
	fill 319 1
	allocate --nodelist="$(nodes_at 1)" -N 1 -n 1 --mem=850 >/dev/null
	# Four on 0 and three beside it, which 1 has, but memory for one.
	job=$(allocate -N 2 -n 7 --mem-per-cpu=100 --contiguous)
	expect_ranks "$job" 0,319
}

@test "--contiguous is planned on an interval with enough CPUs in all" {
	early=$(nodes_at 7)
	allocate --nodelist="$early" -N 1 -n 4 --mem=100 --time=5 >/dev/null
	fill 0-6,8-319 3
	job=$(submit -N 2 -n 5 --mem=100 --contiguous)
	wait_until 60 planned_on "$job" 6-7
}

@test "-n without -N on shared nodes: Slurm's count, the engine's nodes" {
	fast=$(with_feature fast)
	job=$(allocate -n 40 --mem=100 -C fast)
	expect_placed "$job" "$fast" --nodes 10
}

@test "CPUs are never given twice" {
	jobs=()
	for i in 1 2 3 4 5 6; do
		jobs+=("$(allocate -n 7 --mem=10 -C fast)")
		jobs+=("$(allocate -N 3 -n 3 --mem=10)")
	done
	expect_equal "$(scontrol -o show nodes | sed -E 's/.*CPUAlloc=([0-9]+) .*CPUTot=([0-9]+) .*/\1 \2/' | awk '$1 > $2')" "" "overfull nodes"
	total=$(scontrol -o show nodes | sed -E 's/.*CPUAlloc=([0-9]+) .*/\1/' | awk '{ s += $1 } END { print s }')
	expect_equal "$total" 60 "CPUs in use"
	for job in "${jobs[@]}"; do
		expect_ranks "$job" "$(job_ranks "$job")"
	done
}
