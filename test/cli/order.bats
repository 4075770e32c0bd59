#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus order.

load support

# A 6x5 box without three of its nodes, named by their cells.
irregular_box() {
	storus curve --dims 6x5 --curve row_major |
		awk '$1 != 7 && $1 != 8 && $1 != 20 { print "n" $1, $2, $3 }' >box.coords
	echo "TorusName=box Dims=6x5 Coords=box.coords" >torus.conf
}

# The names in an order, comments left out, sorted.
names_in() {
	grep -v '^#' "$1" | sort
}

@test "the order of a box with holes is one that Curve=file: takes" {
	irregular_box
	run -0 --separate-stderr storus order --conf torus.conf --time-limit 1 --output order
	[[ -z $stderr ]]
	equal "$(value_of nodes)" 27
	equal "$(names_in order)" "$(awk '{ print $1 }' box.coords | sort)"
	run -0 storus curve --conf torus.conf --curve file:order
	equal "$(awk '{ print $NF }' <<<"$output")" "$(grep -v '^#' order)"
	echo "Curve=file:order" >>torus.conf
	run -0 storus curve --conf torus.conf
	equal "$(awk '{ print $NF }' <<<"$output")" "$(grep -v '^#' order)"
	# And the configured order is one to begin with.
	run -0 storus order --conf torus.conf --solver none --compare
	[[ $output == *$'\nfile '*$'\nfound '* ]]
}

@test "without --output the order goes to standard output, what it is worth as a comment" {
	irregular_box
	storus order --conf torus.conf --solver none >printed
	storus order --conf torus.conf --solver none --output written >/dev/null
	equal "$(cat printed)" "$(cat written)"
	[[ $(head -n 2 written) == "# Made by storus order from torus.conf: k 4, reach 1, objective "*"gap "* ]]
}

@test "it is never worse than the curves, and its bound is never below it" {
	for arguments in "--dims 8x8x5 --wrap xyz" "--dims 7x3x2 --k 9 --reach 3" \
		"--dims 4x4 --objective nearness --weights 5,1 --nodes-per-router 2"; do
		# shellcheck disable=SC2086 # the arguments are words
		run -0 storus order $arguments --solver none --compare
		awk '$1 == "found" { found = $2 } { if ($2 > most) most = $2 }
			END { exit found != most }' <<<"$output"
		# shellcheck disable=SC2086
		run -0 storus order $arguments --solver none --output order
		awk '$1 == "objective" { found = $2 } $1 == "start_objective" { start = $2 }
			$1 == "bound" { bound = $2 } END { exit !(start <= found && found <= bound) }' \
			<<<"$output"
		equal "$(value_of solver)" none
	done
}

@test "the objective is what the man page says, counted by hand" {
	# Five in a row: four links, all next to one another.
	run -0 storus order --dims 5 --output order --solver none
	equal "$(value_of objective)" 4.00000000
	equal "$(value_of optimal)" yes
	# A triangle of links of weight 2 and k 2: 2 + 2 next to each other, 2/2 two apart.
	printf 'a b 2\nb c 2\nc a 2\n' >links
	run -0 storus order --graph links --k 2 --output order --solver none
	equal "$(value_of objective)" 5.00000000
	# Two nodes on one router earn 2, and on the next one 1 each way.
	run -0 storus order --dims 2 --nodes-per-router 2 --objective nearness --weights 1 --output order --solver none
	equal "$(value_of objective)" 5.00000000
	# Two hops apart: a half.
	run -0 storus order --dims 3 --k 2 --reach 2 --output order --solver none
	equal "$(value_of objective)" 2.25000000
}

@test "decay: the figures of the Cplant report, as printed there" {
	run -0 storus order --dims 8x8x5 --decay 0.5 --compare --time-limit 0
	equal "$(awk '$1 != "column_major" && $1 != "found" { printf "%s %.1f ", $1, $2 }' <<<"$output")" \
		"hilbert 500.6 snake 551.4 z_order 742.1 row_major 933.7 "
	run -0 storus order --dims 16x12x24 --decay 0.5 --compare --time-limit 0
	equal "$(awk '$1 != "column_major" && $1 != "found" { printf "%s %.0f ", $1, $2 }' <<<"$output")" \
		"hilbert 7294 snake 8699 z_order 10934 row_major 16031 "
}

