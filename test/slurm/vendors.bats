#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/examples/vendors on a cluster of docs/examples/tpu7x: Google's words for a slice become a box, and the job's processes
# are told what libtpu wants to know. Needs the cli_filter/lua of the Slurm that is tested.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local example=$TORUS_SRCDIR/docs/examples/tpu7x vendors=$TORUS_SRCDIR/docs/examples/vendors lua=1
	export LUA_MISSING=
	find "${SLURM_PREFIX:-/usr}"/lib* -name cli_filter_lua.so 2>/dev/null | grep -q . || lua=
	[ -n "$lua" ] || LUA_MISSING="this Slurm has no cli_filter/lua"
	sed -E 's#File=/dev/vfio/devices/vfio0#File=/dev/null#; s#File=/dev/vfio/devices/vfio1#File=/dev/zero#; s#File=/dev/vfio/devices/vfio2#File=/dev/full#
		s#File=/dev/vfio/devices/vfio3#File=/dev/random#' "$example/gres.conf" >"$BATS_FILE_TMPDIR/gres.conf"
	cat "$example/slurm.conf" - >"$BATS_FILE_TMPDIR/conf" <<-END
		TaskProlog=$vendors/task-prolog
		${lua:+CliFilterPlugins=lua}
	END
	cluster_start --nodes 16 --cpus 4 --torus-conf "$example/torus.conf" --copy "$BATS_FILE_TMPDIR/gres.conf" \
		--copy "$vendors/cli_filter.lua" --conf-append "$BATS_FILE_TMPDIR/conf" || return
	[ -e "$TORUS_CONF" ] || cp "$example/torus.conf" "$TORUS_CONF"
}
teardown_file() { minicluster down; }
setup() { cd "$BATS_TEST_TMPDIR" || return; }
teardown() { cluster_clear; }

@test "Google's words for a slice become a box of chips, and the chips of its hosts" {
	[ -z "$LUA_MISSING" ] || skip "$LUA_MISSING"
	job=$(allocate -N 4 --comment=layout=tpu7x=2x2x4)
	expect_match "$(scontrol show job "$job")" 'Network=torus:chips=2x2x4'
	expect_match "$(token "$job")" ',nodes=4,.*,box=(1x1x4|1x2x2|2x1x2),'
	expect_equal "$(gres_of "$job" | grep -c 'tpu:tpu7x:4(IDX:0-3)')" 1
	# What a job says itself stays.
	job=$(submit -N 2 --comment=layout=tpu7x=2x2x4 --network=torus:shape=2x1x1 --hold)
	expect_match "$(scontrol show job "$job")" 'Network=torus:shape=2x1x1'
	job=$(submit -N 2 --comment="layout of a page" --hold)
	run -1 grep -q 'Network=torus' <<<"$(scontrol show job "$job")"
}

@test "each process of a slice knows the slice and its place in it" {
	for chips in 2x2x4 4x4x4; do
		PATH=$(dirname "$STORUS"):$PATH timeout 120 srun --network="torus:chips=$chips" --exclusive \
			sh -c 'echo $SLURMD_NODENAME $TPU_PROCESS_BOUNDS $TPU_CHIPS_PER_PROCESS_BOUNDS $CLOUD_TPU_TASK_ID $TPU_PROCESS_ADDRESSES' \
			>told || { cat told; return 1; }
		cat told
		# One text for all of them
		expect_equal "$(cut -d' ' -f2,3,5 told | sort -u | wc -l)" 1
		read -r bounds shape addresses <<<"$(head -n 1 told | cut -d' ' -f2,3,5)"
		expect_equal "$shape" 2,2,1
		expect_equal "$((${bounds//,/*} * 4))" "$((${chips//x/*}))"
		expect_equal "$(wc -l <told)" "$((${bounds//,/*}))"
		# Each is where the list of all has it, and its place is that of its coordinates, x fastest.
		while read -r node _ _ place _; do
			expect_equal "$(cut -d, -f$((place + 1)) <<<"$addresses")" "$node:8476"
			[ "$bounds" != 2,2,4 ] || expect_equal "$place" "$((10#${node#n}))"
		done <told
	done
}
