#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus sim: workloads replayed, files written whole or not at all.

load support

# line JOB SUBMIT WAIT RUN PROCESSORS ESTIMATE: a job in the Standard Workload Format
line() {
	echo "$1 $2 $3 $4 $5 -1 -1 -1 $6 -1 1 1 1 1 1 1 -1 -1"
}

# Ten nodes: the third job overtakes under EASY and conservative backfill.
small_log() {
	echo "; Version: 2.2"
	line 1 0 0 10 6 10
	line 2 1 9 5 8 5
	line 3 2 8 5 4 8
	line 4 2 13 5 4 9
}

# A log of N jobs that keeps an 8x8 machine busy; always the same.
busy_log() {
	awk -v n="$1" 'BEGIN {
		srand(7)
		for (i = 1; i <= n; i++) {
			t += int(rand() * 40)
			run = int(rand() * 300)
			print i, t, int(rand() * 60), run, 1 + int(rand() * rand() * 40),
				-1, -1, -1, run + int(rand() * 200), -1, 1, 1, 1, 1, 1, 1, -1, -1
		}
	}'
}

# column NAME: of jobs.csv
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ print $c }' "${2:-out/jobs.csv}"
}

# json KEY...: a value in summary.json, which is indented by two blanks a level
json() {
	awk -v wanted="$*" '
		match($0, /"[^"]*": /) {
			level = (RSTART - 1) / 2
			key[level] = substr($0, RSTART + 1, RLENGTH - 4)
			path = key[1]
			for (i = 2; i <= level; i++)
				path = path " " key[i]
			value = substr($0, RSTART + RLENGTH)
			sub(/,$/, "", value)
			if (path == wanted)
				print value
		}' out/summary.json
}

starts() {
	column start | paste -sd' '
}

@test "each scheduler starts the jobs when its rule says" {
	small_log >log.swf
	while read -r scheduler expected; do
		storus sim --trace log.swf --dims 10 --scheduler "$scheduler" --out out >/dev/null
		equal "$scheduler $(starts)" "$scheduler $expected"
	done <<-END
		fcfs 0 10 15 15
		easy 0 10 2 15
		conservative 0 10 2 15
		greedy 0 12 2 7
		recorded 0 10 15 15
	END
	storus sim --trace log.swf --dims 10 --scheduler cplant --period 20 --out out >/dev/null
	equal "$(starts)" "0 40 20 20"
}

# starts_are STARTS: of log.swf on four nodes, under the schedulers that are named
starts_are() {
	local expected=$1 scheduler
	shift
	for scheduler; do
		storus sim --dims 4 --trace log.swf --out out --scheduler "$scheduler" "${outages[@]}" >/dev/null
		equal "$scheduler $(starts)" "$scheduler $expected"
	done
}

@test "ties, as the guide has them" {
	outages=()
	# Of the same submission: in the order of lines, not of numbers.
	{
		line 9 5 0 10 4 10
		line 3 5 0 10 4 10
		line 5 5 0 10 4 10
	} >log.swf
	storus sim --dims 4 --trace log.swf --out out >/dev/null
	equal "$(column job | paste -sd' ') $(starts)" "9 3 5 5 15 25"
	# cplant: by nodes, then by estimate.
	{
		line 1 0 0 10 4 10
		line 2 1 0 1 4 9
		line 3 2 0 1 4 8
		line 4 3 0 1 3 9
	} >log.swf
	run -0 storus sim --dims 4 --trace log.swf --out out --scheduler cplant --period 1
	equal "$(starts)" "0 12 11 10"
	# A job starts on nodes that are released in the second of its submission; one that
	# ends then, by its estimate, is not in the way of a plan.
	{
		line 1 0 0 10 3 10
		line 2 1 9 5 4 5
		line 3 2 0 8 1 8
		line 4 10 5 5 4 5
	} >log.swf
	starts_are "0 10 2 15" easy conservative recorded
	starts_are "0 10 15 23" fcfs
	# A microsecond longer, and it is in the way.
	sed -i 's/^3 2 0 8 1 -1 -1 -1 8 /3 2 0 8 1 -1 -1 -1 8.000001 /' log.swf
	starts_are "0 10 15 23" easy conservative
	# The second in which its node fails: it has ended; a job submitted then waits.
	{
		line 1 0 0 10 4 10
		line 2 10 0 10 4 10
	} >log.swf
	echo "0 10 12" >outages
	outages=(--outages outages)
	starts_are "0 12" fcfs easy conservative recorded
	equal "$(json lost_runs)" 0
}

@test "estimates of 0, and of -1, are the run time, and plans of no time hold a microsecond" {
	outages=()
	for estimate in 0 -1; do
		{
			line 1 0 0 10 3 $estimate
			line 2 1 9 5 4 $estimate
			line 3 2 0 6 1 $estimate
			line 4 3 0 8 1 $estimate
			line 5 9 0 0 1 $estimate
			line 6 10 0 0 1 $estimate
		} >log.swf
		starts_are "0 10 2 15 9 15" easy conservative
	done
}

