#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a job may ask for in one word: --network=torus:closed (with a shape), isolate and
# loose. On 4x6, where x wraps and y does not, under best_fit.

load select_support

setup_file() { cluster_start --dims 4x6 --wrap x --exclusive; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# cells X Y A B: ranks of the AxB box at (X,Y), around the end of x where need be
cells()
{
	local x y list=''
	for ((y = $2; y < $2 + $4; y++)); do
		for ((x = $1; x < $1 + $3; x++)); do
			printf -v list '%s,n%03d' "$list" $((x % 4 + y * 4))
		done
	done
	ranks_of "${list#,}"
}

# ended JOB: it no longer has its nodes
ended() { [ -z "$(squeue -h -j "$1" -o %A 2>/dev/null)" ]; }

# asked JOB WORDS: that scontrol shows the words as they were given
asked()
{
	expect_equal "$(scontrol -o show job "$1" | grep -o ' Network=[^ ]*')" " Network=$2" \
		"what job $1 asks for"
}

@test "closed: a box that goes around the wrapped dimension" {
	job=$(allocate --network=torus:shape=4x2,closed)
	expect_placed "$job" all --shape 4x2 --closed
	expect_match "$(token "$job")" ',box=4x2,'
	asked "$job" torus:shape=4x2,closed
	next=$(allocate -N 4-8 --network='torus:closed,shape=any')
	expect_placed "$next" "$(all_but "$(job_ranks "$job")")" --shape any --nodes 8 --closed
}

@test "closed: waits for the ring where a line is free" {
	line=$(cells 0 0 1 6)
	occupy_all_but "$line,$(cells 1 2 3 1)"
	between=$(occupy "$(cells 2 2 1 1)")
	job=$(allocate --network=torus:shape=4)
	expect_placed "$job" "$line,$(cells 1 2 1 1),$(cells 3 2 1 1)" --shape 4
	scancel "$job"
	wait_until 30 ended "$job"
	job=$(submit --network=torus:shape=4,closed)
	wait_refused "$job"
	scancel "$between"
	wait_running "$job"
	expect_ranks "$job" "$(cells 0 2 4 1)"
}

@test "closed: of several shapes the first that has a closed free box" {
	occupy_all_but "$(cells 1 1 2 4),$(cells 0 5 4 1)"
	job=$(allocate --network='torus:shape=3x2|4x1|2x2,closed')
	expect_ranks "$job" "$(cells 0 5 4 1)"
	next=$(allocate --network='torus:shape=3x2|2x2,closed')
	expect_placed "$next" "$(cells 1 1 2 4)" --shape 2x2 --closed
}

@test "closed: what can never be is refused, and what can be is said" {
	refused 'no box of shape 3x2 is ever closed: sides close that are 1, 2 or 4' \
		--network=torus:shape=3x2,closed
	refused 'no box of shape 3[|]6x2 is ever closed' --network='torus:shape=3|6x2,closed'
	refused 'no closed box of 6 nodes fits .*; sides close that are 1, 2 or 4' \
		-N 6 --network=torus:shape=any,closed
	refused 'no closed box of shape 4x2 fits' --network=torus:shape=4x2,closed \
		--exclude="$(nodes_at "$(cells 0 0 1 6)")"
	refused 'closed is said of a box: give shape=' -N 4 --network=torus:closed
}

# Where best_fit, an isolated and a loose job would have different nodes.
scattered=0-6,8-9,11,13-16,18,21,23

@test "isolate: nodes of others stay out of the box, whatever the allocator" {
	occupy_all_but "$scattered"
	log_mark
	job=$(allocate -N 5 --network=torus:isolate)
	expect_placed "$job" "$scattered" --nodes 5 --isolate
	logged "$DECIDER: JobId=$job .*strategy=compact .*by=engine"
	asked "$job" torus:isolate
	[ "$(engine_field ranks --free "$scattered" --nodes 5 --isolate)" != \
		"$(engine_field ranks --free "$scattered" --nodes 5)" ]
}

@test "loose: other nodes than the job would have without" {
	occupy_all_but "$scattered"
	log_mark
	job=$(allocate -N 5 --network=torus:grid=any,loose)
	expect_placed "$job" "$scattered" --nodes 5 --loose
	logged "$DECIDER: JobId=$job .*strategy=compact .*by=engine"
	asked "$job" torus:grid=any,loose
	[ "$(engine_field ranks --free "$scattered" --nodes 5 --loose)" != \
		"$(engine_field ranks --free "$scattered" --nodes 5)" ]
}

@test "isolate with --nodelist, --contiguous and a range of nodes" {
	occupy_all_but "$scattered"
	job=$(allocate -N 3 --network=torus:isolate --nodelist="$(nodes_at 9)")
	expect_placed "$job" "$scattered" --nodes 3 --isolate --nodelist "$(nodes_at 9)"
	scancel "$job"
	wait_until 30 ended "$job"
	job=$(allocate -N 3 --network=torus:isolate --contiguous)
	expect_placed "$job" "$scattered" --nodes 3 --isolate --contiguous
	scancel "$job"
	wait_until 30 ended "$job"
	job=$(allocate -N 2-6 --network=torus:isolate)
	expect_placed "$job" "$scattered" --nodes 6 --isolate
}

@test "words that contradict each other are refused" {
	refused 'loose .* does not go with isolate' -N 2 --network=torus:isolate,loose
	refused 'loose .* does not go with a shape' --network=torus:shape=2x2,loose
	refused 'loose takes no value' -N 2 --network=torus:loose=yes
	refused "without a value there are .*closed, isolate and loose" -N 2 --network=torus:isolated
}
