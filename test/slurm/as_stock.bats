#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a job asks for is what Slurm's plugin is asked about, whatever else it must have: the
# same numbers of nodes, CPUs and GPUs as in stock Slurm, on the same machine beside. 4x2x2
# torus; nodes of 2 sockets of 2 cores of 2 threads with 4 GPUs; n[000-007] have the features
# a and c, n[008-015] b. test/slurm/random_jobs asks for many more.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	local file
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=n[000-007] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000 Gres=gpu:4 Features=a,c
		NodeName=n[008-015] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000 Gres=gpu:4 Features=b
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
		SchedulerParameters=bf_interval=1,bf_resolution=1
	END
	for file in null zero full random; do
		echo "NodeName=n[000-015] Name=gpu File=/dev/$file"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	pair_start --dims 4x2x2 --wrap all --select-params CR_Core_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { pair_stop; }
setup() { use_cluster torus; }
teardown() { pair_clear; }

# amounts JOB: its nodes, CPUs and GPUs
amounts()
{
	local gpus=0 nodes count
	while read -r nodes count; do
		[[ $count =~ ^gpu:([0-9]+) ]] || continue
		((gpus += BASH_REMATCH[1] * $(scontrol show hostnames "$nodes" | wc -l)))
	done < <(gres_of "$1")
	echo "$(squeue -h -j "$1" -o '%D %C') $gpus"
}

# asks AMOUNTS OPTION...: stock Slurm gives the job these, and so they are given here
asks()
{
	local amounts=$1 name job
	shift
	for name in stock torus; do
		use_cluster "$name"
		job=$(starts_at_once "$@") || fail "$name: not started: $*" || return
		expect_equal "$(amounts "$job")" "$amounts" "$name: nodes, CPUs and GPUs of $*" ||
			return
		cluster_clear
	done
}

@test "GPUs in all with CPUs for each, and --contiguous: no more nodes than in stock Slurm" {
	asks '2 12 2' -n12 --gpus=2 --cpus-per-gpu=3 --contiguous
	asks '2 12 2' -n12 -N1-4 --gpus=2 --cpus-per-gpu=3 --contiguous
	asks '4 8 8' -n8 --gpus=8 -N4-16 --mem-per-gpu=100 --contiguous
}

@test "a range of nodes with GPUs that others hold gets as many nodes as in stock Slurm" {
	local name
	for name in stock torus; do
		use_cluster "$name"
		starts_at_once -N5 --gpus-per-node=4 -w 'n[002,004-005,010,014]' --mem=100
	done >/dev/null
	for name in stock torus; do
		use_cluster "$name"
		expect_equal "$(amounts "$(starts_at_once -N1-6 --gpus-per-node=1 -x 'n[000,008,012-013,015]')")" \
			'6 12 6' "$name"
	done
}

planned_nodes() { scontrol show job "$1" | sed -nE 's/.* SchedNodeList=([^ ]*).*/\1/p'; }

# --- features that are counted ---------------------------------------------

# halves JOB A B: so many of its nodes have the feature a, and b
halves()
{
	local nodes
	nodes=$(scontrol show hostnames "$(job_nodes "$1")")
	expect_equal "$(grep -cE '^n00[0-7]$' <<<"$nodes") $(grep -cE '^n(00[89]|01)' <<<"$nodes")" \
		"$2 $3" "nodes of job $1 with a, and b"
}

@test "--contiguous with counted features: neighbours, one of each" {
	job=$(starts_at_once -N2 -C '[a*1&b*1]' --contiguous)
	halves "$job" 1 1
	expect_match "$(token "$job")" ',nodes=2,span=2,'
	job=$(starts_at_once -N6 -C '[a*3&b*2]' --contiguous)
	expect_match "$(token "$job")" ',nodes=6,span=6,'
}

@test "a shape with counted features: such a box" {
	job=$(starts_at_once -N4 -C '[a*2&b*2]' --network=torus:shape=2x2x1)
	halves "$job" 2 2
	expect_match "$(token "$job")" ',box=1x2x2,|,box=2x1x2,|,box=2x2x1,'
	cluster_clear
	job=$(starts_at_once -N4 -C '[a*2&b*2]' --network=torus:shape=any)
	halves "$job" 2 2
	expect_match "$(token "$job")" ',box=1x2x2,'
}

