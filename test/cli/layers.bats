#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The order of the engine's folders: which may include which. docs/architecture.md has the
# picture.

bats_require_minimum_version 1.5.0

# The folders that each folder includes headers of, beside its own
declare -gA below=(
	[base]=""
	[geometry]="base"
	[curve]="base geometry"
	[metrics]="base geometry"
	[place]="base geometry metrics"
	[machine]="base geometry curve metrics place"
	[conf]="base geometry curve metrics place machine"
	[taskmap]="base geometry metrics"
)

# offences_in DIR: every line of an engine in DIR that breaks the order
offences_in()
{
	local line folder header
	while read -r line; do
		folder=${line%%/*}
		header=${line#*\"}
		header=${header%%\"*}
		if [[ $header != */* || -z ${below[$folder]+known} ]] ||
			[[ " $folder ${below[$folder]-} " != *" ${header%%/*} "* ]]; then
			echo "$line"
		fi
	done < <(cd "$1" && grep -rn '^ *# *include *"' --include='*.[ch]' . | sed 's,^\./,,')
}

setup()
{
	common=${BATS_TEST_DIRNAME%/test/cli}/common
}

@test "a folder of the engine includes only folders below it, by name" {
	run -0 offences_in "$common"
	echo "$output"
	[ -z "$output" ]
}

@test "the check above finds an arrow that runs back up, and a header without its folder" {
	mkdir -p "$BATS_TEST_TMPDIR"/{base,place}
	echo '#include "place/place.h"' >"$BATS_TEST_TMPDIR/base/up.c"
	echo '#include "private.h"' >"$BATS_TEST_TMPDIR/place/bare.c"
	echo '#include "base/error.h"' >"$BATS_TEST_TMPDIR/place/down.c"
	run -0 offences_in "$BATS_TEST_TMPDIR"
	[[ $output == *base/up.c* && $output == *place/bare.c* && $output != *down.c* ]]
}

@test "every folder of the engine has its place in the order" {
	for folder in "$common"/*/; do
		folder=${folder%/}
		[[ -n ${below[${folder##*/}]+known} ]] || {
			echo "${folder##*/} has none"
			return 1
		}
	done
}

@test "the engine knows no Slurm, prints nothing and never ends the process" {
	run grep -rnE '<slurm|\b(printf|puts|perror|abort|exit|assert)\(|\bstd(out|err)\b' \
		--include='*.[ch]' "$common"
	echo "$output"
	[ "$status" -eq 1 ]
}
