#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which nodes select/torus takes for usable: slurmctld compares each answer with a walk
# over all jobs and with what Slurm's plugin says to each node alone (test/checked),
# while random jobs come, go and are suspended in partitions of all kinds. It also compares
# each plan that was kept for backfill's second question with one made anew, and each plan
# with that of Slurm's plugin alone, which is to be no earlier.

load select_support

# rows_start CONF OPTION...: 16 nodes, each of 4 cores with 2 threads, one core of some set
# aside, and the partitions in which one_job puts its jobs
rows_start()
{
	local extra=$BATS_FILE_TMPDIR/rows.conf
	SHARES=$1
	cat >"$extra" <<-END
		NodeName=n[000-011] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000
		NodeName=n[012-015] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000 CoreSpecCount=1 MemSpecLimit=100
		PartitionName=plain Nodes=ALL Default=YES MaxTime=INFINITE State=UP
		PartitionName=alone Nodes=ALL OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP
		SchedulerParameters=bf_interval=2,bf_max_job_test=30,sched_interval=5
		$1
	END
	shift
	checked_start --dims 4x2x2 --wrap all --memory 1000 \
		--conf-append "$extra" "$@"
}

SHARING="
PartitionName=yes Nodes=ALL OverSubscribe=YES:2 MaxTime=INFINITE State=UP
PartitionName=force Nodes=ALL OverSubscribe=FORCE:3 MaxTime=INFINITE State=UP
PartitionName=high Nodes=ALL OverSubscribe=FORCE:1 PriorityTier=5 MaxTime=INFINITE State=UP"
PARTITIONS="plain plain yes yes force force alone high"

GANG=

setup()
{
	only_select "does not work out itself which nodes are usable"
	SEED=${TORUS_TEST_SEED:-$RANDOM}
	echo "TORUS_TEST_SEED=$SEED"
	RANDOM=$SEED
}
teardown() { [ -z "${CLUSTER:-}" ] || cluster_stop; }

pick() { shift $((RANDOM % $#)); echo "$1"; }

# one_job: submit something random
one_job()
{
	local partition options=()
	# shellcheck disable=SC2086 # several words
	partition=$(pick $PARTITIONS)
	case $((RANDOM % 4)) in
	0) options+=(-N1 -n $((1 + RANDOM % 8))) ;;
	1) options+=(-n $((1 + RANDOM % 12))) ;;
	2) options+=(-N "$((1 + RANDOM % 4))" "--ntasks-per-node=$((1 + RANDOM % 4))") ;;
	3) options+=(-N "$((1 + RANDOM % 2))-$((3 + RANDOM % 3))" "-c$((1 + RANDOM % 3))") ;;
	esac
	[ $((RANDOM % 2)) = 0 ] || options+=("--mem=$((50 + RANDOM % 500))")
	[ $((RANDOM % 6)) != 0 ] || options+=("--mem-per-cpu=$((10 + RANDOM % 90))")
	[ $((RANDOM % 8)) != 0 ] || options+=(--exclusive)
	[ $((RANDOM % 2)) = 0 ] || options+=(--oversubscribe)
	[ $((RANDOM % 8)) != 0 ] || options+=(--hint=nomultithread)
	sbatch -Q --chdir=/ --output=/dev/null -p "$partition" -t $((1 + RANDOM % 30)) \
		"${options[@]}" --wrap "exec sleep $((1 + RANDOM % 12))" 2>/dev/null || true
}

# suspend_some TURN: a running job is suspended; after the hundredth turn others go on
suspend_some()
{
	local running suspended
	running=$(squeue -h -t R -o %A | shuf -n 1 --random-source=<(yes $RANDOM))
	suspended=$(squeue -h -t S -o %A | head -1)
	# Slurm errs itself about a job that waits for its turn and is then suspended.
	[ -z "$GANG" ] || return 0
	[ $((RANDOM % 3)) != 0 ] || [ -z "$running" ] || scontrol suspend "$running" 2>/dev/null || true
	[ $((RANDOM % 3)) != 0 ] || [ -z "$suspended" ] || [ "$1" -lt 100 ] || scontrol resume "$suspended" 2>/dev/null || true
}

