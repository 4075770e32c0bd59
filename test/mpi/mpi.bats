#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libstorus_mpi.so under each MPI that it was built for: what random topologies promise is
# kept, whatever some processes lack; Fortran programs get what C programs get. The nodes
# are made up: a torus.conf, and a name for each process in its environment.
#
# By hand, in the build directory: bats SRCDIR/test/mpi/mpi.bats. TORUS_TEST_SEED repeats a run.

bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return
	libraries=$(dirname "$(realpath "${STORUS:-$BATS_RUN_TMPDIR}")")/.libs
	[ -e "$libraries/libstorus_mpi.so" ] || libraries=$OLDPWD/.libs
	export libraries
	export SEED=${TORUS_TEST_SEED:-$((RANDOM * 32768 + RANDOM))}
	echo "# TORUS_TEST_SEED=$SEED" >&3
	echo "TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[00-63]" >torus.conf
	# A rank's name is that of its node, unless the environment has one for it.
	cat >on_node <<-'END'
		#!/bin/bash
		rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
		number=$((rank * 5 % 16 / ${PER_NODE:-1} * 3))
		SLURMD_NODENAME=$(printf 'n%02d' $number)
		[ -z "${BY_COORD-}" ] || export TORUS_COORD=$((number % 4)),$((number / 4 % 4)),$((number / 16))
		if [ -n "${BY_ADDRESS-}" ]; then
			export SLURM_TOPOLOGY_ADDR_PATTERN=torus:x:y:z.node
			export SLURM_TOPOLOGY_ADDR=main:$((number % 4)):$((number / 4 % 4)):$((number / 16)).$SLURMD_NODENAME
		fi
		[ "$rank" != "${RANK-}" ] || export "${ITS?}"
		export SLURMD_NODENAME
		LD_PRELOAD=$PRELOAD exec "$@"
	END
	chmod +x on_node
	export SLURM_CONF=/nowhere/slurm.conf STORUS_CONF=$PWD/torus.conf TORUS_MPI_VERBOSE=1
	export PRELOAD=$libraries/libstorus_mpi.so
	unset TORUS_ORDER TORUS_MPI TORUS_MPI_BUDGET TORUS_DIMS
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_MCA_mpi_yield_when_idle=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
	# On one host Open MPI 5 may find no route from an interface to itself: "Unable to find
	# reachable pairing".
	export OMPI_MCA_btl_tcp_if_include=lo
	# Open MPI's own reordering of distributed graphs ends programs: "Not enough slots".
	export OMPI_MCA_topo=^treematch
}

can_be_preloaded()
{
	! nm -D "$libraries/libstorus_mpi.so" | grep -q __asan_init ||
		skip "a library with sanitizers cannot be preloaded"
}

# needs MPI: sets $compiler and the command $launch, or skips
needs()
{
	[ -e "$libraries/libstorus_mpi_$1.so" ] || skip "not built for $1"
	can_be_preloaded
	case $1 in
	openmpi) compiler=${MPICC_OPENMPI:-mpicc.openmpi} ;;
	mpich) compiler=${MPICC_MPICH:-mpicc.mpich} ;;
	esac
	launch=${compiler/mpicc/mpiexec}
	command -v "$launch" >/dev/null || skip "$launch is missing"
	[ "$1" = mpich ] || launch+=" --oversubscribe"
	cd "$BATS_FILE_TMPDIR" || return
}

# build PROGRAM MPI [FILE...]: from PROGRAM.c and others, once
build()
{
	[ -x "$1.$2" ] || "$compiler" -std=gnu11 -O1 -o "$1.$2" \
		"$BATS_TEST_DIRNAME/$1.c" "$BATS_TEST_DIRNAME/yield.c" "${@:3}" -lpthread -ldl
}

build_topologies() { build topologies "$1" "$BATS_TEST_DIRNAME/faults.c"; }

# launched N COMMAND...: run it on N processes
launched()
{
	local processes=$1
	shift
	# shellcheck disable=SC2086 # several words
	timeout 900 nice $launch -n "$processes" ./on_node "$@"
}

