#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# topology/torus from 25.05 on: two tori of 4x4x2 by registration whose nodes have four
# GPUs each. Segments with counted GPUs, places given again while Slurm runs, and the order
# of a line's tasks.

bats_require_minimum_version 1.5.0
load topology_support

# cell_text NODE: where it is, from slurm.conf
cell_text()
{
	local tori=(left right) cell=$(($1 % 32))
	echo "${tori[$1 / 32]}:$((cell % 4)):$((cell / 4 % 4)):$((cell / 16))"
}

setup_file()
{
	is_since 25.05 || return 0
	{
		printf '%s\n' GresTypes=gpu CliFilterPlugins=torus
		for i in {0..63}; do
			printf 'NodeName=n%03d CPUs=4 RealMemory=1000 Gres=gpu:4 Topology=default:%s\n' \
				"$i" "$(cell_text "$i")"
		done
	} >"$BATS_FILE_TMPDIR/conf"
	printf 'NodeName=n[000-063] Name=gpu File=/dev/%s\n' null zero full random \
		>"$BATS_FILE_TMPDIR/gres.conf"
	printf 'TorusName=%s Dims=4x4x2 Wrap=all Nodes=by_registration\n' left right \
		>"$BATS_FILE_TMPDIR/torus.conf"
	PLUGINS+=(cli_filter_torus.so)
	topology_start --nodes 64 --cpus 4 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup()
{
	since 25.05
	cd "$BATS_TEST_TMPDIR" || return
}
teardown() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_cancel; }

@test "sixty-four GPUs on sixteen nodes in segments of eight; sixty-three and sixty-five are refused" {
	job=$(allocate -N 16 --gpus=64 --segment=8)
	expect_equal "$(job_nodes "$job" | xargs scontrol show hostnames | wc -l)" 16 nodes
	expect_equal "$(gres_of "$job" | grep -c 'gpu:4')" "$(gres_of "$job" | wc -l)" "lines with four GPUs"
	for gpus in 63 65; do
		run submit -N 16 --gpus=$gpus --segment=8
		[ "$status" != 0 ]
	done
	# Two segments cannot have 63 in equal parts; 62 they can.
	grep -q 'its 2 segments cannot have 63 GRES' "$CLUSTER/log/slurmctld.log"
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -N 16 --gpus=62 --segment=8)
}

@test "nodes given their own places again, twice, and then three segments of twelve" {
	for _ in 1 2; do
		for i in {0..35}; do
			scontrol update nodename="$(printf 'n%03d' "$i")" topology="default:$(cell_text "$i")"
		done
	done
	job=$(allocate -N 36 --segment=12 --exclusive)
	local left=0
	for node in $(scontrol show hostnames "$(job_nodes "$job")"); do
		left=$((left + (10#${node#n} < 32)))
	done
	# Twelves do not cross from one torus to the other.
	expect_equal $((left % 12)) 0 "nodes of the left torus, $left, in twelves"
}

@test "a line of eight: neighbours are one hop apart, task 0 is on the first host" {
	for asked in grid=8 grid=8,shape=4x2x1; do
		salloc -N 8 --ntasks-per-node=1 --exclusive --network="torus:$asked" \
			sh -c 'echo "$SLURM_JOB_NODELIST" >nodes; srun -v --label printenv SLURMD_NODENAME' >tasks 2>said
		order=$(sort -n tasks | sed 's/.*: n//')
		expect_equal "n$(head -n 1 <<<"$order")" "$(scontrol show hostnames "$(cat nodes)" | head -n 1)" "$asked: host of task 0"
		expect_equal "$(wc -l <<<"$order")" 8 "$asked: tasks"
		local before=
		for node in $order; do
			if [ -n "$before" ]; then
				expect_equal "$(hops "$before" "$node")" 1 "$asked: hops from n$before to n$node"
			fi
			before=$node
		done
	done
}
# hops A B: between two nodes of a torus
hops()
{
	local a=$((10#$1 % 32)) b=$((10#$2 % 32)) x y z
	x=$(((a % 4 - b % 4 + 4) % 4))
	y=$(((a / 4 % 4 - b / 4 % 4 + 4) % 4))
	z=$(((a / 16 - b / 16 + 2) % 2))
	echo $(((x > 2 ? 4 - x : x) + (y > 2 ? 4 - y : y) + z))
}