# For distances the search has as many steps for a few nodes as for many, and ends with its time.
@test "distance, counted by hand: lines, rings, weights, links, routers" {
	# Three in a row, a half and a quarter: 1/2 + 1/2 + 2/4.
	run -0 storus order --dims 3 --decay 0.5 --output order --solver none --time-limit 0.5
	equal "$(value_of objective)" 1.50000000
	[[ $(head -n 1 order) == "# Made by storus order from 3: decay 0.5, objective 1.5,"* ]]
	# On a ring of positions each two are next to one another: (1 + 1 + 2)/2.
	run -0 storus order --dims 3 --decay 0.5 --span ring --output order --solver none --time-limit 0.5
	equal "$(value_of objective)" 2.00000000
	[[ $(head -n 1 order) == *": decay 0.5, span ring, objective 2,"* ]]
	# A square, in the order in which its links lead around: on the ring 4 * 3 + 2 * 2 * 1.
	printf 'a b 9\nb c\nc d\nd a\n' >links
	printf 'a\nb\nc\nd\n' >around
	run -0 storus order --graph links --weights 3,1 --span ring --start ./around --time-limit 0 --compare
	equal "$output" "$(printf 'start 16.0000000 %s\n' "$(awk '{ print $3; exit }' <<<"$output")"
		printf 'found 16.0000000 %s\n' "$(awk '{ print $3; exit }' <<<"$output")")"
	# Two nodes on a router are at distance 0.
	run -0 storus order --dims 2 --nodes-per-router 2 --weights 1 --output order --solver none --time-limit 0.5
	equal "$(value_of objective)" 1.00000000
	equal "$(value_of optimal)" yes
}

@test "distance: never above the curves, never below the bound, and some solver proves it" {
	for arguments in "--dims 8x8x5 --wrap xyz" "--dims 7x3x2 --decay 0.9 --span ring" \
		"--dims 4x4 --weights 5,1 --nodes-per-router 2"; do
		# shellcheck disable=SC2086 # the arguments are words
		run -0 storus order --objective distance $arguments --solver none --time-limit 0.5 --compare
		awk '$1 == "found" { found = $2 } !least || $2 < least { least = $2 }
			END { exit found != least }' <<<"$output"
		# shellcheck disable=SC2086
		run -0 storus order --objective distance $arguments --solver none --time-limit 0.5 --output order
		awk '$1 == "objective" { found = $2 } $1 == "start_objective" { start = $2 }
			$1 == "bound" { bound = $2 } $1 == "gap_percent" { gap = $2 }
			END { exit !(start >= found && found >= bound && gap >= 0) }' <<<"$output"
	done
	printf 'a b\na c\nb c\nc d\nd e\n' >links
	run -0 storus order --graph links --decay 0.5 --solver none --output order --time-limit 0.5
	none=$(value_of objective)
	run --separate-stderr storus order --graph links --decay 0.5 --solver glpk \
		--time-limit 300 --output order
	((status != 2)) || skip "storus without GLPK"
	equal "$(value_of optimal)" yes
	equal "$(value_of objective)" "$none"
	equal "$(value_of bound)" "$none"
}

@test "distance needs a way between all nodes; nearness does not" {
	printf 'a b\nc d\n' >links
	run -2 --separate-stderr storus order --graph links --decay 0.5
	[[ $stderr == *"no link leads between some of the nodes, so they have no distance"* ]]
	run -0 --separate-stderr storus order --graph links --objective nearness
}

@test "the same seed gives the same order, and --start begins with the file's" {
	irregular_box
	for time in 1 2; do
		storus order --conf torus.conf --solver none --seed 7 >order.$time
	done
	equal "$(cat order.1)" "$(cat order.2)"
	grep -v '^#' order.1 | tac >backwards
	run -0 storus order --conf torus.conf --start backwards --time-limit 0
	equal "$(grep -v '^#' <<<"$output")" "$(cat backwards)"
	run -0 storus order --conf torus.conf --start backwards --time-limit 0 --compare
	equal "$(wc -l <<<"$output")" 2
}