@test "jobs.csv has what was promised, and what storus place says of the same choice" {
	line 7 5.5 -1 2.25 3 -1 >log.swf
	storus sim --trace log.swf --dims 4x4 --wrap xy --out out >/dev/null
	run -0 cat out/jobs.csv
	[[ ${lines[0]} == job,submit,start,end,nodes,cells,span_ring,span_linear,* ]]
	[[ ${lines[1]} == 7,5.5,5.5,7.75,3,* ]]
	run -0 storus place --dims 4x4 --wrap xy --nodes 3
	for key in cells span_ring box links_affected average_distance diameter apd; do
		expected=$(value_of "$key")
		[[ $key != cells ]] || expected=${expected//,/;}
		equal "$key $(column "$key")" "$key $expected"
	done
}

@test "every decision is that of storus place on what is free then" {
	busy_log 60 >log.swf
	storus curve --dims 8x8 >ranks.txt
	for allocator in best_fit first_fit sum_of_squares free_list; do
		storus sim --trace log.swf --dims 8x8 --allocator "$allocator" --scheduler fcfs \
			--out out >/dev/null
		# Nodes, cells, and the free ranks: those that no job has that started before
		# and has not ended.
		tail -n +2 out/jobs.csv | sort -s -t, -k3,3n | awk -F, '
			FILENAME == "ranks.txt" {
				split($0, at, " ")
				rank_of[at[2] + 8 * at[3]] = at[1]
				next
			}
			{
				for (rank = 0; rank < 64; rank++)
					until[rank] = until[rank] > $3 ? until[rank] : ""
				free = ""
				for (rank = 0; rank < 64; rank++)
					free = free (until[rank] == "" ? "," rank : "")
				print $5, $6, substr(free, 2)
				parts = split($6, part, ";")
				for (i = 1; i <= parts; i++) {
					ends = split(part[i], cell, "-")
					for (c = cell[1]; c <= cell[ends]; c++)
						until[rank_of[c]] = $4 + 0
				}
			}' ranks.txt - >decisions
		equal "$(wc -l <decisions)" 60
		while read -r nodes cells free; do
			run -0 storus place --dims 8x8 --allocator "$allocator" \
				--nodes "$nodes" --free "$free"
			chosen=$(value_of cells)
			equal "${chosen//,/;}" "$cells"
		done <decisions
	done
}

@test "a gzip'ed log, one on the standard input and a plain one are the same" {
	small_log >log.swf
	gzip -k log.swf
	storus sim --trace log.swf --dims 10 --out plain >plain.txt
	storus sim --trace log.swf.gz --dims 10 --out packed >packed.txt
	storus sim --trace - --dims 10 --out piped >piped.txt <log.swf
	cmp plain.txt packed.txt
	cmp plain.txt piped.txt
	cmp plain/jobs.csv packed/jobs.csv
	cmp plain/summary.json piped/summary.json
}

@test "every strategy places the same jobs, and those that demand a place make some wait" {
	local name waits
	busy_log 120 >log.swf
	for name in free_list random paging:snake:2 paging:shuffled_snake:2 paging:shuffled_row_major:1 \
		mbs mc1x1 mm hybrid sum_of_squares:greedy sum_of_squares:global buddy contiguous \
		contiguous:best_fit frame_sliding interval:first_fit interval:best_fit; do
		storus sim --trace log.swf --dims 8x8 --wrap all --allocator "$name" --scheduler fcfs \
			--out "out-$name" >/dev/null
		[ "$(column job "out-$name/jobs.csv" | wc -l)" -ge 118 ]
		waits=$(jq .fragmentation_failures "out-$name/summary.json")
		case $name in
		buddy | contiguous* | frame_sliding | interval*) [ "$waits" -gt 0 ] ;;
		*) equal "$waits" 0 ;;
		esac
	done
	equal "$(column contiguous out-interval:best_fit/jobs.csv | sort -u)" yes
	# A box is in one piece.
	equal "$(column components out-contiguous/jobs.csv | sort -u)" 1
}

@test "random chooses by the seed: the same again, others with another" {
	busy_log 60 >log.swf
	for seed in 1 1 2; do
		storus sim --trace log.swf --dims 8x8 --allocator random --seed "$seed" \
			--out "out-$((++run))" >/dev/null
	done
	cmp out-1/jobs.csv out-2/jobs.csv
	equal "$(column start out-1/jobs.csv)" "$(column start out-3/jobs.csv)"
	[ "$(column cells out-1/jobs.csv)" != "$(column cells out-3/jobs.csv)" ]
	# Jobs of one size do not all get the nodes of the first.
	[ "$(paste -d ' ' <(column nodes out-1/jobs.csv) <(column cells out-1/jobs.csv) |
		sort -u | wc -l)" -gt 50 ]
}

@test "what is skipped is counted by reason, and named in one line" {
	small_log >log.swf
	{
		echo "not a job"
		line 5 3 0 10 11 10
		line 6 3 0 -1 4 10
		line 7 3 0 10 -1 10
		echo "another"
	} >>log.swf
	run -0 --separate-stderr storus sim --trace log.swf --dims 10 --out out
	# shellcheck disable=SC2154 # set by run
	equal "$stderr" "storus sim: skipped 5 of the jobs: 2 malformed (first on line 6), 1 no_run_time (first on line 8), 1 no_processors (first on line 9), 1 larger_than_machine (first on line 7)"
	equal "$(value_of jobs) $(value_of skipped)" "4 5"
	equal "$(json skipped malformed count) $(json skipped malformed first_line)" "2 6"
	equal "$(json skipped larger_than_machine count)" 1
}

@test "jobs that stand in the log twice are told of, and replayed" {
	{
		small_log
		line 2 1 9 5 8 5 | tr ' ' '\t'
		line 2 1 9 5 8 6
		small_log
	} >log.swf
	run -0 --separate-stderr storus sim --dims 10 --trace log.swf --out out
	equal "$(value_of jobs) $(json repeated)" "10 5"
	# shellcheck disable=SC2154 # stderr is set by run
	equal "$stderr" "storus sim: 5 of the jobs stand in the log before, number by number (first on line 6); they are replayed as well"
	printf 'Dims=10\nTraces=log.swf\nSeeds=1-2\n' >matrix
	run -0 --separate-stderr storus sim compare matrix
	equal "$stderr" "storus sim compare: log.swf: 5 of the jobs stand in the log before (first on line 6); they are replayed as well"
	small_log >log.swf
	run -0 --separate-stderr storus sim --dims 10 --trace log.swf --out out
	equal "$(json repeated) $stderr" "0 "
}

@test "the site's own history, as sacct prints it" {
	local names='JobIDRaw|Submit|Eligible|Start|End|TimelimitRaw|AllocNodes|State'
	printf '%s\n' "$names" '7|100|110|150|350|10|4|COMPLETED' \
		'8|100|100|Unknown|Unknown|10|0|PENDING' '9|120|120|120|Unknown|10|2|RUNNING' \
		'10|105|105|160|170|10|2|TIMEOUT' '11|1|2|3' >history
	run -0 --separate-stderr "$STORUS" sim --dims 4x4 --from-sacct history \
		--scheduler recorded --out out
	equal "$stderr" "storus sim: skipped 3 of the jobs: 1 pending (first on line 3), 1 running (first on line 4), 1 malformed (first on line 6)"
	equal "$(column job | paste -sd' ') $(starts) $(column nodes | paste -sd' ')" "10 7 160 150 2 4"
	gzip -k history
	"$STORUS" sim --dims 4x4 --from-sacct history.gz --scheduler recorded --out out2 2>/dev/null
	cmp out/jobs.csv out2/jobs.csv
	tail -n +2 history >headless
	run -2 "$STORUS" sim --dims 4x4 --from-sacct headless
	[[ $output == *"headless:1: no column JobIDRaw"*"sacct -P --format=$(tr '|' , <<<"$names")"* ]]
	run -2 "$STORUS" sim --dims 4x4 --from-sacct history --trace history
	[[ $output == *"one source only"* ]]
	run -2 "$STORUS" sim --dims 4x4 --from-sacct history --processors-per-node 2
	[[ $output == *"sacct counts nodes"* ]]
}

