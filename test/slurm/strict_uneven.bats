#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Strict jobs (a shape, --contiguous) on nodes that have different things, beside stock
# Slurm: a line of 16, n[012-015] with four GPUs, the others with one; n[004-007] with 8
# processors, the others with 2; n[008-009] with more memory; and a second torus whose
# nodes have one GPU and the last two four. A place for what is asked for in all cannot be
# found by leaving out one weak node after the other.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local file
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=n[000-003,010-011] CPUs=2 RealMemory=1000 Gres=gpu:a:1
		NodeName=n[004-007] CPUs=8 RealMemory=1000 Gres=gpu:a:1
		NodeName=n[008-009] CPUs=2 RealMemory=4000 Gres=gpu:a:1
		NodeName=n[012-013] CPUs=2 RealMemory=1000 Gres=gpu:a:4
		NodeName=n[014-015] CPUs=2 RealMemory=1000 Gres=gpu:b:4
		NodeName=n[016-021] CPUs=2 RealMemory=1000 Gres=gpu:a:1
		NodeName=n[022-023] CPUs=2 RealMemory=1000 Gres=gpu:b:4
		DefMemPerNode=100
		PartitionName=line Nodes=n[000-015] Default=YES MaxTime=INFINITE State=UP PriorityTier=1
		PartitionName=first Nodes=n[000-015] MaxTime=INFINITE State=UP PriorityTier=9
		PartitionName=both Nodes=n[000-023] MaxTime=INFINITE State=UP PriorityTier=1
		PreemptType=preempt/partition_prio
		PreemptMode=CANCEL
	END
	{
		echo "NodeName=n[000-013,016-021] Name=gpu Type=a File=/dev/null"
		for file in zero full random; do
			echo "NodeName=n[012-013] Name=gpu Type=a File=/dev/$file"
		done
		for file in null zero full random; do
			echo "NodeName=n[014-015,022-023] Name=gpu Type=b File=/dev/$file"
		done
	} >"$BATS_FILE_TMPDIR/gres.conf"
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=main Dims=16 Nodes=n[000-015]
		TorusName=small Dims=8 Nodes=n[016-023]
	END
	pair_start --dims 24 --cpus 8 --memory 4000 --select-params CR_CPU_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
	cp "$BATS_FILE_TMPDIR/torus.conf" "$TORUS_CONF"
	reconfigure
	learn_ranks
}
teardown_file() { pair_stop; }
setup() { use_cluster torus; }
teardown() { pair_clear; }

# names_of LIST: node names, one a line
names_of() { scontrol show hostnames "$1"; }

# as_stock NODES OPTION...: stock Slurm starts the job (22.05 does not find all of these
# places), and so it starts here, on NODES, a regular expression
as_stock()
{
	local nodes=$1 job
	shift
	use_cluster stock
	starts_at_once "$@" >/dev/null || ! is_since 24.11 || fail "stock Slurm does not start $*" || return
	cluster_clear
	use_cluster torus
	job=$(starts_at_once "$@") || fail "not started: $*" "$(tail -n 20 "$CONTROLLER_LOG")" || return
	expect_match "$(job_nodes "$job")" "^($nodes)$" "nodes for $*"
	cluster_clear
}

@test "GPUs of two sockets: nodes that have as many, also without a shape" {
	is_since 24.11 || skip "Slurm then takes nodes of which one socket has as many"
	job=$(starts_at_once -N2 --gpus-per-socket=1 --sockets-per-node=2)
	expect_match "$(job_nodes "$job")" '^n\[01[2-4]-01[3-5]\]$' nodes
}

@test "GPUs counted in all: the nodes that have them together" {
	as_stock 'n\[01[2-4]-01[3-5]\]' -N2 --gpus=8 --contiguous
	as_stock 'n\[01[2-4]-01[3-5]\]' -N2 --gpus=8 --network=torus:shape=2
	as_stock 'n\[01[1-4]-01[2-5]\]' -N2 --gpus=5 --contiguous
	as_stock 'n\[01[1-4]-01[2-5]\]' -N2 --gpus=5 --network=torus:shape=2
	as_stock 'n\[012-015\]' -N4 --gpus=16 --contiguous
}

@test "a single node that has four: with a neighbour that has one" {
	as_stock 'n\[011-012\]' -N2 --gpus=5 --contiguous -x 'n[013-015]'
	as_stock 'n\[011-012\]' -N2 --gpus=5 --network=torus:shape=2 -x 'n[013-015]'
	as_stock 'n\[010-012\]' -N3 --gpus=6 --contiguous -x 'n[013-015]'
}

@test "GPUs of a type" {
	as_stock 'n\[012-013\]' -N2 --gpus=a:8 --contiguous
	as_stock 'n\[014-015\]' -N2 --gpus=b:8 --network=torus:shape=2
	as_stock 'n\[011-012\]|n\[012-013\]' -N2 --gpus=a:5 --contiguous
}

@test "a required node stays in" {
	as_stock 'n\[011-012\]' -N2 --gpus=5 --contiguous -w n011
	as_stock 'n\[010-012\]' -N3 --gpus=6 --contiguous -w n010
	as_stock 'n\[003-004\]' -N2 -n9 --contiguous -w n003
}

@test "processors in all" {
	as_stock 'n\[00[4-6]-00[5-7]\]' -N2 -n16 --contiguous
	as_stock 'n\[00[4-6]-00[5-7]\]' -N2 -n16 --network=torus:shape=2
	as_stock 'n\[003-004\]|n\[00[4-6]-00[5-7]\]|n\[007-008\]' -N2 -n10 --contiguous
	as_stock 'n\[00[1-6]-0(0[6-9]|1[0-1])\]' -N6 -n34 --contiguous
}

