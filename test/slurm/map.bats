#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus map under a real srun: each rank runs on the node that the file names, and MPI
# programs find their grid neighbours as many hops away as storus map said.
#
# Environment: STORUS (the command). Stock Slurm; no plugin of ours.

load support
bats_require_minimum_version 1.5.0

: "${STORUS:?the command storus}"
STORUS=$(realpath "$STORUS")

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return
	# 48 nodes on a 4x4x3 torus, and two that are nowhere; two of 4 cores with 2 threads each.
	printf 'TorusName=%s Dims=%s Wrap=all Nodes=%s\n' main 4x4x3 'n[000-047]' threads 2 's[0-1]' >torus.conf
	awk 'BEGIN { for (i = 0; i < 48; i++)
		printf "n%03d %d %d %d\n", i, i % 4, int(i / 4) % 4, int(i / 16) }' >coordinates
	# PMIx wants a directory of its own for each of the slurmds that share this host.
	for i in n{000..049} s0 s1; do mkdir -p "tmp/$i"; done
	cat >more.conf <<-END
		TmpFS=$BATS_FILE_TMPDIR/tmp/%n
		GresTypes=gpu
		NodeName=s[0-1] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000 Gres=gpu:2
	END
	printf 'NodeName=s[0-1] Name=gpu File=/dev/%s\n' null zero >gres.conf
	for mpi in mpich openmpi; do
		! command -v mpicc.$mpi >/dev/null ||
			mpicc.$mpi -O1 -o halo.$mpi "$TORUS_SRCDIR"/test/{slurm/halo,mpi/yield}.c -ldl || return
	done
	# Open MPI 5 asks the kernel for a route to the other node, which is this host again, and
	# may find none: "Unable to find reachable pairing".
	export OMPI_MCA_btl_tcp_if_include=lo
	# In the ring, which Slurm's PMIx plugin takes for fences without data, ranks that have
	# left MPI_Init send to one that is late and not ready for them, and that ends by a
	# jump to address 0 (one start in four with 27 ranks on a busy host; with the tree none
	# of 72).
	export SLURM_PMIX_FENCE=tree
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	minicluster up --nodes 50 --cpus 4 --select-params CR_Core --copy torus.conf --copy gres.conf \
		--conf-append more.conf
}

teardown_file() { minicluster down; }

setup() { cd "$BATS_TEST_TMPDIR" || return; }

teardown() { slurm scancel --user="$(id -un)" || true; }

# job OPTION... : run the script on standard input as a batch job to its end, with the
# cluster's torus.conf; what it prints goes to job.out
job()
{
	{
		echo '#!/bin/bash -e'
		echo "storus() { '$STORUS' \"\$@\"; }; files='$BATS_FILE_TMPDIR'"
		cat
	} >job.sh
	slurm sbatch --quiet --wait --exclusive --output=job.out "$@" job.sh ||
		fail "$(cat job.out)"
}

# said WORD: the average or maximum that storus map reported for its own mapping in job.out
said()
{
	sed -nE "s/^storus map: [a-z_]+: average ([0-9.]+) hops, maximum ([0-9]+), .*/average \1 maximum \2/p" job.out |
		grep -oE "$1 [0-9.]+" | cut -d' ' -f2
}

# ranks_run_where_told FILE OUTPUT: `rank R node` lines against a hostfile
ranks_run_where_told()
{
	diff <(sed -n 's/^rank [0-9]* //p' "$2") "$1"
	[ "$(sed -n 's/^rank \([0-9]*\) .*/\1/p' "$2" | tr '\n' ' ')" = "$(seq -s' ' 0 $(($(wc -l <"$1") - 1))) " ]
}

# hops_are_as_told OUTPUT
hops_are_as_told()
{
	[ "$(awk '/^edges/ { printf "%.6f", $4 / $2 }' "$1")" = "$(said average)" ]
	[ "$(awk '/^edges/ { print $6 }' "$1")" = "$(said maximum)" ]
}

# pmi_of MPI: how srun starts its programs
pmi_of() { case $1 in mpich) echo pmi2 ;; openmpi) echo pmix ;; esac; }

# needs_mpi MPI...: skips the test where one of them is missing
needs_mpi()
{
	local mpi
	for mpi; do
		[ -x "$BATS_FILE_TMPDIR/halo.$mpi" ] || skip "mpicc.$mpi is not installed"
		slurm srun --mpi=list 2>&1 | grep -qw "$(pmi_of "$mpi")" ||
			skip "this Slurm was built without $(pmi_of "$mpi")"
	done
}

