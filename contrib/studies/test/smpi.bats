#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_smpi: libstorus_mpi in a simulated MPI beside the rank files of storus map.
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
