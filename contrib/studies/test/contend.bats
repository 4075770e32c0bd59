#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# torus-contend. Links have 1 GB/s, so that a message of 1e9 bytes takes a second by itself.

load ../../../test/cli/support

contend() {
	"${storus_binary%/*}/torus-contend" "$@"
}

# column NAME: that column of the CSV in $output
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ printf "%s%s", (NR > 2 ? " " : ""), $at }' <<<"$output"
}

@test "two messages over one link take twice as long as one" {
	# On a line of four routers 0 -> 3 and 1 -> 2 share the link from 1 to 2.
	printf '%s\n' 'a one_to_all 1 1e9 0,3' 'b one_to_all 1 1e9 1,2' >jobs.txt
	run -0 --separate-stderr contend --dims 4 --alone jobs.txt
	equal "$(column seconds)" "2 2"
	equal "$(column alone)" "1 1"
	equal "$(column slowdown)" "2 2"
	equal "$(column undisturbed)" "1 1"
}

@test "the two directions of a link are two" {
	printf '%s\n' 'a one_to_all 1 1e9 0,3' 'b one_to_all 1 1e9 2,1' >jobs.txt
	run -0 --separate-stderr contend --dims 4 jobs.txt
	equal "$(column seconds)" "1 1"
}

@test "x comes first: what turns the corner elsewhere is not disturbed" {
	# 0 -> 4 of a 3x3 mesh goes by 1; 0 -> 1 shares the first link, 3 -> 4 does not.
	printf '%s\n' 'a one_to_all 1 1e9 0,4' 'b one_to_all 1 1e9 3,4' >jobs.txt
	run -0 --separate-stderr contend --dims 3x3 jobs.txt
	equal "$(column seconds)" "1 1"
	printf '%s\n' 'a one_to_all 1 1e9 0,4' 'b one_to_all 1 1e9 0,1' >jobs.txt
	run -0 --separate-stderr contend --dims 3x3 jobs.txt
	equal "$(column seconds)" "2 2"
}

@test "a wrap is used where there is one" {
	# 0 -> 4 of five: back over the end, or through the three others.
	printf '%s\n' 'a one_to_all 1 1e9 0,4' 'b one_to_all 1 1e9 1,2' >jobs.txt
	run -0 --separate-stderr contend --dims 5 jobs.txt
	equal "$(column seconds)" "2 2"
	run -0 --separate-stderr contend --dims 5 --wrap all jobs.txt
	equal "$(column seconds)" "1 1"
}

@test "when a message is through, the other has the link to itself" {
	# Shared until 2 s, when b has its 1e9 bytes; a has two more.
	printf '%s\n' 'a one_to_all 1 3e9 0,3' 'b one_to_all 1 1e9 1,2' >jobs.txt
	run -0 --separate-stderr contend --dims 4 jobs.txt
	equal "$(column seconds)" "4 2"
	# b goes on: a has half of the link for all of its 3e9 bytes.
	run -0 --separate-stderr contend --dims 4 --sustain jobs.txt
	equal "$(column seconds)" "6 2"
}

@test "jobs apart do not disturb each other" {
	for pattern in halo ring all_to_all ping_pong one_to_all fft multigrid cg; do
		printf '%s\n' "a $pattern 2 1e6 0-31" "b $pattern 2 1e6 32-63" >jobs.txt
		run -0 --separate-stderr contend --dims 4x4x4 --alone jobs.txt
		equal "$(column slowdown)" "1 1"
	done
}

