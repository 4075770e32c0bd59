#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A slurmctld under valgrind: our plugins, those that TORUS_VIA says, neither leak nor touch
# memory that is not their own, whatever way their decisions take.
# Slurm's own findings are not ours to judge: only those whose stack goes through our
# plugins count. To tell them apart takes debugging information, which a build need not
# have: the plugins are compiled here, with a leak that has to be found.

bats_require_minimum_version 1.5.0
load select_support

SOURCES=$(realpath "$TORUS_SRCDIR")

setup_file()
{
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	cat >"$BATS_FILE_TMPDIR/conf" <<'END'
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
GresTypes=gpu
NodeName=n[000-005] Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE PriorityTier=1 MaxTime=60
PartitionName=urgent Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=9 PreemptMode=OFF
PartitionName=shared Nodes=ALL OverSubscribe=NO PriorityTier=1
PartitionName=rows Nodes=ALL OverSubscribe=FORCE:2 PriorityTier=1
PartitionName=loads Nodes=ALL LLN=YES PriorityTier=1
END
	schedule >>"$BATS_FILE_TMPDIR/conf"
	printf '%s\n' 'TorusName=main Dims=4x3x2 Wrap=x Nodes=n[000-023] Allocator=best_fit' \
		'TorusName=other Dims=2x2x2 Nodes=n[024-031] Allocator=compact Isolation=0.2' \
		>"$BATS_FILE_TMPDIR/torus.conf"
	printf 'NodeName=n[000-005] Name=gpu File=/dev/%s\n' null zero >"$BATS_FILE_TMPDIR/gres.conf"
	plugin_with_leak
	cluster_start --nodes 34 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
	minicluster kill-ctld TERM
	export VALGRIND_LOGS=$BATS_FILE_TMPDIR/valgrind
	mkdir "$VALGRIND_LOGS"
	# As a daemon, not with -D: so a reconfiguration is a new process, and this one's end.
	MINICLUSTER_ID=$(sed -n 's/^id=//p' "$CLUSTER/settings") \
		valgrind --leak-check=full --keep-debuginfo=yes --fullpath-after= \
		--show-leak-kinds=definite,indirect --log-file="$VALGRIND_LOGS/%p" \
		--trace-children=yes \
		"$(PATH=$PATH:/usr/sbin command -v slurmctld)" -f "$SLURM_CONF" \
		</dev/null >/dev/null 2>&1 3>&-
	wait_until 120 answers
	wait_until 120 nodes_idle 34
}

# schedule: from 25.05 on backfill weighs how broken up the machine is, if asked to
schedule()
{
	printf 'SchedulerParameters=bf_interval=1,bf_continue,batch_sched_delay=0,default_queue_depth=1000'
	! is_since 25.05 || printf ',bf_topopt_enable,bf_topopt_iterations=4'
	echo
}

# plugin_with_leak: in a directory of its own, which becomes TORUS_PLUGIN_DIR
plugin_with_leak()
{
	local sources directory=$BATS_FILE_TMPDIR/plugins plugin
	mkdir "$directory" || return
	cat >"$directory/planted.c" <<'END'
#include <stdlib.h>
__attribute__((constructor)) static void leak(void)
{
	void *volatile memory = malloc(77);
	memory = NULL;
	(void)memory;
}
END
	for plugin in "${PLUGINS[@]}"; do
		mapfile -t sources < <(
			TORUS_SRCDIR=$SOURCES sources_of "${plugin%.so}"
			find "$SOURCES/common" -name '*.c'
		)
		compile_plugin "$directory/$plugin" -g -O2 -Wl,-Bsymbolic \
			-I "$TORUS_PLUGIN_DIR/.." -I "$SOURCES/plugin" -I "$SOURCES/common" \
			"$directory/planted.c" "${sources[@]}" -lm || return
	done
	TORUS_PLUGIN_DIR=$directory
}

teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }

answers() { scontrol ping | grep -q 'is UP'; }
ended() { [[ $(ps -o state= -p "$1") != [^Z]* ]]; } # it may be nobody's child
none_busy() { [[ $(sinfo -h -o %t | sort -u) == idle ]]; }
none_left() { [ -z "$(squeue -h "$@")" ]; }
shows() { scontrol show topology | grep -qE -- "$1"; }
running() { [ "$(squeue -h -t R | wc -l)" -ge "$1" ]; }
controller() { cat "$CLUSTER/run/slurmctld.pid"; }

