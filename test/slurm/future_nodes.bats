#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes with State=FUTURE that torus.conf names: holes in the torus until the administrator
# makes them real, or a host comes with "slurmd -F", which takes no restart of slurmctld; and
# dynamic nodes ("slurmd -Z"). A 4x2 torus whose last column is of the future, and another of
# two dynamic nodes, beside the same cluster without our plugins.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	# A host that comes with "slurmd -F" gets a node that is like it.
	echo "NodeName=n[003,007] State=FUTURE $(slurmd -C |
		sed -nE '1s/^NodeName=[^ ]* (CPUs=.*) RealMemory=.*/\1/p')" >"$BATS_FILE_TMPDIR/conf"
	! has_dynamic_nodes || echo MaxNodeCount=12 >>"$BATS_FILE_TMPDIR/conf"
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Curve=snake Allocator=best_fit
		TorusName=main Dims=4x2 Nodes=n[000-007]
		TorusName=side Dims=2 Nodes=d[008-009]
	END
	pair_start --dims 4x2 --exclusive --conf-append "$BATS_FILE_TMPDIR/conf" \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { pair_stop; }
teardown() { pair_clear; }

# known COUNT: so many nodes are, to users
known() { [ "$(sinfo -h -N -o %N | sort -u | wc -l)" = "$1" ]; }

# make_real: the nodes of the future
make_real()
{
	scontrol update NodeName='n[003,007]' State=RESUME &&
		minicluster start-node 'n[003,007]' && wait_until 30 known 8 &&
		wait_until 30 all_respond
}

# of_future: the reverse, once no job has them
of_future()
{
	wait_until 30 all_idle && minicluster kill-node 'n[003,007]' &&
		scontrol update NodeName='n[003,007]' State=FUTURE && wait_until 30 known 6
}

# answers JOB COUNT: the nodes on which a step of the job runs
answers() { timeout 30 srun --jobid="$1" --overlap -N "$2" -n "$2" printenv SLURMD_NODENAME | sort | xargs; }

# waits JOB: the scheduler has tried it in vain
waits()
{
	in_state "$1" PENDING &&
		{ [ "$(job_reason "$1")" != None ] || { only_backfill_starts && was_looked_at "$1"; }; }
}

size() { scontrol show hostnames "$(job_nodes "$1")" | wc -l; }

# history CLUSTER: what happens to jobs before and after the nodes become real; not which
# nodes they get
history()
{
	local running waiting whole named before
	use_cluster "$1"
	echo "nodes: $(sinfo -h -N -o %N | xargs)"
	running=$(submit -N 5) && wait_running "$running" || return
	# Slurm takes them in for the sake of the future.
	whole=$(submit -N 8) && named=$(submit -w n003) && waiting=$(submit -N 3) || return
	wait_until 30 waits "$whole" && wait_until 30 waits "$named" &&
		wait_until 30 waits "$waiting" || return
	before=$(job_nodes "$running")
	scancel "$whole"
	make_real || return
	wait_running "$named" || return
	echo "running: $(job_state "$running") $([ "$(job_nodes "$running")" = "$before" ] && echo unmoved)"
	echo "named: $(job_nodes "$named")"
	scancel "$running" "$named"
	wait_running "$waiting" || return
	echo "waiting: $(size "$waiting") nodes"
	scancel "$waiting"
	whole=$(submit -N 8) && wait_running "$whole" || return
	echo "whole: $(answers "$whole" 8)"
	scancel "$whole"
	of_future || return
	whole=$(submit -N 6) && wait_running "$whole" || return
	echo "of the future again: $(answers "$whole" 6)"
}

@test "what happens to jobs before and after the nodes become real is as with stock Slurm" {
	stock=$(history stock)
	echo "$stock"
	ours=$(history torus)
	expect_equal "$ours" "$stock" "what happened"
	expect_match "$ours" 'whole: n000 n001 n002 n003 n004 n005 n006 n007'
}

@test "a shape waits for nodes of the future, and gets them; the token knows their places" {
	use_cluster torus
	job=$(allocate --network=torus:shape=3x2)
	expect_equal "$(sorted "$(job_nodes "$job")")" 'n[000-002,004-006]'
	expect_token "$job" "$(token_for "$(ranks_of 'n[000-002,004-006]')")"
	# n003 and n007 are neighbours on the curve, and its end.
	line=$(submit -N 2 --contiguous -w n003)
	box=$(submit --network=torus:shape=4x2)
	wait_until 30 waits "$line"
	wait_until 30 waits "$box"
	before=$(token "$job")
	make_real
	wait_running "$line"
	expect_ranks "$line" "$(ranks_of 'n[003,007]')"
	expect_equal "$(token "$job")" "$before" "token of the job that runs"
	scancel "$job" "$line"
	wait_running "$box"
	expect_ranks "$box" 0-7
	scancel "$box"
	of_future
}

