#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# torus-stream.

load ../../../test/cli/support

stream() {
	"${storus_binary%/*}/torus-stream" "$@"
}

# column NAME: that column of the CSV in $output, a line each
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' <<<"$output"
}

cplant=(--dims 8x8 --wrap all --nodes-per-router 4 --cells 0-31 --workload cplant-stream)

@test "all jobs of the queue run, first come first served, and no node is used twice" {
	for allocator in free_list best_fit random; do
		run -0 --separate-stderr stream "${cplant[@]}" --allocator $allocator --pattern ring
		equal "$(column job)" "$(seq 188)"
		equal "$(column ranks | sort -n | uniq -c | awk '{ print $1, $2 }' | xargs)" \
			"91 2 33 5 31 25 33 30"
		# Starts never go back; each is at the beginning or when a job ends. At no start
		# are there more than four ranks on a router, or any on one without nodes; and
		# the next one had no room as long as those ran that ended then.
		awk -F, '
			NR == 1 { next }
			{
				jobs++
				ranks[jobs] = $2; cells[jobs] = $3; start[jobs] = $4; end[jobs] = $5
				ends[$5] = 1
				if ($4 < last || ($4 > 0 && !($4 in ends)))
					exit failed = 1
				first = $4 > last
				last = $4
				split("", on)
				used = before = 0
				for (i = 1; i <= jobs; i++) {
					if (end[i] <= $4 && i < jobs)
						continue
					used += ranks[i]
					parts = split(cells[i], part, ";")
					for (p = 1; p <= parts; p++) {
						split(part[p] "-" part[p], side, "-")
						for (c = side[1]; c <= side[2]; c++)
							if (c > 31 || ++on[c] > 4)
								exit failed = 1
					}
				}
				if (used > 128)
					exit failed = 1
				# Those that ran until now, until just before it started.
				for (i = 1; i < jobs; i++)
					if (end[i] >= $4 && start[i] < $4)
						before += ranks[i]
				if (first && before + ranks[jobs] <= 128)
					exit failed = 1
			}
			END { exit failed }' <<<"$output"
	done
}

@test "jobs that run from the beginning take as long as torus-contend says" {
	run -0 --separate-stderr stream --dims 6x6x6 --wrap xy --curve z_order --allocator random \
		--workload exponential:mean=12,jobs=14,load=0 --seed 7 --pattern fft+multigrid --rounds 2
	equal "$(column start | sort -u)" 0
	# Cells in pieces, for torus-contend in the manner of its lists.
	awk -F, 'NR > 1 { gsub(";", ",", $3); print "j" $1, "fft+multigrid 2 1e6", $3 }' \
		<<<"$output" >jobs.txt
	seconds=$(column end | awk '{ printf "%.6g\n", $1 }')
	undisturbed=$(column undisturbed)
	run -0 --separate-stderr "${storus_binary%/*}/torus-contend" --dims 6x6x6 --wrap xy jobs.txt
	equal "$seconds" "$(column seconds | awk '{ printf "%.6g\n", $1 }')"
	equal "$undisturbed" "$(column undisturbed)"
	[ "$seconds" != "$undisturbed" ]
}

@test "places, metrics and order are those of storus place" {
	run -0 --separate-stderr stream --dims 5x5 --curve snake --allocator mc1x1 \
		--workload log-uniform:min=3,max=9,jobs=1 --pattern ring
	first=$output
	run -0 storus place --dims 5x5 --curve snake --allocator mc1x1 --free all \
		--nodes "$(output=$first column ranks)"
	equal "$(output=$first column summed_distance)" "$(value_of summed_distance)"
	equal "$(output=$first column cells | tr ';' ',')" "$(value_of cells | tr ';' ',')"
}

@test "the same again gives the same, another seed something else" {
	run -0 --separate-stderr stream "${cplant[@]}" --pattern ping_pong --seed 3
	first=$output
	run -0 --separate-stderr stream "${cplant[@]}" --pattern ping_pong --seed 3
	equal "$output" "$first"
	run -0 --separate-stderr stream "${cplant[@]}" --pattern ping_pong --seed 4
	[ "$output" != "$first" ]
}

