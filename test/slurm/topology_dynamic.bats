#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# topology/torus with nodes that come and go, from Slurm 24.11 on: nodes that are powered
# down (State=CLOUD) and started for a job, and dynamic ones ("slurmd -Z"). A 4x4x2 torus:
# n[000-015] always run, n[016-023] are powered down until a job needs them, d[024-031]
# are for the tests to start; one more dynamic node is beside the torus.

bats_require_minimum_version 1.5.0
load topology_support

# power SCRIPT COMMAND: a program for slurmctld to start, which gives it no environment; it
# waits as long as there is the file "hold"
power()
{
	cat >"$1" <<-END
		#!/bin/sh
		PATH=$PATH
		export PATH
		echo "$2 \$1" >>$BATS_FILE_TMPDIR/power.log
		while [ -e $BATS_FILE_TMPDIR/hold ]; do sleep 0.1; done
		exec $TORUS_SRCDIR/contrib/minicluster --dir $BATS_FILE_TMPDIR/cluster $2 "\$1"
	END
	chmod 755 "$1"
}

setup_file()
{
	is_since 24.11 && has_dynamic_nodes || return 0
	power "$BATS_FILE_TMPDIR/resume" "start-node --booted"
	power "$BATS_FILE_TMPDIR/suspend" kill-node
	: >"$BATS_FILE_TMPDIR/power.log"
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		NodeName=n[016-023] State=CLOUD
		ResumeProgram=$BATS_FILE_TMPDIR/resume
		SuspendProgram=$BATS_FILE_TMPDIR/suspend
		SuspendExcNodes=n[000-015]
		SuspendTime=3600
		SuspendTimeout=5
		ResumeTimeout=120
		MaxNodeCount=40
		TreeWidth=65533
	END
	printf '%s\n' "TorusName=main Dims=4x4x2 Wrap=all Nodes=n[000-023],d[024-031]" \
		Allocator=best_fit >"$BATS_FILE_TMPDIR/torus.conf"
	topology_start --nodes 24 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }

setup()
{
	since 24.11
	need_dynamic_nodes
	log_power=$(wc -l <"$BATS_FILE_TMPDIR/power.log")
}

teardown()
{
	[ -d "$BATS_FILE_TMPDIR/cluster" ] || return 0
	rm -f "$BATS_FILE_TMPDIR/hold"
	cluster_cancel
	wait_until 60 eval '[ -z "$(squeue -h -o %A)" ]'
	awake=$(sinfo -h -N -n 'n[016-023]' -o '%N %t' | sed -n 's/ [^~]*$//p' | sort -u | paste -sd ,)
	[ -z "$awake" ] || scontrol update NodeName="$awake" State=POWER_DOWN_FORCE
	wait_until 150 powered_down 8
}

# powered_down COUNT: so many nodes are, and can be had
powered_down() { [ "$(sinfo -h -N -o '%N %t' | sort -u | grep -c ' idle~$')" = "$1" ]; }

# started: the nodes that slurmctld has had started since the beginning of the test, sorted
started()
{
	tail -n +$((log_power + 1)) "$BATS_FILE_TMPDIR/power.log" |
		sed -n 's/^start-node --booted //p' | while read -r nodes; do
		scontrol show hostnames "$nodes"
	done | sort | paste -sd ,
}

@test "nodes that run are taken first, close together, and none is started for the job" {
	powered_down 8
	running=$(ranks_of 'n[000-015]')
	job=$(allocate -N 6 --exclusive)
	expect_placed "$job" "$running" --nodes 6
	by_engine "$job"
	sleep 2
	expect_equal "$(started)" "" "nodes started"
}