@test "the summary adds up to jobs.csv" {
	busy_log 300 >log.swf
	storus sim --trace log.swf --dims 8x8 --wrap all --out out >/dev/null
	awk -F, '
		function max(a, b) { return a > b ? a : b }
		NR == 1 {
			for (i = 1; i <= NF; i++)
				name[i] = $i
			begin = 1e18
			next
		}
		{
			run = $4 - $3
			wait = $3 - $2
			begin = $2 < begin ? $2 : begin
			end = max(end, $4)
			used += run * $5
			runs += run
			nodes += $5
			waits += wait
			longest = max(longest, wait)
			slowdown += max(1, (wait + run) / max(run, 10))
			for (i = 7; i < NF; i++) {
				value = $i == "yes" ? 1 : $i == "no" ? 0 : $i
				sum[i] += value
				most[i] = max(most[i], value)
				squares[i] += value ^ 2
				weighted[i] += value * run
				size_weighted[i] += value * $5
				node_weighted[i] += value * run * $5
			}
		}
		END {
			n = NR - 1
			print "jobs", n
			print "makespan", end - begin
			print "utilization", used / (64 * (end - begin))
			print "mean_wait", waits / n
			print "max_wait", longest
			print "mean_bounded_slowdown", slowdown / n
			for (i = 7; i < NF; i++) {
				if (name[i] == "box")
					continue
				print "metrics", name[i], "mean", sum[i] / n
				print "metrics", name[i], "max", most[i]
				print "metrics", name[i], "sum_of_squares", squares[i]
				print "metrics", name[i], "weighted_by_run_time", weighted[i] / runs
				print "metrics", name[i], "weighted_by_nodes", size_weighted[i] / nodes
				print "metrics", name[i], "weighted_by_node_time", node_weighted[i] / used
			}
		}' OFMT=%.10g out/jobs.csv >expected
	equal "$(wc -l <expected)" $((6 + 6 * 15))
	while read -r line; do
		# shellcheck disable=SC2086 # the keys are words
		value=$(json ${line% *})
		awk -v a="${line##* }" -v b="$value" 'BEGIN {
			d = a - b
			exit !(b != "" && (d < 0 ? -d : d) <= 1e-6 * (a < 1 ? 1 : a))
		}' || {
			echo "$line, but summary.json has $value"
			return 1
		}
	done <expected
	# What was free at some times, counted from the jobs that ran then.
	read -r every begin makespan < <(jq -r '[.free.every, .begin, .makespan | floor] | @tsv' \
		out/summary.json)
	equal "$(jq '.free.nodes | length' out/summary.json)" $(((makespan + every - 1) / every))
	for i in 0 1 5 50 100; do
		equal "$(jq ".free.nodes[$i]" out/summary.json)" "$(awk -F, -v t=$((begin + i * every)) '
			NR > 1 && $3 <= t && t < $4 { used += $5 }
			END { print 64 - used }' out/jobs.csv)"
	done
}

@test "--isolation: what jobs have in common, counted by hand" {
	# 4x2, x fastest, lowest free first. Job 1 has (0,0) (1,0) (2,0): 2 links each way. Jobs 2
	# and 3, one after the other, have (3,0) (0,1) (1,1): their box is the machine, with the
	# three nodes of job 1. Links: row 0 from x = 3 to 0, 3, two of them job 1's; row 1 up to
	# x = 3, 3, and from 1 to 0, 1; columns 0 and 1 down and 3 up, 3: 10. Job 4 is alone.
	{
		line 1 0 0 10 3 10
		line 2 1 0 4 3 4
		line 3 6 0 2 3 2
		line 4 20 0 2 1 2
	} >log.swf
	sim=(storus sim --trace log.swf --dims 4x2 --curve row_major --allocator free_list)
	run -0 "${sim[@]}" --isolation --out out
	equal "$(tail -n 3 <<<"$output")" "mean_foreign_nodes 1.50000000
mean_links_used 6.00000000
mean_links_shared 1.00000000"
	equal "$(head -n 1 out/jobs.csv)" "job,submit,start,end,nodes,cells,span_ring,\
span_linear,stretch_span,contiguous,components,box,volume,side_sum,cube_side,nodes_affected,\
links_affected,average_distance,summed_distance,distance_from_center,diameter,apd,torus,\
foreign_nodes,links_used,links_shared"
	equal "$(column foreign_nodes | paste -sd' ')" "0 3 3 0"
	equal "$(column links_used | paste -sd' ')" "4 10 10 0"
	equal "$(column links_shared | paste -sd' ')" "0 2 2 0"
	# 2 * 2 + 2 * 2. By run time: (4 + 2) * 2 / 18. By nodes: (3 + 3) * 2 / 10. Node-seconds
	# are 30, 12, 6 and 2: (12 + 6) * 2 / 50.
	equal "$(jq -r '.isolation.links_shared | to_entries[] | "\(.key) \(.value * 1e6 | round)"' \
		out/summary.json | paste -sd' ')" \
		"mean 1000000 max 2000000 sum_of_squares 8000000 weighted_by_run_time 666667 weighted_by_nodes 1200000 weighted_by_node_time 720000"
	equal "$(jq -c .options.isolation out/summary.json)" true
	# It changes nothing else, and is not there unless asked for.
	run -0 "${sim[@]}" --out without
	[[ $output != *links_shared* ]]
	equal "$(jq -c 'has("isolation")' without/summary.json)" false
	cmp <(cut -d, -f1-23 out/jobs.csv) without/jobs.csv
	cmp <(jq 'del(.isolation, .options.isolation)' out/summary.json) <(jq . without/summary.json)
}

@test "--isolation-weight: compact leaves fewer foreign nodes in the boxes of jobs" {
	sim=(storus sim --dims 8x8x8 --wrap all --workload "log-uniform:jobs=400,load=0.85"
		--isolation)
	for weight in 0 0.2; do
		"${sim[@]}" --allocator compact --isolation-weight "$weight" --out "out$weight" >/dev/null
		"${sim[@]}" --allocator best_fit --isolation-weight "$weight" --out "best$weight" >/dev/null
	done
	"${sim[@]}" --allocator compact --out without >/dev/null
	cmp out0/jobs.csv without/jobs.csv
	cmp best0/jobs.csv best0.2/jobs.csv
	equal "$(jq -c ".machine[0].isolation_weight * 1000" out0.2/summary.json without/summary.json |
		paste -sd' ')" "200 0"
	jq -es '.[0].isolation.foreign_nodes.mean > 1.02 * .[1].isolation.foreign_nodes.mean' \
		out0/summary.json out0.2/summary.json
	# In the file of the machine.
	echo "TorusName=torus Dims=8x8x8 Wrap=all Nodes=n[0-511] Allocator=compact Isolation=0.2" \
		>torus.conf
	storus sim --conf torus.conf --workload log-uniform:jobs=400,load=0.85 --isolation \
		--out conf >/dev/null
	cmp <(cut -d, -f1-6 conf/jobs.csv) <(cut -d, -f1-6 out0.2/jobs.csv)
	run -2 "${sim[@]}" --isolation-weight 0.0001
	[[ $output == *"--isolation-weight: '0.0001' is not a number from 0 to 16"* ]]
}