@test "jobs wait until they are submitted; cplant takes the smallest first, when it looks" {
	options=(--dims 8x8 --wrap all --nodes-per-router 4 --cells 0-31 --pattern ring
		--workload cplant-stream:fill=yes,load=2,run=1 --bytes 1e9)
	run -0 --separate-stderr stream "${options[@]}"
	# Late ones are later than 0; nobody starts before it is submitted, nor out of order.
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["start"] < $at["submit"] || $at["job"] != NR - 1 { exit failed = 1 }
		{ late += $at["submit"] > 0; exact += $at["start"] == $at["submit"] }
		END { if (failed || late < 150 || exact < 4) exit 1 }' <<<"$output"
	# All at 0: the smallest are first.
	run -0 --separate-stderr stream "${options[@]/load=2,run=1/load=0}" --scheduler cplant --period 3
	equal "$(column ranks | uniq -c | awk '{ print $2 }' | xargs)" "2 5 25 30"
	equal "$(column start | awk '$1 % 3' | wc -l)" 0
	equal "$(column submit | sort -u)" 0
	# greedy: some overtake, whoever has a place; those that plan know no run times.
	run -0 --separate-stderr stream "${options[@]/load=2,run=1/load=0}" --scheduler greedy
	column job | sort -nc && return 1
	for scheduler in easy conservative; do
		run -2 --separate-stderr stream "${options[@]}" --scheduler $scheduler
		[[ $stderr == *"$scheduler plans with run times, which are not known here: fcfs, cplant and greedy do not"* ]]
	done
}

@test "a pattern for each job" {
	options=(--dims 6x6 --workload log-uniform:min=6,max=6,jobs=60,load=0 --bytes 1e9)
	run -0 --separate-stderr stream "${options[@]}" --pattern ring,one_to_all+ring,ring --seed 2
	# A third has the second: 6 messages a round, or 5 and 6.
	equal "$(paste -d ' ' <(column pattern) <(column messages) | sort -u)" "one_to_all+ring 11
ring 6"
	count=$(column pattern | grep -c +)
	((count > 8 && count < 34))
	first=$output
	run -0 --separate-stderr stream "${options[@]}" --pattern ring,one_to_all+ring,ring --seed 2 --allocator random
	equal "$(paste -d ' ' <(column job) <(column pattern) | sort -n)" \
		"$(output=$first; paste -d ' ' <(column job) <(column pattern) | sort -n)"
}

@test "a quota of messages, whatever the pattern; how long they wait" {
	for pattern in all_to_all one_to_all fft multigrid cg; do
		run -0 --separate-stderr stream --dims 8x8 --pattern $pattern --rounds quota \
			--workload log-uniform:min=8,max=32,jobs=12,load=0 --bytes 1e9
		# n (n-1) messages, to within half a round; a round of these has at most so many.
		paste -d ' ' <(column ranks) <(column messages) | awk -v pattern=$pattern '
			{
				wanted = $1 * ($1 - 1)
				round = pattern == "one_to_all" ? $1 - 1 : pattern == "all_to_all" ? wanted : 12 * $1
				if ($2 < wanted - round / 2 || $2 > wanted + round / 2)
					exit 1
			}'
	done
	# Alone and with one message at a time nobody waits; two that share a link, a second each.
	run -0 --separate-stderr stream --dims 4 --pattern one_to_all --bytes 1e9 \
		--workload log-uniform:min=4,max=4,jobs=1
	equal "$(column messages) $(column message_wait)" "3 0"
	# A line of four, all_to_all: 1 + 2 + 1 s, as in contend.bats; 0->2 and 1->3, and those
	# back, wait a second: 4 of 12.
	run -0 --separate-stderr stream --dims 4 --pattern all_to_all --bytes 1e9 --curve row_major \
		--workload log-uniform:min=4,max=4,jobs=1
	equal "$(column messages) $(column message_wait)" "12 0.333333"
	equal "$(column end)" 4
}

