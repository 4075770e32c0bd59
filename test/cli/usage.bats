#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The command itself: help, version, unknown commands, output that cannot be written.

load support

commands=(curve place capacity map sim reserve order convert locate show view metrics report token)

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
			--frobnicate | unknown option '--frobnicate'
			-x           | unknown option '-x'
			one two      | unexpected argument
		END
	done
	for command in curve place map reserve order show view; do
		refuses "$command" <<<"--conf | option '--conf' needs a value, FILE"
	done
	for command in curve place capacity reserve order show; do
		refuses "$command" <<<"--format xml | unknown format 'xml'; known are text, csv, json"
	done
}

@test "options may not be shortened: which one may be meant is said" {
	refuses capacity <<-'END'
		--dims 4x4 --nod 4          | unknown option '--nod'; did you mean '--nodes
		--dims 4x4 --shpae 2x2      | unknown option '--shpae'; did you mean '--shape'?
		--dims 4x4 --form=csv       | unknown option '--form'; did you mean '--format'?
		--dims 4x4 --frobnicate     | unknown option '--frobnicate'
		--hlep                      | unknown option '--hlep'; did you mean '--help'?
		--vers                      | unknown option '--vers'; did you mean '--version'?
	END
	run -2 --separate-stderr storus capacity --dims 4x4 --frobnicate
	[[ $stderr != *"did you mean"* ]]
}

@test "-h is --help" {
	for command in "" "${commands[@]}" "sim compare"; do
		# shellcheck disable=SC2086 # none, one or two words
		equal "$(storus $command -h)" "$(storus $command --help)"
	done
}

@test "no line of a help is wider than 80 columns" {
	for command in "" "${commands[@]}" "sim compare"; do
		# shellcheck disable=SC2086
		storus $command --help >help
		equal "$command: $(awk 'length > 80' help)" "$command: "
		[ "$(wc -l <help)" -gt 5 ]
	done
}

@test "options as getopt_long() has them: =, permuted, --, the last one counts" {
	run -0 storus curve --dims=2x1 --curve=row_major
	equal "$output" $'0 0 0\n1 1 0'
	run -0 storus curve --dims 9x9 --dims 2x1 --curve row_major
	equal "$output" $'0 0 0\n1 1 0'
	echo "TorusName=main Dims=2 Nodes=n[0-1]" >torus.conf
	echo "7 n0" >jobs
	for arguments in "7 --conf torus.conf --jobs jobs" "--conf torus.conf --jobs jobs 7" \
		"--conf torus.conf 7 --jobs jobs" "--conf torus.conf --jobs jobs -- 7"; do
		# shellcheck disable=SC2086 # several words
		run -0 storus show --format=csv $arguments
		[[ ${#lines[@]} = 2 && ${lines[1]} == 7,* ]]
	done
	refuses show <<<"--conf torus.conf --jobs jobs -- --svg x | unexpected argument 'x'"
	refuses curve <<-'END'
		--dims 2 --score=yes | option '--score' takes no value
		--dims=              | '' is not of the form 8x8x5
	END
}

@test "numbers: each kind says in the same words what is wrong" {
	refuses place <<-'END'
		--dims 8 --nodes 12x | --nodes: '12x' is not a number
		--dims 8 --nodes +1  | --nodes: '+1' is not a number
		--dims 8 --nodes=    | --nodes: '' is not a number
		--dims 8 --nodes 0   | --nodes: 0 is too small, at least 1 is possible
		--dims 8 --nodes 1 --seed 18446744073709551616 | --seed: 18446744073709551616 is too large, at most 18446744073709551615
	END
	refuses order <<-'END'
		--dims 8 --time-limit 1s    | --time-limit: '1s' is not a number of seconds from 0 to 1000000
		--dims 8 --time-limit -0.1  | --time-limit: '-0.1' is not a number of seconds
		--dims 8 --time-limit inf   | --time-limit: 'inf' is not a number of seconds
		--dims 8 --time-limit nan   | --time-limit: 'nan' is not a number of seconds
		--dims 8 --time-limit 0x1   | --time-limit: '0x1' is not a number of seconds
		--dims 8 --time-limit 1e7   | --time-limit: '1e7' is not a number of seconds
		--dims 8 --time-limit=      | --time-limit: '' is not a number of seconds
	END
	refuses map <<<"--grid 2 --budget -1 | --budget: '-1' is not a number of seconds from 0"
	run -0 storus order --dims 8 --time-limit 0.1
	run -0 storus order --dims 8 --time-limit 1e-1
}

# The options that --help lists, one a line.
options_of_help() { storus "$@" --help | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }

# The options that have a paragraph in a man page: all in the lines behind .TP.
options_of_page() {
	sed 's/\\-/-/g;s/\\f.//g' "$BATS_TEST_DIRNAME/../../docs/man/$1" |
		awk 'tag { print; tag = 0 } /^\.TP/ { tag = 1 }' | grep -oE -- '--[a-z-]+' | sort -u
}

@test "--help and the man page name the same options" {
	options_of_page storus.1 | sort -u - <(printf '%s\n' --help --version) >everywhere
	for command in "${commands[@]}" "sim compare"; do
		# shellcheck disable=SC2086 # one word or two
		options_of_help $command >helped
		options_of_page "storus-${command// /-}.1" >described
		[[ -s described || $(<helped) == --help ]]
		equal "$command: $(comm -23 described <(sort -u helped everywhere))" "$command: "
		equal "$command: $(comm -23 helped <(sort -u described everywhere))" "$command: "
	done
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
