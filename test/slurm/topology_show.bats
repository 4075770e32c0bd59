#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What topology/torus tells, in every release of Slurm: addresses, the token in
# SystemComment, "scontrol show": a 4x4x4 torus with n[000-063] and two nodes beside it.
# Steps: topology_order_stock.bats.

bats_require_minimum_version 1.5.0
load topology_support

setup_file() { topology_start --dims 4x4x4 --nodes 66 --wrap all; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# tasks OPTION...: "task node address pattern" of each task of a step, by task
tasks()
{
	# shellcheck disable=SC2016 # for the task to expand
	srun --chdir=/ "$@" sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN' |
		sort -n
}

# coordinates NODE: "x:y:z", from its number
coordinates()
{
	local number=$((10#${1#n}))
	echo "$((number % 4)):$((number / 4 % 4)):$((number / 16))"
}

@test "slurmctld's table of nodes stays in the order of the names" {
	expect_equal "$(scontrol -o show nodes | grep -o '^NodeName=[^ ]*' | head -n 3 | xargs)" \
		"NodeName=n000 NodeName=n001 NodeName=n002" "first nodes"
}

@test "every task has the coordinates of its node; beside the torus only the name" {
	tasks -N 66 -n 66 >"$BATS_TEST_TMPDIR/tasks"
	expect_equal "$(wc -l <"$BATS_TEST_TMPDIR/tasks")" 66 tasks
	while read -r _ node address pattern; do
		if [[ $node > n063 ]]; then
			expect_equal "$address $pattern" "$node node" "address of $node"
		else
			expect_equal "$address $pattern" \
				"main:$(coordinates "$node").$node torus:x:y:z.node" "address of $node"
		fi
	done <"$BATS_TEST_TMPDIR/tasks"
}

@test "a node without torus.conf, and one with a bad one, works and has its name for an address" {
	mv "$TORUS_CONF" "$BATS_TEST_TMPDIR/"
	minicluster restart-nodes
	wait_until 60 all_idle
	text=$(tasks -N 1 -n 1 -w n005)
	echo "TorusName=main Dims=" >"$TORUS_CONF"
	minicluster restart-nodes
	wait_until 60 all_idle
	expect_equal "$(tasks -N 1 -n 1 -w n005)" "0 n005 n005 node" "address"
	mv "$BATS_TEST_TMPDIR/torus.conf" "$TORUS_CONF"
	minicluster restart-nodes
	wait_until 60 all_idle
	expect_equal "$text" "0 n005 n005 node" "address"
	expect_equal "$(tasks -N 1 -n 1 -w n005)" \
		"0 n005 main:1:1:0.n005 torus:x:y:z.node" address
}

@test "clients say nothing about torus.conf, with or without one" {
	mkdir "$BATS_TEST_TMPDIR/etc"
	cp "$CLUSTER"/etc/*.conf "$BATS_TEST_TMPDIR/etc/"
	rm "$BATS_TEST_TMPDIR/etc/torus.conf"
	for command in sinfo squeue "scontrol show nodes" "srun -N 2 true"; do
		# shellcheck disable=SC2086 # several words
		expect_equal "$(SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf $command 2>&1 >/dev/null)" \
			"" "messages of $command"
	done
}

@test "the word of a job is right" {
	job=$(allocate -N 12)
	expect_ranks "$job" "$(job_ranks "$job")"
	job=$(submit -w n064 -N 1)
	wait_running "$job"
	sleep 1
	expect_equal "$(system_comment "$job")" "" "word of a job beside the torus"
}

@test "the word is kept right: resized, requeued, started again" {
	job=$(submit -N 6)
	wait_running "$job"
	token "$job"
	scontrol update JobId="$job" NumNodes=3
	wait_until 3 has_token "$job" "$(token_for "$(job_ranks "$job")")"
	expect_match "$(token "$job")" ",nodes=3," token
	scontrol requeuehold "$job"
	wait_until 30 in_state "$job" PENDING
	wait_until 3 no_token "$job"
	expect_equal "$(system_comment "$job")" "" comment
	scontrol release "$job"
	# A slurmd refuses a job's new credential of the second in which it has revoked the last.
	scontrol update JobId="$job" StartTime=now+2
	wait_running "$job"
	expect_match "$(token "$job")" ",nodes=6," token
	expect_ranks "$job" "$(job_ranks "$job")"
}
no_token() { ! any_token "$1"; }

@test "a job that is over at once has its word too" {
	for size in {1..10} {1..10}; do
		# That of 26.05 now and then waits at its own end for ever (in conmgr_fini()).
		run timeout 60 salloc -N "$size" true
		[ "$status" -eq 0 ] || { is_since 26.05 && expect_equal "$status" 124 status; }
		expect_match "$output" 'Granted job allocation ([0-9]+)'
		job=${BASH_REMATCH[1]}
		wait_until 30 in_state "$job" COMPLETED
		wait_until 3 has_token "$job" "$(token_for "$(job_ranks "$job")")" ||
			fail "job $job on $(job_nodes "$job"): '$(system_comment "$job")'"
	done
}

@test "slurmctld killed and started again knows the words and the places of its jobs" {
	job=$(allocate -N 9)
	before=$(token "$job")
	wait_saved
	minicluster restart-ctld KILL
	expect_equal "$(token "$job")" "$before" token
	! is_since 24.11 || wait_until 3 shows "^ *JobId=$job TorusName=main NodeCount=9 "
}
shows() { scontrol show topology | grep -qE -- "$1"; }

@test "scontrol show topology: the torus and its jobs" {
	since 24.11
	occupy 0-9
	other=$(occupy 30-35)
	scontrol update NodeName="$(nodes_at 60-61)" State=DRAIN Reason=test
	wait_until 3 shows "JobId=$other"
	text=$(scontrol show topology)
	scontrol update NodeName="$(nodes_at 60-61)" State=RESUME
	expect_equal "$(head -n 1 <<<"$text")" \
		"TorusName=main Dims=4x4x4 Wrap=xyz Curve=hilbert Allocator=best_fit NodeCount=64 Free=46 Used=16 Unavailable=2 LargestFreeInterval=24 Nodes=n[000-063]" torus
	IFS='=,' read -r _ _ _ _ _ span _ box _ hops < <(token_for 30-35)
	expect_match "$text" "   JobId=$other TorusName=main NodeCount=6 Span=$span Box=$box AvgHops=$hops NodeList=$(nodes_at 30-35 | sed 's/[][]/\\&/g')"
	expect_equal "$(grep -c JobId <<<"$text")" 2 jobs
}

@test "scontrol show topology: of some nodes, of a torus, of what is not there" {
	since 24.11
	first=$(occupy 0-9)
	other=$(occupy 30-35)
	wait_until 3 shows "JobId=$other"
	words=("$(sed -n 32p "$CLUSTER/ranks.$TORUS")" main nothing "n[001,064]") # rank 31
	if is_since 25.05; then
		words=("node=${words[0]}" "unit=main" "unit=nothing" "node=${words[3]}")
	fi
	text=$(scontrol show topology "${words[0]}")
	expect_match "$text" '^TorusName=main '
	expect_match "$text" "JobId=$other "
	[[ $text != *"JobId=$first "* ]]
	text=$(scontrol show topology "${words[1]}")
	expect_match "$text" "JobId=$first .*JobId=$other "
	for word in "${words[@]:2}"; do
		text=$(scontrol show topology "$word" 2>&1)
		expect_match "$text" '^scontrol: error: there is no torus .*(nothing|064)'
	done
}

@test "scontrol show topology: the coordinates of nodes" {
	since 24.11
	expect_equal "$(place n021)" "n021 Place=main:1:1:1" place
	expect_equal "$(place 'n[000,063]' | xargs)" "n000 Place=main:0:0:0 n063 Place=main:3:3:3" places
	[[ $(scontrol show topology) != *NodeName=* ]]
}

@test "nothing of ours in a node's Topology, which Slurm saves; nobody moves a node" {
	since 25.05
	[[ $(scontrol show nodes) != *Topology=* ]]
	run scontrol update NodeName=n021 Topology=default:main:0:0:0
	[ "$status" -ne 0 ]
	scontrol update NodeName=n021 Topology=
	[[ $(scontrol show node n021) != *Topology=* ]]
	expect_equal "$(place n021)" "n021 Place=main:1:1:1" place
	minicluster kill-ctld TERM
	run -1 grep -a 'main:1:1:1' "$CLUSTER/state/node_state"
	minicluster start-ctld
	wait_until 60 all_idle
}

@test "a bad torus.conf ends slurmctld at its start, and leaves a running one as it is" {
	minicluster kill-ctld TERM
	cp "$TORUS_CONF" "$BATS_TEST_TMPDIR/"
	echo "Curv=hilbert" >>"$TORUS_CONF"
	log_mark
	run minicluster start-ctld
	[ "$status" -ne 0 ]
	logged 'fatal: topology/torus: .*torus.conf:[0-9]+: .*Curv'
	cp "$BATS_TEST_TMPDIR/torus.conf" "$TORUS_CONF"
	minicluster start-ctld
	wait_until 60 all_idle
	echo "Curv=hilbert" >>"$TORUS_CONF"
	log_mark
	ask_to_reconfigure || true
	wait_until 10 logged 'topology/torus: .*torus.conf:[0-9]+: .*Curv'
	cp "$BATS_TEST_TMPDIR/torus.conf" "$TORUS_CONF"
	job=$(allocate -N 4)
	expect_ranks "$job" "$(job_ranks "$job")"
}
