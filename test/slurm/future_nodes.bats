#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes with State=FUTURE that torus.conf names: holes in the torus until the administrator
# makes them real, which takes no restart of slurmctld. A 4x2 torus whose last column is of
# the future, beside the same cluster without our plugins.

load select_support

setup_file()
{
	echo 'NodeName=n[003,007] State=FUTURE' >"$BATS_FILE_TMPDIR/conf"
	echo 'TorusName=main Dims=4x2 Nodes=n[000-007] Curve=snake Allocator=best_fit' \
		>"$BATS_FILE_TMPDIR/torus.conf"
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
waits() { in_state "$1" PENDING && [ "$(job_reason "$1")" != None ]; }

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