@test "a share of the quota: to the end of a step, in the middle of a round, too" {
	# Of a line of four, one_to_all has a message a step, each node 3 in all: of 12 so many.
	for network in --bytes=1e9 "--wormhole 8"; do
		for share in 0.01:1 0.25:3 0.3:4 0.5:6 1:12 1.01:13; do
			# shellcheck disable=SC2086 # several words
			run -0 --separate-stderr stream --dims 4 --pattern one_to_all $network \
				--rounds quota:${share%:*} --workload log-uniform:min=4,max=4,jobs=1
			equal "$(column messages)" "${share#*:}"
			# Nobody waits where one message is on the way at a time.
			equal "$(column end)" "$(column undisturbed)"
		done
	done
	# Whole steps: all_to_all in four ranks sends its 12 in 3 steps.
	run -0 --separate-stderr stream --dims 4 --pattern all_to_all --bytes 1e9 --rounds quota:0.4 \
		--workload log-uniform:min=4,max=4,jobs=1
	equal "$(column messages)" 8
}

@test "messages of unequal length: the same by mean, and by the seed" {
	local options=(--dims 8x8 --wormhole 16 --pattern all_to_all
		--workload "log-uniform:min=8,max=8,jobs=200,load=0" --allocator contiguous:first_fit)
	run -0 --separate-stderr stream "${options[@]}"
	column undisturbed | sort -u >equal_sizes
	run -0 --separate-stderr stream "${options[@]}" --sizes exponential
	first=$output
	[ "$(column undisturbed | sort -u | wc -l)" -gt 100 ]
	run -0 --separate-stderr stream "${options[@]}" --sizes exponential
	equal "$output" "$first"
	run -0 --separate-stderr stream "${options[@]}" --sizes exponential --seed 2
	[ "$output" != "$first" ]
	# One message at a time: the sum of the lengths, 3,000 of 16 flits by mean over one channel.
	run -0 --separate-stderr stream --dims 2 --wormhole 16 --pattern one_to_all --rounds 3000 \
		--workload log-uniform:min=2,max=2,jobs=1 --sizes exponential
	equal "$(column end)" "$(column undisturbed)"
	column end | awk '{ exit !($1 > 3000 * 14.5 && $1 < 3000 * 17.5) }'
}

@test "wormhole routers: worms one after the other, and how long headers are blocked" {
	# A line of four: flits and hops less one a message.
	run -0 --separate-stderr stream --dims 4 --pattern one_to_all --wormhole 8 \
		--workload log-uniform:min=4,max=4,jobs=1
	equal "$(column end) $(column undisturbed) $(column message_wait)" "27 27 0"
	# all_to_all: 10, 16 and 10 cycles; 0->2 waits until the last flit of 1->3 has left the
	# channel from 1 to 2, 7 cycles, and so do 3->1 for that of 2->0: 14 of 12 messages.
	run -0 --separate-stderr stream --dims 4 --pattern all_to_all --wormhole 8 --curve row_major \
		--workload log-uniform:min=4,max=4,jobs=1
	equal "$(column end) $(column undisturbed) $(column message_wait)" "36 29 1.16667"
	# On a ring in which all go two hops up nobody waits for ever.
	run -0 --separate-stderr stream --dims 4 --wrap all --pattern all_to_all --wormhole 8 \
		--curve row_major --workload log-uniform:min=4,max=4,jobs=1
	equal "$(column messages)" 12
	# Each job starts at the end of another, or at 0.
	run -0 --separate-stderr stream --dims 8x8 --wrap all --pattern fft+multigrid --wormhole 16 \
		--allocator random --workload exponential:mean=12,jobs=40,load=0
	first=$output
	equal "$(cat <(column end) <(echo 0) | sort -u | join -v 2 - <(column start | sort -u))" ""
	run -0 --separate-stderr stream --dims 8x8 --wrap all --pattern fft+multigrid --wormhole 16 \
		--allocator random --workload exponential:mean=12,jobs=40,load=0
	equal "$output" "$first"
}

@test "jobs of a log are those of the workload that was written into it, boxes included" {
	for kind in exponential:mean=10,jobs=30,load=0 beta:jobs=30,shaped=yes,sides=any,largest=0.4; do
		storus sim --dims 6x6x6 --allocator free_list --scheduler fcfs --workload $kind \
			--write-swf jobs.swf >/dev/null
		options=(--dims 6x6x6 --pattern ring --curve row_major --allocator contiguous:first_fit:fixed)
		run -0 --separate-stderr stream "${options[@]}" --workload $kind
		first=$output
		run -0 --separate-stderr stream "${options[@]}" --trace jobs.swf
		equal "$output" "$first"
		equal "$(column job | wc -l)" 30
	done
	# Without the boxes, as many nodes on a curve.
	grep -v '^; *Shape:' jobs.swf >nodes.swf
	run -0 --separate-stderr stream "${options[@]/contiguous*/interval:first_fit}" --trace nodes.swf
	equal "$(column span_linear)" "$(column ranks)"
}

