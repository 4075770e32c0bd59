#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes that are boxes of chips, on a torus of 8x4x4 chips: 32 nodes of 2x2x1, which have
# their chips as GRES. What a job asks for by chips=, and where it runs then.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local file
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-'END'
		TorusName=pod ChipDims=8x4x4 NodeShape=2x2x1 Wrap=xyz Nodes=n[000-031]
		Curve=row_major
		Allocator=best_fit
	END
	cat >"$BATS_FILE_TMPDIR/conf" <<-'END'
		GresTypes=tpu
		CliFilterPlugins=torus
		NodeName=n[000-031] Gres=tpu:4
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
	END
	for file in null zero full random; do
		echo "NodeName=n[000-031] Name=tpu File=/dev/$file"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	cluster_start --dims 4x2x4 --cpus 4 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

@test "a box of chips is a box of whole nodes" {
	job=$(allocate --network=torus:chips=4x4x4 --gres=tpu:4)
	expect_placed "$job" all --chips 4x4x4
	expect_match "$(token "$job")" ',nodes=16,.*,box=2x2x4,'
	# and the next one among what is left, with the count of its nodes
	next=$(allocate -N 16 --network=torus:chips=4x4x4 --gres=tpu:4)
	expect_placed "$next" "$(all_but "$(job_ranks "$job")")" --chips 4x4x4
	third=$(submit --network=torus:chips=2x2x1 --gres=tpu:4)
	wait_refused "$third"
	scancel "$next"
	wait_running "$third"
}

@test "only in the rotations that the nodes allow" {
	# one plane, 4x2x1 nodes or 8x4x1 chips: 1x8x4 chips may lie in it, 4x8x4 may not
	occupy_all_but 8-15
	job=$(allocate --network=torus:chips=1x8x4 --gres=tpu:4)
	expect_ranks "$job" 8-15
	expect_match "$(token "$job")" ',box=4x2x1,'
}

@test "a box around the ends" {
	occupy_all_but 3,7,0,4,27,31,24,28
	job=$(allocate --network=torus:chips=4x4x2)
	expect_ranks "$job" 0,3-4,7,24,27-28,31
}

@test "of several boxes of chips the first that is free" {
	occupy_all_but 0-3,8-9,16-17
	job=$(allocate --network='torus:chips=4x4x2|4x2x3|8x2x1' --gres=tpu:4)
	expect_ranks "$job" 0-1,8-9,16-17
	next=$(allocate --network='torus:chips=8x2|4x2' --gres=tpu:4)
	expect_ranks "$next" 2-3
}

@test "part of a node is one node, and GRES say which chips of it" {
	occupy_all_but 5-6
	for _ in 1 2 3 4; do
		jobs+=("$(allocate -p shared --network=torus:chips=2x1x1 --gres=tpu:2)")
	done
	for job in "${jobs[@]}"; do
		gres_of "$job"
	done >"$BATS_TEST_TMPDIR/parts"
	expect_equal "$(grep -c 'tpu:2(IDX:' "$BATS_TEST_TMPDIR/parts")" 4
	expect_equal "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/parts" | sort | uniq -c | awk '{print $1}' | tr '\n' ' ')" "2 2 "
	# no chip twice
	expect_equal "$(sort -u "$BATS_TEST_TMPDIR/parts" | wc -l)" 4
	fifth=$(submit -p shared --network=torus:chips=2x1x1 --gres=tpu:2)
	wait_refused "$fifth"
}

# chips_of JOB: "chips=N,chiphops=H" of its token, or nothing
chips_of() { token "$1" | sed -n 's/.*,\(chips=[0-9]*,chiphops=[0-9.]*\).*/\1/p'; }

