#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus on the 320-node 8x8x5 torus: what only one interval (--contiguous) or only
# a box (--network=torus:shape=) can satisfy.

load select_support

setup_file() { cluster_start --dims 8x8x5 --wrap all --exclusive; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# box X Y Z A B C: ranks of the AxBxC box at (X,Y,Z), around the ends where need be
box()
{
	local x y z list=''
	for ((z = $3; z < $3 + $6; z++)); do
		for ((y = $2; y < $2 + $5; y++)); do
			for ((x = $1; x < $1 + $4; x++)); do
				printf -v list '%s,n%03d' "$list" \
					$((x % 8 + y % 8 * 8 + z % 5 * 64))
			done
		done
	done
	ranks_of "${list#,}"
}

@test "--contiguous: the interval that best fit chooses" {
	occupy_all_but 10-19,40-45,100-106
	job=$(allocate -N 6 --contiguous)
	expect_ranks "$job" 40-45
}

@test "--contiguous: an interval around the end of the ring" {
	occupy_all_but 0-2,40-43,318-319
	job=$(allocate -N 5 --contiguous)
	expect_ranks "$job" 0-2,318-319
}

@test "--contiguous: waits although enough scattered nodes are free" {
	occupy_all_but 0-9,20-29,40-59
	between=$(occupy 50-52)
	job=$(submit -N 12 --contiguous)
	wait_refused "$job"
	scancel "$between"
	wait_running "$job"
	expect_ranks "$job" 40-51
}

@test "--contiguous: with tasks instead of a node count" {
	occupy_all_but 10-15,40-48,100-103
	job=$(allocate -n 16 --contiguous)
	expect_ranks "$job" 40-47
}

@test "--contiguous: of a range of counts the largest that an interval holds" {
	occupy_all_but 10-15,40-44,100-103
	job=$(allocate -N 4-12 --contiguous)
	expect_ranks "$job" 10-15
}

@test "--contiguous: a range whose minimum no interval holds waits" {
	occupy_all_but 10-15,40-44,100-103
	job=$(submit -N 7-12 --contiguous)
	wait_refused "$job"
}

@test "--contiguous with --nodelist: an interval that contains the named node" {
	occupy_all_but 10-15,40-49,100-103
	job=$(allocate -N 4 --contiguous --nodelist="$(nodes_at 44)")
	expect_placed "$job" 10-15,40-49,100-103 --nodes 4 --contiguous --nodelist "$(nodes_at 44)"
	expect_match "$(token "$job")" ',span=4,'
}

@test "--contiguous: what can never be is refused" {
	refused 'no 200 neighbours on the curve' -N 200 --contiguous --exclude="$(nodes_at 0,150)"
}

@test "a shape gets exactly a box" {
	job=$(allocate --network=torus:shape=4x4x2)
	expect_placed "$job" all --shape 4x4x2
	expect_match "$(token "$job")" ',nodes=32,.*,box=(4x4x2|4x2x4|2x4x4),'
	# and the next one among what is left
	next=$(allocate -N 32 --network=torus:shape=4x4x2)
	expect_placed "$next" "$(all_but "$(job_ranks "$job")")" --shape 4x4x2
}

@test "a shape in a rotation of it" {
	occupy_all_but "$(box 3 1 2 1 6 2)"
	job=$(allocate --network=torus:shape=6x2x1)
	expect_ranks "$job" "$(box 3 1 2 1 6 2)"
	expect_match "$(token "$job")" ',box=1x6x2,'
}

@test "a box around the ends of every dimension" {
	occupy_all_but "$(box 7 7 4 2 3 2)"
	job=$(allocate --network=torus:shape=2x2x3)
	expect_ranks "$job" "$(box 7 7 4 2 3 2)"
	expect_match "$(token "$job")" ',box=2x3x2,'
}

@test "a shape takes the free box of the smallest span" {
	occupy_all_but "$(box 0 0 0 2 2 2),$(box 4 4 2 3 2 2),$(box 0 5 3 2 2 2)"
	free="$(box 0 0 0 2 2 2),$(box 4 4 2 3 2 2),$(box 0 5 3 2 2 2)"
	job=$(allocate --network=torus:shape=2x2x2)
	expect_placed "$job" "$free" --shape 2x2x2
}

@test "a shape waits for a free box although enough nodes are free" {
	hole=$(box 2 2 2 3 3 1)
	occupy_all_but "$hole,$(box 0 0 0 1 1 1),$(box 6 6 0 1 1 1)"
	middle=$(allocate -N 1 --nodelist="$(nodes_at "$(box 3 3 2 1 1 1)")")
	job=$(submit --network=torus:shape=3x3)
	wait_refused "$job"
	scancel "$middle"
	wait_running "$job"
	expect_ranks "$job" "$hole"
}

@test "a shape larger than the machine is refused" {
	refused 'no box of shape 6x6x6 fits' --network=torus:shape=6x6x6
	refused 'no box of shape 9x1x1 fits into the .* machine; 3x3 has as many nodes' \
		--network=torus:shape=9x1x1
}

@test "a shape that the allowed nodes do not hold is refused" {
	refused 'no box of shape 8x8x5 fits' --network=torus:shape=8x8x5 --exclude=n100
}

@test "a shape and a count of nodes that differ are refused" {
	refused 'a box of shape 2x2x2 has 8 nodes' --network=torus:shape=2x2x2 -N 5
	refused 'a box of shape 2x2x2 has 8 nodes' --network=torus:shape=2x2x2 -N 9
}

@test "a count of nodes or a range that a shape meets is accepted" {
	job=$(allocate -N 8 --network=torus:shape=2x2x2)
	expect_placed "$job" all --shape 2x2x2
	next=$(allocate -N 4-16 --network=torus:shape=2x2x2)
	expect_placed "$next" "$(all_but "$(job_ranks "$job")")" --shape 2x2x2
}

@test "shape=any: the most compact free box of exactly the job's nodes" {
	job=$(allocate -N 12 --network=torus:shape=any)
	expect_placed "$job" all --shape any --nodes 12
	expect_match "$(token "$job")" ',nodes=12,.*,box=(2x2x3|2x3x2|3x2x2),'
	# of a range the most nodes of which there is a box: none has 11 on 8x8x5
	next=$(allocate -N 7-11 --network=torus:shape=any)
	expect_placed "$next" "$(all_but "$(job_ranks "$job")")" --shape any --nodes 10
}

@test "shape=any waits for a box although enough nodes are free" {
	hole=$(box 2 2 2 3 3 1)
	occupy_all_but "$hole,$(box 0 0 0 1 1 1),$(box 6 6 0 1 1 1)"
	middle=$(allocate -N 1 --nodelist="$(nodes_at "$(box 3 3 2 1 1 1)")")
	job=$(submit -N 9 --network=torus:shape=any)
	wait_refused "$job"
	scancel "$middle"
	wait_running "$job"
	expect_ranks "$job" "$hole"
}

@test "of several shapes the first that has a free box" {
	occupy_all_but "$(box 3 1 2 1 6 2),$(box 6 6 0 2 2 1)"
	job=$(allocate --network='torus:shape=2x2x2|3x4|6x2|4x1')
	expect_ranks "$job" "$(box 3 1 2 1 6 2)"
	next=$(allocate -N 2-4 --network='torus:shape=3|2x2')
	expect_ranks "$next" "$(box 6 6 0 2 2 1)"
}

@test "what can never be is refused of any and of several shapes, too" {
	refused 'no box of 13 nodes fits into the .* machine; the next sizes are 12 and 14' -N 13 --network=torus:shape=any
	refused 'no box of shape 9x9[|]6x6x6 fits' --network='torus:shape=9x9|6x6x6'
	refused 'no box of shape 2x2[|]3x2 has the 5 to 5 nodes' -N 5 \
		--network='torus:shape=2x2|3x2'
	job=$(allocate -N 6 --network='torus:shape=2x2|3x2')
	expect_placed "$job" all --shape 3x2
}

@test "a malformed request is refused" {
	refused "'2x4' is given twice" --network='torus:shape=4x2|2x4'
	refused "shape=" --network='torus:shape=4x2|any'
	refused "shape=" --network=torus:shape=4x
	refused "shape=" --network=torus:shape=4x0x2
	refused "unknown key 'shap='" --network=torus:shap=4x4
	refused "is given twice" "--network=torus:shape=2x2;shape=3x3"
	refused "not of the form key=value" --network=torus:
}

@test "--network of somebody else is no business of ours" {
	job=$(allocate -N 4 --network=sn_all)
	expect_ranks "$job" 0-3
}
