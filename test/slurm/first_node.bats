#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Task 0 of plain srun is on the first node of the job's list, where half of all scripts look
# for it (MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)), whatever
# order cli_filter/torus gives the others: on a busy torus of 8x4x2.

load select_support

setup_file()
{
	echo CliFilterPlugins=torus >"$BATS_FILE_TMPDIR/conf"
	cluster_start --dims 8x4x2 --wrap xyz --exclusive --allocator compact \
		--conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { cluster_stop; }

@test "24 jobs of 3 to 14 nodes: task 0 is on the first one" {
	local seed=${TORUS_TEST_SEED:-$RANDOM} job nodes ordered=0
	echo "# TORUS_TEST_SEED=$seed"
	RANDOM=$((seed % 32768))
	cd "$BATS_TEST_TMPDIR" || return
	for ((job = 0; job < 24; job++)); do
		# Some nodes are busy, others each time.
		for nodes in 5 9 1 7; do
			sbatch --quiet --output=/dev/null -N $((1 + (RANDOM + nodes) % 9)) --wrap 'sleep 600' >/dev/null
		done
		nodes=$((3 + RANDOM % 12))
		# shellcheck disable=SC2016 # for the job
		salloc --quiet -N $nodes bash -c '
			scontrol show hostnames "$SLURM_JOB_NODELIST" >names
			srun sh -c "echo \$SLURM_PROCID \$SLURMD_NODENAME" | sort -n | cut -d" " -f2 >order' || return
		expect_equal "$(wc -l <order) $(head -n 1 order)" "$nodes $(head -n 1 names)"
		expect_equal "$(sort order)" "$(sort names)"
		cmp -s order names || ordered=$((ordered + 1))
		scancel --quiet -u "$(id -un)"
		while [ -n "$(squeue -h)" ]; do sleep 0.1; done
	done
	echo "# $ordered of 24 in another order than that of the names"
	[ "$ordered" -gt 5 ]
}
