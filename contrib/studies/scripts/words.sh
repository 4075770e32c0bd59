#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What isolated and loose jobs gain and cost, for themselves and the others:
# contrib/studies/scripts/words.sh [STORUS [DIMS [ALLOCATOR]]] (8x8x8, compact) prints a
# line for each word and group of jobs: means over the jobs of 10 streams that have two nodes or more,
# then the change in percent from the same jobs where nobody asks for anything, with the
# half-width of its 95% interval over the streams. As CSV.
set -eu
storus=${1:-storus} dims=${2:-8x8x8} allocator=${3:-compact}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

replay() { # SEED OUT [OPTION]...: jobs.csv in OUT
	seed=$1 out=$2
	shift 2
	"$storus" sim --dims "$dims" --wrap all --workload log-uniform:jobs=2000,load=0.85 \
		--allocator "$allocator" --seed "$seed" --isolation --out "$out" "$@" \
		>"$dir/log"
}

for seed in $(seq 10); do
	replay "$seed" "$dir/plain"
	for word in isolate:0.1 loose:0.3; do
		replay "$seed" "$dir/words" \
			"--${word%:*}" "${word#*:}"
		awk -F, -v what="$dims,$allocator,${word%:*},${word#*:}" '
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		FNR < 202 || $at["nodes"] < 2 { next }
		FILENAME ~ /words/ { group[$1] = $NF == "" ? "others" : "askers" }
		{
			run = FILENAME ~ /words/ ? 1 : 0
			distance[run, group[$1]] += $at["average_distance"]
			foreign[run, group[$1]] += $at["foreign_nodes"]
			links[run, group[$1]] += $at["links_shared"]
			jobs[run, group[$1]]++
		}
		END {
			for (g in group) names[group[g]]
			for (g in names)
				print what, g, jobs[1, g], distance[0, g], distance[1, g],
					foreign[0, g], foreign[1, g], links[0, g], links[1, g]
		}' "$dir/words/jobs.csv" "$dir/plain/jobs.csv"
	done
done | awk '
	# Half the 95% interval of the mean of 10; 2.262 is of t with 9 degrees of freedom.
	function half(sum, squares) {
		return 2.262 * sqrt((squares - sum * sum / 10) / 9 / 10)
	}
	BEGIN {
		print "machine,allocator,word,share,group,distance,change,interval,foreign_nodes,change,interval,links_shared,change,interval"
	}
	{
		key = $1 "," $2
		if (!(key in jobs)) order[++keys] = key
		jobs[key] += $3
		for (i = 0; i < 3; i++) {
			change = 100 * ($(5 + 2 * i) / $(4 + 2 * i) - 1)
			sum[key, i] += $(5 + 2 * i)
			by[key, i] += change; squares[key, i] += change * change
		}
	}
	END {
		for (k = 1; k <= keys; k++) {
			key = order[k]
			printf "%s", key
			for (i = 0; i < 3; i++)
				printf ",%.3f,%+.1f,%.1f", sum[key, i] / jobs[key], by[key, i] / 10,
					half(by[key, i], squares[key, i])
			print ""
		}
	}'