# right N ARGUMENT...: topologies on N processes finds nothing wrong; its messages are in
# the file said
right()
{
	local processes=$1
	shift
	launched "$processes" "./topologies.$mpi" "$@" >out 2>said || {
		cat out said
		return 1
	}
	grep -q "^seed $1: $2 rounds on $processes processes are right" out
}

# random_topologies MPI: on 1 to 16 processes
random_topologies()
{
	mpi=$1
	needs "$mpi"
	build_topologies "$mpi"
	for processes in 1 2 3 5; do
		right "$processes" $((SEED + processes)) 2
	done
	for processes in 8 16; do
		right "$processes" $((SEED + processes)) 1 moved
		grep -q 'processes, average hops' said
	done
	PER_NODE=4 right 12 "$SEED" 1
	right 2 "$SEED" 1 threads
}

@test "openmpi: random topologies are what the standard says" { random_topologies openmpi; }

@test "mpich: random topologies are what the standard says" { random_topologies mpich; }

# lacking MPI: with something missing everywhere or on one rank, ranks stay, and rank 0 says why
lacking()
{
	mpi=$1
	needs "$mpi"
	build_topologies "$mpi"
	echo 'TorusName=main Dims=4x4 Nodes=n[0-3]' >bad.conf
	printf 'TorusName=%s Dims=4x4x2 Nodes=%s\n' a 'n[00-31]' b 'n[32-63]' >two.conf
	while IFS='|' read -r settings reason; do
		# shellcheck disable=SC2086 # several settings
		export ${settings//\"/}
		right 4 "$SEED" 1 same || {
			echo "with $settings"
			return 1
		}
		grep -q "MPI_[A-Za-z_]*: not reordered: .*$reason" said || {
			cat said
			return 1
		}
		for setting in $settings; do
			unset "${setting%%=*}"
		done
		export STORUS_CONF=$PWD/torus.conf
	done <<-END
		STORUS_CONF=$PWD/none.conf|none.conf
		STORUS_CONF=$PWD/bad.conf|bad.conf:1:
		STORUS_CONF=$PWD/two.conf|nodes of different tori
		TORUS_ORDER=off|TORUS_ORDER=off
		TORUS_ORDER=No|TORUS_ORDER=off
		RANK=2 ITS=TORUS_ORDER=off|TORUS_ORDER=off (rank 2)
		RANK=3 ITS=SLURMD_NODENAME=elsewhere|torus.conf: node 'elsewhere' has no coordinates
		RANK=0 ITS=STORUS_CONF=/nowhere|/nowhere
		TORUS_DIMS=4x4x4|TORUS_COORD='' on node
		TORUS_DIMS=4x4x4 BY_COORD=yes RANK=3 ITS=TORUS_COORD=|TORUS_COORD='' on node 'n45'
		TORUS_DIMS=4x4x4 BY_COORD=yes RANK=1 ITS=TORUS_COORD=1,2,4|TORUS_COORD='1,2,4' on node 'n15'
		RANK=0 ITS=TORUS_DIMS=4x4x4|TORUS_COORD='' on node
	END
	# Only rank 0 reads torus.conf, and only its variables count.
	for setting in STORUS_CONF=/nowhere TORUS_DIMS=2x2 TORUS_MPI_BUDGET=0.01; do
		RANK=3 ITS=$setting right 8 "$SEED" 1 moved
	done
	RANK=0 ITS=TORUS_MPI_BUDGET=0.01 right 8 "$SEED" 1 moved
	# By other seeds a communicator of all 8 may have another process as its rank 0.
	RANK=0 ITS=TORUS_MPI_VERBOSE=0 right 8 1 1 moved
	run -1 grep 'of 8 processes' said
	# A name that is too long for the message, and one with a domain.
	RANK=1 ITS=SLURMD_NODENAME=$(printf 'n%0300d' 1) right 4 "$SEED" 1 same
	RANK=1 ITS=SLURMD_NODENAME=n15.site.example right 8 "$SEED" 1 moved
}

@test "openmpi: whatever is missing, all processes go on alike" { lacking openmpi; }

@test "mpich: whatever is missing, all processes go on alike" { lacking mpich; }

# checking MPI: TORUS_MPI=check reverses all orders, wherever the processes are; off is off
checking()
{
	mpi=$1
	needs "$mpi"
	build_topologies "$mpi"
	for processes in 2 5 8; do
		STORUS_CONF=/nowhere TORUS_MPI=check right "$processes" "$SEED" 1 reversed
		grep -q 'MPI_Dist_graph_create: TORUS_MPI=check: .* reverse order' said
	done
	TORUS_MPI=check TORUS_ORDER=off right 4 "$SEED" 1 same
	# By other seeds a communicator may have process 3 as its rank 0, whose variable counts.
	RANK=3 ITS=TORUS_MPI=check right 8 1 1 moved
}

@test "openmpi: TORUS_MPI=check reverses ranks" { checking openmpi; }

@test "mpich: TORUS_MPI=check reverses ranks" { checking mpich; }

# asking MPI: whoever learns its rank in the new communicator is not complained about, nor
# whoever makes another of it; who goes on with the old one is, and fails in the check
asking()
{
	needs "$1"
	build asks "$1"
	for how in rank get sub group split type dup; do
		launched 4 "./asks.$1" $how 2>said
		run -1 grep 'has not asked' said
		TORUS_MPI=check launched 4 "./asks.$1" $how 2>said
		run -1 grep 'has not asked' said
	done
	for how in no leave; do
		launched 4 "./asks.$1" $how 2>said
		[ "$(grep -c 'MPI_Cart_create: rank 0 has not asked' said)" = 1 ]
		TORUS_MPI_VERBOSE=0 launched 4 "./asks.$1" $how 2>said
		run -1 grep 'has not asked' said
		TORUS_MPI=check TORUS_MPI_VERBOSE=0 run ! launched 4 "./asks.$1" $how
		[[ $output = *'MPI_Cart_create: TORUS_MPI=check'* ]]
		[[ $output = *'wrong neighbour'* ]]
	done
}

@test "openmpi: programs that never ask for their new rank are told" { asking openmpi; }

@test "mpich: programs that never ask for their new rank are told" { asking mpich; }

# notation MPI: dims are as MPI has them, the last one fastest: a 4x2 grid, and a 2x4, is
# laid on a mesh of this size without a longer way, as storus map does it with the sides
# the other way round
notation()
{
	needs "$1"
	build hops "$1"
	printf 'TorusName=main Dims=%s Wrap=none Nodes=n[00,03,06,09,12,15,18,21,24,27,30,33,36,39,42,45]\n' 2x8 >mesh.conf
	while IFS='|' read -r dims grid; do
		# shellcheck disable=SC2086 # several words
		STORUS_CONF=$PWD/mesh.conf launched 16 "./hops.$1" 2 8 $dims >out 2>said
		grep -q "MPI_Cart_create: 16 of 16 processes, average hops $(cat out)," said
		"$STORUS" map --grid "$grid" --dims 2x8 --cells 0-15 --output of_grid 2>mapped
		grep -q "best: average $(cat out) hops" mapped || {
			echo "$grid: $(cat out)"
			cat mapped
			return 1
		}
	done <<-END
		8 2|2x8
		2 8|8x2
		2 4 2|2x4x2
		4 2 2|2x2x4
		4 4|4x4
	END
}

@test "openmpi: grids are in MPI's notation" { notation openmpi; }

@test "mpich: grids are in MPI's notation" { notation mpich; }

# faults MPI PROCESSES
faults()
{
	mpi=$1
	needs "$mpi"
	build_topologies "$mpi"
	right "$2" "$SEED" 1 faults
	grep -q 'MPI_Cart_create: not reordered: out of memory' said
	# The ring of the others, of which one could not search, has a number of hops.
	run -1 grep 'MPI_Cart_create: .* average hops 0\.000000' said
}

@test "openmpi: each allocation fails once, and all processes go on alike" { faults openmpi 6; }

# The code is the same, and its processes spin.
@test "mpich: each allocation fails once, and all processes go on alike" { faults mpich 2; }

# coordinates MPI: from the environment as from torus.conf
coordinates()
{
	needs "$1"
	build ranks "$1"
	launched 8 "./ranks.$1" 2>said >by_conf
	grep -q 'processes, average hops' said
	STORUS_CONF=/nowhere BY_COORD=yes TORUS_DIMS=4x4x4 TORUS_WRAP=xyz launched 8 "./ranks.$1" >by_coord
	diff by_conf by_coord
	# On a torus by registration, from what topology/torus says to tasks.
	echo "TorusName=main Dims=4x4x4 Wrap=xyz Nodes=by_registration" >open.conf
	STORUS_CONF=$PWD/open.conf BY_ADDRESS=yes launched 8 "./ranks.$1" 2>said >by_address
	diff by_conf by_address || cat said
	diff by_conf by_address
	STORUS_CONF=$PWD/open.conf launched 8 "./ranks.$1" 2>said >by_address
	grep -q "torus.conf: node '.*' has no coordinates" said
	PRELOAD='' launched 8 "./ranks.$1" >plain
	run -1 diff by_conf plain
	awk '$2 != $3 { exit 1 }' plain
}

@test "openmpi: places from the environment" { coordinates openmpi; }

@test "mpich: places from the environment" { coordinates mpich; }

# fortran MPI: its three bindings
fortran()
{
	needs "$1"
	local fortran=${compiler/mpicc/mpifort} how
	command -v "$fortran" >/dev/null || skip "$fortran is missing"
	echo 'end' >empty.f90
	"$fortran" empty.f90 -o empty || skip "$fortran does not work"
	build ranks "$1"
	cc -c "$BATS_TEST_DIRNAME/yield.c" -o yield.o
	launched 8 "./ranks.$1" >of_c
	awk '$2 != $3 { moved = 1 } END { exit !moved }' of_c
	for how in MPI_MODULE MPIF_H MPI_F08; do
		"$fortran" -D$how -fallow-argument-mismatch "$BATS_TEST_DIRNAME/ranks.F90" yield.o -o "ranks.f.$1" -ldl ||
			"$fortran" -D$how "$BATS_TEST_DIRNAME/ranks.F90" yield.o -o "ranks.f.$1" -ldl
		launched 8 "./ranks.f.$1" >of_fortran
		diff of_c of_fortran || {
			echo "with $how"
			return 1
		}
	done
}

@test "openmpi: Fortran, by mpif.h, mpi and mpi_f08" { fortran openmpi; }

@test "mpich: Fortran, by mpif.h, mpi and mpi_f08" { fortran mpich; }

# chips MPI: with a process on each chip of its nodes the chips are what a rank is moved to,
# as if each were a node
chips()
{
	needs "$1"
	build ranks "$1"
	cat >on_chip <<-'END'
		#!/bin/bash
		rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
		node=$((rank % 2)) local=$((rank / 2))
		export SLURM_LOCALID=${LOCAL:-$local}
		export SLURMD_NODENAME=n$node
		if [ -n "${TORUS_DIMS-}" ]; then
			export TORUS_COORD=$((2 * node + local % 2)),$((local / 2))
			SLURMD_NODENAME=n$((4 * node + local))
		fi
		LD_PRELOAD=$PRELOAD exec "$@"
	END
	chmod +x on_chip
	echo 'TorusName=main ChipDims=4x2 NodeShape=2x2 Wrap=none Nodes=n[0-1]' >chips.conf
	STORUS_CONF=$PWD/chips.conf timeout 300 $launch -n 8 ./on_chip "./ranks.$1" >chips 2>said.chips
	TORUS_DIMS=4x2 TORUS_WRAP=none timeout 300 $launch -n 8 ./on_chip "./ranks.$1" >places 2>said.places
	STORUS_CONF=$PWD/chips.conf LOCAL=0 timeout 300 $launch -n 8 ./on_chip "./ranks.$1" >nodes 2>said.nodes
	# A ring of 8 around 4x2 chips is one hop a step.
	grep -q 'average hops .*1\.0*' said.chips
	diff chips places
	diff <(sort said.chips) <(sort said.places)
	run -1 diff <(sort said.chips) <(sort said.nodes)
}

@test "openmpi: a process on each chip" { chips openmpi; }

@test "mpich: a process on each chip" { chips mpich; }

# links MPI PROCESSES: those beside the torus's own count, between nodes and between chips, for grids
# and for random topologies, and all processes go on alike, whatever they lack
links()
{
	mpi=$1
	needs "$mpi"
	build ranks "$mpi"
	build_topologies "$mpi"
	echo "$(<torus.conf) Links=0:0:0-3:3:3,1:0:2-2:2:0,3:2:1-0:1:2" >links.conf
	STORUS_CONF=$PWD/links.conf right 8 "$SEED" 1 moved
	STORUS_CONF=$PWD/links.conf right 5 "$SEED" 1
	PER_NODE=4 STORUS_CONF=$PWD/links.conf right 12 "$SEED" 1
	STORUS_CONF=$PWD/links.conf right "$2" "$SEED" 1 faults
	grep -q 'MPI_Cart_create: not reordered: out of memory' said
	# Links that close two lines of chips to one ring.
	cat >on_chip <<-'END'
		#!/bin/bash
		rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
		export SLURM_LOCALID=$((rank % 4)) SLURMD_NODENAME=n$((rank / 4))
		LD_PRELOAD=$PRELOAD exec "$@"
	END
	chmod +x on_chip
	echo 'TorusName=main ChipDims=8 NodeShape=4 Wrap=none Nodes=n[0-1]' >line.conf
	echo "$(<line.conf) Links=0-2,5-7,0-7" >ring.conf
	for conf in line ring; do
		STORUS_CONF=$PWD/$conf.conf timeout 300 $launch -n 8 ./on_chip "./ranks.$mpi" >"$conf" 2>"said.$conf"
	done
	run -1 grep 'average hops 1\.000000' said.line
	grep -q "average hops 1\.000000" said.ring
	# What a bad link keeps from being read keeps ranks as they are.
	echo "$(<torus.conf) Links=0:0:0-1:0:0" >links.conf
	STORUS_CONF=$PWD/links.conf right 4 "$SEED" 1 same
	grep -q 'not reordered: .*links.conf:1: ' said
}

@test "openmpi: links beside the torus's own count" { links openmpi 4; }

@test "mpich: links beside the torus's own count" { links mpich 2; }

@test "programs without MPI do not notice it" {
	[ -e "$libraries/libstorus_mpi.so" ] || skip "not built"
	can_be_preloaded
	run -0 --separate-stderr env LD_PRELOAD="$PRELOAD" LD_BIND_NOW=1 sh -c 'echo well'
	[ "$output" = well ]
	[ -z "$stderr" ]
	run -1 grep -i mpi <(ldd "$PRELOAD")
}

@test "only what programs look for is exported" {
	for part in mpich openmpi; do
		file=$libraries/libstorus_mpi_$part.so
		[ -e "$file" ] || continue
		[ "$(nm -D --defined-only "$file" | awk '{ print $NF }' | grep -vE '^(_init|_fini)$')" = storus_mpi_part ]
		# It lacks nothing but what an MPI and the C library have.
		run -1 grep -E ' U (torus|storus)_' <(nm -D "$file")
	done
	[ -e "$libraries/libstorus_mpi.so" ] || skip "not built"
	run -1 grep -vE ' P?MPI_((Cart|Graph|Dist_graph)_create(_adjacent)?|Cart_(get|sub)|Comm_(rank|group|split|split_type))$' \
		<(nm -D --defined-only "$libraries/libstorus_mpi.so")
}
