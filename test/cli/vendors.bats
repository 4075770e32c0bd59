#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/examples/vendors: what a job's processes are told, against the values that the vendors' own scripts give for the same
# slice. What Slurm says is made up here; test/slurm/vendors.bats has a cluster.

load support

prolog=$(realpath "$BATS_TEST_DIRNAME/../../docs/examples/vendors/task-prolog")

# job "NODE..." BOX WORD...: a job of these nodes, with the torus of a torus.conf of these words
job() {
	hosts=$1
	nodes=$(wc -w <<<"$1")
	export JOB_NODES=${1// /,} TOKEN="torus=main,nodes=$nodes,span=1,box=$2,avghops=1.00"
	shift 2
	echo "TorusName=main $*" >torus.conf
	mkdir -p bin
	cat >bin/storus <<-'END'
		#!/bin/bash
		case $1 in
		token) echo "$TOKEN" ;;
		map) shift 3; exec "$STORUS_BINARY" map --conf torus.conf --nodelist "$JOB_NODES" "$@" ;;
		esac
	END
	chmod +x bin/storus
	export STORUS_BINARY=$storus_binary
}

# told NODE VARIABLE: what the process on that node is told
told() {
	PATH=$PWD/bin:$PATH SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=$nodes SLURM_STEP_NUM_NODES=${STEP_NODES-$nodes} \
		SLURM_STEP_NUM_TASKS=${STEP_TASKS-$nodes} SLURMD_NODENAME=$1 bash "$prolog" | sed -n "s/^export $2=//p"
}

@test "TPU: a whole slice has the bounds of its metadata, and task i is host i, x fastest" {
	# tpu-env of a v4-256: TOPOLOGY 4x4x8, TPU_PROCESS_BOUNDS 2,2,8, TPU_CHIPS_PER_PROCESS_BOUNDS 2,2,1
	job "$(echo n0{00..31})" 2x2x8 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$nodes" 32
	for node in 000 001 002 006 031; do
		equal "$(told "n$node" TPU_PROCESS_BOUNDS)" 2,2,8
		equal "$(told "n$node" TPU_CHIPS_PER_PROCESS_BOUNDS)" 2,2,1
		equal "$(told "n$node" CLOUD_TPU_TASK_ID)" "$((10#$node))"
	done
	equal "$(told n003 TPU_PROCESS_ADDRESSES)" "$(seq -f 'n%03.0f:8476' 0 31 | paste -sd,)"
	equal "$(told n003 TPU_PROCESS_PORT)" 8476
}

@test "TPU: slices of 2x2x2 and 2x2x4 chips" {
	# pytorch/xla's test of a v4-16: 1,1,2 processes of 2,2,1
	job 'n000 n004' 1x1x2 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$(told n004 TPU_PROCESS_BOUNDS)" 1,1,2
	equal "$(told n004 CLOUD_TPU_TASK_ID)" 1
	job 'n001 n005 n009 n013' 1x1x4 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$(told n009 TPU_PROCESS_BOUNDS)" 1,1,4
	equal "$(told n009 CLOUD_TPU_TASK_ID)" 2
	# Over the end of the ring in z, its corner is at z=6.
	job 'n001 n005 n025 n029' 1x1x4 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$(told n025 CLOUD_TPU_TASK_ID) $(told n029 CLOUD_TPU_TASK_ID) $(told n001 CLOUD_TPU_TASK_ID) $(told n005 CLOUD_TPU_TASK_ID)" \
		"0 1 2 3"
	equal "$(told n001 TPU_PROCESS_ADDRESSES)" "n025:8476,n029:8476,n001:8476,n005:8476"
	# Two dimensions are three for libtpu (v6e: 4x4 chips on 2,2,1 hosts).
	job 'n0 n1 n2 n3' 2x2 ChipDims=4x4 NodeShape=2x2 'Nodes=n[0-3]'
	equal "$(told n2 TPU_PROCESS_BOUNDS)" 2,2,1
	equal "$(told n2 CLOUD_TPU_TASK_ID)" 2
}

@test "no box, a part of the job, or several tasks a node: nothing is said" {
	job 'n000 n004 n009' 2x1x3 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$(told n000 '.*')" ""
	job 'n000 n004' 1x1x2 ChipDims=4x4x8 NodeShape=2x2x1 Wrap=xyz 'Nodes=n[000-031]'
	equal "$(STEP_NODES=1 told n000 '.*')$(STEP_TASKS=8 told n000 '.*')" ""
	equal "$(told n017 '.*')" ""
}