@test "--start also takes the name of a curve, or of an order of links" {
	irregular_box
	run -0 storus order --conf torus.conf --start snake --time-limit 0
	equal "$(grep -v '^#' <<<"$output")" \
		"$(storus curve --conf torus.conf --curve snake | awk '{ print $NF }')"
	printf 'a b\nb c\nc d\n' >links
	for name in bisection breadth greedy; do
		run -0 storus order --graph links --start $name --solver none --output order
		equal "$(value_of start)" $name
	done
	echo a >bisection
	run -2 --separate-stderr storus order --graph links --start ./bisection
	[[ $stderr == *"./bisection:1: "* ]]
}

@test "time limit 0: the best order to begin with, no search and no solver" {
	run -0 storus order --dims 8x8 --time-limit 0 --output order
	equal "$(value_of solver)" none
	equal "$(value_of objective)" "$(value_of start_objective)"
	equal "$(grep -v '^#' order)" "$(storus curve --dims 8x8 --curve "$(value_of start)" |
		awk '{ print "n" $2 + 8 * $3 }')"
}

@test "links: any names, several cables, loops and parts, each with a remark" {
	printf '# two parts\na b\nb c 2\nc a\nb a\nx y # far away\nlone lone\n' >links
	run -0 --separate-stderr storus order --graph links --solver none --output order
	equal "$(names_in order)" $'a\nb\nc\nlone\nx\ny'
	[[ $stderr == *"links: lines that join nodes which an earlier line joins: 1;"* ]]
	[[ $stderr == *"links from a node to itself, which earn nothing: 1"* ]]
	[[ $stderr == *"between the 3 parts of this network"* ]]
	# What is not connected has no mean distance.
	run -0 --separate-stderr storus order --graph links --solver none --compare
	[[ $(tail -n 1 <<<"$output") == "found "*" -" ]]
	run -0 --separate-stderr storus order --graph links --solver none --compare --format json
	jq -e '.[-1].mean_distance == null and .[-1].objective > 0' <<<"$output"
}

@test "names of --dims: --nodelist, or n0 and on" {
	run -0 storus order --dims 3 --nodelist 'a[1-2],z' --solver none
	equal "$(grep -v '^#' <<<"$output" | sort | tr '\n' ' ')" "a1 a2 z "
	run -0 storus order --dims 1
	equal "$(tail -n 1 <<<"$output")" n0
}

@test "the solvers that are there prove an optimum, the same one" {
	printf 'a b\na c\na d\nb c\nd e\ne f\nf a\nc f 2\n' >links
	run -0 storus order --graph links --k 3 --solver none --output order
	none=$(value_of objective) bound=$(value_of bound) count=0
	for solver in glpk cbc; do
		run --separate-stderr storus order --graph links --k 3 --solver $solver \
			--time-limit 300 --output order
		if ((status == 2)); then
			[[ $stderr == "storus order: --solver $solver: "*"or take another solver or none" ]]
			continue
		fi
		equal "$(value_of solver)" $solver
		equal "$(value_of optimal)" yes
		equal "$(value_of gap_percent)" 0.00000000
		equal "$(value_of bound)" "$(value_of objective)"
		awk -v none="$none" -v bound="$bound" -v best="$(value_of objective)" \
			'BEGIN { exit !(none <= best && best <= bound) }'
		count=$((count + 1))
	done
	((count)) || skip "no solver here"
}

@test "the solvers that are there count around a ring" {
	printf '%s\n' "a d" "d b" "b f" "f c" "c e" "e a" >links
	printf '%s\n' a b c d e f >begin
	count=0
	for solver in glpk cbc; do
		run --separate-stderr storus order --graph links --span ring --decay 0.5 --solver $solver \
			--start ./begin --time-limit 300 --output order
		if ((status == 2)); then
			[[ $stderr == "storus order: --solver $solver: "*"or take another solver or none" ]]
			continue
		fi
		equal "$(value_of solver)" $solver
		equal "$(value_of optimal)" yes
		# The nodes as their links lead around: 6 pairs of 1 and of 2 hops, 3 of 3.
		equal "$(value_of objective)" 7.12500000
		count=$((count + 1))
	done
	((count)) || skip "no solver here"
}

