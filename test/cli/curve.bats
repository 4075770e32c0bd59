#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus curve.

load support

@test "the simple orders, rank by rank" {
	run -0 storus curve --dims 3x2 --curve row_major
	equal "$output" $'0 0 0\n1 1 0\n2 2 0\n3 0 1\n4 1 1\n5 2 1'
	run -0 storus curve --dims 3x2 --curve column_major
	equal "$output" $'0 0 0\n1 0 1\n2 1 0\n3 1 1\n4 2 0\n5 2 1'
	# The shortest dimension first: y.
	run -0 storus curve --dims 3x2 --curve snake
	equal "$output" $'0 0 0\n1 0 1\n2 1 1\n3 1 0\n4 2 0\n5 2 1'
	run -0 storus curve --dims 2x2 --curve z_order
	equal "$output" $'0 0 0\n1 1 0\n2 0 1\n3 1 1'
	run -0 storus curve --dims 5
	equal "$output" $'0 0\n1 1\n2 2\n3 3\n4 4'
}

@test "hilbert is the default" {
	run -0 storus curve --dims 6x5x4
	default=$output
	run -0 storus curve --dims 6x5x4 --curve hilbert
	equal "$output" "$default"
	run -0 storus curve --dims 6x5x4 --curve HILBERT
	equal "$output" "$default"
}

# Reads `rank x y ...` lines: every rank in order, every coordinate once; prints the steps
# longer than one hop.
check_order='{
	if ($1 != NR - 1) exit 1
	cell = $0; sub(/^[0-9]+ /, "", cell)
	if (seen[cell]++) exit 1
	hops = 0
	for (i = 2; i <= NF; i++) {
		d = $i - last[i]; hops += d < 0 ? -d : d; last[i] = $i
	}
	if (NR > 1 && hops > 1) long++
} END { if (NR != cells) exit 1; print long + 0 }'

