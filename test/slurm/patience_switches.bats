#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# within= beside stock Slurm's --switches=N@time, the same wish for trees: 16 nodes, for
# stock Slurm on four switches of four, for us a 4x4 mesh. Other jobs hold every second
# node, so that neither a switch nor a 2x2 box is free. Nobody may wait longer than 15 s.

bats_require_minimum_version 1.5.0
load select_support

BLACK=n[000,002,005,007,008,010,013,015]

setup_file()
{
	local parameters
	echo 'TopologyPlugin=topology/tree' >"$BATS_FILE_TMPDIR/conf"
	cat >"$BATS_FILE_TMPDIR/topology.conf" <<-'END'
		SwitchName=s0 Nodes=n[000-003]
		SwitchName=s1 Nodes=n[004-007]
		SwitchName=s2 Nodes=n[008-011]
		SwitchName=s3 Nodes=n[012-015]
		SwitchName=top Switches=s[0-3]
	END
	CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres --dims 4x4 --exclusive \
		--conf-append "$BATS_FILE_TMPDIR/conf" --copy "$BATS_FILE_TMPDIR/topology.conf" || return
	CLUSTER_NAME=torus cluster_start --dims 4x4 --wrap none --exclusive || return
	echo 'PatienceMax=0:15' >>"$TORUS_CONF"
	reconfigure
	use_cluster stock
	parameters=$(scontrol show config | sed -n 's/^SchedulerParameters *= //p')
	[ "$parameters" != '(null)' ] || parameters=
	minicluster set "SchedulerParameters=${parameters:+$parameters,}max_switch_wait=15"
	ask_to_reconfigure
}
teardown_file() { pair_stop; }
setup() { pair_do hold; }
teardown() { pair_clear; }

hold() { allocate -w "$BLACK" -N 8 >/dev/null; }

# wishes TIME OPTION...: submit a job of 4 nodes to either cluster that waits so long for a
# switch, or a box; its number is in the file of that cluster's name
wishes()
{
	local time=$1
	shift
	use_cluster stock
	submit -N 4 "--switches=1@$time" "$@" >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	submit -N 4 "--network=torus:shape=2x2,within=$time" "$@" >"$BATS_TEST_TMPDIR/torus"
}
job() { cat "$BATS_TEST_TMPDIR/${CLUSTER##*/}"; }
runs() { [ "$(job_state "$(job)")" = RUNNING ]; }
waits() { expect_equal "$(job_state "$(job)")" PENDING "state on ${CLUSTER##*/}"; }
starts() { wait_until 90 runs || fail "does not start on ${CLUSTER##*/}"; }
# waited LEAST MOST [FIELD]: how many seconds from its submission, or that other time
waited()
{
	local line since start seconds
	line=$(scontrol -o show job "$(job)" | head -n 1)
	since=$(sed -E "s/.* ${3:-SubmitTime}=([^ ]*).*/\1/" <<<"$line")
	start=$(sed -E 's/.* StartTime=([^ ]*).*/\1/' <<<"$line")
	seconds=$(($(date -d "$start" +%s) - $(date -d "$since" +%s)))
	((seconds >= $1 && seconds <= $2)) ||
		fail "waited $seconds s on ${CLUSTER##*/}, not $1 to $2"
}

@test "both wait for the time, and then start where there is room" {
	wishes 0:10
	sleep 5
	pair_do waits
	pair_do starts
	pair_do waited 9 75
}

@test "both start at once on what they wish for" {
	free() { scancel -u "$(id -un)" && wait_until 30 all_idle; }
	pair_do free
	wishes 10
	pair_do starts
	pair_do waited 0 8
}

@test "max_switch_wait and PatienceMax bound what a job may ask for" {
	wishes 10
	sleep 8
	pair_do waits
	pair_do starts
	pair_do waited 14 80
}

@test "the nodes that are wished for end the wait" {
	wishes 10
	sleep 3
	pair_do waits
	release() { scancel "$(squeue -h -t R -o %A)"; }
	pair_do release
	pair_do starts
	pair_do waited 2 14
}

# running: how many parts of the job run, tasks of an array or components
running() { squeue -h -r -t R -o %A -j "$(job)" | wc -l; }
run_all() { [ "$(running)" = "$1" ]; }

@test "every task of an array waits, and has its own end" {
	wishes 0:10 --array=0-1
	sleep 5
	none() { expect_equal "$(running)" 0 "tasks that run on ${CLUSTER##*/}"; }
	pair_do none
	both() { wait_until 90 run_all 2 || fail "$(squeue)"; }
	pair_do both
}

# starts_again: Slurm lets a requeued job begin two minutes later. Here it may when all of it
# has ended, but not at once: a slurmd refuses the job that it has ended in the same second.
starts_again() { wait_until 90 runs_or_may_begin || fail "does not start again on ${CLUSTER##*/}"; }
runs_or_may_begin()
{
	local begins
	begins=$(scontrol -o show job "$(job)" | sed -E 's/.* EligibleTime=([^ ]*).*/\1/')
	if [ "$(date -d "$begins" +%s)" -gt $(($(date +%s) + 5)) ]; then
		scontrol update JobId="$(job)" StartTime=now+5
		return 1
	fi
	runs_or_changes "$(job)"
}

# Stock Slurm counts once in the life of a job: a requeued one has had its wait. Ours waits
# for nodes near each other whenever it is to start, and counts anew.
@test "a requeued job waits anew, as stock Slurm's does not" {
	wishes 0:15 --requeue
	pair_do starts
	pair_do waited 14 80
	again() { scontrol requeue "$(job)" && wait_until 30 in_state "$(job)" PENDING; }
	pair_do again
	pair_do starts_again
	use_cluster torus
	waited 14 80 EligibleTime
	use_cluster stock
	waited 0 13 EligibleTime
}
