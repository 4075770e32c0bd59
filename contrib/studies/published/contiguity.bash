# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What contiguity and contiguity-load share: the strategies, and jobs that run under one of them,
# in storus sim with run times that are given (pattern "fixed"), or in torus-stream.

stream=${storus%/*}/torus-stream

# Names, allocators, options. The first is what the others are held against.
strategies="compact compact
curve best_fit
mbs mbs
boxes_first_fit contiguous:first_fit
boxes_best_fit contiguous:best_fit
near_1.2 compact --near 1.2 --within infinite
near_1.1 compact --near 1.1 --within infinite
near_1 compact --near 1 --within infinite"

needs() {
	[ -x "$stream" ] || {
		echo "no torus-stream (make contend-programs)"
		return 1
	}
}

inputs() { printf '%s\n' "$study_dir/contiguity.bash" "$stream"; }

# Of each of the machines, DIMS or DIMS:WRAP, its name DIMS-WRAP
names() { printf '%s\n' "${machines[@]}" | sed 's/^[^:]*$/&:none/' | tr : -; }

# set_machine NAME: what run_jobs takes
set_machine() {
	row=$1 dims=${1%-*} wrap=${1#*-}
	nodes=$((${dims//x/*}))
}

# run_jobs PATTERN LOAD SEED ALLOCATOR [OPTION...]: lines NODES,SUBMIT,START,END,APD
run_jobs() {
	local machine=(--dims "$dims" --wrap "$wrap" --curve hilbert --allocator "$4" --scheduler fcfs
		--workload "exponential:mean=$mean,jobs=$jobs,load=$2" --seed "$3" "${@:5}")
	if [ "$1" = fixed ]; then
		"$storus" sim "${machine[@]}" --out out >/dev/null
		columns nodes submit start end apd <out/jobs.csv
	else
		"$stream" "${machine[@]}" --wormhole "$flits" --rounds quota --pattern "$1" | columns ranks submit start end apd
	fi | tail -n +2
}