@test "--isolation says what storus show says of the jobs that run then" {
	echo "TorusName=t Dims=8x8 Wrap=x Nodes=n[0-63]" >torus.conf
	busy_log 60 >log.swf
	storus sim --trace log.swf --conf torus.conf --scheduler fcfs --allocator free_list \
		--isolation --out out >/dev/null
	[ "$(column links_shared | awk '$1 > 0' | wc -l)" -gt 20 ]
	for job in $(column job); do
		# Those that started no later, in the order of the log, and have not ended.
		awk -F, -v job="$job" 'NR > 1 { start[$1] = $3; end[$1] = $4; cells[$1] = $6; id[NR] = $1 }
			END {
				for (i = 2; i <= NR; i++) {
					other = id[i]
					gsub(";", ",", cells[other])
					if (start[other] <= start[job] && i <= job + 1 &&
						(end[other] > start[job] || other == job))
						print other, "n[" cells[other] "]"
				}
			}' out/jobs.csv >running
		run -0 storus show "$job" --conf torus.conf --jobs running --format=json
		equal "$job $(jq -r '.[0] | "\(.foreign_nodes) \(.links_used) \(.links_shared)"' <<<"$output")" \
			"$job $(awk -F, -v job="$job" '$1 == job { print $(NF - 2), $(NF - 1), $NF }' out/jobs.csv)"
	done
}

@test "several tori, holes, routers: from a torus.conf" {
	cat >torus.conf <<-'END'
		TorusName=left Dims=4x2 Nodes=l[0-15] NodesPerRouter=2 Curve=row_major
		TorusName=right Dims=4 Coords=right.coords Allocator=free_list
	END
	printf 'r0 0\nr1 1\nr3 3\n' >right.coords
	{
		line 1 0 0 10 16 10
		line 2 0 0 10 3 10
		line 3 0 0 10 18 10
		line 4 0 0 10 20 10
	} >log.swf
	run -0 --separate-stderr storus sim --conf torus.conf --trace log.swf --scheduler fcfs --out out
	[[ $stderr == *"1 larger_than_machine (first on line 4)"* ]]
	equal "$(value_of spread_jobs)" 1
	equal "$(column torus | paste -sd' ')" "left right left|right"
	equal "$(column cells | sed -n 2p)" "0-1;3"
	# Distances between tori there are none.
	equal "$(column average_distance | sed -n 3p)" ""
	storus sim --conf torus.conf --trace log.swf --scheduler fcfs --isolation --out apart \
		>/dev/null 2>&1
	equal "$(column links_used apart/jobs.csv | paste -sd,)" "20,6,"
	equal "$(starts)" "0 0 10"
	run -0 storus sim --conf torus.conf --torus right --trace log.swf
	equal "$(value_of jobs)" 1
}

@test "several tori: a job waits for one, or with WaitForTorus=no starts on several" {
	cat >torus.conf <<-'END'
		TorusName=left Dims=4 Nodes=l[0-3]
		TorusName=right Dims=4 Nodes=r[0-3]
	END
	{
		line 1 0 0 10 2 10
		line 2 0 0 20 3 20
		line 3 0 0 10 3 10
		line 4 0 0 10 2 10
	} >log.swf
	# two and one node are free when the third comes
	storus sim --conf torus.conf --trace log.swf --scheduler fcfs --out out >/dev/null
	equal "$(starts)" "0 0 10 20"
	echo "WaitForTorus=no" >>torus.conf
	run -0 storus sim --conf torus.conf --trace log.swf --scheduler fcfs --out out
	equal "$(starts)" "0 0 0 10"
	equal "$(value_of spread_jobs)" 1
	equal "$(column torus | sed -n '3p')" "left|right"
	run -2 --separate-stderr storus sim --conf torus.conf --trace log.swf --scheduler conservative --out out2
	[[ $stderr == *"only simulated with WaitForTorus=yes"* ]]
}

@test "outages end jobs, which run again" {
	{
		line 1 0 0 10 2 10
		line 2 6 0 1 4 1
	} >log.swf
	echo "0 5 20" >outages
	run -0 storus sim --dims 4 --trace log.swf --outages outages --out out
	equal "$(starts)" "5 20"
	equal "$(value_of lost_runs)" 1
	equal "$(json lost_node_seconds)" 10.0
	# The lost job keeps its place in the queue: under conservative backfill, too, it
	# is ahead of jobs that have had reservations while it ran.
	{
		line 1 0 0 10 4 10
		line 2 1 0 10 3 10
		line 3 2 0 10 3 10
	} >log.swf
	echo "0 5 6" >outages
	for scheduler in fcfs easy conservative; do
		storus sim --dims 4 --trace log.swf --outages outages --out out \
			--scheduler $scheduler >/dev/null
		equal "$scheduler $(starts)" "$scheduler 6 16 26"
	done
	refuses sim <<-'END'
		--dims 4 --trace log.swf --outages missing | cannot read 'missing'
	END
	echo "9 5 20" >outages
	refuses sim <<-'END'
		--dims 4 --trace log.swf --outages outages | outages:1: 
	END
}

@test "work, copies, a slowdown, and jobs left out" {
	small_log >log.swf
	run -0 storus sim --dims 10 --trace log.swf --max-jobs 2 --work-multiple 2.5
	equal "$(value_of jobs) $(value_of makespan)" "2 37.5000000"
	run -0 storus sim --dims 10 --trace log.swf --warmup 3
	equal "$(value_of jobs)" 1
	storus sim --dims 10 --trace log.swf --replicate 3 --out one >one.txt
	storus sim --dims 10 --trace log.swf --replicate 3 --out same >same.txt
	storus sim --dims 10 --trace log.swf --replicate 3 --seed 2 --out other >/dev/null
	cmp one.txt same.txt
	cmp one/jobs.csv same/jobs.csv
	run cmp -s one/jobs.csv other/jobs.csv
	[ "$status" -eq 1 ]
	equal "$(column job one/jobs.csv | sort -n | paste -sd' ')" "1 2 3 4 11 12 13 14 21 22 23 24"
	line 1 0 0 100 4 100 >log.swf
	run -0 storus sim --dims 4x4 --curve row_major --allocator best_fit --trace log.swf --slowdown average_distance:0.5
	equal "$(value_of makespan)" 112.500000
	# three cubes of four: the last job gets 3,7,10-11, 4.5 hops, alone it had the ring of a cube, 4/3
	{
		line 1 0 0 100 3 100
		line 2 0 0 100 3 100
		line 3 0 0 100 2 100
		line 4 0 0 100 4 100
	} >log.swf
	run -0 storus sim --dims 12 --cube 4 --curve row_major --allocator best_fit --trace log.swf --slowdown average_distance:0.5
	equal "$(value_of makespan)" 218.750000
	# and whole cubes are never slower than alone
	line 1 0 0 100 8 100 >log.swf
	run -0 storus sim --dims 12 --cube 4 --curve row_major --allocator best_fit --trace log.swf --slowdown average_distance:0.5
	equal "$(value_of makespan)" 100.000000
}

