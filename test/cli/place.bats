#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus place.

load support

two_tori() {
	cat >torus.conf <<-'END'
		TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[00-63] Curve=row_major
		TorusName=line Dims=10 Nodes=m[0-9] Allocator=first_fit
		Allocator=best_fit
	END
}

# ranks that are chosen on a line, numbered 0 .. 99, by best_fit unless told otherwise, given
# --free and further options
chosen() {
	local by=(--allocator best_fit)
	[[ " $* " != *" --allocator "* ]] || by=()
	run -0 storus place --dims 100 --curve row_major "${by[@]}" --free "$@"
	value_of ranks
}

@test "all keys, in the order of the contract" {
	run -0 storus place --dims 8x8x5 --wrap xyz --free all --nodes 8 --allocator best_fit
	equal "$(awk '{print $1}' <<<"$output" | xargs)" "ranks cells span_ring span_linear \
stretch_span contiguous components box volume side_sum cube_side nodes_affected \
links_affected average_distance summed_distance distance_from_center diameter apd \
foreign_nodes links_used"
	equal "$(value_of ranks)" 0-7
	equal "$(value_of contiguous)" yes
	two_tori
	run -0 storus place --conf torus.conf --torus main --nodes 8
	equal "$(sed -n 3p <<<"$output")" "nodes n[00-07]"
}

@test "the worked example of the dispersal metrics" {
	# (6,0) (7,1) (0,2) (1,3) on 8x4
	run -0 storus place --dims 8x4 --curve row_major --free 6,15,16,25 --nodes 4
	equal "$(value_of cells)" 6,15-16,25
	equal "$(value_of nodes_affected)" 32
	equal "$(value_of links_affected)" 40
	equal "$(value_of box)" 8x4
	run -0 storus place --dims 8x4 --wrap xy --curve row_major --free 6,15,16,25 --nodes 4
	equal "$(value_of nodes_affected)" 16
	equal "$(value_of links_affected)" 28
	equal "$(value_of box)" 4x4
}

@test "all metrics of an allocation worked out by hand" {
	# A 2x2 square, whose pairs are 8 hops apart in sum, and a node two hops off its corner,
	# 12 from the others: (0,0) (1,0) (0,1) (1,1) (3,1) on 4x2. The box is the machine, of
	# which three nodes are not free. Links: in row 0 to x = 3 from 0, 3, and back from 1, 1;
	# in row 1 three each way; in columns 0 and 1 two; in column 3 the one down to (3,1).
	run -0 storus place --dims 4x2 --curve row_major --free 0,1,4,5,7 --nodes 5
	equal "$output" "ranks 0-1,4-5,7
cells 0-1,4-5,7
span_ring 6
span_linear 8
stretch_span 1.60000000
contiguous no
components 2
box 4x2
volume 8
side_sum 6
cube_side 4
nodes_affected 8
links_affected 9
average_distance 2.00000000
summed_distance 40
distance_from_center 6
diameter 4
apd 1.33333333
foreign_nodes 3
links_used 15"
}

@test "compact takes a square where best_fit takes a row, and the row as one interval" {
	local machine="--dims 4x4 --curve row_major --free 0-1,4-5,8-11 --nodes 4"

	# shellcheck disable=SC2086
	run -0 storus place $machine --allocator best_fit
	equal "$(value_of ranks)" 8-11
	# the default
	# shellcheck disable=SC2086
	run -0 storus place $machine
	equal "$(value_of ranks)" 0-1,4-5
	# shellcheck disable=SC2086
	run -0 storus place $machine --allocator compact
	equal "$(value_of ranks)" 0-1,4-5
	echo "TorusName=main Dims=4x4 Nodes=n[00-15] Curve=row_major" >torus.conf
	run -0 storus place --conf torus.conf --free 0-1,4-5,8-11 --nodes 4
	equal "$(value_of ranks)" 0-1,4-5
	# shellcheck disable=SC2086
	run -0 storus place $machine --allocator compact --contiguous
	equal "$(value_of ranks)" 8-11
}

@test "compact with a weight of isolation takes a row of its own, not a corner with another job" {
	local machine="--curve row_major --free 1,7,12,18,19,24,26,27,29,30,35 --nodes 3"

	# x is 0 to 5: 12, 18 and 19 are three of a square's four, and 13 is another job's; 18, 24
	# and 30 are a row in y.
	# shellcheck disable=SC2086
	run -0 storus place --dims 6x6 $machine --allocator compact
	equal "$(value_of ranks)" 12,18-19
	# shellcheck disable=SC2086
	run -0 storus place --dims 6x6 $machine --allocator compact --isolation-weight 2
	equal "$(value_of ranks)" 18,24,30
	# In the file, and against it; other allocators take no notice.
	echo "TorusName=t Dims=6x6 Nodes=n[0-35] Allocator=compact Isolation=2" >torus.conf
	# shellcheck disable=SC2086
	run -0 storus place --conf torus.conf $machine
	equal "$(value_of ranks)" 18,24,30
	# shellcheck disable=SC2086
	run -0 storus place --conf torus.conf $machine --isolation-weight 0
	equal "$(value_of ranks)" 12,18-19
	# shellcheck disable=SC2086
	run -0 storus place --conf torus.conf $machine --allocator best_fit
	equal "$(value_of ranks)" 24,26-27
	# shellcheck disable=SC2086
	run -0 storus place --conf torus.conf $machine --allocator best_fit --isolation-weight 16
	equal "$(value_of ranks)" 24,26-27
	# shellcheck disable=SC2086
	run -2 storus place --dims 6x6 $machine --isolation-weight 17
	equal "$output" "storus place: --isolation-weight: '17' is not a number from 0 to 16 with at \
most three digits behind the point, such as 0.2"
}

@test "best_fit, first_fit, sum_of_squares and free_list differ as they should" {
	free=0-5,10-12,20-23,30-32,40-59
	equal "$(chosen $free --nodes 3 --allocator first_fit)" 0-2
	equal "$(chosen $free --nodes 3 --allocator best_fit)" 10-12
	equal "$(chosen $free --nodes 3)" 10-12
	equal "$(chosen $free --nodes 7 --allocator free_list)" 0-5,10
	equal "$(chosen $free --nodes 7)" 40-46
	# Sizes 6, 3, 4, 3, 20 have the sum 1+4+1+1. Taking 3 of: 6 leaves three 3s (1+9+1=11),
	# a 3 leaves four sizes (4), the 4 leaves 6,3,1,3,20 (7), the 20 leaves 17 (7).
	equal "$(chosen $free --nodes 3 --allocator sum_of_squares)" 10-12
	# Sizes 2, 3, 3: taking 1 of the 2 leaves 1,3,3 (5), of a 3 leaves 2,2,3 (5): the lower.
	equal "$(chosen 0-1,3-5,7-9 --nodes 1 --allocator sum_of_squares)" 0
	# Sizes 4, 5, 3: of the 4: 3,5,3 (5); of the 5: 4,4,3 (5); of the 3: 4,5,2 (3).
	equal "$(chosen 0-3,5-9,11-13 --nodes 1 --allocator sum_of_squares)" 11
}

@test "if nothing holds the job, its span is minimal" {
	# of 4: 0-1,20 and so on; 20-21,25-26 spans 7
	equal "$(chosen 0-1,20-21,25-26,40 --nodes 4)" 20-21,25-26
	# equal spans: the lowest
	equal "$(chosen 1,3,5,7,9 --nodes 3)" 1,3,5
}

