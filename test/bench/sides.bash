# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # the script sets what is set nowhere here
#
# The sides of a comparison with Slurm's own torus plugins: the machine, the boxes that
# topology/torus3d gets, and a private cluster for each side.
#
# A script that sources this sets: program, slurm_prefix, slurm_src, plugin_dir (each may
# be empty), sides (the three sides of the torus), work (a directory).

export LC_ALL=C
shopt -s extglob
minicluster=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)/contrib/minicluster

message() { printf '%s: %s\n' "$program" "$*" >&2; }
fail() {
	message "$*"
	exit 1
}
bad_usage() {
	message "$* (see --help)"
	exit 2
}

# parse_dims TEXT: sets sides and machine.  A coordinate is a digit of the node's name.
parse_dims() {
	[[ $1 =~ ^([2-9]|10)x([2-9]|10)x([2-9]|10)$ ]] ||
		bad_usage "--dims $1: not three sides from 2 to 10, as in 8x8x8"
	sides=("${BASH_REMATCH[@]:1}")
	machine=$((sides[0] * sides[1] * sides[2]))
}

# The boxes of up to $1 nodes that topology/torus3d gets: "NODES X Y Z HOPS", the most
# compact first.  Of each number of nodes the one with the fewest average hops, and all
# with at most an eighth more.
boxes() {
	awk -v x_side="${sides[0]}" -v y_side="${sides[1]}" -v z_side="${sides[2]}" -v most="$1" '
		# The mean distance of two of k neighbouring coordinates on a ring of n, equal
		# ones included.
		function mean_steps(k, n,    i, j, d, sum) {
			for (i = 0; i < k; i++)
				for (j = 0; j < i; j++) {
					d = i - j
					sum += 2 * (d < n - d ? d : n - d)
				}
			return sum / (k * k)
		}
		BEGIN {
			for (x = 1; x <= x_side; x++)
			for (y = 1; y <= y_side; y++)
			for (z = 1; z <= z_side; z++) {
				n = x * y * z
				if (n > most)
					continue
				hops = mean_steps(x, x_side) + mean_steps(y, y_side) + mean_steps(z, z_side)
				hops = n > 1 ? hops * n / (n - 1) : 0
				box[++boxes] = n " " x " " y " " z
				of[boxes] = n
				value[boxes] = hops
				if (!(n in least) || hops < least[n])
					least[n] = hops
			}
			for (b = 1; b <= boxes; b++)
				if (value[b] <= least[of[b]] * 1.125 + 1e-9)
					printf "%s %.4f\n", box[b], value[b]
		}' | sort -s -k1,1n -k5,5n
}

# The nodes, x fastest as everywhere, each name ending with the digits z, y and x.
node_names() {
	local y z out=''
	for ((z = 0; z < sides[2]; z++)); do
		for ((y = 0; y < sides[1]; y++)); do
			out+=,$z${y}0-$z$y$((sides[0] - 1))
		done
	done
	printf 'n[%s]' "${out#,}"
}

# topology.yaml with boxes that begin at every $1-th node, or at multiples of their sides
topology_yaml() {
	printf -- '- topology: main\n  cluster_default: true\n  torus3d:\n    toruses:\n'
	printf '      - name: main\n        dims: { x: %d, y: %d, z: %d }\n' "${sides[@]}"
	printf '        nodes: "%s"\n        placements:\n' "$(node_names)"
	boxes "$machine" | while read -r _ x y z _; do
		printf '          - dims: { x: %d, y: %d, z: %d }\n' "$x" "$y" "$z"
		[ -z "${1-}" ] ||
			printf '            anchor_spacing: { x: %d, y: %d, z: %d }\n' "$1" "$1" "$1"
	done
}