@test "a job that needs more than what runs is started on the nearest that are powered down" {
	running=$(ranks_of 'n[000-015]')
	job=$(submit -N 20)
	wait_until 120 in_state "$job" RUNNING
	by_engine "$job"
	expect_equal "$(without "$running" "$(job_ranks "$job")")" "" "nodes that ran and were left"
	expect_equal "$(started)" \
		"$(scontrol show hostnames "$(job_nodes "$job")" | grep -E 'n0(1[6-9]|2)' | sort | paste -sd ,)" \
		"nodes started"
	expect_equal "$(token "$job")" "$(token_for "$(job_ranks "$job")")" token
	# It really runs there.
	wait_until 60 answers_everywhere "$job" 20
}
answers_everywhere() { [ "$(srun --jobid="$1" --overlap -N "$2" -n "$2" printenv SLURMD_NODENAME | sort -u | wc -l)" = "$2" ]; }

@test "the whole torus but what is not there; slurmctld killed while the nodes start" {
	touch "$BATS_FILE_TMPDIR/hold"
	job=$(submit -N 24)
	wait_until 60 eval '[ -n "$(started)" ]'
	wait_saved
	in_state "$job" CONFIGURING
	minicluster restart-ctld KILL
	rm "$BATS_FILE_TMPDIR/hold"
	wait_until 180 in_state "$job" RUNNING
	expect_equal "$(job_ranks "$job")" "$(ranks_of 'n[000-023]')" ranks
	expect_equal "$(token "$job")" "$(token_for "$(ranks_of 'n[000-023]')")" token
	wait_until 60 answers_everywhere "$job" 24
}

@test "a box of nodes that are powered down" {
	occupy "$(ranks_of 'n[000-015]')" >/dev/null
	job=$(submit --network=torus:shape=4x2x1)
	wait_until 120 in_state "$job" RUNNING
	by_engine "$job"
	expect_equal "$(job_nodes "$job" | xargs scontrol show hostnames | sort | paste -sd ,)" \
		"$(scontrol show hostnames 'n[016-023]' | paste -sd ,)" nodes
	expect_match "$(token "$job")" ',nodes=8,.*,box=4x2x1,'
	expect_equal "$(started)" "$(scontrol show hostnames 'n[016-023]' | paste -sd ,)" "nodes started"
}

@test "dynamic nodes that torus.conf names have their places; another is beside the torus" {
	for node in d{024..031}; do dynamic_start "$node"; done
	dynamic_start x032
	wait_until 60 node_is 'd[024-031],x032' idle
	occupy "$(ranks_of 'n[000-015]')" >/dev/null
	free=$(ranks_of 'd[024-031]')
	job=$(allocate -N 5)
	expect_placed "$job" "$free" --nodes 5
	by_engine "$job"
	wait_until 60 answers_everywhere "$job" 5
	beside=$(allocate -N 1 -w x032)
	sleep 1
	expect_equal "$(system_comment "$beside")" "" "word of a job beside the torus"
	expect_match "$(scontrol show topology)" "JobId=$job TorusName=main NodeCount=5 "

	# slurmctld killed: they are where they were.
	before=$(token "$job")
	wait_saved
	minicluster restart-ctld KILL
	wait_until 60 all_respond
	expect_equal "$(token "$job")" "$before" "token after a kill of slurmctld"
	next=$(allocate -N 3)
	expect_placed "$next" "$(without "$free" "$(job_ranks "$job")")" --nodes 3

	# Gone: holes; and the place of one that comes back is its own.
	scancel "$job" "$next" "$beside"
	wait_until 60 node_is 'd[024-031],x032' idle
	dynamic_end d025 d026 d030
	next=$(allocate -N 4)
	expect_placed "$next" "$(ranks_of 'd[024,027-029,031]')" --nodes 4
	scancel "$next"
	wait_until 60 node_is 'd[024,027-029,031]' idle
	dynamic_start d030
	wait_until 60 node_is d030 idle
	next=$(allocate -N 5)
	expect_placed "$next" "$(ranks_of 'd[024,027-031]')" --nodes 5
	scancel "$next"
	wait_until 60 node_is 'd[024,027-031]' idle
	dynamic_end d024 d027 d028 d029 d030 d031 x032
}