@test "every curve visits every cell once" {
	for curve in row_major column_major snake z_order hilbert; do
		for dims in 1 7 4x3 8x4 5x4x3 3x2x2x3 2x3x2x1x2 2x2x2x2x2x3; do
			cells=$((${dims//x/*}))
			storus curve --dims $dims --curve $curve |
				awk -v cells=$cells "$check_order"
		done
	done
}

@test "snake everywhere, and hilbert on powers of two, step by single hops" {
	for dims in 5x4x3 8x8x5 7 3x3x3x3; do
		run -0 bash -c '"$0" curve --dims $1 --curve snake | awk -v cells=$2 "$3"' \
			"$storus_binary" $dims $((${dims//x/*})) "$check_order"
		equal "$output" 0
	done
	for dims in 8x8 16x16 4x4x4 8x8x8 4x4x4x4; do
		run -0 bash -c '"$0" curve --dims $1 | awk -v cells=$2 "$3"' \
			"$storus_binary" $dims $((${dims//x/*})) "$check_order"
		equal "$output" 0
	done
}

@test "JSON and CSV say what the text says" {
	text=$(storus curve --dims 5x4x3)
	json=$(storus curve --dims 5x4x3 --format=json |
		jq -r '.[] | "\(.rank) \(.x) \(.y) \(.z)"')
	equal "$json" "$text"
	run -0 storus curve --dims 5x4x3 --format=csv
	equal "${lines[0]}" "rank,x,y,z"
	csv=$(tail -n +2 <<<"$output" | tr , ' ')
	equal "$csv" "$text"
	run -0 storus curve --dims 2x1x1x1x1x1 --format=csv
	equal "$output" $'rank,x,y,z,u,v,w\n0,0,0,0,0,0,0\n1,1,0,0,0,0,0'
}

@test "several nodes on a router have consecutive ranks" {
	run -0 storus curve --dims 2x1 --curve row_major --nodes-per-router 2
	equal "$output" $'0 0 0\n1 0 0\n2 1 0\n3 1 0'
}

@test "a torus.conf is a machine, with its node names and its curve" {
	cat >torus.conf <<-'END'
		TorusName=a Dims=2x2 Nodes=n[1-4] Curve=row_major
		TorusName=b Dims=3 Nodes=m[1-3]
	END
	run -0 storus curve --conf torus.conf --torus a
	equal "$output" $'0 0 0 n1\n1 1 0 n2\n2 0 1 n3\n3 1 1 n4'
	run -0 storus curve --conf torus.conf --torus b
	equal "$output" $'0 0 m1\n1 1 m2\n2 2 m3'
	run -0 --separate-stderr storus curve --conf torus.conf --torus a --format=json
	equal "$(jq -r '.[2].node' <<<"$output")" n3
	run -2 --separate-stderr storus curve --conf torus.conf
	[[ $stderr == *"torus.conf has several tori, choose one with --torus: a, b" ]]
	run -2 --separate-stderr storus curve --conf torus.conf --torus c
	[[ $stderr == *"torus.conf has no torus 'c', but: a, b" ]]
}

@test "--curve tries another curve on a configured machine, missing nodes and all" {
	cat >coords <<-'END'
		p 0 0
		q 2 0
		r 0 1
	END
	echo "TorusName=a Dims=3x2 Coords=coords Curve=row_major" >torus.conf
	run -0 storus curve --conf torus.conf
	equal "$output" $'0 0 0 p\n1 2 0 q\n2 0 1 r'
	run -0 storus curve --conf torus.conf --curve column_major
	equal "$output" $'0 0 0 p\n1 0 1 r\n2 2 0 q'
	printf '%s\n' r q p >order
	run -0 storus curve --conf torus.conf --curve file:order
	equal "$output" $'0 0 1 r\n1 2 0 q\n2 0 0 p'
	printf '%s\n' r q >order
	run -2 --separate-stderr storus curve --conf torus.conf --curve file:order
	[[ -z $output && $stderr == "storus curve: order:"* ]]
	run -2 --separate-stderr storus curve --conf torus.conf --curve file:none
	[[ $stderr == *"none"*"No such file"* ]]
}

@test "windows of any lengths are scored like those of --score" {
	for machine in "8x4 --wrap x" "5x4x3 --curve z_order" "3x2 --nodes-per-router 2"; do
		# shellcheck disable=SC2086 # options are words
		storus curve --dims $machine --windows 4,2 |
			awk '{ print "average_distance_" $1, $2; print "apd_" $1, $3 }' >windows
		# shellcheck disable=SC2086
		storus curve --dims $machine --score | grep -E '_[24] ' >score
		[ "$(wc -l <windows)" -eq 4 ]
		diff <(sort windows) <(sort score)
	done
	# A line: the mean distance of a window of n is (n + 1) / 3.
	run -0 storus curve --dims 9 --windows 3,9-8
	equal "$output" $'3 1.33333333 0.666666667\n9 3.33333333 2.66666667\n8 3.00000000 2.33333333'
	run -0 storus curve --dims 9 --windows 5 --format csv
	equal "$output" $'ranks,average_distance,apd\n5,2.00000000,1.33333333'
	refuses curve <<-'END'
		--dims 9 --windows 10 | --windows:
		--dims 9 --windows 1,5 | --windows: 1 is too small
		--dims 9 --windows x | --windows:
		--dims 9 --windows 5 --score | --score and --windows exclude each other
	END
}

@test "scores of a curve that can be worked out by hand" {
	run -0 storus curve --dims 4 --score
	# Pairs of windows of 4: three at 1 hop, two at 2, one at 3: 10/6, and 20/20.
	equal "$output" "long_steps 0
longest_step 1
average_distance_2 1.00000000
apd_2 0.333333333
average_distance_4 1.66666667
apd_4 1.00000000
closed no"
	# From the end of a row to the start of the next.
	run -0 storus curve --dims 4x2 --curve row_major --score
	equal "$(value_of long_steps)" 1
	equal "$(value_of longest_step)" 4
	# With rings in x the same step is shorter.
	run -0 storus curve --dims 4x2 --wrap x --curve row_major --score
	equal "$(value_of longest_step)" 2
	run -0 storus curve --dims 1 --score
	equal "$output" $'long_steps 0\nlongest_step 0\nclosed yes'
}

@test "a curve is closed if its last rank is one hop from its first" {
	run -0 storus curve --dims 4 --wrap x --score
	equal "$(value_of closed)" yes
	run -0 storus curve --dims 4x4 --curve row_major --score
	equal "$(value_of closed)" no
	run -0 storus curve --dims 4x4 --curve snake --wrap y --score
	equal "$(value_of closed)" yes
	run -0 storus curve --dims 4x4 --curve snake --wrap x --score
	equal "$(value_of closed)" no
}

# The mean of the mean distances over all window lengths.
mean_score() {
	storus curve "$@" --score |
		awk '/^average_distance/ { sum += $2; n++ } END { printf "%.6f\n", sum / n }'
}

@test "hilbert knows which dimensions wrap" {
	# 8x8x5 has better orders with wraps than the mesh's, 8x8x8 has not.
	run -0 mean_score --dims 8x8x5 --wrap all --curve hilbert
	equal "$output" 2.869399
	run -0 mean_score --dims 8x8x5 --wrap all --curve snake
	equal "$output" 2.886053
	mesh=$(storus curve --dims 8x8x5)
	run -0 storus curve --dims 8x8x5 --wrap all
	[[ $output != "$mesh" ]]
	mesh=$(storus curve --dims 8x8x8)
	run -0 storus curve --dims 8x8x8 --wrap all
	equal "$output" "$mesh"
}

@test "scores as JSON and CSV" {
	run -0 --separate-stderr storus curve --dims 4 --score --format=json
	equal "$(jq .average_distance_4 <<<"$output")" 1.66666667
	run -0 storus curve --dims 2 --score --format=csv
	equal "$output" $'long_steps,longest_step,average_distance_2,apd_2,closed\n0,1,1.00000000,0.333333333,yes'
}

@test "bad input is refused" {
	echo "TorusName=a Dims=2x2 Nodes=n[1-5]" >bad.conf
	refuses curve <<-'END'
		                                   | --conf or --dims
		--dims 4x4 --conf torus.conf       | exclude each other
		--conf bad.conf                    | bad.conf:1
		--conf none.conf                   | none.conf
		--conf bad.conf --wrap x           | --wrap goes with --dims
		--conf bad.conf --nodes-per-router 2 | --nodes-per-router goes with --dims
		--dims 4x4 --torus a               | --torus goes with --conf
		--dims 4x                          | 4x
		--dims x4                          | x4
		--dims 4x-1                        | 4x-1
		--dims 0x4                         | 0x4
		--dims 4,4                         | 4,4
		--dims 2x2x2x2x2x2x2               | 2x2x2x2x2x2x2
		--dims 99999x99999                 | 99999x99999
		--dims 4x4 --wrap q                | q
		--dims 4x4 --wrap z                | z
		--dims 4x4 --wrap 1                | 1
		--dims 4x4 --wrap 1,2              | 1,2
		--dims 4x4 --curve peano           | peano
		--dims 4x4 --curve file:order      | needs --conf
		--dims 4x4 --nodes-per-router 0    | 0 is too small
		--dims 4x4 --nodes-per-router two  | 'two' is not a number
		--dims 4x4 --score extra           | unexpected argument 'extra'
	END
}

@test "long work shows how far it is, on a terminal alone" {
	command -v script >/dev/null || skip "no script(1) to make a terminal"
	long=(curve --dims 256x256x64 --curve row_major)
	run -0 shown_on_terminal "^storus curve: scoring [0-9]+% " "$storus_binary ${long[*]} --score"
	run -0 shown_on_terminal "^storus curve: printing [0-9]+% " \
		"$storus_binary curve --dims 512x512x128 --curve row_major >/dev/null"
	# short work, and no terminal: nothing
	run -0 script -qec "$storus_binary curve --dims 2x2 --score >/dev/null" /dev/null
	equal "$output" ""
	run --separate-stderr timeout 1.5 "$storus_binary" "${long[@]}" --score
	equal "$stderr" ""
}
