#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of storus's man pages print what the pages say.

load support

pages=$(realpath "$BATS_TEST_DIRNAME/../../docs/man")

# Print the lines between .EX and .EE of a page as a reader sees them.
examples() {
	sed -n '/^\.EX/,/^\.EE/{s/^\.E[XE].*/$/;s/\\-/-/g;s/\\&//g;s/\\e/\\/g;p}' "$1"
}

# Run the example in $command and compare. `cat FILE` is how examples show a file: there
# the file is made.
check_example() {
	[[ -n $command ]] || return 0
	if [[ $command == "cat "* ]]; then
		printf '%s' "$expected" >"${command#cat }"
		return 0
	fi
	count=$((count + 1))
	# Bash finds the function storus.
	equal "$(eval "$command" 2>&1)"$'\n' "$expected"
}

check_page() {
	count=0 command='' expected=''
	while IFS= read -r line; do
		case $line in
		'$' | '$ '*)
			check_example
			command=${line#'$'} expected=''
			command=${command# }
			;;
		*) expected+=$line$'\n' ;;
		esac
	done < <(examples "$1")
	check_example
	((count > 0))
}

@test "storus-capacity(1)" {
	check_page "$pages/storus-capacity.1"
}

@test "storus-convert(1)" {
	check_page "$pages/storus-convert.1"
}

@test "storus-curve(1)" {
	check_page "$pages/storus-curve.1"
}

@test "storus-locate(1)" {
	check_page "$pages/storus-locate.1"
}

@test "storus-map(1)" {
	check_page "$pages/storus-map.1"
}

@test "storus-order(1)" {
	check_page "$pages/storus-order.1"
}

@test "storus-place(1)" {
	check_page "$pages/storus-place.1"
}

@test "storus-sim-compare(1)" {
	check_page "$pages/storus-sim-compare.1"
}

@test "storus-report(1)" {
	check_page "$pages/storus-report.1"
}

@test "storus-reserve(1)" {
	check_page "$pages/storus-reserve.1"
}

@test "storus-show(1)" {
	check_page "$pages/storus-show.1"
}

@test "storus-view(1)" {
	[ -r /usr/share/javascript/three/three.min.js ] || skip "no libjs-three"
	check_page "$pages/storus-view.1"
}

@test "storus-metrics(1)" {
	check_page "$pages/storus-metrics.1"
}

@test "storus-sim(1)" {
	check_page "$pages/storus-sim.1"
}
