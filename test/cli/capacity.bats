#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus capacity. The engine against brute force is test/unit/test_capacity.c; a live cluster is
# test/slurm/capacity.bats.
# shellcheck disable=SC2154 # output and stderr are set by run

load support

# a mesh of 4x4, rows n0-n3, n4-n7 and so on; jobs a and b, and one whose end nobody knows
small_mesh() {
	echo "TorusName=main Dims=4x4 Nodes=n[0-15] Curve=row_major" >torus.conf
	cat >jobs <<-'END'
		a n[0-3] end=2026-11-22T20:00:00
		b n[4-5] end=2026-11-22T19:00:00 preemptible=yes
		c n10   end=NONE
	END
}

@test "all keys, in their order; nothing else without --shape, --advise and --drain" {
	run -0 storus capacity --dims 4x4x4
	equal "$(awk '{print $1}' <<<"$output" | xargs)" "nodes free reserved down intervals largest_interval \
largest_box largest_box_nodes largest_box_ranks largest_line largest_plane largest_cube"
	run -0 storus capacity --dims 4x4x4 --shape 2x2 --advise 2x2 --drain 5
	equal "$(awk '{print $1}' <<<"$output" | tail -n +13 | xargs)" "shape shape_boxes \
shape_at_once_least shape_at_once_most shape_first_time advise requeue_preemptible \
requeue_not_preemptible requeue_box wait_until wait_box drain drain_free drain_largest_interval \
drain_largest_box drain_boxes_lost drain_at_once_least drain_at_once_most"
}

@test "the largest interval and box, by hand, with and without wraps" {
	# xx..xxxx of a line
	run -0 storus capacity --dims 8 --curve row_major --free 0-1,4-7
	equal "$(value_of free) $(value_of down) $(value_of largest_interval) $(value_of largest_box)" "6 2 4 4"
	run -0 storus capacity --dims 8 --wrap x --curve row_major --free 0-1,4-7
	equal "$(value_of largest_interval) $(value_of largest_box) $(value_of largest_box_ranks)" "6 6 0-1,4-7"
	# rows .xx. and xxxx and xxxx: 4x2 before 2x3
	run -0 storus capacity --dims 4x3 --curve row_major --free 1,2,4-11
	equal "$(value_of largest_box) $(value_of largest_box_ranks)" "4x2 4-11"
	equal "$(value_of largest_line) $(value_of largest_cube)" "4x1 2x2"
	# a tie of 2x3 and 3x2: as far, so the sides decide
	run -0 storus capacity --dims 5x5 --curve row_major --free 0-2,5-7,10-11
	equal "$(value_of largest_box)" 2x3
}

@test "a box that goes all around a ring is one box" {
	for case in "8x8x8 8x8x8 1" "4x4x4 4x4x1 12" "8x8 8x1 16" "8x8 8x2 16"; do
		read -r dims shape boxes <<<"$case"
		run -0 storus capacity --dims "$dims" --wrap all --shape "$shape" --drain 0
		equal "$(value_of shape_boxes)" "$boxes"
	done
	equal "$(value_of drain_boxes_lost)" 4
	run -0 storus capacity --dims 8x8 --shape 8x2
	equal "$(value_of shape_boxes)" 14
}

@test "--free none and all" {
	run -0 storus capacity --dims 8x8 --free none
	equal "$(value_of free) $(value_of largest_interval) $(value_of largest_box)" "0 0 0x0"
	run -0 storus capacity --dims 8x8x5 --wrap xyz --free all
	equal "$(value_of free) $(value_of largest_interval) $(value_of largest_box)" "320 320 8x8x5"
}

@test "routers with several nodes are free when all of these are; holes are in no box" {
	run -0 storus capacity --dims 4x2 --nodes-per-router 2 --curve row_major --free 0-2,4-15
	equal "$(value_of free) $(value_of largest_box) $(value_of largest_box_nodes)" "15 2x2 8"
	printf '%s\n' "a 0 0" "b 1 0" "c 3 0" >places
	echo "TorusName=main Dims=4x1 Coords=places" >torus.conf
	run -0 storus capacity --conf torus.conf
	equal "$(value_of largest_box) $(value_of largest_box_nodelist)" "2x1 a,b"
}