# topology/3d_torus for the three dimensions that it is made for: slurm.h says one, in
# every build.
build_3d_torus() {
	local plugins=$slurm_src/src/plugins/topology
	mkdir -p "$1"
	cat >"$1/three.c" <<'END'
#include "config.h"
#include "src/slurmctld/slurmctld.h"
#undef SYSTEM_DIMENSIONS
#define SYSTEM_DIMENSIONS 3
#include "src/plugins/topology/3d_torus/hilbert_slurm.c"
END
	gcc -g -O2 -shared -fPIC -fno-strict-aliasing -DHAVE_CONFIG_H -I"$slurm_src" \
		-o "$1/topology_3d_torus.so" "$1/three.c" "$plugins"/3d_torus/!(hilbert_slurm).c \
		"$plugins"/common/*.c
}

# prepare_sides: looks for Slurm, and writes what all sides need to $work.  Sets version.
prepare_sides() {
	usr=/usr
	if [ -n "$slurm_prefix" ]; then
		usr=$slurm_prefix
		[ -x "$usr/usr/sbin/slurmctld" ] && usr+=/usr
		PATH=$usr/bin:$usr/sbin:$PATH
	fi
	PATH=$PATH:/usr/sbin:/sbin
	version=$(slurmctld -V) || fail "cannot run slurmctld"
	version=${version##* }
	echo "NodeName=$(node_names)" >"$work/conf"
	torus_conf
}

# torus_conf [ALLOCATOR]: writes that of the machine; best_fit is what a side has that names none
torus_conf() {
	printf 'TorusName=main Dims=%dx%dx%d Wrap=all Nodes=%s\nAllocator=%s\n' "${sides[@]}" \
		"$(node_names)" "${1:-best_fit}" >"$work/torus.conf"
}

# has_plugin NAME: whether Slurm has it
has_plugin() {
	[ -n "$(find "$usr"/lib*/ -name "$1.so" -print -quit 2>/dev/null)" ]
}

cluster() { "$minicluster" --dir "$work/cluster" "$@"; }

# start_side SIDE[:ALLOCATOR] [OPTION-OF-MINICLUSTER]...: starts its cluster, and makes it the
# one that Slurm's commands talk to.  Returns 1 if there is no plugin for it.
start_side() {
	local side=${1%%:*} allocator='' options=()
	[ "$side" = "$1" ] || allocator=${1#*:}
	shift
	case $side in
	stock) ;;
	3d_torus)
		has_plugin topology_3d_torus && [ -n "$slurm_src" ] || return 1
		build_3d_torus "$work/3d_torus" || fail "cannot compile topology/3d_torus"
		options=(--topology 3d_torus --plugin-dir "$work/3d_torus")
		;;
	torus3d | torus3d_aligned)
		has_plugin topology_torus3d || return 1
		mkdir -p "$work/$side"
		if [ "$side" = torus3d ]; then
			topology_yaml 1
		else
			topology_yaml
		fi >"$work/$side/boxes.yaml"
		sed '/placements:/,$d' "$work/$side/boxes.yaml" >"$work/$side/topology.yaml"
		options=(--copy "$work/$side/topology.yaml")
		;;
	select | both)
		[ -f "$plugin_dir/select_torus.so" ] || return 1
		options=(--select torus --plugin-dir "$plugin_dir")
		;;&
	topology | both)
		[ -f "$plugin_dir/topology_torus.so" ] || return 1
		options+=(--topology torus --plugin-dir "$plugin_dir")
		;;
	select) ;;
	*) bad_usage "$side: no such side" ;;
	esac
	torus_conf "$allocator"
	message "$side: starting $machine nodes"
	cluster up --nodes 1 --exclusive --conf-append "$work/conf" --torus-conf "$work/torus.conf" \
		${slurm_prefix:+--slurm-prefix "$slurm_prefix"} "${options[@]}" "$@" ||
		fail "$side: the cluster does not start"
	cp "$work/cluster/etc/slurm.conf" "$work/$side.slurm.conf"
	eval "$(cluster env)"
	[ ! -f "$work/$side/boxes.yaml" ] || give_boxes "$work/$side/boxes.yaml"
}

# give_boxes FILE: to slurmctld alone.  A slurmd would also make a bitmap and a list of names
# of every place of every box at its start: with hundreds of boxes that begin at every node
# 36 MB and seconds of processor time, times the number of nodes.  It has no use for them.
give_boxes() {
	local tries
	cp "$1" "$work/cluster/etc/topology.yaml"
	if ! cluster kill-ctld TERM || ! cluster start-ctld; then
		fail "slurmctld does not start with the boxes"
	fi
	for ((tries = 0; tries < 120; tries++)); do
		[ "$(sinfo -h -t idle -o %D)" != "$machine" ] || return 0
		sleep 1
	done
	fail "not all nodes came back to slurmctld"
}

# stop_side: and Slurm's commands have no cluster again
stop_side() {
	cluster down
	unset SLURM_CONF
}
