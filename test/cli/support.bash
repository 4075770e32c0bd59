# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of the command storus share.

bats_require_minimum_version 1.5.0

# shellcheck source=../jq.bash
. "${BASH_SOURCE[0]%/*}/../jq.bash"

# The binary under test: `make check` names it, by hand run from the build directory.
storus_binary=$(realpath "${STORUS:-$PWD/storus}")

# Every test has a directory of its own. A host's Slurm or taste of colours has no say.
setup() {
	# One level down: bats keeps files of its own in the directory it gives.
	mkdir "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	unset NO_COLOR
	export SLURM_CONF=$PWD/no-such-slurm.conf
}

storus() {
	"$storus_binary" "$@"
}

# shown_on_terminal PATTERN COMMAND: run it on a terminal of its own until it shows what the
# extended regular expression matches; print that line, and end the command
shown_on_terminal() {
	local status=0
	exec 4< <(exec script -qec "exec $2" /dev/null)
	stdbuf -oL tr '\r' '\n' <&4 | grep -m1 -E "$1" || status=$?
	kill $! 2>/dev/null || true
	exec 4<&-
	return $status
}

# The value of a key in the `key value` lines of $output.
value_of() {
	sed -n "s/^$1 //p" <<<"$output"
}

# Fail, telling what was expected, unless both are the same.
equal() {
	[[ $1 == "$2" ]] || {
		printf 'expected: %s\nbut got:  %s\n' "$2" "$1" >&2
		return 1
	}
}

# The command (of one word or two), run on each line of a table `ARGUMENTS | pattern in the message`, must fail
# with status 2, print nothing but the message, and begin it with the command's name.
# Arguments are subject to word splitting only.
refuses() {
	local command=$1 arguments pattern
	while IFS='|' read -r arguments pattern; do
		[[ -n ${arguments// /} || -n $pattern ]] || continue
		pattern=${pattern# }
		set -f
		# shellcheck disable=SC2086 # the arguments are words
		run -2 --separate-stderr storus $command $arguments
		set +f
		# shellcheck disable=SC2154 # set by run
		[[ -z $output && $stderr == "storus $command: "* && $stderr == *"$pattern"* ]] || {
			printf 'storus %s %s\nexpected: %s\nstderr:   %s\nstdout:   %s\n' \
				"$command" "$arguments" "$pattern" "$stderr" "$output" >&2
			return 1
		}
	done
}
