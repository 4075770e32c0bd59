#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus on the 320-node 8x8x5 torus: jobs that take whole nodes.

bats_require_minimum_version 1.5.0
load select_support

setup_file() { cluster_start --dims 8x8x5 --wrap all --exclusive; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

@test "a job on the empty machine gets the first ranks, and its token describes them" {
	job=$(allocate -N 12)
	expect_ranks "$job" 0-11
	expect_placed "$job" all --nodes 12
	expect_match "$(token "$job")" '^torus=main,nodes=12,span=12,box=[0-9]x[0-9]x[0-9],avghops=[0-9]+\.[0-9]{2}$'
}

@test "a batch job is placed like an allocation" {
	occupy 0-9,20-29
	job=$(submit -N 10)
	wait_running "$job"
	expect_ranks "$job" 10-19
}

@test "best fit: the interval that leaves fewest ranks over" {
	occupy_all_but 10-19,40-45,100-106,200-230
	job=$(allocate -N 6)
	expect_ranks "$job" 40-45
	job=$(allocate -N 6)
	expect_ranks "$job" 100-105
	job=$(allocate -N 8)
	expect_ranks "$job" 10-17
}

@test "an interval goes around the end of a ring" {
	occupy_all_but 0-3,50-56,310-319
	job=$(allocate -N 12)
	expect_ranks "$job" 0-1,310-319
	expect_match "$(token "$job")" ',span=12,'
}

@test "without an interval: the free ranks of minimum span" {
	occupy_all_but 5-8,20-23,25-28,100-103,300,302,304
	job=$(allocate -N 8)
	expect_ranks "$job" 20-23,25-28
	expect_match "$(token "$job")" ',span=9,'
}

@test "-N min-max: as many as are free up to the maximum" {
	occupy_all_but 10-19,100-107
	job=$(allocate -N 4-8)
	expect_ranks "$job" 100-107
	job=$(allocate -N 4-20)
	expect_ranks "$job" 10-19
}

@test "-N min-max: a job that finds fewer than the minimum waits" {
	occupy_all_but 10-19
	job=$(submit -N 11-20)
	wait_refused "$job"
}

@test "-n without -N: as many nodes as the tasks need, compactly" {
	occupy_all_but 10-21,30-33,100-200
	job=$(allocate -n 24)
	expect_ranks "$job" 10-21
	job=$(allocate -n 7)
	expect_ranks "$job" 30-33
}

@test "--nodelist: the minimum span that contains the named nodes" {
	occupy_all_but 10-14,20-29
	job=$(allocate -N 6 --nodelist="$(nodes_at 12,22)")
	expect_placed "$job" 10-14,20-29 --nodes 6 --nodelist "$(nodes_at 12,22)"
	expect_equal "$(token "$job" | grep -o 'span=[0-9]*')" span=11
}

@test "--nodelist: exactly the named nodes when the count says so" {
	job=$(allocate -N 3 --nodelist="$(nodes_at 3,77,310)")
	expect_ranks "$job" 3,77,310
	# the ring's largest gap is 78..309
	expect_match "$(token "$job")" ',span=88,'
}

@test "--exclude: placed among the others" {
	job=$(allocate -N 10 --exclude="$(nodes_at 5,15,25-40)")
	expect_ranks "$job" 41-50
	job=$(allocate -N 9 --exclude="$(nodes_at 5,15,25-40)")
	expect_ranks "$job" 6-14
}

@test "the tasks of a job array are decided one after the other" {
	occupy_all_but 0-3,10-14,30-33,50-70
	job=$(submit -N 4 --array=1-5)
	for task in 1 2 3 4 5; do
		wait_running "${job}_$task"
	done
	expect_ranks "${job}_1" 0-3
	expect_ranks "${job}_2" 30-33
	expect_ranks "${job}_3" 10-13
	expect_ranks "${job}_4" 50-53
	expect_ranks "${job}_5" 54-57
}

@test "the waiting rest of a job array has no token" {
	job=$(submit -N 200 --array=1-3)
	wait_running "${job}_1"
	expect_ranks "${job}_1" 0-199
	wait_refused "${job}_2"
	expect_equal "$(scontrol -o show job "${job}_2" | grep -c torus=)" 0 "tokens"
}

@test "each component of a heterogeneous job is compact" {
	occupy_all_but 0-3,10-16,30-49
	job=$(sbatch --parsable --chdir=/ --output=/dev/null -N 4 : -N 7 : -N 5 --wrap 'exec sleep inf')
	for part in 0 1 2; do
		wait_running "$job+$part"
	done
	expect_ranks "$job+0" 0-3
	expect_ranks "$job+1" 10-16
	expect_ranks "$job+2" 30-34
}

@test "a job that waits starts on the nodes that become free" {
	first=$(occupy_all_but 40-49)
	second=$(occupy 40-49)
	job=$(submit -N 7)
	wait_refused "$job"
	scancel "$second"
	wait_running "$job"
	expect_ranks "$job" 40-46
	in_state "$first" RUNNING
}

@test "the whole machine in one job" {
	job=$(allocate -N 320)
	expect_ranks "$job" 0-319
	expect_match "$(token "$job")" ',nodes=320,span=320,box=8x8x5,'
}

@test "the debug log has a line for each decision" {
	occupy_all_but 40-45,100-106
	log_mark
	job=$(allocate -N 6)
	# topology/torus is not told what the question is.
	local question="run_now "
	[ "${TORUS_VIA-}" != topology ] || question=
	logged "$DECIDER: JobId=$job ${question}torus=main free=13 strategy=best_fit nodes=$(job_nodes "$job" | sed 's/[][]/\\&/g') count=6 span=6 "
}

@test "clients and slurmd say nothing" {
	errors=$BATS_TEST_TMPDIR/errors
	{
		sinfo && squeue && scontrol show nodes && scontrol show config &&
			srun -N 2 true && sbatch --chdir=/ -o /dev/null -N 1 --wrap true
	} 2>"$errors" >/dev/null
	expect_equal "$(cat "$errors")" "" "what the commands complained"
	run ! grep -i torus "$CLUSTER"/log/slurmd.*.log
}

@test "clients need no torus.conf" {
	errors=$BATS_TEST_TMPDIR/errors
	mkdir "$BATS_TEST_TMPDIR/etc"
	cp "$SLURM_CONF" "$BATS_TEST_TMPDIR/etc/slurm.conf"
	export SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf
	{ sinfo && squeue && scontrol show nodes && srun -N 3 true; } 2>"$errors" >/dev/null
	expect_equal "$(cat "$errors")" "" "what the commands complained"
}
