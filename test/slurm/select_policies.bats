#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules of Slurm's own for the choice among shared nodes (least loaded, serial jobs at the
# end, spread out, busy ones first) hold with our plugins as without them: the same jobs on
# the same cluster get the same nodes. 32 nodes of 4 processors, a 4x4x2 torus, whose
# curve is the order of the names: Slurm's rules prefer the first of equals, and
# topology/torus puts Slurm's nodes into the order of the curve.

bats_require_minimum_version 1.5.0
load select_support

teardown() { pair_stop; }

# start_with LINE...: both clusters with these lines in slurm.conf
start_with()
{
	printf '%s\n' "NodeName=n[000-031] CPUs=4" \
		"PartitionName=shared Nodes=ALL Default=YES MaxTime=INFINITE State=UP" "$@" \
		>"$BATS_TEST_TMPDIR/extra.conf"
	printf '%s\n' "TorusName=main Dims=4x4x2 Wrap=all Nodes=n[000-031]" \
		"Curve=row_major Allocator=best_fit" >"$BATS_TEST_TMPDIR/torus.conf"
	pair_start --dims 4x4x2 --torus-conf "$BATS_TEST_TMPDIR/torus.conf" \
		--conf-append "$BATS_TEST_TMPDIR/extra.conf" --select-params "${params:-CR_CPU}"
}

# own_rule_for_one: Slurm would not keep to the rules for jobs of one node; where
# topology/torus chooses alone, it does
own_rule_for_one() { [ "$TORUS_VIA" = topology ] && first_node_will_do; }

# the_stream: jobs of all sorts, one after the other; prints the nodes of each
the_stream()
{
	local job options
	while read -r options; do
		[ "$options" != "-n 1" ] || ! own_rule_for_one || continue
		# shellcheck disable=SC2086 # several words
		job=$(allocate $options) || return
		echo "$options: $(job_nodes "$job")"
	done <<-END
		-N 3 --ntasks-per-node=2
		-n 1
		-N 2 --ntasks-per-node=1
		-n 7
		-n 1
		-N 4 --ntasks-per-node=3
		-n 1
		-N 8 --ntasks-per-node=1
	END
}

# as_stock: the stream has the same nodes on both
as_stock()
{
	use_cluster stock
	the_stream >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	the_stream >"$BATS_TEST_TMPDIR/torus"
	diff "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus"
}

@test "CR_LLN: the least loaded nodes" {
	params=CR_CPU,CR_LLN start_with
	as_stock
}

@test "LLN=YES of a partition: the least loaded nodes" {
	start_with "PartitionName=lln Nodes=ALL LLN=YES MaxTime=INFINITE State=UP"
	export SALLOC_PARTITION=lln
	as_stock
}

@test "pack_serial_at_end: serial jobs at the end, others on the curve" {
	start_with SchedulerParameters=pack_serial_at_end
	serial()
	{
		local job
		for _ in 1 2 3 4 5 6; do
			job=$(allocate -n 1) || return
			job_nodes "$job"
		done
	}
	use_cluster stock
	if own_rule_for_one; then
		printf 'n%s\n' 031 031 031 031 030 030
	else
		serial
	fi >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	serial >"$BATS_TEST_TMPDIR/torus"
	diff "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus"
	job=$(allocate -N 8 --ntasks-per-node=1)
	expect_match "$(token "$job")" ',nodes=8,span=8,'
}

@test "CR_Pack_Nodes: as many nodes and tasks on each as under stock Slurm" {
	params=CR_CPU,CR_Pack_Nodes start_with
	tasks_per_node()
	{
		local job options
		while read -r options; do
			# shellcheck disable=SC2086 # several words
			job=$(allocate $options) || return
			echo "$options: $(squeue -h -j "$job" -o '%D %C') $(srun --jobid="$job" \
				hostname 2>/dev/null | wc -l)"
		done <<-END
			-n 10
			-N 2-4 -n 6
			-n 3
			-N 3 -n 7
			-n 5 -c 2
		END
	}
	use_cluster stock
	tasks_per_node >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	tasks_per_node >"$BATS_TEST_TMPDIR/torus"
	diff "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus"
}

@test "--spread-job: over as many nodes as under stock Slurm" {
	start_with
	spread()
	{
		local job options
		while read -r options; do
			# shellcheck disable=SC2086 # several words
			job=$(allocate --spread-job $options) || return
			echo "$options: $(squeue -h -j "$job" -o '%D %C')"
		done <<-END
			-n 6
			-N 2-8 -n 8
			-N 3 -n 6
		END
	}
	use_cluster stock
	spread >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	spread >"$BATS_TEST_TMPDIR/torus"
	diff "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus"
}

@test "bf_busy_nodes: a planned job is planned on the nodes that stock Slurm plans" {
	start_with SchedulerParameters=bf_busy_nodes,bf_interval=1
	planned()
	{
		allocate -N 32 --ntasks-per-node=2 --time=10 || return
		allocate -N 8 --ntasks-per-node=2 --nodelist='n[008-015]' --time=60 || return
		allocate -N 24 --ntasks-per-node=2 --nodelist='n[000-007,016-031]' --time=20 || return
		sbatch --test-only -N 4 --ntasks-per-node=2 --time=5 --wrap true 2>&1 |
			sed 's/.* on nodes/on nodes/'
	}
	use_cluster stock
	planned | tail -1 >"$BATS_TEST_TMPDIR/stock"
	use_cluster torus
	planned | tail -1 >"$BATS_TEST_TMPDIR/torus"
	cat "$BATS_TEST_TMPDIR/stock"
	grep -q 'on nodes n' "$BATS_TEST_TMPDIR/stock"
	diff "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus"
}
