#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus with nodes that are powered down until a job needs them (State=CLOUD), beside
# the same cluster without our plugins: a 4x2 torus, where n[004-007] are. topology_dynamic
# has more of it, for topology/torus.

load select_support
export SPAN_RULE=linear

# power CLUSTER COMMAND: a program for slurmctld to start, which gives it no environment. It
# takes a moment: Slurm waits for ever for a node that says, in whole seconds, that it booted
# before it was asked to.
power()
{
	local program=$BATS_FILE_TMPDIR/$1.${2%% *}
	cat >"$program" <<-END
		#!/bin/sh
		PATH=$PATH
		export PATH
		echo "$2 \$1" >>$BATS_FILE_TMPDIR/$1.log
		sleep 2
		exec $TORUS_SRCDIR/contrib/minicluster --dir $BATS_FILE_TMPDIR/$1 $2 "\$1"
	END
	chmod 755 "$program"
}

# power_conf CLUSTER
power_conf()
{
	power "$1" "start-node --booted"
	power "$1" kill-node
	: >"$BATS_FILE_TMPDIR/$1.log"
	cat >"$BATS_FILE_TMPDIR/$1.conf" <<-END
		NodeName=n[004-007] State=CLOUD
		ResumeProgram=$BATS_FILE_TMPDIR/$1.start-node
		SuspendProgram=$BATS_FILE_TMPDIR/$1.kill-node
		SuspendExcNodes=n[000-003]
		SuspendTime=3600
		SuspendTimeout=5
		ResumeTimeout=120
		TreeWidth=65533
	END
	# Otherwise it hides nodes that are powered down.
	is_since 24.11 || echo PrivateData=cloud >>"$BATS_FILE_TMPDIR/$1.conf"
}

setup_file()
{
	power_conf stock
	power_conf torus
	CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres --dims 4x2 \
		--exclusive --conf-append "$BATS_FILE_TMPDIR/stock.conf" || return
	CLUSTER_NAME=torus cluster_start --dims 4x2 --curve snake --exclusive \
		--conf-append "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { pair_stop; }

powered_down() { [ "$(sinfo -h -N -o '%N %t' | sort -u | grep -c ' idle~$')" = "$1" ]; }

# started CLUSTER: the nodes that slurmctld has had started, sorted
started()
{
	sed -n 's/^start-node --booted //p' "$BATS_FILE_TMPDIR/$1.log" | while read -r nodes; do
		scontrol show hostnames "$nodes"
	done | sort | xargs
}

has_started() { [ -n "$(started "$1")" ]; }

# none_completing: no node is still busy with the end of a job
none_completing() { ! sinfo -h -N -o %t | grep -qE 'comp|alloc|mix'; }

answers() { timeout 30 srun --jobid="$1" --overlap -N "$2" -n "$2" printenv SLURMD_NODENAME | sort -u | wc -l; }

has_nodes() { [ "$(scontrol show hostnames "$(job_nodes "$1")" | wc -l)" = "$2" ]; }

# begin CLUSTER: three jobs, of which the last two need nodes that are powered down
begin()
{
	use_cluster "$1"
	wait_until 30 powered_down 4 || return
	awake=$(submit -N 4) && wait_running "$awake" || return
	echo "awake: $(sorted "$(job_nodes "$awake")") started: $(started "$1")"
	pair=$(submit -N 2 --network=torus:shape=2x1) || return
	other=$(submit -N 2) && wait_until 120 in_state "$pair" RUNNING || return
	wait_until 120 in_state "$other" RUNNING || return
	echo "pair: $(answers "$pair" 2) other: $(answers "$other" 2) started: $(started "$1")"
}

# rest CLUSTER: once these have ended and all but one of their nodes are powered down, a job
# that needs none of those, and one that does
rest()
{
	use_cluster "$1"
	cluster_clear || return
	scontrol update NodeName='n[004-006]' State=POWER_DOWN || return
	wait_until 90 powered_down 3 || return
	: >"$BATS_FILE_TMPDIR/$1.log"
	few=$(submit -N 5) && wait_running "$few" || return
	echo "few: $(sorted "$(job_nodes "$few")") started: $(started "$1")"
	scancel "$few"
	# Slurm would rather start one more node than wait for one that is completing.
	wait_until 60 none_completing || return
	many=$(submit -N 7) && wait_until 30 has_nodes "$many" 7 &&
		wait_until 30 has_started "$1" || return
	echo "many: $(nodes_on "$many" 000-003,007) started: $(started "$1" | wc -w) nodes"
}

@test "jobs on nodes that are powered down: as with stock Slurm, but compact" {
	# At the same time: slurmctld takes half a minute to see that such a job is ready.
	(begin stock && rest stock) >"$BATS_TEST_TMPDIR/stock" 3>&- &
	begin torus >"$BATS_TEST_TMPDIR/ours"
	for job in "$awake" "$pair" "$other"; do
		expect_token "$job" "$(token_for "$(job_ranks "$job")")"
	done
	expect_match "$(token "$pair")" ',nodes=2,span=2,box=(2x1|1x2),'
	expect_match "$(token "$other")" ',nodes=2,span=2,'
	rest torus >>"$BATS_TEST_TMPDIR/ours"
	expect_token "$few" "$(token_for "$(job_ranks "$few")")"
	expect_token "$many" "$(token_for "$(job_ranks "$many")")"
	wait $!
	stock=$(<"$BATS_TEST_TMPDIR/stock")
	expect_equal "$(<"$BATS_TEST_TMPDIR/ours")" "$stock" "what happened"
	expect_match "$stock" 'awake: n\[000-003\] started: '$'\n'
	expect_match "$stock" 'pair: 2 other: 2 started: n004 n005 n006 n007'
	expect_match "$stock" 'few: n\[000-003,007\] started: '$'\n''many: n000,n001,n002,n003,n007 started: 2 nodes'
}
