#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tori as units that Slurm knows by name, from Slurm 24.11 on: in lists of nodes, for jobs that
# want one for themselves, in what scontrol shows and moves. a: 4x2 of n[000-007], b: 2x2x2
# of n[008-015], c: 2x2 with n016 and n017 and two holes; n018 and n019 are on none.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 24.11 || return 0
	cd "$BATS_FILE_TMPDIR" || return
	printf '%s\n' 'TorusName=a Dims=4x2 Wrap=x Nodes=n[000-007]' \
		'TorusName=b Dims=2x2x2 Wrap=all Nodes=n[008-015]' \
		'TorusName=c Dims=2x2 Coords=c.coords' Allocator=best_fit >torus.conf
	printf '%s\n' 'n016 0 0' 'n017 1 1' >c.coords
	printf '%s\n' 'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
		"PartitionName=a Nodes=$(unit a) MaxTime=INFINITE State=UP" \
		'PartitionName=alone Nodes=ALL MaxTime=INFINITE State=UP ExclusiveTopo=YES' >conf
	topology_start --nodes 20 --torus-conf torus.conf --copy c.coords --conf-append conf
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup() { since 24.11; }
teardown()
{
	[ -d "$BATS_FILE_TMPDIR/cluster" ] || return 0
	scontrol delete ReservationName=units 2>/dev/null || true
	cluster_clear
}

# The words of lists: before 26.05 Slurm has them for blocks and switches only.
if is_since 26.05; then WORD=torus; else WORD=block; fi
# unit TORUS, with NODE: all nodes of that torus, or of that node's
unit() { echo "$WORD{$1}"; }
with() { echo "${WORD}with{$1}"; }

# reserved: the nodes of the reservation
reserved() { scontrol show reservation units | sed -n 's/^ *Nodes=\([^ ]*\).*/\1/p'; }
reserve()
{
	scontrol create ReservationName=units StartTime=now+1hour Duration=60 Users=root Nodes="$1"
}

@test "a torus in the nodes of a partition" {
	expect_equal "$(scontrol show partition a | sed -n 's/^ *Nodes=//p')" 'n[000-007]' nodes
	job=$(allocate -p a -N 8)
	expect_equal "$(job_nodes "$job")" 'n[000-007]' nodes
}

@test "a torus in the nodes of a reservation" {
	reserve "$(unit b)"
	expect_equal "$(reserved)" 'n[008-015]' nodes
	scontrol update ReservationName=units Nodes="$(with n003),n019"
	expect_equal "$(reserved)" 'n[000-007,019]' nodes
	scontrol update ReservationName=units Nodes="$(with n018)"
	expect_equal "$(reserved)" n018 "nodes of the torus of a node that is on none"
	run scontrol update ReservationName=units Nodes="$(unit nothing)"
	[ "$status" -ne 0 ]
	expect_equal "$(reserved)" n018 nodes
}

@test "a torus in the lists of a job" {
	job=$(submit -w "$(with n003)" -N 8)
	wait_running "$job"
	expect_equal "$(job_nodes "$job")" 'n[000-007]' nodes
	other=$(allocate -x "$(unit a),$(unit b)" -N 4)
	expect_equal "$(job_nodes "$other")" 'n[016-019]' nodes
	run sbatch -w "$(unit nothing)" --wrap true
	[ "$status" -ne 0 ]
	expect_match "$output" 'Invalid node name'
}

@test "--exclusive=topo: alone on its torus" {
	since 25.05
	alone=$(allocate --exclusive=topo -N 2 -w 'n[008-009]')
	expect_equal "$(sinfo -h -n n010 -o %T | sort -u)" blocked "state of a neighbour"
	[ -z "$(starts cluster -w n010)" ]
	free=$(starts cluster -w n017)
	# Who waits for a whole torus waits for the one whose jobs end; the partition says the same.
	partly=$(allocate -w n000)
	[ -z "$(starts cluster --exclusive=topo -w n001)" ]
	[ -z "$(starts cluster -p alone -w n001)" ]
	scancel "$partly"
	wait_until 30 in_state "$partly" CANCELLED
	second=$(starts cluster -p alone -w n001)
	[ -z "$(starts cluster -w n000)" ]
	scancel "$alone"
	wait_until 30 in_state "$alone" CANCELLED
	wait_until 10 node_is n010 idle
	third=$(starts cluster -w n010)
	in_state "$free" RUNNING
	in_state "$second" RUNNING
	in_state "$third" RUNNING
}