@test "the token says which part of the chips a job has, and how far they are apart" {
	# Two jobs on the same nodes: three chips of each, and one.
	local nodes most one last whole
	nodes=$(nodes_at 5-6)
	most=$(allocate -p shared -N 2 -w "$nodes" --gres=tpu:3)
	one=$(allocate -p shared -N 2 -w "$nodes" --gres=tpu:1)
	gres_of "$most"
	gres_of "$one"
	# On nodes next to each other in x, of 2x2x1 chips
	expect_equal "$(gres_of "$most" | grep -c 'tpu:3(IDX:0-2)')" 1 "lines of the three"
	expect_equal "$(chips_of "$most")" chips=6,chiphops=2.00
	expect_equal "$(chips_of "$one")" chips=2,chiphops=2.00
	# What a restart and a new configuration do not change
	minicluster restart-ctld
	wait_until 120 all_respond
	expect_equal "$(chips_of "$most")" chips=6,chiphops=2.00
	reconfigure
	expect_equal "$(chips_of "$one")" chips=2,chiphops=2.00
	if [ "$TORUS_VIA" != select ]; then
		shows() { scontrol show topology | grep -q "JobId=$most .* Chips=6 ChipHops=2.00 NodeList="; }
		wait_until 20 shows
	fi
	# A single one, and all: the nodes say it.
	last=$(allocate -p shared -N 1 -w "$(nodes_at 9)" --gres=tpu:1)
	expect_equal "$(chips_of "$last")" chips=1,chiphops=0.00
	whole=$(allocate -p shared -N 2 -w "$(nodes_at 12-13)" --gres=tpu:4)
	expect_match "$(token "$whole")" ',avghops=[0-9.]*$'
	whole=$(allocate -N 2 -w "$(nodes_at 16-17)")
	expect_match "$(token "$whole")" ',avghops=[0-9.]*$'
}

@test "what can never be is refused, with a cure" {
	refused 'no rotation of chips 3x3x4 is a box of whole nodes, which have 2x2x1 chips: ask for chips 4x4x3' \
		--network=torus:chips=3x3x4
	refused 'no box of chips 16x4x4 fits' --network=torus:chips=16x4x4
	refused 'no box of chips 4x4x8 fits' --network=torus:chips=4x4x8 --exclude=n000
	refused 'a box of chips 4x4x4 has 16 nodes, and the job asks for 8 to 8: give --nodes=16' \
		--network=torus:chips=4x4x4 -N 8
	refused 'shape= and chips= exclude each other' --network=torus:chips=4x4x4,shape=2x2x4
	refused "chips='any' is no box of chips" --network=torus:chips=any -N 4
}

@test "plain srun with a task a chip and a grid is in the order of storus map, on chips" {
	local options='--gres=tpu:4 -n 64 --ntasks-per-node=4'
	# shellcheck disable=SC2016 # for the shell within to expand
	timeout 120 salloc --quiet $options --network=torus:chips=4x4x4,grid=4x4x4 bash -c '
		echo "$SLURM_JOB_NODELIST"
		srun -l printenv SLURMD_NODENAME | sort -n | sed "s/.* //"' >"$BATS_TEST_TMPDIR/got"
	"$STORUS" map --conf "$TORUS_CONF" --nodelist "$(head -n 1 "$BATS_TEST_TMPDIR/got")" \
		--format slurm --grid 4x4x4 --tasks-per-node 4 \
		>"$BATS_TEST_TMPDIR/map" 2>"$BATS_TEST_TMPDIR/said"
	grep -q 'a task a chip: .*' "$BATS_TEST_TMPDIR/said"
	grep -q 'best: average 1.0' "$BATS_TEST_TMPDIR/said"
	expect_equal "$(tail -n +2 "$BATS_TEST_TMPDIR/got")" "$(cat "$BATS_TEST_TMPDIR/map")" "hosts"
}

@test "storus show knows the chips" {
	run -0 "$STORUS" show
	[[ $output == *'pod: 4x2x4 torus wrapping in xyz, 32 nodes of 2x2x1 chips: '* ]]
}

@test "storus reserve --chips: a box of whole nodes; a corner is in nodes" {
	run -0 "$STORUS" reserve --chips 4x4x2 --corner 3,0,3 --start now --duration 60 --dry-run
	expect_equal "$(sorted "$(sed -n 's/^nodes //p' <<<"$output")")" "$(sorted "n[000,003-004,007,024,027-028,031]")"
	run -0 "$STORUS" reserve --chips 4x8x4 --start now --duration 60 --dry-run
	expect_equal "$(sed -n 's/^count //p' <<<"$output")" 32
	run -1 "$STORUS" reserve --chips 3x3x2 --start now --duration 60
	expect_match "$output" 'no rotation of chips 3x3x2 is a box of whole nodes, .* ask for chips 2x4x3'
	run -1 "$STORUS" reserve --chips 8x8x1 --start now --duration 60
	expect_match "$output" 'nothing fits: no box 8x8x1 of chips on this machine'
}
