#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# cli_filter/torus: plain srun in the order of the torus, and everything else as in stock
# Slurm. 4x2 routers with two nodes each, whose names are no help; a quarter of them has one
# CPU, the others two; two GPUs each. RANDOM_STEPS is how many random steps there are (40).

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local nodes='n[005,012,000,009,003,014,007,001,015,010,002,006,011,004,013,008]'
	cat >"$BATS_FILE_TMPDIR/conf" <<-'END'
		GresTypes=gpu
		CliFilterPlugins=torus
		TaskPlugin=task/affinity
		SlurmdParameters=config_overrides
		NodeName=n[000-011] CPUs=2 Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:2
		NodeName=n[012-015] CPUs=1 Sockets=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:2
		DefMemPerCPU=10
	END
	cat >"$BATS_FILE_TMPDIR/gres.conf" <<-'END'
		NodeName=n[000-015] Name=gpu File=/dev/null
		NodeName=n[000-015] Name=gpu File=/dev/zero
	END
	echo "TorusName=main Dims=4x2 NodesPerRouter=2 Nodes=$nodes" >"$BATS_FILE_TMPDIR/torus.conf"
	cluster_start --select-params CR_Core_Memory --cpus 2 --dims 4x2 --nodes-per-router 2 \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf" || return
	[ -e "$TORUS_CONF" ] || cp "$BATS_FILE_TMPDIR/torus.conf" "$TORUS_CONF"
}
teardown_file() { minicluster down; }
setup() { cd "$BATS_TEST_TMPDIR" || return; }

