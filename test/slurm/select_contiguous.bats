#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Contiguous=nodes: --contiguous means what it means in stock Slurm, neighbours in Slurm's
# list of nodes, which has the order of the names. And what it means for jobs that name nodes.

load select_support

setup_file()
{
	printf '%s\n' 'TorusName=main Dims=4x4 Wrap=all Nodes=n[000-015]' 'Contiguous=nodes' 'Allocator=best_fit' \
		>"$BATS_FILE_TMPDIR/torus.conf"
	cluster_start --dims 4x4 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" --exclusive
}
teardown_file() { cluster_stop; }
teardown()
{
	meaning nodes
	cluster_clear
}

# meaning curve|nodes: change what --contiguous means
meaning()
{
	sed -i "s/^Contiguous=.*/Contiguous=$1/" "$TORUS_CONF" && reconfigure
}

# occupy_nodes HOSTLIST: take exactly these nodes
occupy_nodes()
{
	allocate --nodelist="$1" --nodes="$(scontrol show hostnames "$1" | wc -l)"
}

@test "Contiguous=nodes: neighbours in the list of nodes" {
	# Free are n003, n007 and n011, one below the other, and a row of three.
	occupy_nodes 'n[000-002,004-006,008-010,012]'
	job=$(allocate -N 3 --contiguous)
	expect_equal "$(job_nodes "$job")" 'n[013-015]' "nodes of job $job"
	expect_token "$job" "$(token_for "$(job_ranks "$job")")"
}

@test "Contiguous=nodes: waits for such neighbours although a piece of the curve is free" {
	# Free are n001, n004 and n005, a piece of the curve, and n014.
	occupy_all_but 1-3,9
	job=$(submit -N 3 --contiguous)
	wait_refused "$job"
	# With the other meaning the same job starts on that piece.
	meaning curve
	wait_running "$job"
	expect_ranks "$job" 1-3
}

@test "Contiguous=nodes: a job without --contiguous is placed on the curve" {
	occupy_nodes 'n[000-002,004-006]'
	free=$(all_but "$(ranks_of 'n[000-002,004-006]')")
	job=$(allocate -N 4)
	expect_placed "$job" "$free" --nodes 4
}

@test "Contiguous=nodes: a shape is a box all the same" {
	occupy_nodes 'n[000-004,008]'
	job=$(allocate --network=torus:shape=2x2 --contiguous)
	expect_match "$(token "$job")" ',nodes=4,.*,box=2x2,'
}

@test "Contiguous=nodes: neighbours, with --segment, too, whichever plugin decides" {
	is_since 24.05 || skip "no --segment before Slurm 24.05"
	# Free are two pairs that are segments on the torus.
	occupy_all_but 1-2,8-9
	job=$(submit -N 4 --segment=2 --contiguous)
	wait_refused "$job"
	meaning curve
	wait_refused "$job"
	scontrol update JobId="$job" Contiguous=No
	wait_running "$job"
	expect_ranks "$job" 1-2,8-9
}

@test "--contiguous with nodes that are named: these, if they are neighbours on the curve, or none" {
	meaning curve
	# Slurm adds the nodes whose names are between those of the list.
	expect_equal "$(nodes_at 2-3)" 'n[004-005]' nodes
	job=$(allocate -w 'n[004-005]' --contiguous)
	expect_ranks "$job" 2-3
	cluster_clear
	# A row of names that is no piece of the curve
	nodes='n[004-007]'
	expect_equal "$(ranks_of "$nodes" | grep -c ,)" 1 "gaps on the curve"
	for more in "" "-x n[002-003,010-011]"; do
		# shellcheck disable=SC2086 # two words
		run timeout 20 salloc --immediate=3 --no-shell -w "$nodes" --contiguous $more
		[ "$status" -ne 0 ] || fail "granted: $(squeue -h -o '%A %N')"
	done
	cluster_clear
	# As many more as were asked for
	job=$(allocate -w "$(nodes_at 6)" -N 4 --contiguous)
	expect_equal "$(expand_ranks "$(job_ranks "$job")" | grep -cx 6)" 1 "named nodes"
	expect_match "$(token "$job")" ',nodes=4,span=4,'
}
