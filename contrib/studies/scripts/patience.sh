#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What waiting for a near place costs and gains: docs/patience.md.
set -eu -o pipefail

usage() {
	cat <<END
Usage: ${0##*/} [--storus FILE] [--logs DIR] [--waiting LIST] --results DIR CASE...

Simulate every nearness and the wish for any box ("box"), each with every patience, beside jobs that do not
wait, and print a line for each as CSV: hops (mean distance of two nodes of a job, jobs of one node included), wait in seconds, each with the
half-width of its 95% interval over the seeds, what they are more than without patience, the utilization,
and how many jobs wished, got what they wished for, and waited for it.  CASEs:

  8x8x8      a torus, sizes log-uniform up to 128 nodes, load 0.8; seeds 1 to 3
  16x12x24   a torus, the same up to 1152 nodes; seeds 1 to 3
  KTH        KTH-SP2-1996-2.1-cln.swf.gz of the Parallel Workloads Archive, in DIR, on a mesh of 10x10
  SDSC       SDSC-Par-1996-3.1-cln.swf.gz, on a mesh of 20x20
  peers      the jobs of docs/peers.md that topology/torus3d takes, on 8x8x8; hops of jobs of two
             nodes or more; a second of that stream is a minute here.  Needs GNU awk as awk
  streams    some of that on ten such streams, seeds 1 to 10

--waiting names the allocators with which jobs wait (best_fit,compact).  compact takes thirty times as long.
Simulations that --results has are not run again, so that one that was interrupted goes on.
END
}

storus=${STORUS:-storus} logs='' results='' waiting=best_fit,compact
while [ $# -gt 0 ]; do
	case $1 in
	--help) usage && exit ;;
	--storus) storus=$2 && shift 2 ;;
	--logs) logs=$(realpath -e -- "$2") && shift 2 ;;
	--waiting) waiting=$2 && shift 2 ;;
	--results) mkdir -p "$2" && results=$(realpath -e -- "$2") && shift 2 ;;
	*) break ;;
	esac
