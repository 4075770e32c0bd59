#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From Slurm's topology/torus3d (26.05) to topology/torus and back, with jobs that run and wait, and what
# docs/from-torus3d.md says of either: a 4x2x2 torus of n[000-015] and two nodes on none.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 26.05 && reads_yaml && [ "$TORUS_VIA" = topology ] || return 0
	cat >"$BATS_FILE_TMPDIR/topology.yaml" <<-'END'
		- topology: default
		  cluster_default: true
		  torus3d:
		    toruses:
		      - name: main
		        dims: {x: 4, y: 2, z: 2}
		        nodes: n[000-015]
		        placements:
		          - dims: {x: 2, y: 2, z: 1}
		          - dims: {x: 4, y: 2, z: 1}
	END
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	minicluster up --nodes 18 --select cons_tres --exclusive --plugin-dir "$TORUS_PLUGIN_DIR" \
		--copy "$BATS_FILE_TMPDIR/topology.yaml" --debug-level debug || return
	eval "$(minicluster env)"
	export SLURM_CONF TORUS_CONF=$CLUSTER/etc/torus.conf CONTROLLER_LOG=$CLUSTER/log/slurmctld.log
	export TORUS=main
	"$STORUS" convert --topology-yaml "$BATS_FILE_TMPDIR/topology.yaml" \
		--output "$BATS_FILE_TMPDIR/torus.conf" || return
	cp "$BATS_FILE_TMPDIR/torus.conf" "$TORUS_CONF"
	learn_ranks
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup()
{
	since 26.05
	reads_yaml || skip "this Slurm is built without JSON or YAML"
	[ "$TORUS_VIA" = topology ] || skip "it is about topology/torus alone"
}
teardown()
{
	[ -d "$BATS_FILE_TMPDIR/cluster" ] || return 0
	minicluster status >/dev/null || minicluster start-ctld
	cluster_clear
}

# to_torus SIGNAL, to_torus3d SIGNAL: the steps of the page; the running slurmctld ends so
to_torus()
{
	minicluster kill-ctld "$1"
	rm "$CLUSTER/etc/topology.yaml"
	minicluster set TopologyPlugin=topology/torus
	minicluster start-ctld
	minicluster restart-nodes
	wait_until 60 all_respond
}
to_torus3d()
{
	minicluster kill-ctld "$1"
	cp "$BATS_FILE_TMPDIR/topology.yaml" "$CLUSTER/etc/"
	minicluster set TopologyPlugin=topology/flat
	minicluster start-ctld
	minicluster restart-nodes
	wait_until 60 all_respond
}

# What Slurm takes and refuses, as the heads of these files say it: convert.bats converts them.
@test "slurmctld takes and refuses the topologies of the tests of storus convert" {
	local file CLUSTER=$BATS_TEST_TMPDIR/other said ctld
	echo 'NodeName=node[01-32],a[1-4],b7,t[00-31] CPUs=2' >"$BATS_TEST_TMPDIR/nodes.conf"
	# Its own cluster, for the nodes that these files name; only its slurmctld is started anew.
	minicluster up --nodes 1 --register-only --conf-append "$BATS_TEST_TMPDIR/nodes.conf"
	minicluster kill-ctld
	for file in "$TORUS_SRCDIR"/test/cli/topology_yaml/*.yaml; do
		cp "$file" "$CLUSTER/etc/topology.yaml"
		: >"$CLUSTER/log/slurmctld.log"
		SLURM_CONF=$CLUSTER/etc/slurm.conf slurmctld -D -c -f "$CLUSTER/etc/slurm.conf" 3>&- >/dev/null 2>&1 &
		ctld=$!
		wait_until 30 eval 'grep -q "Running as primary" "$CLUSTER/log/slurmctld.log" || has_ended "$ctld"'
		said=refuses
		! grep -q "Running as primary" "$CLUSTER/log/slurmctld.log" || said=takes
		kill -KILL "$ctld" 2>/dev/null || true
		wait "$ctld" || true
		grep -qx "# slurmctld $said this." "$file" || fail "${file##*/}: slurmctld $said it"
	done
	minicluster down
}

addresses()
{
	# shellcheck disable=SC2016 # for the task to expand
	srun --chdir=/ -w "$1" -N 4 sh -c 'echo $SLURMD_NODENAME $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN' |
		sort
}

# lists: what the words for lists of nodes stand for
lists()
{
	local list
	for list in 'torus{main}' 'toruswith{n003}' 'toruswith{n017}'; do
		scontrol -Q create ReservationName=r StartTime=now+1hour Duration=60 Users=root \
			Nodes="$list" >/dev/null
		scontrol show reservation r | sed -n 's/^ *Nodes=\([^ ]*\).*/\1/p'
		scontrol delete ReservationName=r
	done
}

