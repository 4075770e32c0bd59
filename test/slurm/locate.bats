#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes that register where storus locate finds them: sysfs of Neuron devices, variables of TPUs, a descriptor of Tenstorrent's
# and a program, each faked, in front of "slurmd -Z". Four tori, whose nodes are there only once they come.

bats_require_minimum_version 1.5.0
load topology_support

inputs=$TORUS_SRCDIR/test/cli/locate

setup_file()
{
	is_since 25.05 && has_dynamic_nodes || return 0
	# Where torus.conf cannot leave places open it names who comes to them.
	local us=by_registration slice=by_registration ring=by_registration own=by_registration
	echo "TorusName=x Dims=2 Nodes=by_registration" >"$BATS_FILE_TMPDIR/open"
	if "$STORUS" curve --conf "$BATS_FILE_TMPDIR/open" 2>&1 | grep -q ' 1 nodes for Dims=2 '; then
		us='x[0-1],d[010-011]' slice='d[013,012],x[2-3]' ring='x[4-5],d[014-015]' own='x6,d016,x7,d017'
	fi
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		TorusName=us-5ad4f2c1000a3b10 ChipDims=4x4x4 NodeShape=4x4x1 Wrap=all Nodes=$us
		TorusName=slice Dims=1x1x4 Wrap=all Nodes=$slice
		TorusName=ring Dims=4 Wrap=all Nodes=$ring
		TorusName=own Dims=2x2 Wrap=all Nodes=$own
	END
	echo "MaxNodeCount=40" >"$BATS_FILE_TMPDIR/conf"
	topology_start --nodes 1 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }
setup()
{
	since 25.05
	need_dynamic_nodes
	cd "$BATS_TEST_TMPDIR" || return
}

# located PLACE NODE OPTION...: a node that comes with what storus locate prints; its place is this
located()
{
	local place=$1 node=$2
	shift 2
	text=$("$STORUS" locate --slurmd "$@") || return
	expect_equal "$text" "Topology=default:$place"
	dynamic_start "$node" "$text"
	wait_until 60 node_is "$node" idle
	expect_match "$(scontrol show topology "node=$node")" "Place=$place( |$)"
}

@test "nodes from four kinds of hardware come to the places that they find" {
	mkdir -p sys/class/neuron_device
	while read -r attribute value; do
		[[ $attribute == '#' ]] || echo "$value" >"sys/class/neuron_device/$attribute"
	done <"$inputs/neuron-4"
	located us-5ad4f2c1000a3b10:0:0:2 d010 --root . --torus us-%s
	echo 3 >sys/class/neuron_device/node_id_4
	located us-5ad4f2c1000a3b10:0:0:3 d011 --root . --torus us-%s
	export TPU_NAME=slice TPU_TOPOLOGY=2x2x4 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1
	TPU_WORKER_ID=1 located slice:0:0:1 d012 --from tpu --torus %s
	TPU_WORKER_ID=0 located slice:0:0:0 d013 --from tpu --torus %s
	located ring:2 d014 --from tenstorrent --torus ring --descriptor "$inputs/system.textproto" --host glx-2
	located ring:3 d015 --from tenstorrent --torus ring --descriptor "$inputs/system.textproto" --host glx-4
	printf '#!/bin/sh\necho own:1:$PLACE_Y\n' >program
	chmod +x program
	PLACE_Y=0 located own:1:0 d016 --program ./program
	PLACE_Y=1 located own:1:1 d017 --program ./program
	# Jobs know them, and how far they are apart.
	for pair in us-5ad4f2c1000a3b10:d010,d011 slice:d012,d013 ring:d014,d015 own:d016,d017; do
		job=$(allocate -N 2 -w "${pair#*:}")
		expect_match "$(token "$job")" "^torus=${pair%%:*},nodes=2,.*,avghops=1.00"
	done
	cluster_clear
	dynamic_end d010 d011 d012 d013 d014 d015 d016 d017
}
