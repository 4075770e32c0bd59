# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What mapping-kth and mapping-sdsc share: the jobs of a log, placed on a square mesh, and
# all task mappers on each of them. Leung et al., "Task Mapping Stencil Computations for
# Non-Contiguous Allocations" (2014). The study says $log, $side of the mesh and
# $published_jobs and the log that they are of, $published_log.
#
# A job of p processors has its tasks as x by y, x being the largest divisor of p not above
# its square root, each exchanging with its neighbours. Jobs of one task, or with y above
# the side of the machine, are scheduled but not mapped. Many jobs of a log get the same
# nodes: each grid on the same nodes is mapped once, and counts as often as it comes.

strategies=(best_fit mc1x1)
slices=8
budget=0.002
parameters="side strategies slices budget"
if [ -n "$quick" ]; then
	slices=2
	budget=0.001
fi

log_file=${logs:+$logs/$log}

needs() {
	[ -n "$quick" ] || [ -f "${log_file-}" ] || {
		echo "needs --logs DIR with $log of the Parallel Workloads Archive"
		return 1
	}
}

inputs() {
	echo "$study_dir/mapping_logs.bash"
	[ -z "$log_file" ] || echo "$log_file"
}

parts() {
	local strategy slice
	for strategy in "${strategies[@]}"; do
		for ((slice = 0; slice < slices; slice++)); do echo "$strategy-$slice"; done
	done
}

# jobs_of STRATEGY: the jobs that are mapped, lines COUNT X Y CELLS
jobs_of() {
	local source=(--trace "$log_file")
	if [ -z "$log_file" ]; then
		source=(--workload "log-uniform:max=$((side * side / 4)),jobs=150")
	elif [ -n "$quick" ]; then
		source+=(--max-jobs 150)
	fi
	"$storus" sim "${source[@]}" --dims "${side}x$side" --curve snake --allocator "$1" --out out >/dev/null
	columns nodes cells <out/jobs.csv | awk -F, -v side="$side" '
		NR > 1 {
			x = 1
			for (i = 1; i * i <= $1; i++)
				if ($1 % i == 0)
					x = i
			y = $1 / x
			if ($1 == 1 || y > side)
				next
			job = x " " y " " $2
			if (!(job in count))
				order[++jobs] = job
			count[job]++
		}
		END {
			for (i = 1; i <= jobs; i++)
				print count[order[i]], order[i]
		}'
}

# Lines STRATEGY,MAPPER,JOBS,HOPS: averages summed over so many jobs
part() {
	local strategy=${1%-*} slice=${1#*-} count x y cells
	jobs_of "$strategy" | awk -v slices="$slices" -v slice="$slice" 'NR % slices == slice' >mapped
	while read -r count x y cells; do
		echo "jobs,$count"
		"$storus" map --compare --dims "${side}x$side" --cells "$cells" --grid "${x}x$y" \
			--budget "$budget" --format csv
	done <mapped | awk -F, -v strategy="$strategy" '
		$1 == "jobs" { count = $2 }
		$1 == "jobs" || $1 == "mapper" { next }
		{
			if (!($1 in jobs))
				order[++mappers] = $1
			jobs[$1] += count
			hops[$1] += count * $2
		}
		END {
			for (i = 1; i <= mappers; i++)
				printf "%s,%s,%d,%.15g\n", strategy, order[i], jobs[order[i]], hops[order[i]]
		}'
}

# Searches are given so little time in a quick study that a slow build (with sanitizers) may
# not get done with their steps before its processor time is over: they are no part of it.
table() {
	local files
	mapfile -t files < <(parts)
	cat "${files[@]}" | awk -F, -v quick="$quick" '
		quick && $2 ~ /^(inc_improve|anneal|best)$/ { next }
		{
			if (!($2 in seen))
				order[++mappers] = $2
			seen[$2] = 1
			jobs[$1] += $2 == "baseline" ? $3 : 0
			hops[$1, $2] += $4
		}
		END {
			print "mapper,best_fit,mc1x1,best_fit_below_baseline_percent,mc1x1_below_baseline_percent,jobs"
			for (i = 1; i <= mappers; i++) {
				m = order[i]
				printf "%s,%.4f,%.4f,%.1f,%.1f,%d\n", m,
					hops["best_fit", m] / jobs["best_fit"],
					hops["mc1x1", m] / jobs["mc1x1"],
					100 - 100 * hops["best_fit", m] / hops["best_fit", "baseline"],
					100 - 100 * hops["mc1x1", m] / hops["mc1x1", "baseline"],
					jobs["best_fit"]
			}
		}'
}

figure() {
	cat <<-END
		set style data histograms
		set style histogram clustered gap 1
		set style fill solid 0.8 border -1
		set boxwidth 0.9
		set xtics rotate by -35 noenhanced
		set ylabel "hops between neighbours, average over the jobs"
		set yrange [0:*]
		set grid ytics
		plot '$csv' every ::1 using 2:xtic(1) title "snake, best_fit" noenhanced, \\
			'$csv' every ::1 using 3 title "snake, mc1x1" noenhanced
	END
}

# The mappers of the publication, but for the local search that it holds them against.
simple="baseline col_major row_major ordered corner all_corners overlay two_way_overlay rcb"

# order STRATEGY: of these, lowest first
order() {
	columns mapper "$1" <"$csv" | awk -F, -v simple=" $simple " '
		NR > 1 && index(simple, " " $1 " ") { print $2, $1 }' | sort -n |
		awk '{ printf "%s%s", sep, $2; sep = ", " }'
}

# is WANTED GOT: the verdict
is() { [ "$1" = "$2" ] && echo same || echo differs; }

# Jobs are the same to within 1%: the logs here are of other versions.
published() {
	local strategy jobs first below
	jobs=$(value "$csv" jobs mapper=baseline)
	if [ -z "$log_file" ] && [ -n "$quick" ]; then
		echo "jobs|$log|synthetic, for want of --logs|-"
	fi
	echo "jobs measured ($published_log)|$published_jobs|$jobs|$(awk -v a="$jobs" -v b="$published_jobs" 'BEGIN { print (a > 0.99 * b && a < 1.01 * b) ? "same" : "differs" }')"
	for strategy in "${strategies[@]}"; do
		first=$(order "$strategy" | cut -d, -f1)
		echo "fewest hops without a search, $strategy|rcb|$first|$(is rcb "$first")"
	done
	[ -n "$quick" ] || for strategy in "${strategies[@]}"; do
		below=$(percent "$(value "$csv" "$strategy" mapper=inc_improve)" "$(value "$csv" "$strategy" mapper=rcb)")
		echo "inc_improve against rcb, $strategy|fewer hops|$below|$(is - "${below:0:1}")"
	done
	for strategy in "${strategies[@]}"; do
		echo "order, fewest first, $strategy|-|$(order "$strategy")|-"
	done
}
