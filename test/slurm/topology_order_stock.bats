#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Steps with topology/torus and Slurm 26.05, where a topology plugin could number the nodes of
# a job, beside stock Slurm: the same nodes and tasks, since Slurm would look for the nodes of
# steps by these numbers, too.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 26.05 || return 0
	cat >"$BATS_FILE_TMPDIR/partitions.conf" <<-END
		PartitionName=whole Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	topology_pair_start --dims 4x3 --wrap all --cpus 4 --memory 1000 \
		--conf-append "$BATS_FILE_TMPDIR/partitions.conf"
}
teardown_file() { ! is_since 26.05 || pair_stop; }
setup() { since 26.05; }
teardown() { ! is_since 26.05 || pair_clear; }

# laid_out JOB OPTION...: "node task:cpus ..." of a step's nodes, the tasks as they are
# numbered there, or srun's refusal
laid_out()
{
	local job=$1
	shift
	# shellcheck disable=SC2016 # for the task to expand
	SLURM_JOB_ID=$job timeout 60 srun --chdir=/ "$@" \
		sh -c 'echo $SLURMD_NODENAME $SLURM_PROCID $SLURM_LOCALID $SLURM_CPUS_ON_NODE' 2>&1 |
		sort -k1,1 -k2,2n
}

# cores JOB: what it holds of each node
cores() { scontrol -d -o show job "$1" | grep -oE 'Nodes=[^ ]* CPU_IDs=[^ ]* Mem=[^ ]*'; }

@test "random jobs and steps: the same cores, nodes and tasks as in stock Slurm" {
	local round seed=${TORUS_TEST_SEED:-$RANDOM} partition nodes tasks list step options name relative
	local -A held shown
	RANDOM=$seed
	echo "# seed: TORUS_TEST_SEED=$seed"
	for round in {1..30}; do
		partition=whole
		((RANDOM % 2)) || partition=shared
		nodes=$((RANDOM % 8 + 2))
		tasks=$((nodes + RANDOM % (nodes * 2)))
		list=$(seq -f 'n%03g' 0 11 | shuf -n "$nodes" --random-source=<(yes "$seed$round") |
			sort | paste -sd,)
		options=(-p "$partition" -w "$list" -N "$nodes" -n "$tasks" --mem-per-cpu=1)
		case $((RANDOM % 5)) in
		0) options+=(--network=torus:grid=auto) ;;
		1) options+=(-m pack) ;;
		2) options+=(--ntasks-per-node=4) ;;
		esac
		relative=$((RANDOM % nodes))
		case $((RANDOM % 10)) in
		0) step=(-n "$tasks" -m block) ;;
		1) step=(-n "$nodes" -N "$nodes" -m block) ;;
		2) step=(-n "$tasks" -m cyclic) ;;
		3) step=(-N $((nodes - 1)) -n $((nodes - 1)) -m block) ;;
		4) step=(-n "$tasks") ;;
		5) step=(-N 1 -n 1 -r $relative) ;;
		6) step=(-N $((nodes - relative)) -n $((nodes - relative)) -r $relative) ;;
		7) step=(-N 1 -n 1 --exact) ;;
		8) step=(-N 1 -n 1 -w "${list%%,*}") ;;
		9) step=(-N $((nodes - 1)) -n $((nodes - 1)) -x "${list%%,*}") ;;
		esac
		for name in stock torus; do
			use_cluster "$name"
			job=$(allocate "${options[@]}") || return
			held[$name]=$(cores "$job")
			# two, since Slurm goes on with the next node
			shown[$name]=$(laid_out "$job" "${step[@]}"; laid_out "$job" "${step[@]}")
			scancel "$job"
			wait_until 60 all_idle
		done
		what="salloc ${options[*]}; srun ${step[*]}"
		expect_equal "${held[torus]}" "${held[stock]}" "cores: $what" || return
		expect_equal "${shown[torus]}" "${shown[stock]}" "tasks: $what" || return
	done
}

# packed JOB COUNT: the nodes of so many steps at a time, each of which ends when all are there
packed()
{
	local job=$1 count=$2 i here steps=()
	here=$(mktemp -d "$BATS_TEST_TMPDIR/XXXXXX")
	for ((i = 0; i < count; i++)); do
		SLURM_JOB_ID=$job timeout 60 srun --chdir=/ --exact -N 1 -n 1 -c 4 -r $i sh -c "
			echo \$SLURMD_NODENAME >$here/$i
			for try in \$(seq 300); do
				[ \$(ls $here | wc -l) -lt $count ] || exit 0
				sleep 0.1
			done
			exit 1" &
		steps+=($!)
	done
	# By their numbers: with -n bash may forget one of several that end at the same time.
	for i in "${steps[@]}"; do wait "$i" || return; done
	cat "$here"/*
}

@test "srun -r goes through the nodes, and packed steps run side by side" {
	use_cluster torus
	for partition in whole shared; do
		job=$(allocate -p $partition -N 6 --ntasks-per-node=4)
		expect_equal "$(packed "$job" 6)" "$(scontrol show hostnames "$(job_nodes "$job")")" "nodes in partition $partition"
		scancel "$job"
		wait_until 60 all_idle
	done
}
