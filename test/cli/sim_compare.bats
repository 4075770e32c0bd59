#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus sim compare: one table, however it was come by.
# shellcheck disable=SC2154 # stderr is set by run

load support

compare() {
	storus sim compare "$@"
}

# A matrix of 2 x 2 x 2 rows and 3 seeds; lines are appended.
matrix() {
	cat >matrix <<-'END'
		# small
		Dims=8x8x5 Wrap=xyz
		Workloads=log-uniform:jobs=100  Loads=0.7,0.95
		Curves=row_major,hilbert  Allocators=free_list,best_fit
		Seeds=1-3
		Measure=mean_average_distance,mean_wait,utilization
	END
	printf '%s\n' "$@" >>matrix
}

# column NAME FILE: that of a CSV table without quotes
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' "$2"
}

cells() {
	find results -name 'cell-*' | wc -l
}

@test "means, intervals and differences are those of the simulations one by one" {
	matrix Baseline=free_list
	compare matrix --format=csv >table
	for curve in row_major hilbert; do
		for seed in 1 2 3; do
			for allocator in free_list best_fit; do
				storus sim --dims 8x8x5 --wrap xyz --curve $curve \
					--workload log-uniform:jobs=100,load=0.95 \
					--allocator $allocator --seed $seed |
					sed -n 's/^mean_average_distance //p' >"$allocator.$seed"
			done
		done
		# Student's t of 2 degrees of freedom, from a table.
		paste -d' ' <(cat best_fit.?) <(cat free_list.?) | awk -v t=4.30265273 '
			function interval(sum, squares) {
				return t * sqrt((squares - sum * sum / NR) / (NR - 1) / NR)
			}
			{ s += $1; q += $1 * $1; b += $2; d = $1 - $2; ds += d; dq += d * d }
			END { printf "%.6f %.5f %.6f %.5f %.4f\n", s / NR, interval(s, q),
				ds / NR, interval(ds, dq), 100 * ds / b }' >expected
		grep "^mean_average_distance,.*,0.95,,easy,$curve,best_fit,3," table |
			awk -F, '{ printf "%.6f %.5f %.6f %.5f %.4f\n", $10, $11, $12, $13, $14 }' >row
		[ "$(wc -l <row)" -eq 1 ]
		diff expected row
	done
}

@test "--figure draws what the table says" {
	matrix Baseline=free_list
	compare matrix --format=csv --figure table.svg >table
	if command -v xmllint >/dev/null; then xmllint --noout table.svg; fi
	equal "$(grep -c '^<text class="heading"[^>]*>[a-z]' table.svg)" 3
	# a point for each line, its mean and its interval
	tail -n +2 table | awk -F, '{ printf "%.6g ± %.3g\n", $10, $11 }' >expected
	sed -n 's,.*<title>\(.*\)</title></circle>$,\1,p' table.svg | diff expected -
	# rows of the baseline are hollow; differences are bold where their interval does not contain 0
	equal "$(grep -c 'fill="#ffffff"><title>' table.svg) $(grep -c '>baseline<' table.svg)" "12 12"
	tail -n +2 table | awk -F, '$12 != "" && ($12 > $13 || $12 < -$13) { printf "%+.1f%%\n", $14 }' >expected
	sed -n 's/^<text class="heading"[^>]*>\([-+0-9.]*%\).*/\1/p' table.svg | diff expected -
	grep -q '>load 0.95, hilbert, best_fit<' table.svg
	# kept results serve it, too; what cannot be written is known before anything is simulated
	compare matrix --out results >/dev/null
	compare matrix --out results --merge --figure again.svg >/dev/null
	cmp table.svg again.svg
	run -2 compare matrix --out other --figure none/table.svg
	[[ $output == *"cannot write 'none/table.svg'"* && ! -e other ]]
	run -2 compare matrix --out results --slice 0/2 --figure slice.svg
	[[ $output == *"--merge"* && ! -e slice.svg ]]
	# one simulation has no interval
	printf '%s\n' 'Dims=8x8x5 Wrap=xyz' 'Workloads=log-uniform:jobs=50' Measure=mean_wait >one
	compare one --figure one.svg >/dev/null
	equal "$(grep -c '<circle' one.svg) $(grep -c '±' one.svg)" "1 0"
}

