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
	ran contrib/studies/test/stream SKIP 'no SimGrid\n'
	# A build directory within this one has its own.
	ran sanitizers/test/unit/test_a PASS '1..1\nok 1 - first\n'
	run -0 count
	equal "$output" "pass	unit: results: a study
pass	unit: test_a: first
pass	unit: test_a: second
skip	unit: stream"
}

@test "a test of the studies that fails is one that has failed" {
	ran test/unit/test_a PASS '1..1\nok 1 - first\n'
	ran contrib/studies/test/results FAIL '1..2\nok 1 one\nnot ok 2 two\nFAIL results.bats (exit status: 1)\n'
	run -0 count
	equal "$output" "fail	unit: results: two
pass	unit: results: one
pass	unit: test_a: first"
}
