#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus sim compare --slurm: the comparison as a job array of a real cluster comes to the
# same table, to the byte, as on one host.
#
# Environment: STORUS (the command). Stock Slurm; no plugin of ours.

load support
bats_require_minimum_version 1.5.0

: "${STORUS:?the command storus}"
STORUS=$(realpath "$STORUS")

setup_file()
{
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	minicluster up --nodes 4 --cpus 4
}

teardown_file() { minicluster down; }

# A path that a shell would take apart
setup()
{
	mkdir "$BATS_TEST_TMPDIR/it's here" && cd "$BATS_TEST_TMPDIR/it's here" || return
	cat >matrix <<-'END'
		Dims=8x8x5 Wrap=xyz
		Workloads="log-uniform:jobs=200 cplant-stream"
		Curves=row_major,hilbert  Allocators=free_list,best_fit
		Schedulers=easy  Seeds=1-3
		Baseline=row_major,free_list
	END
}

teardown() { slurm scancel --user="$(id -un)" || true; }

compare() { "$STORUS" sim compare "$@"; }

@test "the table is the same as on this host" {
	for format in text csv json; do
		compare matrix --format=$format >here
		slurm "$STORUS" sim compare matrix --slurm=5 --out "$format results" \
			--format=$format >there
		cmp here there
	done
	# 2 workloads, 2 curves, 2 allocators, 3 seeds
	[ "$(find "text results" -name 'cell-*' | wc -l)" -eq 24 ]
	[ "$(slurm squeue -h | wc -l)" -eq 0 ]
}

@test "elements run on the cluster, in as many jobs as were asked for" {
	slurm "$STORUS" sim compare matrix --slurm=3 --jobs=2 --out results >there
	logs=(results/slurm-*_*.log)
	[ "${#logs[@]}" -eq 3 ]
	job=${logs[0]##*/slurm-}
	slurm scontrol show job "${job%%_*}" | grep -q "CPUs/Task=2"
}

@test "two hundred elements, one simulation each" {
	sed -i 's/jobs=200 cplant-stream/jobs=20 exponential:jobs=20/; s/1-3/1-25/' matrix
	compare matrix --figure here.svg >here
	slurm "$STORUS" sim compare matrix --slurm=200 --out results --figure there.svg >there
	cmp here there
	cmp here.svg there.svg
	[ "$(find results -name 'cell-*' | wc -l)" -eq 200 ]
	[ "$(find results -name 'slurm-*_*.log' | wc -l)" -eq 200 ]
}

@test "what is there already is not simulated again" {
	compare matrix --out results >here
	touch -d '2 hours ago' results/cell-*
	touch -d '1 hour ago' between
	rm "$(find results -name 'cell-*' | sort | head -n1)"
	slurm "$STORUS" sim compare matrix --slurm --out results >there
	cmp here there
	[ "$(find results -name 'cell-*' -newer between | wc -l)" -eq 1 ]
}

@test "an element that was ended leaves gaps, which the next run fills" {
	compare matrix >here
	# Long enough to be caught at it.
	sed 's/jobs=200/jobs=100000/' matrix >long
	slurm "$STORUS" sim compare long --slurm=4 --out results >there 2>messages &
	waiting=$!
	wait_until 30 running
	slurm scancel --user="$(id -un)"
	status=0
	wait "$waiting" || status=$?
	[ "$status" -eq 1 ]
	grep -q "simulations are missing from the table" messages
	# The same directory: what the other matrix left does not matter.
	slurm "$STORUS" sim compare matrix --slurm=4 --out results >there
	cmp here there
}

running() { [ "$(slurm squeue -h -t R | wc -l)" -gt 0 ]; }

@test "who waits may go away: the array goes on, and --merge prints the table" {
	compare matrix >here
	slurm "$STORUS" sim compare matrix --slurm=2 --out results >there 2>messages 3>&- &
	waiting=$!
	wait_until 30 submitted
	kill -INT "$(pgrep -P "$waiting" -x storus || echo "$waiting")"
	wait "$waiting" || true
	grep -q "array job [0-9]* goes on" messages
	[ ! -s there ]
	wait_until 60 ended
	compare matrix --merge --out results >merged
	cmp here merged
}

submitted() { [ "$(slurm squeue -h | wc -l)" -gt 0 ] && [ -d results ]; }
ended() { [ "$(slurm squeue -h | wc -l)" -eq 0 ]; }

@test "an array that Slurm refuses is an error" {
	SBATCH_PARTITION=nosuch run -2 --separate-stderr \
		slurm "$STORUS" sim compare matrix --slurm --out results
	# shellcheck disable=SC2154 # set by run
	[[ $stderr == *"sbatch refused the array job"* && -z $output ]]
	run -2 --separate-stderr env PATH=/nowhere \
		"$STORUS" sim compare matrix --slurm --out other
	[[ $stderr == *"cannot run sbatch: No such file"* ]]
}