@test "on a ring the end is next to the start" {
	run -0 storus place --allocator best_fit --dims 10 --wrap x --free 8-9,0-1,4-5 --nodes 4
	equal "$(value_of ranks)" 8-9,0-1
	equal "$(value_of cells)" 8-9,0-1
	equal "$(value_of span_ring)" 4
	equal "$(value_of span_linear)" 10
	equal "$(value_of contiguous)" yes
	run -0 storus place --allocator best_fit --dims 10 --wrap x --free 8-9,0-1,4-5 --nodes 4 --span linear
	equal "$(value_of ranks)" 0-1,4-5
	equal "$(value_of contiguous)" no
	equal "$(value_of stretch_span)" 1.50000000
	run -0 storus place --allocator best_fit --dims 10 --free 8-9,0-1,4-5 --nodes 4
	equal "$(value_of ranks)" 0-1,4-5
	run -0 storus place --allocator best_fit --dims 10 --free 8-9,0-1,4-5 --nodes 4 --span ring
	equal "$(value_of ranks)" 8-9,0-1
}

@test "--contiguous takes an interval or nothing" {
	equal "$(chosen 0-2,5-9 --nodes 4 --contiguous)" 5-8
	run -1 --separate-stderr storus place --dims 10 --free 0-2,5-9 --nodes 6 --contiguous
	[[ -z $output && $stderr == "storus place: nothing fits: no 6 free ranks"* ]]
}

@test "nothing fits: status 1, a message, no output" {
	for arguments in "--free 0-3 --nodes 5" "--free= --nodes 1" "--nodes 11" \
		"--nodes 4294967297" "--shape 11" "--shape 2x2"; do
		# shellcheck disable=SC2086
		run -1 --separate-stderr storus place --dims 10 $arguments
		[[ -z $output && $stderr == "storus place: nothing fits: "* ]]
	done
	run -1 --separate-stderr storus place --dims 4x4 --curve row_major --free 0-3,5-15 --shape 4x4
	[[ $stderr == *"no free box 4x4 on the 4x4 machine" ]]
}

@test "every allocator of the table decides, and an unknown name lists them all" {
	run -2 storus place --dims 4x4 --nodes 3 --allocator worst_fit
	names=$(sed 's/.*: give //; s/,//g; s/ or / /' <<<"$output")
	equal "$(wc -w <<<"$names")" 46
	for name in $names; do
		run -0 storus place --dims 8x8 --wrap all --nodes 5 --allocator "$name"
		equal "$(value_of ranks | tr ',' '\n' | awk -F- '{n += (NF > 1 ? $2 - $1 : 0) + 1}
			END {print n}')" 5
	done
}

@test "strategies that look at the machine" {
	# x fastest, row_major; taken is (1,1)
	free=(--dims 4x4 --curve row_major --free "0-4,6-15")
	run -0 storus place "${free[@]}" --nodes 4 --allocator mbs
	equal "$(value_of ranks)" 2-3,6-7
	run -0 storus place "${free[@]}" --nodes 4 --allocator buddy
	equal "$(value_of ranks)" 2-3,6-7
	run -0 storus place "${free[@]}" --nodes 4 --allocator contiguous:first_fit
	equal "$(value_of ranks)" 2-3,6-7
	run -0 storus place "${free[@]}" --nodes 4 --allocator paging:snake:2
	equal "$(value_of ranks)" 2-3,6-7
	# Three pages of the first quarter, row by row or around it.
	run -0 storus place --dims 8x8 --curve row_major --free 0-63 --nodes 12 --allocator paging:shuffled_row_major:2
	equal "$(value_of ranks)" 0-3,8-11,16-17,24-25
	run -0 storus place --dims 8x8 --curve row_major --free 0-63 --nodes 12 --allocator paging:shuffled_snake:2
	equal "$(value_of ranks)" 0-3,8-11,18-19,26-27
	# Intervals of 1, 1, 2 and 4 ranks, six of which are wanted: the smallest span leaves 1
	# and 1 (a sum of 4), the window with the smallest sum 2 (a sum of 1). Piece by piece the
	# first 1 leaves 3, then all would leave 2 and the longest is taken, then the other 1.
	line=(--dims 20 --curve row_major --free 0,2,4-5,7-10 --nodes 6)
	for rule in "=4-5,7-10" ":global=0,2,4-5,7-8" ":greedy=0,2,7-10"; do
		run -0 storus place "${line[@]}" --allocator "sum_of_squares${rule%=*}"
		equal "$(value_of ranks)" "${rule#*=}"
	done
	run -0 storus place "${free[@]}" --nodes 5 --allocator mc1x1
	equal "$(value_of box)" 3x2
	run -0 storus place "${free[@]}" --nodes 5 --allocator mm
	equal "$(value_of components)" 1
	run -0 storus place "${free[@]}" --shape 3x2 --allocator contiguous:first_fit:fixed
	equal "$(value_of ranks)" 8-10,12-14
	run -0 storus place "${free[@]}" --shape 2x4 --allocator contiguous:first_fit:fixed
	equal "$(value_of ranks)" 2-3,6-7,10-11,14-15
}

@test "random depends on the seed alone" {
	run -0 storus place --dims 8x8 --nodes 9 --allocator random --seed 7
	first=$(value_of ranks)
	run -0 storus place --dims 8x8 --nodes 9 --allocator random --seed 7
	equal "$(value_of ranks)" "$first"
	run -0 storus place --dims 8x8 --nodes 9 --allocator random --seed 8
	[ "$(value_of ranks)" != "$first" ]
	run -2 storus place --dims 8x8 --nodes 9 --allocator random --seed x
	[[ $output == *"--seed: 'x'"* ]]
}

@test "a job waits for a place of the form that an allocator demands" {
	free=(--dims 4x4 --curve row_major --free "0,5,10,15")
	for name in buddy contiguous contiguous:best_fit:fixed frame_sliding; do
		run -1 storus place "${free[@]}" --nodes 2 --allocator "$name"
		[[ $output == *"4 nodes are free, but the allocator $name finds no place"* ]]
	done
	run -1 storus place "${free[@]}" --shape 2x1 --allocator frame_sliding
	[[ $output == *"the allocator frame_sliding finds no free box 2x1"* ]]
	run -0 storus place "${free[@]}" --nodes 2 --allocator hybrid
	equal "$(value_of ranks)" 0,5
	run -0 storus place "${free[@]}" --nodes 2 --allocator mbs
	equal "$(value_of ranks)" 0,5
	# Only both tori together have 70 nodes; where a job waits, it is not divided.
	two_tori
	run -0 storus place --conf torus.conf --nodes 70 --spread --allocator mbs
	run -1 storus place --conf torus.conf --nodes 70 --spread --allocator buddy
	run -2 storus place --dims 4x2 --nodes 2 --allocator partner
	[[ $output == *"all of one length (2x2x2, 8x8x8 and so on), not for 4x2"* ]]
}

@test "torus.conf takes only allocators that are meant for it" {
	two_tori
	sed 's/first_fit/mbs/' torus.conf >mbs.conf
	run -2 storus place --conf mbs.conf --nodes 2
	[[ $output == *"mbs.conf:2: Allocator=: unknown allocator 'mbs': give best_fit"* ]]
	run -0 storus place --conf torus.conf --torus main --nodes 2 --allocator mbs
}

@test "a torus.conf gives names, allocator and span" {
	two_tori
	run -0 storus place --conf torus.conf --torus line --free 0-4,6-7 --nodes 2
	equal "$(value_of nodes)" "m[0-1]"
	run -0 storus place --conf torus.conf --torus line --free 0-4,6-7 --nodes 2 --allocator best_fit
	equal "$(value_of nodes)" "m[6-7]"
	# main wraps: its ranks are a ring
	run -0 storus place --conf torus.conf --torus main --free 0-1,62-63 --nodes 4
	equal "$(value_of nodes)" "n[62-63,00-01]"
	run -2 --separate-stderr storus place --conf torus.conf --free 0-1 --nodes 2
	[[ $stderr == *"--free lists ranks of one torus: choose it with --torus"* ]]
}