# placed_job NODELIST GRID PERIODIC MPIS OPTION...: map, check that ranks run where told, and
# do so again with halo under each of MPIS, checking the hops as well. MPI's ranks spin while
# they wait: a host of few processors does not take many of them.
placed_job()
{
	local nodelist=$1 grid=$2 periodic=$3 mpis=$4 mpi
	shift 4
	# shellcheck disable=SC2086 # several words
	needs_mpi $mpis
	job --nodelist="$nodelist" "$@" <<-END
		export TMPDIR=\$PWD SLURM_HOSTFILE
		SLURM_HOSTFILE=\$(storus map --grid $grid --periodic $(sed 's/./&,/g;s/,$//' <<<"$periodic") --print-path)
		cp "\$SLURM_HOSTFILE" hostfile
		srun --distribution=arbitrary sh -c 'echo "rank \$SLURM_PROCID \$SLURMD_NODENAME"' | sort -n -k2 >plain
		$(declare -f pmi_of)
		for mpi in $mpis; do
			pmi=\$(pmi_of \$mpi)
			timeout 120 srun --mpi=\$pmi --distribution=arbitrary nice "\$files/halo.\$mpi" \
				$grid $periodic 4x4x3 111 "\$files/coordinates" >halo.\$mpi
		done
	END
	ranks_run_where_told hostfile plain
	for mpi in $mpis; do
		ranks_run_where_told hostfile halo.$mpi
		hops_are_as_told halo.$mpi
	done
}

# counts: how many tasks nodes have in the hostfile, each number once
counts() { sort hostfile | uniq -c | awk '{ print $1 }' | sort -un | xargs; }

scattered='n[000-009,012-020,030-037]'

@test "27 nodes, one task each: mpich and Open MPI, and mapping pays" {
	placed_job "$scattered" 3x3x3 000 "mpich openmpi" --nodes=27 --ntasks-per-node=1
	[ "$(counts)" = 1 ]
	sed -nE 's/^storus map: .*: average ([0-9.]+) hops.*baseline: average ([0-9.]+),.*/\1 \2/p' job.out |
		awk '{ exit !($1 < 0.8 * $2) } END { if (!NR) exit 1 }'
}

@test "27 nodes, two tasks each, a periodic grid" {
	placed_job "$scattered" 6x3x3 101 mpich --nodes=27 --ntasks-per-node=2
	[ "$(counts)" = 2 ]
}

@test "27 nodes, four tasks each" {
	placed_job "$scattered" 4x3x9 000 "" --nodes=27 --ntasks-per-node=4
	[ "$(counts)" = 4 ]
}

@test "8 nodes, four tasks each, under MPI" {
	placed_job 'n[003-006,016,018,030,041]' 4x4x2 011 mpich --nodes=8 --ntasks-per-node=4
	[ "$(counts)" = 4 ]
}

@test "30 nodes, uneven counts" {
	placed_job 'n[002-020,033-043]' 5x3x3 010 mpich --nodes=30 --ntasks=45
	[ "$(sort -u hostfile | wc -l)" = 30 ]
	[ "$(wc -w <<<"$(counts)")" -gt 1 ]
}