@test "--figure: a strategy keeps its colour and mark, whatever it is compared with" {
	local name
	# looks FIGURE NAME: the colours and the kinds of mark of its rows
	looks() {
		grep -A 2 "[, >]$2[,<]" "$1" | sed -n 's/^<\(circle\|path\).* stroke="\([^"]*\)".*<title>.*/\2 \1/p' | sort | uniq -c | awk '{ print $2, $3 }'
	}
	figure() {
		printf '%s\n' 'Dims=4x4' 'Workloads=log-uniform:jobs=20' 'Loads=0.5,0.9' Measure=mean_wait "Allocators=$1" >few
		compare few --figure "$2.svg" >/dev/null
	}
	figure best_fit,free_list,random,mc1x1,contiguous one
	figure contiguous,random,best_fit two
	for name in best_fit random contiguous; do
		equal "$(looks one.svg $name)" "$(looks two.svg $name)"
		equal "$(looks one.svg $name | wc -l)" 1
	done
	# Five strategies, five looks
	equal "$(for name in best_fit free_list random mc1x1 contiguous; do looks one.svg $name; done | sort -u | wc -l)" 5
}

@test "an allocator with a curve of its own has the rows of that curve" {
	matrix
	compare matrix --format=csv >full
	sed -i '/^\t*Curves/d' matrix
	printf '%s\n' 'Curves=row_major' 'Allocators=free_list,best_fit@hilbert,best_fit' \
		'Baseline=best_fit' >>matrix
	compare matrix --format=csv --out results >own
	# Without the differences, row by row of the full combination.
	cut -d, -f1-11 full | grep -v hilbert,free_list | sort >expected
	cut -d, -f1-11 own | sort | diff expected -
	equal "$(cells)" 18
	# The differences are to the other curve.
	for measure in mean_average_distance mean_wait; do
		awk -F, -v measure=$measure '$1 == measure && $4 == 0.95 { mean[$7 "," $8] = $10; by[$7 "," $8] = $12 }
			END {
				d = mean["hilbert,best_fit"] - mean["row_major,best_fit"] - by["hilbert,best_fit"]
				exit !(by["hilbert,best_fit"] != "" && (d < 0 ? -d : d) < 1e-6)
			}' own
	done
	# A result of that curve serves both ways of naming it.
	stat -c '%n %Y %i' results/* >before
	matrix
	sed -i 's/row_major,hilbert/hilbert/' matrix
	compare matrix --out results >again
	equal "$(cells)" 24
	[ "$(stat -c '%n %Y %i' results/* | grep -cxFf before)" -eq 18 ]
	run -0 grep -c '^mean_wait .*best_fit' again
	equal "$output" 2
}

@test "links shared are measured where they are asked for" {
	matrix
	sed -i 's/^Measure=.*/Measure=mean_links_shared,node_weighted_foreign_nodes,node_weighted_apd,sum_of_squares_apd,size_weighted_apd/' matrix
	compare matrix --out results --format=csv >table
	for seed in 1 2 3; do
		storus sim --dims 8x8x5 --wrap xyz --curve hilbert --allocator best_fit --seed $seed \
			--workload log-uniform:jobs=100,load=0.95 --isolation --out "out-$seed" >/dev/null
	done
	while read -r measure key; do
		grep "^$measure,.*,0.95,,easy,hilbert,best_fit,3," table | awk -F, '{ printf "%.6f\n", $10 }' >row
		jq "$key" out-?/summary.json | awk '{ sum += $1 } END { printf "%.6f\n", sum / NR }' >expected
		diff expected row
	done <<-END
		mean_links_shared           .isolation.links_shared.mean
		node_weighted_foreign_nodes .isolation.foreign_nodes.weighted_by_node_time
		node_weighted_apd           .metrics.apd.weighted_by_node_time
		sum_of_squares_apd          .metrics.apd.sum_of_squares
		size_weighted_apd           .metrics.apd.weighted_by_nodes
	END
	# A result without them is not taken for one with them.
	sed -i 's/^Measure=.*/Measure=mean_apd/' matrix
	equal "$(compare matrix --merge --out results 2>&1 | tail -n 1)" \
		"storus sim compare: 24 of 24 simulations are missing from the table"
}

@test "one process or many, kept results or none: the same table" {
	matrix Baseline=row_major,free_list
	for format in text csv json; do
		compare matrix --jobs=1 --format=$format >alone
		compare matrix --jobs=7 --format=$format >many
		cmp alone many
		compare matrix --out results --format=$format >kept
		cmp alone kept
		compare matrix --out results --format=$format >again
		cmp alone again
		compare matrix --merge --out results --format=$format >merged
		cmp alone merged
	done
	[ "$(cells)" -eq 24 ]
	compare matrix --format=json | jq -e 'length == 24 and .[0].seeds == 3' >/dev/null
}

