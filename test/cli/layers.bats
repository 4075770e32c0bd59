#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The order of the folders of common/, of taskmap/ and of the folders of contrib/lab/: which may
# include which. docs/architecture.md has the picture.

bats_require_minimum_version 1.5.0

# The folders that each folder includes headers of, beside its own
declare -gA below=(
	[base]=""
	[geometry]="base"
	[curve]="base geometry"
	[metrics]="base geometry"
	[place]="base geometry curve metrics"
	[torus]="base geometry metrics place"
	[taskgrid]="base geometry"
	[machine]="base geometry curve metrics place torus taskgrid"
	[decide]="base geometry curve metrics place torus machine"
	[conf]="base geometry curve metrics place torus machine"
	[taskmap]="base geometry metrics taskgrid"
	[step]="base geometry metrics taskgrid place torus machine taskmap"
	[lists]="base"
	[measures]="base geometry curve metrics"
	[capacity]="base geometry place torus"
	[strategies]="base geometry curve place"
	[order]="base geometry taskmap"
	[sim]="base geometry curve metrics place torus machine decide capacity lists measures"
)

# Of taskmap, the files that know a cluster's machines count as "step", a folder above it.
step_files='taskmap/(step|segment)_order\.[ch]'

# Those of them that are folders of contrib/lab, the library that studies, which the plugins
# are linked without; the others but taskmap are folders of common
declare -ga studying=(lists measures capacity strategies order sim)

# The same for the rooms of taskmap; "core" are the files in the folder itself, but for
# taskmap.[ch], chips.[ch], head.[ch] and job_order.[ch], which stand on everything, and those
# of "step", which stand on these.
declare -gA below_in_taskmap=(
	[core]="core"
	[search]="core search"
	[any]="core search any"
	[mappers]="core search mappers"
	[top]="core search any mappers top"
	[step]="core search any mappers top step"
)

# room_of FILE: the room of a file of taskmap, named from there
room_of()
{
	case $1 in
	step_order.[ch] | segment_order.[ch]) echo step ;;
	taskmap.[ch] | chips.[ch] | head.[ch] | job_order.[ch]) echo top ;;
	*/*) echo "${1%%/*}" ;;
	*) echo core ;;
	esac
}

# offences_in_taskmap DIR: every line in DIR, taskmap's folder, that breaks that order
offences_in_taskmap()
{
	local line header
	while read -r line; do
		header=${line#*\"taskmap/}
		header=${header%%\"*}
		[[ " ${below_in_taskmap[$(room_of "${line%%:*}")]-} " == *" $(room_of "$header") "* ]] ||
			echo "$line"
	done < <(cd "$1" && grep -rn '^ *# *include *"taskmap/' --include='*.[ch]' . | sed 's,^\./,,')
}

# offences_in DIR: every line of an engine in DIR that breaks the order
offences_in()
{
	local line folder header
	while read -r line; do
		folder=${line%%/*}
		[[ ! $line =~ ^$step_files: ]] || folder=step
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
	top=${common%/common}
	lab=$top/contrib/lab
	taskmap=$top/taskmap
}

@test "a folder of the engine includes only folders below it, by name" {
	mkdir "$BATS_TEST_TMPDIR/mapping"
	cp -r "$taskmap" "$BATS_TEST_TMPDIR/mapping/taskmap"
	for root in "$common" "$lab" "$BATS_TEST_TMPDIR/mapping"; do
		run -0 offences_in "$root"
		echo "$output"
		[ -z "$output" ]
	done
}

@test "the check above finds an arrow that runs back up, and a header without its folder" {
	mkdir -p "$BATS_TEST_TMPDIR"/{base,place,taskmap}
	echo '#include "machine/cluster.h"' | tee "$BATS_TEST_TMPDIR"/taskmap/{step,job}_order.c
	echo '#include "place/place.h"' >"$BATS_TEST_TMPDIR/base/up.c"
	echo '#include "private.h"' >"$BATS_TEST_TMPDIR/place/bare.c"
	echo '#include "base/error.h"' >"$BATS_TEST_TMPDIR/place/down.c"
	run -0 offences_in "$BATS_TEST_TMPDIR"
	[[ $output == *base/up.c* && $output == *place/bare.c* && $output != *down.c* ]]
	[[ $output == *taskmap/job_order.c* && $output != *step_order* ]]
}

# knows_cubes DIR: every line of an engine in DIR that looks behind the doors of torus/, or asks
# whether a machine is one of cubes, where that is not known
knows_cubes()
{
	(cd "$1" && grep -rnE '^ *# *include *"torus/(cubes|survey|inside)\.h"|\btorus_has_cubes\b' \
		--include='*.[ch]' .) |
		sed 's,^\./,,' | grep -v '^torus/' |
		grep -vE '^(conf/torus_conf\.c:.*cubes\.h|decide/cube_sets\.c:.*survey\.h)"' |
		grep -vE '^machine/(cluster|no_box)\.c:.*torus_has_cubes' || true
}

@test "only torus knows machines of cubes, but for who reads torus.conf, names sets of cubes or explains" {
	run -0 knows_cubes "$common"
	echo "$output"
	[ -z "$output" ]
}

@test "the check of cubes finds who looks behind torus" {
	mkdir -p "$BATS_TEST_TMPDIR"/{torus,decide,machine}
	echo '#include "torus/cubes.h"' | tee "$BATS_TEST_TMPDIR/decide/cube_sets.c" \
		"$BATS_TEST_TMPDIR/torus/fit.c" >"$BATS_TEST_TMPDIR/decide/boxes.c"
	echo 'if (torus_has_cubes(geometry))' | tee "$BATS_TEST_TMPDIR/decide/shapes.c" \
		>"$BATS_TEST_TMPDIR/machine/cluster.c"
	run -0 knows_cubes "$BATS_TEST_TMPDIR"
	for file in decide/cube_sets.c decide/boxes.c decide/shapes.c; do
		[[ $output == *$file* ]]
	done
	[[ $output != *fit.c* && $output != *cluster.c* ]]
}

@test "inside taskmap searches know no mappers, and only taskmap itself knows its list" {
	run -0 offences_in_taskmap "$taskmap"
	echo "$output"
	[ -z "$output" ]
}

@test "the check of taskmap finds arrows that run back up" {
	mkdir -p "$BATS_TEST_TMPDIR"/{search,mappers,elsewhere}
	echo '#include "taskmap/mappers/rcb_turns.h"' >"$BATS_TEST_TMPDIR/search/up.c"
	echo '#include "taskmap/search/effort.h"' >"$BATS_TEST_TMPDIR/hops.c"
	echo '#include "taskmap/taskmap.h"' >"$BATS_TEST_TMPDIR/mappers/mappers.h"
	echo '#include "taskmap/step_order.h"' >"$BATS_TEST_TMPDIR/job_order.c"
	echo '#include "taskmap/job.h"' >"$BATS_TEST_TMPDIR/elsewhere/lost.c"
	echo '#include "taskmap/search/effort.h"' >"$BATS_TEST_TMPDIR/mappers/down.c"
	echo '#include "taskmap/mappers/mappers.h"' >"$BATS_TEST_TMPDIR/taskmap.c"
	run -0 offences_in_taskmap "$BATS_TEST_TMPDIR"
	for file in search/up.c hops.c job_order.c mappers/mappers.h elsewhere/lost.c; do
		[[ $output == *$file* ]]
	done
	[[ $output != *down.c* && $output != *taskmap.c* ]]
}

@test "every folder of the engine has its place in the order" {
	for folder in "$common"/*/ "$lab"/*/; do
		folder=${folder%/}
		[[ -n ${below[${folder##*/}]+known} ]] || {
			echo "${folder##*/} has none"
			return 1
		}
	done
	run -0 ls "$lab"
	studying_here=$(printf '%s\n' "${studying[@]}" Makefile.inc | LC_ALL=C sort)
	[ "$(LC_ALL=C sort <<<"$output")" = "$studying_here" ]
}

