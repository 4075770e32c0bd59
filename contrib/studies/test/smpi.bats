#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_smpi: libstorus_mpi in a simulated MPI beside the rank files of storus map;
# bench_program: what a program sends, by any order.
# shellcheck disable=SC2154 # storus_binary is set by support

load ../../../test/cli/support

@test "a program that makes its grid by MPI_Cart_create gains by the library what rank files give" {
	command -v smpicc >/dev/null || skip "no smpicc: it needs SimGrid"
	scripts=$(realpath "$BATS_TEST_DIRNAME/../scripts")
	cd "${storus_binary%/*}"
	! nm -g .libs/libtorus.a | grep -q __asan_init || skip "sanitizers and SMPI do not go together"
	make -s contrib/studies/programs/bench_map
	run -0 --separate-stderr "$scripts/bench_smpi" --ranks 64 --ranks-per-node 1,4 --edge 8 \
		--mappers baseline,library,best
	for per_node in 1 4; do
		awk -F, -v per_node=$per_node '
			$1 == 64 && $2 == per_node { hops[$4] = $5; seconds[$4] = $6 }
			END {
				gain = hops["baseline"] - hops["best"]
				exit !(gain > 0 && hops["baseline"] - hops["library"] >= 0.98 * gain &&
				       seconds["library"] < seconds["baseline"])
			}' <<<"$output"
	done
}

@test "bench_program counts what a program sends, whatever the order, and what its links carry" {
	command -v smpicc >/dev/null || skip "no smpicc: it needs SimGrid"
	studies=$(realpath "$BATS_TEST_DIRNAME/..")
	smpicc -std=c11 -O2 "$studies/programs/halo.c" -o "$BATS_TEST_TMPDIR/halo"
	cd "${storus_binary%/*}"
	! nm -g .libs/libtorus.a | grep -q __asan_init || skip "sanitizers and SMPI do not go together"
	# 3 of 6 faces have a neighbour, 5,120 bytes each: two barriers and a sum go with them.
	run -0 --separate-stderr "$studies/scripts/bench_program" --dims 2x2x2 --nodes 8 \
		--orders names,library -- "$BATS_TEST_TMPDIR/halo" 2x2x2 4 1 0
	[[ ${lines[1]} = names,1.000,1,5.1,5.1,3.0,15.4,3.0,* ]]
	[[ ${lines[2]} = library,1.000,1,5.1,5.1,3.0,15.4,3.0,* ]]
	# The grid lies on the machine without a longer way, but turned.
	run -0 --separate-stderr "$studies/scripts/bench_program" --dims 4x4x2 --nodes 32 \
		--map "--mpi-dims 4,4,2" -- "$BATS_TEST_TMPDIR/halo" 2x4x4 4 1 0
	awk -F, '{ hops[$1] = $2; most[$1] = $3 } END {
		exit !(hops["best"] == 1 && most["best"] == 1 && hops["names"] > hops["any"]) }' <<<"$output"
}
