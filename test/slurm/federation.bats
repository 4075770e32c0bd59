#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two clusters in a federation, each a 4x2 torus, beside two with stock Slurm: their jobs
# have numbers above 67,108,864, in which the cluster where they were submitted has its
# bits, and begin on whichever cluster has room first. The other one's record is then
# revoked. storus takes such numbers and answers for the cluster that it asks.

bats_require_minimum_version 1.5.0
load select_support

# setting NAME: of the current cluster's slurm.conf
setting() { sed -n "s/^$1=//p" "$SLURM_CONF"; }

# start_further NAME OPTION...: a cluster that asks the first one's slurmdbd, and its munged,
# as slurmctlds of a federation have to believe each other
start_further()
{
	local name=$1 conf=$BATS_FILE_TMPDIR/$1.conf first=$BATS_FILE_TMPDIR/one
	shift
	use_cluster one
	cat "$BATS_FILE_TMPDIR/conf" - >"$conf" <<-END
		ClusterName=$name
		AuthInfo=socket=$first/munge.socket
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=127.0.0.1
		AccountingStoragePort=$(setting AccountingStoragePort)
		AccountingStoragePass=$first/munge.socket
	END
	sacctmgr -i add cluster "$name" || return
	CLUSTER_NAME=$name cluster_start --dims 4x2 --exclusive --conf-append "$conf" "$@"
}

setup_file()
{
	accounting_lacks >"$BATS_FILE_TMPDIR/lacks"
	[ ! -s "$BATS_FILE_TMPDIR/lacks" ] || return 0
	echo CliFilterPlugins=torus >"$BATS_FILE_TMPDIR/conf"
	# So that the order of the torus is not that of the names
	echo "TorusName=main Dims=4x2 Wrap=all Nodes=n[005,003,000,006,007,001,002,004] Allocator=best_fit" \
		>"$BATS_FILE_TMPDIR/torus.conf"
	CLUSTER_NAME=one cluster_start --dims 4x2 --exclusive --accounting \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf" || return
	start_further two --torus-conf "$BATS_FILE_TMPDIR/torus.conf" || return
	: >"$BATS_FILE_TMPDIR/conf"
	# shellcheck disable=SC2034 # cluster_start reads it
	VIA=(--select cons_tres)
	start_further stock_one || return
	start_further stock_two || return
	use_cluster one
	sacctmgr -i add federation ours clusters="$(setting ClusterName),two" || return
	sacctmgr -i add federation theirs clusters=stock_one,stock_two || return
	each_do wait_until 60 is_federated
}

# The first has what the others ask: it ends last.
teardown_file()
{
	local name
	for name in stock_two stock_one two one; do
		use_cluster "$name"
		[ ! -d "$CLUSTER" ] || cluster_stop
	done
}
setup()
{
	[ ! -s "$BATS_FILE_TMPDIR/lacks" ] || skip "$(cat "$BATS_FILE_TMPDIR/lacks")"
	use_cluster one
}
teardown()
{
	[ ! -s "$BATS_FILE_TMPDIR/lacks" ] || return 0
	each_do cluster_cancel
	each_do wait_until 60 all_idle
}

# each_do COMMAND...: for each cluster
each_do()
{
	local name
	for name in stock_one stock_two one two; do
		use_cluster "$name"
		"$@" || return
	done
}

# is_federated: its slurmctld and its sibling's are connected, both ways
is_federated()
{
	[ "$(scontrol show federation | grep -c 'PersistConnSend/Recv:Yes/Yes Synced:Yes')" = 1 ]
}

# submit_to CLUSTER OPTION...: a batch job; prints its number
submit_to()
{
	use_cluster "$1"
	shift
	sbatch --parsable --chdir=/ --output=/dev/null "$@" | sed 's/;.*//'
}

# submit_away OPTION...: one that has to begin on the second cluster, as the first is full
submit_away()
{
	use_cluster one
	sbatch --parsable --clusters="$(setting ClusterName)" --chdir=/ --output=/dev/null -N 8 \
		--wrap 'sleep 300' >/dev/null
	wait_until 60 nodes_idle 0
	submit_to one "$@"
}