@test "times worked out by hand" {
	# A line of four: in the step 1 of all-to-all 3 -> 0 is alone on its way back; in
	# step 2 0->2 and 1->3 share 1->2, back likewise; step 3 has 0->3 and 1->0, 2->1,
	# 3->2. So 1 + 2 + 1 s.
	# ping_pong: pairs 3-0 and 2-1 share 1->2, 2 s each way; 3-1 and 0-2, the same;
	# 3-2 and 1-0 do not, 1 s each way: 10 s.
	printf '%s\n' 'a all_to_all 1 1e9 0-3' >jobs.txt
	run -0 --separate-stderr contend --dims 4 jobs.txt
	equal "$(column seconds)" 4
	printf '%s\n' 'a ping_pong 1 1e9 0-3' >jobs.txt
	run -0 --separate-stderr contend --dims 4 jobs.txt
	equal "$(column seconds)" 10
	# Two nodes of a router, and a rank by itself, use no link.
	printf '%s\n' 'a ring 3 1e9 0,1' 'b ring 1 1e9 2-3' 'c halo 1 1e9 4' >jobs.txt
	run -0 --separate-stderr contend --dims 4 --nodes-per-router 2 --alone --bandwidth 5e8 jobs.txt
	equal "$(column seconds)" "6 2 0"
	equal "$(column slowdown)" "1 1 1"
}

@test "links of each dimension as fast as it is said" {
	# Along x at 1e9 bytes a second, along y at half of that, along both at the slower.
	printf '%s\n' 'x one_to_all 1 1e9 0,1' 'y one_to_all 1 1e9 2,6' 'xy one_to_all 1 1e9 8,13' >jobs.txt
	run -0 --separate-stderr contend --dims 4x4 --bandwidth 1e9,5e8 jobs.txt
	equal "$(column seconds)" "1 2 2"
	equal "$(column undisturbed)" "1 2 2"
	# A link along y is shared.
	printf '%s\n' 'a one_to_all 1 1e9 0,10' 'b one_to_all 1 1e9 5,10' >jobs.txt
	for wrap in none all; do
		run -0 --separate-stderr contend --dims 5x5 --wrap $wrap --bandwidth 1e9,5e8 jobs.txt
		equal "$(column seconds)" "4 4"
		run -0 --separate-stderr contend --dims 5x5 --wrap $wrap --bandwidth 1e9,1e9 jobs.txt
		equal "$(column seconds)" "2 2"
	done
}

@test "the same again gives the same, bit by bit" {
	for ((i = 0; i < 24; i++)); do
		echo "j$i fft+halo 2 1e6 $i,$((i + 37)),$((111 - i)),$((124 - i))"
	done >jobs.txt
	run -0 --separate-stderr contend --dims 5x5x5 --wrap xz --alone jobs.txt
	first=$output
	run -0 --separate-stderr contend --dims 5x5x5 --wrap xz --alone jobs.txt
	equal "$output" "$first"
	[[ $(column slowdown) == *"."* ]] # not only jobs that go undisturbed
}

@test "bad usage" {
	echo 'a ring 1 1e6 0-1' >jobs.txt
	echo 'a rung 1 1e6 0-1' >bad.txt
	while IFS='|' read -r arguments message; do
		# shellcheck disable=SC2086 # several words
		run -2 --separate-stderr contend $arguments
		equal "$output" ""
		# shellcheck disable=SC2154 # set by run
		[[ $stderr == *"$message"* ]] || { echo "$arguments: $stderr"; return 1; }
	done <<-END
		jobs.txt|--dims is missing
		--dims 4|one file
		--dims 4 jobs.txt jobs.txt|one file
		--dims 4 no-such-file|no-such-file
		--dims 4 bad.txt|bad.txt:1: unknown pattern 'rung'
		--dims 1 jobs.txt|jobs.txt:1: node
		--dims 0 jobs.txt|0
		--dims 4 --wrap q jobs.txt|q
		--dims 4 --nodes-per-router 0 jobs.txt|--nodes-per-router 0
		--dims 4 --bandwidth 0 jobs.txt|--bandwidth 0
		--dims 4 --bandwidth 1e9,x jobs.txt|--bandwidth 1e9,x: must be a number
		--dims 4x4 --bandwidth 1,2,3 jobs.txt|--bandwidth 1,2,3: must be one number, or 2
		--dims 2000x1000 jobs.txt|--dims
		--dims 4 --no-such jobs.txt|no-such
	END
}