# in_job OPTION... -- SCRIPT: run it in an allocation
in_job()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	timeout 120 salloc --quiet --exclusive "${options[@]}" bash -c "
		hosts() { srun -l \"\$@\" printenv SLURMD_NODENAME | sort -n | sed 's/.* //'; }
		why() { srun -v \"\$@\" true 2>&1 | sed -n 's#^srun: cli_filter/torus: ##p'; }
		$2"
}

# orders_by_itself: slurmctld orders the tasks, so that the filter need not
orders_by_itself() { is_since 26.05 && [ "$TORUS_VIA" != select ]; }

# mapped NODELIST OPTION...: the hosts of the tasks as storus map has them
mapped()
{
	local nodes=$1
	shift
	"$STORUS" map --conf "$TORUS_CONF" --nodelist "$nodes" --format slurm "$@"
}

@test "plain srun is in the order of storus map, one or several tasks a node" {
	got=$(in_job -N 16 -- 'hosts')
	expect_equal "$got" "$(mapped 'n[000-015]' --grid any)" "a task a node"
	run -1 diff <(echo "$got") <(sort <<<"$got")
	orders_by_itself ||
		expect_equal "$(in_job -w 'n[000-011]' -N 12 -- 'hosts -n 24')" \
			"$(mapped 'n[000-011]' --grid any --tasks-per-node 2)" "two tasks a node"
}

@test "the job's grid, the step's, and another number of tasks than the grid's" {
	expect_equal "$(in_job -N 16 --network=torus:grid=4x2x2 -- 'hosts')" \
		"$(mapped 'n[000-015]' --grid 4x2x2)" "the job's grid"
	expect_equal "$(in_job -N 16 -- 'hosts --network=torus:grid=8x2')" \
		"$(mapped 'n[000-015]' --grid 8x2)" "the step's grid"
	expect_equal "$(in_job -w 'n[000-011]' -N 12 --network=torus:grid=4x4 -- 'hosts -n 12')" \
		"$(mapped 'n[000-011]' --grid any)" "a grid of more tasks"
}

@test "a job's own -m cyclic is kept" {
	got=$(in_job -w 'n[000-011]' -N 12 -- 'SLURM_DISTRIBUTION=cyclic hosts -n 24')
	expect_equal "$got" "$(mapped 'n[000-011]' --grid any --tasks-per-node 2 --distribution cyclic)"
}

@test "steps that say something of their nodes or tasks are left alone, and -v says why" {
	# shellcheck disable=SC2016 # for the shell within to expand
	in_job -N 8 -- '
		why -m block; why -w $(scontrol show hostnames | head -n 1) -N 1 -n 1; why -r 1 -N 7 -n 7
		why -N 4 -n 4; why -n 3; why -x $(scontrol show hostnames | tail -n 1) -N 7 -n 7
		scontrol show hostnames >'"$BATS_TEST_TMPDIR"'/hosts
		SLURM_HOSTFILE='"$BATS_TEST_TMPDIR"'/hosts why -n 8 -m arbitrary
		TORUS_ORDER=off why; SLURM_JOB_NUM_NODES=7 why; why -N 1 -n 1 : -N 1 -n 1' >why
	cat why
	expect_equal "$(wc -l <why)" 11
	run ! grep -v "^tasks in Slurm's own order: " why
	for reason in "the step names a distribution" "the step names its nodes" \
		"the step uses 4 of the job's 8 nodes" "fewer tasks than nodes" "TORUS_ORDER=off" \
		"the step uses 7 of the job's 8 nodes" "a step over several components of a job"; do
		grep -qxF "tasks in Slurm's own order: $reason" why || fail "not said: $reason"
	done
	run -0 timeout 60 salloc --quiet -N 2 : -N 2 srun -v --het-group=0,1 true
	expect_match "$output" "own order: a step over several components of a job"
	run ! grep "in the order of the torus" <<<"$output"
	run -0 timeout 60 srun -v -N 2 true
	expect_match "$output" 'not within a job: the nodes are not known yet'
}

@test "an srun within a task finds the environment that it would have found" {
	got=$(in_job -N 4 -- "srun sh -c 'echo \$SLURM_DISTRIBUTION'; srun -n 8 --overcommit \
		sh -c 'echo \$SLURM_DISTRIBUTION'")
	expect_equal "$(sort -u <<<"$got")" $'block\ncyclic'
	got=$(in_job -N 4 -- "srun sh -c '[ \$SLURM_PROCID != 0 ] || srun --overlap --cpu-bind=none hostname'" | wc -l)
	expect_equal "$got" 4 "tasks of a step within a task"
}

# said OPTION...: what sbatch says of such a job itself, before slurmctld refuses it
said() { sbatch --wrap true --output=/dev/null "$@" 2>&1 | sed -n 's/^sbatch: error: --network=/--network=/p'; }

@test "a box that there never is, or that cannot be read, is said at the terminal, with what there is" {
	local network=torus:shape=9x2
	expect_equal "$(said --network=$network)" \
		"--network=$network: no box of shape 9x2 fits into the 4x2 machine; the next size is 16"
	network=torus:shape=8
	expect_equal "$(said --network=$network)" \
		"--network=$network: no box of shape 8 fits into the 4x2 machine; 2x4 has as many nodes"
	network=torus:shape=any
	expect_equal "$(said -N 5 --network=$network)" \
		"--network=$network: no box of 5 nodes fits into the 4x2 machine; the next sizes are 4 and 6"
	expect_match "$(said --network=torus:shpae=4x2)" '^--network=torus:shpae=4x2: .*shpae'
	run salloc --quiet -N 5 --network=$network true
	expect_match "$output" "salloc: error: --network=$network: no box of 5 nodes fits"
	# others are none of its business
	expect_equal "$(said -N 4 --network=torus:shape=2x1) $(said --network=ib0) $(said -N 5-8 --network=$network)" "  "
	expect_equal "$(in_job -N 4 --network=torus:shape=2x1 -- 'srun --network=torus:shape=9x2 true 2>&1')" ""
	cluster_clear
}

@test "without torus.conf, with a bad one, without a node: plain srun; or topology.conf serves" {
	in_job -N 16 -- hosts >ordered
	sort ordered >plain
	mv "$TORUS_CONF" "$BATS_TEST_TMPDIR/torus.conf"
	in_job -N 16 -- 'hosts; why' >without
	echo "TorusName=main Dims=4x2" >"$TORUS_CONF"
	in_job -N 16 -- 'hosts; why' >bad
	echo "TorusName=main Dims=4x2 NodesPerRouter=2 Nodes=n[000-014]" >"$TORUS_CONF"
	in_job -N 16 -- 'hosts; why' >node
	rm "$TORUS_CONF"
	cp "$BATS_TEST_TMPDIR/torus.conf" "${TORUS_CONF%/*}/topology.conf"
	in_job -N 16 -- hosts >carried
	rm "${TORUS_CONF%/*}/topology.conf"
	mv "$BATS_TEST_TMPDIR/torus.conf" "$TORUS_CONF"
	for case in without bad node; do
		head -n 16 $case | diff - plain
		tail -n 1 $case | grep "own order: .*torus.conf"
	done
	diff ordered carried
}

@test "random steps: as in Slurm's own order, but for the order" {
	local steps=${RANDOM_STEPS:-40}
	run -0 "$TORUS_SRCDIR/test/slurm/random_steps" "$steps"
	echo "$output"
	expect_match "${lines[-1]}" "^$steps steps, [1-9][0-9]* ordered, [0-9]+ succeeded, 0 differ\$"
}
