#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Strict jobs (a shape, --contiguous) that need something that only some nodes have: 64
# nodes in a 4x4x4 torus, those with z >= 2 with a GPU, those with y = 3 with more memory.
# The engine knows neither, so that its first choice is refused by Slurm's plugin.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local large='' both='' node file
	for ((node = 0; node < 32; node++)); do
		((node / 4 % 4 != 3)) || printf -v large '%s,%03d' "$large" "$node"
	done
	for ((node = 32; node < 64; node++)); do
		((node / 4 % 4 != 3)) || printf -v both '%s,%03d' "$both" "$node"
	done
	cat >"$BATS_FILE_TMPDIR/nodes.conf" <<-END
		GresTypes=gpu
		NodeName=n[032-043,048-059] Gres=gpu:2
		NodeName=n[${large#,}] RealMemory=4000
		NodeName=n[${both#,}] RealMemory=4000 Gres=gpu:2
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
	END
	for file in null zero; do
		echo "NodeName=n[032-063] Name=gpu File=/dev/$file"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	cluster_start --dims 4x4x4 --wrap xyz --select-params CR_CPU_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/nodes.conf"
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# numbers_of JOB: the numbers in the names of its nodes, one a line
numbers_of() { scontrol show hostnames "$(job_nodes "$1")" | sed 's/n0*\([0-9]\)/\1/'; }

# all_have_gpus JOB
all_have_gpus()
{
	expect_equal "$(numbers_of "$1" | awk '$1 < 32' | wc -l)" 0 "nodes without a GPU"
}

# sound_box JOB BOX: it runs in such a box
sound_box() { wait_running "$1" && expect_match "$(token "$1")" ",box=$2,"; }

# each partition in turn
partitions=(whole shared)

@test "a shape with GRES is accepted and gets a box of nodes that have it" {
	for partition in "${partitions[@]}"; do
		job=$(submit -p "$partition" --network=torus:shape=2x2x2 --gres=gpu:1)
		sound_box "$job" 2x2x2
		all_have_gpus "$job"
	done
}

@test "a shape with GRES waits for such a box, not for any" {
	busy=$(allocate -N 31 --nodelist='n[033-063]')
	job=$(submit --network=torus:shape=2x2x1 --gres=gpu:1)
	wait_refused "$job"
	scancel "$busy"
	sound_box "$job" '(2x2x1|2x1x2|1x2x2)'
	all_have_gpus "$job"
}

@test "a shape with GRES is planned for such a box" {
	allocate -N 32 --nodelist='n[032-063]' --time=10
	text=$(sbatch --test-only --network=torus:shape=2x2x2 --gres=gpu:1 --wrap true 2>&1)
	expect_match "$text" 'to start at .* on nodes n\[0[3-6]'
	[[ $text =~ to\ start\ at\ ([0-9T:-]+) ]]
	start=$(($(date -d "${BASH_REMATCH[1]}" +%s) - $(date +%s)))
	((start > 500 && start <= 600)) || fail "starts in $start s: $text"
}

@test "a shape for which no box has the GRES is refused, with the reason" {
	log_mark
	run submit --network=torus:shape=4x4x3 --gres=gpu:1
	[ "$status" -ne 0 ]
	expect_match "$output" 'Requested node configuration is not available'
	# topology/torus is not told that it is asked whether the job could ever run.
	[ "$DECIDER" = topology/torus ] ||
		logged 'can not run: no such place has the processors, memory or GRES'
}

@test "a shape with more memory than most nodes have" {
	job=$(submit --network=torus:shape=4x1x4 --mem=3000)
	sound_box "$job" 4x1x4
	expect_equal "$(numbers_of "$job" | awk 'int($1 / 4) % 4 != 3' | wc -l)" 0 "nodes without it"
}

@test "--contiguous with GRES" {
	for partition in "${partitions[@]}"; do
		job=$(submit -p "$partition" -N 5 --contiguous --gres=gpu:2)
		wait_running "$job"
		all_have_gpus "$job"
		expect_match "$(token "$job")" ',nodes=5,span=5,'
	done
}

@test "--contiguous with tasks, and GPUs counted for the whole job" {
	job=$(submit -n 12 --contiguous --gpus=8)
	wait_running "$job"
	expect_match "$(token "$job")" 'nodes=([0-9]+),span=\1,'
}

@test "a shape with more tasks than the box has processors is refused" {
	run submit --network=torus:shape=2x2x2 -n 17
	[ "$status" -ne 0 ]
	job=$(submit --network=torus:shape=2x2x2 -n 16)
	sound_box "$job" 2x2x2
}
