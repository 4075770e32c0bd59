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
	echo "TorusName=main Dims=4x2 NodesPerRouter=2 Nodes=$nodes Allocator=best_fit" >"$BATS_FILE_TMPDIR/torus.conf"
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
	expect_equal "$(in_job -w 'n[000-011]' -N 12 -- 'hosts -n 24')" \
		"$(mapped 'n[000-011]' --grid any --tasks-per-node 2)" "two tasks a node"
}

@test "task 0 is on the first node of the job's list, and tasks can learn their node's place" {
	local round nodes seed=${TORUS_TEST_SEED:-$RANDOM}
	echo "# seed: TORUS_TEST_SEED=$seed"
	for round in {1..6}; do
		nodes=$(seq -f 'n%03g' 0 15 | shuf -n $((3 + round)) --random-source=<(yes "$seed$round") | sort | paste -sd,)
		# shellcheck disable=SC2016 # for the shells within to expand
		in_job -w "$nodes" -N $((3 + round)) -- '
			scontrol show hostnames | head -n 1
			srun --task-prolog='"$TORUS_SRCDIR"'/docs/examples/launchers/task-prolog sh -c "
				echo \$SLURM_PROCID \$SLURMD_NODENAME \${TORUS_NODE_RANK-none} \${TORUS_RANK-none} \${TORUS_NODES-}" | sort -n' >told
		cat told
		expect_equal "$(sed -n '2s/^0 \([^ ]*\) .*/\1/p' told)" "$(head -n 1 told)" "node of task 0" || return
		# where nothing changes there is nothing to tell
		! grep -q ' none none$' told || continue
		expect_equal "$(tail -n +2 told | cut -d' ' -f3,4)" "$(seq 0 $((2 + round)) | sed 's/.*/& &/')" "places" || return
		expect_equal "$(scontrol show hostnames "$(tail -n 1 told | cut -d' ' -f5)")" "$(tail -n +2 told | cut -d' ' -f2)" \
			"TORUS_NODES" || return
	done
}

@test "the job's grid, the step's, and another number of tasks than the grid's" {
	expect_equal "$(in_job -N 16 --network=torus:grid=4x2x2 -- 'hosts')" \
		"$(mapped 'n[000-015]' --grid 4x2x2)" "the job's grid"
	expect_equal "$(in_job -N 16 -- 'hosts --network=torus:grid=8x2')" \
		"$(mapped 'n[000-015]' --grid 8x2)" "the step's grid"
	expect_equal "$(in_job -w 'n[000-011]' -N 12 --network=torus:grid=4x4 -- 'hosts -n 12')" \
		"$(mapped 'n[000-011]' --grid any)" "a grid of more tasks"
	expect_equal "$(in_job -w 'n[000-011]' -N 12 --network=torus:grid=4x4 -- why)" "--network=torus:grid=4x4 is left aside: grid 4x4 is for 16 tasks, and the job has 12: ask for --ntasks=16, give a grid of 12 tasks, or grid=auto
12 tasks in the order of the torus" "why"
}

# own_order OPTION... [-- SCRIPT]: that the tasks of such a job are in Slurm's own order, and
# the same with several on a node; prints why
own_order()
{
	local options=()
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift || true
	# shellcheck disable=SC2016 # for the shell within to expand
	in_job -w 'n[000-011]' -N 12 "${options[@]}" -- "$*"'
		hosts | cmp - <(scontrol show hostnames) || exit
		[ "${SLURM_DISTRIBUTION-}" = cyclic ] || hosts -n 24 | cmp - <(scontrol show hostnames | sed p) || exit
		why'
}

@test "what the user says of the distribution counts, wherever it is said" {
	expect_match "$(own_order -m cyclic)" 'own order: the job names a distribution'
	expect_match "$(own_order -- 'export SLURM_DISTRIBUTION=block;')" 'own order: the job names a distribution'
	expect_match "$(SBATCH_DISTRIBUTION=block batch)" 'own order: the job names a distribution'
	expect_match "$(batch -m block)" 'own order: the job names a distribution'
	expect_match "$(SLURM_DISTRIBUTION=cyclic batch)" 'own order: the job names a distribution'
	expect_match "$(batch)" '^12 tasks in the order of the torus'
}
# batch OPTION...: what srun says in such a batch job
batch()
{
	sbatch --quiet --wait --chdir=/ -o "$BATS_TEST_TMPDIR/batch" -w 'n[000-011]' -N 12 "$@" \
		--wrap 'srun -v true 2>&1 | sed -n "s#^srun: cli_filter/torus: ##p"'
	cat "$BATS_TEST_TMPDIR/batch"
}