# needs_mpirun: also sets that of root as a user
needs_mpirun()
{
	needs_mpi openmpi
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

@test "openmpi: mpirun takes the rankfile" {
	needs_mpirun
	job --nodelist='n[000-004,012-018]' --nodes=12 --ntasks-per-node=1 <<-'END'
		export HWLOC_SYNTHETIC="pack:1 core:4 pu:1" # for as many cores as slurm.conf says
		storus map --grid 3x2x2 --format openmpi --output rankfile
		sed 's/^[^=]*=//;s/ .*//' rankfile >hostfile
		mpirun.openmpi -np 12 --rankfile rankfile "$files/halo.openmpi" 3x2x2 000 4x4x3 111 \
			"$files/coordinates" >halo.openmpi
	END
	ranks_run_where_told hostfile halo.openmpi
	hops_are_as_told halo.openmpi
}

# slots: those of each task in rankfile
slots() { sed 's/.* slot=//' rankfile | xargs; }

@test "openmpi: each task has the cores of its CPUs, inside the job and outside" {
	cat >slots.sh <<-END
		#!/bin/bash -e
		'$STORUS' map --grid auto --mapper baseline --format openmpi >rankfile
		'$STORUS' map --grid auto --mapper baseline --format openmpi --job "\$SLURM_JOB_ID" >outside
		diff rankfile outside
	END
	while IFS='|' read -r options expected shared; do
		# shellcheck disable=SC2086 # several words
		slurm sbatch --quiet --wait --output=slots.out $options slots.sh ||
			fail "$options" "$(cat slots.out)"
		[ "$(slots)" = "$expected" ] || fail "$options: $(slots)" "$(cat slots.out)"
		[ "$(grep -c 'tasks share cores: .* --bind-to :overload-allowed' slots.out)" = "${shared:-0}" ] ||
			fail "$options" "$(cat slots.out)"
	done <<-'END'
		-w n000 -n4|0 1 2 3
		-w n000 -n2 -c2|0-1 2-3
		-w n[000-001] -N2 -n3 -c2|0-1 2-3 0-1
		-w n000 -N1 -n2 --exclusive|0-1 2-3
		-w s0 -n2 -c4|0-1 2-3
		-w s0 -n4|0 0 1 1|2
		-w s0 -n2 -c3|0-1 1-2|2
		-w s0 -n4 --ntasks-per-core=1|0 1 2 3
		-w s0 -n2 -c3 --ntasks-per-core=1|0-1 2-3
		-w s0 -n2 -c2 --threads-per-core=1|0-1 2-3
		-w s0 -n2 -c2 --hint=nomultithread|0-1 2-3
		-w s[0-1] -N2 -n2 --gpus-per-task=1 --cpus-per-gpu=4|0-1 0-1
		-w s[0-1] -N2 --ntasks-per-node=2 --gpus-per-node=2 --cpus-per-gpu=2|0 1 0 1
	END
	# More tasks than CPUs, by --tasks-per-node.
	sed -i 's/ >rankfile/ --tasks-per-node 6&/; s/ >outside/ --tasks-per-node 6&/' slots.sh
	slurm sbatch --quiet --wait --output=slots.out -w n000 -n4 slots.sh || fail "$(cat slots.out)"
	[ "$(slots)" = "0 0 1 2 2 3" ]
	# Outside of jobs nothing is known of CPUs.
	run -0 --separate-stderr slurm "$STORUS" map --grid 2x2 --mapper row_major --nodelist 's[0-1]' \
		--tasks-per-node 2 --format openmpi
	printf '%s\n' "$output" >rankfile
	[ "$(slots)" = "0 1 0 1" ]
}

# bound FILE: the cores of each rank, as mpirun displays them: [BB/BB/../..] or [core:0-1]
bound()
{
	sed -nE 's/.*Process rank: ([0-9]+) Bound: .*(\[[B./]+\]|\[core:[0-9-]+\])$/\1 \2/p' "$1" |
		sort -n | sed 's/^[0-9]* //' | while read -r cores; do
		case $cores in
		*core*) tr -d '[]a-z:' <<<"$cores" ;;
		*) tr -d '[]' <<<"$cores" | tr / '\n' | grep -n B | sed 's/:.*//' |
			awk 'NR == 1 { first = $1 - 1 } { last = $1 - 1 }
				END { print (last > first ? first "-" last : first) }' ;;
		esac
	done | xargs
}

