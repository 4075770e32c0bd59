#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus locate: from recorded inputs (test/cli/locate), and from nonsense.

load support

inputs=$(realpath "$BATS_TEST_DIRNAME/locate")

# What another test, or this host, may have set must not count.
unset TPU_WORKER_ID TPU_HOST_BOUNDS TPU_TOPOLOGY TPU_CHIPS_PER_HOST_BOUNDS TPU_NAME
unset TT_MESH_GRAPH_DESC_PATH TT_MESH_HOST_RANK TT_MESH_ID

# sysfs FILE: a tree in the current directory with the attributes that FILE lists
sysfs() {
	local attribute value
	rm -rf node
	mkdir -p node/sys/class/neuron_device
	while read -r attribute value; do
		[[ $attribute == '#' ]] || printf '%s\n' "$value" >"node/sys/class/neuron_device/$attribute"
	done <"$inputs/$1"
}

# locates PLACE ARGUMENT...: the command prints this place and nothing else
locates() {
	local place=$1
	shift
	run -0 --separate-stderr storus locate "$@"
	equal "$stderr" ""
	equal "$output" "$place"
}

# fails STATUS PATTERN ARGUMENT...: it prints nothing but one message
fails() {
	local status_wanted=$1 pattern=$2
	shift 2
	run "-$status_wanted" --separate-stderr storus locate "$@"
	# shellcheck disable=SC2154 # set by run
	[[ -z $output && $stderr == "storus locate: "* && $stderr == *"$pattern"* ]] || {
		printf 'expected: %s\nstderr:   %s\nstdout:   %s\n' "$pattern" "$stderr" "$output" >&2
		return 1
	}
	equal "$(wc -l <<<"${stderr%$'\n'Try*}")" 1
}

# site_program TEXT: ./program is a shell script of these lines
site_program() {
	printf '#!/bin/sh\n%s\n' "$1" >program
	chmod +x program
}

# ended PROCESS: there is none, or only what is left until somebody asks for its status
ended() {
	[[ ! -e /proc/$1/stat || $(cut -d ' ' -f 3 "/proc/$1/stat") == Z ]]
}

@test "a node that knows nothing of a place says so" {
	mkdir node
	fails 1 "nothing here tells where this node is" --root node
	fails 1 "there is no 'node/sys/class/neuron_device/node_id_2'" --root node --from neuron
	fails 1 "no TPU_WORKER_ID and no 'node/run/storus/tpu-env'" --root node --from tpu
	fails 1 "no --descriptor and no TT_MESH_GRAPH_DESC_PATH" --root node --from tenstorrent
	refuses locate <<-'END'
		--from program        | --from program and --program go together
		--from tpu --program x | --from program and --program go together
		--from moon           | unknown from 'moon'; known are program, neuron, tpu, tenstorrent
		--slurmd=magic        | unknown slurmd 'magic'; known are topology, feature
		--time-limit 0        | --time-limit: '0' is not a number of seconds above 0 up to 86400
	END
}