@test "as many rounds as fill the run time" {
	storus sim --dims 6x6x6 --workload exponential:mean=10,jobs=30,load=0,run=2000 --write-swf jobs.swf >/dev/null
	for network in "--bytes 1e9" "--wormhole 16"; do
		# shellcheck disable=SC2086 # several words
		run -0 --separate-stderr stream --dims 6x6x6 --trace jobs.swf --pattern fft+halo --rounds run $network
		# A round is of steps of a second, or of 16 cycles: log2 of the ranks, and one.
		# What is undisturbed also goes more than one hop with worms.
		paste -d ' ' <(column job) <(column ranks) <(column undisturbed) | sort -n | join - <(
			awk '!/^;/ { print $1, $4 }' jobs.swf | sort -n) |
			awk -v flits="${network#--wormhole }" '
				$2 > 1 {
					jobs++
					step = flits ~ /bytes/ ? 1 : flits
					round = (1 + int(log($2) / log(2) + 1e-9)) * step
					rounds = int($4 / round + 0.5)
					rounds = rounds ? rounds : 1
					if ($3 < rounds * round - 1e-6 || $3 > rounds * round * (step == 1 ? 1 : 2) + 1e-6)
						exit 1
				}
				END { exit jobs < 20 }'
	done
}

@test "tasks laid out by a mapper: in a box of their own they have one hop" {
	storus sim --dims 6x6x6 --allocator free_list --scheduler fcfs --write-swf jobs.swf \
		--workload beta:jobs=30,shaped=yes,sides=any,largest=0.6,run=300 >/dev/null
	# Whatever the curve, no message waits: each has links to itself.
	options=(--dims 6x6x6 --pattern ring+halo --wormhole 16 --rounds 3 --curve hilbert)
	run -0 --separate-stderr stream "${options[@]/ring+/}" --trace jobs.swf --mapper rcb_turns \
		--allocator contiguous:first_fit:fixed
	equal "$(column message_wait | sort -u)" 0
	equal "$(column undisturbed | sort -u | xargs)" "$(column ranks | awk '{ print ($1 > 1 ? 48 : 0) }' | sort -u | xargs)"
	# Along the curve they do wait, less than in the order of the nodes.
	grep -v '^; *Shape:' jobs.swf >nodes.swf
	for mapper in baseline rcb_turns; do
		run -0 --separate-stderr stream "${options[@]}" --trace nodes.swf --mapper $mapper
		column message_wait | awk '{ sum += $1 } END { print sum }' >$mapper
	done
	[ "$(cat rcb_turns baseline | sort -g | head -n 1)" = "$(cat rcb_turns)" ]
	# The order of the nodes is that without a mapper; patterns without a grid have no other.
	run -0 --separate-stderr stream "${options[@]}" --trace nodes.swf
	equal "$(column message_wait | awk '{ sum += $1 } END { print sum }')" "$(cat baseline)"
	run -0 --separate-stderr stream "${options[@]/ring+halo/ring}" --trace nodes.swf
	first=$output
	run -0 --separate-stderr stream "${options[@]/ring+halo/ring}" --trace nodes.swf --mapper best
	equal "$output" "$first"
}

