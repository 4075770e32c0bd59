#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libstorus_mpi.so under a real srun: a halo program that is not compiled for it has fewer
# hops between its neighbours, as few as with the rank file of storus map; by LD_PRELOAD of
# the user, and by a TaskProlog of the site.
#
# Environment: STORUS (the command; the library is in .libs beside it), MPI_NODES (nodes
# of the cluster, default 24: a 4x3x2 torus, or 320: 8x8x5). Stock Slurm; no plugin of ours.

load support
bats_require_minimum_version 1.5.0

: "${STORUS:?the command storus}"
STORUS=$(realpath "$STORUS")
libraries=$(dirname "$STORUS")/.libs

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return
	[ -e "$libraries/libstorus_mpi.so" ] || return 0
	local side
	case ${MPI_NODES:=24} in
	24) dims=4x3x2 last=023 ;;
	320) dims=8x8x5 last=319 ;;
	esac
	export MPI_NODES dims
	echo "TorusName=main Dims=$dims Wrap=xyz Nodes=n[000-$last]" >torus.conf
	IFS=x read -ra side <<<"$dims"
	for ((i = 0; i < MPI_NODES; i++)); do
		printf 'n%03d %d %d %d\n' $i $((i % side[0])) $((i / side[0] % side[1])) $((i / side[0] / side[1]))
		# PMIx wants a directory of its own for each of the slurmds that share this host.
		mkdir -p "$(printf 'tmp/n%03d' $i)"
	done >coordinates
	cat >more.conf <<-END
		TmpFS=$BATS_FILE_TMPDIR/tmp/%n
		TaskProlog=$BATS_FILE_TMPDIR/task_prolog
	END
	cat >task_prolog <<-END
		#!/bin/sh
		[ -z "\$SITE" ] || echo "export LD_PRELOAD=$libraries/libstorus_mpi.so"
	END
	chmod +x task_prolog
	for mpi in mpich openmpi; do
		! command -v mpicc.$mpi >/dev/null ||
			mpicc.$mpi -O1 -o halo.$mpi "$TORUS_SRCDIR/test/slurm/halo.c" || return
	done
	export SLURM_PMIX_FENCE=tree OMPI_MCA_mpi_yield_when_idle=1
	# As in map.bats.
	case $(mpirun.openmpi --version 2>/dev/null | head -n 1) in
	*' 4.'*) ;;
	*) export OMPI_MCA_reachable=weighted ;;
	esac
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	minicluster up --nodes "$MPI_NODES" --cpus 4 --copy torus.conf --conf-append more.conf
}

teardown_file() { [ -z "${CLUSTER-}" ] || minicluster down; }

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# average FILE: the hops of an edge that halo measured
average() { awk '/^edges/ { printf "%.6f", $4 / $2 }' "$1"; }

# halo_job MPI GRID OPTION...: one job that runs halo as srun starts it, by the rank file, with
# the library, by the TaskProlog, and switched off: files plain, mapped, preloaded, site, off
halo_job()
{
	local mpi=$1 grid=$2 pmi
	shift 2
	[ -e "$libraries/libstorus_mpi_$mpi.so" ] || skip "not built for $mpi"
	[ -x "$BATS_FILE_TMPDIR/halo.$mpi" ] || skip "mpicc.$mpi is not installed"
	case $mpi in mpich) pmi=pmi2 ;; openmpi) pmi=pmix ;; esac
	slurm srun --mpi=list 2>&1 | grep -qw "$pmi" || skip "this Slurm was built without $pmi"
	cat >job.sh <<-END
		#!/bin/bash
		halo() { timeout 600 srun --mpi=$pmi "\$@" nice "$BATS_FILE_TMPDIR/halo.$mpi" $grid 000 $dims 111 "$BATS_FILE_TMPDIR/coordinates"; }
		halo >plain || exit
		export TORUS_MPI_VERBOSE=1 TORUS_MPI_BUDGET=0.5
		LD_PRELOAD=$libraries/libstorus_mpi.so halo >preloaded 2>said || exit
		SITE=yes halo >site || exit
		SITE=yes TORUS_ORDER=off halo >off || exit
		LD_PRELOAD=$libraries/libstorus_mpi.so halo -m cyclic >cyclic || exit
		unset TORUS_MPI_BUDGET
		LD_PRELOAD=$libraries/libstorus_mpi.so halo >default || exit
		SLURM_HOSTFILE=\$('$STORUS' map --grid $grid --output hostfile && realpath hostfile) || exit
		export SLURM_HOSTFILE
		halo --distribution=arbitrary >mapped
	END
	slurm sbatch --quiet --wait --exclusive --output=job.out "$@" job.sh ||
		fail "$(cat job.out said)"
	for file in plain mapped preloaded default cyclic; do
		echo "# $mpi $grid $file: $(average $file) hops" >&3
	done
	grep -q "MPI_Cart_create: .* average hops $(average preloaded), without reordering $(average plain)" said
	[ "$(average site)" = "$(average preloaded)" ]
	diff plain off
	# each process is still where srun started it
	diff <(sed -n 's/^rank [0-9]* //p' plain | sort) <(sed -n 's/^rank [0-9]* //p' preloaded | sort)
	# at least 98% of the rank file's gain
	awk -v plain="$(average plain)" -v mapped="$(average mapped)" -v ours="$(average preloaded)" \
		'BEGIN { exit !(plain > mapped && plain - ours >= 0.98 * (plain - mapped)) }'
	awk -v plain="$(average plain)" -v ours="$(average default)" 'BEGIN { exit !(ours < plain) }'
}

@test "openmpi: as few hops as with the rank file" {
	if [ "$MPI_NODES" = 320 ]; then
		halo_job openmpi 16x5x4 --nodes=320 --ntasks-per-node=1
	else
		halo_job openmpi 5x4x1 --nodes=20 --ntasks-per-node=1
	fi
}

@test "mpich: as few hops as with the rank file" {
	[ "$MPI_NODES" != 320 ] || skip "its ranks spin while they wait: a case for a host of many processors"
	halo_job mpich 4x3x2 --nodes=12 --ntasks-per-node=2
}