@test "--shape: boxes, how many at once, when, and what is in the way" {
	small_mesh
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 3x2
	equal "$(value_of free) $(value_of shape_boxes) $(value_of shape_first_time)" "9 0 2026-11-22T19:00:00"
	# b alone is in the 2x3 box from n4 on, and all others have two jobs, or the one with c
	equal "$(value_of in_the_way_jobs)" b
	run -0 storus capacity --conf torus.conf --jobs jobs --shape 2x2
	equal "$(value_of shape_boxes) $(value_of shape_first_time)" "1 now"
	equal "$(value_of in_the_way_jobs)" ""
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 4x4
	equal "$(value_of shape_first_time) $(value_of in_the_way_jobs)" "never a,b,c"
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 5x1
	equal "$(value_of shape_first_time) $(value_of shape_at_once_most)" "never 0"
	run -1 storus capacity --conf torus.conf --free 0-14 --shape 4x4
	equal "$(value_of in_the_way_down)" n15
}

@test "--advise: preemptible jobs first, then few of them; and which to wait for" {
	small_mesh
	run -0 storus capacity --conf torus.conf --jobs jobs --advise 2x3
	equal "$(value_of requeue_preemptible) $(value_of requeue_not_preemptible)" "1 0"
	equal "$(value_of requeue_jobs) $(value_of requeue_box)" "b n[4-5,8-9,12-13]"
	equal "$(value_of wait_until) $(value_of wait_jobs)" "2026-11-22T19:00:00 b"
	# the upper two rows: a and b; the lower two: c, which is not preemptible, as a is not
	run -0 storus capacity --conf torus.conf --jobs jobs --advise 4x2
	equal "$(value_of requeue_preemptible) $(value_of requeue_not_preemptible)" "0 1"
	equal "$(value_of requeue_jobs)" c
	equal "$(value_of wait_until) $(value_of wait_jobs)" "2026-11-22T20:00:00 a,b"
	# two jobs that are preemptible rather than one that is not
	printf '%s\n' "a n[0-7]" "b n8 preemptible=yes" "c n15 preemptible=yes" >jobs
	run -0 storus capacity --conf torus.conf --jobs jobs --advise 4x2
	equal "$(value_of requeue_jobs) $(value_of wait_until)" "b,c "
	# no job can help where a node is down
	run -1 storus capacity --conf torus.conf --free 0-14 --advise 4x4
	equal "$(value_of requeue_jobs)$(value_of requeue_box)" ""
}

@test "reservations: what is in force is not free, and the first time is when all of them are over" {
	small_mesh
	{
		echo "# what lies behind, is there now, and comes in 2100"
		echo "old n[6-9]    reservation=yes start=1000 end=2000"
		echo "now n[12-13]  reservation=yes start=1000 end=2100-01-01T00:00:00"
		echo "later n[6-7]  reservation=yes start=2100-01-01T00:00:00 end=2100-01-02T00:00:00"
	} >>jobs
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 3x2
	equal "$(value_of free) $(value_of reserved) $(value_of largest_box)" "7 2 1x3"
	equal "$(value_of shape_first_time)" 2026-11-22T20:00:00
	equal "$(value_of in_the_way_jobs) $(value_of in_the_way_reservations)" "c "

	# a line: aa..rr.c
	echo "TorusName=main Dims=8 Nodes=n[0-7] Curve=row_major" >torus.conf
	printf '%s\n' "a n[0-1] end=2000" "c n7" \
		"r n[4-5] reservation=yes start=1000 end=2100-01-01T00:00:00" \
		"later n2 reservation=yes start=2100-01-01T00:00:00 end=2100-01-02T00:00:00" >jobs
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 5
	equal "$(value_of shape_first_time)" 2100-01-02T00:00:00
	equal "$(value_of in_the_way_jobs) $(value_of in_the_way_reservations)" " r"
	# requeueing takes nobody's reservation away
	run -0 storus capacity --conf torus.conf --jobs jobs --advise 4
	equal "$(value_of requeue_jobs) $(value_of requeue_box)" "a n[0-3]"
	run -1 storus capacity --conf torus.conf --jobs jobs --advise 5
	equal "$(value_of requeue_jobs) $(value_of requeue_box)" " "
	equal "$(value_of wait_until) $(value_of wait_box)" "2100-01-02T00:00:00 n[2-6]"
}