# batch OPTION...: a job that ends by itself; prints its number
batch() { sbatch --parsable -o /dev/null -D / "$@"; }

# clear: no job is left
clear()
{
	cluster_cancel
	wait_until 120 none_left
}

# rounds COUNT: wait until the backfill scheduler has gone through the jobs so often, or no
# job waits that it could plan
cycles() { sdiag | sed -n '/Backfilling stats/,$s/.*Total cycles: *//p' | head -n 1; }
cycled() { [ "$(cycles)" -ge "$1" ] || nothing_to_plan; }
nothing_to_plan()
{
	local reasons
	reasons=$(squeue -h -t PD -o %r) && ! grep -qv BeginTime <<<"${reasons:-BeginTime}"
}
rounds() { wait_until 180 cycled "$(($(cycles) + $1))"; }

# findings DIRECTORY: those with a file below it in their stack. Each finding of valgrind is
# a paragraph of lines that begin with the same ==PID==.
findings()
{
	cat "$VALGRIND_LOGS"/* | sed 's/^==[0-9]*== \{0,1\}//' |
		directory=$1 awk -v RS= 'index($0, "(" ENVIRON["directory"] "/")'
}

@test "starts and refusals" {
	batch -N 5 --wrap 'sleep 60'
	batch -N 2-4 --wrap 'sleep 60'
	batch -n 6 --wrap 'sleep 60'
	batch -N 3 --contiguous --wrap 'sleep 60'
	batch --network=torus:shape=2x2 --wrap 'sleep 60'
	run ! batch --network=torus:shape=9x9 --wrap 'sleep 60'
	run ! batch --network=torus:shape --wrap 'sleep 60'
	wait_until 60 running 5
}

@test "waiting and planned: by the engine, strictly, with a range, spread over both tori" {
	batch -N 20 --wrap 'sleep 1'
	batch -N 10 --contiguous --wrap 'sleep 1'
	batch -N 6-10 --contiguous --wrap 'sleep 1'
	batch --network=torus:shape=3x3 --wrap 'sleep 1'
	batch -n 60 --wrap 'sleep 1'
	batch -N 30 --wrap 'sleep 1'
	batch -N 34 --wrap 'sleep 1'
	rounds 5
}

@test "preemption, plain and strict" {
	batch -p urgent -N 14 --wrap 'sleep 2'
	batch -p urgent --network=torus:shape=3x2x2 --wrap 'sleep 2'
	batch -p urgent -N 30 --wrap 'sleep 2'
	wait_until 180 none_left -p urgent
	rounds 2
	clear
}

@test "a job is suspended, resumed, shrunk, requeued and started again" {
	job=$(batch -N 6 --wrap 'sleep 600')
	wait_running "$job"
	scontrol suspend "$job"
	wait_until 60 in_state "$job" SUSPENDED
	# Its nodes can be had; one of these gets them, and the other waits.
	others=("$(batch -N 30 --wrap 'sleep 600')" "$(batch -N 30 --wrap 'sleep 600')")
	rounds 2
	scontrol resume "$job"
	wait_until 60 in_state "$job" RUNNING
	scontrol update JobId="$job" NumNodes=3
	rounds 2
	scancel "${others[@]}"
	scontrol requeuehold "$job"
	wait_until 60 in_state "$job" PENDING
	scontrol release "$job"
	# A slurmd refuses a job's new credential of the second in which it has revoked the last.
	scontrol update JobId="$job" StartTime=now+2
	wait_running "$job"
	clear
}

@test "shared nodes: beside others, upon others, by load, with GPUs" {
	# Jobs on all nodes but two, so that what follows has to share.
	job=$(batch -p shared -N 4 -n 4 --wrap 'sleep 600')
	batch -p shared -N 28 --ntasks-per-node=1 --wrap 'sleep 600'
	batch -p shared -n 9 --wrap 'sleep 600'
	batch -p loads -n 4 --wrap 'sleep 600'
	batch -p shared -N 2 --gres=gpu:1 --wrap 'sleep 600'
	! is_since 24.11 || batch -p shared -n 2 --gpus=2 --wrap 'sleep 600'
	wait_until 60 running 4
	scontrol update JobId="$job" NumNodes=2
	batch -p shared -N 12 --gres=gpu:2 --wrap 'sleep 1' || true # never
	batch -p shared -N 3 --contiguous --ntasks-per-node=2 --wrap 'sleep 600'
	rounds 3
	clear
	batch -p rows --oversubscribe -N 20 --ntasks-per-node=2 --wrap 'sleep 600'
	batch -p rows --oversubscribe -N 20 --ntasks-per-node=2 --wrap 'sleep 600'
	batch -p rows --oversubscribe --contiguous -N 6 --ntasks-per-node=2 --wrap 'sleep 600'
	batch -p rows --oversubscribe --network=torus:shape=2x2x2 --ntasks-per-node=2 --wrap 'sleep 600'
	wait_until 60 running 3
	rounds 3
	clear
}

@test "reservations, and a node that is down" {
	wait_until 60 none_busy
	scontrol create reservation ReservationName=r NodeCnt=4 StartTime=now Duration=10 Users="$(id -un)"
	scontrol create reservation ReservationName=later NodeCnt=10 StartTime=now+5minutes \
		Duration=10 Users="$(id -un)"
	scontrol update NodeName=n007 State=DOWN Reason=test
	job=$(batch -N 3 --reservation=r --wrap 'sleep 1')
	batch -N 22 -t 20 --wrap 'sleep 1'
	batch --network=torus:shape=3x3 -t 20 --wrap 'sleep 1'
	wait_until 120 in_state "$job" COMPLETED
	rounds 3
	scontrol delete ReservationName=r
	scontrol delete ReservationName=later
	scontrol update NodeName=n007 State=RESUME
	clear
}

@test "what is asked and shown: steps, addresses, topology, nodes" {
	srun --chdir=/ -N 25 true
	srun --chdir=/ -N 5 -m block true
	job=$(batch -N 6 --wrap 'sleep 600')
	wait_running "$job"
	if [ "${TORUS_VIA-}" = topology ] && is_since 24.11; then
		wait_until 30 shows "JobId=$job "
		scontrol show topology n001 >/dev/null
	fi
	scontrol show nodes | grep -q NodeName=n033
	clear
}

@test "reconfiguring badly and well, while jobs run" {
	job=$(batch -N 6 --wrap 'sleep 600')
	shaped=$(batch --network=torus:shape=2x2x2 --wrap 'sleep 600')
	wait_running "$job" "$shaped"
	before=$(controller)
	log_mark
	echo "Curv=hilbert" >>"$TORUS_CONF"
	scontrol reconfigure || true
	wait_until 120 logged 'torus.conf:[0-9]+: .*Curv'
	sed -i '/^Curv=/d' "$TORUS_CONF"
	echo "Curve=snake" >>"$TORUS_CONF"
	wait_until 120 scontrol reconfigure
	wait_until 120 answers
	! reconfigure_restarts || wait_until 120 ended "$before"
	expect_match "$(any_token "$job")" ',nodes=6,'
	batch -N 20 --wrap 'sleep 1'
	batch -N 25 --wrap 'sleep 1'
	rounds 2
	clear
}

@test "valgrind has found nothing in the plugin" {
	pid=$(controller)
	kill -TERM "$pid"
	wait_until 120 ended "$pid"
	grep -q 'ERROR SUMMARY' "$VALGRIND_LOGS/$pid" || fail "slurmctld did not end in order"
	# The planted leak is found in each process that has been slurmctld: where a
	# reconfiguration makes another, in at least two.
	mapfile -t logs < <(grep -l 'planted\.c' "$VALGRIND_LOGS"/*)
	if reconfigure_restarts; then
		[ "${#logs[@]}" -ge 2 ]
	else
		[ "${#logs[@]}" -eq 1 ]
	fi
	[[ $(findings "$BATS_FILE_TMPDIR/plugins") == *"77 bytes"*"definitely lost"*planted.c* ]] ||
		fail "the planted leak is not found"
	echo "# ${#logs[@]} slurmctlds, $(grep -h 'in loss record' "${logs[@]}" | grep -c lost) leaks," \
		"$(grep -hcE 'Invalid|uninitialised' "${logs[@]}" | paste -sd+) other errors, planted ones included"
	found=$(findings "$SOURCES/plugin"; findings "$SOURCES/common")
	[ -z "$found" ] || fail "$found"
}
