#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What compact's weight of isolation costs and gains: contrib/studies/scripts/isolation-weight.sh
# [STORUS] prints a line for each machine and weight, means over the same 20 workloads
# with the half-widths of their 95% intervals and of those of the differences from weight
# 0, as CSV.
set -eu
storus=${1:-storus}

simulate() { # MACHINE WRAP WEIGHT SEED: distance and links shared
	"$storus" sim --dims 8x8x8 --wrap "$2" --workload log-uniform:jobs=2000,load=0.85 \
		--allocator compact --isolation-weight "$3" --seed "$4" --warmup 200 \
		--isolation --format csv |
		awk -F, -v machine="$1" -v weight="$3" -v seed="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print machine, weight, seed, $at["mean_average_distance"],
			  $at["mean_links_shared"] }'
}

for machine in torus:all mesh:none; do
	for weight in 0 0.05 0.1 0.2 0.5 1; do
		for seed in $(seq 20); do
			simulate "${machine%:*}" "${machine#*:}" "$weight" "$seed"
		done
	done
done | awk '
	# Half the 95% interval of the mean of 20; 2.093 is of t with 19 degrees of freedom.
	function half(sum, squares) {
		return 2.093 * sqrt((squares - sum * sum / 20) / 19 / 20)
	}
	function finish() {
		printf "%s,%s", machine, weight
		for (i = 4; i <= 5; i++)
			printf ",%.4f,%.4f,%.4f,%.4f", sum[i] / 20, half(sum[i], square[i]),
				change[i] / 20, half(change[i], changed[i])
		print ""
		split("", sum); split("", square); split("", change); split("", changed)
	}
	BEGIN { print "machine,weight,distance,interval,change,interval,links_shared,interval,change,interval" }
	NR > 1 && ($1 != machine || $2 != weight) { finish() }
	{
		machine = $1; weight = $2
		for (i = 4; i <= 5; i++) {
			if (weight == 0) none[machine, $3, i] = $i
			by = $i - none[machine, $3, i]
			sum[i] += $i; square[i] += $i * $i
			change[i] += by; changed[i] += by * by
		}
	}
	END { finish() }'