@test "--duration: reservations that begin meanwhile are in the way; repeated ones again and again" {
	echo "TorusName=main Dims=4x1 Nodes=n[0-3] Curve=row_major" >torus.conf
	echo "a n0" >jobs
	echo "soon n2 reservation=yes start=$(($(date +%s) + 3000)) end=4102444800" >>jobs
	run -0 storus capacity --conf torus.conf --jobs jobs --shape 3
	equal "$(value_of free) $(value_of shape_first_time)" "3 now"
	run -0 storus capacity --conf torus.conf --jobs jobs --shape 3 --duration 40
	equal "$(value_of shape_first_time)" now
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 3 --duration 1:00:00
	equal "$(value_of free) $(value_of reserved) $(value_of in_the_way_reservations)" "2 1 soon"
	equal "$(value_of shape_first_time)" "$(date -d @4102444800 +%Y-%m-%dT%H:%M:%S)"
	# every hour half an hour, the first of them 100 years ago: never an hour, and 20 minutes between
	echo "often n[0-3] reservation=yes start=1800 end=3600 repeat=hourly" >jobs
	run storus capacity --conf torus.conf --jobs jobs --shape 4 --duration 20
	when=$(value_of shape_first_time)
	[[ $when == now ]] || (($(date -d "$when" +%s) % 3600 == 0))
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 4 --duration 31
	equal "$(value_of shape_first_time)" never
}

@test "nodes that several jobs share count each job once" {
	echo "TorusName=main Dims=4x1 Nodes=n[0-3] Curve=row_major" >torus.conf
	printf '%s\n' "a n[0-1]" "b n[0-1]" "c n2" "d n3" >jobs
	run -0 storus capacity --conf torus.conf --jobs jobs --advise 2
	equal "$(value_of requeue_jobs)" "a,b"
	run -1 storus capacity --conf torus.conf --jobs jobs --shape 3
	equal "$(value_of free) $(value_of in_the_way_jobs)" "0 a,b,c"
}

@test "--drain: what is lost" {
	run -0 storus capacity --dims 8x8 --curve row_major --shape 4x4 --drain 27
	equal "$(value_of drain_free) $(value_of drain_largest_box)" "63 4x8"
	equal "$(value_of drain_boxes_lost) $(value_of drain_at_once_most)" "16 3"
	small_mesh
	run -0 storus capacity --conf torus.conf --jobs jobs --drain n0
	equal "$(value_of drain) $(value_of drain_free)" "n0 9"
}

@test "several tori: a record for each, in CSV and JSON a row; 1 only if no torus has the shape" {
	cat >torus.conf <<-'END'
		TorusName=cube Dims=4x4x4 Nodes=n[00-63]
		TorusName=line Dims=10 Nodes=m[0-9]
	END
	run -0 storus capacity --conf torus.conf --shape 2x2 --drain m3
	equal "$(value_of torus | xargs)" "cube line"
	equal "$(value_of drain)" m3
	run -1 storus capacity --conf torus.conf --shape 5x5
	run -0 storus capacity --conf torus.conf --format csv
	equal "${#lines[@]} $(cut -d, -f1-3 <<<"${lines[2]}")" "3 line,10,10"
	run -0 storus capacity --conf torus.conf --format json
	run -0 jq -r '.[1].largest_box, .[1].largest_plane' <<<"$output"
	equal "$output" $'10\nnull'
	run -0 storus capacity --conf torus.conf --torus line --free 0-3
	equal "$(value_of free)" 4
}

