#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The order of a job's tasks by topology/torus with Slurm 26.05: that of storus map, node by
# node. A 4x4x2 torus "main", a mesh "pairs" of 3x3x2 routers with two nodes each, and four
# nodes beside them.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 26.05 || return 0
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=main Dims=4x4x2 Wrap=all Nodes=n[000-031]
		TorusName=pairs Dims=3x3x2 NodesPerRouter=2 Nodes=n[032-067]
	END
	cat >"$BATS_FILE_TMPDIR/partitions.conf" <<-END
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
	END
	topology_start --nodes 72 --cpus 4 --memory 1000 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/partitions.conf"
}
teardown_file() { [ -z "${CLUSTER-}" ] || cluster_stop; }
setup() { since 26.05; }
teardown() { [ -z "${CLUSTER-}" ] || cluster_clear; }

# order JOB OPTION...: the nodes of a step's tasks, by task. By default srun deals a task a
# node out cyclic, which follows the names whatever a plugin says.
order()
{
	local job=$1
	shift
	# shellcheck disable=SC2016 # for the task to expand
	SLURM_JOB_ID=$job timeout 60 srun --chdir=/ "$@" sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' |
		sort -n | cut -d' ' -f2
}

# mapped NODELIST OPTION...: what storus map says of these nodes
mapped()
{
	local nodelist=$1
	shift
	"$STORUS" map --conf "$BATS_FILE_TMPDIR/torus.conf" --nodelist "$nodelist" \
		--format slurm "$@" 2>/dev/null
}

# The budget of a grid in slurmctld: see plugin/topology/order.c
budget=(--budget 0.02)

# scattered FIRST LAST COUNT: so many nodes, by chance
scattered() { seq -f 'n%03g' "$1" "$2" | shuf -n "$3" | sort | paste -sd,; }

@test "a job that says nothing: grid any, on each torus, one task a node and several" {
	local torus per nodes
	for torus in '0 31 13' '0 31 24' '32 67 11' '32 67 30'; do
		# shellcheck disable=SC2086 # several words
		nodes=$(scattered $torus)
		for per in 1 3; do
			count=$((${torus##* } * per))
			job=$(allocate -w "$nodes" -N "${torus##* }" -n $count)
			expect_equal "$(order "$job" -n $count -m block)" \
				"$(mapped "$nodes" --grid any --tasks-per-node $per)" \
				"nodes of the tasks on $nodes, $per a node" || return
			[ $per = 1 ] || expect_equal "$(order "$job" -n $count)" \
				"$(mapped "$nodes" --grid any --tasks-per-node $per)" \
				"nodes of the tasks of plain srun on $nodes" || return
			scancel "$job"
			wait_until 60 all_idle
		done
	done
}

@test "--ntasks-per-node counts, too; a batch job's own steps have the order" {
	nodes=$(scattered 0 31 9)
	cat >"$BATS_TEST_TMPDIR/job" <<-'END'
		#!/bin/sh
		srun sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' | sort -n | cut -d' ' -f2
	END
	sbatch --quiet --wait --chdir=/ -o "$BATS_TEST_TMPDIR/out" -w "$nodes" -N 9 \
		--ntasks-per-node=2 "$BATS_TEST_TMPDIR/job"
	expect_equal "$(cat "$BATS_TEST_TMPDIR/out")" \
		"$(mapped "$nodes" --grid any --tasks-per-node 2)" "nodes of the tasks"
}

@test "a grid: the assignment of storus map for it, with one task a node" {
	nodes=$(scattered 0 31 24)
	job=$(allocate -w "$nodes" -N 24 -n 24 --network=torus:grid=4x3x2)
	expect_equal "$(order "$job" -n 24 -m block)" \
		"$(mapped "$nodes" --grid 4x3x2 "${budget[@]}")" "grid 4x3x2 on $nodes"
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -w "$nodes" -N 24 -n 24 --network=torus:grid=6x4,periodic=xy,stencil=9)
	expect_equal "$(order "$job" -n 24 -m block)" \
		"$(mapped "$nodes" --grid 6x4 --periodic xy --stencil 9 "${budget[@]}")" \
		"grid 6x4 on $nodes"
	scancel "$job"
	wait_until 60 all_idle
	# Without a number of tasks, which the steps say then
	job=$(allocate -w "$nodes" -N 24 --network='torus:grid=auto;stencil=27')
	expect_equal "$(order "$job" -n 24 -m block)" \
		"$(mapped "$nodes" --grid auto --stencil 27 "${budget[@]}")" "grid auto on $nodes"
	scancel "$job"
	nodes=$(scattered 32 67 20)
	job=$(allocate -w "$nodes" -N 20 --network=torus:grid=5x4,periodic=0,1)
	expect_equal "$(order "$job" -n 20 -m block)" \
		"$(mapped "$nodes" --grid 5x4 --periodic y "${budget[@]}")" "grid 5x4 on $nodes"
}

@test "a grid beside a shape" {
	job=$(allocate --network=torus:shape=4x2x2,grid=4x4 -n 16)
	nodes=$(job_nodes "$job")
	expect_equal "$(order "$job" -n 16 -m block)" \
		"$(mapped "$nodes" --grid 4x4 "${budget[@]}")" "grid 4x4 on $nodes"
}

# hops GRID: the sum of hops between neighbours of the grid AxB, whose tasks' nodes of
# "main" are on standard input
hops()
{
	awk -v a="${1%x*}" -v b="${1#*x}" '
		{ n = substr($0, 2) + 0; x[NR - 1] = n % 4; y[NR - 1] = int(n / 4) % 4; z[NR - 1] = int(n / 16) }
		function d(p, q, k, s) { s = p > q ? p - q : q - p; return s < k - s ? s : k - s }
		function h(i, j) { return d(x[i], x[j], 4) + d(y[i], y[j], 4) + d(z[i], z[j], 2) }
		END {
			for (t = 0; t < a * b; t++) {
				if (t % a < a - 1) sum += h(t, t + 1)
				if (t < a * (b - 1)) sum += h(t, t + a)
			}
			print sum
		}'
}

@test "a grid with several tasks a node: blocks in the best order for the grid" {
	local plain grid
	nodes=$(scattered 0 31 16)
	job=$(allocate -w "$nodes" -N 16 -n 64)
	plain=$(order "$job" -n 64)
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -w "$nodes" -N 16 -n 64 --network=torus:grid=32x2)
	grid=$(order "$job" -n 64)
	expect_equal "$(uniq -c <<<"$grid" | awk '{ print $1 }' | sort -u)" 4 "tasks in a row on a node"
	[ "$(hops 32x2 <<<"$grid")" -le "$(hops 32x2 <<<"$plain")" ] ||
		fail "hops $(hops 32x2 <<<"$grid"), without the grid $(hops 32x2 <<<"$plain")"
}

@test "nodes of several tori and beside them: torus by torus, a grid counts for nothing" {
	local of_main of_pairs network
	of_main=$(scattered 0 31 7) of_pairs=$(scattered 32 67 9)
	for network in none torus:grid=6x3; do
		job=$(allocate -w "n070,$of_pairs,$of_main,n068" -N 18 -n 18 --network="$network")
		expect_equal "$(order "$job" -n 18 -m block)" \
			"$(mapped "$of_main" --grid any && mapped "$of_pairs" --grid any &&
				printf 'n068\nn070')" "nodes of the tasks"
		scancel "$job"
		wait_until 60 all_idle
	done
}