done
if [ -z "$results" ] || [ $# -eq 0 ]; then
	usage >&2
	exit 2
fi
top=$(realpath -e -- "${0%/*}/../../..")

nears='1 1.05 1.1 1.2 1.5 2'
withins='5 15 30 1:00:00 4:00:00 infinite'

wishes() {
	local near within
	printf none
	for near in $nears; do
		for within in $withins; do printf ' near=%s,within=%s' "$near" "$within"; done
	done
	for within in $withins; do printf ' shape=any,within=%s' "$within"; done
}

# compare CASE ALLOCATORS WISHES: the case's machine and jobs are the standard input
compare() {
	local file="$results/$1.${2//[,@:]/_}"
	{
		cat
		printf 'Allocators=%s Wishes="%s" Baseline=none\n' "$2" "$3"
		echo "Measure=mean_average_distance,mean_wait,utilization,wishes,wishes_met,wishes_waited,skipped"
	} >"$file"
	"$storus" sim compare "$file" --out "$results" --jobs 1 --format json |
		jq -r --arg case "$1" '
			def allocator: .allocator + (if .curve then "@" + .curve else "" end);
			([.[] | {key: (allocator + " " + .wish + " " + .measure), value: .}] | from_entries) as $of |
			.[] | select(.measure == "mean_wait") | (allocator + " " + .wish + " ") as $row |
			def field(measure; name): $of[$row + measure] | name | if . == null then "" else . end;
			def both(measure): field(measure; .mean, .ci95, .difference, .difference_ci95);
			[$case, allocator, .wish, .seeds, both("mean_average_distance"), both("mean_wait"),
			 (("utilization", "wishes", "wishes_met", "wishes_waited", "skipped") as $m | field($m; .mean))] | @csv'
}

# all CASE: what is the standard input, with and without patience
all() {
	local jobs
	jobs=$(cat)
	compare "$1" best_fit@row_major,listed_boxes,hybrid none <<<"$jobs"
	compare "$1" "$waiting" "$(wishes)" <<<"$jobs"
}

# stream SEED: the stream of docs/peers.md, of sizes that topology/torus3d takes, with a minute for a second
stream() {
	STORUS=$storus "$top/test/bench/bench_side_by_side" --stream --only-boxes --seed "$1" | awk '
		{ printf "%d %d -1 %d %d -1 -1 %d 3600 -1 1 1 1 1 1 1 -1 -1\n", $1, 60 * $2, 60 * $4, $3, $3 }' >"$results/peers.swf"
}

# once CASE ALLOCATOR WISH OPTION...: a simulation of the stream
once() {
	local case=$1 allocator=$2 wish=$3
	shift 3
	"$storus" sim --dims 8x8x8 --wrap all --trace "$results/peers.swf" --allocator "${allocator%@*}" \
		--out "$results/peers" --format csv "$@" 2>/dev/null >"$results/peers.csv"
	awk -F, -v part="$case" -v allocator="$allocator" -v wish="$wish" '
		function of(name) { return name in at ? $at[name] : 0 }
		FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
		"mean_wait" in at { utilization = of("utilization"); skipped = of("skipped")
			wishes = of("wishes"); met = of("wishes_met"); waited = of("wishes_waited"); next }
		{ wait += $at["start"] - $at["submit"]; jobs++ }
		$at["nodes"] > 1 { hops += $at["average_distance"]; several++ }
		END { printf "\"%s\",\"%s\",\"%s\",1,%.4f,,,,%.4f,,,,%.4f,%s,%s,%s,%d\n", part, allocator, wish, hops / several,
			wait / jobs, utilization, wishes, met, waited, skipped }
	' "$results/peers.csv" "$results/peers/jobs.csv"
}

peers() {
	local near within allocator
	stream 1
	once peers best_fit@row_major none --curve row_major
	for allocator in listed_boxes hybrid best_fit compact; do once peers $allocator none; done
	for allocator in best_fit compact; do
		for near in $nears; do
			for within in 1 2 5 10 30 infinite; do
				once peers $allocator "near=$near,within=$within" --near "$near" --within "$within"
			done
		done
	done
	for within in 1 2 5 10 30 infinite; do
		once peers compact "shape=any,within=$within" --shape any --within "$within"
	done
}

# The means over the streams; of ten, 2.262 is of t with 9 degrees of freedom.
streams() {
	local seed near within
	for seed in {1..10}; do
		stream "$seed"
		once streams listed_boxes none
		once streams compact none
		for near in 1.05 1.1 1.2; do
			for within in 2 5 10; do
				once streams compact "near=$near,within=$within" --near "$near" --within "$within"
			done
		done
	done | awk '
		function half(sum, squares) {
			return 2.262 * sqrt((squares - sum * sum / 10) / 9 / 10)
		}
		{
			line = $0
			match(line, /",1,/)
			name = substr(line, 1, RSTART)
			split(substr(line, RSTART + 4), field, ",")
			if (!(name in seen)) order[++names] = name
			seen[name] = 1
			for (i = 1; i <= 13; i++) {
				sum[name, i] += field[i]
				squares[name, i] += field[i] * field[i]
			}
		}
		END {
			for (n = 1; n <= names; n++) {
				name = order[n]
				printf "%s,10,%.4f,%.4f,,,%.4f,%.4f,,", name, sum[name, 1] / 10, half(sum[name, 1], squares[name, 1]),
					sum[name, 5] / 10, half(sum[name, 5], squares[name, 5])
				for (i = 9; i <= 13; i++) printf ",%.4f", sum[name, i] / 10
				print ""
			}
		}'
}

# Without quotes: the nearness ("box" for shape=any) and the patience in columns of their own
plain() {
	sed 's/"near=\([^,]*\),within=\([^"]*\)"/\1,\2/; s/"shape=any,within=\([^"]*\)"/box,\1/; s/"none"/,/; s/"//g'
}

echo case,allocator,near,within,seeds,hops,hops_ci95,hops_more,hops_more_ci95,wait,wait_ci95,wait_more,wait_more_ci95,utilization,wishes,met,waited,refused
for case; do
	case $case in
	8x8x8)
		all "$case" <<-'END'
			Dims=8x8x8 Wrap=all
			Workloads=log-uniform:jobs=2000 Loads=0.8 Seeds=1-3 Warmup=200
		END
		;;
	16x12x24)
		withins='15 1:00:00 4:00:00 infinite' nears='1.05 1.1 1.2 1.5'
		all "$case" <<-'END'
			Dims=16x12x24 Wrap=all
			Workloads=log-uniform:jobs=1000 Loads=0.8 Seeds=1-3 Warmup=100
		END
		;;
	KTH | SDSC)
		case $case in
		KTH) log=KTH-SP2-1996-2.1-cln.swf.gz side=10 ;;
		SDSC) log=SDSC-Par-1996-3.1-cln.swf.gz side=20 ;;
		esac
		if ! [ -r "$logs/$log" ]; then
			echo "$case needs --logs DIR with $log" >&2
			exit 2
		fi
		ln -sf "$logs/$log" "$results/$log"
		all "$case" <<-END
			Dims=${side}x$side
			Traces=$log
		END
		;;
	peers) peers ;;
	streams) streams ;;
	*) usage >&2 && exit 2 ;;
	esac | plain
done