# record JOB FIELD: of this cluster's own record
record() { scontrol --local -o show job "$1" | sed -nE "1s/.* $2=([^ ]*).*/\1/p"; }
has_state() { [ "$(record "$1" JobState)" = "$2" ]; }

# states JOB CLUSTER CLUSTER: in the order of the alphabet. The record of a job that runs
# elsewhere is revoked, and soon forgotten where the job was not submitted.
states()
{
	local job=$1 name
	shift
	for name; do
		use_cluster "$name"
		record "$job" JobState
	done 2>/dev/null | sed 's/^REVOKED$//;/^$/d' | sort | xargs
}
has_begun() { [ "$(states "$@")" = RUNNING ]; }

# expect_answers JOB: what storus says of a job that runs in this cluster
expect_answers()
{
	local job=$1 nodes written
	nodes=$(record "$job" NodeList)
	written=$(run -0 "$STORUS" token "$job" && echo "$output")
	expect_match "$written" '^torus=main,nodes=3,span=[0-9]+,box=[0-9]x[0-9],avghops=[0-9.]+$'
	expect_equal "$written" "$(record "$job" SystemComment)"
	run -0 "$STORUS" show "$job"
	expect_match "$output" "^job $job"$'\n'
	expect_equal "$(sorted "$(sed -n 's/^nodelist //p' <<<"$output")")" "$(sorted "$nodes")"
	run -0 "$STORUS" show
	expect_match "$output" " $job "
	run -0 --separate-stderr "$STORUS" map --job "$job" --grid any --tasks-per-node 1 --format slurm
	expect_equal "$(sort <<<"$output")" "$(scontrol show hostnames "$nodes")"
}

# expect_none JOB: what storus says where only the revoked record is
expect_none()
{
	run -2 "$STORUS" show "$1"
	run -2 "$STORUS" map --job "$1" --grid any
	expect_match "$output" "job $1 is not running: it holds no nodes"
	run "$STORUS" token "$1"
	expect_equal "$output" ""
	run -0 "$STORUS" show
	run ! grep -F " $1 " <<<"$output"
}

@test "a job begins on one cluster and is revoked on the other, as in stock Slurm" {
	for from in one two; do
		job=$(submit_to "$from" -N 3 --wrap 'sleep 300')
		theirs=$(submit_to "stock_$from" -N 3 --wrap 'sleep 300')
		wait_until 60 has_begun "$job" one two
		wait_until 60 has_begun "$theirs" stock_one stock_two
		# The bits of the cluster where it was submitted, and the first job there.
		expect_equal "$job" "$theirs"
		[ "$job" -gt 67108864 ]
		for name in one two; do
			use_cluster "$name"
			if has_state "$job" RUNNING; then
				expect_answers "$job"
			elif [ -n "$(record "$job" JobState)" ]; then
				expect_none "$job"
			fi
		done
	done
}

@test "a job that came from the other cluster: storus knows it where it runs" {
	job=$(submit_away -N 3 --wrap 'sleep 300')
	use_cluster two
	wait_until 60 has_state "$job" RUNNING
	expect_answers "$job"
	use_cluster one
	expect_none "$job"
}

@test "cli_filter/torus orders the steps of a job that came from the other cluster" {
	out=$BATS_TEST_TMPDIR/out
	job=$(submit_away -N 8 --wrap "export SLURM_CONF=$BATS_FILE_TMPDIR/two/etc/slurm.conf
		srun -v -l printenv SLURMD_NODENAME >$out 2>&1")
	use_cluster two
	wait_until 120 has_state "$job" COMPLETED
	cat "$out"
	run ! grep -F "tasks in Slurm's own order" "$out"
	expect_equal "$(sed -nE 's/^([0-9]+): /\1 /p' "$out" | sort -n | cut -d' ' -f2)" \
		"$("$STORUS" map --conf "$TORUS_CONF" --nodelist "$(record "$job" NodeList)" --grid any --format slurm)"
}