@test "what torus3d does" {
	lists >"$BATS_FILE_TMPDIR/lists"
	addresses 'n[002-003,006-007]' >"$BATS_FILE_TMPDIR/addresses"
	expect_equal "$(grep -c 'main:.*torus:x:y:z.node' "$BATS_FILE_TMPDIR/addresses")" 4 addresses
	# A number of nodes that no placement has; and no mention of a torus for oneself.
	run sbatch -N 5 --wrap true
	[ "$status" -ne 0 ]
	expect_match "$output" 'Requested topology configuration is not available'
	alone=$(allocate --exclusive=topo -N 4)
	other=$(allocate -N 4)
	in_state "$alone" RUNNING
	expect_equal "$(without "$(job_ranks "$alone")" "$(job_ranks "$other")")" \
		"$(job_ranks "$alone")" "nodes of the one that the other has not"
	scontrol show topoconf >"$BATS_FILE_TMPDIR/topoconf"
	expect_equal "$(scontrol show topology unit=main | sed -n '1s/ Nodes.*//p')" \
		"TorusName=main Dims=4x2x2" topology
}

@test "to topology/torus with jobs that run and wait, after an orderly end" { there TERM; }
@test "to topology/torus and back, slurmctld killed" { there KILL; }

# there SIGNAL
there()
{
	batch=$(sbatch --parsable --chdir=/ --output="$BATS_TEST_TMPDIR/out" -N 4 \
		--wrap "srun sh -c 'echo begin \$SLURM_PROCID; while [ ! -e $BATS_TEST_TMPDIR/go ]; do sleep 0.2; done; echo end'")
	steps=$(submit -N 8)
	waits=$(submit -N 8)
	wait_running "$batch" "$steps"
	wait_until 30 has_lines "$BATS_TEST_TMPDIR/out" 4
	batch_nodes=$(job_nodes "$batch") steps_nodes=$(job_nodes "$steps")
	wait_saved
	to_torus "$1"
	in_state "$batch" RUNNING
	in_state "$steps" RUNNING
	in_state "$waits" PENDING
	expect_equal "$(job_nodes "$batch") $(job_nodes "$steps")" "$batch_nodes $steps_nodes" nodes
	# From now on they have the token, and the four nodes left go to a job of any size.
	expect_match "$(token "$batch")" 'torus=main,nodes=4,'
	small=$(allocate -N 3)
	expect_match "$(token "$small")" 'torus=main,nodes=3,'
	# A step of a job that torus3d has placed, and the end of one that ran all the while.
	srun --jobid="$steps" -N 8 true
	touch "$BATS_TEST_TMPDIR/go"
	wait_until 60 in_state "$batch" COMPLETED
	expect_equal "$(grep -c '^end' "$BATS_TEST_TMPDIR/out")" 4 "tasks that have ended well"
	scancel "$steps" "$small"
	wait_until 60 in_state "$waits" RUNNING
	expect_match "$(token "$waits")" 'torus=main,nodes=8,'
	wait_saved
	to_torus3d "$1"
	in_state "$waits" RUNNING
	run -1 grep -aE "Invalid node topology|NODE_FAIL" "$CONTROLLER_LOG"
	other=$(allocate -N 4)
	in_state "$other" RUNNING
}
has_lines() { [ "$(wc -l <"$1")" = "$2" ]; }

@test "what topology/torus does in its place" {
	to_torus TERM
	lists >"$BATS_TEST_TMPDIR/lists"
	addresses 'n[002-003,006-007]' >"$BATS_TEST_TMPDIR/addresses"
	diff "$BATS_FILE_TMPDIR/lists" "$BATS_TEST_TMPDIR/lists"
	diff "$BATS_FILE_TMPDIR/addresses" "$BATS_TEST_TMPDIR/addresses"
	# Any number of nodes; the box of a placement is asked for, and refused if it can never be.
	job=$(allocate -N 5)
	expect_match "$(token "$job")" 'torus=main,nodes=5,'
	scancel "$job"
	job=$(allocate --network=torus:shape=2x2x1)
	expect_match "$(token "$job")" 'torus=main,nodes=4,.*,box=(2x2x1|2x1x2|1x2x2),'
	run sbatch -N 5 --network=torus:shape=5x1x1 --wrap true
	[ "$status" -ne 0 ]
	scancel "$job"
	wait_until 30 all_idle
	alone=$(allocate --exclusive=topo -N 4)
	[ -z "$(starts cluster -w "$(comm -23 <(scontrol show hostnames 'n[000-015]') \
		<(scontrol show hostnames "$(job_nodes "$alone")") | head -n 1)")" ]
	scontrol show topoconf | grep -v placements: >"$BATS_TEST_TMPDIR/topoconf"
	sed '/placements:/,/regions:/{/regions:/!d}' "$BATS_FILE_TMPDIR/topoconf" |
		diff - "$BATS_TEST_TMPDIR/topoconf"
	expect_match "$(scontrol show topology unit=main)" '^TorusName=main Dims=4x2x2 '
	to_torus3d TERM
}
