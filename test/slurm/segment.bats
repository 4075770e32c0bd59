#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --segment, which Slurm has from 24.11 on: a job in segments, each an interval of the curve
# or a box. 4x4x2 torus of 32 nodes with 2 processors and 2 GPUs.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	is_since 24.11 || return 0
	cat >"$BATS_FILE_TMPDIR/nodes.conf" <<-'END'
		GresTypes=gpu
		NodeName=n[000-031] Gres=gpu:2
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
	END
	for file in null zero; do
		echo "NodeName=n[000-031] Name=gpu File=/dev/$file"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	cluster_start --dims 4x4x2 --wrap all --select-params CR_CPU_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/nodes.conf"
}
teardown_file() { [ -z "${CLUSTER-}" ] || cluster_stop; }
setup() { is_since 24.11 || skip "Slurm has no --segment before 24.11"; }
teardown() { [ -z "${CLUSTER-}" ] || cluster_clear; }

# in_segments JOB NODES SIZE: it has so many nodes, and these are segments
in_segments()
{
	local ranks
	ranks=$(job_ranks "$1")
	expect_equal "$(expand_ranks "$ranks" | wc -l)" "$2" "nodes of job $1" || return
	engine --free "$ranks" --nodes "$2" --segment "$3" >/dev/null ||
		fail "ranks $ranks of job $1 are no segments of $3"
}

# said WORDS OPTION...: the job is refused with these words
said()
{
	local words=$1 text
	shift
	if text=$(submit "$@" 2>&1); then
		fail "accepted as job $text: $*"
		return
	fi
	expect_match "$text" "$words" "what is said of $*"
}

# unavailable LOG OPTION...: refused in Slurm's words, and slurmctld's log says LOG, once
unavailable()
{
	local reason=$1
	shift
	log_mark
	said 'Requested topology configuration is not available' "$@" || return
	expect_equal "$(log_since | grep -cF -- "$DECIDER: JobId=")" 1 "lines for $*" || return
	log_since | grep -qF -- "$reason" || fail "not in the log: $reason" "$(log_since)"
}

@test "the nodes that storus place chooses" {
	local size
	for size in 2 4 8; do
		job=$(allocate -N 16 --segment=$size)
		expect_placed "$job" 0-31 --nodes 16 --segment $size
		in_segments "$job" 16 $size
		scancel "$job"
		wait_until 60 all_idle
	done
}

@test "only the segments that are free, however scattered" {
	local free=1-4,9-11,14-15,21-24
	occupy_all_but $free
	job=$(allocate -N 8 --segment=4)
	expect_placed "$job" $free --nodes 8 --segment 4
	in_segments "$job" 8 4
}

@test "a job waits for its segments although as many nodes are free" {
	holder=$(occupy 5-8)
	other=$(occupy_all_but 1-4,5-8,9-11,14)
	expect_equal "$(sinfo -h -t idle -o %D)" 8 "idle nodes"
	expect_equal "$(engine --free 1-4,9-11,14 --nodes 8 --segment 4 2>&1 || true)" \
		"storus place: nothing fits: no 2 segments of 4 nodes, each an interval of the curve or a box, are free"
	job=$(submit -N 8 --segment=4)
	wait_refused "$job"
	# A job that asks for no segments runs there.
	allocate -N 4 -w "$(nodes_at 9-11,14)" >/dev/null
	scancel "$holder"
	wait_running "$job"
	expect_ranks "$job" 1-8
	scancel "$other"
}

@test "a segment that holds the whole job has no effect" {
	for options in "-N 3 --segment=4" "-N 4 --segment=4" "-N 5 --segment=8" "-N 5 --segment=1"; do
		# shellcheck disable=SC2086 # several words
		job=$(allocate $options)
		expect_placed "$job" 0-31 --nodes "$(job_ranks "$job" | expand_all | wc -l)"
		scancel "$job"
		wait_until 60 all_idle
	done
	# Nor does it make the job wait
	occupy_all_but 0,5,11,20
	job=$(allocate -N 4 --segment=4)
	expect_ranks "$job" 0,5,11,20
}
expand_all() { local ranks; read -r ranks; expand_ranks "$ranks"; }

@test "a number of nodes that cannot be cut is refused with Slurm's words" {
	if is_since 26.05; then
		said 'segment=4 does not fit the job size \(6\)' -N 6 --segment=4
	else
		unavailable '--segment=4 does not divide its 6 nodes' -N 6 --segment=4
		unavailable '--segment=4 divides no number of nodes from 5 to 7' -N 5-7 --segment=4
	fi
	unavailable '--segment=3 does not divide the nodes of its box' \
		--segment=3 --network=torus:shape=4x2x1
}

@test "a range of nodes ends at a multiple" {
	job=$(allocate -N 4-11 --segment=4)
	in_segments "$job" 8 4
	scancel "$job"
	wait_until 60 all_idle
	# Of these eight no two segments can be made.
	occupy_all_but 1-4,9-11,14
	job=$(allocate -N 4-12 --segment=4)
	expect_equal "$(job_ranks "$job" | expand_all | wc -l)" 4 "nodes of job $job"
}

@test "tasks alone: as many segments as they take" {
	# 16 tasks, two a node; 18 would take nine nodes.
	job=$(allocate -n 16 --segment=4)
	in_segments "$job" 8 4
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -n 18 --segment=4)
	in_segments "$job" 12 4
}