@test "times up to the longest" {
	{
		line 1 0 0 92233720000 6 -1
		line 2 5 0 92233720000 8 -1
	} >log.swf
	for scheduler in fcfs easy conservative cplant greedy recorded; do
		run -0 timeout 20 "$storus_binary" sim --dims 10 --trace log.swf --work-multiple 50 \
			--scheduler $scheduler --out out
		equal "$(value_of makespan)" 9.22337200e+12
	done
}

@test "processors become nodes, rounded up" {
	line 1 0 0 5 9 5 >log.swf
	storus sim --dims 4 --trace log.swf --processors-per-node 4 --out out >/dev/null
	equal "$(column nodes)" 3
}

@test "the summary in other formats" {
	small_log >log.swf
	run -0 storus sim --dims 10 --trace log.swf --format json
	[[ ${lines[0]} == "{" && ${lines[1]} == '  "jobs": 4,' && ${lines[-1]} == "}" ]]
	run -0 storus sim --dims 10 --trace log.swf --format csv
	[[ ${lines[0]} == jobs,skipped,* && ${lines[1]} == 4,0,* ]]
}

@test "wrong options and input are refused" {
	small_log >log.swf
	: >empty.swf
	small_log | gzip | head -c 60 >cut.swf.gz
	{
		line 1 0 0 76800000000 10 -1
		line 2 5 0 76800000000 10 -1
		line 3 6 0 76800000000 10 -1
	} >long.swf
	refuses sim <<-'END'
		                                               | which jobs? Give --trace
		--trace log.swf                                | which machine? Give --conf or --dims
		--dims 10 --trace missing.swf                  | cannot read 'missing.swf': No such file
		--dims 10 --trace .                            | cannot read '.': Is a directory
		--dims 10 --trace cut.swf.gz                   | cannot read 'cut.swf.gz'
		--dims 10 --trace empty.swf                    | 'empty.swf' has no job; a log in the Standard Workload Format
		--dims 10 --trace log.swf --scheduler lifo     | unknown scheduler 'lifo'; known are fcfs
		--dims 10 --trace log.swf --allocator worst    | worst
		--dims 10 --trace log.swf --period 5           | --period is for --scheduler=cplant
		--dims 10 --trace log.swf --scheduler cplant --period 0 | --period: '0' is not a number of seconds above 0
		--dims 10 --trace log.swf --work-multiple 0    | --work-multiple: '0' is not a number above 0
		--dims 10 --trace log.swf --work-multiple x    | --work-multiple: 'x'
		--dims 10 --trace log.swf --work-multiple nan  | --work-multiple: 'nan'
		--dims 10 --trace log.swf --replicate 0        | --replicate: 0 is too small
		--dims 10 --trace log.swf --replicate 4000000000 | 4000000000 times 4 jobs are 16000000000, and need about 7.63e+03 GiB of memory
		--dims 10 --trace log.swf --work-multiple 1e300 | --work-multiple: '1e300'
		--dims 10 --trace long.swf --work-multiple 4000 | job 1: times 4000 its time is too long
		--dims 10 --trace long.swf --work-multiple 60 | job 3 would end more than 2^63 microseconds after
		--dims 10 --trace log.swf --max-jobs 0         | --max-jobs: 0 is too small
		--dims 10 --trace log.swf --seed x             | --seed: 'x' is not a number
		--dims 10 --trace log.swf --slowdown speed:1   | 'speed' is no metric
		--dims 10 --trace log.swf --frames 1           | --frames are written into the directory of --out
		--dims 10 --trace log.swf --out out --frames x | --frames: 'x' is not a list of seconds
		--dims 10 --trace log.swf --out log.swf        | 'log.swf' is not a directory
		--dims 10 --trace log.swf --out no/such        | cannot make the directory 'no/such'
		--dims 10 --trace log.swf --figure f.jpg       | 'f.jpg' does not end with .svg or .png
	END
	[ ! -e out ]
}