@test "what Slurm itself tells tasks of their distribution is nobody's word" {
	local got
	got=$(srun -N 1 -n 1 --chdir=/ bash -c "$(declare -f batch); BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR
		unset \${!SLURM_N*} \${!SLURM_CPU*} SLURM_TASKS_PER_NODE; batch; batch -m block")
	expect_equal "$got" "12 tasks in the order of the torus
tasks in Slurm's own order: the job names a distribution"
}

@test "a word, a variable and a key switch the order off" {
	expect_match "$(own_order --network=torus:order=off)" "own order: --network=torus:order=off"
	expect_match "$(own_order -- 'export TORUS_ORDER=off;')" "own order: TORUS_ORDER=off"
	expect_match "$(in_job -N 4 -- 'why --network=torus:order=off')" "own order: --network=torus:order=off"
	sed -i '$aTaskOrder=except:other,all' "$TORUS_CONF"
	expect_match "$(own_order)" "own order: TaskOrder= in torus.conf is not for jobs in partition all"
	sed -i 's/^TaskOrder=.*/TaskOrder=all/' "$TORUS_CONF"
	in_job -N 12 -- 'why' >why
	sed -i '/^TaskOrder=/d' "$TORUS_CONF"
	expect_equal "$(cat why)" "12 tasks in the order of the torus"
}

@test "steps of few nodes go through the job's nodes as in stock Slurm" {
	local switch
	# a job each, since from 24.11 on Slurm goes on with the node after the last step's
	for switch in on off; do
		# shellcheck disable=SC2016 # for the shell within to expand
		in_job -w 'n[001-006,008-009]' -N 8 --ntasks-per-node=1 -- "export TORUS_ORDER=$switch;"'
			for i in {0..7}; do srun -N 1 -n 1 -r $i printenv SLURMD_NODENAME; done' >$switch
	done
	diff on off
	expect_equal "$(head -n 1 off)" n001 "node of -r 0"
	# Packed ones run side by side: each waits for the others. They begin one after the other:
	# where they come in another order than that of the nodes, stock Slurm, which goes on with
	# the node after the last step's, leaves one of them waiting and a node idle.
	for switch in on off; do
		rm -f here.*
		# shellcheck disable=SC2016
		in_job -w 'n[000-003]' -N 4 -- "export TORUS_ORDER=$switch; cd '$BATS_TEST_TMPDIR'"'
			for i in {0..3}; do
				srun --exact -N 1 -n 1 -c 2 -r $i sh -c "printenv SLURMD_NODENAME >here.$i; i=0; until [ -e here.0 -a -e here.1 -a -e here.2 -a -e here.3 ]; do i=\$((i + 1)); [ \$i -lt 1200 ] || exit 1; sleep 0.1; done" &
				steps[i]=$!
				until [ -e here.$i ] || ! kill -0 $!; do sleep 0.1; done
			done
			for i in {0..3}; do wait ${steps[i]} || exit; done'
		expect_equal "$(cat here.{0..3} | xargs)" "n000 n001 n002 n003" "packed steps, order=$switch"
	done
}

@test "as many tasks as Slurm would count where nobody counts them" {
	# shellcheck disable=SC2016 # for the shell within to expand
	in_job -w 'n[000-003]' -N 4 -- 'many() { srun "$@" hostname | wc -l; }
		for options in "-c 1" "-c 2" "-B 1:2:1" "--ntasks-per-core=1"; do
			many $options; TORUS_ORDER=off many $options
		done
		for name in SRUN SLURM; do
			export ${name}_CPUS_PER_TASK=1
			many; TORUS_ORDER=off many
		done' >many
	cat many
	expect_equal "$(sed -n '1p;3p;5p' many | xargs)" "8 4 8" "of 4 nodes with 2 CPUs"
	expect_equal "$(sed -n '1~2p' many)" "$(sed -n '2~2p' many)" "with and without the filter"
}

@test "steps that say something of their nodes or tasks are left alone, and -v says why" {
	# shellcheck disable=SC2016 # for the shell within to expand
	in_job -N 8 -- '
		why -m block; why -w $(scontrol show hostnames | head -n 1) -N 1 -n 1; why -r 1 -N 7 -n 7
		why -N 4 -n 4; why -n 3; why -x $(scontrol show hostnames | tail -n 1) -N 7 -n 7
		scontrol show hostnames >'"$BATS_TEST_TMPDIR"'/hosts
		SLURM_HOSTFILE='"$BATS_TEST_TMPDIR"'/hosts why -n 8 -m arbitrary
		TORUS_ORDER=off why; SLURM_JOB_NUM_NODES=7 why; why -N 1 -n 1 : -N 1 -n 1; why -c 1' >why
	cat why
	expect_equal "$(wc -l <why)" 12
	run ! grep -v "^tasks in Slurm's own order: " why
	for reason in "the step names a distribution" "the step names its nodes" \
		"the step uses 4 of the job's 8 nodes" "fewer tasks than nodes" "TORUS_ORDER=off" \
		"the number of tasks is not given" \
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
