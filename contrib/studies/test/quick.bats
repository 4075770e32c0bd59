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
	for study in curve-static cplant-span curve-dynamic mapping-kth mapping-sdsc; do [ -s "out/$study.csv" ]; done
	# Without the log the jobs are made up, and the study says so.
	grep -q 'synthetic, for want of --logs' printed
	# Once more, with nothing kept and a part at a time: those that take no minute.
	for study in curve-static cplant-span mapping-kth; do
		results --quick --jobs 1 --output again "$study" >/dev/null 2>&1
		cmp "out/$study.csv" "again/$study.csv"
	done
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