@test "without a job to be counted there is no summary, but a reason and what to do" {
	small_log >log.swf
	echo "not a job" >junk.swf
	echo "JobIDRaw|Submit|Start|End|AllocNodes|State" >empty.sacct
	while IFS='|' read -r options message; do
		# shellcheck disable=SC2086 # several words
		run -2 --separate-stderr storus sim --dims 3 --out out $options
		[[ -z $output && ${stderr##*$'\n'} == "storus sim: $message"* ]] || {
			printf '%s\nexpected: %s\nstderr:   %s\n' "$options" "$message" "$stderr" >&2
			return 1
		}
		[ ! -e out ]
	done <<-'END'
		--trace junk.swf|'junk.swf' has no job that can be replayed: 1 malformed (first on line 1); a log in
		--from-sacct empty.sacct|'empty.sacct' has no job; sacct -P prints
		--trace log.swf|'log.swf': no job fits on the machine; give a larger one, or more processors per node
		--trace log.swf --processors-per-node 4 --warmup 4|'log.swf': --warmup 4 leaves none of the 4 jobs to be counted
		--workload exponential:jobs=5,mean=1 --warmup 9|'exponential:jobs=5,mean=1': --warmup 9 leaves none of the 5
	END
	run -0 storus sim --dims 3 --trace log.swf --processors-per-node 4 --warmup 3
}

@test "files are written whole or not at all" {
	small_log >log.swf
	storus sim --dims 10 --trace log.swf --out out >/dev/null
	cp -r out before
	# What was there stays when a simulation fails, and nothing is left of that.
	run -2 storus sim --dims 3 --trace log.swf --out out
	run -0 diff -r before out
	run -2 storus sim --dims 3 --trace log.swf --out new
	[ ! -e new ]
	# The same where the disk is full.
	busy_log 2000 >busy.swf
	# shellcheck disable=SC2016 # for the other shell
	# shellcheck disable=SC2154 # of support.bash
	run -2 bash -c 'ulimit -f 8; trap "" XFSZ; "$0" sim --dims 8x8 --trace busy.swf --out out' \
		"$storus_binary"
	[[ $output == *"cannot write"* ]]
	run -0 diff -r before out
}

@test "frames are pictures of the machine at a time" {
	small_log >log.swf
	echo "9 0 3" >outages
	storus sim --dims 10 --trace log.swf --out out --frames 2,12.5,1000 --outages outages >/dev/null
	run -0 ls out
	equal "$(paste -sd' ' <<<"$output")" "frame-1000.svg frame-12.5.svg frame-2.svg jobs.csv summary.json"
	# At 2 the first job runs, and node 9 is down; at 12.5 the second; then none.
	grep -q '>1: 6 nodes' out/frame-2.svg
	grep -q 'down or drained' out/frame-2.svg
	grep -q '>2: 8 nodes' out/frame-12.5.svg
	run -1 grep -E '>[0-9]+: [0-9]+ nodes' out/frame-1000.svg
	for file in out/*.svg; do
		equal "$(tail -n 1 "$file")" "</svg>"
	done
}

@test "figures need gnuplot, and say so" {
	small_log >log.swf
	mkdir empty
	run -2 env PATH="$PWD/empty" "$storus_binary" sim --dims 10 --trace log.swf --figure f.svg
	[[ $output == *"--figure needs gnuplot"*"apt-get install gnuplot-nox"* ]]
	[ ! -e f.svg ]
	command -v gnuplot >/dev/null || skip "gnuplot is missing"
	storus sim --dims 10 --trace log.swf --figure f.svg >/dev/null
	grep -q '^</svg>' f.svg
	# However many jobs there are, a line has no more points than the picture can show.
	busy_log 3000 >busy.swf
	storus sim --dims 8x8 --trace busy.swf --figure busy.svg >/dev/null
	grep -q '>hours<' busy.svg
	for colour in ' 32,  96, 160' '160,  64,  32'; do
		points=$(grep -A 40 "stroke='rgb($colour)'" busy.svg | sed '/\/>/q' | grep -o '[0-9.]*,[0-9.]*' | wc -l)
		((points > 100 && points <= 410))
	done
	storus sim --dims 10 --trace log.swf --figure f.png >/dev/null
	[[ $(head -c 4 f.png | tail -c 3) == PNG ]]
}

# coloured FILE: the share of the picture of --gantt that jobs have; nodes out of service do not count
coloured() {
	if command -v xmllint >/dev/null; then xmllint --noout "$1"; fi
	awk 'BEGIN { FS = "\"" }
		/^<g/ { job = /<title>job/ }
		/^<rect x/ && job { area += $6 * $8 }
		/^<path/ && $4 != "#3a3a3a" {
			runs = split($8, run, "h")
			for (i = 2; i <= runs; i++)
				area += $6 * (run[i] + 0)
		}
		END { printf "%.3f\n", area / (1100 * 600) }' "$1"
}

@test "--gantt: which job has which nodes when" {
	small_log >log.swf
	run -0 storus sim --dims 5x2 --trace log.swf --gantt g.svg --out out
	# a job each, where jobs.csv has it; 10 seconds of 6 nodes, and 5 of 8, 4 and 4, of 10 nodes and 20 seconds
	equal "$(grep -c '<title>job' g.svg)" 4
	grep -qF '<title>job 2: 8 nodes, 10 s to 15 s</title>' g.svg
	equal "$(coloured g.svg)" "$(value_of utilization | cut -c1-5)"
	# a node that fails takes a run away: both are drawn
	echo "0 2 100" >outages
	storus sim --dims 5x2 --trace log.swf --outages outages --gantt o.svg >/dev/null
	grep -qF ', lost</title>' o.svg
	grep -qF '<title>out of service</title>' o.svg
	# of many jobs, sections: as much in colour as nodes are used, and never a large file
	for jobs in 3000 20000; do
		busy_log $jobs >busy.swf
		run -0 storus sim --dims 8x8 --trace busy.swf --gantt busy.svg
		used=$(value_of utilization)
		run -1 grep '<title>job' busy.svg
		(($(wc -c <busy.svg) < 3000000))
		awk -v a="$(coloured busy.svg)" -v b="$used" \
			'BEGIN { print a, b; exit !(a > b - 0.1 && a < b + 0.1) }'
	done
	# several tori, one below the other, by their names
	printf 'TorusName=%s Dims=4x2 Nodes=%s[0-7]\n' left l right r >torus.conf
	storus sim --conf torus.conf --trace log.swf --gantt t.svg >/dev/null
	grep -q '>left<' t.svg && grep -q '>right<' t.svg
}

@test "the whole KTH log, Hilbert best fit, EASY" {
	log=${TORUS_SWF_LOGS:-}/KTH-SP2-1996-2.1-cln.swf.gz
	[[ -r $log ]] || skip "TORUS_SWF_LOGS does not name a directory with the log"
	run -0 storus sim --trace "$log" --dims 10x10
	# As published for this log, e.g. by Tsafrir et al., "Backfilling Using
	# System-Generated Predictions Rather than User Runtime Estimates" (2007): 92.6 there.
	[[ $(value_of mean_bounded_slowdown) == 91.* ]]
}

@test "--isolate, --loose: shares of the jobs, and what each asked for in jobs.csv" {
	stream="--dims 8x8 --wrap xy --workload log-uniform:jobs=400,load=0.9 --seed 3"
	run -0 storus sim $stream --allocator compact --out plain
	run -0 storus sim $stream --allocator compact --isolate 0.2 --loose 0.3 --out words
	equal "$(head -1 words/jobs.csv | sed 's/.*,//') $(grep -c asks plain/jobs.csv)" "asks 0"
	# 80 isolated of 400, and 96 loose of the others, but for chance
	equal "$(awk -F, '$NF == "isolate" { i++ } $NF == "loose" { l++ } END { print (i > 55 && i < 105) (l > 70 && l < 125) }' words/jobs.csv)" 11
	# a larger share takes in a smaller one
	run -0 storus sim $stream --allocator compact --loose 0.1 --out few
	run -0 storus sim $stream --allocator compact --loose 0.3 --out many
	for run in few many; do awk -F, '$NF == "loose" { print $1 }' $run/jobs.csv | sort >$run/loose; done
	equal "$(comm -23 few/loose many/loose | wc -l)" 0
	# all of them loose is another placement under best_fit, and the same as under compact
	for allocator in best_fit compact; do
		run -0 storus sim $stream --allocator $allocator --loose 1 --out all-$allocator
	done
	cmp all-best_fit/jobs.csv all-compact/jobs.csv
	refuses sim <<-'END'
		--dims 5 --workload log-uniform:jobs=4 --loose 2   | --loose
		--dims 5 --workload log-uniform:jobs=4 --isolate 2 | --isolate
	END
}

@test "--advise: the fewest preemptible jobs make room for a box, and what they had done is lost" {
	# on a line of five: 1 1 2 . . and, when job 1 has ended, . . 2 . . when job 3 asks for a box of three
	{
		echo "; Shape: 1 3x1"
		swf() { printf '%s %s -1 %s %s -1 -1 %s %s -1 1 -1 -1 %s -1 -1 -1 -1 -1\n' "$1" "$2" "$3" "$4" "$4" "$3" "$5"; }
		swf 1 0 10 2 -1
		swf 2 0 100 1 -1
		swf 3 20 50 3 1
	} >trace
	run -0 storus sim --dims 5x1 --curve row_major --trace trace --preemptible 1 --advise 5
	equal "$(value_of box_jobs) $(value_of advised) $(value_of lost_runs)" "1 1 1"
	equal "$(value_of mean_box_wait) $(value_of lost_node_hours)" "5.00000000 0.00694444444"
	run -0 storus sim --dims 5x1 --curve row_major --trace trace --advise 5
	equal "$(value_of mean_box_wait) $(value_of advised)" "80.0000000 0"
	run -0 storus sim --dims 5x1 --curve row_major --trace trace
	equal "$(value_of box_jobs)" ""
	refuses sim <<-'END'
		--dims 5x1 --trace trace --advise 5 --scheduler conservative | --advise is for --scheduler=fcfs and easy
		--dims 5x1 --trace trace --boxes 2                           | --boxes
		--dims 5x1 --trace trace --advise -1                         | --advise
	END
}

@test "--boxes: a share of the jobs of several nodes, a larger one with those of a smaller" {
	local mixed=(sim --dims 4x4x4 --workload log-uniform:jobs=400)
	storus "${mixed[@]}" --boxes 0.3 --write-swf some >/dev/null
	storus "${mixed[@]}" --boxes 1 --write-swf all >/dev/null
	storus "${mixed[@]}" --write-swf none >/dev/null
	awk '!/^;/ && $14 > 0 { print $1 }' some | sort >some.jobs
	awk '!/^;/ && $14 > 0 { print $1 }' all | sort >all.jobs
	equal "$(comm -23 some.jobs all.jobs)" ""
	# all jobs of two nodes and more
	equal "$(wc -l <all.jobs)" "$(awk '!/^;/ && $5 > 1' none | wc -l)"
	share=$(($(wc -l <some.jobs) * 100 / $(wc -l <all.jobs)))
	((share > 20 && share < 40))
	# boxes have room for the job
	equal "$(paste <(awk '!/^;/ { print $5 }' none) <(awk '!/^;/ { print $5 }' all) | awk '$2 < $1')" ""
}

@test "--cubes: jobs take the smallest cube that holds them, and what is over is counted" {
	{
		swf() { printf '%s %s -1 %s %s -1 -1 %s %s -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' "$1" "$2" "$3" "$4" "$4" "$3"; }
		swf 1 0 100 5  # 2x2x2
		swf 2 0 100 9  # 3x3x3
		swf 3 0 100 28 # 4x4x4 is more than the shortest side: its nodes
		swf 4 0 100 1  # one node is a box already
	} >trace
	cubes=(sim --dims 8x8x3 --trace trace --scheduler fcfs --boxes 1)
	run -0 storus "${cubes[@]}" --cubes --out out
	equal "$(awk -F, 'NR > 1 { print $5 }' out/jobs.csv | xargs)" "8 27 28 1"
	# (3 + 18) of 64 nodes for as long
	equal "$(value_of internal_fragmentation) $(value_of box_jobs)" "0.328125000 2"
	# Without, the most cube-like box: 1x2x3 and 3x3x1
	run -0 storus "${cubes[@]}" --out out
	equal "$(awk -F, 'NR > 1 && $1 < 3 { print $5 }' out/jobs.csv | xargs)" "6 9"
	refuses sim <<-'END'
		--dims 5x1 --trace trace --cubes | --cubes goes with --boxes
	END
}

@test "--whole: jobs keep whole pages or buddies, and what is over is counted" {
	{
		swf() { printf '%s %s -1 %s %s -1 -1 %s %s -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' "$1" "$2" "$3" "$4" "$4" "$3"; }
		swf 1 0 100 5
		swf 2 0 100 9
		swf 3 0 100 4
		swf 4 0 100 16
		swf 5 0 100 1
	} >trace
	whole=(sim --dims 8x8 --curve row_major --trace trace --scheduler fcfs --out out)
	# Pages of four: 3 + 3 + 0 + 0 + 3 nodes of 44 too many
	run -0 storus "${whole[@]}" --whole 2 --allocator paging:row_major:2
	equal "$(awk -F, 'NR > 1 { print $5 }' out/jobs.csv | xargs)" "8 12 4 16 4"
	equal "$(value_of internal_fragmentation)" 0.204545455
	# Blocks of 16, 16, 4, 16 and 1
	run -0 storus "${whole[@]}" --whole buddy --allocator buddy
	equal "$(awk -F, 'NR > 1 { print $5 }' out/jobs.csv | xargs)" "16 16 4 16 1"
	equal "$(value_of internal_fragmentation)" 0.339622642
	# The machine ends at 8x3: of pages with a side of 4 each has 12 nodes; 25 have no room.
	run -0 storus sim --dims 8x3 --trace trace --scheduler fcfs --out out --whole 4
	equal "$(awk -F, 'NR > 1 { print $5 }' out/jobs.csv | xargs)" "12 12 12 24 12"
	run -0 storus sim --dims 8x3 --trace trace --scheduler fcfs --out out --whole buddy
	equal "$(awk -F, 'NR > 1 { print $5 }' out/jobs.csv | xargs)" "12 12 4 24 1"
	refuses sim <<-'END'
		--dims 5x1 --trace trace --whole 0 | '0' is neither buddy nor the side of a block
		--dims 5x1 --trace trace --whole pages | 'pages' is neither
	END
}

@test "--near, --within: a job waits for a near place, until its patience ends" {
	{
		swf() { printf '%s %s -1 %s %s -1 -1 %s %s -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' "$1" "$2" "$3" "$4" "$4" "$3"; }
		swf 1 0 1000 2
		swf 2 0 10 1
		swf 3 0 400 1
		swf 4 1 50 3
	} >trace
	line=(sim --dims 6x1 --curve row_major --trace trace)
	# 1 1 2 3 . . : job 1 has what it wishes at once
	run -0 storus "${line[@]}" --near 1 --within infinite --out plain
	equal "$(value_of wishes) $(value_of wishes_met) $(value_of wishes_waited)" "2 2 1"
	# At 10 nodes 2, 4 and 5 are free; 3 joins them at 400.
	equal "$(awk -F, '$1 == 4 { print $3, $(NF - 1), $NF }' plain/jobs.csv)" "400 10 met"
	run -0 storus "${line[@]}" --near 1 --within 2 --out short
	equal "$(awk -F, '$1 == 4 { print $3, $(NF - 1), $NF }' short/jobs.csv)" "130 10 missed"
	equal "$(value_of mean_wish_wait)" "120.000000"
	# As in Slurm: five minutes where nobody says more
	run -0 storus "${line[@]}" --near 1 --out usual
	equal "$(awk -F, '$1 == 4 { print $3, $NF }' usual/jobs.csv) $(jq .options.wish.within usual/summary.json)" "310 missed 300"
	run -0 storus "${line[@]}" --shape 3 --within 10 --out box
	equal "$(awk -F, '$1 == 4 { print $3, $(NF - 1), $NF }' box/jobs.csv)" "400 10 met"
	equal "$(jq -c '[.options.wish.shape, .options.wish.within, .wishes.met]' box/summary.json)" '["3",600,1]'
	run -0 storus "${line[@]}" --near 1 --within 0:45 --out seconds
	equal "$(jq .options.wish.within seconds/summary.json)" 45
	run -0 storus "${line[@]}" --near 1 --within 0 --out none
	equal "$(awk -F, '$1 == 4 { print $3 }' none/jobs.csv)" "10"
	run -0 storus "${line[@]}" --near 1 --wishes 0 --out nobody
	equal "$(value_of wishes)" "0"
	refuses sim <<-'END'
		--dims 5x1 --trace trace --within 5             | --within goes with --near, --shape or --chips
		--dims 5x1 --trace trace --near 2 --shape any   | --near does not go with --shape: a box is as near
		--dims 5x1 --trace trace --chips 2 --near 2     | --near does not go with --chips: a box is as near
		--dims 5x1 --trace trace --shape 2 --chips 2    | --shape and --chips exclude each other
		--dims 5x1 --trace trace --chips 2 --shape any  | --shape and --chips exclude each other
		--dims 5x1 --trace trace --closed --near 2      | --closed: which box?
		--dims 5x1 --trace trace --twist --shape any    | --twist: which shape?
		--dims 5x1 --trace trace --segment 2 --shape 2  | --segment and --shape exclude each other
		--dims 5x1 --trace trace --segment 0            | --segment
		--dims 5x1 --trace trace --chips any            | --chips
		--dims 5x1 --trace trace --near 0.9             | from 1 to 16
		--dims 5x1 --trace trace --near 1.2 --within x  | --within
		--dims 5x1 --trace trace --shape 4x0            | --shape
	END
}

@test "Patience= and PatienceMax= of torus.conf are for simulated jobs, too" {
	local -A limit=([plain]='' [site]='Patience=1@2' [most]='Patience=1@1 PatienceMax=1' [cut]='PatienceMax=0:30')
	{
		swf() { printf '%s %s -1 %s %s -1 -1 %s %s -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' "$1" "$2" "$3" "$4" "$4" "$3"; }
		swf 1 0 1000 2
		swf 2 0 10 1
		swf 3 0 400 1
		swf 4 1 50 3
	} >trace
	for name in "${!limit[@]}"; do
		printf 'TorusName=main Dims=6x1 Wrap=none Nodes=n[0-5]\nCurve=row_major\n%s\n' "${limit[$name]}" >conf.$name
	done
	started() { equal "$(awk -F, '$1 == 4 { print $3 }' out/jobs.csv)" "$1" && rm -r out; }
	with() { storus sim --conf "conf.$1" --trace trace --out out "${@:2}" >/dev/null; }
	with plain
	started 10
	with site
	started 130
	with site --within 1
	started 70
	with site --within 0
	started 10
	with site --wishes 0
	started 10
	with site --near 3
	started 10
	with most
	started 70
	with most --near 1 --within infinite
	started 70
	with cut --shape 3 --within 1
	started 40
	# A box without a time is a condition.
	with cut --shape 3
	started 400
	# Loose jobs wish for nothing.
	with site --loose 1
	started 10
}

@test "--chips, --closed: the boxes that jobs wish for are those of storus place" {
	local line=(--workload log-uniform:jobs=150,load=0.9 --within 10)
	printf 'TorusName=pod ChipDims=16x8x4 NodeShape=2x2x1 Wrap=xyz Nodes=n[0-127]\n' >conf
	storus sim --conf conf "${line[@]}" --chips '4x4x2|8x4x1' --out chips >/dev/null
	# On nodes of 2x2x1 chips these lie as 2x2x2 or, turned, 1x2x4 or 2x1x4 nodes.
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["wish"] == "met" && $at["nodes"] == 8 { print $at["box"] }' chips/jobs.csv | sort -u >boxes
	[ -s boxes ]
	while read -r box; do
		equal "$(printf '%s\n' 2x2x2 1x2x4 2x1x4 4x2x1 2x4x1 4x1x2 1x4x2 | grep -cx "$box")" 1
	done <boxes
	equal "$(jq -r .options.wish.chips chips/summary.json)" '4x4x2|8x4x1'
	# A closed side is 1, 2 or all of its dimension.
	storus sim --dims 8x4x4 --wrap xz "${line[@]}" --shape any --closed --out closed >/dev/null
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["wish"] == "met" { print $at["box"] }' closed/jobs.csv | sort -u >boxes
	[ "$(wc -l <boxes)" -gt 3 ]
	run ! grep -vxE '[128]x[12]x[124]' boxes
	equal "$(jq .options.wish.closed closed/summary.json)" true
}

@test "--segment: jobs of several segments have them, the others are as without" {
	storus sim --dims 8x4x4 --wrap xyz --curve row_major --workload log-uniform:jobs=200,load=0.9 \
		--segment 4 --out out >/dev/null
	equal "$(jq .options.segment out/summary.json)" 4
	awk -F, 'NR > 1 && $5 > 4 && $5 % 4 == 0 { print $5, $6 }' out/jobs.csv >several
	[ "$(wc -l <several)" -gt 20 ]
	while read -r nodes cells; do
		storus place --dims 8x4x4 --wrap xyz --curve row_major --free "${cells//;/,}" \
			--nodes "$nodes" --segment 4 >/dev/null || fail "no segments: $cells"
	done <several
	# One at a time, on an empty machine: as storus place has it
	for nodes in 12 7 4; do
		printf '1 0 -1 10 %s -1 -1 %s 10 -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' $nodes $nodes >one
		storus sim --dims 8x4x4 --wrap xyz --curve row_major --trace one --segment 4 --out one.out >/dev/null
		words=(--segment 4)
		((nodes % 4)) && words=()
		equal "$(awk -F, 'NR > 1 { print $6 }' one.out/jobs.csv | tr ';' '\n' | sort -n)" \
			"$(storus place --dims 8x4x4 --wrap xyz --curve row_major --nodes $nodes "${words[@]}" |
				sed -n 's/^cells //p' | tr ',' '\n' | sort -n)"
		rm -r one.out
	done
	# At 10 six nodes are free, 0, 1 and 4 to 7, and there are no two segments of three
	printf '%s 0 -1 %s %s -1 -1 %s %s -1 1 -1 -1 -1 -1 -1 -1 -1 -1\n' \
		1 10 2 2 10 2 100 2 2 100 3 10 2 2 10 4 5 6 6 5 >four
	storus sim --dims 8x1 --curve row_major --trace four --out whole >/dev/null
	storus sim --dims 8x1 --curve row_major --trace four --segment 3 --out three >/dev/null
	equal "$(awk -F, '$1 == 4 { print $3 }' whole/jobs.csv three/jobs.csv | tr '\n' ' ')" "10 100 "
}
