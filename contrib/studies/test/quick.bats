#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/studies/results: each published study in its quick version.
# shellcheck disable=SC2154 # stderr is set by run

load ../../../test/cli/support
load results_support

@test "each study in its quick version: table, figure and the published figures" {
	run -0 --separate-stderr results --quick --jobs 2 --output out all
	printf '%s\n' "$output" >printed
	for study in $(studies); do
		if grep -q "^results: $study is left out: ." <<<"$stderr"; then
			continue
		fi
		grep -q "^$study (quick): [0-9]* seconds of processor time\$" printed
		# At least one line of data, all of as many fields as the header; no cell is empty.
		awk -F, 'NR == 1 { fields = NF }
			NF != fields || /(^|,)(,|$)/ { exit 1 }
			END { exit NR < 2 }' "out/$study.csv"
		! command -v gnuplot >/dev/null || xmllint --noout "out/$study.svg"
	done
	# Nothing that is published stands in the pictures, nor is anything judged by it.
	! command -v gnuplot >/dev/null || [ "$(cat out/*.svg | grep -ci publish)" -eq 0 ]
	[ "$(grep -cE 'differs|verdicts|5:46:31' printed)" -eq 0 ]
	# Not one of those that need only storus is left out.
	for study in curve-static cplant-span curve-dynamic curve-optimum mapping-kth mapping-sdsc mapping-llnl mapping-limits; do [ -s "out/$study.csv" ]; done
	# Without the log the jobs are made up, and the study says so.
	grep -q 'synthetic, for want of --logs' printed
	# Once more, with nothing kept and a part at a time: those that take no minute.
	for study in curve-static cplant-span mapping-kth; do
		results --quick --jobs 1 --output again "$study" >/dev/null 2>&1
		cmp "out/$study.csv" "again/$study.csv"
	done
}

@test "a local search with limits: from rcb:longest, and never more swaps or fewer gains than asked" {
	local program=${storus_binary%/*}/contrib/studies/programs/improve_limits before
	local -A hops swaps
	# A mapping that four swaps improve, each by less than 2%.
	cells="1;3-6;9-14;16-19;23;25;30;33-35;41;44;46;48;54;59;61-63"
	before=$(storus map --dims 8x8 --cells "$cells" --grid 5x6 --mapper rcb:longest --format csv 2>&1 >/dev/null |
		grep -o 'average [0-9.]*' | head -n 1)
	run -0 "$program" 8x8 none <<<"7 5 6 $cells"
	while IFS=, read -r limit jobs from to made; do
		[ "$jobs" = 7 ]
		equal "average $(printf %.6f "$from")" "$before"
		hops[$limit]=$to swaps[$limit]=$made
	done < <(tail -n +2 <<<"$output")
	equal "${swaps[none]} ${swaps[gain_0.5]} ${swaps[gain_2]} ${swaps[swaps_1]} ${swaps[swaps_2]} ${swaps[swaps_16]}" \
		"4 4 0 1 2 4"
	# 49 pairs of neighbours: each swap takes a hop of one of them at least.
	awk -v from="${before#* }" -v none="${hops[none]}" -v two="${hops[swaps_2]}" -v one="${hops[swaps_1]}" \
		'BEGIN { exit !(none < two - 0.02 && two < one - 0.02 && one < from - 0.02 && none > 1) }'
	equal "${hops[gain_2]} ${hops[gain_0.5]}" "2.06122449 ${hops[none]}"
	run -2 "$program" 8x8 none <<<"1 4 5 0-18"
	[[ $output == *"not COUNT X Y and X*Y cells"* ]]
	run -2 "$program" 8x8 none <<<"1 1 1 64"
	[[ $output == *"64"* ]]
}

@test "the task mappers on a log of one's own" {
	mkdir logs
	storus sim --dims 6x6 --workload log-uniform:max=20,jobs=40 --write-swf logs/own.swf >/dev/null
	run -0 results --quick --output out --logs logs --set log=own.swf --set side=6 mapping-kth
	[[ $output == *"With log=own.swf side=6."*"ours: own.swf"* && $output != *synthetic* ]]
	# By its path, and not the log that the study has else.
	run -0 results --quick --output path --set log="$PWD/logs/own.swf" --set side=6 mapping-kth
	[[ $output == *"ours: own.swf"* && $output != *synthetic* ]]
	cmp out/mapping-kth.csv path/mapping-kth.csv
	run -0 results --quick --output standard --set side=6 mapping-kth
	[[ $output == *"synthetic"* ]]
	run ! cmp -s out/mapping-kth.csv standard/mapping-kth.csv
	run -77 --separate-stderr results --logs logs --set log=none.swf mapping-kth
	equal "$stderr" "results: mapping-kth is left out: needs --logs DIR with none.swf of the Parallel Workloads Archive"
}
