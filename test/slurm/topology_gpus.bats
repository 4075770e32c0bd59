#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# topology/torus beside stock Slurm, from 24.11 on, on nodes whose GPUs belong to sockets:
# random jobs with GPU options of every kind. The stock cluster is a twin: its jobs have the
# same cores and GPUs of the same nodes, so that what it would start must be started here,
# too. 4x4x2 torus, 2 sockets of 2 cores and 4 GPUs a node, every fourth with 2 GPUs.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 24.11 || return 0
	local few='n[003,007,011,015,019,023,027,031]'
	local many='n[000-002,004-006,008-010,012-014,016-018,020-022,024-026,028-030]'
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=$many CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4
		NodeName=$few CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:2
		DefMemPerCPU=10
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	cat >"$BATS_FILE_TMPDIR/gres.conf" <<-END
		NodeName=$many Name=gpu File=/dev/null Cores=0-1
		NodeName=$many Name=gpu File=/dev/zero Cores=0-1
		NodeName=$many Name=gpu File=/dev/full Cores=2-3
		NodeName=$many Name=gpu File=/dev/random Cores=2-3
		NodeName=$few Name=gpu File=/dev/null Cores=0-1
		NodeName=$few Name=gpu File=/dev/zero Cores=2-3
	END
	topology_pair_start --dims 4x4x2 --wrap all --cpus 4 --memory 1000 \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/stock" ] || pair_stop; }
setup() { since 24.11; use_cluster torus; }
teardown() { [ ! -d "$BATS_FILE_TMPDIR/stock" ] || pair_clear; }

pick() { shift $((RANDOM % $#)); echo "$1"; }
up_to() { echo $((1 + RANDOM % $1)); }

# random_job: options of a job with GPUs, in options[]
random_job()
{
	local tasks
	tasks=$(up_to 12)
	case $((RANDOM % 9)) in
	0) options=(-n "$tasks" --gpus-per-task="$(up_to 2)") ;;
	1) options=(-n "$tasks" --gpus="$(up_to 16)") ;;
	2) options=(-N "$(up_to 6)" --gpus-per-node="$(up_to 4)" --ntasks-per-node="$(up_to 3)") ;;
	3) options=(--gpus="$(up_to 12)" --cpus-per-gpu="$(up_to 2)") ;;
	4) options=(--gpus="$(up_to 8)" --ntasks-per-gpu="$(up_to 2)") ;;
	5) options=(-N "$(up_to 3)-$((3 + RANDOM % 4))" --gpus="$((6 + RANDOM % 12))") ;;
	6) options=(-N "$(up_to 5)" --gpus-per-node="$(up_to 2)" --cpus-per-gpu="$(up_to 2)") ;;
	7) options=(-n "$tasks" -c "$(up_to 2)" --gres=gpu:"$(up_to 3)") ;;
	8) options=(-N "$(up_to 4)" --gpus-per-socket="$(up_to 2)" --sockets-per-node="$(up_to 2)") ;;
	esac
	((RANDOM % 4)) || options+=(--gres-flags=enforce-binding)
	((RANDOM % 4)) || options+=(--mem-per-gpu=$((20 + RANDOM % 100)))
	((RANDOM % 8)) || options+=(--exclusive)
	((RANDOM % 8)) || options+=(--nodelist="$(printf 'n%03d' $((RANDOM % 32)))")
}

# parts CLUSTER JOB: which cores, memory and GPUs it has of each of its nodes
parts()
{
	use_cluster "$1"
	scontrol show job -d "$2" | sed -n 's/^ *Nodes=\([^ ]* CPU_IDs=\)/\1/p' |
		while read -r nodes rest; do
			scontrol show hostnames "$nodes" | sed "s/$/ $rest/"
		done | sort
}

no_ending() { [ -z "$(squeue -h -t CG -o %A)" ]; }

# end_both JOB TWIN: which there need not be
end_both()
{
	use_cluster stock
	[ -z "$2" ] || scancel "$2"
	wait_until 30 no_ending
	use_cluster torus
	scancel "$1"
	wait_until 30 no_ending
}

# fail_started TWIN: the same job has been started by stock Slurm
fail_started()
{
	local twin=$1
	parts stock "$twin" >&2
	use_cluster torus
	fail "round $round: stock Slurm starts ${options[*]}" "$(squeue -h -o '%A %N %C %b')"
}

@test "random jobs with GPU options of every kind: what stock Slurm starts is started" {
	local seed=${TORUS_TEST_SEED:-$RANDOM}
	RANDOM=$seed
	echo "# seed: TORUS_TEST_SEED=$seed"
	twins=()
	refused=0 alike=0 other=0
	for ((round = 0; round < ${TORUS_TEST_ROUNDS:-80}; round++)); do
		random_job
		if job=$(starts torus "${options[@]}"); then
			nodes=$(job_nodes "$job")
			twin=$(starts stock "${options[@]}" --nodelist="$nodes") || twin=
			if [ -n "$twin" ] && [ "$(parts torus "$job")" = "$(parts stock "$twin")" ]; then
				twins+=("$job $twin")
				((++alike))
			else
				# Slurm lays the job out differently when it is told the nodes.
				end_both "$job" "$twin"
				((++other))
			fi
			continue
		fi
		! twin=$(starts stock "${options[@]}") || fail_started "$twin"
		((++refused))
		for ((end = 0; end < 3 && ${#twins[@]} > 0; end++)); do
			index=$((RANDOM % ${#twins[@]}))
			read -r job twin <<<"${twins[index]}"
			unset "twins[index]"
			twins=("${twins[@]}")
			end_both "$job" "$twin"
		done
	done
	echo "# $alike started on both, $other laid out differently, $refused refused by both"
	[ "$refused" -gt 0 ] && [ "$alike" -gt "$other" ]
}

# answer CLUSTER OPTION...: what becomes of such a job within a few seconds
answer()
{
	local job
	use_cluster "$1"
	shift
	if job=$(submit "$@" 2>/dev/null); then
		sleep 4
		echo "$(squeue -h -j "$job" -o '%T %r %N')"
		scancel "$job"
	else
		echo refused
	fi
}

# Slurm 26.05 adds up the GPUs of the nodes that it tries for a job of one node.
@test "more GPUs for one node than any has: accepted and left to wait, or refused, as by stock Slurm" {
	for options in "-n1 --gpus=7" "-N1 --gpus=5" "-N1-1 -n2 --gpus=4" "-n1 --gpus=200" "-N1 --gpus-per-node=5"; do
		# shellcheck disable=SC2086 # they are several options
		stock=$(answer stock $options)
		# shellcheck disable=SC2086
		ours=$(answer torus $options)
		[ "$options" != "-N1-1 -n2 --gpus=4" ] || stock=${stock%% *} ours=${ours%% *}
		expect_equal "$ours" "$stock" "$options"
	done
	use_cluster torus
}
