#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A machine of 8 cubes of 2x2x2 that optical switches join, by Cube= in torus.conf. Node
# n0XX is at x + 4y + 16z of a 4x4x4 grid: cube 0 has n000 n001 n004 n005 n016 n017 n020
# n021, cube 1 those at x + 2.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	echo "TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[000-063] Curve=row_major Allocator=best_fit" \
		>"$BATS_FILE_TMPDIR/torus.conf"
	echo CliFilterPlugins=torus >"$BATS_FILE_TMPDIR/conf"
	cluster_start --nodes 64 --exclusive --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { cluster_stop; }
teardown()
{
	cluster_clear || return
	# the test that changes it may have failed before its end
	if ! grep -q Cube=2x2x2 "$TORUS_CONF"; then
		sed -i 's/Cube=4x2x2/Cube=2x2x2/' "$TORUS_CONF"
		ask_to_reconfigure
	fi
}

# cube NUMBER: its ranks, which are its cells
cube()
{
	local z=$(($1 / 4)) at list=''
	local first=$(($1 % 2 * 2 + $1 / 2 % 2 * 8 + z * 32))
	for at in 0 1 4 5 16 17 20 21; do
		list+=,$((first + at))
	done
	echo "${list#,}"
}

@test "whole cubes wherever they are free, joined to a torus" {
	occupy "$(cube 1)" >/dev/null
	occupy "$(cube 2)" >/dev/null
	job=$(allocate -N 16 --network=torus:shape=2x2x4)
	expect_equal "$(job_ranks "$job")" "$({ cube 0; cube 3; } | tr , '\n' | in_ranges)"
	expect_match "$(token "$job")" ',box=2x2x4,avghops=2.13,cubes=0\+3,joined=2x2x4$'
}

@test "the shape says how they are joined, also of more than the grid has in a row" {
	job=$(allocate -N 64 --network=torus:shape=16x2x2)
	expect_match "$(token "$job")" ',box=16x2x2,.*,cubes=0\+1\+2\+3\+4\+5\+6\+7,joined=16x2x2$'
}

@test "twist: a torus of sides k and 2k with fewer hops" {
	job=$(allocate -N 16 --network=torus:shape=2x2x4,twist)
	expect_match "$(token "$job")" ',avghops=1.73,cubes=0\+1,joined=2x2x4_twisted$'
	log_mark
	! submit -N 32 --network=torus:shape=2x2x8,twist --wrap 'sleep 1' || fail "it was accepted"
	logged "$DECIDER: .*2x2x8 cannot be twisted" || fail "$(log_since)"
}

@test "less than a cube goes where the fewest nodes are free" {
	occupy 0-1,4 >/dev/null
	job=$(allocate -N 4 --network=torus:shape=2x2)
	expect_equal "$(job_ranks "$job")" 16-17,20-21
	expect_match "$(token "$job")" ',cubes=0$'
	# one node, too, leaves the other cubes whole
	job=$(allocate -N 1)
	expect_equal "$(job_ranks "$job")" 5
}

@test "a strict job waits for whole cubes, though enough nodes are free" {
	for cube in 0 1 2 3 4 5; do
		occupy "$(cube $cube | cut -d, -f1)" >/dev/null
	done
	last=$(occupy "$(cube 6 | cut -d, -f1)")
	job=$(submit -N 16 --network=torus:shape=4x2x2 --wrap 'sleep 600')
	wait_refused "$job"
	scancel "$last"
	wait_running "$job"
	expect_match "$(token "$job")" ',cubes=6\+7,joined=4x2x2$'
}

# value KEY: of the record in $output
value() { sed -n "s/^$1 //p" <<<"$output"; }

@test "storus show JOB: the box of cubes that a job could have at once, which starts" {
	for cube in 0 2 4 5 7; do
		occupy "$(cube $cube | cut -d, -f1)" >/dev/null
	done
	waits=$(submit --hold -N 40)
	run -0 "$STORUS" show "$waits"
	expect_equal "$(value at_once_nodes) $(value at_once_box_nodes) $(value at_once_box)" "40 24 2x2x6"
	# So does one of any box of so many, joined to just that; the next size does not.
	job=$(starts_at_once -N 24 --network=torus:shape=any)
	expect_match "$(token "$job")" ',cubes=1\+3\+6,joined=2x2x6$'
	scancel "$job"
	wait_until 60 job_is_gone "$job"
	! starts_at_once -N 32 --network=torus:shape=any || fail "32 nodes started"
	# Within a cube, where none is free as a whole.
	for cube in 1 3 6; do
		occupy "$(cube $cube | cut -d, -f1)" >/dev/null
	done
	run -0 "$STORUS" show "$waits"
	expect_equal "$(value at_once_nodes) $(value at_once_box_nodes) $(value at_once_box)" "40 4 1x2x2"
	job=$(starts_at_once -N 4 --network=torus:shape=any)
	expect_match "$(token "$job")" ',box=1x2x2,'
	scancel "$waits"
}
job_is_gone() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }

@test "what no cubes can be joined to is refused, with what can" {
	log_mark
	! submit -N 18 --network=torus:shape=3x3x2 --wrap 'sleep 1' || fail "it was accepted"
	logged "$DECIDER: .*3x3x2 is neither within a cube of 2x2x2 nor made of whole ones; made of whole ones is 4x4x2" ||
		fail "$(log_since)"
}

@test "running jobs keep their cubes and their token when torus.conf is read again" {
	job=$(allocate -N 16 --network=torus:shape=2x2x4)
	before=$(token "$job")
	ask_to_reconfigure
	other=$(allocate -N 16 --network=torus:shape=2x4x2)
	expect_equal "$(token "$job")" "$before"
	expect_match "$(token "$other")" ',cubes=2\+3,joined=2x4x2$'
	sed -i 's/Cube=2x2x2/Cube=4x2x2/' "$TORUS_CONF"
	ask_to_reconfigure
	third=$(allocate -N 32 --network=torus:shape=8x2x2)
	expect_match "$(token "$third")" ',cubes=2\+3,joined=8x2x2$'
	in_state "$job" RUNNING
	in_state "$other" RUNNING
}

# in_order OPTION...: the hosts of plain srun's tasks, and of storus map's inside the job
in_order()
{
	timeout 120 salloc --quiet --ntasks-per-node=1 "$@" bash -c "
		srun -l printenv SLURMD_NODENAME | sort -n | sed 's/.* //' | xargs
		'$STORUS' map --conf '$TORUS_CONF' --grid any --format slurm | xargs
		SLURM_NETWORK= '$STORUS' map --conf '$TORUS_CONF' --grid any --format slurm | xargs"
}

@test "tasks are in the order of the torus that the job's cubes are joined to" {
	local long compact
	for shape in 2x2x8 2x2x4,twist; do
		case $shape in
		2x2x8) nodes=32 cubes='0 1 2 3' ;;
		*) nodes=16 cubes='0 1' ;;
		esac
		list=$(for cube in $cubes; do cube "$cube"; done | tr , '\n' | sort -n | sed 's/^/n0/; s/n0\(.\)$/n00\1/' | paste -sd,)
		long=$("$STORUS" map --conf "$TORUS_CONF" --grid any --nodelist "$list" \
			--network "torus:shape=$shape" --format slurm | xargs)
		compact=$("$STORUS" map --conf "$TORUS_CONF" --grid any --nodelist "$list" --format slurm | xargs)
		[ "$long" != "$compact" ] || fail "$shape has no order of its own"
		cluster_clear # the job before may still be completing in these cubes
		expect_equal "$(in_order -N "$nodes" --network="torus:shape=$shape")" "$long
$long
$long" "$shape"
	done
}

@test "the prolog of docs/examples has the switches join the job's cubes, and knows each node's place" {
	cat >"$BATS_TEST_TMPDIR/join" <<-END
		#!/bin/sh
		{ echo "\$@"; cat; } >"$BATS_TEST_TMPDIR/joined"
	END
	chmod 755 "$BATS_TEST_TMPDIR/join"
	job=$(allocate -N 16 --network=torus:shape=2x2x4,twist)
	# topology/torus writes it a moment after the start
	expect_match "$(token "$job")" ',joined=2x2x4_twisted$'
	SLURM_JOB_ID=$job JOIN_CUBES=$BATS_TEST_TMPDIR/join STORUS_CONF=$TORUS_CONF \
		PATH=$(dirname "$(realpath "$STORUS")"):$PATH "$TORUS_SRCDIR/docs/examples/cubes-prolog"
	expect_equal "$(head -n 1 "$BATS_TEST_TMPDIR/joined")" "$job 2x2x4_twisted 0 1"
	# cube 1 is two on in x on the grid, and two on in z on the job's torus
	expect_equal "$(tail -n +2 "$BATS_TEST_TMPDIR/joined" | LC_ALL=C sort | sed -n '1p;2p;3p;4p' | xargs)" \
		"n000,0,0,0 n001,1,0,0 n002,0,0,2 n003,1,0,2"
	expect_equal "$(tail -n +2 "$BATS_TEST_TMPDIR/joined" | wc -l)" 16
	# and storus show says the same
	expect_equal "$("$STORUS" show --conf "$TORUS_CONF" --format json "$job" | jq -r '.[0] | .joined + " " + .cubes')" \
		"2x2x4_twisted 0-1"
}

# cube_state CUBE STATE: all of its nodes
cube_state()
{
	local list
	list=$(cube "$1" | tr , '\n' | sed 's/^/n0/; s/n0\(.\)$/n00\1/' | paste -sd,)
	scontrol update nodename="$list" state="$2" reason=optics
}

