#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# test/mutate knows which tests have to notice a change: the tables beside it are whole.

bats_require_minimum_version 1.5.0
load support

top=$BATS_TEST_DIRNAME/../..

# table: a line each, PATTERN TEST...
table() { sed 's/#.*//' "$top/test/mutate.tests" | grep .; }

@test "every C file of the plugins has cluster tests that must notice its mutants" {
	local file pattern rest found count=0
	cd "$top"
	for file in plugin/*/*.c; do
		found=
		while read -r pattern rest; do
			# shellcheck disable=SC2053 # it is a pattern
			[[ $file != $pattern || -z $rest ]] || found=yes
		done < <(table)
		[ -n "$found" ] || { echo "no test for $file" >&2; return 1; }
		((++count))
	done
	[ "$count" -gt 20 ]
}

@test "every test and every pattern that the table names is there" {
	local pattern rest name kind file count=0
	cd "$top"
	while read -r pattern rest; do
		[ -n "$(compgen -G "$pattern")" ] || { echo "no file is $pattern" >&2; return 1; }
		for name in $rest; do
			case $name in
			unit: | select: | topology: | both:) kind=$name && continue ;;
			esac
			file=test/slurm/$name.bats
			[ "$kind" != unit: ] || file=test/unit/$name.c
			[ -f "$file" ] || { echo "no $file" >&2; return 1; }
			((++count))
		done
	done < <(table)
	[ "$count" -gt 20 ]
}

@test "the plugins have mutants, the same ones for the same seed" {
	git -C "$top" ls-files --error-unmatch test/mutate >/dev/null 2>&1 || skip "not git's work tree"
	run -0 "$top/test/mutate" --plugin --list --count 50 --seed 7
	first=$output
	[ "$(grep -c '^[0-9]' <<<"$first")" -eq 50 ]
	run -0 "$top/test/mutate" --plugin --list --count 50 --seed 7
	[ "$output" = "$first" ]
	run -0 "$top/test/mutate" --plugin --list --count 50 --seed 8
	[ "$output" != "$first" ]
}