@test "slices make a whole" {
	matrix
	compare matrix >whole
	for slice in 0 1 2; do
		run -1 --separate-stderr compare matrix --merge --out results
		[[ $stderr == *"simulations are missing from the table" ]]
		run -0 compare matrix --slice $slice/3 --out results
		[ -z "$output" ]
		[ "$(cells)" -eq $((8 * (slice + 1))) ]
	done
	compare matrix --merge --out results >merged
	cmp whole merged
}

@test "interrupted, it leaves only whole results, and goes on from there" {
	matrix
	sed -i 's/jobs=100/jobs=20000/' matrix
	for signal in INT TERM HUP; do
		storus_compare=("$storus_binary" sim compare matrix --jobs=2 --out results)
		# Bash's background jobs ignore SIGINT; timeout's do not.
		env --default-signal=INT "${storus_compare[@]}" >out 2>err &
		process=$!
		before=$(cells 2>/dev/null || echo 0)
		until [ "$(cells 2>/dev/null)" -gt "$before" ]; do sleep 0.02; done
		kill -$signal $process
		status=0
		wait $process || status=$?
		equal "$status" "$((128 + $(kill -l $signal)))"
		equal "$(cat err)" "storus sim compare: interrupted; the same command goes on where it was"
		[ ! -s out ]
		# Nothing but results, and no process.
		run find results -type f -not -name 'cell-????????????????'
		[ -z "$output" ]
		run pgrep -P $process
		[ -z "$output" ]
	done
	[ "$(cells)" -lt 24 ]
	for result in results/cell-*; do
		[ "$(tail -n1 "$result" | cut -d' ' -f1)" = node_weighted_links_shared ]
	done
	stat -c '%n %Y %i' results/* >before
	compare matrix --out results >resumed
	# What was there was used.
	[ "$(stat -c '%n %Y %i' results/* | grep -cxFf before)" -eq "$(wc -l <before)" ]
	compare matrix >whole
	cmp whole resumed
}

@test "who called it with SIGCHLD ignored has the table all the same" {
	printf '%s\n' Dims=8 Workloads=exponential:jobs=5,mean=2 Seeds=1-4 >matrix
	compare matrix >usual
	# shellcheck disable=SC2016 # for perl
	timeout 20 sh -c 'exec "$@"' sh perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' \
		"$storus_binary" sim compare matrix >ignored
	cmp usual ignored
}

@test "a simulation whose process dies is told of, and missing; the others go on" {
	# The first takes long enough to be caught.
	cat >matrix <<-'END'
		Dims=8x8x5
		Workloads="log-uniform:jobs=200000 log-uniform:jobs=100"
		Allocators=free_list,best_fit  Seeds=1-2  Measure=utilization
	END
	"$storus_binary" sim compare matrix --jobs=1 --out results >out 2>err &
	process=$!
	until child=$(pgrep -P $process); do sleep 0.01; done
	kill -KILL "$child"
	status=0
	wait $process || status=$?
	equal "$status" 1
	equal "$(cat err)" "storus sim compare: 8x8x5 log-uniform:jobs=200000 easy free_list seed 1: its process was ended by signal 9 (Killed)
storus sim compare: 1 of 8 simulations are missing from the table"
	# Its row has one seed less.
	equal "$(awk '/^log-uniform/ { print $3 }' out | xargs)" "1 2 2 2"
	compare matrix --out results >resumed
	compare matrix >whole
	cmp whole resumed
}

@test "only what is the very same simulation is used again" {
	matrix Traces=log.swf
	log() { storus sim --dims 8x8x5 --workload exponential:jobs="$1" --write-swf log.swf >/dev/null; }
	log 50
	compare matrix --out results >/dev/null
	# A trace is the same with every seed: 4 more than the workloads' 24.
	equal "$(cells)" 28
	# Another measure needs no simulation.
	sed -i 's/Measure=.*/Measure=max_wait/' matrix
	compare matrix --merge --out results >/dev/null
	# Another seed needs its own.
	sed -i 's/Seeds=1-3/Seeds=2-4/' matrix
	compare matrix --out results >/dev/null
	equal "$(cells)" 36
	# Another log of the same name, too.
	log 51
	compare matrix --out results >/dev/null
	equal "$(cells)" 40
	# A machine of another wrap
	sed -i 's/Wrap=xyz/Wrap=xy/' matrix
	compare matrix --out results >/dev/null
	equal "$(cells)" 68
	# Results of another build, or that were tampered with, are not believed.
	compare matrix >whole
	sed -i 's/^build .*/build 0123456789abcdef/; s/^max_wait .*/max_wait 1/' results/cell-*
	compare matrix --out results >again
	cmp whole again
	for result in results/cell-*; do truncate -s -20 "$result"; done
	compare matrix --out results >again
	cmp whole again
}

