#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus and preemption by QOS, beside the same cluster without our plugins: as many
# jobs are preempted, in the way that their own QOS says, and the preemptor's nodes are
# compact. A 4x2 torus; the clusters have slurmdbd, and are up one after the other.

load select_support

setup_file()
{
	LACKS=$(accounting_lacks)
	export LACKS
	[ -z "$LACKS" ] || return 0
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		PreemptType=preempt/qos
		PreemptMode=REQUEUE
		AccountingStorageEnforce=associations,qos
	END
}

setup() { [ -z "$LACKS" ] || skip "$LACKS"; }
teardown()
{
	[ -z "$LACKS" ] || return 0
	cluster_cancel
	minicluster down
}

# qos: "low" may be requeued and "cheap" cancelled for the sake of "high"; everybody has them
qos()
{
	sacctmgr -i add qos low && sacctmgr -i add qos cheap PreemptMode=cancel &&
		sacctmgr -i add qos high Preempt=low,cheap &&
		sacctmgr -i add account tests &&
		sacctmgr -i add user "$(id -un)" account=tests qos=normal,low,cheap,high \
			DefaultAccount=tests || return
	wait_until 30 eval '[ "$(scontrol show assoc_mgr flags=qos | grep -cE "QOS=(low|cheap|high)\(")" = 3 ]'
	wait_until 30 eval 'scontrol show assoc_mgr flags=assoc | grep -q "Account=tests UserName=$(id -un)"'
}

# run_low QOS SIZE...: jobs that run, one after the other; adds their numbers to low[]
run_low()
{
	local size job qos=$1
	shift
	for size; do
		job=$(submit --qos="$qos" --account=tests --requeue -N "$size") || return
		wait_running "$job" || return
		low+=("$job")
	done
}

urgent() { submit --qos=high --account=tests "$@"; }

settled() { [ "$(job_state "$1")" != RUNNING ]; }

# outcome CASE JOB: of the urgent job and of those that were there
outcome()
{
	local job
	echo "$1: $(job_state "$2") $(scontrol show hostnames "$(job_nodes "$2")" | wc -l)," \
		"$(for job in "${low[@]}"; do job_state "$job"; done | sort | uniq -c | xargs)"
}

# history: three urgent jobs, each on a machine that others fill; on ours with their tokens
# checked
history()
{
	local job low=()
	qos >/dev/null || return
	run_low low 2 2 2 || return
	job=$(urgent -N 2) && wait_running "$job" || return
	outcome "room" "$job"
	job=$(urgent -N 2) && wait_running "$job" || return
	wait_until 30 eval 'for_one=0; for low_job in "${low[@]}"; do ! settled "$low_job" || for_one=1; done; [ $for_one = 1 ]'
	outcome "one makes room" "$job"
	[ "$1" = stock ] || expect_token "$job" "$(token_for "$(job_ranks "$job")")" || return
	cluster_clear || return
	low=()
	run_low cheap 4 4 || return
	job=$(urgent -N 4 --contiguous) && wait_running "$job" || return
	wait_until 30 eval 'in_state "${low[0]}" PREEMPTED || in_state "${low[1]}" PREEMPTED'
	outcome "cancelled" "$job"
	[ "$1" = stock ] || expect_token "$job" "$(token_for "$(job_ranks "$job")")" || return
	cluster_clear || return
	low=()
	run_low normal 8 || return
	job=$(urgent -N 1) && wait_refused "$job" || return
	outcome "not below" "$job"
}

@test "preemption by QOS: as many jobs, in the same way, as with stock Slurm" {
	CLUSTER=$BATS_FILE_TMPDIR/stock
	minicluster up --select cons_tres --dims 4x2 --exclusive --accounting \
		--conf-append "$BATS_FILE_TMPDIR/conf"
	use_cluster stock
	stock=$(history stock)
	echo "$stock"
	minicluster down
	CLUSTER_NAME=torus cluster_start --dims 4x2 --wrap all --exclusive --accounting \
		--conf-append "$BATS_FILE_TMPDIR/conf"
	ours=$(history torus)
	expect_equal "$ours" "$stock" "what happened"
	expect_match "$stock" 'room: RUNNING 2, 3 RUNNING'
	expect_match "$stock" 'one makes room: RUNNING 2, 1 PENDING 2 RUNNING'
	expect_match "$stock" 'cancelled: RUNNING 4, 1 PREEMPTED 1 RUNNING'
	expect_match "$stock" 'not below: PENDING 0, 1 RUNNING'
}