@test "processors and GPUs in all, on nodes that stock Slurm 24.11 takes only by name or in a row" {
	as_stock 'n\[00[0-6]-0(0[4-9]|10)\]' -N5 -n15 --gpus=5 --contiguous
	use_cluster torus
	job=$(starts_at_once -N5 -n15 --gpus=5 --network=torus:shape=5)
	expect_equal "$(scontrol show hostnames "$(job_nodes "$job")" | wc -l)" 5
}

@test "a range of nodes: as many as have enough" {
	as_stock 'n\[01[0-3]-01[2-5]\]' -N2-3 --gpus=9 --contiguous -x 'n000,n005'
	as_stock 'n\[00[3-5]-00[6-8]\]' -N2-4 -n26 --contiguous
}

@test "memory beside GPUs in all" {
	as_stock 'n\[008-009\]' -N2 --gpus=2 --mem=3000 --contiguous
	as_stock 'n\[008-009\]' -N2 -n4 --mem=3000 --network=torus:shape=2
}

@test "shared nodes: what others hold is not to be had" {
	busy=$(allocate -N1 -w n013 --gpus=3)
	job=$(starts_at_once -N2 --gpus=b:8 --contiguous)
	expect_equal "$(job_nodes "$job")" 'n[014-015]'
	next=$(starts_at_once -N2 --gpus=5 --contiguous)
	expect_match "$(job_nodes "$next")" '^n\[01[12]-01[23]\]$'
	scancel "$next"
	job=$(submit -N2 --gpus=8 --contiguous)
	wait_refused "$job"
	scancel "$busy"
	wait_running "$job"
	expect_equal "$(job_nodes "$job")" 'n[012-013]'
}

@test "a plan is for a place that has enough" {
	busy=$(allocate -N1 -w n012 --gpus=4 --time=10)
	text=$(sbatch --test-only -N2 --gpus=a:8 --contiguous --time=1 --wrap true 2>&1)
	expect_match "$text" 'to start at .* on nodes n\[012-013\]'
	[[ $text =~ to\ start\ at\ ([0-9T:-]+) ]]
	start=$(($(date -d "${BASH_REMATCH[1]}" +%s) - $(date +%s)))
	((start > 500 && start <= 630)) || fail "starts in $start s: $text"
	text=$(sbatch --test-only -N2 --gpus=b:8 --network=torus:shape=2 --wrap true 2>&1)
	expect_match "$text" 'to start at .* on nodes n\[014-015\]'
}

@test "preemption frees such a place" {
	busy=$(submit -N4 --gpus=16 -w 'n[012-015]')
	wait_running "$busy"
	job=$(submit -p first -N2 --gpus=8 --contiguous)
	wait_running "$job"
	expect_match "$(job_nodes "$job")" '^n\[01[2-4]-01[3-5]\]$'
}

@test "several tori: the one that has enough" {
	job=$(starts_at_once -p both -N2 --gpus=b:8 --contiguous -x 'n[014-015]')
	expect_equal "$(job_nodes "$job")" 'n[022-023]'
	# No interval goes from one torus to the other.
	! job=$(starts_at_once -p both -N4 --gpus=10 --contiguous -x 'n[012-014],n023') ||
		fail "started on $(job_nodes "$job")"
}

@test "what no place has is refused for ever, with the reason" {
	for options in '-N2 --gpus=9 --contiguous' '-N2 --gpus=9 --network=torus:shape=2' \
		'-N3 --gpus=a:9 -w n000 --contiguous'; do
		log_mark
		# shellcheck disable=SC2086 # several options
		run submit $options
		[ "$status" -ne 0 ] || fail "accepted: $options"
		expect_match "$output" 'Requested node configuration is not available'
		logged 'no such place has the processors, memory or GRES' || fail "$options" "$(log_since)"
	done
}

@test "random strict jobs: what has a place starts, on one that has enough" {
	local seed=${TORUS_TEST_SEED:-$RANDOM}
	RANDOM=$seed
	echo "# seed: TORUS_TEST_SEED=$seed"
	gpus=(1 1 1 1 1 1 1 1 1 1 1 1 4 4 4 4)
	cpus=(2 2 2 2 8 8 8 8 2 2 2 2 2 2 2 2)
	started=0
	for ((round = 0; round < ${TORUS_TEST_ROUNDS:-25}; round++)); do
		nodes=$((1 + RANDOM % 5))
		want=$((nodes + RANDOM % (2 * nodes + 2))) tasks=$((nodes + RANDOM % (3 * nodes)))
		options=(-N "$nodes" -n "$tasks" --gpus="$want")
		((RANDOM % 2)) && options+=(--contiguous) || options+=(--network=torus:shape="$nodes")
		places=()
		for ((first = 0; first + nodes <= 16; first++)); do
			have=0 room=0
			for ((i = first; i < first + nodes; i++)); do
				((have += gpus[i], room += cpus[i]))
			done
			((have < want || room < tasks)) || places+=("$(printf 'n[%03d-%03d]' "$first" $((i - 1)))")
		done
		if job=$(starts_at_once "${options[@]}" 2>/dev/null); then
			[ "${#places[@]}" -gt 0 ] ||
				fail "round $round: started ${options[*]} on $(job_nodes "$job")"
			((++started))
			cluster_clear
			continue
		fi
		# Slurm may have reasons to take none of these.
		use_cluster stock
		for place in "${places[@]}"; do
			! starts_at_once -N "$nodes" -n "$tasks" --gpus="$want" -w "$place" 2>/dev/null ||
				fail "round $round: not started, stock does on $place: ${options[*]}"
		done
		use_cluster torus
	done
	echo "# $started started"
	[ "$started" -gt 0 ]
}
