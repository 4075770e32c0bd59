#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libstorus_mpi.so under a real srun: a halo program that is not compiled for it has fewer
# hops between its neighbours, as few as with the rank file of storus map; by LD_PRELOAD of
# the user, by a TaskProlog of the site, and by an environment module.
#
# Environment: STORUS (the command; the library is in .libs beside it), MPI_NODES (nodes
# of the cluster, default 24: a 4x3x2 torus, or 320: 8x8x5, where only Open MPI runs, as it
# comes, preloaded and by the rank file). Stock Slurm; no plugin of ours.

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
		case \${TORUS_MPI-} in
		on | check) echo "export LD_PRELOAD=$libraries/libstorus_mpi.so" ;;
		esac
	END
	chmod +x task_prolog
	mkdir modulefiles
	# A modulefile is known by its first line.
	cat >modulefiles/storus_mpi <<-END
		#%Module1.0
		prepend-path LD_PRELOAD $libraries/libstorus_mpi.so
	END
	for mpi in mpich openmpi; do
		! command -v mpicc.$mpi >/dev/null ||
			mpicc.$mpi -O1 -o halo.$mpi "$TORUS_SRCDIR"/test/{slurm/halo,mpi/yield}.c -ldl || return
	done
	export SLURM_PMIX_FENCE=tree OMPI_MCA_mpi_yield_when_idle=1
	# As in map.bats.
	export OMPI_MCA_btl_tcp_if_include=lo
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	minicluster up --nodes "$MPI_NODES" --cpus 4 --copy torus.conf --conf-append more.conf
}

teardown_file() { [ -z "${CLUSTER-}" ] || minicluster down; }

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# average FILE: the hops of an edge that halo measured
average() { awk '/^edges/ { printf "%.6f", $4 / $2 }' "$1"; }

# halo_runs MPI GRID RUNS OPTION...: one job that runs halo, by the shell's lines RUNS; of each
# file of output it says the hops
halo_runs()
{
	local mpi=$1 grid=$2 runs=$3 pmi file
	shift 3
	[ -e "$libraries/libstorus_mpi_$mpi.so" ] || skip "not built for $mpi"
	[ -x "$BATS_FILE_TMPDIR/halo.$mpi" ] || skip "mpicc.$mpi is not installed"
	case $mpi in mpich) pmi=pmi2 ;; openmpi) pmi=pmix ;; esac
	slurm srun --mpi=list 2>&1 | grep -qw "$pmi" || skip "this Slurm was built without $pmi"
	cat >job.sh <<-END
		#!/bin/bash
		halo() { timeout 600 srun --mpi=$pmi "\$@" nice "$BATS_FILE_TMPDIR/halo.$mpi" $grid 000 $dims 111 "$BATS_FILE_TMPDIR/coordinates"; }
		set -e
		library=$libraries/libstorus_mpi.so
		export TORUS_MPI_VERBOSE=1 TORUS_MPI_BUDGET=0.5
		$runs
	END
	slurm sbatch --quiet --wait --exclusive --output=job.out "$@" job.sh ||
		fail "$(cat job.out said)"
	for file in $(grep -l ^edges -- *); do
		echo "# $mpi $grid $file: $(average "$file") hops" >&3
	done
}

# By the rank file of storus map: the grid is halo's first argument.
by_rank_file()
{
	echo "SLURM_HOSTFILE=\$('$STORUS' map --grid $1 --output hostfile && realpath hostfile)
		export SLURM_HOSTFILE
		halo --distribution=arbitrary >mapped"
}

# as_the_rank_file: as few hops as that in the files plain, preloaded and mapped
as_the_rank_file()
{
	grep -q "MPI_Cart_create: .* average hops $(average preloaded), without reordering $(average plain)" said
	# each process is still where srun started it
	diff <(sed -n 's/^rank [0-9]* //p' plain | sort) <(sed -n 's/^rank [0-9]* //p' preloaded | sort)
	# at least 98% of the rank file's gain
	awk -v plain="$(average plain)" -v mapped="$(average mapped)" -v ours="$(average preloaded)" \
		'BEGIN { exit !(plain > mapped && plain - ours >= 0.98 * (plain - mapped)) }'
}

