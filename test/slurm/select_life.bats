#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus on the 320-node 8x8x5 torus: what happens to a job after its start, to its
# nodes, and to slurmctld; and that its SystemComment tells the truth all the while.

load select_support

setup_file()
{
	local plugins=$BATS_FILE_TMPDIR/plugins
	mkdir "$plugins"
	ln -s "${PLUGINS[@]/#/$TORUS_PLUGIN_DIR/}" "$plugins/"
	compile_plugin "$plugins/job_submit_note.so" \
		"$TORUS_SRCDIR/test/slurm/job_submit_note.c"
	printf '%s\n' JobSubmitPlugins=note ReturnToService=1 >"$BATS_FILE_TMPDIR/slurm.conf"
	TORUS_PLUGIN_DIR=$plugins cluster_start --dims 8x8x5 --wrap all --exclusive \
		--conf-append "$BATS_FILE_TMPDIR/slurm.conf"
}
teardown_file() { cluster_stop; }

# shrink JOB PARAMETER: "scontrol update" for it.  Slurm 22.05 does not lend the nodes that
# an exclusive job gave back to others (no_share_job_cnt stays) until it reads its
# configuration again; teardown sees to that.
shrink()
{
	touch "$CLUSTER/shrunk"
	scontrol update JobId="$1" "$2"
}

teardown()
{
	local nodes
	mend_nodes
	nodes=$(sinfo -h -N -t down,drain,drained,draining -o %N | sort -u | paste -sd ,)
	[ -z "$nodes" ] || scontrol update NodeName="$nodes" State=RESUME || true
	cluster_clear
	if [ -e "$CLUSTER/shrunk" ]; then
		rm "$CLUSTER/shrunk"
		reconfigure
		cluster_clear
	fi
}

# note JOB TEXT: what others might write in SystemComment
note() { scontrol update JobId="$1" Comment="$2"; }

# start_again JOB: let a requeued job begin without the delay that Slurm gives it
start_again()
{
	wait_until 60 in_state "$1" PENDING
	# not at once: slurmd refuses credentials of the second in which it revoked them
	wait_until 60 scontrol update JobId="$1" StartTime=now+3
	wait_begun "$1"
}

# restarted SIGNAL: jobs, nodes and tokens are the same after slurmctld has come back
restarted()
{
	local first second third before job
	occupy 310-319
	first=$(allocate -N 12)
	second=$(submit -N 7)
	wait_running "$second"
	third=$(allocate -N 9)
	scancel "$first"
	wait_until 30 nodes_idle 294
	before=$(squeue -h -o '%A %T %N' | sort; token "$second"; token "$third")
	[ "$1" != KILL ] || wait_saved
	minicluster restart-ctld "$1"
	expect_equal "$(squeue -h -o '%A %T %N' | sort; token "$second"; token "$third")" \
		"$before" "jobs after the restart"
	expect_ranks "$second" 12-18
	expect_ranks "$third" 19-27
	wait_until 60 nodes_idle 294
	job=$(allocate -N 14)
	expect_ranks "$job" 28-41
	job=$(allocate -N 11)
	expect_ranks "$job" 0-10
}

@test "slurmctld restarts with jobs running" { restarted TERM; }

@test "slurmctld is killed and started again with jobs running" { restarted KILL; }

@test "a job whose SystemComment was overwritten is described after a restart" {
	job=$(allocate -N 8)
	note "$job" hello
	minicluster restart-ctld TERM
	expect_comment "$job" "hello $(token_for 0-7)"
}

@test "a finished job keeps its token" {
	job=$(sbatch --parsable --chdir=/ --output=/dev/null -N 7 --wrap true)
	wait_until 60 in_state "$job" COMPLETED
	expect_token "$job" "$(token_for 0-6)"
}
@test "requeue: no token while pending, a new one after the restart" {
	hole=$(occupy 0-9)
	job=$(submit -N 6)
	wait_running "$job"
	expect_ranks "$job" 10-15
	scontrol requeuehold "$job"
	wait_until 60 in_state "$job" PENDING
	expect_comment "$job" ""
	scancel "$hole"
	wait_until 60 nodes_idle 320
	scontrol release "$job"
	start_again "$job"
	expect_ranks "$job" 0-5
}

@test "shrink: the token describes the nodes that are left" {
	job=$(allocate -N 12)
	expect_ranks "$job" 0-11
	shrink "$job" NumNodes=5
	ranks=$(job_ranks "$job")
	expect_equal "$(expand_ranks "$ranks" | wc -l)" 5 "number of nodes"
	expect_equal "$(without "$ranks" 0-11)" "" "nodes that it did not have"
	expect_ranks "$job" "$ranks"
	# what it gave back is free again
	wait_until 30 nodes_idle 315
	next=$(allocate -N 315)
	expect_ranks "$next" "$(all_but "$ranks")"
}

@test "shrink to named nodes" {
	job=$(allocate -N 12)
	shrink "$job" NodeList="$(nodes_at 2,3,9)"
	expect_ranks "$job" 2-3,9
	expect_match "$(token "$job")" ',nodes=3,span=8,'
}

@test "drain and resume" {
	job=$(allocate -N 6)
	scontrol update NodeName="$(nodes_at 3,8-9)" State=DRAIN Reason=test
	next=$(allocate -N 5)
	expect_ranks "$next" 10-14
	expect_ranks "$job" 0-5
	small=$(allocate -N 2)
	expect_ranks "$small" 6-7
	scontrol update NodeName="$(nodes_at 3,8-9)" State=RESUME
	wait_until 60 nodes_idle 307
	again=$(allocate -N 2)
	expect_ranks "$again" 8-9
}

@test "a node fails: the job is requeued and placed without it" {
	job=$(submit -N 6 --requeue)
	wait_running "$job"
	expect_ranks "$job" 0-5
	fail_node "$(nodes_at 2)"
	wait_until 60 in_state "$job" PENDING
	expect_comment "$job" ""
	start_again "$job"
	expect_ranks "$job" 3-8
	mend_nodes
	wait_until 60 nodes_idle 314
	next=$(allocate -N 9)
	expect_placed "$next" 0-2,9-319 --nodes 9
	next=$(allocate -N 305)
	expect_ranks "$next" 0-2,18-319
}

@test "a node fails: a job that goes on without it is described anew" {
	job=$(allocate -N 6 --no-kill)
	fail_node "$(nodes_at 5)"
	wait_until 60 eval '[ "$(job_ranks $job)" = 0-4 ]'
	expect_ranks "$job" 0-4
	in_state "$job" RUNNING
}

@test "a node fails: a job that may not be requeued keeps its last token" {
	job=$(submit -N 6 --no-requeue)
	wait_running "$job"
	before=$(token "$job")
	scontrol update NodeName="$(nodes_at 2)" State=DOWN Reason=test
	wait_until 60 in_state "$job" NODE_FAIL
	expect_equal "$(token "$job")" "$before" token
}

@test "what others wrote in SystemComment stays" {
	job=$(submit -N 8)
	wait_running "$job"
	note "$job" "paid by=physics torus-free"
	shrink "$job" NumNodes=5
	ranks=$(job_ranks "$job")
	expect_comment "$job" "paid by=physics torus-free $(token_for "$ranks")"
	scontrol requeuehold "$job"
	wait_until 60 in_state "$job" PENDING
	expect_comment "$job" "paid by=physics torus-free"
	scontrol release "$job"
	start_again "$job"
	ranks=$(job_ranks "$job")
	expect_comment "$job" "paid by=physics torus-free $(token_for "$ranks")"
}

