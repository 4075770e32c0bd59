#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus with several tori in one cluster, and with nodes that are on none: a mesh
# "big" of 4x4x4 nodes, a torus "small" of 4x4x2, and eight nodes beside them.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=big Dims=4x4x4 Nodes=n[000-063]
		TorusName=small Dims=4x4x2 Wrap=all Nodes=n[064-095]
	END
	cat >"$BATS_FILE_TMPDIR/partitions.conf" <<-END
		PartitionName=tori Nodes=n[000-095] Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=all Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=beside Nodes=n[096-103] MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
	END
	cluster_start --nodes 104 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/partitions.conf"
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# on_big JOB RANKS, on_small JOB RANKS: as expect_ranks
on_big() { SPAN_RULE=linear expect_ranks "$1" "$2" big; }
on_small() { SPAN_RULE=ring expect_ranks "$1" "$2" small; }

@test "a job goes where it leaves fewest over" {
	job=$(allocate -N 20)
	on_small "$job" 0-19
	job=$(allocate -N 40)
	on_big "$job" 0-39
	job=$(allocate -N 12)
	on_small "$job" 20-31
}

@test "an interval on one torus is better than pieces on the other" {
	occupy 2,5,8,11-60 big
	occupy 0,2-7,9-18,30-31 small
	# big has 0-1,3-4,6-7,9-10,61-63; small 1,8,19-29
	job=$(allocate -N 4)
	on_small "$job" 19-22
}

@test "each torus has its own rule for spans" {
	occupy 2-61 big
	occupy 2-29 small
	job=$(allocate -N 4)
	on_small "$job" 0-1,30-31
	expect_match "$(token "$job")" '^torus=small,nodes=4,span=4,'
	job=$(allocate -N 4)
	on_big "$job" 0-1,62-63
	expect_match "$(token "$job")" '^torus=big,nodes=4,span=64,'
}

@test "a job that no torus holds is spread" {
	job=$(allocate -N 80)
	expect_equal "$(token "$job")" "torus=big+small,nodes=80,span=80" token
	expect_equal "$(ranks_of "$(nodes_on "$job" 000-063)" big)" 0-63 "ranks on big"
	expect_equal "$(ranks_of "$(nodes_on "$job" 064-095)" small)" 0-15 "ranks on small"
}

@test "a job that one torus could hold waits for it" {
	busy=$(occupy 0-29 big)
	job=$(submit -N 40)
	wait_refused "$job"
	scancel "$busy"
	wait_running "$job"
	on_big "$job" 0-39
}

@test "tasks instead of a node count stay on one torus, too" {
	occupy 0-54 big
	occupy 0-19 small
	# 9 and 12 nodes are free
	job=$(allocate -n 22)
	on_small "$job" 20-30
	job=$(submit -n 30)
	wait_refused "$job"
}

@test "-N min-max stays on one torus" {
	occupy 0-54 big
	occupy 0-19 small
	job=$(allocate -N 4-21)
	on_small "$job" 20-31
}

@test "--nodelist: the torus of the named node" {
	job=$(allocate -N 5 --nodelist="$(nodes_at 30 small)")
	on_small "$job" 26-30
	job=$(allocate -N 5 --nodelist="$(nodes_at 30 big)")
	on_big "$job" 26-30
}

@test "--nodelist: nodes of two tori, because the user says so" {
	nodes=$(sorted "$(nodes_at 3,9 big),$(nodes_at 7 small)")
	job=$(allocate -N 3 --nodelist="$nodes")
	expect_equal "$(job_nodes "$job")" "$nodes" nodes
	expect_equal "$(token "$job")" "torus=big+small,nodes=3,span=8" token
}

@test "a shape on the torus that has room for it" {
	occupy 0-31 small
	job=$(allocate --network=torus:shape=2x2x2)
	SPAN_RULE=linear TORUS=big expect_placed "$job" all --shape 2x2x2
	run ! submit --network=torus:shape=4x4x5
}

