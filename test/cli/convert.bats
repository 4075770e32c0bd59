#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus convert: what Slurm's own torus plugins are given, as torus.conf.

load support

# node_at CONF X Y Z: which node is there
node_at() { storus curve --conf "$1" | sed -n "s/^[0-9]* $2 $3 $4 //p"; }

# converts EXPECTED OPTION...: the line of a machine of one torus
converts()
{
	local expected=$1
	shift
	run -0 --separate-stderr storus convert "$@"
	[ -z "$stderr" ]
	equal "$(grep -v '^#' <<<"$output")" "$expected"
}

@test "names with coordinates: boxes, ranges to the base 36, lists, prefixes" {
	converts "TorusName=main Dims=2x2x2 Wrap=all Nodes=n[000,100,010,110,001,101,011,111]" \
		--nodelist 'n[000x111]'
	converts "TorusName=main Dims=1x1x12 Wrap=all Nodes=n[000-009],n00A,n00B" \
		--nodelist 'n[000-00B]'
	converts "TorusName=main Dims=1x1x4 Wrap=all Nodes=n[000-003]" --nodelist 'n[000-003]'
	converts "TorusName=main Dims=1x1x2 Wrap=all Nodes=r7-[000-001]" --nodelist r7-001,r7-000
	# Two names for one coordinate are two nodes on a router.
	converts "TorusName=main Dims=1x1x2 Wrap=all NodesPerRouter=2 Nodes=a000,b000,a001,b001" \
		--nodelist 'a[000-001],b[000-001]'
	converts "TorusName=main Dims=1x1x2 Wrap=all NodesPerRouter=2 Nodes=r[0000,1000,0001,1001]" \
		--nodelist 'r[0-1][000x001]'
}