@test "--nodelist is among the chosen" {
	two_tori
	main=(storus place --conf torus.conf --torus main)
	run -0 "${main[@]}" --nodelist 'n[20-21]' --nodes 4 --free 0-16,20-21,23-40
	equal "$(value_of nodes)" "n[20-21,23-24]"
	run -0 "${main[@]}" --nodelist n30,n10,n30
	equal "$(value_of nodes)" "n[10,30]"
	run -1 --separate-stderr "${main[@]}" --nodelist n05 --nodes 3 --free 6-40
	[[ $stderr == *"required node n05 (rank 5) is not free" ]]
	run -1 --separate-stderr "${main[@]}" --nodelist n06,n08 --nodes 3 --free 6,8-40 --contiguous
	[[ $stderr == *"nothing fits"* ]]
}

# on TORUS NODES ARGUMENT...: the two tori's choice is these nodes of this torus
on()
{
	local torus=$1 nodes=$2
	shift 2
	run -0 storus place --conf torus.conf "$@"
	equal "$(value_of torus) $(value_of nodes)" "$torus $nodes"
}

@test "of several tori the best, and its name in front" {
	two_tori
	# where fewest are left over; on one, not in pieces; a torus that holds all of it
	on line "m[0-7]" --nodes 8 --allocator best_fit
	equal "${lines[0]}" "torus line"
	on main "n[40-42]" --nodes 3 --free-nodes "n[40-42,50],m[0-1,3-4]"
	on main "n[02-09,20-23]" --nodes 12 --free-nodes "n[02-09,20-23],m[0-9]"
	on main "n[16-17,20-21]" --shape 2x2 --free-nodes "n[16-17,20-21,32-33],m[0-9]"
	on line "m[5-6,8]" --nodes 3 --nodelist m5,m6 --free-nodes "n[00-63],m[5-6,8]"
	run -0 storus place --conf torus.conf --torus main --nodes 8
	equal "${lines[0]}" "ranks 0-7"
}

@test "over several tori where torus.conf has WaitForTorus=no" {
	two_tori
	cp torus.conf waiting.conf
	echo "WaitForTorus=no" >>torus.conf
	run -1 storus place --conf waiting.conf --nodes 12 --free-nodes "n[02-09],m[0-9]"
	run -0 storus place --conf torus.conf --nodes 12 --free-nodes "n[02-09],m[0-9]"
	equal "$(value_of nodes | paste -sd ' ')" "$(
		storus place --conf waiting.conf --nodes 12 --free-nodes "n[02-09],m[0-9]" --spread |
			sed -n 's/^nodes //p' | paste -sd ' ')"
	# one torus is still better, and a shape is not spread
	on line "m[0-7]" --nodes 8 --allocator best_fit
	run -1 storus place --conf torus.conf --shape 9x9
}

@test "over several tori with --spread only" {
	two_tori
	run -1 --separate-stderr storus place --conf torus.conf --nodes 70
	[[ -z $output && $stderr == *"no torus alone has 70 free nodes; --spread takes several" ]]
	run -0 storus place --conf torus.conf --nodes 70 --spread
	equal "$(value_of torus | paste -sd ' ')" "main line"
	equal "$(value_of nodes | paste -sd ' ')" "n[00-63] m[0-5]"
	# what one torus holds is not spread
	on main "n[00-63]" --nodes 64 --spread
	run -0 storus place --conf torus.conf --nodes 70 --spread --format csv
	equal "${#lines[@]}" 3
	[[ ${lines[0]} == torus,ranks,cells,nodes,span_ring,* ]]
	[[ ${lines[2]} == 'line,0-5,0-5,m[0-5],6,'* ]]
	run -0 --separate-stderr storus place --conf torus.conf --nodes 70 --spread --format json
	equal "$(jq -r '.[].torus' <<<"$output" | xargs)" "main line"
	run -1 storus place --conf torus.conf --nodes 75 --spread
	run -1 --separate-stderr storus place --conf torus.conf --nodelist n01,m1
	[[ $stderr == *"the nodes of --nodelist are not on one torus" ]]
}

@test "--weights: the lightest nodes, boxes and tori" {
	two_tori
	printf '%s\n' "n[00-15] 5 # as sinfo prints them" "n[20-31] 3" "m[0-9] 4" "x1 9" >weights
	on main "n[20-25]" --weights weights --nodes 6 --free-nodes "n[00-15,20-31],m[0-9]"
	on line "m[0-5]" --weights weights --nodes 6 --free-nodes "n[00-15,30-31],m[0-9]"
	# those that no line names weigh 1
	on main "n[32-37]" --weights weights --nodes 6
	on main "n[22-23,26-27]" --weights weights --shape 2x2 --free-nodes "n[00-15,22-31],m[0-9]"
	run -0 storus place --conf torus.conf --torus main --weights weights --nodes 2 --free 0-8,25
	equal "$(value_of ranks)" "8,25"
}

@test "nodes on no torus: where they are lighter, and where no torus holds the job" {
	two_tori
	run -0 storus place --conf torus.conf --nodes 11 --free-nodes "m[0-9],x[1-12]"
	equal "$output" "nodes x[1-12]"
	on line "m[0-8]" --nodes 9 --free-nodes "m[0-9],x[1-12]"
	printf 'm[0-9] 2\nx[1-4] 1\nx[5-12] 2\n' >weights
	run -0 storus place --conf torus.conf --nodes 3 --free-nodes "m[0-9],x[1-12]" --weights weights
	equal "$output" "nodes x[1-4]"
	run -1 --separate-stderr storus place --conf torus.conf --nodes 25 --spread \
		--free-nodes "m[0-9],n[00-15],x[1-4]" --weights weights
	[[ $stderr == *"Slurm's to choose" ]] || fail "$stderr"
	# who asks for one torus has only that
	run -1 storus place --conf torus.conf --torus line --nodes 11 --free-nodes "m[0-9],x[1-12]"
}

@test "a torus and nodes beside it: where both together are lighter than one place" {
	two_tori
	printf 'n[00-63] 5\nm[0-9] 4\nx[1-4] 3\nx[5-12] 5\n' >weights
	# the lighter beside the torus, those of the torus, and none of the same weight beside it
	run -0 storus place --conf torus.conf --nodes 8 --weights weights \
		--free-nodes "n[00-63],m[4-9],x[1-12]"
	equal "$(value_of torus)" "line"
	equal "$(value_of nodes | paste -sd ' ')" "m[4-7] x[1-4]"
	# all of the torus, and the first of those that weigh more
	run -0 storus place --conf torus.conf --nodes 12 --spread --weights weights \
		--free-nodes "m[0-3,6-9],x[1-3,7-12]"
	equal "$(value_of nodes | paste -sd ' ')" "m[0-3,6-9] x[1-3,7]"
	equal "$(value_of span_linear | paste -sd ' ')" "10"
	run -0 storus place --conf torus.conf --nodes 12 --spread --weights weights \
		--free-nodes "m[0-3,6-9],x[1-3,7-12]" --format csv
	equal "${#lines[@]}" 3
	[[ ${lines[1]} == 'line,"0-3,6-9","0-3,6-9","m[0-3,6-9]",'* ]] || fail "${lines[1]}"
	[[ ${lines[2]} == ',,,"x[1-3,7]",'* ]] || fail "${lines[2]}"
	# as heavy as a place that holds the job: that place
	on main "n[00-07]" --nodes 8 --free-nodes "n[00-63],x[5-12]" --weights weights
}

