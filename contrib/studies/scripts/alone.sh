#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How much of the way to an empty machine `compact` goes:
# contrib/studies/scripts/alone.sh [STORUS [DIMS [SEEDS]]] (8x8x8, 1-5) prints a line for
# all jobs and for each class of sizes: the mean distance between two nodes of a job under
# best_fit and compact, and that of each job alone on the empty machine, where it is the
# lowest of best_fit, compact, both kinds of it, and the most compact box; and which part
# of the gap between the first and the last `compact` closes. As CSV.
set -eu
storus=${1:-storus} dims=${2:-8x8x8} seeds=${3:-1-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for seed in $(seq "${seeds%-*}" "${seeds#*-}"); do
	for allocator in best_fit compact; do
		"$storus" sim --dims "$dims" --wrap all --workload log-uniform:load=0.85,jobs=1000 \
			--scheduler fcfs --warmup 100 --seed "$seed" --allocator $allocator \
			--out "$dir/$allocator" >"$dir/log"
		awk -F, -v allocator=$allocator '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			NR > 101 { print allocator, $at["nodes"], $at["average_distance"] }' \
			"$dir/$allocator/jobs.csv" >>"$dir/jobs"
	done
done
awk '$2 > 1 { print $2 }' "$dir/jobs" | sort -nu | while read -r nodes; do
	for options in '--allocator best_fit' '--allocator compact' '--allocator compact --loose' '--shape any'; do
		# Not every number of nodes is a box.
		# shellcheck disable=SC2086 # several options
		"$storus" place --dims "$dims" --wrap all --nodes "$nodes" $options 2>>"$dir/log" |
			awk -v nodes="$nodes" '$1 == "average_distance" { print "alone", nodes, $2 }'
	done | sort -k3,3g | head -n 1
done >"$dir/alone"
awk -v OFS=, '
	function line(name,    gap) {
		gap = sum["best_fit", name] - sum["alone", name]
		print name, jobs[name], sum["best_fit", name] / jobs[name], sum["compact", name] / jobs[name],
			sum["alone", name] / jobs[name],
			(gap > 0 ? (sum["best_fit", name] - sum["compact", name]) / gap : "")
	}
	$1 == "alone" { least[$2] = $3; next }
	{
		class = 1
		while (2 * class <= $2)
			class *= 2
		name = class == 1 ? "1" : class "-" 2 * class - 1
		names[class] = name
		sum[$1, name] += $3
		sum[$1, "all"] += $3
		if ($1 == "compact") {
			sum["alone", name] += least[$2]
			sum["alone", "all"] += least[$2]
			jobs[name]++
			jobs["all"]++
		}
	}
	END {
		print "nodes", "jobs", "best_fit", "compact", "alone", "closed"
		line("all")
		for (class = 1; class in names || class < 2; class *= 2)
			if (class in names)
				line(names[class])
	}' "$dir/alone" "$dir/jobs"