@test "a job that was planned, and one of shared nodes, have the order" {
	nodes=$(scattered 0 31 12)
	all=$(allocate -N 72)
	job=$(submit -w "$nodes" -N 12 -n 24 -t 5)
	sleep 3 # backfill plans it
	scancel "$all"
	wait_running "$job"
	expect_equal "$(order "$job" --overlap -n 24)" \
		"$(mapped "$nodes" --grid any --tasks-per-node 2)" "nodes of the tasks"
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -p shared -w "$nodes" -N 12 --ntasks-per-node=2 --mem-per-cpu=1)
	other=$(allocate -p shared -w "$nodes" -N 12 --ntasks-per-node=1 --mem-per-cpu=1)
	expect_equal "$(order "$job" -n 24)" \
		"$(mapped "$nodes" --grid any --tasks-per-node 2)" "nodes of the tasks"
	expect_equal "$(order "$other" -n 12 -m block)" "$(mapped "$nodes" --grid any)" \
		"nodes of the other job's tasks"
}

@test "cyclic and packed tasks are as Slurm has them" {
	nodes=$(scattered 0 31 5)
	job=$(allocate -w "$nodes" -N 5 -n 10)
	expect_equal "$(order "$job" -n 10 -m cyclic)" \
		"$(tr , '\n' <<<"$nodes,$nodes")" "nodes of cyclic tasks"
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -w "$nodes" -N 5 -n 11 -m pack)
	expect_equal "$(order "$job" -n 11 -m block,pack | uniq -c | awk '{ print $1 }' | xargs)" \
		"4 4 1 1 1" "packed tasks"
}

@test "a running job keeps its order whatever the map becomes" {
	nodes=$(scattered 0 31 14)
	job=$(allocate -w "$nodes" -N 14 -n 28)
	before=$(order "$job" -n 28)
	expect_equal "$before" "$(mapped "$nodes" --grid any --tasks-per-node 2)" "nodes of the tasks"
	sed -i 's/Dims=4x4x2 Wrap=all/Dims=2x16/' "$TORUS_CONF"
	reconfigure
	expect_equal "$(order "$job" -n 28)" "$before" "order after reconfigure"
	wait_saved "$job"
	minicluster restart-ctld KILL
	wait_until 60 all_respond
	expect_equal "$(order "$job" -n 28)" "$before" "order after a restart"
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -w "$nodes" -N 14 -n 28)
	after=$(order "$job" -n 28)
	cp "$BATS_FILE_TMPDIR/torus.conf" "$TORUS_CONF"
	reconfigure
	[ "$after" != "$before" ] || fail "a new job has the order of the old map"
}