# instance NODE SERVER_4 NODE_4 SERVER_2 NODE_2: what its driver says
instance() {
	mkdir -p "sys/$1"
	echo "$2" >"sys/$1/server_id_4"
	echo "$3" >"sys/$1/node_id_4"
	echo "$4" >"sys/$1/server_id_2"
	echo "$5" >"sys/$1/node_id_2"
	echo 1,3,4 >"sys/$1/ultraserver_mode"
}

@test "Neuron: four, two and one instance of an UltraServer, as AWS's init script for Kubernetes has it" {
	instance n0 5ad4f2c1000a3b10 0 5ad4f2c1000a3b10 0
	instance n1 5ad4f2c1000a3b10 1 5ad4f2c1000a3b10 1
	instance n2 5ad4f2c1000a3b10 2 5ad4f2c1000a3b0f 0
	instance n3 5ad4f2c1000a3b10 3 5ad4f2c1000a3b0f 1
	export TORUS_CHIPS=neuron
	ultraserver=(ChipDims=4x4x4 NodeShape=4x4x1 Wrap=xyz 'Nodes=n[0-3]')
	# as_told NODELIST BOX MODE SIZE: k8s-ultraserver-init-script.sh sorts server:node:host, and numbers the lines
	as_told() {
		job "$1" "$2" "${ultraserver[@]}"
		local topoid=0 server node host
		sorted=$(for host in $hosts; do
			echo "$(<"sys/$host/server_id_$4"):$(<"sys/$host/node_id_$4"):$host"
		done | sort -t: -k1,1 -k2,2 -k3,3)
		while IFS=: read -r server node host; do
			export NEURON_SYSFS=$PWD/sys/$host
			equal "$(PATH=$PWD/bin:$PATH SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=$nodes SLURM_STEP_NUM_NODES=$nodes SLURM_STEP_NUM_TASKS=$nodes \
				SLURMD_NODENAME=$host bash "$prolog" | sed 's/^export //' | paste -sd' ')" \
				"NEURON_GLOBAL_TOPOID=$topoid NEURON_GLOBAL_TOPOID0_HOST=$(head -n 1 <<<"$sorted" | cut -d: -f3) NEURON_RT_ULTRASERVER_MODE=$3 NEURON_RT_ULTRASERVER_SERVER_ID=$server NEURON_RT_ULTRASERVER_NODE_ID=$node"
			topoid=$((topoid + 1))
		done <<<"$sorted"
	}
	as_told 'n0 n1 n2 n3' 1x1x4 1 4
	as_told 'n0 n1' 1x1x2 3 2
	as_told 'n2 n3' 1x1x2 3 2
	# 1 and 2 are neighbours, but no server of two.
	job 'n1 n2' 1x1x2 "${ultraserver[@]}"
	NEURON_SYSFS=$PWD/sys/n1 equal "$(NEURON_SYSFS=$PWD/sys/n1 told n1 '.*')" ""
	# One on its own
	job n2 1x1x1 "${ultraserver[@]}"
	equal "$(NEURON_SYSFS=$PWD/sys/n2 told n2 NEURON_GLOBAL_TOPOID) $(NEURON_SYSFS=$PWD/sys/n2 told n2 NEURON_RT_ULTRASERVER_MODE) $(
		NEURON_SYSFS=$PWD/sys/n2 told n2 NEURON_RT_ULTRASERVER_NODE_ID) $(NEURON_SYSFS=$PWD/sys/n2 told n2 NEURON_RT_ULTRASERVER_SERVER_ID)" \
		"0 4 -1 0000000000000000"
}

@test "Tenstorrent: a host's rank in its mesh, the second dimension fastest" {
	export TORUS_CHIPS=tenstorrent
	# host_topology 4x2 of mesh_graph.cpp: rank = row * 2 + column
	job 'n0 n1 n2 n3 n4 n5 n6 n7' 4x2 ChipDims=16x8 NodeShape=4x4 Wrap=xy 'Nodes=n[0-7]'
	for cell in 0 1 4 5 7; do
		equal "$(told "n$cell" TT_MESH_HOST_RANK)" "$((cell % 4 * 2 + cell / 4))"
		equal "$(told "n$cell" TT_MESH_ID)" 0
	done
}