@test "openmpi: mpirun binds tasks to these cores" {
	needs_mpirun
	cat >bound.sh <<-END
		#!/bin/bash -e
		'$STORUS' map --grid auto --mapper baseline --format openmpi >rankfile
		mpirun.openmpi \$OPTION --rankfile rankfile --display-map sleep 1
	END
	export HWLOC_SYNTHETIC="pack:1 core:4 pu:2"
	for options in "-w s0 -n2 -c4" "-w s0 -n2 -c2" "-w s0 -n4 --ntasks-per-core=1"; do
		# shellcheck disable=SC2086 # several words
		slurm sbatch --quiet --wait --output=out $options bound.sh || fail "$options" "$(cat out)"
		[ -n "$(slots)" ]
		[ "$(bound out)" = "$(slots)" ] || fail "$options: $(slots)" "$(cat out)"
	done
	export OPTION="--bind-to :overload-allowed"
	for options in "-w s0 -n4" "-w s0 -n2 -c3"; do
		# shellcheck disable=SC2086 # several words
		slurm sbatch --quiet --wait --output=out $options bound.sh || fail "$options" "$(cat out)"
		[ "$(bound out)" = "$(slots)" ] || fail "$options: $(slots)" "$(cat out)"
	done
	# And in truth, on as many processors as this host has.
	unset HWLOC_SYNTHETIC OPTION
	[ "$(nproc)" -ge 2 ] || return 0
	sed -i 's/--display-map sleep 1/sh -c "nproc; taskset -cp \\$\\$ >cpus.\\$OMPI_COMM_WORLD_RANK"/' bound.sh
	slurm sbatch --quiet --wait --output=out -w n000 -n1 -c2 bound.sh || fail "$(cat out)"
	[ "$(grep -cx 2 out)" = 1 ]
	slurm sbatch --quiet --wait --output=out -w n000 -n2 bound.sh || fail "$(cat out)"
	[ "$(grep -cx 1 out)" = 2 ]
	[ "$(sed 's/.*: //' cpus.[01] | sort -u | wc -l)" = 2 ]
}

@test "--job: from outside the same mapping as inside" {
	slurm sbatch --quiet --exclusive --output=/dev/null --nodes=6 --ntasks-per-node=2 \
		--nodelist='n[001-003,020-022]' --job-name=sleeper --wrap 'sleep 300'
	wait_until 20 eval '[ "$(slurm squeue -h -n sleeper -t running -o %A)" ]'
	id=$(slurm squeue -h -n sleeper -o %A)
	run -0 --separate-stderr slurm "$STORUS" map --grid 3x2x2 --job "$id"
	outside=$output
	run -0 --separate-stderr slurm env SLURM_JOB_NODELIST='n[001-003,020-022]' \
		SLURM_TASKS_PER_NODE='2(x6)' "$STORUS" map --grid 3x2x2
	[ "$output" = "$outside" ]
	[ "$(sort <<<"$output" | uniq -c | awk '{ print $1 }' | sort -u)" = 2 ]
}

# Options of jobs whose records say how many tasks each node has, on nodes of 4 processors.
known=("-N3 -n7" "-N4 -n9 --exclusive" -n10 "-N2 --ntasks-per-node=3" "-N2 -n3 -c2" "-n5 -c2"
	"-N2 -n9 --overcommit" -N3 "-N2 -c4 --exclusive" "-N2-4 -n6" "-N2 -n8 --exclusive")

@test "--job: the task counts are those that the job itself has" {
	cat >sides.sh <<-END
		#!/bin/bash -e
		echo "\$SLURM_TASKS_PER_NODE"
		'$STORUS' map --grid auto --mapper baseline >inside
		'$STORUS' map --grid auto --mapper baseline --job "\$SLURM_JOB_ID" 2>said >outside
		diff inside outside
		! grep 'does not say' said
	END
	for options in "${known[@]}"; do
		# shellcheck disable=SC2086 # several words
		slurm sbatch --quiet --wait --output=sides.out $options sides.sh ||
			fail "$options" "$(cat sides.out)"
	done
	# Whole nodes and no number of tasks: a guess, with a warning, unless it is said.
	id=$(submit -N2 --exclusive --wrap 'sleep 300')
	wait_until 20 in_state "$id" RUNNING
	run -0 --separate-stderr slurm "$STORUS" map --grid auto --job "$id"
	[ "$(sort <<<"$output" | uniq -c | awk '{ print $1 }' | xargs)" = "1 1" ]
	[[ $stderr == *"does not say how many tasks it has: a task a node is assumed"* ]]
	run -0 --separate-stderr slurm "$STORUS" map --grid auto --job "$id" --tasks-per-node 4
	[[ $(wc -l <<<"$output") = 8 && $stderr != *"does not say"* ]]
}

@test "CR_Pack_Nodes: --job knows it" {
	sed -i 's/^SelectTypeParameters=.*/&,CR_Pack_Nodes/' "$CLUSTER/etc/slurm.conf"
	minicluster restart-ctld
	minicluster restart-nodes
	slurm sbatch --quiet --wait --exclusive --output=sides.out -N3 -n7 <<-END || fail "$(cat sides.out)"
		#!/bin/bash -e
		echo "\$SLURM_TASKS_PER_NODE"
		[ "\$SLURM_TASKS_PER_NODE" = "4,2,1" ]
		'$STORUS' map --grid auto --mapper baseline >inside
		'$STORUS' map --grid auto --mapper baseline --job "\$SLURM_JOB_ID" >outside
		diff inside outside
	END
	sed -i 's/,CR_Pack_Nodes//' "$CLUSTER/etc/slurm.conf"
	minicluster restart-ctld
	minicluster restart-nodes
}

