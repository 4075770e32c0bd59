#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The command itself: help, version, unknown commands, output that cannot be written.

load support

commands=(curve place map sim reserve order convert show)

@test "without a command, usage goes to standard error and the status is 2" {
	run -2 --separate-stderr storus
	[[ -z $output && $stderr == "Usage: storus COMMAND"* ]]
}

@test "help lists every command" {
	for words in --help help; do
		run -0 --separate-stderr storus $words
		[[ -z $stderr && $output == "Usage: storus COMMAND"* ]]
		for command in "${commands[@]}"; do
			[[ $output == *$'\n'"  $command "* ]]
		done
	done
}

@test "every command has help, in both spellings, and a version" {
	for command in "${commands[@]}"; do
		run -0 --separate-stderr storus "$command" --help
		[[ -z $stderr && $output == "Usage: storus $command "* ]]
		text=$output
		run -0 storus help "$command"
		equal "$output" "$text"
		run -0 storus "$command" --version
		version=$output
		run -0 storus --version
		[[ $output =~ ^storus\ \(slurm-torus\)\ [0-9]+\.[0-9]+ ]]
		equal "$output" "$version"
	done
}

@test "an unknown command is refused, with a suggestion where one is near" {
	run -2 --separate-stderr storus plcae
	equal "$stderr" "storus: unknown command 'plcae'; did you mean 'place'?"
	run -2 --separate-stderr storus curves
	[[ $stderr == *"'curve'"* ]]
	run -2 --separate-stderr storus frobnicate
	[[ $stderr == *"unknown command 'frobnicate'"* && $stderr != *"did you mean"* ]]
	run -2 --separate-stderr storus help frobnicate
	[[ -z $output && $stderr == *"unknown command"* ]]
	run -2 --separate-stderr storus --dims 4x4 curve
	[[ -z $output && $stderr == *"unknown option '--dims'"* ]]
}

@test "unknown options and missing values are refused by every command" {
	for command in "${commands[@]}"; do
		refuses "$command" <<-'END'
			--frobnicate | unrecognized option '--frobnicate'
			-x           | invalid option
			one two      | unexpected argument
		END
	done
	for command in curve place map reserve order show; do
		refuses "$command" <<<"--conf | requires an argument"
	done
	for command in curve place reserve order show; do
		refuses "$command" <<<"--format xml | unknown format 'xml'; known are text, csv, json"
	done
}

@test "options may be shortened, but not ambiguously" {
	run -0 storus curve --di 2x1 --cu row_major
	equal "$output" $'0 0 0\n1 1 0'
	run -2 --separate-stderr storus curve --di 2 --c row_major
	[[ $stderr == *ambiguous* ]]
}

@test "output that cannot be written is an error" {
	run -2 --separate-stderr bash -c '"$0" curve --dims 2x2 >/dev/full' "$storus_binary"
	[[ $stderr == *"cannot write the standard output: No space left on device" ]]
	# Far more than a buffer: the error comes before the end.
	run -2 --separate-stderr bash -c '"$0" curve --dims 200x200 >/dev/full' "$storus_binary"
	[[ $stderr == *"No space left on device" ]]
	run -2 --separate-stderr bash -c '"$0" --help >/dev/full' "$storus_binary"
	[[ $stderr == "storus: cannot write"* ]]
	run -2 --separate-stderr bash -c '"$0" curve --dims 2x2 >&-' "$storus_binary"
	[[ $stderr == *"cannot write the standard output: Bad file descriptor" ]]
}

@test "a reader that closes the pipe is an error without a message" {
	run -0 --separate-stderr bash -c \
		'"$0" curve --dims 300x300 | head -n 1; echo "${PIPESTATUS[0]}"' "$storus_binary"
	equal "$output" $'0 0 0\n2'
	equal "$stderr" ""
}