# comes CLUSTER: hosts with "slurmd -F" become the nodes of the future, one after the other,
# until they leave again
comes()
{
	local waiting whole
	use_cluster "$1"
	waiting=$(submit -N 7) && wait_until 30 waits "$waiting" || return
	slurmd_comes -F -N first && wait_until 30 known 7 && wait_running "$waiting" || return
	echo "seven: $(answers "$waiting" 7)"
	whole=$(submit -N 8) && wait_until 30 waits "$whole" || return
	slurmd_comes -F -N second && wait_until 30 known 8 || return
	echo "seven: $(job_state "$waiting")"
	scancel "$waiting"
	wait_running "$whole" || return
	echo "whole: $(answers "$whole" 8)"
	scancel "$whole"
	of_future
	echo "left: $(sinfo -h -N -o %N | xargs)"
}

@test "hosts that come with slurmd -F are at their nodes' places; jobs as with stock Slurm" {
	# slurmd of 24.05 takes no name with -F, without which there is one on a host. From 24.11 on
	# slurmctld reads their address from a variable that it has not set
	# (_find_avail_future_node()), and cannot reach them.
	! is_since 24.05 || skip "this Slurm does not find such hosts"
	stock=$(comes stock)
	echo "$stock"
	ours=$(comes torus)
	expect_equal "$ours" "$stock" "what happened"
	expect_match "$ours" 'seven: n000 n001 n002 n003 n004 n005 n006
seven: RUNNING
whole: n000 n001 n002 n003 n004 n005 n006 n007
left: n000 n001 n002 n004 n005 n006'
	slurmd_comes -F -N first
	wait_until 30 known 7
	job=$(allocate -N 3 -w n003)
	expect_ranks "$job" "$(ranks_of "$(job_nodes "$job")")"
	expect_match "$(token "$job")" ',nodes=3,span=[34],'
	scancel "$job"
	slurmd_comes -F -N second
	wait_until 30 known 8
	of_future
}

# dynamic CLUSTER: two nodes join, run jobs with others and alone, are there after a kill of
# slurmctld, and leave
dynamic()
{
	local job both
	use_cluster "$1"
	dynamic_start d008 && dynamic_start d009 &&
		wait_until 30 node_is 'd[008-009]' idle || return
	both=$(submit -w 'd[008-009]' -N 2) && wait_running "$both" || return
	echo "both: $(answers "$both" 2)"
	job=$(submit -N 8) && wait_until 30 waits "$job" || return
	wait_saved
	minicluster restart-ctld KILL && wait_until 60 all_respond || return
	echo "both: $(job_state "$both") $(job_nodes "$both"), all: $(job_state "$job")"
	[ "$1" = stock ] || expect_token "$both" "$(token_for 0-1 side)" || return
	scancel "$both"
	wait_running "$job" || return
	echo "all: $(answers "$job" 8)"
	scancel "$job"
	wait_until 60 all_idle || return
	dynamic_end d008 d009
	job=$(submit -N 6) && wait_running "$job" || return
	echo "left: $(answers "$job" 6)"
}

@test "dynamic nodes join, run jobs and leave as with stock Slurm" {
	need_dynamic_nodes
	is_since 24.11 || skip "topology/torus chooses no nodes before 24.11"
	stock=$(dynamic stock)
	echo "$stock"
	ours=$(dynamic torus)
	expect_equal "$ours" "$stock" "what happened"
	expect_match "$ours" 'left: n000 n001 n002 n004 n005 n006$'
}

@test "with select/torus, scontrol says why there are no dynamic nodes; slurmd -Z ends, and harms nobody" {
	! has_dynamic_nodes || skip "Slurm has dynamic nodes with select/cons_tres"
	is_since 24.11 || skip "this slurmd takes no port for a dynamic node"
	use_cluster torus
	job=$(allocate -N 3)
	before=$(token "$job")
	run ! scontrol create NodeName=d008 State=CLOUD CPUs=2
	expect_match "$output" 'only compatible with select/cons_tres'
	# Where slurmd is a daemon by then it cannot say so.
	dynamic_start d008 || true
	wait_until 30 eval '! pgrep -f "slurmd -f $SLURM_CONF .*-N d008 " >/dev/null'
	expect_equal "$(sinfo -h -N -o %N | xargs)" "n000 n001 n002 n004 n005 n006" nodes
	in_state "$job" RUNNING
	expect_equal "$(token "$job")" "$before" token
	expect_ranks "$(allocate -N 3)" "$(without "$(ranks_of 'n[000-002,004-006]')" "$(job_ranks "$job")")"
}