@test "a cube that fails as a whole is not used, and who runs beside it stays" {
	job=$(allocate -N 16 --network=torus:shape=2x2x4)
	expect_match "$(token "$job")" ',cubes=0\+1,joined=2x2x4$'
	cube_state 2 drain
	cube_state 3 drain
	other=$(allocate -N 16 --network=torus:shape=2x2x4)
	expect_match "$(token "$other")" ',cubes=4\+5,joined=2x2x4$'
	# drained under a job: it runs on, and its cube is not given away after it
	cube_state 1 drain
	in_state "$job" RUNNING
	expect_match "$(token "$job")" ',cubes=0\+1,joined=2x2x4$'
	# only two cubes are neither in use nor drained: three wait, less than one does not
	big=$(submit -N 24 --network=torus:shape=6x2x2 --wrap 'sleep 600')
	wait_refused "$big"
	small=$(allocate -N 4 --network=torus:shape=2x2)
	expect_match "$(token "$small")" ',cubes=[67]$'
	scancel "$small" "$job"
	wait_running "$big"
	expect_match "$(token "$big")" ',cubes=0\+6\+7,joined=6x2x2$'
	for drained in 1 2 3; do
		cube_state "$drained" resume
	done
}

@test "near=: whole cubes are near wherever they are, scattered nodes are not" {
	occupy "$(cube 1)" >/dev/null
	occupy "$(cube 2)" >/dev/null
	job=$(allocate -N 16 --network=torus:near=1,within=60)
	expect_match "$(token "$job")" ',cubes=0\+3,joined='
}

@test "storus reserve: any free cubes, or a box within one; a job in there is joined" {
	occupy "$(cube 1)" >/dev/null
	occupy "$(cube 2)" >/dev/null
	run -0 "$STORUS" reserve --shape 2x2x4 --start now --duration 60 --name pair
	nodes=$(sed -n 's/^nodes //p' <<<"$output")
	expect_equal "$(sed -n 's/^cubes //p' <<<"$output") $(sed -n 's/^joined //p' <<<"$output")" "0,3 2x2x4"
	job=$(allocate --reservation=pair --network=torus:shape=2x2x4)
	expect_equal "$(sorted "$(job_nodes "$job")")" "$(sorted "$nodes")"
	expect_match "$(token "$job")" ',cubes=0\+3,joined=2x2x4$'
	# the fullest cubes are those that jobs and the reservation have: a box in the first free one
	run -0 "$STORUS" reserve --shape 2x2 --start now --duration 60 --dry-run
	expect_equal "$(sed -n 's/^cubes //p' <<<"$output")" 4
	run -0 "$STORUS" reserve --shape 4x2x2 --corner 0,0,2 --start now --duration 60 --dry-run
	expect_equal "$(sed -n "s/^cubes //p" <<<"$output")" 4-5
	run -1 "$STORUS" reserve --shape 4x2x2 --corner 0,1,0 --start now --duration 60 --dry-run
	expect_match "$output" '--corner: from there on it is neither within a cube of 2x2x2 nor made of whole ones'
	run -1 "$STORUS" reserve --shape 3x2x2 --start now --duration 60
	expect_match "$output" '3x2x2 is neither within a cube of 2x2x2 nor made of whole ones; made of whole ones is 4x2x2'
	scancel "$job"
	wait_until 60 eval "[ -z \"\$(squeue -h -j $job 2>/dev/null)\" ]"
	scontrol delete ReservationName=pair
}

# cubes_of JOB: the numbers of its cubes, each node's
cubes_of()
{
	local rank
	for rank in $(expand_ranks "$(job_ranks "$1")"); do
		echo $((rank % 4 / 2 + rank / 4 % 4 / 2 * 2 + (rank / 32 << 2)))
	done | sort -n | uniq -c | awk '{ printf "%s:%s ", $2, $1 }'
}

@test "--segment: whole cubes, or nodes of one, and where sbatch says so spread or consolidated" {
	is_since 24.11 || skip "Slurm has no --segment before 24.11"
	occupy 0,1,4,5 >/dev/null # half of cube 0
	occupy 34 >/dev/null      # a node of cube 5
	job=$(allocate -N 4 --segment=2)
	expect_equal "$(cubes_of "$job")" "0:4 "
	scancel "$job"
	job=$(allocate -N 16 --segment=8)
	expect_equal "$(cubes_of "$job")" "1:8 2:8 "
	scancel "$job"
	job=$(allocate -N 32 --segment=16)
	expect_equal "$(cubes_of "$job")" "1:8 2:8 3:8 4:8 "
	scancel "$job"
	log_mark
	! submit -N 24 --segment=12 --wrap 'sleep 1' || fail "it was accepted"
	logged "$DECIDER: .*no 2 such segments" || fail "$(log_since)"
	is_since 26.05 || return 0
	job=$(allocate -N 4 --segment=2 --spread-segments)
	expect_equal "$(cubes_of "$job")" "0:2 5:2 "
	scancel "$job"
	job=$(allocate -N 6 --segment=2 --consolidate-segments)
	expect_equal "$(cubes_of "$job")" "5:6 "
}
