#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From topology/torus with dynamic nodes to each of Slurm's own topology plugins, and back,
# from Slurm 24.11 on: nothing in the saved state keeps slurmctld from starting, and jobs
# run on. A 4x2 torus of n[000-003] and dynamic d[004-007].

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 24.11 && has_dynamic_nodes || return 0
	echo MaxNodeCount=12 >"$BATS_FILE_TMPDIR/conf"
	printf '%s\n' "TorusName=main Dims=4x2 Wrap=all Nodes=n[000-003],d[004-007]" \
		Allocator=best_fit >"$BATS_FILE_TMPDIR/torus.conf"
	topology_start --nodes 4 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
	for node in d{004..006}; do dynamic_start "$node"; done
	wait_until 60 node_is 'd[004-006]' idle
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup()
{
	since 24.11
	need_dynamic_nodes
}
teardown()
{
	[ -d "$BATS_FILE_TMPDIR/cluster" ] || return 0
	minicluster status >/dev/null || minicluster start-ctld
	cluster_clear
}

# plug PLUGIN SIGNAL: another TopologyPlugin for all daemons; slurmctld ends with that
plug()
{
	[ "$2" != KILL ] || wait_saved
	minicluster kill-ctld "$2"
	minicluster set "TopologyPlugin=topology/$1"
	minicluster start-ctld
	wait_until 60 all_respond
}

# there_and_back PLUGIN [FILE]: with a job on static and dynamic nodes right through it
there_and_back()
{
	old=$(allocate -w n003,d004 -N 2)
	log_mark
	[ -z "${2-}" ] || cp "$2" "$CLUSTER/etc/"
	plug "$1" TERM
	in_state "$old" RUNNING
	srun --chdir=/ -w n001 -N 1 true
	[ -z "${2-}" ] || rm "$CLUSTER/etc/${2##*/}"
	plug torus TERM
	[ -z "${2-}" ] || cp "$2" "$CLUSTER/etc/"
	plug "$1" KILL
	in_state "$old" RUNNING
	[ -z "${2-}" ] || rm "$CLUSTER/etc/${2##*/}"
	plug torus KILL
	in_state "$old" RUNNING
	expect_equal "$(job_nodes "$old")" d004,n003 "nodes of the job"
	run -1 logged 'Invalid node topology|NODE_FAIL|[Rr]equeue'
	expect_equal "$(place d005)" "d005 Place=main:1:1" place
}

@test "a dynamic node has its place at once, and keeps it" {
	expect_equal "$(place 'd[004,006]' | xargs)" "d004 Place=main:0:1 d006 Place=main:2:1" places
	scontrol create NodeName=d007 CPUs=2 RealMemory=1000 State=CLOUD
	expect_equal "$(place d007)" "d007 Place=main:3:1" place
	! is_since 25.05 || scontrol update NodeName=d005 Topology=
	expect_equal "$(place d005)" "d005 Place=main:1:1" place
	[[ $(scontrol show nodes) != *Topology=* ]]
	scontrol delete NodeName=d007
	expect_equal "$(place d007 2>/dev/null)" "" place
}

@test "to a topology without switches and back" {
	plugin=$(no_topology)
	there_and_back "${plugin#*/}"
}

@test "to topology/tree and back" {
	printf '%s\n' 'SwitchName=s0 Nodes=n[000-003]' >"$BATS_TEST_TMPDIR/topology.conf"
	there_and_back tree "$BATS_TEST_TMPDIR/topology.conf"
}

@test "to topology/block and back" {
	printf '%s\n' 'BlockName=b0 Nodes=n[000-003]' 'BlockSizes=4' >"$BATS_TEST_TMPDIR/topology.conf"
	there_and_back block "$BATS_TEST_TMPDIR/topology.conf"
}

@test "to topology/torus3d and back" {
	since 26.05
	reads_yaml || skip "this Slurm is built without JSON or YAML"
	cat >"$BATS_TEST_TMPDIR/topology.yaml" <<-END
		- topology: default
		  cluster_default: true
		  torus3d:
		    toruses:
		      - name: main
		        dims: {x: 2, y: 2, z: 1}
		        nodes: n[000-003]
		        placements:
		          - dims: {x: 1, y: 1, z: 1}
	END
	there_and_back torus3d "$BATS_TEST_TMPDIR/topology.yaml"
}
