#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The order of a job's tasks by topology/torus with Slurm 26.05, beside stock Slurm: which
# node has the first tasks is ours to say, and nothing else.

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

# per_node: how many tasks each node has, from laid_out
per_node() { cut -d' ' -f1 | uniq -c | awk '{ print $2, $1 }'; }

# counts: the same without the nodes
counts() { per_node | awk '{ print $2 }' | sort -n | xargs; }

# in_rows: that the tasks of each node follow each other, from laid_out
in_rows()
{
	awk '$1 == node && $2 != last + 1 { exit 1 } { node = $1; last = $2 }'
}

@test "random jobs and steps: the same cores, and as many tasks on nodes" {
	local round seed=${TORUS_TEST_SEED:-$RANDOM} partition nodes tasks list step options name
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
		case $((RANDOM % 4)) in
		0) options+=(--network=torus:grid=auto) ;;
		1) options+=(-m pack) ;;
		esac
		case $((RANDOM % 5)) in
		0) step=(-n "$tasks" -m block) ;;
		1) step=(-n "$nodes" -N "$nodes" -m block) ;;
		2) step=(-n "$tasks" -m cyclic) ;;
		3) step=(-N $((nodes - 1)) -n $((nodes - 1)) -m block) ;;
		4) step=(-n "$tasks") ;;
		esac
		for name in stock torus; do
			use_cluster "$name"
			job=$(allocate "${options[@]}") || return
			held[$name]=$(cores "$job")
			shown[$name]=$(laid_out "$job" "${step[@]}")
			scancel "$job"
			wait_until 60 all_idle
		done
		what="salloc ${options[*]}; srun ${step[*]}"
		expect_equal "${held[torus]}" "${held[stock]}" "cores: $what" || return
		expect_equal "$(counts <<<"${shown[torus]}")" "$(counts <<<"${shown[stock]}")" \
			"tasks on nodes: $what" || return
		# A step of fewer nodes takes the first ones of the order.
		if [ "$partition" = shared ] && [[ ${step[*]} != "-N "* ]]; then
			expect_equal "$(per_node <<<"${shown[torus]}")" \
				"$(per_node <<<"${shown[stock]}")" "tasks of each node: $what" || return
		fi
		[[ ${step[*]} = *cyclic* ]] || in_rows <<<"${shown[torus]}" ||
			[ "$tasks" -le "$nodes" ] || fail "not in rows: $what" "${shown[torus]}"
		if [[ ${step[*]} = *cyclic* || ${options[*]} = *pack* ]]; then
			expect_equal "${shown[torus]}" "${shown[stock]}" "tasks: $what" || return
		fi
	done
}
