#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# topology/torus beside stock Slurm, from 24.11 on: shared nodes, memory, GPUs, preemption,
# reservations, nodes that come and go. The stock cluster is a twin: it holds the same jobs on
# the same nodes, so that what it would start must be started here, too. 4x4x4 torus, 4 CPUs
# and 4 GPUs a node.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 24.11 || return 0
	local index
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=n[000-063] Gres=gpu:4
		PreemptType=preempt/partition_prio
		PreemptMode=REQUEUE
		PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP
		PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF MaxTime=INFINITE State=UP
		TreeWidth=65533
	END
	! has_dynamic_nodes || echo MaxNodeCount=72 >>"$BATS_FILE_TMPDIR/conf"
	for index in null zero full random; do
		echo "NodeName=n[000-063] Name=gpu File=/dev/$index"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	topology_pair_start --dims 4x4x4 --wrap all --cpus 4 --memory 1000 \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/stock" ] || pair_stop; }
setup() { since 24.11; use_cluster torus; }
teardown() { [ ! -d "$BATS_FILE_TMPDIR/stock" ] || pair_clear; }

@test "random jobs with CPUs, memory and GPUs: what stock Slurm starts is started, on nodes that it accepts" {
	local seed=${TORUS_TEST_SEED:-$RANDOM}
	RANDOM=$seed
	echo "# seed: TORUS_TEST_SEED=$seed"
	twins=()
	refused=0
	for ((round = 0; round < 60; round++)); do
		options=(-N $((1 + RANDOM % 16)) --ntasks-per-node=$((1 + RANDOM % 3)))
		((RANDOM % 2)) || options+=(--gres=gpu:$((1 + RANDOM % 3)))
		((RANDOM % 2)) || options+=(--mem=$((100 + RANDOM % 600)))
		if job=$(starts torus "${options[@]}"); then
			nodes=$(job_nodes "$job")
			# As tasks fill them, stock Slurm gets the same from the same nodes.
			twin=$(starts stock "${options[@]}" --nodelist="$nodes") ||
				fail "round $round: stock Slurm refuses ${options[*]} on $nodes"
			twins+=("$job $twin")
		else
			if other=$(starts stock "${options[@]}"); then
				fail "round $round: stock Slurm starts ${options[*]} (job $other)"
			fi
			((++refused))
			for ((end = 0; end < 3; end++)); do
				index=$((RANDOM % ${#twins[@]}))
				read -r job twin <<<"${twins[index]}"
				unset "twins[index]"
				twins=("${twins[@]}")
				use_cluster stock
				scancel "$twin"
				use_cluster torus
				scancel "$job"
			done
			use_cluster stock
			wait_until 30 no_ending
			use_cluster torus
			wait_until 30 no_ending
		fi
	done
	[ "$refused" -gt 0 ]
}
no_ending() { [ -z "$(squeue -h -t CG -o %A)" ]; }

@test "GPUs counted in all: as many nodes as stock Slurm takes, close together" {
	pair_gpus()
	{
		local name
		for name in stock torus; do
			use_cluster "$name"
			allocate -n "$1" --gpus="$2" >/dev/null || return
			job_nodes "$(squeue -h -o %A | sort -n | tail -n 1)" >"$BATS_TEST_TMPDIR/$name"
		done
		expect_equal "$(scontrol show hostnames "$(<"$BATS_TEST_TMPDIR/torus")" | wc -l)" \
			"$(scontrol show hostnames "$(<"$BATS_TEST_TMPDIR/stock")" | wc -l)" "nodes of $*"
	}
	pair_gpus 8 32
	pair_gpus 4 10
	pair_gpus 16 16
	job=$(squeue -h -o %A | sort -n | head -n 1)
	by_engine "$job"
	expect_match "$(token "$job")" ',nodes=8,span=8,box=2x2x2,'
}

@test "preemption: no more preemptees than under stock Slurm" {
	for name in stock torus; do
		use_cluster "$name"
		for ((i = 0; i < 16; i++)); do submit -N 4 --exclusive >/dev/null; done
		wait_until 60 nodes_idle 0
		job=$(submit -p high -N 12 --exclusive)
		wait_until 90 in_state "$job" RUNNING
		squeue -h -t PD -p low -o %A | wc -l >"$BATS_TEST_TMPDIR/$name"
	done
	[ "$(<"$BATS_TEST_TMPDIR/torus")" -ge 3 ]
	[ "$(<"$BATS_TEST_TMPDIR/torus")" -le "$(<"$BATS_TEST_TMPDIR/stock")" ] ||
		fail "preemptees: $(<"$BATS_TEST_TMPDIR/torus"), stock Slurm $(<"$BATS_TEST_TMPDIR/stock")"
}

@test "a reservation by node count is close together, and so is the job in it" {
	scontrol create reservation ReservationName=r NodeCnt=8 StartTime=now Duration=10 \
		Users="$(id -un)" >/dev/null
	nodes=$(scontrol -o show reservation r | sed -nE 's/.* Nodes=([^ ]*).*/\1/p')
	expect_equal "$(ranks_of "$nodes")" 0-7 "ranks of the reservation"
	job=$(allocate --reservation=r -N 3)
	expect_ranks "$job" 0-2
	job=$(allocate -N 4)
	expect_ranks "$job" 8-11
	scancel --user="$(id -un)"
	wait_until 60 scontrol delete ReservationName=r # once no job is in it
}

@test "a node that is gone and one that is drained are holes; a job around them is started" {
	scontrol update NodeName="$(nodes_at 3,9)" State=DRAIN Reason=test
	job=$(allocate -N 20 --exclusive)
	expect_ranks "$job" 10-29
	scontrol update NodeName="$(nodes_at 3,9)" State=RESUME
}

@test "dynamic nodes: one that torus.conf names takes its place, another is beside the torus" {
	need_dynamic_nodes
	scontrol create NodeName=extra CPUs=4 RealMemory=1000 State=CLOUD >/dev/null
	job=$(allocate -N 64 --exclusive -w "$(nodes_at 0-63)")
	[[ $(token "$job") == *,nodes=64,* ]]
	scancel "$job"
	wait_until 60 nodes_idle 64 || true
	scontrol delete NodeName=extra
	job=$(allocate -N 8 --exclusive)
	expect_ranks "$job" 0-7
}
