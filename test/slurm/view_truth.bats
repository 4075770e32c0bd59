#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What storus view says against what Slurm's own commands say: nodes in use by jobs that a user may not see, reserved and
# drained ones with why, and the jobs that wait.

load select_support
load truth_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cluster_start --dims 4x3x2 --wrap xyz
	echo 'var THREE;' >"$BATS_FILE_TMPDIR/three.js"
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
}
teardown_file() { cluster_stop; }
teardown() { as_before; }

# data [COMMAND]: the data of the page, which the COMMAND (as_ordinary) writes
data()
{
	local directory
	directory=$(mktemp -d "$BATS_TEST_TMPDIR/page.XXXXXX")
	chmod a+x "$BATS_TEST_TMPDIR"
	chown "$ORDINARY" "$directory"
	(cd "$directory" && "$@" "$STORUS" view --three-js "$BATS_FILE_TMPDIR/three.js" --output page.html) || return
	sed -n 's,.*id="machine">\(.*\)</script>,\1,p' "$directory/page.html"
}

# numbers: of a list of the data, as nodes_in_state() prints them
numbers() { jq -r "$1" | tr ',' '\n' | awk -F- 'NF { for (i = $1; i <= $NF; i++) print i }' | sort -n | xargs; }

@test "nodes of jobs that a user may not see are in use" {
	allocate -N 7 --exclusive >/dev/null
	allocate -N 1 -n 1 --oversubscribe --nodelist=n020 >/dev/null
	private jobs
	for command in "" as_ordinary; do
		data $command >"$BATS_TEST_TMPDIR/data"
		# root sees the jobs.
		shown=$(numbers '.jobs[].parts[].ranks' <"$BATS_TEST_TMPDIR/data" | wc -w)
		others=$(numbers '.tori[0].others' <"$BATS_TEST_TMPDIR/data")
		if [ -z "$command" ]; then
			expect_equal "$shown $others" "8 "
		else
			expect_equal "$shown" 0
			expect_equal "$others" "$(nodes_in_state 'alloc mix')"
			expect_equal "$(wc -w <<<"$others")" 8
		fi
	done
	# An own job is shown, those of others are not.
	own=$(as_ordinary sbatch --parsable --chdir=/ --output=/dev/null -N 2 --exclusive --wrap 'sleep 600')
	wait_running "$own"
	own_is_shown() {
		data as_ordinary >"$BATS_TEST_TMPDIR/data"
		[ "$(jq -c '[.jobs[].id]' "$BATS_TEST_TMPDIR/data")" = "[\"$own\"]" ]
	}
	wait_until 30 own_is_shown
	expect_equal "$(numbers '.tori[0].others' <"$BATS_TEST_TMPDIR/data" | wc -w)" 8
	# storus show draws them, too.
	run -0 as_ordinary "$STORUS" show
	[[ $output == *": 10 in use, 14 free, 0 unusable"* ]] || fail "$output"
	scancel "$own"
}

@test "where nodes are private, who asks in vain is told what helps" {
	private nodes
	run -2 --separate-stderr data as_ordinary
	expect_match "$stderr" 'PrivateData=nodes .*root or as an operator'
	data >/dev/null
}

@test "reserved nodes, until when and by what; drained ones and why" {
	begin=$(date -d '+1 hour' +%FT%T)
	scontrol create reservationname=upkeep starttime=now duration=60 flags=maint,ignore_jobs nodes='n[004-007]' users=root
	scontrol create reservationname=course starttime="$begin" duration=30 nodes='n[008-009]' users=root
	scontrol update nodename=n021 state=drain reason='bad DIMM A3'
	allocate -N 1 --exclusive --reservation=upkeep --nodelist=n005 >/dev/null
	wait_until 30 eval '[ "$(nodes_in_state maint)" = "4 6 7" ]'
	for command in "" as_ordinary; do
		data $command >"$BATS_TEST_TMPDIR/data"
		expect_equal "$(jq -c '[.tori[0].reserved[] | [.name, .active, .nodes]] | sort' "$BATS_TEST_TMPDIR/data")" \
			'[["course",false,"8-9"],["upkeep",true,"4-7"]]'
		for name in upkeep course; do
			expect_equal "$(jq -r ".tori[0].reserved[] | select(.name == \"$name\") | [.start, .end][]" "$BATS_TEST_TMPDIR/data" |
				while read -r time; do date -d "@$time" +%FT%T; done | xargs)" \
				"$(scontrol -o show reservation "$name" | sed -n 's/.* StartTime=\([^ ]*\) EndTime=\([^ ]*\) .*/\1 \2/p')"
		done
		expect_equal "$(jq -c '.tori[0] | [.unusable, .reasons]' "$BATS_TEST_TMPDIR/data")" '[{"21":"drained"},{"21":"bad DIMM A3"}]'
	done
	# Who may not see reservations sees that the nodes are reserved.
	private reservations
	data as_ordinary >"$BATS_TEST_TMPDIR/data"
	expect_equal "$(jq -c '[.tori[0].reserved[] | [.name, .active]]' "$BATS_TEST_TMPDIR/data")" '[[null,true]]'
	[[ " $(numbers '.tori[0].reserved[].nodes' <"$BATS_TEST_TMPDIR/data") " == *" 4 "*" 6 7 "* ]]
}