@test "--chips: boxes of whole nodes, in the rotations that these allow" {
	# 16x8x4 chips: 8x4x4 nodes of 2x2x1
	echo "TorusName=pod ChipDims=16x8x4 NodeShape=2x2x1 Nodes=n[000-127] Curve=row_major" >torus.conf
	run -0 --separate-stderr storus capacity --conf torus.conf --chips 4x4x2
	# 2x2x2 nodes, or 2x1x4 and 1x2x4: 8x4x4, 1 to a corner each
	equal "$(value_of chips) $(value_of shape_boxes)" "4x4x2 $((7 * 3 * 3 + 7 * 4 + 8 * 3))"
	equal "$(value_of shape_at_once_least) $(value_of shape_at_once_most)" "16 16"
	equal "$(value_of shape_first_time)" now
	# only two nodes are left, side by side in x: they are 4x2x1 chips
	echo "1 n[000-001,004-127] end=2040-01-01T12:00:00" >jobs
	run -0 --separate-stderr storus capacity --conf torus.conf --jobs jobs --chips 1x2x4
	equal "$(value_of shape_boxes) $(value_of shape_first_time)" "1 now"
	# 8x2x1 is 4x1x1 or 1x4x1 nodes
	run -1 --separate-stderr storus capacity --conf torus.conf --jobs jobs --chips 8x2x1 --advise-chips 8x2x1
	equal "$(value_of shape_first_time) $(value_of advise_chips)" "2040-01-01T12:00:00 8x2x1"
	equal "$(value_of requeue_box)" "n[000,008,016,024]"
	run -1 --separate-stderr storus capacity --conf torus.conf --chips 3x3x2
	equal "$stderr" "$(storus place --conf torus.conf --chips 3x3x2 2>&1 | sed s/place/capacity/)"
}

@test "bad usage and input, with a cure" {
	small_mesh
	printf '%s\n' "a n0 end=tomorrow" >wrong-end
	printf '%s\n' "a n0 preemptible=often" >wrong-word
	printf '%s\n' "a n0" "b n1 reservation=yes start=20 end=10" >wrong-order
	printf '%s\n' "a n0 reservation=yes repeat=daily start=20" >wrong-repeat
	printf '%s\n' "a n0 reservation=yes repeat=monthly" >wrong-period
	printf '%s\n' "a n0 repeat=daily" >wrong-job
	refuses capacity <<-'END'
		--dims 8 --jobs jobs    | --jobs needs --conf
		--free 0-7              | --free needs --dims or --conf
		--dims 8 --free 8       | --free:
		--dims 8 --free none,3  | --free:
		--dims 8 --shape 2y2    | --shape: '2y2' is not of the form 8x8x5
		--dims 8 --advise any   | --advise: 'any' is not of the form 8x8x5
		--dims 8 --chips any    | --chips: 'any' is not of the form 8x8x5
		--dims 8 --chips 2 --shape 2 | --shape and --chips exclude each other: the sides of one are in nodes
		--dims 8 --advise-chips 2 --advise 2 | --advise and --advise-chips exclude each other
		--dims 8 --drain 8      | --drain: 8 is too large, at most 7 is possible (without --conf nodes go by their ranks)
		--conf torus.conf --drain x9 | --drain: no torus has a node 'x9'
		--conf torus.conf --jobs wrong-end  | wrong-end:1: 'tomorrow' is not a time in seconds since 1970, nor one such as 2026-11-22T18:00:00
		--conf torus.conf --jobs wrong-word | wrong-word:1: 'often' is neither yes nor no
		--conf torus.conf --jobs wrong-order  | wrong-order:2: reservation 'b' ends before it begins
		--conf torus.conf --jobs wrong-repeat | wrong-repeat:1: reservation 'a' with repeat= needs start= and end=
		--conf torus.conf --jobs wrong-period | wrong-period:1: 'monthly' is none of hourly, daily and weekly
		--conf torus.conf --jobs wrong-job    | wrong-job:1: repeat= of job 'a' goes with reservation=yes
		--dims 8 --duration soon | --duration:
	END
	printf '%s\n' "TorusName=a Dims=2 Nodes=n[0-1]" "TorusName=b Dims=2 Nodes=m[0-1]" >two.conf
	refuses capacity <<<"--conf two.conf --free 1 | --free lists ranks of one torus: choose it with --torus"
}

@test "the other commands read files of jobs with ends, too" {
	small_mesh
	run -0 storus show a --conf torus.conf --jobs jobs --format csv
	run -0 storus place --conf torus.conf --jobs jobs --nodes 4 --allocator best_fit
	equal "$(value_of nodes)" "n[6-9]"
}