@test "nodes that torus.conf does not name: Slurm's own rules" {
	job=$(allocate -p beside -N 5)
	expect_equal "$(job_nodes "$job")" "n[096-100]" nodes
	expect_equal "$(system_comment "$job")" "" comment
}

@test "a partition of both: the torus first" {
	job=$(allocate -p all -N 20)
	on_small "$job" 0-19
}

@test "a partition of both: nodes beside the tori when these are full" {
	occupy 0-63 big
	occupy 0-31 small
	job=$(allocate -p all -N 5)
	expect_equal "$(job_nodes "$job")" "n[096-100]" nodes
	expect_equal "$(system_comment "$job")" "" comment
}

@test "a partition of both: a job that needs all of it" {
	job=$(allocate -p all -N 100)
	expect_equal "$(scontrol show hostnames "$(job_nodes "$job")" | wc -l)" 100 "number of nodes"
	expect_match "$(token "$job")" "^torus=big\+small,nodes=$(nodes_on "$job" 000-095 | tr , '\n' | wc -l),span="
}

@test "nodes that torus.conf does not name are logged once by each slurmctld" {
	# Not while nodes register: slurmctld 25.05.8 calls functions of a plugin then that it has
	# unloaded (clusteracct_storage_g_node_up).
	reconfigure
	reconfigure
	times=1
	! reconfigure_restarts || times=3
	expect_equal "$(grep -c "$DECIDER: .*torus.conf does not name" "$CONTROLLER_LOG")" $times "lines in the log"
	grep -q 'torus.conf does not name .*: n\[096-103\]$' "$CONTROLLER_LOG"
}

# links LINKS: those of torus big beside its own; nothing: none
links()
{
	sed -i "/TorusName=big/s/ Links=.*//; /TorusName=big/s/\$/${1:+ Links=$1}/" "$TORUS_CONF"
	reconfigure
}

@test "links beside the torus's own count in avghops, those of torus.conf in force" {
	local ends="n[000,063]" # at 0:0:0 and 3:3:3
	job=$(allocate -N 2 --nodelist="$ends")
	expect_match "$(token "$job")" '^torus=big,.*,avghops=9.00$'
	scancel "$job"
	links 0:0:0-3:3:3
	job=$(allocate -N 2 --nodelist="$ends")
	expect_match "$(token "$job")" '^torus=big,.*,avghops=1.00$'
	links 0:0:0-3:3:2
	expect_match "$(token "$job")" '^torus=big,.*,avghops=1.00$'
	scancel "$job"
	job=$(allocate -N 2 --nodelist="$ends")
	expect_match "$(token "$job")" '^torus=big,.*,avghops=2.00$'
	scancel "$job"
	links ""
	job=$(allocate -N 2 --nodelist="$ends")
	expect_match "$(token "$job")" '^torus=big,.*,avghops=9.00$'
}

# wait_for_torus yes|no: as torus.conf says it
wait_for_torus()
{
	sed -i '/^WaitForTorus=/d' "$TORUS_CONF"
	echo "WaitForTorus=$1" >>"$TORUS_CONF"
	reconfigure
}

@test "WaitForTorus=no: a job that one torus could hold starts on several, another on one" {
	wait_for_torus no
	busy=$(occupy 0-29 big)
	job=$(allocate -N 40)
	expect_match "$(token "$job")" '^torus=big\+small,nodes=40,'
	scancel "$job"
	job=$(allocate -N 30)
	expect_match "$(token "$job")" '^torus=(big|small),nodes=30,'
	scancel "$job"
	job=$(submit -N 40 --contiguous)
	wait_refused "$job"
	scancel "$job"
	wait_for_torus yes
	job=$(submit -N 40)
	wait_refused "$job"
	scancel "$busy"
	wait_running "$job"
	on_big "$job" 0-39
}