@test "Neuron: an instance's place in its UltraServer" {
	sysfs neuron-4
	locates main:0:0:2 --root node
	locates main:0:0:2 --root node --from neuron
	locates us-5ad4f2c1000a3b10:0:0:2 --root node --torus us-%s
	sysfs neuron-2
	locates us-5ad4f2c1000a3b10:0:0:1 --root node --torus us-%s
	sysfs neuron-1
	fails 1 "in no UltraServer" --root node
	sysfs neuron-busy
	fails 1 "node_id_4' says busy: the driver is still finding out" --root node
	: >node/sys/class/neuron_device/node_id_4
	fails 1 "node_id_4' is empty: the driver has just been loaded" --root node
	# A driver that tells of pairs alone
	sysfs neuron-2
	rm node/sys/class/neuron_device/*_4
	locates main:0:0:1 --root node
}

@test "Neuron: all four of a server have places of their own, which make a ring of planes" {
	for id in 0 1 2 3; do
		sysfs neuron-4
		echo "$id" >node/sys/class/neuron_device/node_id_4
		locates "main:0:0:$id" --root node
		run -0 storus locate --root node
		echo "n$id ${output#main:}" | tr : ' ' >>coords
	done
	echo "TorusName=main ChipDims=4x4x4 NodeShape=4x4x1 Wrap=xyz Coords=coords" >torus.conf
	run -0 storus place --conf torus.conf --free all --nodes 4 --chips 4x4x4
	equal "$(value_of box)" 1x1x4
}

@test "Neuron: what is no number of a node or server is refused, with its file" {
	for nonsense in x -2 4 99999999999999999999 '1 2' '0x1' $'\xff\xfe'; do
		sysfs neuron-4
		printf '%s\n' "$nonsense" >node/sys/class/neuron_device/node_id_4
		fails 2 "'node/sys/class/neuron_device/node_id_4' holds '" --root node
	done
	for nonsense in '' 5ad4 5ad4f2c1000a3b1g 5ad4f2c1000a3b100; do
		sysfs neuron-4
		printf '%s\n' "$nonsense" >node/sys/class/neuron_device/server_id_4
		fails 2 "'node/sys/class/neuron_device/server_id_4' holds '$nonsense', not the 16 digits" --root node
	done
	rm node/sys/class/neuron_device/server_id_4
	fails 2 "there is no 'node/sys/class/neuron_device/server_id_4'" --root node
	sysfs neuron-4
	rm node/sys/class/neuron_device/node_id_4
	mkfifo node/sys/class/neuron_device/node_id_4
	fails 2 "it is no regular file" --root node
	rm node/sys/class/neuron_device/node_id_4
	head -c 5000 /dev/zero | tr '\0' 1 >node/sys/class/neuron_device/node_id_4
	fails 2 "it is too long" --root node
	printf '1\0' >node/sys/class/neuron_device/node_id_4
	fails 2 "it is no text" --root node
}

@test "TPU: a worker's number is a place only where somebody says so" {
	mkdir -p node/run/storus
	cp "$inputs/tpu-env" node/run/storus
	fails 1 "WORKER_ID=6 of 32 hosts may be the order of pods and no place" --root node
	locates main:0:1:1 --root node --from tpu
	locates my-slice:0:1:1 --root node --from tpu --torus %s
	# A slice of one host leaves no choice.
	export TPU_WORKER_ID=0 TPU_TOPOLOGY=2x2 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 TPU_HOST_BOUNDS=1,1,1
	locates main:0:0 --root node
}

@test "TPU: variables come before the file; each set of them that says how many hosts there are will do" {
	mkdir -p node/run/storus
	cp "$inputs/tpu-env" node/run/storus
	export TPU_WORKER_ID=3 TPU_HOST_BOUNDS=1,1,4
	locates main:0:0:3 --root node --from tpu
	export TPU_TOPOLOGY=2x2x4 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1
	locates main:0:0:3 --root node --from tpu
	unset TPU_HOST_BOUNDS
	locates main:0:0:3 --root node --from tpu
	# As many coordinates as the topology has sides
	export TPU_TOPOLOGY=4x8
	locates main:1:1 --root node --from tpu
	fails 2 "nothing says what stands for %s" --root node --from tpu --torus s-%s
	TPU_NAME='a slice' locates s-a_slice:1:1 --root node --from tpu --torus s-%s
}

@test "TPU: what does not fit together is refused" {
	mkdir node
	export TPU_WORKER_ID=4 TPU_HOST_BOUNDS=1,1,4
	fails 2 "TPU_WORKER_ID=4, but there are 1x1x4 hosts, the last of which is 3" --root node
	export TPU_WORKER_ID=-1
	fails 2 "TPU_WORKER_ID='-1' is no number" --root node
	export TPU_WORKER_ID=1
	for nonsense in 0,1,1 1,1,1,1 2x2 a '' , 1,1,4294967297; do
		export TPU_HOST_BOUNDS=$nonsense
		fails 2 "TPU_HOST_BOUNDS" --root node --from tpu
	done
	export TPU_HOST_BOUNDS=1,1,4 TPU_TOPOLOGY=2x2x8 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1
	fails 2 "TPU_TOPOLOGY='2x2x8' chips are not made of hosts with TPU_CHIPS_PER_HOST_BOUNDS='2,2,1'" --root node
	unset TPU_HOST_BOUNDS
	export TPU_TOPOLOGY=3x2x8
	fails 2 "TPU_TOPOLOGY='3x2x8' chips are not made of hosts" --root node
	unset "${!TPU_@}"
	mkdir -p node/run/storus
	echo "ZONE: 'nowhere'" >node/run/storus/tpu-env
	fails 2 "'node/run/storus/tpu-env' has no WORKER_ID: 'number'" --root node
	sed "s/HOST_BOUNDS: '2,2,8'/HOST_BOUNDS: '2,2,z'/" "$inputs/tpu-env" >node/run/storus/tpu-env
	fails 2 "'node/run/storus/tpu-env': HOST_BOUNDS='2,2,z'" --root node
}

@test "Tenstorrent: hosts along their ring or line, the same for all of them" {
	system=(--root node --torus %s --descriptor "$inputs/system.textproto")
	mkdir node
	# 0 is cabled to 2 and 3, and 1 to these: 0 2 1 3
	locates glx-1:0 "${system[@]}" --host glx-1.example.com
	locates glx-1:1 "${system[@]}" --host glx-3
	locates glx-1:2 "${system[@]}" --host GLX-2.elsewhere
	locates glx-1:3 "${system[@]}" --host glx-4.example.com
	locates pair-b:0 "${system[@]}" --host pair-b
	locates pair-b:1 "${system[@]}" --host pair-a
	locates alone:0 "${system[@]}" --host alone
	fails 2 "system.textproto: none of 7 hosts is called 'glx-9': give its name with --host" "${system[@]}" --host glx-9
	sed "s/alone/$(hostname)/" "$inputs/system.textproto" >own
	locates main:0 --root node --descriptor own
}

# ring HOSTS CABLE...: a descriptor in which the host of each of these numbers is cabled to the next one
ring() {
	local number hosts=$1
	for ((number = 0; number < hosts; number++)); do
		echo "hosts { hostname: \"h$number\" }"
	done
	shift
	for number; do
		echo "eth_connections { connection { endpoint_a { host_id: $number } endpoint_b { host_id: $(((number + 1) % hosts)) } } }"
	done
}

@test "Tenstorrent: a ring has the same places from whichever of its hosts and cables one begins" {
	for cables in "0 1 2" "2 0 1" "0 1 2 3" "3 2 1 0" "2 0 3 1 4"; do
		# shellcheck disable=SC2086 # numbers
		ring "$(wc -w <<<"$cables")" $cables >ring
		for host in $cables; do
			locates "main:$host" --descriptor ring --host "h$host" --from tenstorrent
		done
	done
}

@test "Tenstorrent: hosts that make neither ring nor line are refused" {
	cat >star <<-'END'
		hosts { hostname: "a" } hosts { hostname: "b" } hosts { hostname: "c" } hosts { hostname: "d" }
		eth_connections {
		  connection { endpoint_a { host_id: 0 } endpoint_b { host_id: 1 } }
		  connection { endpoint_a { host_id: 0 } endpoint_b { host_id: 2 } }
		  connection { endpoint_a { host_id: 0 } endpoint_b { host_id: 3 } }
		}
	END
	for host in a b d; do
		fails 2 "star: the host 'a' is linked to three others or more" --from tenstorrent --descriptor star --host $host
	done
	echo 'hosts { hostname: "a" } eth_connections { connection { endpoint_a { host_id: 0 } endpoint_b { host_id: 7 } } }' >star
	fails 2 "star: a link to host 7, but there are 1 of them" --from tenstorrent --descriptor star --host a
	echo 'eth_connections { connection { endpoint_a { host_id: 2000000000 } endpoint_b { host_id: 7 } } }' >star
	fails 2 "star:1: a link between hosts 2000000000 and 7" --from tenstorrent --descriptor star --host a
	echo 'hosts { hostname: "a.b" } hosts { hostname: "a.c" }' >star
	fails 2 "both 'a.b' and 'a.c' may be the host 'a'" --from tenstorrent --descriptor star --host a
}

@test "Tenstorrent: a host's rank in its mesh" {
	mkdir -p node/etc
	cp "$inputs/mesh.textproto" node/etc
	export TT_MESH_GRAPH_DESC_PATH=/etc/mesh.textproto TT_MESH_HOST_RANK=5
	locates main:2:1 --root node
	locates mesh0:2:1 --root node --torus mesh%s
	export TT_MESH_ID=3
	locates mesh3:2:1 --root node --torus mesh%s
	export TT_MESH_HOST_RANK=8
	fails 2 "TT_MESH_HOST_RANK=8, but the mesh has 4x2 hosts" --root node
	export TT_MESH_HOST_RANK=x
	fails 2 "TT_MESH_HOST_RANK='x' is no number" --root node
	unset TT_MESH_HOST_RANK
	fails 2 "TT_MESH_HOST_RANK is not set" --root node
	export TT_MESH_HOST_RANK=0
	{
		cat "$inputs/mesh.textproto"
		echo 'mesh_descriptors { host_topology { dims: 2 dims: 2 } }'
	} >two
	fails 2 "meshes of 4x2 hosts and of 2x2: which one this host is in is not told" --descriptor two
	for dims in 1 '[ 1, 2, 3 ]' '[]' '[ 0, 2 ]' '[ 1, two ]'; do
		echo "mesh_descriptors { host_topology { dims: $dims } }" >one
		fails 2 "one:1: " --descriptor one
	done
	rm node/etc/mesh.textproto
	fails 2 "there is no 'node/etc/mesh.textproto'" --root node
}

@test "a descriptor that is cut off anywhere, or has any byte changed, is read to an end" {
	text=$(grep -v '^#' "$inputs/system.textproto" | head -c 700)
	for cut in $(seq 0 13 ${#text}); do
		printf '%s' "${text:0:cut}" >cut
		printf '%s\x01%s' "${text:0:cut}" "${text:cut+1}" >changed
		for file in cut changed; do
			run storus locate --from tenstorrent --host glx-1 --descriptor $file
			[[ $status == 2 && $output == "storus locate: $file:"* || $output == main:* ]]
		done
	done
	head -c 20000 "$storus_binary" | tr -d '\0' >binary
	fails 2 "binary:" --from tenstorrent --descriptor binary
	fails 2 "it is no text" --from tenstorrent --descriptor "$storus_binary"
	fails 2 "it is no regular file" --from tenstorrent --descriptor .
	printf 'a{%.0s' {1..40} >deep
	fails 2 "deep:1: more than 32 messages within each other" --from tenstorrent --descriptor deep
	printf '%0600d {' 0 >long
	fails 2 "long:1: names of more than" --from tenstorrent --descriptor long
	printf 'a: "b\nc"' >string
	fails 2 "string:1: a string has no end on its line" --from tenstorrent --descriptor string
	printf 'a: 1\n\nb: }' >braces
	fails 2 "braces:3: '}' where a value is wanted" --from tenstorrent --descriptor braces
	: >empty
	fails 2 "empty: neither hosts" --from tenstorrent --descriptor empty
}

@test "a site's own program" {
	for text in 'echo 1 2 3' 'echo 1:2:3' 'echo main:1:2:3' 'printf " 1\t2 3 \n\n"' 'printf 1:2:3'; do
		site_program "$text"
		locates main:1:2:3 --program ./program
		locates main:1:2:3 --program ./program --from program
	done
	site_program 'echo pod-2:7'
	locates pod-2:7 --program ./program
	locates pod-2:7 --program ./program --torus other
	site_program 'echo 7'
	locates other:7 --program ./program --torus other
	site_program 'echo 1 2 3 4 5 2147483647'
	locates main:1:2:3:4:5:2147483647 --program ./program
	# It comes before what else the node knows, and nothing is on its standard input.
	sysfs neuron-4
	site_program 'read -r line && echo "$line" || echo 9'
	locates main:9 --program ./program --root node <<<5
}

@test "a program that fails, prints nonsense or does not end is named" {
	for nonsense in 'echo here' 'echo 1 2 x' 'echo 1,2,3' 'echo -1 0 0' 'echo 1.5 0' 'echo 2147483648' 'echo 1 2 3 4 5 6 7' \
		'echo main' 'echo 1 2; echo 3 4' 'head -c 300 /dev/zero | tr "\0" 1' 'printf "\033[31m"'; do
		site_program "$nonsense"
		fails 2 "the program './program': '" --program ./program
	done
	site_program :
	fails 2 "the program './program': it prints nothing" --program ./program
	site_program 'printf "1\0002"'
	fails 2 "the program './program': what it prints is no text" --program ./program
	site_program 'echo 1 2 3; exit 3'
	fails 2 "the program './program': it failed with status 3" --program ./program
	site_program 'kill -9 $$'
	fails 2 "the program './program': it was ended by signal 9" --program ./program
	site_program 'yes 1'
	fails 2 "the program './program': it prints more than a place" --program ./program
	site_program 'echo 1 2 3; exec >&-; echo $$ >pid; exec sleep 1000'
	fails 2 "the program './program': it took too long" --program ./program --time-limit 2
	ended "$(<pid)"
	# With what it started
	site_program 'sleep 1000 & echo $! >pid; wait'
	fails 2 "the program './program': it took too long" --program ./program --time-limit 2
	ended "$(<pid)"
	fails 2 "cannot run './none': No such file" --program ./none
	echo 1 2 3 >none
	fails 2 "cannot run './none': Permission denied" --program ./none
}

@test "names of tori are those of torus.conf" {
	site_program 'echo 1'
	fails 2 "the torus 'a b' is not made of letters" --program ./program --torus 'a b'
	fails 2 "a torus has a name of 1 to 63 characters, not ''" --program ./program --torus ''
	fails 2 "a torus has a name of 1 to 63 characters" --program ./program --torus "$(printf 'a%.0s' {1..64})"
	fails 2 "the torus '%d' is not made of letters" --program ./program --torus %d
	locates "$(printf 'a%.0s' {1..63}):1" --program ./program --torus "$(printf 'a%.0s' {1..63})"
	site_program 'echo a=b:1'
	fails 2 "the torus 'a=b' is not made of letters" --program ./program
}

@test "the text for slurmd --conf" {
	site_program 'echo 1 0 0'
	locates Topology=default:main:1:0:0 --program ./program --slurmd
	locates Topology=default:main:1:0:0 --program ./program --slurmd=topology
	locates Features=torus=main:1:0:0 --program ./program --slurmd=feature
}

@test "examples: the unit writes options for slurmd, or no file where there is no place" {
	examples=$(realpath "$BATS_TEST_DIRNAME/../../docs/examples/locate")
	# What systemd makes of the line: $$ is $, and the paths here
	line=$(sed -n "s/^ExecStart=\/bin\/sh -c '\(.*\)'$/\1/p" "$examples/storus-locate.service")
	[[ -n $line ]]
	mkdir bin
	ln -s "$storus_binary" bin/storus
	line=${line//'$$'/'$'}
	line=${line//'/run/storus'/$PWD}
	sysfs neuron-4
	run -0 env PATH="$PWD/bin:$PATH" LOCATE_OPTIONS="--root node --torus us-%s" sh -c "$line"
	equal "$(<slurmd)" "SLURMD_OPTIONS=-Z --conf Topology=default:us-5ad4f2c1000a3b10:0:0:2"
	rm slurmd
	run -1 env PATH="$PWD/bin:$PATH" LOCATE_OPTIONS="--root nothing" sh -c "$line"
	[[ ! -e slurmd ]]
}

@test "examples: the container's entry hands the place to Slinky's" {
	entry=$(realpath "$BATS_TEST_DIRNAME/../../docs/examples/locate/slinky-entrypoint")
	mkdir bin
	ln -s "$storus_binary" bin/storus
	printf '#!/bin/sh\necho "<$POD_TOPOLOGY> $*"\n' >entrypoint.sh
	chmod +x entrypoint.sh
	export PATH=$PWD/bin:$PATH SLINKY_ENTRYPOINT=$PWD/entrypoint.sh LOCATE_OPTIONS="--root node"
	sysfs neuron-4
	run -0 --separate-stderr sh "$entry" -Z -v
	equal "$output" "<default:main:0:0:2> -Z -v"
	POD_TOPOLOGY=default:other:1 run -0 --separate-stderr sh "$entry" -Z
	equal "$output" "<default:other:1> -Z"
	sysfs neuron-1
	run -0 --separate-stderr sh "$entry" -Z
	equal "$output" "<> -Z"
	[[ $stderr == *"in no UltraServer"* ]]
}

@test "examples: libtpu's coordinates, on a slice of 4x4x8 chips, become those of hosts" {
	command -v python3 >/dev/null || skip "no python3"
	program=$(realpath "$BATS_TEST_DIRNAME/../../docs/examples/locate/tpu-place")
	mkdir libtpu
	: >libtpu/__init__.py
	cat >libtpu/sdk.py <<-'END'
		import os
		class Chip:
		    def __init__(self, host, at):
		        self.host, self.at = host, at
		    def hostname(self):
		        return self.host
		    def coordinates(self):
		        return self.at
		class slice:
		    def get_chip_coordinates():
		        if "ELSEWHERE" in os.environ:
		            return [Chip("a", (0, 0, 0)), Chip("b", (2, 0, 0))]
		        own = [Chip(os.uname().nodename, (x, y, 5)) for y in (3, 2) for x in (0, 1)]
		        return own + ([Chip("other", (0, 0, 0))] if "ALL" in os.environ else [])
	END
	export PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1
	locates main:0:1:5 --program "$program"
	ALL=1 locates main:0:1:5 --program "$program"
	ELSEWHERE=1 run -2 storus locate --program "$program"
	[[ $output == *"libtpu knows no chips of"*"failed with status 1"* ]]
}
