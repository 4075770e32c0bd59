#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus and select/cons_tres_torus: one plugin under two names. Jobs run on when slurm.conf
# has the other, also where slurmctld is killed; under the second name Slurm has dynamic nodes and
# expands jobs by other GRES than they have. A 4x4x4 torus with GPUs, and one of two dynamic nodes.

TORUS_SELECT=torus # at first
load switch_support

setup_file()
{
	[ "$DECIDER" = select/torus ] || return 0
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[000-063]
		TorusName=side Dims=2 Nodes=d[064-065]
	END
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=n[000-063] Gres=gpu:2
		SchedulerParameters=permit_job_expansion,bf_interval=1
	END
	printf "Name=gpu File=/dev/%s\n" null zero >"$BATS_FILE_TMPDIR/gres.conf"
	cluster_start --dims 4x4x4 --exclusive --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ "$DECIDER" != select/torus ] || cluster_stop; }
setup()
{
	only_select "has one name"
	work=$BATS_TEST_TMPDIR
}

# named NAME: slurm.conf has select/torus as that from now on; 50 jobs come through it
named()
{
	STOP_BY=KILL switch_to "SelectType=select/$1" || return
	[ "$(decided_by_ours)" -ge 30 ]
	expect_placed "$(allocate -N 6)" all --nodes 6
}

# expanded_by JOB OPTION...: the GRES that a job is to bring which expands JOB by a node and asks for
# them
expanded_by()
{
	local more id=$1
	shift
	more=$(submit --dependency="expand:$id" -N 1 "$@") || return
	scontrol show job "$more" | sed -nE 's/.*TresPerNode=(gres[:\/])?//p'
	scancel "$more"
}

@test "select/torus: GRES with which a job is expanded are those that it has" {
	job=$(allocate -N 2 --gres=gpu:1)
	expect_equal "$(expanded_by "$job" --gres=gpu:2)" gpu:1 GRES
}

@test "from select/torus to select/cons_tres_torus with 50 jobs, slurmctld killed" {
	named cons_tres_torus
}

@test "select/cons_tres_torus: a job is expanded by the GRES that are asked for" {
	job=$(allocate -N 2 --gres=gpu:1)
	expect_equal "$(expanded_by "$job" --gres=gpu:2)" gpu:2 GRES
}

@test "select/cons_tres_torus: dynamic nodes have their places, and are there after a kill" {
	is_since 24.11 || skip "this slurmd takes no port for a dynamic node"
	minicluster kill-ctld TERM
	minicluster set MaxNodeCount=80
	minicluster restart-nodes
	minicluster start-ctld
	wait_until 60 all_respond
	dynamic_start d064
	dynamic_start d065
	wait_until 60 node_is 'd[064-065]' idle
	both=$(allocate -N 2 -w 'd[064-065]')
	expect_token "$both" "$(token_for 0-1 side)"
	wait_saved
	minicluster restart-ctld KILL
	wait_until 60 all_respond
	in_state "$both" RUNNING
	expect_token "$both" "$(token_for 0-1 side)"
	scancel "$both"
	wait_until 60 all_idle
	expect_match "$(token "$(allocate -N 64)")" "^torus=main,nodes=64,"
	cluster_clear
	dynamic_end d064 d065
	minicluster kill-ctld TERM
	sed -i /^MaxNodeCount/d "$CLUSTER"/etc/slurm*
	minicluster restart-nodes
	minicluster start-ctld
	wait_until 60 all_respond
}

@test "from select/cons_tres_torus to select/torus with 50 jobs, slurmctld killed" {
	named torus
}