@test "a heterogeneous job: each component mapped, one step over both" {
	cat >het.sh <<-END
		#!/bin/bash -e
		#SBATCH --exclusive --nodes=4 --ntasks-per-node=2 --nodelist=n[000,005,010,015]
		#SBATCH hetjob
		#SBATCH --exclusive --nodes=6 --ntasks=9 --nodelist=n[020-022,040-042]
		storus() { '$STORUS' "\$@"; }
		storus map --grid 4x2 --output first
		storus map --grid 3x3 --het-group 1 --output second
		# from outside, by the job's number and the component's
		storus map --grid 4x2 --job "\$SLURM_JOB_ID+0" | diff - first
		storus map --grid 3x3 --job "\$SLURM_JOB_ID+1" | diff - second
		if storus map --grid 3x3 --job "\$SLURM_JOB_ID+2"; then exit 1; else [ \$? = 2 ]; fi
		# the number alone would be one component of two, and its own number one of one
		if storus map --grid 4x2 --job "\$SLURM_JOB_ID"; then exit 1; else [ \$? = 2 ]; fi
		storus map --grid 3x3 --job "\$SLURM_JOB_ID_HET_GROUP_1" | diff - second
		told='echo "rank \$SLURM_PROCID \$SLURMD_NODENAME"'
		srun --het-group=0 --distribution=arbitrary --nodelist=./first sh -c "\$told" : \\
			--het-group=1 --distribution=arbitrary --nodelist=./second sh -c "\$told" |
			sort -n -k2 >both
		# plain srun takes component 0, as plain storus map does
		export TMPDIR=\$PWD SLURM_HOSTFILE
		SLURM_HOSTFILE=\$(storus map --grid 4x2 --print-path)
		srun --distribution=arbitrary sh -c "\$told" | sort -n -k2 >alone
		if [ -x '$BATS_FILE_TMPDIR/halo.mpich' ]; then
			SLURM_HOSTFILE=\$(storus map --grid 3x3 --het-group 1 --print-path)
			timeout 120 srun --het-group=1 --mpi=pmi2 --distribution=arbitrary nice \\
				'$BATS_FILE_TMPDIR/halo.mpich' 3x3x1 000 4x4x3 111 '$BATS_FILE_TMPDIR/coordinates' >halo
		fi
	END
	slurm sbatch --quiet --wait --output=job.out het.sh || fail "$(cat job.out)"
	grep -q "no running component '[0-9]*+2'" job.out
	grep -qE "job ([0-9]+) is heterogeneous: name one of its components, \1\+0, \1\+1$" job.out
	cat first second >together
	ranks_run_where_told together both
	ranks_run_where_told first alone
	[ "$(sort -u first | xargs)" = "n000 n005 n010 n015" ]
	[ "$(sort second | uniq -c | awk '{ print $1 }' | xargs)" = "2 2 2 1 1 1" ]
	needs_mpi mpich
	ranks_run_where_told second halo
}

@test "--job: of an array, one running task has to be named" {
	slurm sbatch --quiet --output=/dev/null --array=3,5,7-9%2 --nodes=2 --ntasks=4 --exclusive \
		--job-name=tasks --wrap 'sleep 300'
	wait_until 20 eval '[ "$(slurm squeue -h -n tasks -t running -o %A | wc -l)" = 2 ]'
	id=$(slurm squeue -h -n tasks -o %F | head -n 1)
	run -2 --separate-stderr slurm "$STORUS" map --grid 2x2 --job "$id"
	[ -z "$output" ]
	[[ $stderr == "storus map: job $id is an array: name one of its running tasks, "* ]]
	[[ $stderr == *" ${id}_3"* && $stderr == *" ${id}_5"* && $stderr != *"${id}_7"* ]]
	for task in 3 5; do
		run -0 --separate-stderr slurm "$STORUS" map --grid 2x2 --job "${id}_$task"
		[ "$(sort -u <<<"$output" | xargs)" = "$(slurm scontrol show hostnames \
			"$(slurm squeue -h -j "${id}_$task" -o %N)" | xargs)" ]
	done
	run -2 --separate-stderr slurm "$STORUS" map --grid 2x2 --job "${id}_7"
	[[ -z $output && $stderr == *"no running task '${id}_7' of job $id"* ]]
	# A task's own number is one task, where it is not the array's.
	own=$(slurm squeue -h -n tasks -t running -o '%A %F' | awk '$1 != $2 { print $1; exit }')
	run -0 --separate-stderr slurm "$STORUS" map --grid 2x2 --job "$own"
}