@test "on a machine of cubes: whole cubes, what they can be joined to, and boxes within one" {
	# one node of cube 1 and four of cube 2 are down
	run -0 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --curve row_major --free 0-30,36-63
	[[ $output == *"free_cubes 2"*"largest_joined 4x8"* ]]
	[[ $output == *"largest_box 4x4"*"largest_box_ranks 0-3,8-11,16-19,24-27"* ]]
	run -0 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --curve row_major --free 2-5,10-13
	[[ $output == *"largest_interval 4"*"largest_box 2x2"*"free_cubes 0"* && $output != *largest_joined* ]]
}

# Cubes 0 and 2 of four in the first row, 1 and 3 in the second column.
cubes()
{
	cat >torus.conf <<-END
		TorusName=c Dims=8x8 Cube=4x4 Nodes=n[00-63] Curve=row_major
	END
	cat >jobs <<-END
		1 n[04-07,12-15,20-23,28-31] end=2040-01-01T12:00:00
		2 n[32-33] end=2040-01-03T12:00:00 preemptible=yes
		3 n36 end=2040-01-02T12:00:00
	END
}

@test "--shape on a machine of cubes: any whole ones, or a box within one" {
	cubes
	run -1 --separate-stderr storus capacity --conf torus.conf --jobs jobs --shape 8x4
	equal "$(value_of shape_boxes) $(value_of shape_at_once_least) $(value_of shape_at_once_most)" "0 0 0"
	equal "$(value_of shape_first_time)" 2040-01-01T12:00:00
	equal "$(value_of in_the_way_jobs)" 1
	# three whole cubes: three pairs, one at a time
	run -0 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --curve row_major --free 0-30,32-63 --shape 4x8
	equal "$(value_of shape_boxes) $(value_of shape_at_once_least) $(value_of shape_at_once_most)" "3 1 1"
	# no box leaves its cube: one has room for two of 2x3, or 3x2
	run -0 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --curve row_major --free 2-5,10-13,18-21 --shape 3x2
	equal "$(value_of shape_boxes) $(value_of shape_at_once_most)" "2 2"
	run -1 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --shape 6x4
	equal "$stderr" "storus capacity: nothing fits: 6x4 is neither within a cube of 4x4 nor made of whole ones; made of whole ones is 8x4"
	run -1 --separate-stderr storus capacity --dims 8x8 --cube 4x4 --advise 16x8
	equal "$stderr" "storus capacity: nothing fits: 16x8 takes 8 cubes of 4x4, and the machine has 4"
}

@test "--advise on a machine of cubes: the jobs that hold the cubes" {
	cubes
	run -0 --separate-stderr storus capacity --conf torus.conf --jobs jobs --advise 4x8
	equal "$(value_of requeue_preemptible) $(value_of requeue_not_preemptible) $(value_of requeue_jobs)" "1 0 2"
	equal "$(value_of requeue_box)" "n[00-03,08-11,16-19,24-27,32-35,40-43,48-51,56-59]"
	equal "$(value_of wait_until) $(value_of wait_jobs)" "2040-01-01T12:00:00 1"
	equal "$(value_of wait_box)" "n[00-31]"
	run -0 --separate-stderr storus capacity --conf torus.conf --jobs jobs --advise 8x8
	equal "$(value_of requeue_jobs) $(value_of wait_until)" "1,2,3 2040-01-03T12:00:00"
	run -0 --separate-stderr storus capacity --conf torus.conf --jobs jobs --advise 4x3
	equal "$(value_of requeue_box) $(value_of wait_until)" "n[00-02,08-10,16-18,24-26] now"
}

@test "--drain on a machine of cubes: a cube less" {
	cubes
	run -0 --separate-stderr storus capacity --conf torus.conf --shape 4x8 --drain n00
	equal "$(value_of free_cubes) $(value_of drain_free_cubes) $(value_of drain_largest_box)" "4 3 4x4"
	equal "$(value_of shape_boxes) $(value_of drain_boxes_lost)" "6 3"
	equal "$(value_of drain_at_once_least) $(value_of drain_at_once_most)" "1 1"
}

