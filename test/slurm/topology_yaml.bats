#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A topology.yaml beside our plugins, from Slurm 25.05 on. It makes TopologyPlugin= void, and
# whoever has named topology/torus there is told; select/torus works with it: flat for one
# partition, tree for another. 4x4 torus, two switches of eight nodes.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	reads_yaml || return 0
	[ "$TORUS_VIA" != topology ] || return 0
	cat >"$BATS_FILE_TMPDIR/topology.yaml" <<-END
		- topology: plain
		  cluster_default: true
		  flat: true
		- topology: switches
		  cluster_default: false
		  tree:
		    switches:
		      - switch: top
		        children: s[0-1]
		      - switch: s0
		        nodes: n[000-007]
		      - switch: s1
		        nodes: n[008-015]
	END
	cat >"$BATS_FILE_TMPDIR/partitions" <<-END
		PartitionName=flat Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=tree Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE Topology=switches
	END
	cluster_start --dims 4x4 --wrap all --copy "$BATS_FILE_TMPDIR/topology.yaml" \
		--conf-append "$BATS_FILE_TMPDIR/partitions"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup()
{
	reads_yaml || skip "Slurm is older than 25.05, or built without JSON or YAML"
	[ "$TORUS_VIA" != topology ] || skip "of ours, select/torus is what works with one"
}
teardown() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_clear; }

VOID='TopologyPlugin=topology/torus is without effect'

@test "slurmctld's log and storus show tell that TopologyPlugin is void, and only then" {
	run -0 --separate-stderr "$STORUS" show
	# shellcheck disable=SC2154 # set by run
	if [ "$TORUS_VIA" = both ]; then
		grep -q "error: select/torus: $VOID" "$CONTROLLER_LOG"
		expect_match "$stderr" "$VOID: .*topology.yaml"
	else
		run -1 grep "$VOID" "$CONTROLLER_LOG"
		expect_equal "$stderr" "" "messages"
	fi
	mv "$CLUSTER/etc/topology.yaml" "$BATS_TEST_TMPDIR/"
	sed -i 's/ Topology=switches//' "$SLURM_CONF"
	log_mark
	minicluster restart-ctld TERM
	run -1 logged "$VOID"
	run -0 --separate-stderr "$STORUS" show
	expect_equal "$stderr" "" "messages"
	mv "$BATS_TEST_TMPDIR/topology.yaml" "$CLUSTER/etc/"
	sed -i '/^PartitionName=tree/s/$/ Topology=switches/' "$SLURM_CONF"
	minicluster restart-ctld TERM
	wait_until 60 all_respond
}

@test "jobs of a flat partition are placed on the curve" {
	job=$(allocate -p flat -N 5)
	expect_placed "$job" 0-15 --nodes 5
	second=$(allocate -p flat -N 4 --contiguous)
	expect_placed "$second" "$(all_but "$(job_ranks "$job")")" --nodes 4 --contiguous
	third=$(allocate -p flat --network=torus:shape=2x2)
	expect_match "$(token "$third")" ',nodes=4,.*,box=2x2,'
}

@test "jobs of a partition with switches, too; what the tree refuses it chooses itself" {
	job=$(allocate -p tree -N 5)
	expect_placed "$job" 0-15 --nodes 5
	all=$(allocate -p tree -N 11)
	expect_equal "$(job_ranks "$all")" "$(all_but "$(job_ranks "$job")")" ranks
	scancel "$job" "$all"
	wait_until 60 nodes_idle 16
	# One leaf switch is asked for, and no piece of the curve may be needed for it.
	job=$(allocate -p tree -N 8 --switches=1)
	expect_match "$(job_nodes "$job")" '^n\[(000-007|008-015)\]$' nodes
}
