#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What Slurm's own topology plugin starts, topology/torus starts as well: both are asked the
# same random questions, without a cluster. See topology_eval.c.

bats_require_minimum_version 1.5.0
load topology_support

setup()
{
	since 24.11
	local library directory resources flag
	library=$(find "${SLURM_PREFIX:-/usr}"/lib* -name libslurmfull.so -print -quit)
	directory=${library%/*}
	stock=$directory/$(no_topology | tr / _).so
	cd "$BATS_TEST_TMPDIR" || return
	resources=$(for flag in $(slurm_flags); do
		cat "${flag#-I}/src/interfaces/select.h" 2>/dev/null
	done | grep -oE -m 1 'avail_res_(cnt|prod)')
	# shellcheck disable=SC2046 # several words
	cc -O1 -Wall -Wextra -DHAVE_CONFIG_H "-DRESOURCES=$resources" -o eval "$TORUS_SRCDIR/test/slurm/topology_eval.c" \
		$(slurm_flags) -I "$TORUS_PLUGIN_DIR/.." -I "$TORUS_SRCDIR/plugin" \
		-I "$TORUS_SRCDIR/common" -rdynamic -L "$directory" -lslurmfull \
		"-Wl,-rpath,$directory"
	cat >slurm.conf <<-END
		ClusterName=none
		SlurmctldHost=localhost
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		TopologyPlugin=topology/torus
		PluginDir=$(realpath "$TORUS_PLUGIN_DIR"):$directory
	END
	SEED=${TORUS_TEST_SEED:-$(date +%s)}
	echo "# TORUS_TEST_SEED=$SEED"
}

# compare QUESTIONS [ring]: on the machine of torus.conf
compare()
{
	SLURM_CONF=$PWD/slurm.conf run -0 ./eval "$PWD/slurm.conf" "$stock" "$1" "$SEED" "${@:2}"
	echo "$output"
	expect_match "${lines[-1]}" '^[1-9][0-9]* started, .* [1-9][0-9]* refused by both; '
	[ $# -eq 1 ] || expect_match "${lines[-1]}" '; [1-9][0-9]* --contiguous$'
}

@test "40,000 questions on a torus: best_fit" {
	echo 'TorusName=main Dims=4x3x2 Wrap=all Nodes=n[000-023] Curve=row_major Allocator=best_fit' >torus.conf
	compare 40000 ring
}

@test "10,000 questions on a torus: compact" {
	echo 'TorusName=main Dims=4x3x2 Wrap=all Nodes=n[000-023] Curve=row_major Allocator=compact' >torus.conf
	compare 10000 ring
}

@test "40,000 questions on two tori and nodes beside them" {
	cat >torus.conf <<-'END'
		TorusName=main Dims=3x2x2 Wrap=x Nodes=n[000-005,012-017]
		TorusName=side Dims=2x4 Nodes=n[006-011,022-023] Allocator=compact
	END
	compare 40000
}