@test "with GPUs, by the job and by the node; alone on nodes that are shared" {
	for options in "-p whole --gpus=16" "-p shared --gpus=16 -N 8" "-p shared --gpus-per-node=1" \
		"-p shared --gpus=8" "-p shared --exclusive" "-p shared --exclusive --gpus-per-node=2"; do
		case $options in *-N*) ;; *) options+=" -N 8" ;; esac
		# shellcheck disable=SC2086 # several words
		job=$(allocate $options --segment=4)
		in_segments "$job" 8 4
		scancel "$job"
		wait_until 60 all_idle
	done
	# Where some have given theirs away, on others
	holder=$(allocate -p shared -w "$(nodes_at 2,7)" -N 2 --gpus-per-node=2)
	job=$(allocate -p shared -N 16 --gpus=16 --segment=8)
	in_segments "$job" 16 8
	expect_equal "$(without "$(job_ranks "$job")" 2,7)" "$(job_ranks "$job")" "ranks"
	scancel "$holder"
}

@test "named nodes: all of the job's, or some, each in one of the segments" {
	job=$(allocate -N 8 -w "$(nodes_at 3-6,17-20)" --segment=4)
	expect_ranks "$job" 3-6,17-20
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate -N 8 -w "$(nodes_at 5,20)" --segment=4)
	in_segments "$job" 8 4
	[ -z "$(without 5,20 "$(job_ranks "$job")")" ] || fail "not in it: 5 or 20"
	scancel "$job"
	wait_until 60 all_idle
	# Each of the three has a segment of its own.
	job=$(allocate -N 4-16 -w "$(nodes_at 2,14,27)" --segment=2 -x "$(nodes_at 0)")
	in_segments "$job" 16 2
	[ -z "$(without 2,14,27 "$(job_ranks "$job")")" ] || fail "not in it: 2, 14 or 27"
	unavailable 'no 2 such segments among the nodes it may use' \
		-N 8 -w "$(nodes_at 1,3,5,7,16,18,20,22)" --segment=4
	unavailable 'no 2 such segments among the nodes it may use' \
		-N 4 -w "$(nodes_at 2,14,27)" --segment=2
}

@test "with --contiguous one interval; with a shape the box, as a whole" {
	job=$(allocate -N 8 --contiguous --segment=4)
	expect_match "$(token "$job")" ',nodes=8,span=8,'
	scancel "$job"
	wait_until 60 all_idle
	job=$(allocate --network=torus:shape=4x2x1 --segment=4)
	expect_match "$(token "$job")" ',nodes=8,.*,box=(4x2x1|2x4x1|4x1x2|1x4x2|2x1x4|1x2x4),'
}

@test "more segments than the machine holds are refused at submission" {
	unavailable 'no 4 such segments among the nodes it may use' \
		-N 28 --segment=7 --exclude="$(nodes_at 6,13,20,27)"
}

# with_filter: the cluster's configuration as commands see it, with cli_filter/torus
with_filter()
{
	local own=$BATS_TEST_TMPDIR/etc
	cp -r "${SLURM_CONF%/*}" "$own"
	echo 'CliFilterPlugins=torus' >>"$own/slurm.conf"
	[ -e "$own/torus.conf" ] || cp "$TORUS_CONF" "$own/torus.conf"
	export SLURM_CONF=$own/slurm.conf
}

@test "the tasks of each segment follow each other, the first node's first" {
	is_since 25.05 || skip "before 25.05 srun does not learn of segments"
	occupy_all_but 0-3,8-11,20-27
	job=$(allocate -N 16 -n 16 --ntasks-per-node=1 --segment=4)
	in_segments "$job" 16 4
	with_filter
	# shellcheck disable=SC2016 # for the task to expand
	SLURM_JOB_ID=$job SLURM_JOB_NUM_NODES=16 SLURM_NTASKS=16 timeout 60 srun -v --chdir=/ \
		sh -c 'echo task $SLURM_PROCID $SLURMD_NODENAME' >"$BATS_TEST_TMPDIR/said" 2>&1
	expect_match "$(cat "$BATS_TEST_TMPDIR/said")" '16 tasks in the order of the torus'
	sed -n 's/^task //p' "$BATS_TEST_TMPDIR/said" | sort -n | cut -d' ' -f2 >"$BATS_TEST_TMPDIR/order"
	expect_equal "$(wc -l <"$BATS_TEST_TMPDIR/order")" 16 "tasks"
	expect_equal "$(head -n 1 "$BATS_TEST_TMPDIR/order")" \
		"$(scontrol show hostnames "$(job_nodes "$job")" | head -n 1)" "node of task 0"
	engine_field segment_nodes --free "$(job_ranks "$job")" --nodes 16 --segment 4 |
		tr ';' '\n' | while read -r segment; do sorted "$segment"; done | sort >"$BATS_TEST_TMPDIR/segments"
	for ((segment = 0; segment < 4; segment++)); do
		sorted "$(sed -n "$((4 * segment + 1)),$((4 * segment + 4))p" "$BATS_TEST_TMPDIR/order" | paste -sd,)"
	done | sort | diff - "$BATS_TEST_TMPDIR/segments"
}