# random_jobs COUNT: let them come, and look at what slurmctld has found
random_jobs()
{
	local i checks later rows jobs kept plans late most
	for ((i = 0; i < $1; i++)); do
		one_job
		suspend_some "$i"
		[ $((RANDOM % 10)) != 0 ] || sleep 1
	done
	sleep 5
	cluster_cancel
	checks=$(grep -c 'torus: usable: .* checked' "$CONTROLLER_LOG")
	later=$(grep -c 'usable: .* later: ' "$CONTROLLER_LOG" || true)
	rows=$(grep -c 'usable: .* rows=[1-9].* now: ' "$CONTROLLER_LOG" || true)
	jobs=$(grep -c '_slurm_rpc_submit_batch_job: JobId=' "$CONTROLLER_LOG" || true)
	kept=$(grep -c 'torus: plan: .* kept ' "$CONTROLLER_LOG" || true)
	echo "$jobs of $1 jobs accepted, $checks answers checked, $later of them for a later time, $rows with rows, $kept kept plans"
	expect_equal "$(grep -E 'error: .*plan: .* kept: ' "$CONTROLLER_LOG" | head -20)" "" "kept plans that differ"
	# From 23.11 on Slurm says of a few jobs that they could start now, which it then does not
	# start; 26.05 says so only where processors are shared.
	plans=$(grep -c 'torus: plan: .* wait=' "$CONTROLLER_LOG")
	late=$(grep -E 'error: .*plan: .* would start ' "$CONTROLLER_LOG" || true)
	most=0
	! is_since 23.11 || { [ -z "$SHARES" ] && is_since 26.05; } || most=$((plans / 40))
	[ "$(grep -c . <<<"$late")" -le "$most" ] ||
		fail "plans later than Slurm's alone, of $plans" "$(head -20 <<<"$late")"
	[ "$kept" -gt 0 ] || fail "no plan was kept"
	expect_equal "$(grep -E 'error: .*usable: .*not so by Slurm' "$CONTROLLER_LOG" | head -20)" "" "differences to Slurm"
	# A job that is resumed although others have its cores is in no row of Slurm's from
	# then on, and what Slurm counts is no longer what the jobs hold.
	expect_equal "$(sed '/job overflow/q' "$CONTROLLER_LOG" | grep -E 'error: .*usable: ' | head -20)" "" "differences to the jobs"
	[ "$checks" -gt "$1" ] || fail "only $checks answers checked"
	[ "$jobs" -gt $(($1 / 2)) ] || fail "only $jobs jobs accepted"
	[ "$later" -gt 0 ] || fail "no answer checked for a later time"
	[ -z "$SHARES" ] || [ "$rows" -gt 0 ] || fail "no answer checked with rows"
}

@test "as Slurm's plugin says: no core is shared" {
	PARTITIONS="plain plain plain alone"
	rows_start "" --select-params CR_Core_Memory
	random_jobs 150
}

# Slurm says "job overflow" only if the others are of the same partition.
@test "a job that goes on although another partition has given its cores to others" {
	rows_start "" --select-params CR_Core_Memory
	long=$(submit -w n000 -N 1 -n 8 --mem=100 -t 30)
	wait_running "$long"
	scontrol suspend "$long"
	short=$(submit -p alone -w n000 -N 1 --mem=100 -t 5)
	wait_running "$short"
	scontrol resume "$long"
	in_state "$long" RUNNING
	submit -N 16 --ntasks-per-node=1 --mem=10 -t 5
	log_mark
	wait_until 60 logged 'usable: .* later: '
	sleep 3
	expect_equal "$(grep -E 'error: .*usable: ' "$CONTROLLER_LOG" | head -20)" "" "differences"
}

@test "as Slurm's plugin says: cores and memory, oversubscribed, suspended" {
	rows_start "$SHARING" --select-params CR_Core_Memory
	random_jobs 150
}

@test "as Slurm's plugin says: CPUs without memory" {
	rows_start "$SHARING" --select-params CR_CPU
	random_jobs 150
}

@test "as Slurm's plugin says: gang scheduling, preemption by partition" {
	GANG=yes
	rows_start "$SHARING
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SchedulerTimeSlice=5" --select-params CR_Core_Memory
	random_jobs 150
}