@test "a trace, which is the same with every seed, has no interval; random has" {
	storus sim --dims 8x8 --workload exponential:jobs=60,mean=4 --write-swf log.swf >/dev/null
	cat >matrix <<-'END'
		Dims=8x8
		Traces=log.swf
		WorkMultiples=1,2
		Allocators=free_list,best_fit
		Seeds=1-4  Baseline=free_list  Measure=mean_span_linear
	END
	compare matrix --format=csv >table
	equal "$(column seeds table | sort -u)" 1
	equal "$(column ci95 table | sort -u)" ""
	equal "$(column difference_ci95 table | sort -u)" ""
	[ "$(column difference table | grep -c -- -)" -eq 2 ]
	# Copies come by chance.
	echo Replicate=2 >>matrix
	compare matrix --format=csv >table
	equal "$(column seeds table | sort -u)" 4
	[ "$(column ci95 table | grep -c .)" -eq 4 ]
	# So do the nodes that random takes.
	sed -i '/^Replicate/d; s/best_fit/random/' matrix
	compare matrix --format=csv >table
	equal "$(grep -c ',free_list,1,' table)" 2
	equal "$(grep -c ',random,4,' table)" 2
}

@test "files are looked for beside the matrix, from wherever it is called" {
	mkdir dir
	storus sim --dims 8x8 --workload exponential:jobs=30,mean=4 --write-swf dir/log.swf >/dev/null
	echo 'TorusName=a Dims=8x8 Nodes=n[00-63]' >dir/torus.conf
	for i in {63..0}; do printf 'n%02d\n' "$i"; done >dir/order
	printf '%s\n' Conf=torus.conf Traces=log.swf Curves=file:order,hilbert >dir/matrix
	compare dir/matrix --out results >here
	(cd dir && compare matrix --merge --out ../results) >there
	cmp here there
	# An order of its own is part of the simulation.
	for i in {0..63}; do printf 'n%02d\n' "$i"; done >dir/order
	compare dir/matrix --out results >/dev/null
	equal "$(cells)" 3
}

@test "jobs that are skipped are told of" {
	storus sim --dims 8x8 --workload exponential:jobs=30,mean=4 --write-swf log.swf >/dev/null
	echo "not a job" >>log.swf
	printf '%s\n' Dims=8x8 "Traces=log.swf" >matrix
	run -0 --separate-stderr compare matrix
	equal "$stderr" "storus sim compare: log.swf on 8x8: 1 jobs skipped; \`storus sim\` says why"
}

@test "bad matrices are refused with file, line and reason" {
	while IFS='|' read -r text pattern; do
		printf '%b' "$text" >matrix
		run -2 --separate-stderr compare matrix --out results
		[[ -z $output && $stderr == "storus sim compare: $pattern"* ]] || {
			printf '%s\nexpected: %s\nstderr:   %s\n' "$text" "$pattern" "$stderr" >&2
			return 1
		}
	done <<-'END'
		Dims=8x8\nCruves=hilbert\n|matrix:2: unknown key 'Cruves=': did you mean Curves=?
		Dims=8x8\nWorkloads=beta:sizes=tiny|matrix:2: Workloads=: beta: sizes='tiny' is not one of
		Dims=8x8\n\nTraces=nosuch.swf|matrix:3: Traces=: cannot read 'nosuch.swf': No such file
		Conf=nosuch.conf\nWorkloads=beta|matrix:1: Conf=: cannot read 'nosuch.conf': No such file
		Dims=8x8\nWorkloads=beta Curves=file:x|matrix:2: Curves=: cannot read 'x': No such file
	END
	[ ! -e results ] || [ "$(cells)" -eq 0 ]
}