@test "a torus and nodes beside it: where there is no other torus, and with --spread" {
	two_tori
	run -1 --separate-stderr storus place --conf torus.conf --nodes 14 --free-nodes "m[0-9],x[1-5]"
	[[ $stderr == *"no torus alone has 14 free nodes; --spread takes several" ]] || fail "$stderr"
	run -0 storus place --conf torus.conf --nodes 14 --free-nodes "m[0-9],x[1-5]" --spread
	equal "$(value_of nodes | paste -sd ' ')" "m[0-9] x[1-4]"
	# two tori rather than nodes of the same weight beside one
	run -0 storus place --conf torus.conf --nodes 14 --free-nodes "m[0-9],n[00-06],x[1-5]" --spread
	equal "$(value_of nodes | paste -sd ' ')" "n[00-03] m[0-9]"
	printf 'x[1-5] 0\n' >weights
	run -0 storus place --conf torus.conf --nodes 14 --free-nodes "m[0-9],n[00-06],x[1-5]" --spread \
		--weights weights
	equal "$(value_of nodes | paste -sd ' ')" "m[0-8] x[1-5]"
	printf 'TorusName=line Dims=10 Nodes=m[0-9]\n' >one.conf
	run -0 storus place --conf one.conf --nodes 14 --free-nodes "m[0-9],x[1-5]"
	equal "${lines[0]}" "torus line"
	equal "$(value_of nodes | paste -sd ' ')" "m[0-9] x[1-4]"
	run -0 --separate-stderr storus place --conf one.conf --nodes 14 --free-nodes "m[0-9],x[1-5]" --format json
	equal "$(jq -r 'map(.torus, .nodes)[]' <<<"$output" | xargs)" "line m[0-9] null x[1-4]"
	run -1 --separate-stderr storus place --conf one.conf --nodes 14 --free-nodes "m[0-9],x[1-5]" --nodelist m3
	[[ $stderr == *"no torus alone has 14 free nodes beside the required ones" ]] || fail "$stderr"
}

@test "--shape finds a free box in any rotation" {
	run -0 storus place --dims 4x4x4 --curve row_major --allocator best_fit --shape 1x1x4 --nodes 4
	equal "$(value_of ranks)" 0-3
	run -0 storus place --dims 4x4x4 --curve row_major --free 5,21,37,53,1-3 --shape 4x1x1
	equal "$(value_of ranks)" 5,21,37,53
	equal "$(value_of box)" 1x1x4
	# around the end of a ring only
	run -0 storus place --dims 4 --wrap x --curve row_major --free 0,3 --shape 2
	equal "$(value_of ranks)" 0,3
	equal "$(value_of box)" 2
	run -1 storus place --dims 4 --curve row_major --free 0,3 --shape 2
	# two nodes on each router: the box has twice as many
	run -0 storus place --dims 4x4 --nodes-per-router 2 --shape 2x2 --nodes 8
	equal "$(value_of volume)" 4
}

@test "--shape and a --nodes that is not the box's are refused, free or not" {
	for free in all 0-3; do
		run -2 --separate-stderr storus place --dims 8x8x5 --free $free --shape 4x4x2 --nodes 31
		equal "$stderr" \
			"storus place: --shape 4x4x2 is a box of 32 nodes, --nodes asks for 31"
	done
	# routers with one and with two nodes: the box that is found decides
	printf '%s\n' "a 0 0" "b 0 0" "c 1 0" "d 0 1" "e 1 1" >coords
	echo "TorusName=t Dims=2x2 Coords=coords Curve=row_major Allocator=best_fit" >torus.conf
	run -0 storus place --conf torus.conf --shape 2x1 --nodes 2
	equal "$(value_of nodes)" d,e
	run -2 --separate-stderr storus place --conf torus.conf --shape 2x2 --nodes 4
	[[ $stderr == *"a box of 5 nodes"* ]]
}