@test "--exclusive=topo: a job takes a torus that nobody uses, with a shape too" {
	since 25.05
	allocate -w n000
	job=$(allocate --exclusive=topo -N 3)
	expect_equal "$(nodes_on "$job" 000-007)" "" "nodes on the torus with a job"
	scancel "$job"
	wait_until 30 in_state "$job" CANCELLED
	job=$(allocate --exclusive=topo --network=torus:shape=2x2)
	expect_match "$(token "$job")" 'torus=b,nodes=4,'
	# Nothing else comes upon it: the only other box is on the first torus.
	other=$(allocate --network=torus:shape=2x2)
	expect_match "$(token "$other")" 'torus=a,nodes=4,'
}

@test "--exclusive=topo: jobs have it to themselves after a restart of slurmctld" {
	since 25.05
	job=$(allocate --exclusive=topo -N 2 -w 'n[008-009]')
	wait_saved
	minicluster restart-ctld KILL
	wait_until 60 all_respond
	in_state "$job" RUNNING
	[ -z "$(starts cluster -w n010)" ]
	scancel "$job"
	wait_until 30 in_state "$job" CANCELLED
	starts cluster -w n010
}

@test "scontrol show topology unit=" {
	what=b
	! is_since 25.05 || what=unit=b
	expect_equal "$(scontrol show topology "$what" | sed -n 's/ .*//p')" TorusName=b torus
}

@test "scontrol show topoconf: what storus convert makes the same machine of" {
	since 26.05
	reads_yaml || skip "this Slurm is built without JSON or YAML"
	scontrol show topoconf >"$BATS_TEST_TMPDIR/topology.yaml"
	"$STORUS" convert --topology-yaml "$BATS_TEST_TMPDIR/topology.yaml" \
		--output "$BATS_TEST_TMPDIR/torus.conf"
	for torus in a b c; do
		"$STORUS" curve --conf "$BATS_TEST_TMPDIR/torus.conf" --torus $torus --curve row_major
	done | awk '{ print $2, $3, $4, $5 }' | sort >"$BATS_TEST_TMPDIR/theirs"
	for torus in a b c; do
		"$STORUS" curve --conf "$TORUS_CONF" --torus $torus --curve row_major
	done | awk '{ print $2, $3, (NF > 4 ? $4 : 0), $NF }' | sort >"$BATS_TEST_TMPDIR/ours"
	expect_equal "$(wc -l <"$BATS_TEST_TMPDIR/ours")" 18 nodes
	diff "$BATS_TEST_TMPDIR/ours" "$BATS_TEST_TMPDIR/theirs"
}

