# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What mapping-kth, mapping-sdsc, mapping-llnl and mapping-limits share: the jobs of a log, placed on a square
# mesh, and all task mappers on each of them. Bunde et al., "Task Mapping Stencil Computations
# for Non-Contiguous Allocations". The study says $log, $side of the mesh, $published_jobs
# and the log that they are of, $published_log, and what share of the log is serial,
# $published_serial, where that is printed. RCB of the publication is rcb:longest here.
#
# A job of p processors has its tasks as x by y, x being the largest divisor of p not above
# its square root, each exchanging with its neighbours. Jobs of one task, or with y above
# the side of the machine, are scheduled but not mapped. Many jobs of a log get the same
# nodes: each grid on the same nodes is mapped once, and counts as often as it comes.
#
# Not published: what a job gets that says nothing. Its tasks are in the order of the names
# of its nodes (names: row by row), as Slurm has them by itself; in the order of the curve
# (baseline); or in the order that srun has with the plugins here (any).

strategies=(best_fit mc1x1)
slices=8
budget=0.002
seed=1
parameters="log side strategies slices budget seed"
if [ -n "$quick" ]; then
	slices=2
	budget=0.001
fi

# In --logs unless it is a path from the root; --set may have changed it.
log_file() {
	case $log in
	/*) echo "$log" ;;
	*) [ -z "$logs" ] || echo "$logs/$log" ;;
	esac
}

needs() {
	[ -n "$quick" ] || [ -f "$(log_file)" ] || {
		echo "needs --logs DIR with $log of the Parallel Workloads Archive"
		return 1
	}
}

inputs() {
	echo "$study_dir/mapping_logs.bash"
	log_file
}

parts() {
	local strategy slice
	for strategy in "${strategies[@]}"; do
		for ((slice = 0; slice < slices; slice++)); do echo "$strategy-$slice"; done
	done
}

# jobs_of STRATEGY: the jobs that are mapped, lines COUNT X Y CELLS
jobs_of() {
	local source
	source=(--trace "$(log_file)")
	if [ -z "${source[1]}" ]; then
		source=(--workload "log-uniform:max=$((side * side / 4)),jobs=150")
	elif [ -n "$quick" ]; then
		source+=(--max-jobs 150)
	fi
	"$storus" sim "${source[@]}" --seed "$seed" --dims "${side}x$side" --curve snake --allocator "$1" --out out >/dev/null
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

# by_name CELLS: in ascending order, as plain srun has the nodes' names, and holds its order against
by_name() {
	tr ';' '\n' <<<"$1" | awk -F- '{ for (c = $1; c <= $NF; c++) print c }' | sort -n | paste -sd ';'
}

# Lines STRATEGY,MAPPER,JOBS,HOPS: averages summed over so many jobs; and of the whole log a line
# STRATEGY,serial,JOBS,SERIAL JOBS
part() {
	local strategy=${1%-*} slice=${1#*-} count x y cells
	jobs_of "$strategy" | awk -v slices="$slices" -v slice="$slice" 'NR % slices == slice' >mapped
	[ "$slice" != 0 ] || columns nodes <out/jobs.csv | awk -v strategy="$strategy" '
		NR > 1 { jobs++; serial += $1 == 1 }
		END { printf "%s,serial,%d,%d\n", strategy, jobs, serial }'
	while read -r count x y cells; do
		echo "jobs,$count,$x,$cells"
		"$storus" map --compare --dims "${side}x$side" --cells "$cells" --grid "${x}x$y" \
			--budget "$budget" --seed "$seed" --format csv
		"$storus" map --dims "${side}x$side" --cells "$(by_name "$cells")" --grid any --format csv 2>/dev/null
	done <mapped | awk -F, -v strategy="$strategy" -v side="$side" '
		function distance(a, b, dx, dy) {
			dx = a % side - b % side
			dy = int(a / side) - int(b / side)
			return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)
		}
		# Mean hops of the grid x wide whose tasks are on cell[0], cell[1] ...
		function grid_hops(cell, t, sum, pairs) {
			for (t = 0; t < tasks; t++) {
				if ((t + 1) % x) {
					sum += distance(cell[t], cell[t + 1])
					pairs++
				}
				if (t + x < tasks) {
					sum += distance(cell[t], cell[t + x])
					pairs++
				}
			}
			return sum / pairs
		}
		function add(mapper, hops_of_it) {
			if (!(mapper in jobs))
				order[++mappers] = mapper
			jobs[mapper] += count
			hops[mapper] += count * hops_of_it
		}
		# The cells of a list, in ascending order
		function sort_cells(list, items, item, ends, i, c) {
			split("", there)
			items = split(list, item, ";")
			for (i = 1; i <= items; i++) {
				split(item[i] "-" item[i], ends, "-")
				for (c = ends[1] + 0; c <= ends[2] + 0; c++)
					there[c]
			}
			tasks = 0
			for (c = 0; c < side * side; c++)
				if (c in there)
					sorted[tasks++] = c
		}
		$1 == "jobs" {
			count = $2
			x = $3
			sort_cells($4)
			next
		}
		$1 == "mapper" || $1 == "task" { next }
		$1 ~ /^[0-9]/ {
			cell_of[$1] = $2
			if ($1 == tasks - 1) {
				add("names", grid_hops(sorted))
				add("any", grid_hops(cell_of))
			}
			next
		}
		# Fig 18: square jobs by side
		$1 == "rcb:longest" && x * x == tasks { add("rcb_side_" x, $2) }
		{ add($1, $2) }
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
	cat "${files[@]}" | awk -F, -v quick="$quick" -v side="$side" -v strategies=${#strategies[@]} '
		quick && $2 ~ /^(inc_improve|anneal|best)$/ { next }
		{
			if (!($2 in seen))
				order[++mappers] = $2
			seen[$2] = 1
			jobs[$1, $2] += $3
			hops[$1, $2] += $4
		}
		function mean(strategy, m) { return hops[strategy, m] / jobs[strategy, m] }
		function below(strategy, m) {
			return m ~ /side|serial/ ? "-" : sprintf("%.1f", 100 - 100 * mean(strategy, m) / mean(strategy, "baseline"))
		}
		function line(m) {
			if (jobs["best_fit", m] && (jobs["mc1x1", m] || strategies == 1))
				printf "%s,%.4f,%s,%s,%s,%d\n", m, mean("best_fit", m),
					strategies == 1 ? "-" : sprintf("%.4f", mean("mc1x1", m)),
					below("best_fit", m), strategies == 1 ? "-" : below("mc1x1", m), jobs["best_fit", m]
		}
		END {
			print "mapper,best_fit,mc1x1,best_fit_below_baseline_percent,mc1x1_below_baseline_percent,jobs"
			for (i = 1; i <= mappers; i++)
				if (order[i] !~ /_side_|serial/)
					line(order[i])
			for (i = 2; i <= side; i++)
				line("rcb_side_" i)
			line("serial")
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
		mappers = "< grep -v -e _side_ -e serial '$csv'"
		plot mappers every ::1 using 2:xtic(1) title "snake, best_fit" noenhanced linecolor "#0072b2", \\
			mappers every ::1 using 3 title "snake, mc1x1" noenhanced linecolor "#e69f00"
	END
}

# The mappers of the publication, but for the local search that it holds them against.
simple="baseline col_major row_major ordered corner all_corners overlay two_way_overlay rcb:longest"

# order STRATEGY: of these, lowest first
order() {
	columns mapper "$1" <"$csv" | awk -F, -v simple=" $simple " '
		NR > 1 && index(simple, " " $1 " ") { print $2, $1 }' | sort -n |
		awk '{ printf "%s%s", sep, $2; sep = ", " }'
}

# by_itself STRATEGY: what comes without a word in the job, and rcb and best beside it
by_itself() {
	local mapper sep="" names
	names=$(value "$csv" "$1" mapper=names)
	for mapper in baseline any rcb:longest rcb $([ -n "$quick" ] || echo best); do
		printf '%s%s %s' "$sep" "$mapper" "$(percent "$(value "$csv" "$1" mapper="$mapper")" "$names")"
		sep=", "
	done
}

published() {
	local strategy jobs first below sides serial
	jobs=$(value "$csv" jobs mapper=baseline)
	if [ -z "$(log_file)" ] && [ -n "$quick" ]; then
		echo "jobs|$log|synthetic, for want of --logs|-"
	fi
	[[ $'\n'${settings-} != *$'\n'log=* ]] || published_log="$published_log; ours: ${log##*/}"
	echo "Fig 14: jobs measured ($published_log)|$published_jobs|$jobs|$(judge number "$jobs" 0 "$published_jobs")"
	if [ -n "$published_serial" ]; then
		serial=$(awk -F, '$1 == "serial" { printf "%.1f", 100 * $2 }' "$csv")
		echo "Section 5.1: serial jobs in the log, percent|$published_serial|$serial|$(judge number "$serial" 0 "$published_serial")"
	fi
	for strategy in "${strategies[@]}"; do
		first=$(order "$strategy" | cut -d, -f1)
		if printed "$strategy"; then
			echo "Fig $(fig "$strategy"): fewest hops of the ten, $strategy|RCB|$first|$([ "$first" = rcb:longest ] && echo "same order" || echo differs)"
		else
			echo "fewest hops of the ten, $strategy|-|$first|-"
		fi
	done
	[ -n "$quick" ] || for strategy in "${strategies[@]}"; do
		below=$(percent "$(value "$csv" "$strategy" mapper=inc_improve)" "$(value "$csv" "$strategy" mapper=rcb:longest)")
		if printed "$strategy"; then
			echo "Fig $(fig "$strategy"): INCIMPROVE against RCB, $strategy|fewer hops, by little|$below|$(judge order "$(awk -v a="${below%\%}" 'BEGIN { print -a }')" 0)"
		else
			echo "INCIMPROVE against RCB, $strategy|-|$below|-"
		fi
	done
	for strategy in "${strategies[@]}"; do
		echo "order, fewest first, $strategy|$(printed "$strategy" && echo "drawn, not read off" || echo -)|$(order "$strategy")|-"
	done
	if [ ${#strategies[@]} -gt 1 ]; then
		# The side of the machine is left out, as published: such a job has the whole of it.
		sides=$(awk -F, -v side="$side" "$judging"'
			sub(/^rcb_side_/, "") && $1 < side {
				printf "%sside %s: %.2f, %.2f", sep, $1, $2, $3
				sep = "; "
				all++
				worse += ($2 > $3)
			}
			END { printf " (%d of %d)|%s\n", worse, all, judge_share(worse, all, 0.75) }' "$csv")
		printed mc1x1 || sides=${sides%|*}\|-
		echo "$(printed mc1x1 && echo "Fig 18: ")RCB on square jobs, hops with best_fit, mc1x1|$(printed mc1x1 && echo "best_fit nearly always has more" || echo -)|$sides"
	fi
	for strategy in "${strategies[@]}"; do
		echo "not published: rcb against rcb:longest, $strategy|-|$(percent "$(value "$csv" "$strategy" mapper=rcb)" "$(value "$csv" "$strategy" mapper=rcb:longest)")|-"
		echo "not published: orders that arrive by themselves, hops against that of names, $strategy|-|$(by_itself "$strategy")|-"
	done
}

# printed STRATEGY: whether the publication has it of this log
printed() { [ "$1" != mc1x1 ] || [[ $log != *LLNL-Atlas* ]]; }

# fig STRATEGY: the figure that has it
fig() { [ "$1" = mc1x1 ] && echo 16 || echo 17; }