@test "what is written reads back with every node at its coordinate" {
	storus convert --nodelist 'n[000x7FA]' --output big.conf
	equal "$(ls)" $'big.conf\ntorus-main.coords'
	grep -qx 'TorusName=main Dims=8x16x11 Wrap=all Coords=torus-main.coords' big.conf
	equal "$(storus curve --conf big.conf | wc -l)" $((8 * 16 * 11))
	# The name is the coordinate, for each of them.
	storus curve --conf big.conf | awk '
		function digit(i) { return substr("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1, 1) }
		$5 != "n" digit($2) digit($3) digit($4) { print; bad = 1 }
		END { exit bad || NR != 1408 }'
}

@test "holes need a file of coordinates, and with it --output" {
	run -2 --separate-stderr storus convert --nodelist 'n[000x111],n222'
	[[ -z $output && $stderr == *"needs a file of coordinates"*"--output"* ]]
	storus convert --nodelist 'n[000x111],n222,m222' --output machines.conf
	equal "$(tail -n 1 torus-main.coords)" "n222,m222 2 2 2"
	equal "$(node_at machines.conf 1 0 1)" n101
	equal "$(node_at machines.conf 2 2 2)" $'n222\nm222'
	run -0 storus place --conf machines.conf --free all --nodes 10
	equal "$(value_of contiguous)" yes
}

@test "slurm.conf: NodeName lines, defaults, included files, blanks and continued lines" {
	cat >slurm.conf <<-'END'
		ClusterName=c   # of [000x777] no word
		NodeName=DEFAULT CPUs=2
		nodename = t[000x100] \
			CPUs=4
		Include more/nodes
		NodeName=\
		t[010,110]
		NodeSet=n Nodes=x[0-9]
	END
	mkdir more
	echo "NodeName=t[001x111]" >more/nodes
	converts "TorusName=main Dims=2x2x2 Wrap=all Nodes=t[000,100,010,110,001,101,011,111]" \
		--slurm-conf slurm.conf
	cd more
	converts "TorusName=main Dims=2x2x2 Wrap=all Nodes=t[000,100,010,110,001,101,011,111]" \
		--slurm-conf ../slurm.conf
}

topology()
{
	cat >topology.yaml <<-'END'
		# of two machines
		- topology: flat
		  flat: true
		- topology: both
		  cluster_default: true
		  torus3d:
		    toruses:
		      - name: pod1
		        dims: {x: 4, y: 3, z: 2}
		        nodes: node[01-24]
		        placements:
		          - dims: {x: 2, y: 2, z: 1}
		      - name: pod2
		        dims:
		          x: 3
		          y: 2
		          z: 2
		        regions:
		          - anchor: {x: 0, y: 0, z: 0}
		            dims: {x: 2, y: 2, z: 1}
		            nodes: a[1-4]
		          - anchor: {x: 2, y: 1, z: 1}
		            dims: {x: 1, y: 1, z: 1}
		            nodes: b7
	END
}

@test "topology.yaml: full tori and regions" {
	topology
	storus convert --topology-yaml topology.yaml --output torus.conf
	grep -qx 'TorusName=pod1 Dims=4x3x2 Wrap=all Nodes=node\[01-24\]' torus.conf
	grep -qx 'TorusName=pod2 Dims=3x2x2 Wrap=all Coords=torus-pod2.coords' torus.conf
	equal "$(<torus-pod2.coords)" $'a1 0 0 0\na2 1 0 0\na3 0 1 0\na4 1 1 0\nb7 2 1 1'
	run -0 storus curve --conf torus.conf --torus pod1 --curve row_major
	equal "${lines[5]}" "5 1 1 0 node06"
	run -0 storus place --conf torus.conf --free all --nodelist b7
	equal "$(value_of nodes)" b7
}

@test "a single torus, region or topology need not be a list" {
	cat >topology.yaml <<-'END'
		topology: one
		torus3d: {toruses: {name: p, dims: {x: 2, y: 1, z: 1},
		  regions: {anchor: {x: 0, y: 0, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: "n[1-2]"}}}
	END
	converts "TorusName=p Dims=2x1x1 Wrap=all Nodes=n[1-2]" --topology-yaml topology.yaml
}

blocks()
{
	cat >topology.yaml <<-'END'
		- topology: pods
		  block:
		    block_sizes: [16, 32]
		    blocks:
		      - block: c0
		        nodes: t[00-15]
		      - block: c1
		        nodes: t[16-31]
		- topology: plain
		  flat: true
	END
	cat >tpu.conf <<-'END'
		# as slurm-gcp installs it
		TPUType=v5e ChipsPerNode=4 Dimensions=2 NodesPerSubBlock=64 NodesPerBlock=64 PciDeviceId=0x0063
		TPUType=v5p ChipsPerNode=4 Dimensions=3 NodesPerSubBlock=16 NodesPerBlock=2240 PciDeviceId=0x0062
		tputype=odd chipspernode=4 dimensions=3 nodespersubblock=17
		TPUType=wide ChipsPerNode=8 Dimensions=2 NodesPerSubBlock=8
		TPUType=none Dimensions=2
		TPUType=one ChipsPerNode=1 Dimensions=2 NodesPerSubBlock=16
		TPUType=word Dimensions=two NodesPerSubBlock=16
	END
}

@test "topology.yaml: blocks, each a mesh of the sides that are given" {
	blocks
	expected="TorusName=c0 Dims=2x2x4 Wrap=none Nodes=t[00-15]
TorusName=c1 Dims=2x2x4 Wrap=none Nodes=t[16-31]"
	run -0 storus convert --topology-yaml topology.yaml --block-dims 2x2x4
	equal "$(grep ^Torus <<<"$output")" "$expected"
	# A tpu.conf says how many chips a node has, and so which box of them it is.
	run -0 storus convert --topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type v5p
	equal "$(grep ^Torus <<<"$output")" "${expected//Wrap=none/Wrap=none NodeShape=2x2x1}"
	run -0 storus convert --topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type one
	equal "$(grep -c ' Dims=4x4 Wrap=none NodeShape=1x1 ' <<<"$output")" 2
	storus convert --topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type v5p --output chips.conf
	run -0 storus place --conf chips.conf --torus c0 --free all --chips 2x2x4
	[[ $output == *$'\n'"volume 4"$'\n'* ]]
	storus convert --topology-yaml topology.yaml --block-dims 4x4 --output torus.conf
	run -0 storus curve --conf torus.conf --torus c1 --curve row_major
	equal "${lines[5]}" "5 1 1 t21"
}

# What topograph writes for Slurm, also into the ConfigMap of a Slinky cluster.
topology_conf()
{
	cat >topology.conf <<-'END'
		# b1=rack-1
		BlockName=b1 Nodes=t[00-15]
		# b2=rack-2
		BlockName=b2 Nodes=t[16-23],u[0-7]
		BlockSizes=16,32
	END
}

@test "topology.conf: blocks, as topograph writes them" {
	topology_conf
	blocks
	run -0 storus convert --topology-conf topology.conf --block-dims 2x2x4
	equal "$(grep ^Torus <<<"$output")" "TorusName=b1 Dims=2x2x4 Wrap=none Nodes=t[00-15]
TorusName=b2 Dims=2x2x4 Wrap=none Nodes=t[16-23],u[0-7]"
	run -0 storus convert --topology-conf topology.conf --tpu-conf tpu.conf --tpu-type v5p
	equal "$(grep -c ' Dims=2x2x4 Wrap=none NodeShape=2x2x1 ' <<<"$output")" 2
	storus convert --topology-conf topology.conf --block-dims 4x4 --output torus.conf
	run -0 storus curve --conf torus.conf --torus b2 --curve row_major
	equal "${lines[9]}" "9 1 2 u1"
	# Skeletons, blocks of other sizes and nodes that have a place are left out, by name.
	sed -i '2s/ Nodes=.*//; 4s/u/t/' topology.conf
	echo "blockname=b/3 nodes=v[0-15]
BlockName=b4 Nodes=v[0-14]
BlockName=b5 Nodes=v[15-30]" >>topology.conf
	run -0 --separate-stderr storus convert --topology-conf topology.conf --block-dims 4x4
	equal "$(grep ^Torus <<<"$output")" "TorusName=b2 Dims=4x4 Wrap=none Nodes=t[16-23,0-7]
TorusName=b_3 Dims=4x4 Wrap=none Nodes=v[0-15]"
	equal "$stderr" "storus convert: topology.conf:2: block 'b1' is left out: it has no nodes
storus convert: topology.conf:7: block 'b4' is left out: 15 nodes, but 4x4 are 16
storus convert: topology.conf:8: block 'b5' is left out: node 'v15' has a place already"
}

@test "a topology.conf that is wrong is refused" {
	topology_conf
	while IFS='|' read -r script text; do
		topology_conf
		sed -i "$script" topology.conf
		run -2 --separate-stderr storus convert --topology-conf topology.conf --block-dims 4x4
		[[ -z $output && ${stderr##*$'\n'} == "storus convert: topology.conf:$text"* ]] || {
			echo "$script: $stderr"
			return 1
		}
	done <<-'END'
		2s/15/x/|2: Nodes: 
		4s/b2/b1/|4: a second torus called 'b1'
		4s/BlockName=b2/SwitchName=s/|4: neither BlockName= nor BlockSizes=
		/Name/d|3: no block with nodes
		s/ Nodes=.*//|5: no block with nodes
	END
	run -2 storus convert --topology-conf topology.conf
	[[ $output == *"what is a block of --topology-conf? Give --block-dims or --tpu-conf"* ]]
}

@test "blocks and tpu.conf that are wrong are refused" {
	blocks
	refuses convert <<-'END'
		--topology-yaml topology.yaml | topology.yaml:1: topology 'pods' is left out: it is of blocks; say what one is: --block-dims
		--topology-yaml topology.yaml --block-dims 2x2x2 | topology.yaml:5: block 'c0' is left out: 16 nodes, but 2x2x2 are 8
		--topology-yaml topology.yaml --block-dims 2y2 | --block-dims:
		--nodelist n000 --block-dims 2x2 | blocks are those of --topology-yaml or --topology-conf
		--topology-yaml topology.yaml --block-dims 4x4 --tpu-conf tpu.conf --tpu-type v5p | exclude each other
		--topology-yaml topology.yaml --tpu-conf tpu.conf | --tpu-conf and --tpu-type go together
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type v9 | tpu.conf:8: no line with TPUType=v9
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type odd | tpu.conf:4: 17 nodes of 4 chips are no cube; give --block-dims
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type wide | tpu.conf:5: nodes of 8 chips may be of any shape; give --block-dims
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type none | tpu.conf:6: no NodesPerSubBlock=; give --block-dims
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type word | tpu.conf:8: Dimensions=two: not a number
		--topology-yaml topology.yaml --tpu-conf tpu.conf --tpu-type v5e | topology.yaml:5: block 'c0' is left out: 16 nodes, but 8x8 are 64
	END
	yaml_blocks 's/block: c1/block: c0/' "7: a second torus called 'c0'"
	yaml_blocks 's/block: c1/name: c1/' "7: a block without 'block'"
	yaml_blocks 's/blocks:/rings:/' "a topology of blocks without 'blocks'"
}
# yaml_blocks SCRIPT PATTERN: the file above, edited by this script of sed
yaml_blocks()
{
	blocks
	sed -i "$1" topology.yaml
	run -2 --separate-stderr storus convert --topology-yaml topology.yaml --block-dims 4x4
	[[ -z $output && $stderr == *"topology.yaml:"*"$2"* ]] || {
		printf 'after %s\nexpected: %s\nstderr:   %s\n' "$1" "$2" "$stderr" >&2
		return 1
	}
}

# mesh INSTANCES [EXPRESS]: a mesh graph descriptor of 32x4 chips, a ring of four hosts of 8x4
mesh() {
	cat >mesh.textproto <<-END
		mesh_descriptors { # of one pod
		  name: "M0" arch: BLACKHOLE
		  device_topology { dims: [ 32, 4 ] dim_types: [ RING, LINE ] }
		  host_topology { dims: [ 4, 1 ] }
		  ${2-}
		}
		$1
	END
}

@test "mesh graph descriptors: rings, hosts of chips, express connections as Links=" {
	one='top_level_instance { mesh { mesh_descriptor: "M0" mesh_id: 0 } }'
	mesh "$one"
	run -0 --separate-stderr storus convert --mesh-descriptor mesh.textproto
	equal "$stderr" ""
	equal "$output" "# Made by storus convert from mesh.textproto.
TorusName=main Dims=4x1 Wrap=x NodeShape=8x4 Nodes=by_registration"
	# chip 64 is at (16,0), as the second dimension is the fastest; a number that is 0 may be left out
	mesh "$one" 'express_connections { dst: 64 } express_connections { src: 99 dst: 35 }
		express_connections { src: 64 dst: 0 } express_connections { src: 0 dst: 4 }'
	run -0 --separate-stderr storus convert --mesh-descriptor mesh.textproto
	equal "$(tail -n 1 <<<"$output")" \
		"TorusName=main Dims=4x1 Wrap=x NodeShape=8x4 Links=0:0-16:0,8:3-24:3 Nodes=by_registration"
	equal "$stderr" "storus convert: mesh.textproto: torus 'main': the express connection from chip 0 to 4 is left out: the mesh has it already"
	storus convert --mesh-descriptor mesh.textproto --output torus.conf
	run -0 storus curve --conf torus.conf --curve row_major
	equal "${lines[3]}" "3 3 0 main:3:0"
	# several meshes, told apart by their numbers
	mesh 'graph_descriptors { instances { mesh { mesh_descriptor: "M0" } }
		instances: [ { mesh { mesh_descriptor: "M0" mesh_id: 7 } } ] }
		top_level_instance { graph { graph_descriptor: "G0" graph_id: 0 } }'
	run -0 storus convert --mesh-descriptor mesh.textproto
	equal "$(awk '{ print $1 }' <<<"$output" | grep Torus | xargs)" "TorusName=mesh0 TorusName=mesh7"
}

@test "mesh graph descriptors that are wrong are refused" {
	one='top_level_instance { mesh { mesh_descriptor: "M0" mesh_id: 0 } }'
	while IFS='|' read -r instances express says; do
		mesh "$instances" "$express"
		run -2 --separate-stderr storus convert --mesh-descriptor mesh.textproto
		equal "$stderr" "storus convert: mesh.textproto:$says"
	done <<-END
		$one|express_connections { dst: 128 }|6: mesh 'M0': express_connections from chip 0 to 128, but the last one is 127
		$one|express_connections { src: -1 }|5: '-1' is no number up to 99999999
		$one|host_topology { dims: 1 }|6: mesh 'M0': 2 sides in device_topology and 3 in host_topology
		|| no instance of a mesh, as top_level_instance of a mesh graph descriptor has
		top_level_instance { mesh { mesh_descriptor: "M1" } }|| no mesh_descriptors with the name 'M1'
		graph_descriptors { instances { graph { graph_id: 0 } } }||7: a graph of graphs: give a descriptor of the meshes of one of them
	END
	mesh "$one"
	sed -i 's/4, 1/3, 1/' mesh.textproto
	run -2 --separate-stderr storus convert --mesh-descriptor mesh.textproto
	equal "$stderr" "storus convert: mesh.textproto:6: mesh 'M0': 3 hosts do not share 32 chips evenly"
	mesh "$one" 'express_connections { dst: 8 }'
	sed -i 's/32, 4/320, 40/' mesh.textproto
	run -2 --separate-stderr storus convert --mesh-descriptor mesh.textproto
	equal "$stderr" "storus convert: mesh.textproto: torus 'main': Links= takes 4096 links between 8192 chips at most: take express_connections out"
}

@test "keys without a value, as scontrol show topoconf prints them, are not given" {
	cat >topology.yaml <<-'END'
		%YAML 1.1
		---
		- topology: default
		  cluster_default: true
		  block: {}
		  flat: {}
		  torus3d:
		    toruses:
		    - name: p
		      nodes: n[1-2]
		      dims: {x: 2, y: 1, z: 1}
		      placements: []
		      regions: []
		    - name: q
		      nodes:
		      dims: {x: 2, y: 1, z: 1}
		      regions:
		      - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 1, y: 1, z: 1}, nodes: n3}
		  tree: {}
		...
	END
	storus convert --topology-yaml topology.yaml --output torus.conf
	equal "$(grep ^TorusName torus.conf)" "TorusName=p Dims=2x1x1 Wrap=all Nodes=n[1-2]
TorusName=q Dims=2x1x1 Wrap=all Coords=torus-q.coords"
	equal "$(<torus-q.coords)" "n3 1 0 0"
	sed -i '/- {anchor/d' topology.yaml
	run -0 --separate-stderr storus convert --topology-yaml topology.yaml
	equal "$(grep ^TorusName <<<"$output")" "TorusName=p Dims=2x1x1 Wrap=all Nodes=n[1-2]
TorusName=q Dims=2x1x1 Wrap=all Nodes=by_registration"
	[[ $stderr == *"topology.yaml:14: torus 'q' has its nodes when they register"* ]]
	# More than torus.conf has room for.
	sed -i 's/dims: {x: 2, y: 1, z: 1}/dims: {x: 64, y: 64, z: 32}/; /- name: p/,/regions: \[\]/d' topology.yaml
	run -2 --separate-stderr storus convert --topology-yaml topology.yaml
	[[ $stderr == *"torus 'q' of 64x64x32 is left out: its nodes bring their places"*"has room for 65536 such places"* ]]
}

# Each file says in its head whether a slurmctld of 26.05 takes it (from_torus3d.bats asks
# one), after "= " the tori that come of it, and after "> " what is said on standard error.
@test "whatever slurmctld takes is converted, or what is left out is named" {
	for file in "$BATS_TEST_DIRNAME"/topology_yaml/*.yaml; do
		sed -n 's/^# = //p' "$file" >tori
		sed -n 's/^# > //p' "$file" >said
		read -ra dims < <(sed -n 's/^# block-dims: /--block-dims /p' "$file") || dims=()
		rm -f torus.conf
		run --separate-stderr storus convert --topology-yaml "$file" "${dims[@]}" --output torus.conf
		[ "$status" = "$([ -s tori ] && echo 0 || echo 2)" ]
		diff tori <(grep -s ^TorusName torus.conf)
		diff said <(sed -n 's/^storus convert: [^:]*:[0-9]*: //p' <<<"$stderr")
		# A refused file may be converted; one that is taken is refused only if it has no torus.
		[ -s tori ] || [ -s said ]
		[ ! -e torus.conf ] || storus curve --conf torus.conf --torus "$(sed -n '1s/TorusName=\([^ ]*\).*/\1/p' tori)" >/dev/null
	done
	[ "$(grep -l '^# slurmctld takes this' "$BATS_TEST_DIRNAME"/topology_yaml/*.yaml | wc -l)" -ge 20 ]
}

# yaml_refused SCRIPT PATTERN: the file above, edited by this script of sed
yaml_refused()
{
	topology
	sed -i "$1" topology.yaml
	run -2 --separate-stderr storus convert --topology-yaml topology.yaml
	[[ -z $output && $stderr == "storus convert: topology.yaml:"*"$2"* ]] || {
		printf 'after %s\nexpected: %s\nstderr:   %s\n' "$1" "$2" "$stderr" >&2
		return 1
	}
}

@test "a topology.yaml that is wrong is refused with the line" {
	yaml_refused 's/x: 4/x: 5/' "10: nodes: 24 nodes, but dims of 5x3x2 have 30 coordinates"
	yaml_refused 's/x: 4/x: 0/' "9: x: '0' is not a whole number from 1 to 65535"
	yaml_refused 's/x: 4/x: four/' "9: x: 'four' is not a whole number"
	yaml_refused 's/x: 4, y/a: 4, y/' "9: a coordinate without 'x'"
	yaml_refused 's/x: 4, y/y: 4, y/' "9: a coordinate without 'x'"
	yaml_refused 's/x: 4, //' "9: a coordinate without 'x'"
	yaml_refused 's/dims: {x: 4.*/dims: 4x3x2/' "9: a coordinate is written as"
	yaml_refused 's/nodes: node/regions: node/' "10: a region is written as"
	yaml_refused 's/name: pod2/name: pod1/' "13: a second torus called 'pod1'"
	yaml_refused 's/name: pod2/label: pod2/' "13: a torus without 'name'"
	yaml_refused 's/nodes: a\[1-4/nodes: node[01-04/' "node 'node01' is named twice"
	yaml_refused 's/nodes: a\[1-4\]/nodes: a[1-4/' "nodes: hostlist: 'a[1-4'"
	yaml_refused 's/anchor: {x: 2/anchor: {x: 3/' "22: a region that leaves the torus 'pod2'"
	yaml_refused 's/anchor: {x: 2, y: 1, z: 1/anchor: {x: 1, y: 1, z: 0/' \
		"22: a region upon another one of 'pod2'"
	yaml_refused 's/torus3d:/tree:/' "no torus with nodes"
	yaml_refused 's/topology: flat/topology: [flat/' "not YAML"
}

@test "node lists and slurm.conf that are wrong are refused, files with the line" {
	echo $'\nNodeName=login CPUs=1' >login.conf
	printf 'NodeName=n000\nInclude login.conf\n' >includes.conf
	echo "Include loop.conf" >loop.conf
	echo "Include none.conf" >missing.conf
	echo "Include %c.conf" >cluster.conf
	echo "NodeName=" >empty.conf
	echo "ClusterName=c" >without.conf
	printf 'NodeName=n000\nNodeName=n[000-001]\n' >twice.conf
	echo 'NodeName="n000' >quote.conf
	refuses convert <<-'END'
		                                 | Give one of --slurm-conf
		--nodelist n000 --slurm-conf x   | Give one of --slurm-conf
		--nodelist login                 | node 'login' does not end in three coordinates
		--nodelist n00a                  | node 'n00a' does not end in three coordinates
		--nodelist 00                    | node '00' does not end in three coordinates
		--nodelist n[000-013]            | '[000-013]' has other names to the base 10
		--nodelist n[100x011]            | '100x011' descends
		--nodelist n[00B-00A]            | '00B-00A' descends
		--nodelist n[00x11]              | '00x11' is not of the form
		--nodelist n[0AG                 | hostlist: 'n[0AG'
		--nodelist n000,n000             | --nodelist: node 'n000' is named twice
		--slurm-conf none                | cannot read 'none': No such file
		--slurm-conf login.conf          | login.conf:2: node 'login' does not end
		--slurm-conf includes.conf       | includes.conf:2: login.conf:2: node 'login'
		--slurm-conf loop.conf           | loop.conf:1: included files are more than 8 deep
		--slurm-conf missing.conf        | missing.conf:1: cannot read 'none.conf': No such
		--slurm-conf cluster.conf        | cluster.conf:1: cannot include '%c.conf': write
		--slurm-conf empty.conf          | empty.conf:1: NodeName without a value
		--slurm-conf without.conf        | without.conf: no NodeName= line names a node
		--slurm-conf twice.conf          | twice.conf: node 'n000' is named twice
		--slurm-conf quote.conf          | quote.conf:1:
		--topology-yaml none             | cannot read 'none'
		--nodelist n000 --output no/file | cannot write 'no/file'
	END
}

@test "a torus.conf that cannot be written stays as it was" {
	echo old >torus.conf
	mkdir torus-main.coords
	run -2 --separate-stderr storus convert --nodelist n000,n011 --output torus.conf
	[[ $stderr == *"cannot write 'torus-main.coords'"* ]]
	equal "$(<torus.conf)" old
}