@test "without a job to be counted there is no row of zeros" {
	: >empty.swf
	echo "not a job" >junk.swf
	echo "1 0 0 5 9 -1 -1 -1 5 -1 1 1 1 1 1 1 -1 -1" >one.swf
	while IFS='|' read -r text status pattern; do
		printf '%b' "$text" >matrix
		run "-$status" --separate-stderr compare matrix
		[[ -z $output && $stderr == "storus sim compare: $pattern"* ]] || {
			printf '%s\nexpected: %s\nstderr:   %s\n' "$text" "$pattern" "$stderr" >&2
			return 1
		}
	done <<-'END'
		Dims=8\nTraces=empty.swf\n|2|matrix:2: Traces=: 'empty.swf' has no job; a log in
		Dims=8\nTraces=junk.swf\n|2|matrix:2: Traces=: 'junk.swf' has no job that can be replayed: 1 malformed
		Dims=8\nTraces=.\n|2|matrix:2: Traces=: cannot read '.': Is a directory
		Dims=8\nTraces=one.swf\n|1|8 one.swf easy seed 1: 'one.swf': no job fits on the machine
		Dims=9\nTraces=one.swf\nWarmup=1|1|9 one.swf easy seed 1: 'one.swf': Warmup=1 leaves none of the 1 jobs
	END
}

@test "a workload that the machine is too small for is an error, of its row" {
	printf '%s\n' Dims=4x4 Dims=8x8 Workloads=cplant-stream >matrix
	run -1 --separate-stderr compare matrix
	[[ $stderr == *"4x4 cplant-stream easy seed 1: cplant-stream has jobs of 25 nodes, the machine has 16"* ]]
	[[ $output == *8x8* ]]
	sed -i /8x8/d matrix
	run -1 --separate-stderr compare matrix
	[[ -z $output ]]
}

@test "bad options are refused" {
	matrix
	refuses 'sim compare' <<-'END'
		| which comparison? Give its FILE
		nosuch | cannot read 'nosuch': No such file or directory
		matrix more | unexpected argument 'more'
		matrix --jobs 0 | --jobs: 0 is too small
		matrix --merge | --merge needs --out DIR
		matrix --slurm | --slurm needs --out DIR
		matrix --slice 0/2 | --slice needs --out DIR
		matrix --slice 2/2 --out results | --slice: 2 is too large
		matrix --slice 2 --out results | --slice: '2' is not of the form I/N
		matrix --slice 0/2 --merge --out results | exclude each other
		matrix --slurm=0 --out results | --slurm: 0 is too small
		matrix --format xml | unknown format 'xml'
		matrix --out matrix | cannot make the directory 'matrix': Not a directory
		matrix --out no/such | cannot make the directory 'no/such': No such file
	END
}

@test "help lists every measure and every kind of workload with its parameters" {
	run -0 compare --help
	for word in mean_wait max_apd weighted_average_distance node_weighted_apd utilization \
		mean_links_shared node_weighted_foreign_nodes sum_of_squares_span_ring size_weighted_volume \
		cplant-stream beta exponential log-uniform 'sizes=small|medium|large' 'mean=1..'; do
		[[ $output == *"$word"* ]]
	done
}

@test "progress tells how much is left" {
	matrix
	sed -i 's/jobs=100/jobs=400000/' matrix
	run -0 shown_on_terminal "^storus sim compare: 24 simulations [0-9]+% [0-9]+ (s|min) left " \
		"$storus_binary sim compare matrix --jobs 1"
}

@test "the guide shows what its example prints" {
	docs=$(realpath "$BATS_TEST_DIRNAME/../../docs")
	compare "$docs/examples/compare-8x8x5" >table
	sed -n '/^    \$ storus sim compare .*5$/,/^[^ ]/{/^    \$/d; /^[^ ]/d; s/^    //; p}' \
		"$docs/comparisons.md" >shown
	# The blank line in front of the text is not of the table.
	sed -i '$d' shown
	diff table shown
	sed 's/^Baseline=.*/Baseline=hilbert,best_fit/' "$docs/examples/compare-8x8x5" >other
	compare other | awk '/^mean_average_distance .*snake *best_fit/ {
		printf "%.3f +- %.3f\n", $8, $9 }' >differences
	[ "$(wc -l <differences)" -eq 2 ]
	while IFS= read -r difference; do
		grep -qF -e "$difference" "$docs/comparisons.md"
	done <differences
}

