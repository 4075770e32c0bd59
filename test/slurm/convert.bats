#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From Slurm's topology/3d_torus to select/torus and back, by storus convert and in the
# order of the guide, under jobs that run, wait and end.
#
# As Slurm is distributed, its plugin ends slurmctld at once: it wants a Slurm built for
# three dimensions, which the other parts of that release no longer are. So it is built
# here from Slurm's own source without that check, as sites with the plugin have to.

load switch_support

setup_file()
{
	local flags source plugins=$BATS_FILE_TMPDIR/plugins
	flags=$(sed -n 's/^SLURM_SRC_CPPFLAGS = //p' "$TORUS_PLUGIN_DIR/../Makefile")
	source=${flags##* -I}/src/plugins/topology
	[ -d "$source/3d_torus" ] || return 0
	mkdir "$plugins"
	cp "$TORUS_PLUGIN_DIR"/*.so "$plugins"
	sed 's/SYSTEM_DIMENSIONS != 3/0/' "$source/3d_torus/hilbert_slurm.c" \
		>"$BATS_FILE_TMPDIR/hilbert_slurm.c"
	# What topology plugins share is in newer releases a directory of its own.
	compile_plugin "$plugins/topology_3d_torus.so" -w "$BATS_FILE_TMPDIR/hilbert_slurm.c" \
		"$source/3d_torus/hilbert.c" "$source/3d_torus/topology_3d_torus.c" \
		$(find "$source/common" -name '*.c' 2>/dev/null)
	# 4x4x4 nodes whose names say where they are
	printf 'NodeName=n[' >"$BATS_FILE_TMPDIR/nodes.conf"
	printf '%s0-%s3,' {0..3}{0..3}{,} | sed 's/,$/]\n/' >>"$BATS_FILE_TMPDIR/nodes.conf"
	TORUS_PLUGIN_DIR=$plugins cluster_start --nodes 1 --select cons_tres --exclusive \
		--topology 3d_torus --conf-append "$BATS_FILE_TMPDIR/nodes.conf"
}
setup()
{
	work=$BATS_TEST_TMPDIR
	[ -n "${CLUSTER:-}" ] || skip "this Slurm has no topology/3d_torus"
}
teardown_file() { [ -z "${CLUSTER:-}" ] || cluster_stop; }

@test "from topology/3d_torus to select/torus, and leave TopologyPlugin, with 50 jobs" {
	# Its own curve, and not the order of the names
	[[ $(scontrol -o show nodes | cut -d ' ' -f 1 | head -n 2 | xargs) == "NodeName=n000 NodeName=n010" ]]
	"$STORUS" convert --slurm-conf "$CLUSTER/etc/slurm.conf" --output "$TORUS_CONF"
	# Every node is where its name says.
	"$STORUS" curve --conf "$TORUS_CONF" | awk '"n" $2 $3 $4 != $5 { exit 1 } END { exit NR != 64 }'
	learn_ranks
	switch_to SelectType=select/torus
	logged 'by=engine'
	run scontrol show config
	[[ $output == *TopologyPlugin*=\ topology/3d_torus* ]]
}

@test "without topology/3d_torus, with 50 jobs on nodes of their own" {
	switch_to "TopologyPlugin=$(no_topology)"
	logged 'by=engine'
	[[ $(scontrol -o show nodes | cut -d ' ' -f 1 | head -n 2 | xargs) == "NodeName=n000 NodeName=n001" ]]
}

@test "from select/torus back to topology/3d_torus with 50 jobs" {
	switch_to SelectType=select/cons_tres TopologyPlugin=topology/3d_torus
	# The order of the table is that of its curve again, and its jobs follow it.
	mapfile -t curve < <(scontrol -o show nodes | sed 's/NodeName=\([^ ]*\).*/\1/')
	expect_equal "${#curve[@]} ${curve[*]:0:2}" "64 n000 n010" "nodes in the order of the table"
	ours_is_gone "${curve[@]:0:6}"
}
