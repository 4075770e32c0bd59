#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --segment for jobs that name some of their nodes, on a machine with 20 other jobs, beside
# stock Slurm: two jobs that test/slurm/random_jobs had found to be refused for ever. Its
# machine: 48 unequal nodes of a 4x4x3 torus.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local name i
	is_since 24.11 || return 0
	"$TORUS_SRCDIR/test/slurm/random_jobs" --write-conf "$BATS_FILE_TMPDIR"
	pair_start --dims 4x4x3 --wrap all --select-params CR_Core_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/nodes.conf"
	# A job that does not say how much memory it wants gets none of the nodes of either kind.
	for name in stock torus; do
		use_cluster "$name"
		for i in 000 002 008 014 016 018 024 026 032 034; do
			salloc -Q --no-shell -w "n$i" --exclusive
		done
		for i in 001 003 007 017 019 021 027 033 037 044; do
			salloc -Q --no-shell -w "n$i" -n1 --mem=50
		done
		expect_equal "$(squeue -h -t R -o %i | wc -l)" 20 "$name: running jobs"
	done
}
teardown_file() { ! is_since 24.11 || pair_stop; }
setup()
{
	is_since 24.11 || skip "Slurm has no --segment before 24.11"
	use_cluster torus
}

# has_segments JOB SIZE NODE...: its nodes are such segments, and these are among them
has_segments()
{
	local ranks count node
	ranks=$(job_ranks "$1")
	count=$(expand_ranks "$ranks" | wc -l)
	engine --free "$ranks" --nodes "$count" --segment "$2" >/dev/null ||
		fail "ranks $ranks of job $1 are no segments of $2" || return
	for node in "${@:3}"; do
		scontrol show hostnames "$(job_nodes "$1")" | grep -qx "$node" ||
			fail "job $1 has not $node" || return
	done
}

# like_stock LEAST MOST SIZE NODES OPTION...: on both it starts, with LEAST to MOST nodes
like_stock()
{
	local least=$1 most=$2 size=$3 named=$4 name job count nodes
	shift 4
	mapfile -t nodes < <(scontrol show hostnames "n[$named]")
	for name in stock torus; do
		use_cluster "$name"
		job=$(starts_at_once "$@" -w "n[$named]") || fail "$name: not started" || return
		count=$(squeue -h -j "$job" -o %D)
		[ "$count" -ge "$least" ] && [ "$count" -le "$most" ] ||
			fail "$name: $count nodes" || return
		[ "$name" = stock ] ||
			has_segments "$job" "$size" "${nodes[@]}" || return
		echo "$name: $count nodes"
		scancel "$job"
		wait_until 30 in_state "$job" CANCELLED
	done
}

@test "segments of two, three named nodes far from each other, two partitions" {
	like_stock 8 16 2 005,030,047 -N 8-16 --segment=2 -O --distribution=cyclic -p lln,main
}

@test "segments of three, the nodes of one named, so many nodes with a feature" {
	like_stock 6 11 3 010-012 -N 6-11 -c 5 --segment=3 -C '[a*4]'
}
