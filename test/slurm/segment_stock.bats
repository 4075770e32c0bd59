#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --segment beside stock Slurm's topology/block, with the same jobs: 32 nodes with 2
# processors and 2 GPUs, for stock Slurm in eight blocks of four, for us in a row. What other
# jobs hold are blocks, so that a segment of four is a block for both.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local block
	is_since 24.11 || return 0
	cat >"$BATS_FILE_TMPDIR/nodes.conf" <<-'END'
		GresTypes=gpu
		NodeName=n[000-031] Gres=gpu:2
		PreemptType=preempt/partition_prio
		PreemptMode=REQUEUE
		PartitionName=whole Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL PriorityTier=1 MaxTime=INFINITE State=UP
	END
	for file in null zero; do
		echo "NodeName=n[000-031] Name=gpu File=/dev/$file"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	for ((block = 0; block < 8; block++)); do
		echo "BlockName=b$block Nodes=$(block_nodes $block)"
	done >"$BATS_FILE_TMPDIR/topology.conf"
	echo BlockSizes=4 >>"$BATS_FILE_TMPDIR/topology.conf"
	echo TopologyPlugin=topology/block >"$BATS_FILE_TMPDIR/conf"
	set -- --dims 32 --select-params CR_CPU_Memory --copy "$BATS_FILE_TMPDIR/gres.conf" \
		--conf-append "$BATS_FILE_TMPDIR/nodes.conf"
	CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres "$@" \
		--copy "$BATS_FILE_TMPDIR/topology.conf" --conf-append "$BATS_FILE_TMPDIR/conf" || return
	CLUSTER_NAME=torus cluster_start --wrap none --curve row_major "$@"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/torus" ] || pair_stop; }
setup() { is_since 24.11 || skip "Slurm has no --segment before 24.11"; }
teardown() { [ ! -d "$BATS_FILE_TMPDIR/torus" ] || pair_clear; }

# block_nodes NUMBER: four nodes
block_nodes() { printf 'n[%03d-%03d]' $((4 * $1)) $((4 * $1 + 3)); }