@test "jobs that wait: their order, why, when and where they are planned" {
	minicluster set SchedulerParameters=bf_interval=1
	reconfigure
	allocate -N 20 --exclusive --time=30 >/dev/null
	# squeue says which of these comes first.
	first=$(submit -N 10 --exclusive --time=20 --nice=10 --job-name big)
	second=$(submit -N 24 --exclusive --time=20 --nice=20 --network=torus:shape=4x3x2)
	third=$(submit -N 24 --exclusive --time=20 --hold)
	wait_until 60 eval '[[ "$(scontrol -o show job "$first")" == *" SchedNodeList="* ]]'
	ask() { squeue -h -t PD --sort=-p,i -o '%i %r' | xargs; }
	# A plan may be made anew meanwhile: what both sides say before and after.
	for _ in 1 2 3 4 5; do
		before=$(ask)$(scontrol -o show job "$first" | grep -o ' StartTime=[^ ]*\| SchedNodeList=[^ ]*' | xargs)
		data >"$BATS_TEST_TMPDIR/data"
		after=$(ask)$(scontrol -o show job "$first" | grep -o ' StartTime=[^ ]*\| SchedNodeList=[^ ]*' | xargs)
		[ "$before" != "$after" ] || break
	done
	expect_equal "$before" "$after"
	expect_equal "$(jq -r '.queue.jobs[] | [.id, .reason] | join(" ")' "$BATS_TEST_TMPDIR/data" | xargs)" "$(ask)"
	expect_equal "$(jq -r '.queue.count' "$BATS_TEST_TMPDIR/data")" 3
	expect_equal "$(jq -r ".queue.jobs[] | select(.id == \"$first\") | [.name, .nodes, .parts[0].nodes, .parts[0].nodelist] | join(\" \")" "$BATS_TEST_TMPDIR/data")" \
		"big 10 10 $(sed -n 's/.*SchedNodeList=\([^ ]*\).*/\1/p' <<<"$after")"
	expect_equal "$(date -d "@$(jq ".queue.jobs[] | select(.id == \"$first\") | .start" "$BATS_TEST_TMPDIR/data")" +%FT%T)" \
		"$(sed -n 's/.*StartTime=\([^ ]*\).*/\1/p' <<<"$after")"
	expect_equal "$(jq -r ".queue.jobs[] | select(.id == \"$second\") | .network" "$BATS_TEST_TMPDIR/data")" torus:shape=4x3x2
	expect_equal "$(jq -r ".queue.jobs[] | select(.id == \"$third\") | .priority" "$BATS_TEST_TMPDIR/data")" 0
	# An array that waits is one, as squeue has it.
	array=$(submit -N 24 --exclusive --time=20 --array=1-5)
	data >"$BATS_TEST_TMPDIR/data"
	expect_equal "$(jq -r '.queue.jobs[].id' "$BATS_TEST_TMPDIR/data" | grep "^$array")" "$(squeue -h -j "$array" -o %i)"
	# With PrivateData=jobs nobody is told of those of others.
	private jobs
	data as_ordinary >"$BATS_TEST_TMPDIR/data"
	expect_equal "$(jq -c .queue "$BATS_TEST_TMPDIR/data")" '{"count":0,"jobs":[]}'
	scancel "$first" "$second" "$third" "$array"
}