@test "cbc: found by PATH, its directory goes, its failure is an error" {
	local with_cbc=(env "TMPDIR=$PWD/tmp" "PATH=$PWD/bin:$PATH" "$storus_binary" order --solver cbc)
	mkdir bin tmp
	run -2 --separate-stderr env "PATH=$PWD/none" "$storus_binary" order --dims 3x2 --solver cbc
	[[ $stderr == *"no program cbc in PATH"* ]]
	printf '#!/bin/sh\nexit 3\n' >bin/cbc
	chmod +x bin/cbc
	run -2 --separate-stderr "${with_cbc[@]}" --dims 3x2 --output order
	equal "$stderr" "storus order: cbc failed with status 3"
	[[ ! -e order && -z $(ls tmp) ]]
	# One that says nothing useful leaves what the search has found.
	printf '#!/bin/sh\necho "Lower bound: -1e30"\nexit 0\n' >bin/cbc
	run -0 --separate-stderr "${with_cbc[@]}" --dims 3x2 --output order
	equal "$(value_of optimal)" no
	# Too large is said before the search.
	run -2 --separate-stderr "${with_cbc[@]}" --dims 20x20x20
	[[ $stderr == *"too large for a solver; use --solver none" ]]
	rmdir tmp
	run -2 --separate-stderr "${with_cbc[@]}" --dims 3x2
	[[ $stderr == *"cannot make a directory in"*"No such file"* ]]
}

@test "cbc: its end is noticed where SIGCHLD is ignored" {
	mkdir bin
	# timeout(1) goes first: it undoes what it is started with.
	printf '#!/bin/sh\nsleep 0.3\necho "Lower bound: -1e30"\nexit 0\n' >bin/cbc
	chmod +x bin/cbc
	run -0 --separate-stderr timeout 20 env --ignore-signal=CHLD "PATH=$PWD/bin:$PATH" \
		"$storus_binary" order --dims 3x2 --solver cbc --output order
	equal "$(value_of solver)" cbc
	printf '#!/bin/sh\nsleep 0.3\nexit 3\n' >bin/cbc
	run -2 --separate-stderr timeout 20 env --ignore-signal=CHLD "PATH=$PWD/bin:$PATH" \
		"$storus_binary" order --dims 3x2 --solver cbc --output order
	equal "$stderr" "storus order: cbc failed with status 3"
}

# star NODES: a network where each two of them are two hops apart
star() { seq -f 'hub n%.0f' "$1"; }

# limited SECONDS ARGUMENT...: the command with 2 GB of memory and so much of the processor's
# time. Sanitizers reserve memory without end and make it some times slower.
limited() {
	local seconds=$1
	shift
	(
		if ((slow == 1)); then ulimit -v 2000000; fi
		ulimit -t $((seconds * slow))
		storus "$@"
	)
}

@test "memory is bounded, and the time limit holds from the start" {
	slow=1
	! grep -q __asan_init "$storus_binary" || slow=8
	star 30000 >links
	run -2 --separate-stderr limited 5 order --graph links --reach 2 --time-limit 1000 --output order
	[[ $stderr == *"more than 16777216 pairs of nodes are within 2 hops of one another"*"choose a smaller reach" ]]
	[[ ! -e order ]]
	run -0 limited 5 order --graph links --time-limit "$slow" --output order
	equal "$(value_of pairs)" 30000
	# As many pairs as there may be: no time is left for the search, nor for the greedy order.
	star 5790 >links
	run -0 --separate-stderr limited 10 order --graph links --reach 2 --k 256 \
		--time-limit $((2 * slow)) --output order
	equal "$(value_of pairs)" 16764945
	equal "$(grep -vc '^#' order)" 5791
	run -2 --separate-stderr storus order --graph links --reach 2 --time-limit 0.01 --output order
	[[ $stderr == *"the time was over before all nodes that are near one another were found" ]]
}