@test "Wishes=: near places and boxes, each as storus sim has it" {
	matrix 'Wishes="none near=1.1,within=30 shape=any,within=1:00:00"' 'Baseline=none'
	sed -i 's/^Seeds=.*/Seeds=1/; s/^Curves=.*/Curves=hilbert Allocators=best_fit/; s/^Measure=.*/Measure=mean_average_distance,wishes_met/' matrix
	numbers() { sort -n | awk '{ printf "%.6f ", $1 }'; }
	compare matrix --format=csv >table
	storus sim --allocator best_fit --dims 8x8x5 --wrap xyz --workload log-uniform:jobs=100,load=0.95 --near 1.1 --within 30 >near
	storus sim --allocator best_fit --dims 8x8x5 --wrap xyz --workload log-uniform:jobs=100,load=0.95 --shape any --within 60 >box
	equal "$(grep '"near=1.1,within=30"' table | grep 0.95 | sed 's/.*within=30",//' | cut -d, -f2 | numbers)" \
		"$(sed -n 's/^mean_average_distance //p; s/^wishes_met //p' near | numbers)"
	equal "$(grep '"shape=any,within=1:00:00"' table | grep 0.95 | sed 's/.*:00",//' | cut -d, -f2 | numbers)" \
		"$(sed -n 's/^mean_average_distance //p; s/^wishes_met //p' box | numbers)"
	equal "$(grep -c ',none,' table)" "4"
	matrix 'Wishes="near=2 far=3"'
	run -2 compare matrix
	[[ $output == *"near="* ]]
	# The words are those of --network=torus:, with what excludes what.
	matrix 'Wishes="near=2,shape=any"'
	run -2 compare matrix
	[[ $output == *"near= does not go with a shape"* ]]
	matrix 'Wishes="within=5"'
	run -2 compare matrix
	[[ $output == *"none of near=, shape= and chips="* ]]
	matrix 'Wishes="near=2,isolate"'
	run -2 compare matrix
	[[ $output == *"storus sim has --isolate"* ]]
	matrix 'Wishes="shape=any,grid=4x4"'
	run -2 compare matrix
	[[ $output == *"how tasks communicate"* ]]
	matrix 'Wishes="chips=4x2 shape=4x2 shape=4x2,closed"'
	sed -i 's/^Seeds=.*/Seeds=1/; s/^Curves=.*/Curves=hilbert Allocators=best_fit/' matrix
	sed -i 's/^Measure=.*/Measure=wishes_met/' matrix
	compare matrix --format=csv >table
	equal "$(sed -n 's/.*,chips=4x2,//p' table)" "$(sed -n 's/.*,shape=4x2,//p' table)"
}

@test "Segments=: each as storus sim has it" {
	matrix 'Segments=none,4,16' 'Baseline=none'
	sed -i 's/^Seeds=.*/Seeds=1/; s/^Curves=.*/Curves=hilbert Allocators=best_fit/; s/^Measure=.*/Measure=mean_average_distance,mean_wait/' matrix
	numbers() { sort -n | awk '{ printf "%.6f ", $1 }'; }
	compare matrix --format=csv >table
	for segment in 4 16; do
		storus sim --allocator best_fit --dims 8x8x5 --wrap xyz --workload log-uniform:jobs=100,load=0.95 --segment $segment >one
		equal "$(grep ",$segment,1," table | grep ,0.95, | sed "s/.*,$segment,1,//" | cut -d, -f1 | numbers)" \
			"$(sed -n 's/^mean_average_distance //p; s/^mean_wait //p' one | numbers)"
	done
	equal "$(grep -c ',none,' table)" 4
	# on a machine of cubes also where
	echo "TorusName=c Dims=8x8 Cube=4x4 Nodes=n[00-63] Allocator=best_fit" >torus.conf
	printf '%s\n' Conf=torus.conf Workloads=log-uniform:jobs=100,max=16 Loads=0.9 Allocators=best_fit \
		Measure=mean_average_distance Segments=4,4:spread,4:consolidate >matrix
	compare matrix --format=csv >table
	for where in spread consolidate; do
		storus sim --conf torus.conf --workload log-uniform:jobs=100,max=16,load=0.9 --segment 4 --$where-segments >one
		equal "$(grep ",4:$where,1," table | sed "s/.*:$where,1,//" | cut -d, -f1)" "$(sed -n 's/^mean_average_distance //p' one)"
	done
	equal "$(sed 's/.*,1,//' table | sort -u | wc -l)" 4
	# without the key there is no column
	matrix
	[[ $(compare matrix --format=csv | head -1) != *segment* ]]
	matrix 'Segments=4,x'
	run -2 compare matrix
	[[ $output == *"Segments=: "*"'x'"* ]]
	matrix 'Segments=4:near'
	run -2 compare matrix
	[[ $output == *"may be :spread or :consolidate"* ]]
	matrix 'Segments=4' 'Wishes="none shape=4x4"'
	run -2 compare matrix
	[[ $output == *"Wishes=: 'shape=4x4' is a box, and Segments= asks for segments"* ]]
}