@test "ratios have at least six significant digits, counts none behind a point" {
	run -0 storus place --dims 16x12 --free 0-3,50-53,150-160 --nodes 13
	for key in stretch_span average_distance apd; do
		digits=$(value_of $key | tr -d . | sed 's/^0*//')
		((${#digits} >= 6))
	done
	for key in span_ring span_linear components volume nodes_affected links_affected \
		summed_distance distance_from_center diameter; do
		[[ $(value_of $key) =~ ^[0-9]+$ ]]
	done
}

@test "JSON and CSV say what the text says" {
	two_tori
	arguments=(--conf torus.conf --torus main --nodes 5 --free 1-2,9,20,33-60)
	run -0 storus place "${arguments[@]}"
	text=$output
	json=$(storus place "${arguments[@]}" --format=json | jq -r 'to_entries[] |
		"\(.key) \(.value | if . == true then "yes" elif . == false then "no" else . end)"')
	# Ratios print with more trailing zeros as text.
	ratios='^(stretch_span|average_distance|apd) '
	equal "$(grep -Ev "$ratios" <<<"$json")" "$(grep -Ev "$ratios" <<<"$text")"
	equal "$(grep -E "$ratios" <<<"$json" | awk '{printf "%s %.6f\n", $1, $2}')" \
		"$(grep -E "$ratios" <<<"$text" | awk '{printf "%s %.6f\n", $1, $2}')"
	run -0 storus place "${arguments[@]}" --format=csv
	equal "${#lines[@]}" 2
	equal "${lines[0]}" "$(awk '{print $1}' <<<"$text" | paste -sd,)"
}

@test "CSV quotes what has commas" {
	run -0 storus place --dims 10 --free 0,2,4 --nodes 3 --format=csv
	[[ ${lines[1]} == '"0,2,4","0,2,4",5,5,1.66666667,no,3,5,5,5,5,5,4,2.66666667,16,4,4,1.33333333,2,8' ]]
}

@test "beside running jobs: foreign nodes in the box, links shared" {
	echo "TorusName=main Dims=4x3 Nodes=n[00-11] Curve=row_major Allocator=best_fit" >torus.conf
	# 1 1 . .   Of the free nodes the first three along the curve are (2,0), (3,0), (0,1):
	# . 2 . .   their box is the upper two rows and holds three nodes of others. Messages
	# 1 2 . .   to (0,1) go from x = 3 to 0 in row 0, 3 links, of which job 1 has the last;
	# to (3,0) from 2 in row 0, 1 link, and from 0 in row 1, 3; then in column 0 down, which
	# job 1 uses on its way to (0,2), and in columns 2 and 3 up: 10 links, 2 of them shared.
	printf '%s\n' "1 n[00-01],n08" "2 n05,n09" >jobs
	run -0 storus place --conf torus.conf --jobs jobs --nodes 3
	equal "$(value_of nodes)" "n[02-04]"
	equal "$(tail -n 3 <<<"$output")" $'foreign_nodes 3\nlinks_used 10\nlinks_shared 2'
	# The same is free, but not known who has the rest.
	run -0 storus place --conf torus.conf --free 2-4,6-7,10-11 --nodes 3
	equal "$(tail -n 2 <<<"$output")" $'foreign_nodes 3\nlinks_used 10'
	run -0 storus place --conf torus.conf --jobs jobs --nodes 3 --format=csv
	[[ ${lines[0]} == *,apd,foreign_nodes,links_used,links_shared && ${lines[1]} == *,3,10,2 ]]
	# What jobs have is not free, whatever the lists say.
	run -0 storus place --conf torus.conf --jobs jobs --free-nodes "n[00-05]" --nodes 3
	equal "$(value_of nodes)" "n[02-04]"
	run -1 --separate-stderr storus place --conf torus.conf --jobs jobs --free 0-5 --nodes 4
	[[ $stderr == *"4 nodes wanted, 3 of the machine's 12 are free"* ]]
	# On no torus either.
	echo "3 x[1-2]" >>jobs
	run -0 storus place --conf torus.conf --jobs jobs --free-nodes "n00,x[1-4]" --nodes 2
	equal "$output" "nodes x[3-4]"
	run -0 bash -c '"$0" place --conf torus.conf --jobs - --nodes 3 <jobs' "$storus_binary"
	equal "$(value_of links_shared)" 2
}

@test "links go round where dimensions wrap, and nodes of a router need none" {
	# 0 to 4 on a ring of 8 is as far both ways: messages go upward, round the ring.
	run -0 storus place --dims 8 --wrap x --curve row_major --free 0,4 --nodes 2
	equal "$(value_of links_used)" 8
	run -0 storus place --dims 8 --wrap x --curve row_major --free 0,3 --nodes 2
	equal "$(value_of links_used)" 6
	# Of the two smallest arcs the one that begins lowest, 0 to 4, is the box.
	run -0 storus place --dims 8 --wrap x --curve row_major --free 0,4 --nodes 2
	equal "$(value_of foreign_nodes)" 3
	run -0 storus place --dims 3x2 --nodes-per-router 4 --curve row_major --free 1-2 --nodes 2
	equal "$(value_of links_used) $(value_of foreign_nodes)" "0 2"
}

@test "ranks and cells are accepted again where lists are read" {
	run -0 storus place --allocator best_fit --dims 10 --wrap x --free 8-9,0-1 --nodes 4
	run -0 storus place --allocator best_fit --dims 10 --wrap x --free "$(value_of ranks)" --nodes 4
	equal "$(value_of ranks)" 8-9,0-1
}

@test "free ranks from the standard input, of any length" {
	list=$(seq -s , 0 2 79998) # more than an argument may have
	run -0 bash -c '"$0" place --dims 80000 --free - --nodes 3 <<<"$1"' "$storus_binary" "0,2,4"
	equal "$(value_of ranks)" 0,2,4
	printf '%s\n' "$list" >free
	((${#list} > 131072))
	run -0 bash -c '"$0" place --dims 80000 --free - --nodes 40000 <free' "$storus_binary"
	equal "$(value_of span_linear)" 79999
	run -1 bash -c '"$0" place --dims 10 --free - --nodes 1 </dev/null' "$storus_binary"
	run -2 --separate-stderr bash -c '"$0" place --dims 10 --free - --nodes 1 <<<1-' "$storus_binary"
	[[ $stderr == "storus place: --free: "* ]]
}

@test "bad input is refused" {
	two_tori
	printf 'm1 3\nm2\n' >bad-line
	echo "m1 heavy" >bad-weight
	printf '7 m1\n8\n' >bad-jobs
	refuses place <<-'END'
		                                       | how many nodes
		--nodes 4                              | --conf or --dims
		--dims 8 --nodes 4 --free 1,,2         | --free
		--dims 8 --nodes 4 --free 5-3          | 5-3
		--dims 8 --nodes 4 --free 7-8          | 8
		--dims 8 --nodes 4 --free 1-3,2        | 2
		--dims 8 --nodes 4 --free n1           | n1
		--dims 8 --nodes 0                     | 0 is too small
		--dims 8 --nodes -1                    | '-1' is not a number
		--dims 8 --nodes 4k                    | '4k' is not a number
		--dims 8 --nodes 99999999999999999999  | too large
		--dims 8 --nodes 4 --allocator worst   | worst
		--dims 8 --nodes 4 --span curly        | curly
		--dims 8 --nodes 4 --nodelist n1       | --nodelist needs --conf
		--dims 8 --shape 2x                    | --shape
		--dims 8 --shape 2 --contiguous        | exclude each other
		--conf torus.conf --torus line --shape 2 --nodelist m1 | exclude each other
		--conf torus.conf --torus line --nodelist n01          | no node 'n01'
		--conf torus.conf --torus line --nodelist m[           | --nodelist
		--conf torus.conf --torus line --nodelist m[0-3] --nodes 2 | names 4 nodes
		--conf torus.conf --nodes 2 --nodelist x1             | no torus has a node 'x1'
		--conf torus.conf --nodes 2 --free all --free-nodes m1 | exclude each other
		--conf torus.conf --nodes 2 --free-nodes m[           | --free-nodes
		--dims 8 --nodes 4 --free-nodes m1     | --free-nodes needs --conf
		--dims 8 --nodes 4 --weights w         | --weights needs --conf
		--conf torus.conf --nodes 2 --weights no-such-file    | no-such-file
		--conf torus.conf --nodes 2 --weights bad-line        | bad-line:2
		--conf torus.conf --nodes 2 --weights bad-weight      | 'heavy' is not a number
		--dims 8 --nodes 4 --jobs jobs         | --jobs needs --conf
		--conf torus.conf --nodes 2 --jobs no-such-file       | --jobs: no-such-file: No such
		--conf torus.conf --nodes 2 --jobs bad-jobs           | --jobs: bad-jobs:2: job '8' without nodes
	END
}

@test "--shape any: the most compact free box of exactly so many nodes" {
	run -0 storus place --dims 8x8x8 --shape any --nodes 27
	equal "$(value_of box) $(value_of summed_distance)" "3x3x3 1944"
	# rows 0 and 1 are free but for one node: 2x4 on the left, 1x8 nowhere
	run -0 storus place --dims 8x2 --curve row_major --free 0-5,7-13,15 --nodes 8 --shape ANY
	equal "$(value_of cells)" 0-3,8-11
	# around the end, where the wrapped dimension makes 4x2 possible
	run -1 --separate-stderr storus place --dims 6x2 --curve row_major --free 0,1,4-7,10,11 \
		--shape any --nodes 8
	equal "$stderr" "storus place: nothing fits: no box of 8 nodes is free"
	run -0 storus place --dims 6x2 --wrap x --curve row_major --free 0,1,4-7,10,11 \
		--shape any --nodes 8
	equal "$(value_of cells)" 0-1,4-7,10-11
	# all of a ring is more compact than its length says
	run -0 storus place --dims 6x12 --wrap x --shape any --nodes 12
	equal "$(value_of box)" 6x2
	run -0 storus place --dims 6x1x2 --wrap x --shape any --nodes 6
	equal "$(value_of box)" 3x1x2
}

@test "--shape any counts nodes, not routers, and takes routers whole" {
	run -0 storus place --dims 4x4 --nodes-per-router 3 --curve row_major --shape any --nodes 12
	equal "$(value_of cells)" 0,0,0-1,1,1,4,4,4-5,5,5
	run -1 --separate-stderr storus place --dims 4x4 --nodes-per-router 2 --shape any --nodes 5
	equal "$stderr" "storus place: nothing fits: 4x4 has no box of 5 nodes; the next sizes are 4 and 6"
	# Routers that differ: three nodes are on (1,0) and (2,0) together.
	printf '%s\n' "a 0 0" "b 1 0" "c 1 0" "d 2 0" "e 0 1" >places
	echo "TorusName=main Dims=3x2 Coords=places" >torus.conf
	run -0 storus place --conf torus.conf --shape any --nodes 4
	equal "$(value_of nodes)" "a,b,c,d"
	run -0 storus place --conf torus.conf --shape any --nodes 3 --free-nodes b,c,d,e
	equal "$(value_of nodes)" "b,c,d"
	run -1 storus place --conf torus.conf --shape any --nodes 5
}

@test "--shape any: lowest weights first, then the most compact of several tori" {
	cat >torus.conf <<-'END'
		TorusName=flat Dims=8x1 Nodes=f[0-7] Curve=row_major
		TorusName=square Dims=3x3 Nodes=s[0-8] Curve=row_major
	END
	run -0 storus place --conf torus.conf --shape any --nodes 4
	equal "$(value_of torus) $(value_of box)" "square 2x2"
	echo "s[0-8] 2" >weights
	run -0 storus place --conf torus.conf --shape any --nodes 4 --weights weights
	equal "$(value_of torus) $(value_of nodes)" "flat f[0-3]"
}

@test "--closed: every side goes around a wrapped dimension, or is 1 or 2" {
	# 8 goes around y, never along x
	run -0 storus place --dims 16x8x8 --wrap xy --shape 8x2 --closed
	equal "$(value_of cells | tr ',-' '\n\n' | awk '{ y[int($1 / 16) % 8] = 1 } END { print length(y) }')" 8
	run -0 storus place --dims 16x8x8 --wrap xy --shape 2x2x1 --closed
	# the first shape can be closed and is not free, the second is
	run -0 storus place --dims 4x6 --wrap xy --curve row_major --free 0-2,4-6,8-10,12,16,20 \
		--shape '4x2|6' --closed
	equal "$(value_of cells)" 0,4,8,12,16,20
	run -1 --separate-stderr storus place --dims 4x6 --wrap xy --curve row_major --free 0-2,4-6 \
		--shape '4x2|6' --closed
	equal "$stderr" "storus place: nothing fits: no free closed box 4x2|6 on the 4x6 machine"
	run -0 storus place --dims 4x6 --wrap xy --curve row_major --free 0-2,4-6 --shape 3x2
	# any: the cube 2x2x2 of 8 closes, and of 12 nothing but what goes around
	run -0 storus place --dims 6x6x6 --wrap xyz --shape any --nodes 12 --closed
	equal "$(value_of box | tr x '\n' | sort -n | xargs)" "1 2 6"
	run -0 storus place --dims 6x6x6 --wrap xyz --shape any --nodes 12
	equal "$(value_of box | tr x '\n' | sort -n | xargs)" "2 2 3"
	for allocator in compact contiguous; do
		run -0 storus place --dims 8x4 --wrap y --shape 4x2 --closed --allocator "$allocator"
		equal "$(value_of box)" 2x4
	done
}

@test "--closed: what can never be is said, with what can" {
	refuses place <<-'END'
		--dims 8 --nodes 2 --closed | --closed: which box? Give --shape, or --shape any
	END
	run -1 --separate-stderr storus place --dims 8x8x8 --wrap xyz --shape 8x4 --closed
	equal "$stderr" "storus place: nothing fits: no box 8x4 is ever closed on the 8x8x8 machine, where sides of 1, 2 or 8 close"
	run -1 --separate-stderr storus place --dims 8x8x8 --wrap xyz --shape any --nodes 24 --closed
	equal "$stderr" "storus place: nothing fits: 8x8x8 has no closed box of 24 nodes; the next sizes are 16 and 32"
	cat >torus.conf <<-'END'
		TorusName=ring Dims=8 Wrap=x Nodes=r[0-7]
		TorusName=line Dims=4 Nodes=l[0-3]
	END
	run -0 storus place --conf torus.conf --shape 8 --closed
	equal "$(value_of torus)" ring
	run -1 --separate-stderr storus place --conf torus.conf --shape 4 --closed
	equal "$stderr" "storus place: nothing fits: no box 4 is ever closed on any torus: sides close that are 1, 2 or as long as a wrapped dimension"
}

@test "--isolate and --loose are placed by compact, whatever the allocator" {
	free="0-99,130-199,230-260,300-340,380-511"
	machine="--dims 8x8x8 --wrap xyz --free $free --nodes 40"
	for allocator in best_fit first_fit sum_of_squares free_list compact; do
		run -0 storus place $machine --allocator "$allocator" --isolate
		isolated=$output
		run -0 storus place $machine --allocator compact --isolation-weight 1
		equal "$isolated" "$output"
		run -0 storus place $machine --allocator "$allocator" --loose
		loose=$output
		run -0 storus place $machine --loose
		equal "$loose" "$output"
	done
	# a larger weight than its own counts
	run -0 storus place $machine --isolate --isolation-weight 9
	isolated=$output
	run -0 storus place $machine --allocator compact --isolation-weight 9
	equal "$isolated" "$output"
	refuses place <<-'END'
		--dims 8 --nodes 2 --loose --isolate | --loose and --isolate exclude each other
		--dims 8 --shape 2 --loose | --loose and --shape exclude each other
	END
}

@test "--isolate: fewer nodes of others in the box; --loose: further apart" {
	free=0,3,4,5,8,9,11,13,14,16,19,20,21,23,24,25,26,27,28,29,30,31,32,33,34,35,37,39,42,43,47,50,51,54,55,56,57,59,60,61
	run -0 storus place --dims 8x8 --free "$free" --nodes 12 --allocator compact
	equal "$(value_of foreign_nodes)" 6
	run -0 storus place --dims 8x8 --free "$free" --nodes 12 --isolate
	equal "$(value_of foreign_nodes)" 2
	free=2,3,4,6,8,10,13,14,16,17,19,23,24,27,28,29,31,33,34,36,39,44,45,47,48,49,51,52,54,55,56,57,58,61,63
	run -0 storus place --dims 8x8 --free "$free" --nodes 12 --allocator compact
	equal "$(value_of average_distance)" 2.84848485
	run -0 storus place --dims 8x8 --free "$free" --nodes 12 --loose
	equal "$(value_of average_distance)" 2.98484848
}

# pod: two tori of TPU hosts, 8x8x8 chips in 4x4x8 nodes, and 4x4x4 of nodes that are one chip
pod()
{
	cat >torus.conf <<-'END'
		TorusName=pod ChipDims=8x8x8 NodeShape=2x2x1 Wrap=xyz Nodes=t[000-127] Curve=row_major
		TorusName=single Dims=4x4x4 Nodes=s[00-63] Curve=row_major
		Allocator=best_fit
	END
}

@test "--chips: boxes of whole nodes, in the rotations that these allow" {
	pod
	run -0 storus place --conf torus.conf --torus pod --chips 4x4x8
	equal "$(value_of box) $(value_of ranks)" "4x2x4 0-7,16-23,32-39,48-55"
	# what is left of the lower half is one plane high: 4x4x8 must stand
	run -0 storus place --conf torus.conf --torus pod --chips 4x4x8 --free 0-1,4-5,16-17,20-21,32-33,36-37,48-49,52-53,64-65,68-69,80-81,84-85,96-97,100-101,112-113,116-117
	equal "$(value_of box)" 2x2x8
	run -0 storus place --conf torus.conf --torus pod --chips 3x4x8
	equal "$(value_of box)" 4x2x3
	run -0 storus place --conf torus.conf --torus pod --chips 2x1x1
	equal "$(value_of ranks)" 0
	run -0 storus place --conf torus.conf --torus pod --chips '9x9x9|4x2x1' --nodes 2
	equal "$(value_of box)" 2x1x1
	# all sides of 2x2x8 nodes go around
	run -0 storus place --conf torus.conf --torus pod --chips 8x8x8 --closed
	equal "$(value_of box)" 4x4x8
	run -1 --separate-stderr storus place --conf torus.conf --torus pod --chips 4x4x8 --closed
	equal "$stderr" "storus place: nothing fits: no box 4x4x8 is ever closed on the 8x8x8 machine, where sides of 1, 2 or 8 close"
	# 4x4x4 chips are 16 nodes of the one torus, or 64 of the other
	run -0 storus place --conf torus.conf --chips 4x4x4 --nodes 64
	equal "$(value_of torus)" single
	run -0 storus place --conf torus.conf --chips 4x4x4 --nodes 16
	equal "$(value_of torus)" pod
	run -0 storus place --dims 4x4 --chips 2x3
	equal "$(value_of box)" 2x3
}

@test "--chips: what cannot be is said, with a cure" {
	pod
	refuses place <<-'END'
		--dims 8 --chips any | is no box of chips, such as 4x4x8: a box of any sides is asked for as shape any
		--dims 8 --chips 4 --shape 4 | --shape and --chips exclude each other: the sides of one are in nodes
		--dims 8 --shape any --chips 4 --nodes 4 | --shape and --chips exclude each other
		--dims 8 --chips 4 --contiguous | --chips and --contiguous exclude each other
		--conf torus.conf --torus pod --chips 4x4x8 --nodes 128 | --chips 4x4x8 is a box of 32 nodes, --nodes asks for 128
	END
	run -1 --separate-stderr storus place --conf torus.conf --torus pod --chips 3x3x8
	equal "$stderr" "storus place: nothing fits: no rotation of chips 3x3x8 is a box of whole nodes, which have 2x2x1 chips: ask for chips 4x8x3"
	run -1 --separate-stderr storus place --conf torus.conf --torus pod --chips 4x4x10
	equal "$stderr" "storus place: nothing fits: no free box 4x4x10 of chips on the 4x4x8 machine"
}

@test "--shape any: what cannot be is said, with a cure" {
	refuses place <<-'END'
		--dims 8 --shape any | --shape any: a box of how many nodes? Give --nodes
	END
	run -1 --separate-stderr storus place --dims 8x8x8 --shape any --nodes 13
	equal "$stderr" \
		"storus place: nothing fits: 8x8x8 has no box of 13 nodes; the next sizes are 12 and 14"
	run -1 --separate-stderr storus place --dims 8x8x8 --shape any --nodes 5000000000
	equal "$stderr" \
		"storus place: nothing fits: 8x8x8 has no box of 5000000000 nodes; the next size is 512"
}

@test "--shape: what can never be is said, with what can" {
	run -1 --separate-stderr storus place --dims 8x8x4 --shape 16x8
	equal "$stderr" "storus place: nothing fits: 8x8x4 has no box 16x8; 4x4x8 has as many nodes"
	run -1 --separate-stderr storus place --dims 8x8x4 --nodes-per-router 2 --shape 13
	equal "$stderr" "storus place: nothing fits: 8x8x4 has no box 13; the next sizes are 24 and 28"
	run -1 --separate-stderr storus place --dims 8x8x4 --shape '9|10'
	equal "$stderr" "storus place: nothing fits: 8x8x4 has no box 9|10; 3x3 has as many nodes"
	run -1 --separate-stderr storus place --dims 8x8x4 --free 0-7 --shape 3x3
	equal "$stderr" "storus place: nothing fits: no free box 3x3 on the 8x8x4 machine"
}

# are_segments SIZE: each segment printed is so many ranks, and together they are the choice
are_segments() {
	local segment
	tr ';' '\n' <<<"$(value_of segments)" >segments
	while read -r segment; do
		run -0 storus place --dims 8x8x8 --wrap xyz --free "$segment" --nodes "$1"
	done <segments
}

@test "--segment: eight boxes that are a cube together, whatever the curve" {
	for curve in hilbert row_major; do
		run -0 storus place --dims 8x8x8 --curve $curve --nodes 64 --segment 8
		equal "$(value_of segment_distance)" 1.71428571
		equal "$(value_of box)" 4x4x4
		equal "$(tr ';' '\n' <<<"$(value_of segments)" | wc -l)" 8
	done
	run -0 storus place --dims 8x8x8 --wrap xyz --nodes 24 --segment 6
	are_segments 6
	equal "$(wc -l <segments)" 4
}

@test "--segment: only pieces of the curve and boxes will do" {
	run -0 storus place --dims 4x4 --curve row_major --free 0-1,6-7,9,12 --nodes 4 --segment 2
	equal "$(value_of segments)" "0-1;6-7"
	run -0 storus place --dims 4x4 --curve row_major --free 0-1,3,6,8,12 --nodes 4 --segment 2
	equal "$(value_of segments)" "0-1;8,12"
	run -1 --separate-stderr storus place --dims 4x4 --curve row_major --free 0-1,3,6,8,13 --nodes 4 --segment 2
	equal "$stderr" "storus place: nothing fits: no 2 segments of 2 nodes, each an interval of the curve or a box, are free"
}

@test "--segment: what does not divide, and what is not more than one" {
	run -2 --separate-stderr storus place --dims 8x8 --nodes 10 --segment 4
	equal "$stderr" "storus place: --segment 4 does not divide 10 nodes"
	run -2 --separate-stderr storus place --dims 8x8 --shape 3x2 --segment 4
	equal "$stderr" "storus place: --segment 4 does not divide 6 nodes"
	run -2 --separate-stderr storus place --dims 8x8 --nodes 10 --contiguous --segment 4
	run -0 storus place --dims 8x8 --free 0,5,30 --nodes 3 --segment 4
	equal "$(value_of ranks)" 0,5,30
	equal "$(value_of segments)" ""
	run -0 storus place --dims 8x8 --shape 4x2 --segment 4
	equal "$(value_of box)" 4x2
	equal "$(tr ';' '\n' <<<"$(value_of segments)" | wc -l)" 2
	run -0 storus place --dims 8x8 --nodes 8 --contiguous --segment 4 --allocator best_fit
	equal "$(value_of ranks)" 0-7
	equal "$(value_of segments)" "0-3;4-7"
}

@test "--segment: names, weights, several tori" {
	two_tori
	run -0 storus place --conf torus.conf --nodelist 'n[00-03,20-23]' --segment 4
	equal "$(value_of segment_nodes)" 'n[00-03];n[20-23]'
	run -1 storus place --conf torus.conf --nodelist 'n[00-02,20-24]' --segment 4
	run -0 storus place --conf torus.conf --nodelist 'n[02,21]' --nodes 8 --segment 4
	equal "$(tr ';' '\n' <<<"$(value_of segment_nodes)" | wc -l)" 2
	run -1 storus place --conf torus.conf --nodelist 'n[00,10,40]' --nodes 8 --segment 4
	echo "n[00-31] 5" >weights
	run -0 storus place --conf torus.conf --torus main --weights weights --nodes 16 --segment 4
	equal "$(value_of nodes)" 'n[32-47]'
	run -1 storus place --conf torus.conf --nodes 72 --segment 8
	run -0 storus place --conf torus.conf --nodes 72 --segment 8 --spread
	equal "$(grep -c '^segments ' <<<"$output")" 2
	run -0 storus place --conf torus.conf --nodes 72 --segment 8 --spread --format json
	equal "$(jq -r '.[] | .segments | split(";") | length' <<<"$output" | xargs)" "8 1"
}

@test "--cube: whole cubes wherever they are, joined to a torus; less than one inside the fullest" {
	# row by row, rank = cell; cube 0 has its first four nodes free, 1 and 3 are whole
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --shape 8x4 \
		--free 0-7,12-15,20-23,28-31,36-39,44-47,52-55,60-63
	equal "$(value_of cubes)" 1,3
	equal "$(value_of joined)" 8x4
	# (4,0), the first of cube 1, is (0,0) on the job's torus, (4,4), of cube 3, is (4,0)
	equal "$(value_of ranks)" 4-7,12-15,20-23,28-31,36-39,44-47,52-55,60-63
	equal "$(value_of joined_cells)" 0-3,8-11,16-19,24-27,4-7,12-15,20-23,28-31
	equal "$(value_of average_distance)" 3.09677419
	equal "$(value_of box)" 8x4
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --shape 2x2 \
		--free 0-1,4-7,8-9,12-15,20-23,28-31
	equal "$(value_of ranks)" 0-1,8-9
	equal "$(value_of cubes)" 0
	[[ $output != *joined\ * ]]
	equal "$(value_of joined_cells)" 0-1,4-5
	# not joined: the grid's distance, two hops and no ring
	run -0 storus place --dims 8 --cube 4 --nodes 2 --free 0,7 --curve row_major
	equal "$(value_of diameter)" 7
	[[ $output != *cubes\ * ]]
	# a cube alone is a ring
	run -0 storus place --dims 8 --cube 4 --nodes 4 --free 0-7
	equal "$(value_of diameter)" 2
}

@test "--cube: in torus.conf, too, and twisted" {
	echo "TorusName=c Dims=8x8 Cube=4x4 Nodes=n[0-63]" >torus.conf
	run -0 storus place --conf torus.conf --shape '16x4|8x4' --twist
	# 16 is not twice 4
	equal "$(value_of joined)" 8x4_twisted
	equal "$(value_of cubes)" 0-1
}

@test "--cube: what can never be is said, with what can" {
	refuses place <<-'END'
		--dims 8 --nodes 2 --twist | --twist: which shape? Give --shape, such as 4x4x8
		--dims 8x8 --cube 3x4 --nodes 2 | cubes of 3x4 do not fill the machine 8x8
		--dims 8x8 --wrap x --cube 4x4 --nodes 2 | a machine of cubes does not wrap
		--conf x --cube 4x4 --nodes 2 | --cube goes with --dims, not with --conf
	END
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --shape 6x4
	equal "$stderr" "storus place: nothing fits: 6x4 is neither within a cube of 4x4 nor made of whole ones; made of whole ones is 8x4"
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --shape 16x8
	equal "$stderr" "storus place: nothing fits: 16x8 takes 8 cubes of 4x4, and the machine has 4"
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --shape 8x8 --twist
	equal "$stderr" "storus place: nothing fits: 8x8 cannot be twisted: a twisted torus has sides k and 2k, as 4x4x8 and 4x8x8"
	run -1 --separate-stderr storus place --dims 8x8 --shape 8x4 --twist
	equal "$stderr" "storus place: nothing fits: only cubes can be joined to a twisted torus: Cube= in torus.conf, or storus place --cube"
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --shape any --nodes 20
	equal "$stderr" "storus place: nothing fits: no box of 20 nodes is free"
}

@test "docs/examples/cubes-prolog: the site's switches hear of whole cubes, in their order" {
	mkdir bin
	cat >bin/storus <<-'END'
		#!/bin/sh
		case "$1 $2 $3" in
		"map --job 7") printf 'task,node,x,y,z\n0,t1,0,0,0\n1,t2,1,2,3\n'; exit ;;
		"token 7 ") ;;
		*) exit 2 ;;
		esac
		[ -s token ] || exit 1
		cat token
	END
	printf '#!/bin/sh\necho "$@"; cat\n' >bin/join
	chmod +x bin/storus bin/join
	local prolog=("$BATS_TEST_DIRNAME/../../docs/examples/cubes-prolog")
	export PATH=$PWD/bin:$PATH JOIN_CUBES=$PWD/bin/join SLURM_JOB_ID=7
	echo "torus=v4,nodes=128,span=960,box=4x4x8,avghops=3.46,cubes=3+17,joined=4x4x8_twisted" >token
	run -0 "${prolog[@]}"
	equal "$output" "7 4x4x8_twisted 3 17
t1,0,0,0
t2,1,2,3"
	echo "torus=v4,nodes=4,span=4,box=2x2x1,avghops=1.33,cubes=3" >token
	run -0 "${prolog[@]}"
	equal "$output" ""
	: >token
	run -0 "${prolog[@]}"
	equal "$output" ""
	SLURM_JOB_ID=8 run -1 "${prolog[@]}"
}

@test "--near: a place that is too far is none, and the message says how far" {
	run -0 storus place --allocator best_fit --dims 8x8 --curve row_major --free 0,1,8,9 --nodes 4 --near 1
	equal "$(value_of ranks)" 0-1,8-9
	run -1 --separate-stderr storus place --allocator best_fit --dims 8x8 --curve row_major --free 0,7,56,63 --nodes 4 --near 1.2
	equal "$output" ""
	equal "$stderr" \
		"storus place: nothing fits: the best place is not near: its mean distance is 9.33333, 5.6 times the 1.66667 of as many nodes alone, and --near allows 1.2"
	run -0 storus place --allocator best_fit --dims 8x8 --curve row_major --free 0,7,56,63 --nodes 4 --near 5.6
	run -1 storus place --allocator best_fit --dims 8x8 --curve row_major --free 0,7,56,63 --nodes 4 --near 5.599
	cat >torus.conf <<-'END'
		TorusName=a Dims=4 Nodes=a[0-3]
		TorusName=b Dims=4 Nodes=b[0-3]
	END
	run -1 --separate-stderr storus place --conf torus.conf --nodes 4 --free-nodes 'a[0-1],b[0-1]' --spread --near 16
	equal "$stderr" "storus place: nothing fits: the place is not near: it is not on one torus"
	run -0 storus place --conf torus.conf --nodes 6 --spread --near 1
	# on a machine of cubes by the torus of the job's own: whole cubes are near wherever they
	# are, and in a cube what is as compact as alone
	run -0 storus place --dims 8x8 --cube 2x2 --curve row_major --free 0-1,8-9,54-55,62-63 --nodes 8 --near 1
	equal "$(value_of joined)" 2x4
	run -0 storus place --dims 8x8 --cube 2x2 --curve row_major --free 18-19 --nodes 2 --near 1
	run -1 --separate-stderr storus place --dims 8x8 --cube 2x2 --curve row_major --free 0,9 --nodes 2 --near 1.9
	[[ $stderr == *'its mean distance is 2, 2 times the 1 of as many nodes alone'* ]]
	# not joined: three nodes of two cubes and one, by the grid
	run -1 --separate-stderr storus place --dims 8x8 --cube 2x2 --curve row_major --free 0,1,62 --nodes 3 --near 2
	[[ $stderr == *'not near: its mean distance is'* ]]
	refuses place <<-'END'
		--dims 8 --nodes 2 --near 0.9               | --near: '0.9'
		--dims 8 --nodes 2 --near 2 --shape 2       | --near does not go with --shape
	END
}

@test "--segment: links beside the torus's own count in what is printed" {
	echo "TorusName=main Dims=8 Nodes=n[0-7] Curve=row_major Links=0-3,4-7" >torus.conf
	run -0 storus place --conf torus.conf --nodes 8 --segment 4
	# a line of four has 5/3 hops, a ring 4/3
	equal "$(value_of segments) $(value_of segment_distance)" "0-3;4-7 1.33333333"
	# all: 16 pairs within the rings, and between them by the link of 3 and 4
	equal "$(value_of average_distance)" "$(awk 'BEGIN {
		for (a = 0; a < 4; a++) for (b = 0; b < 4; b++) {
			d = a > b ? a - b : b - a; ring = d > 2 ? 1 : d
			sum += 2 * ring
			sum += 2 * ((a == 3 ? 0 : a == 0 ? 1 : 3 - a) + 1 + (b == 0 ? 0 : b == 3 ? 1 : b))
		}
		printf "%.8f", sum / 56 }')"
}

@test "--segment on a machine of cubes: whole ones, or within one; spread and consolidated" {
	# of cube 0 two rows are free, cubes 2 and 3 are but for some nodes
	free=0-3,8-11,36-63
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --nodes 8 --segment 4 --free $free
	equal "$(value_of segments) $(value_of cubes)" "0-1,8-9;2-3,10-11 0"
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --nodes 8 --segment 4 --free $free --spread-segments
	equal "$(value_of segments)" "0-1,8-9;40-41,48-49"
	[[ $output != *cubes* ]]
	# 16 nodes in one cube: cube 3 alone has as many, and it is whole
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --nodes 16 --segment 4 --free $free --consolidate-segments
	equal "$(value_of cubes) $(value_of joined)" "3 4x4"
	run -0 storus place --dims 8x8 --cube 4x4 --curve row_major --nodes 48 --segment 16
	equal "$(value_of cubes) $(value_of joined) $(value_of segment_distance)" "0-2 4x12 2.13333333"
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --nodes 48 --segment 24
	equal "$stderr" "storus place: nothing fits: no 2 segments of 24 nodes, each whole cubes, or an interval or a box within one, are free"
	run -1 --separate-stderr storus place --dims 8x8 --cube 4x4 --nodes 20 --segment 4 --spread-segments
	refuses place <<-'END'
		--dims 8 --nodes 4 --segment 2 --spread-segments | --spread-segments needs a machine of cubes (--cube, or Cube= in torus.conf)
		--dims 8 --cube 4 --nodes 4 --consolidate-segments | --consolidate-segments: segments of how many nodes? Give --segment
	END
}