@test "interrupted, it leaves neither a file nor cbc's directory, and the old file as it was" {
	mkdir bin tmp
	printf '#!/bin/sh\necho $$ >"%s/cbc.pid"\nexec sleep 600\n' "$PWD" >bin/cbc
	chmod +x bin/cbc
	echo old >order
	for signal in INT TERM; do
		rm -f cbc.pid
		# A command in the background ignores SIGINT otherwise.
		env --default-signal=INT "TMPDIR=$PWD/tmp" "PATH=$PWD/bin:$PATH" "$storus_binary" order \
			--dims 3x2 --solver cbc --output order 3>&- &
		for ((i = 0; i < 300; i++)); do
			[[ ! -s cbc.pid ]] || break
			sleep 0.1
		done
		kill -$signal $!
		wait $! || true # "run" does so in a process whose child it is not
		run ! kill -0 "$(cat cbc.pid)"
		equal "$(cat order)" old
		[[ -z $(ls tmp) ]]
	done
	# During the search there is nothing yet that could be left.
	run -124 timeout 0.2 "$storus_binary" order --dims 40x40 --solver none --output order
	equal "$(cat order)" old
	equal "$(ls -d order*)" order
}

@test "a file that cannot be written is an error" {
	run -2 --separate-stderr storus order --dims 3x2 --solver none --output none/order
	[[ -z $output && $stderr == *"cannot write 'none/order': No such file or directory" ]]
	run -2 --separate-stderr bash -c '"$0" order --dims 3x2 --solver none >/dev/full' "$storus_binary"
	[[ $stderr == *"No space left on device" ]]
}

@test "bad usage and bad input are refused" {
	irregular_box
	printf 'a b\nb c d e\n' >links
	printf 'a b\nc[1-2] b\n' >list
	printf 'a b x\n' >weight
	printf 'a b\n' >good
	: >empty
	printf 'n0\nn1\n' >short
	refuses order <<-'END'
		                                       | which network? Give --conf, --dims or --graph
		--graph good --dims 3                  | --graph and --dims exclude each other
		--graph good --conf torus.conf         | --graph and --conf exclude each other
		--conf torus.conf --dims 3             | exclude each other
		--graph good --wrap x                  | do not go with --graph
		--graph good --nodelist n[0-1]         | --nodelist goes with --dims
		--dims 3 --nodelist n[0-1]             | --nodelist: 2 nodes for a machine of 3
		--dims 3 --nodelist n[0-               | --nodelist: 
		--graph none                           | cannot read 'none'
		--graph links                          | links:2: expected two nodes and perhaps a weight
		--graph list                           | list:2: 'c[1-2]': a link has one node at each end; write a line for each
		--graph weight                         | weight:1: weight 'x' is not a number
		--graph empty                          | empty: no link; write one a line
		--conf none                            | none
		--dims 3 --k 0                         | --k: 0 is too small
		--dims 3 --k 257                       | --k: 257 is too large
		--dims 3 --k 2 --weights 3,2,1         | --weights has 3 weights, but --k is 2
		--dims 3 --weights 1,2                 | --weights: weights must not grow
		--dims 3 --weights 0                   | --weights: the first weight of '0' is 0
		--dims 3 --reach 65                    | --reach: 65 is too large
		--dims 3 --decay 0.5 --k 2             | --k and --reach belong to --objective nearness
		--dims 3 --span ring --reach 2         | --k and --reach belong to --objective nearness
		--dims 3 --objective distance --k 2    | --k and --reach belong to --objective nearness
		--dims 3 --objective nearness --decay .5 | --decay and --span belong to --objective distance
		--dims 3 --decay 0.5 --weights 2,1     | --decay and --weights exclude each other
		--dims 3 --objective far               | --objective: 'far' is neither distance nor nearness
		--dims 3 --decay 0                     | --decay: 
		--dims 3 --decay 1                     | --decay: 
		--dims 3 --span round                  | --span: 
		--dims 3 --time-limit -1               | --time-limit: '-1' is not a number
		--dims 3 --solver cplex                | unknown solver 'cplex'; known are glpk, cbc, none, auto
		--conf torus.conf --start none         | cannot read 'none'
		--conf torus.conf --start short        | short:2: 
	END
}