@test "counted features: nodes that are close, not placed feature by feature" {
	job=$(starts_at_once -N4 -C '[a*2&b*2]')
	halves "$job" 2 2
	expect_match "$(token "$job")" ',box=1x2x2,avghops=1.33'
	cluster_clear
	job=$(starts_at_once -N6 -C '[(a&c)*2&b*3]')
	expect_match "$(token "$job")" ',nodes=6,.*avghops=1\.[0-6]'
	cluster_clear
	job=$(starts_at_once -N4 -C '[a*4]')
	halves "$job" 4 0
	cluster_clear
	# Slurm itself counts a named node beside those that it picks for the features.
	job=$(starts_at_once -N5 -w n011 -C '[a*2&b*2]')
	expect_match " $(scontrol show hostnames "$(job_nodes "$job")" | xargs) " ' n011 '
	expect_equal "$(scontrol show hostnames "$(job_nodes "$job")" | grep -c '^n00[0-7]')" 2 "with a"
}

@test "one feature or another, all nodes with the same, a list: as in stock Slurm" {
	asks '4 8 0' -N4 -C 'a|b' --exclude='n[000-005,010-015]'
	asks '2 4 0' -N2 -C '[a|b]' --exclude='n[000-006]' --contiguous
	asks '8 16 0' -N8 -C '(a&c)|b' --exclude='n[000-007]'
}

@test "counts without brackets: a node with both is counted for both" {
	! is_since 23.02 || skip "Slurm takes several counts only in brackets"
	asks '2 4 0' -N2 -C 'a*2&c*2'
	asks '4 8 0' -N4 -C 'c*4&a*2'
	asks '3 6 0' -N3 -C 'a*2&c*3'
	asks '10 20 0' -N10 -C 'a*2&c*2'
	asks '4 8 0' -N4 -n8 -C 'a*4|c*4'
	asks '3 6 0' -n5 -C 'c*3&a*2' # Slurm asks about two nodes with a, of three
	for name in stock torus; do
		use_cluster "$name"
		! salloc --immediate=5 --no-shell -N4 -C 'a*2&b*2' || fail "$name: started" || return
	done
	job=$(starts_at_once -N2 -C 'a*2&c*2' --contiguous)
	halves "$job" 2 0
	expect_match "$(token "$job")" ',nodes=2,span=2,'
	cluster_clear
	job=$(starts_at_once -N2 -C 'a*1&c*2' --network=torus:shape=2x1x1)
	expect_match "$(token "$job")" ',box=(2x1x1|1x2x1|1x1x2),'
	cluster_clear
	for features in 'a*2&c*4' 'c*4&a*2'; do
		job=$(starts_at_once -N4 -C "$features" --network=torus:shape=2x2x1)
		expect_match "$(token "$job")" ',box=(2x2x1|1x2x2|2x1x2),'
		cluster_clear
	done
	job=$(starts_at_once -N8 -C 'a*2&c*2' --network=torus:shape=2x2x2)
	expect_match "$(token "$job")" ',box=2x2x2,'
}

@test "eight counts, more than the engine looks at: right, also for neighbours and boxes" {
	local eight='[a*1&c*1&b*1&a*1&c*1&b*1&b*1&b*1]'
	asks '8 16 0' -N8 -C "$eight"
	for place in --contiguous --network=torus:shape=any; do
		job=$(starts_at_once -N8 -C "$eight" $place)
		halves "$job" 4 4
		expect_match "$(token "$job")" ',nodes=8,span=8,box=(2x2x2|4x2x1|4x1x2),'
		cluster_clear
	done
	# Of nodes with a or c, which are the same ones, no box of 6 has 4.
	refused 'no such place has the processors, memory, GRES or features' \
		-N6 -C '[a*1&c*1&a*1&b*1&c*1&b*1]' --network=torus:shape=any --gpus-per-node=1
}

@test "more counts than are looked at at all: as in stock Slurm, and no certain place" {
	local many
	printf -v many 'a*1&%.0s' {1..65}
	for name in stock torus; do
		use_cluster "$name"
		! salloc --immediate=5 --no-shell -N8 -C "[${many%&}]" || fail "$name: started" || return
	done
	refused 'a job can count nodes with up to 64 features' -N8 -C "[${many%&}]" --contiguous
}