# recipe GRID: that of docs/users.md, with this grid, as a batch script
recipe()
{
	printf '#!/bin/bash\nstorus() { "%s" "$@"; }\n' "$STORUS"
	sed -n 's/^    //; /^SLURM_HOSTFILE=/,/^srun /p' "$TORUS_SRCDIR/docs/users.md" |
		sed "s/--grid [0-9x]*/--grid $1/; s,\./stencil,sh -c 'echo \"rank \$SLURM_PROCID \$SLURMD_NODENAME\"',"
}

@test "the users' recipe, and how it fails" {
	recipe 3x2 >recipe.sh
	[ "$(grep -c . recipe.sh)" = 5 ]
	export TMPDIR=$PWD
	slurm sbatch --quiet --wait --exclusive --output=ranks --nodelist='n[000,005,010]' \
		--nodes=3 --ntasks-per-node=2 recipe.sh || fail "$(cat ranks)"
	grep ^rank ranks | sort -n -k2 >sorted
	ranks_run_where_told storus-map.*.slurm sorted
	rm storus-map.*
	# A grid of another size, and a node without torus.conf: a sentence, and no step.
	recipe 3x3 >recipe.sh
	run slurm sbatch --quiet --wait --exclusive --output=ranks --nodes=3 --ntasks-per-node=2 recipe.sh
	[ "$status" = 2 ]
	run -0 cat ranks
	[[ $output == "storus map: grid 3x3 has 9 tasks, but the job's 3 nodes take 6"* && ${#lines[@]} = 1 ]]
	[ -z "$(find . -name 'storus-map*')" ]
}

@test "a node without torus.conf: what is needed there" {
	mkdir bare
	cp "$CLUSTER/etc/slurm.conf" bare
	recipe 3x2 >recipe.sh
	sed -i "1aSLURM_CONF=$PWD/bare/slurm.conf" recipe.sh
	run slurm sbatch --quiet --wait --exclusive --output=ranks --nodes=3 --ntasks-per-node=2 recipe.sh
	[ "$status" = 2 ]
	run -0 cat ranks
	[[ ${#lines[@]} = 1 && $output == *"cannot read '$PWD/bare/torus.conf': No such file"* &&
		$output == *"copy torus.conf there, or to where all nodes see it and name it in the environment variable STORUS_CONF" ]]
	export STORUS_CONF=$BATS_FILE_TMPDIR/torus.conf TMPDIR=$PWD
	slurm sbatch --quiet --wait --exclusive --output=ranks --nodes=3 --ntasks-per-node=2 recipe.sh ||
		fail "$(cat ranks)"
	[ "$(grep -c ^rank ranks)" = 6 ]
}

@test "bad jobs: status 2, and nothing printed" {
	for id in 999999 x 1_x ''; do
		run -2 --separate-stderr slurm "$STORUS" map --grid 2 --job "$id"
		[ -z "$output" ]
		[[ $stderr == *"storus map: "*"job"* ]]
	done
	# Nodes that torus.conf does not name, and a grid of another size.
	job --nodelist='n[046-049]' --nodes=4 --ntasks-per-node=1 <<-'END'
		if storus map --grid 2x2 --output out; then exit 1; else [ $? = 2 ]; fi
		[ ! -e out ]
	END
	grep -q "node 'n048' has no coordinates" job.out
	job --nodelist='n[000-003]' --nodes=4 --ntasks-per-node=1 <<-'END'
		if path=$(TMPDIR=$PWD storus map --grid 3x2 --print-path); then exit 1; else [ $? = 2 ]; fi
		[ -z "$path" ]
	END
	grep -q "grid 3x2 has 6 tasks, but the job's 4 nodes take 4" job.out
	[ -z "$(find . -name 'storus-map*')" ]
}