@test "nothing that decides includes what studies, or maps tasks" {
	for folder in "${!below[@]}"; do
		[[ " taskmap step ${studying[*]} " != *" $folder "* ]] || continue
		for study in taskmap step "${studying[@]}"; do
			[[ " ${below[$folder]} " != *" $study "* ]]
		done
	done
}

@test "every file of a library's folders is in that library, and no other" {
	# sources_of ROOT: the files that its Makefile.inc lists
	sources_of()
	{
		tr ' \t' '\n\n' <"$1/Makefile.inc" | sed -n "s,^${1#"$top/"}/,,p" | grep '\.[ch]$' |
			sort
	}
	for root in "$common" "$taskmap" "$lab"; do
		sources_of "$root" >"$BATS_TEST_TMPDIR/sources"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/sources")" -gt 50 ]
		diff "$BATS_TEST_TMPDIR/sources" \
			<(cd "$root" && find . -name '*.[ch]' | sed 's,^\./,,' | sort)
	done
}

@test "the engine knows no Slurm, prints nothing and never ends the process" {
	run grep -rnE '<slurm|\b(printf|puts|perror|abort|exit|assert)\(|\bstd(out|err)\b' \
		--include='*.[ch]' "$common" "$taskmap" "$lab"
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "libstorus stands on what decides and what maps tasks, knows no Slurm, prints nothing and never ends the process" {
	library=$top/contrib/libstorus
	while read -r header; do
		[[ $header == torus_config.h || $header == libstorus/* ]] && continue
		folder=${header%%/*}
		[[ -n ${below[$folder]+known} && " ${studying[*]} " != *" $folder "* ]] || {
			echo "it includes $header"
			return 1
		}
	done < <(sed -n 's/^ *# *include *"\(.*\)".*/\1/p' "$library"/*.[ch])
	run -1 grep -nE '<slurm|\b(printf|puts|perror|abort|exit|assert)\(|\bstd(out|err)\b' "$library"/*.[ch]
	# A program needs nothing but the public header.
	run -1 grep -n 'include *"' "$library/storus.h"
}