@test "patience: jobs wait for near nodes, so long and no longer" {
	options=(--dims 4x4x4 --wrap all --pattern ring --rounds 20 --bytes 1e9
		--workload log-uniform:min=8,max=8,jobs=60,load=2,run=20)
	run -0 storus place --dims 4x4x4 --wrap all --free all --nodes 8
	alone=$(value_of summed_distance)
	run -0 --separate-stderr stream "${options[@]}" --allocator random
	plain=$output
	# On the empty machine best_fit has these places, so that all can be had.
	run -0 --separate-stderr stream "${options[@]}" --near 1 --within infinite
	equal "$(column summed_distance | awk -v alone="$alone" '$1 > alone' | wc -l)" 0
	equal "$(column job | sort -n)" "$(seq 60)"
	# No patience is no wish.
	run -0 --separate-stderr stream "${options[@]}" --allocator random --near 1 --within 0
	equal "$output" "$plain"
	# Near is what is as near as random nodes on the empty machine; otherwise a job waits
	# until its patience ends.
	run -0 storus place --dims 4x4x4 --wrap all --free all --nodes 8 --allocator random --seed 0
	alone=$(value_of summed_distance)
	run -0 --separate-stderr stream "${options[@]/load=2/load=0.01}" --allocator random --near 1 --within 0:00:30
	paste -d ' ' <(column submit) <(column start) <(column summed_distance) |
		awk -v alone="$alone" '
			$3 > alone && $2 < $1 + 30 - 1e-6 { exit failed = 1 }
			$2 > $1 + 29 && $2 < $1 + 31 { waited++ }
			END { exit failed || waited < 10 }'
	# Five minutes, unless told.
	run -0 --separate-stderr stream "${options[@]/load=2/load=0.01}" --allocator random --near 1
	first=$output
	run -0 --separate-stderr stream "${options[@]/load=2/load=0.01}" --allocator random --near 1 --within 5
	equal "$output" "$first"
}

@test "bad usage" {
	while IFS='|' read -r arguments message; do
		# shellcheck disable=SC2086 # several words
		run -2 --separate-stderr stream $arguments
		equal "$output" ""
		# shellcheck disable=SC2154 # set by run
		[[ $stderr == *"$message"* ]] || { echo "$arguments: $stderr"; return 1; }
	done <<-END
		--dims 4x4 --pattern ring|--workload (or --trace) and --pattern
		--dims 4x4 --workload exponential|--workload (or --trace) and --pattern
		--dims 4x4 --workload exponential --trace x --pattern ring|exclude each other
		--dims 4x4 --trace no/such --pattern ring|cannot read 'no/such'
		--dims 4x4 --trace /dev/null --pattern ring|/dev/null: no job in it
		--dims 8x8 --workload exponential --pattern ring --near 0.5|0.5
		--dims 8x8 --workload exponential --pattern ring --near 1.2 --within soon|soon
		--dims 8x8 --workload exponential --pattern ring --mapper no|no
		--dims 8x8 --workload exponential --pattern ring --within 5|--within goes with --near
		--workload exponential --pattern ring|--dims is missing
		--dims 8x8 --workload exponential --pattern rung|unknown pattern 'rung'
		--dims 8x8 --workload exponential --pattern ring,halo,rung|unknown pattern 'rung'
		--dims 8x8 --workload exponential --pattern ring,|unknown pattern ''
		--dims 8x8 --workload exp --pattern ring|exp
		--dims 8x8 --workload exponential --pattern ring --seed x|--seed x
		--dims 8x8 --workload exponential --pattern ring --rounds 0|'0' rounds
		--dims 8x8 --workload exponential --pattern ring --rounds quota:|--rounds quota:: the share
		--dims 8x8 --workload exponential --pattern ring --rounds quota:0|must be above 0
		--dims 8x8 --workload exponential --pattern ring --rounds quota:0.5x|must be above 0
		--dims 8x8 --workload exponential --pattern ring --sizes exponential|--sizes exponential goes with --wormhole
		--dims 8x8 --workload exponential --pattern ring --wormhole 8 --sizes normal|must be equal or exponential
		--dims 8x8 --workload exponential --pattern ring --scheduler easy|easy plans with run times
		--dims 8x8 --workload exponential --pattern ring --scheduler no|no
		--dims 8x8 --workload exponential --pattern ring --period 0|--period 0
		--dims 8x8 --workload exponential --pattern ring --bytes 0|'0' bytes
		--dims 8x8 --workload exponential --pattern ring --wormhole 0|--wormhole 0: must be 1 to
		--dims 8x8 --workload exponential --pattern ring --wormhole 8 --bandwidth 1e9|channels carry a flit a cycle
		--dims 8x8 --workload exponential --pattern ring --cells 64|64
		--dims 8x8 --workload exponential --pattern ring --curve no|no
		--dims 8x8 --workload exponential --pattern ring --allocator no|no
		--dims 8x8 --workload exponential --pattern ring --span no|no
		--dims 8x4 --workload exponential --pattern ring --allocator partner|partner
		--dims 2x2 --workload cplant-stream --pattern ring|jobs of 5 nodes
		--dims 8x8 --workload exponential --pattern ring more|no arguments
	END
}
