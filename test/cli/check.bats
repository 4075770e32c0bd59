#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/checks/results.bash: every test that make check ran is counted, wherever it is.
# shellcheck disable=SC2154,SC2034 # output is set by run; what the functions want

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")

# ran FILE RESULT TAP: what automake leaves of a test that has run
ran() {
	mkdir -p "$(dirname "build/$1")"
	printf ':test-result: %s\n' "$2" >"build/$1.trs"
	printf '%b' "$3" >"build/$1.log"
}

count() {
	# shellcheck source=../../contrib/checks/results.bash
	. "$top/contrib/checks/results.bash"
	output=$PWD/out
	mkdir -p "$output"
	touch -d '1 minute ago' "$output/started"
	begin unit
	count_make_check build
	cut -f 1,2 "$results" | sort
}

@test "tests below test/ and those of the studies are counted" {
	ran test/unit/test_a PASS '1..2\nok 1 - first\nok 2 - second\n'
	ran contrib/studies/test/results PASS '1..1\nok 1 a study\n'
	ran contrib/studies/test/smpi SKIP 'no SimGrid\n'
	# A build directory within this one has its own.
	ran sanitizers/test/unit/test_a PASS '1..1\nok 1 - first\n'
	run -0 count
	equal "$output" "pass	unit: results: a study
pass	unit: test_a: first
pass	unit: test_a: second
skip	unit: smpi"
}

@test "a test of the studies that fails is one that has failed" {
	ran test/unit/test_a PASS '1..1\nok 1 - first\n'
	ran contrib/studies/test/results FAIL '1..2\nok 1 one\nnot ok 2 two\nFAIL results.bats (exit status: 1)\n'
	run -0 count
	equal "$output" "fail	unit: results: two
pass	unit: results: one
pass	unit: test_a: first"
}

# again FILE...: run_again of contrib/checks/clusters.bash, on files that failed in a
# place "here"; those whose name starts with "race" pass the second time
again() {
	# shellcheck source=../../contrib/checks/results.bash
	. "$top/contrib/checks/results.bash"
	source_dir=$top build_dir=$PWD patterns='' deadline=$((SECONDS + 60))
	# shellcheck source=../../contrib/checks/clusters.bash
	. "$top/contrib/checks/clusters.bash"
	deciders() { echo select; }
	cluster_file() {
		suite=$1 results=$output/$1/$3.results
		echo again >>"ran.$3"
		if [[ $3 == race* ]]; then
			printf 'ok 1 waits\n' >"$output/$1/$3.log"
		else
			printf 'not ok 1 waits\n# twice\n' >"$output/$1/$3.log"
		fi
		: >"$results"
		count_tap "$3" "$output/$1/$3.log"
	}
	output=$PWD/out
	mkdir -p "$output/here"
	local file
	for file; do
		printf 'fail\there: %s: waits\tonce\n' "$file" >"$output/here/$file.results"
		touch "$output/here/$file.log"
	done
	printf 'pass\there: good: works\t\n' >"$output/here/good.results"
	run_again here
	cat "$output"/here/*.results >"$output/here.results"
	close
}

@test "a file of cluster tests that fails runs again, alone, and the output says if it passes then" {
	run -0 again race
	equal "$output" "PASSED ONLY WHEN RUN AGAIN: here: race: waits
        once
2 passed, 0 failed"
	[ ! -e ran.good ]
}

@test "a file that fails twice has failed, with its first failure" {
	run -1 again race defect
	equal "$output" "PASSED ONLY WHEN RUN AGAIN: here: race: waits
        once
2 passed, 1 failed"
	grep -q once out/here/defect.results
}

@test "four files that fail do not run again" {
	run -1 again race1 race2 race3 race4
	equal "$output" "1 passed, 4 failed"
	[ ! -e ran.race1 ]
}