# hold_blocks NUMBERS OPTION...: a job that may be preempted on each of these blocks
hold_blocks()
{
	local block
	for block in ${1//,/ }; do
		submit --requeue -N 4 -w "$(block_nodes "$block")" "${@:2}" >/dev/null || return
	done
	wait_until 60 run_on $((4 * $(wc -w <<<"${1//,/ }")))
}
# run_on COUNT: that many nodes have jobs
run_on() { [ "$(squeue -h -t R -o %D | awk '{ nodes += $1 } END { print nodes + 0 }')" = "$1" ]; }

# in_blocks JOB COUNT: it has that many nodes, four of each of its blocks
in_blocks()
{
	local numbers
	numbers=$(scontrol show hostnames "$(job_nodes "$1")" | sed 's/^n0*\(.\)/\1/')
	expect_equal "$(wc -l <<<"$numbers")" "$2" "nodes of job $1 on ${CLUSTER##*/}" || return
	expect_equal "$(awk '{ print int($1 / 4) }' <<<"$numbers" | uniq -c | awk '{ print $1 }' | sort -u)" \
		4 "nodes of a block of job $1 on ${CLUSTER##*/}: $(job_nodes "$1")"
}

# started OPTION...: submit it, and wait until it runs; its number is $job
started()
{
	job=$(submit "$@") || return
	wait_running "$job" || fail "$* does not start on ${CLUSTER##*/}: $(job_reason "$job")"
}

preempts()
{
	hold_blocks 0,1,2,3,4,5,6,7
	started -p high -N 8 --segment=4
	in_blocks "$job" 8 || return
	expect_equal "$(squeue -h -t R -p whole -o %A | wc -l)" 6 "jobs that run on, on ${CLUSTER##*/}"
}
@test "both preempt no more jobs than the segments take" { pair_do preempts; }

preempts_halves()
{
	local block
	for ((block = 0; block < 8; block++)); do
		submit --requeue -N 2 -w "$(printf 'n[%03d-%03d]' $((4 * block)) $((4 * block + 1)))" >/dev/null
	done
	wait_until 60 run_on 16
	started -p high -N 8 --segment=4
	expect_equal "$(squeue -h -t R -p whole -o %A | wc -l)" 6 "jobs that run on, on ${CLUSTER##*/}"
	expect_equal "$(squeue -h -j "$job" -o %D)" 8 "nodes on ${CLUSTER##*/}"
}
@test "both preempt for segments although as many nodes are idle" { pair_do preempts_halves; }

# end_of JOB, start_of JOB: in seconds, as slurmctld expects it
end_of() { date -d "$(scontrol -o show job "$1" | sed -nE '1s/.* EndTime=([^ ]*).*/\1/p')" +%s; }
start_of() { date -d "$(scontrol -o show job "$1" | sed -nE '1s/.* StartTime=([^ ]*).*/\1/p')" +%s; }
is_planned() { (($(start_of "$1" 2>/dev/null || echo 0) >= $2 - 2 && $(start_of "$1") <= $2 + 62)); }

plans()
{
	local first long short planned
	# Block 2 is idle; 0 ends in 5 minutes, the others later.
	first=$(submit -N 4 -w "$(block_nodes 0)" --time=5)
	hold_blocks 1,3,4,5,6,7 --time=60 || true
	wait_running "$first"
	planned=$(submit -N 8 --segment=4 --time=30)
	wait_until 90 is_planned "$planned" "$(end_of "$first")" ||
		fail "not planned on ${CLUSTER##*/}: $(scontrol -o show job "$planned")" || return
	long=$(submit -N 4 --time=60 --nice=100)
	short=$(submit -N 4 --time=2 --nice=200)
	wait_running "$short" || fail "the short job does not start on ${CLUSTER##*/}" || return
	expect_equal "$(job_state "$long")" PENDING "the long job on ${CLUSTER##*/}" || return
	expect_equal "$(job_state "$planned")" PENDING "the job of segments on ${CLUSTER##*/}" || return
	scancel "$short" "$first"
	wait_running "$planned"
	in_blocks "$planned" 8
}
@test "both plan segments for when they are free, and keep them from longer jobs" { pair_do plans; }

alone()
{
	# Somebody has a processor of one node of block 0.
	submit -p shared -n 1 -w n001 >/dev/null
	wait_until 60 run_on 1
	started -p shared --exclusive -N 28 --segment=4
	expect_equal "$(squeue -h -j "$job" -o %D)" 28 "nodes on ${CLUSTER##*/}"
}
@test "--exclusive on shared nodes, beside a job on one of them" { pair_do alone; }

gpus_of_nodes()
{
	hold_blocks 1,3
	started -p shared -N 8 --gpus-per-node=1 --segment=4
	in_blocks "$job" 8 || return
	started -p shared -N 8 --gres=gpu:2 --segment=4
	in_blocks "$job" 8
}
@test "GPUs by the node" { pair_do gpus_of_nodes; }

a_range()
{
	hold_blocks 1,3,5
	started -N 4-12 --segment=4
	expect_equal $(($(squeue -h -j "$job" -o %D) % 4)) 0 "nodes beyond a multiple on ${CLUSTER##*/}" || return
	squeue -h -j "$job" -o %D >"$BATS_TEST_TMPDIR/${CLUSTER##*/}"
}
@test "a range of nodes: no fewer than with topology/block" {
	pair_do a_range
	[ "$(<"$BATS_TEST_TMPDIR/torus")" -ge "$(<"$BATS_TEST_TMPDIR/stock")" ]
}

larger_than_the_job()
{
	hold_blocks 0,2,4,6
	started -N 5 --segment=8
	expect_equal "$(squeue -h -j "$job" -o %D)" 5 "nodes on ${CLUSTER##*/}"
}
@test "a segment larger than the job is none" {
	is_since 26.05 || skip "this topology/block refuses it"
	pair_do larger_than_the_job
}

waits_for_segments()
{
	# Seven nodes are left, n[021-022,025-027,030-031]: three in a row only once.
	local node
	hold_blocks 0,1,2,3,4
	for node in 020 023 024 028 029; do
		submit -N 1 -w "n$node" >/dev/null
	done
	wait_until 60 run_on 25 || return
	job=$(submit -N 6 --segment=3)
	wait_refused "$job" || fail "$(job_reason "$job") on ${CLUSTER##*/}"
	job_reason "$job" >"$BATS_TEST_TMPDIR/${CLUSTER##*/}"
}
# select/torus says Resources.
@test "both wait although there are as many nodes, and topology/torus tells the same reason" {
	pair_do waits_for_segments
	[ "$DECIDER" = select/torus ] || expect_equal "$(<"$BATS_TEST_TMPDIR/torus")" "$(<"$BATS_TEST_TMPDIR/stock")" reason
}

# answer OPTION...: what sbatch says, "accepted" or the error
answer()
{
	local text
	if text=$(submit "$@" 2>&1); then
		scancel "$text"
		echo accepted
	else
		echo "$text"
	fi >"$BATS_TEST_TMPDIR/${CLUSTER##*/}"
}

@test "a number of nodes that does not go is refused in the same words" {
	local options
	while read -r options; do
		# shellcheck disable=SC2086 # several words
		pair_do answer $options
		expect_equal "$(<"$BATS_TEST_TMPDIR/torus")" "$(<"$BATS_TEST_TMPDIR/stock")" "of $options"
	done <<-'END'
		-N 6 --segment=4
		-N 36 --segment=4
		-N 10 --segment=4 --exclusive -p shared
	END
}

# topology/block of 26.05 says "node configuration", that of 24.11 and torus3d as we do.
@test "nodes that are no segments are refused" {
	pair_do answer -N 8 --segment=4 -w "n[001,003,005,007,016,018,020,022]"
	expect_match "$(<"$BATS_TEST_TMPDIR/stock")" 'Requested (node|topology) configuration is not available'
	expect_match "$(<"$BATS_TEST_TMPDIR/torus")" 'Requested topology configuration is not available'
}

# Stock Slurm never starts such a job; its ticket 25621 is about it.
@test "GPUs by the job: only with our plugins" {
	use_cluster torus
	started -p shared -N 8 --gpus=16 --segment=4
	expect_equal "$(squeue -h -j "$job" -o %D)" 8 nodes
}
