#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/examples of machines whose nodes are boxes of chips, each started as it stands, but
# for the devices: this host has none. Jobs ask for chips and for the GRES of the example.

bats_require_minimum_version 1.5.0
load select_support

teardown()
{
	cluster_clear
	cluster_stop
}

# example NAME: start a cluster of it. Four devices are any four files, as Links= wants
# files; more than that are a count.
example()
{
	local dir=$TORUS_SRCDIR/docs/examples/$1
	export BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR
	sed -E 's#File=/dev/(accel|vfio/|vfio/devices/vfio)0#File=/dev/null#; s#File=/dev/(accel|vfio/|vfio/devices/vfio)1#File=/dev/zero#
		s#File=/dev/(accel|vfio/|vfio/devices/vfio)2#File=/dev/full#; s#File=/dev/(accel|vfio/|vfio/devices/vfio)3#File=/dev/random#
		s#File=/dev/tenstorrent/\[0-31\]#Count=32#' \
		"$dir/gres.conf" >"$BATS_TEST_TMPDIR/gres.conf"
	cluster_start --nodes "$2" --cpus 4 --torus-conf "$dir/torus.conf" \
		--copy "$BATS_TEST_TMPDIR/gres.conf" --conf-append "$dir/slurm.conf"
}

@test "TPU v4: a slice of 4x4x4 chips is a cube, and part of a host is chips of one host" {
	example tpu-v4 32
	job=$(allocate --network=torus:chips=4x4x4 --gres=tpu:v4:4)
	expect_placed "$job" all --chips 4x4x4
	expect_match "$(token "$job")" ',nodes=16,.*,box=2x2x4,'
	next=$(allocate --network=torus:chips=2x4x4 --gres=tpu:v4:4)
	expect_match "$(token "$next")" ',nodes=8,.*,box=(1x2x4|2x1x4|2x2x2),'
	# one chip is taken: of the others 1 and 2 are opposite each other
	host=$(allocate --network=torus:chips=1 --gres=tpu:v4:1)
	node=$(job_nodes "$host")
	expect_equal "$(gres_of "$host")" "$node tpu:v4:1(IDX:0)"
	half=$(allocate --network=torus:chips=2x1x1 --gres=tpu:v4:2 \
		--exclude="$(scontrol show hostlist "$(scontrol show hostnames 'n[000-031]' | grep -vx "$node" | paste -sd,)")")
	# stock Slurm from 24.05 on does not look at Links= here, and takes the next free ones
	linked='1,3|2-3'
	! is_since 24.05 || linked='1,3|2-3|1-2'
	expect_match "$(gres_of "$half")" "^$node tpu:v4:2\(IDX:($linked)\)$"
}

@test "TPU v5p: slices as they are offered, from one host to the cube" {
	example tpu-v5p 16
	for slice in 2x2x1:1 2x2x2:2 2x4x4:8; do
		job=$(allocate --network=torus:chips="${slice%:*}" --gres=tpu:v5p:4)
		expect_equal "$(job_nodes "$job" | xargs scontrol show hostnames | wc -l)" "${slice#*:}" "hosts of ${slice%:*}"
		jobs+=("$job")
	done
	cube=$(submit --network=torus:chips=4x4x4 --gres=tpu:v5p:4)
	wait_refused "$cube"
	scancel "${jobs[@]}"
	wait_running "$cube"
}

@test "TPU7x: what --layout=tpu7x:2x2x4 asks for" {
	example tpu7x 16
	job=$(allocate -N 4 --network=torus:chips=2x2x4 --gres=tpu:tpu7x:4)
	expect_match "$(token "$job")" ',nodes=4,.*,box=(1x1x4|1x2x2|2x1x2),'
	# the same by the hosts alone: four of them, anywhere
	hosts=$(allocate -N 4 --gres=tpu:tpu7x:4)
	expect_equal "$(gres_of "$hosts" | grep -c 'tpu:tpu7x:4(IDX:0-3)')" 1
}

@test "Tenstorrent: a job of a pod's size gets a pod, whatever runs" {
	example tenstorrent 16
	# one host of the second pod is taken
	one=$(allocate -N 1 --nodelist=n004 --exclusive --gres=tenstorrent:blackhole:32)
	expect_equal "$(job_nodes "$one")" n004
	for _ in 1 2 3; do
		job=$(allocate --network=torus:chips=8x16 --gres=tenstorrent:blackhole:32)
		pods+=("$(job_nodes "$job")")
	done
	expect_equal "$(printf '%s\n' "${pods[@]}" | sort | paste -sd' ')" "n[000-003] n[008-011] n[012-015]"
	waits=$(submit --network=torus:chips=8x16 --gres=tenstorrent:blackhole:32)
	wait_refused "$waits"
	# two hosts that are cabled to each other are left of it, 8x8 chips, or 4x16
	two=$(allocate --network='torus:chips=8x8' --gres=tenstorrent:blackhole:32)
	expect_equal "$(job_nodes "$two")" "n[006-007]"
	scancel "$two"
	two=$(allocate --network='torus:chips=4x16' --gres=tenstorrent:blackhole:32)
	expect_equal "$(job_nodes "$two")" "n[005,007]"
}