# numbers: of a hostlist n[..] on the standard input, sorted
numbers() {
	tr -d 'n[]' | tr , '\n' | awk -F- '{ for (i = $1 + 0; i <= $NF + 0; i++) print i }' | sort -n | xargs
}

# placed_first ARGUMENT...: the slow way: when storus place first finds a place among what the jobs of ./jobs leave that
# have not ended by then, and where
placed_first() {
	local end
	for end in now $(sed 's/.*end=//' jobs | sort -n); do
		if [ "$end" = now ]; then cp jobs left; else awk -F= -v end="$end" '$2 > end' jobs >left; fi
		if storus place --conf torus.conf --jobs left --format json "$@" >place 2>/dev/null; then
			[ "$end" = now ] || end=$(date -d "@$end" +%FT%T)
			echo "$end $(jq -r .nodes place | numbers)"
			return
		fi
	done
	echo never
}

@test "--nodes, any and near: when and where storus place has a place first" {
	later=0 nows=0 nevers=0
	RANDOM=${TORUS_TEST_SEED:-7}
	for allocator in best_fit compact; do
		echo "TorusName=main Dims=4x4x3 Wrap=xy Nodes=n[00-47] Allocator=$allocator" >torus.conf
		for round in 1 2 3; do
			echo "# seed ${TORUS_TEST_SEED:-7}, round $round"
			seq 0 47 | awk -v seed=$RANDOM -v now="$(date +%s)" 'BEGIN { srand(seed) } rand() < 0.8 {
				held[int(7 * rand())] = held[job = int(7 * rand())] (held[job] ? "," : "") sprintf("%02d", $1)
			} END { for (job in held) if (held[job]) printf "j%d n[%s] end=%d\n", job, held[job], now + 1000 * (job + 1) }' |
				sed 's/\[,/[/' >jobs
			for asked in "--nodes $((RANDOM % 20 + 2))" "--nodes $((RANDOM % 4 * 4 + 4)) --shape any" "--nodes 12 --near 1.05" \
				"--nodes 11 --shape any" "--nodes 48"; do
				expected=$(placed_first $asked)
				status=1
				[[ $expected != now* ]] || status=0
				run "-$status" --separate-stderr storus capacity --conf torus.conf --jobs jobs $asked
				nodes=$(value_of nodes_nodelist | numbers)
				equal "$asked: $(value_of nodes_first_time)${nodes:+ }$nodes" "$asked: $expected"
				case $expected in now*) nows=1 ;; never) nevers=1 ;; *) later=1 ;; esac
				# The jobs in the way are those that hold the place.
				equal "$(value_of nodes_in_the_way_jobs | tr , '\n' | sort | xargs)" "$(for node in $nodes; do
					grep -E "[[,]0*${node}[],]" jobs | cut -d' ' -f1
				done | sort -u | xargs)"
			done
		done
	done
	equal "$nows $later $nevers" "1 1 1"
}

@test "--nodes and --shape that can never be had: why, and what can" {
	refuses_with() {
		run -1 --separate-stderr storus capacity $1
		equal "$stderr" "storus capacity: nothing fits: $2"
		equal "$(grep first_time <<<"$output" | cut -d' ' -f2)" never
	}
	refuses_with "--dims 8x8x5 --shape 7x7x7" "8x8x5 has no box 7x7x7; the next size is 320"
	refuses_with "--dims 8x8x5 --shape 16x4x1" "8x8x5 has no box 16x4x1; 4x4x4 has as many nodes"
	refuses_with "--dims 8x8x5 --nodes 67 --shape any" "8x8x5 has no box of 67 nodes; the next sizes are 64 and 70"
	refuses_with "--dims 8x8x5 --nodes 321" "--nodes asks for 321, the machine has 320"
	refuses capacity <<-'END'
		--dims 8x8 --shape any            | --shape any: a box of how many nodes? Give --nodes
		--dims 8x8 --near 1.2             | --near: how many nodes? Give --nodes
		--dims 8x8 --nodes 4 --near 0.5   | --near:
		--dims 8x8 --nodes 4 --shape 2x2  | --nodes does not go with --shape 2x2, which says how many they are
		--dims 8x8 --nodes 4 --shape any --near 1.2 | --near does not go with --shape any
	END
}