@test "a node goes where torus.conf has it, and nowhere else" {
	since 25.05
	log_mark
	expect_equal "$(place n017)" "n017 Place=c:1:1" place
	scontrol update NodeName=n017 Topology=default:c:1:1
	for unit in c:0:1 c:5:5 c nothing:0:1 c:0:0; do
		run scontrol update NodeName=n017 Topology=default:$unit
		[ "$status" -ne 0 ]
		logged "error: topology/torus: node n017 can not be moved to $unit: torus.conf has it at c:1:1; change"
	done
	expect_equal "$(place n017)" "n017 Place=c:1:1" place
	sed -i 's/^n017 .*/n017 0 1/' "$CLUSTER/etc/c.coords"
	job=$(allocate -w n017)
	run scontrol update NodeName=n017 Topology=default:c:0:1
	[ "$status" -ne 0 ]
	logged 'node n017 can not be moved to c:0:1: jobs run on it; drain it'
	scancel "$job"
	wait_until 30 in_state "$job" CANCELLED
	wait_until 30 node_is n017 idle
	old=$(allocate -w 'n[000-002]' -N 3)
	before=$(token "$old")
	log_mark
	run scontrol update NodeName=n017 Topology=default:c:0:1
	if [ "$TORUS_VIA" = both ]; then
		[ "$status" -ne 0 ]
		logged 'select/torus has a map as well; use scontrol reconfigure'
		reconfigure
	else
		[ "$status" -eq 0 ]
		logged 'node n017 is now at c:0:1: the map of torus.conf is in force'
	fi
	expect_equal "$(place n017)" "n017 Place=c:0:1" place
	[[ $(scontrol show node n017) != *Topology=* ]]
	in_state "$old" RUNNING
	expect_equal "$(token "$old")" "$before" "token of a job that runs"
	minicluster restart-ctld TERM
	wait_until 60 all_respond
	expect_equal "$(place n017)" "n017 Place=c:0:1" place
	in_state "$old" RUNNING
	run -1 grep -aq c:0:1 "$CLUSTER/state/node_state"
	job=$(allocate -w n016,n017 -N 2)
	expect_match "$(token "$job")" 'torus=c,nodes=2,.*avghops=1.00'
	sed -i 's/^n017 .*/n017 1 1/' "$CLUSTER/etc/c.coords"
	scancel "$job"
	wait_until 30 in_state "$job" CANCELLED
	reconfigure
}

@test "a node that is moved with a torus.conf that can not be read stays" {
	since 25.05
	cp "$TORUS_CONF" "$BATS_TEST_TMPDIR/"
	log_mark
	echo "Curv=hilbert" >>"$TORUS_CONF"
	run scontrol update NodeName=n017 Topology=default:c:0:1
	cp "$BATS_TEST_TMPDIR/torus.conf" "$TORUS_CONF"
	[ "$status" -ne 0 ]
	logged 'error: topology/torus: .*torus.conf:[0-9]+: .*Curv'
	expect_equal "$(place n017)" "n017 Place=c:1:1" place
}

@test "the words for lists mean what they mean with topology/torus3d" {
	since 26.05
	reads_yaml || skip "this Slurm is built without JSON or YAML"
	scontrol show topoconf | sed 's/placements: \[\]/placements: [{dims: {x: 1, y: 1, z: 1}}]/' |
		grep -vE '^ *((block|flat|ring|tree): \{\}|nodes:|regions: \[\]) *$' >"$BATS_TEST_TMPDIR/topology.yaml"
	for list in "torus{b}" "toruswith{n017}" "toruswith{n018}" "torus{a},n019"; do
		reserve "$list"
		echo "$list $(reserved)"
		scontrol delete ReservationName=units
	done >"$BATS_TEST_TMPDIR/ours"
	CLUSTER=$BATS_TEST_TMPDIR/torus3d minicluster up --nodes 20 --select cons_tres \
		--copy "$BATS_TEST_TMPDIR/topology.yaml"
	for list in "torus{b}" "toruswith{n017}" "toruswith{n018}" "torus{a},n019"; do
		(
			export SLURM_CONF=$BATS_TEST_TMPDIR/torus3d/etc/slurm.conf
			reserve "$list"
			echo "$list $(reserved)"
			scontrol delete ReservationName=units
		)
	done | grep -v '^Reservation created' >"$BATS_TEST_TMPDIR/theirs"
	CLUSTER=$BATS_TEST_TMPDIR/torus3d minicluster down
	sed -i '/^Reservation created/d' "$BATS_TEST_TMPDIR/ours"
	expect_equal "$(wc -l <"$BATS_TEST_TMPDIR/ours")" 4 lists
	diff "$BATS_TEST_TMPDIR/ours" "$BATS_TEST_TMPDIR/theirs"
}