@test "features that no place has are refused, and one that is taken is waited for" {
	refused 'no such place has the processors, memory, GRES or features' \
		-N4 -C '[a*3&b*1]' --network=torus:shape=1x1x4 --gpus-per-node=1
	starts_at_once -N8 -w 'n[008-015]' -C b --mem=1000 >/dev/null
	job=$(submit -N2 -C '[a*1&b*1]' --contiguous)
	wait_until 30 in_state "$job" PENDING
}

# Stock Slurm asks for all tasks, and all GPUs, of the nodes with one feature; then the job
# waits for ever, or is refused.
@test "counted features and tasks: these have to fit on all nodes together" {
	for place in '' --contiguous --network=torus:shape=any; do
		job=$(starts_at_once -N4 -n28 -C '[a*2&b*2]' $place)
		halves "$job" 2 2
		expect_equal "$(amounts "$job")" '4 28 0' "nodes, CPUs and GPUs, $place"
		cluster_clear
	done
	! salloc --immediate=5 --no-shell -N4 -n33 -C '[a*2&b*2]' --network=torus:shape=any || fail started
}

@test "counted features and GPUs in all: all nodes together have them" {
	for place in '' --contiguous --network=torus:shape=any; do
		job=$(starts_at_once -N4 -C '[a*2&b*2]' --gpus=13 $place)
		halves "$job" 2 2
		expect_equal "$(amounts "$job")" '4 8 13' "--gpus, $place"
		cluster_clear
		job=$(starts_at_once -N2 -n6 -C '[a*1&b*1]' --gpus-per-task=1 $place)
		halves "$job" 1 1
		expect_equal "$(amounts "$job")" '2 6 6' "--gpus-per-task, $place"
		cluster_clear
		! salloc --immediate=5 --no-shell -N4 -C '[a*2&b*2]' --gpus=17 $place || fail started
	done
	# What others hold counts.
	starts_at_once -N8 -w 'n[008-015]' --gpus-per-node=3 --mem=100 >/dev/null
	job=$(starts_at_once -N4 -C '[a*2&b*2]' --gpus=10 --contiguous --mem=100)
	halves "$job" 2 2
	expect_equal "$(amounts "$job")" '4 8 10' "with GPUs that others hold"
	! salloc --immediate=5 --no-shell -N4 -C '[a*2&b*2]' --gpus=11 --contiguous --mem=100 || fail started
}

@test "counted features and --nodelist: a named node is one of those counted" {
	job=$(starts_at_once -N4 -C '[a*2&b*2]' -w n002 --contiguous --gpus=4)
	halves "$job" 2 2
	expect_match " $(scontrol show hostnames "$(job_nodes "$job")" | xargs) " ' n002 '
	cluster_clear
	job=$(starts_at_once -N4 -C '[a*2&b*2]' -w n010 --contiguous)
	halves "$job" 2 2
	expect_match " $(scontrol show hostnames "$(job_nodes "$job")" | xargs) " ' n010 '
	cluster_clear
	job=$(starts_at_once -N2 -C '[b*1&a*1]' -w n012)
	expect_match " $(scontrol show hostnames "$(job_nodes "$job")" | xargs) " ' n012 '
	halves "$job" 1 1
}

@test "backfill plans a job with counted features on one place for all of it" {
	local what
	starts_at_once -N1 -w n001 --exclusive -t 60 >/dev/null
	# There are enough nodes of each now, but the only such box has to wait for n001.
	for what in '' -n8 --gres=gpu:1 --gpus=14 -n28; do
		# Backfill has cons_tres distribute all tasks on the nodes with one feature.
		[ "$what,$DECIDER" != -n28,topology/torus ] || continue
		job=$(submit -N4 -C '[a*2&b*2]' --network=torus:shape=2x2x1 -t 2 \
			-x 'n[002-005,007,010-014]' $what)
		wait_until 60 eval '[ -n "$(planned_nodes "$job")" ]'
		expect_equal "$(planned_nodes "$job")" 'n[000-001,008-009]' "nodes planned, $what"
		in_state "$job" PENDING
		scancel "$job"
	done
}
