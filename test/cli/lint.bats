#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/checks/lint: what is found in a file fails it, and only it.
# shellcheck disable=SC2154 # output is set by run

load support

lint=$(realpath "$BATS_TEST_DIRNAME/../../contrib/checks/lint")

@test "a file in which something is found fails, and says what" {
	command -v shellcheck >/dev/null || skip "no shellcheck"
	printf '%s\n' '#!/bin/sh' 'echo well' >well
	# shellcheck disable=SC2016 # not to be expanded here
	printf '%s\n' '#!/bin/sh' 'echo $unset' >unset.sh
	# Of bats' files a warning is none; an assertion that cannot fail is.
	# shellcheck disable=SC2016
	printf '%s\n' '@test "a" {' 'echo $unset' '}' >warning.bats
	printf '%s\n' '@test "a" {' '! true' 'true' '}' >never.bats
	run -1 "$lint" well unset.sh warning.bats never.bats
	equal "$(grep -E '^(not )?ok|^1' <<<"$output" | sort)" "1..4
not ok - never.bats
not ok - unset.sh
ok - warning.bats
ok - well"
	[[ $output == *"# "*SC2314* && $output == *"# "*SC2086* ]]
	run -0 "$lint" well warning.bats
}

@test "man pages" {
	command -v mandoc >/dev/null || skip "no mandoc"
	cp "$BATS_TEST_DIRNAME/../../docs/man/storus.1" .
	run -0 "$lint" storus.1
	echo '.nosuch' >>storus.1
	run -1 "$lint" storus.1
	[[ $output == *"# "*nosuch* ]]
}

@test "bad usage" {
	run -2 "$lint" nowhere
	[[ $output == *"no file nowhere"* ]]
	run -2 "$lint" --nosuch
}