# halo_job MPI GRID OPTION...: as srun starts it, with the library, by the TaskProlog, by a
# module, switched off, cyclic, with the default budget, and by the rank file
halo_job()
{
	local runs
	# shellcheck disable=SC2016 # for the job to expand
	runs='halo >plain
		LD_PRELOAD=$library halo >preloaded 2>said
		TORUS_MPI=on halo >site
		TORUS_MPI=on TORUS_ORDER=off halo >off
		LD_PRELOAD=$library halo -m cyclic >cyclic
		(unset TORUS_MPI_BUDGET; LD_PRELOAD=$library halo >default)
		'$(by_rank_file "$2")
	halo_runs "$1" "$2" "$runs" "${@:3}"
	as_the_rank_file
	[ "$(average site)" = "$(average preloaded)" ]
	diff plain off
	awk -v plain="$(average plain)" -v ours="$(average default)" 'BEGIN { exit !(ours < plain) }'
}

@test "openmpi: as few hops as with the rank file" {
	if [ "$MPI_NODES" = 24 ]; then
		halo_job openmpi 5x4x1 --nodes=20 --ntasks-per-node=1
	else
		# shellcheck disable=SC2016 # for the job to expand
		halo_runs openmpi 16x5x4 'halo >plain
			LD_PRELOAD=$library halo >preloaded 2>said
			'"$(by_rank_file 16x5x4)" --nodes=320 --ntasks-per-node=1
		as_the_rank_file
	fi
}

@test "mpich: as few hops as with the rank file" {
	[ "$MPI_NODES" = 24 ] || skip "its ranks spin while they wait: a case for a host of many processors"
	halo_job mpich 4x3x2 --nodes=12 --ntasks-per-node=2
}

# hops_of FILE GRID: of the ranks that halo has printed, an edge, by storus, over all links
hops_of()
{
	"$STORUS" map --conf links.conf --nodelist "$(awk '/^rank/ { print $3 }' "$1" | paste -sd ,)" \
		--grid "$2" --mapper baseline --output /dev/null 2>&1 |
		sed -n 's/.*: baseline: average \([0-9.]*\) hops.*/\1/p'
}

# linked_job MPI: a 4x6 grid on a line of 24 nodes with a link from each to the sixth after
# it: by these the grid, turned, has one hop an edge
linked_job()
{
	local i links=
	[ "$MPI_NODES" = 24 ] || skip "tried on 24 nodes"
	for i in {0..17}; do
		links+=,$i-$((i + 6))
	done
	echo 'TorusName=main Dims=24 Wrap=none Nodes=n[000-023]' >line.conf
	echo "$(<line.conf) Links=${links#,}" >links.conf
	halo_runs "$1" 4x6x1 "halo >plain
		export LD_PRELOAD=\$library
		STORUS_CONF=$PWD/line.conf halo >line
		STORUS_CONF=$PWD/links.conf halo >links 2>said
		unset TORUS_MPI_BUDGET
		STORUS_CONF=$PWD/links.conf halo >default 2>said.default" \
		--nodes=24 --ntasks-per-node=1
	for i in plain line links default; do
		echo "# $1 4x6 $i: $(hops_of $i 4x6) hops over all links" >&3
	done
	# A process's rank and place are what all the others take them for: halo checks that.
	grep -q "MPI_Cart_create: 24 of 24 processes, average hops $(hops_of links 4x6), without reordering $(hops_of plain 4x6)" said
	grep -q "average hops $(hops_of default 4x6)," said.default
	[ "$(hops_of links 4x6)" = 1.000000 ]
	# With less of a budget it is still better than without the links.
	awk -v line="$(hops_of line 4x6)" -v ours="$(hops_of default 4x6)" 'BEGIN { exit !(line > ours) }'
	# Each process is still where srun started it.
	diff <(sed -n 's/^rank [0-9]* //p' plain | sort) <(sed -n 's/^rank [0-9]* //p' links | sort)
}

@test "openmpi: links beside the torus's own count" { linked_job openmpi; }

@test "mpich: links beside the torus's own count" { linked_job mpich; }

@test "preloaded by an environment module" {
	local init mpi
	[ "$MPI_NODES" = 24 ] || skip "tried on 24 nodes"
	# Environment Modules', Lmod's: Debian has one or the other
	for init in /usr/share/modules/init/bash /usr/share/lmod/lmod/init/bash; do
		[ ! -f $init ] || break
	done
	[ -f $init ] || skip "environment-modules is not installed, nor is lmod"
	for mpi in mpich openmpi; do
		[ ! -x "$BATS_FILE_TMPDIR/halo.$mpi" ] || break
	done
	halo_runs "$mpi" 2x4x1 "halo >plain
		. $init
		module use '$BATS_FILE_TMPDIR/modulefiles'
		module load storus_mpi
		halo >loaded
		module unload storus_mpi
		halo >unloaded" --nodes=8 --ntasks-per-node=1
	awk -v plain="$(average plain)" -v ours="$(average loaded)" 'BEGIN { exit !(ours < plain) }'
	diff plain unloaded
}
