#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus reserve: boxes among the nodes that are free then, made as reservations of a
# running Slurm.

bats_require_minimum_version 1.5.0
load select_support

# 4x4x2; nodes are numbered x fastest, so that the plane z=0 is n[000-015].
setup_file()
{
	echo "TorusName=main Dims=4x4x2 Wrap=none Nodes=n[000-031] Allocator=best_fit" >"$BATS_FILE_TMPDIR/torus.conf"
	cluster_start --dims 4x4x2 --select cons_tres --exclusive \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { cluster_stop; }

teardown()
{
	local name
	# One that is in use cannot be deleted.
	scancel --user="$(id -un)"
	wait_until 60 eval '[ -z "$(squeue -h)" ]'
	for name in $(scontrol -o show reservations | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p'); do
		scontrol delete ReservationName="$name"
	done
	scontrol update NodeName=ALL State=RESUME 2>/dev/null || true
	cluster_clear
}

reserve() { "$STORUS" reserve "$@"; }
# field NAME: of what reserve printed
field() { sed -n "s/^$1 //p" <<<"$output"; }
# reserved NAME FIELD: of a reservation, as Slurm has it
reserved() { scontrol -o show reservation "$1" | sed -nE "s/.* ?$2=([^ ]*).*/\1/p"; }
names() { scontrol -o show reservations | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p' | xargs; }

@test "a box is reserved, with name, users, flags and times" {
	run -0 reserve --shape 2x2x2 --start now+1hour --duration 1-2:30 --name box --users root \
		--flags maint,ignore_jobs
	expect_equal "$(field reservation)" box
	expect_equal "$(field torus)" main
	expect_equal "$(field count)" 8
	expect_equal "$(field nodes | xargs scontrol show hostlistsorted)" "n[000-001,004-005,016-017,020-021]"
	expect_equal "$(reserved box Nodes)" "n[000-001,004-005,016-017,020-021]"
	expect_equal "$(reserved box Duration)" 1-02:30:00
	expect_equal "$(reserved box StartTime)" "$(field start)"
	expect_equal "$(reserved box EndTime)" "$(field end)"
	expect_equal "$(reserved box Users)" root
	expect_match ",$(reserved box Flags)," ",MAINT,.*"
	expect_match ",$(reserved box Flags)," ",IGNORE_JOBS,.*"
}

@test "without a name Slurm makes one, without users it is for the caller" {
	run -0 reserve --shape 4 --start now --duration 10
	[ -n "$(field reservation)" ]
	expect_equal "$(reserved "$(field reservation)" Users)" "$(id -un)"
	# and it is for jobs
	job=$(allocate --reservation="$(field reservation)" --nodes=4)
	expect_equal "$(sorted "$(job_nodes "$job")")" "$(sorted "$(field nodes)")"
}

@test "a dry run prints the same and reserves nothing" {
	run -0 reserve --shape 4x4 --start now+1day --duration 60 --dry-run --format=json
	plan=$output
	expect_equal "$(jq -r '[.reservation, .torus, .count] | @csv' <<<"$plan")" ',"main",16'
	expect_equal "$(names)" ""
	run -0 reserve --shape 4x4 --start now+1day --duration 60
	expect_equal "$(field nodes)" "$(jq -r .nodes <<<"$plan")"
}

@test "not upon other reservations, jobs and nodes that are down" {
	scontrol update NodeName=n000 State=DOWN Reason=test
	scontrol update NodeName=n016 State=DRAIN Reason=test
	scontrol create reservation ReservationName=other Nodes=n003 StartTime=now+1hour \
		Duration=60 Users=root
	allocate --nodelist=n012 --time=30
	# Only corners are taken: the box lies between them.
	run -0 reserve --shape 2x4x2 --start now --duration 120 --dry-run
	expect_equal "$(field nodes | xargs scontrol show hostlistsorted)" \
		"n[004-011,020-027]"
	# When the job has ended, its plane is free; before that it is not.
	run -1 --separate-stderr reserve --shape 3x4 --start now --duration 20 --corner 0,1,0 --dry-run
	run -0 reserve --shape 3x3 --corner 0,1,0 --start now+31minutes --duration 20 --dry-run
	run -1 reserve --shape 3x3 --corner 0,1,0 --start now+29minutes --duration 20 --dry-run
	# The other reservation, before, after, and upon it
	run -0 reserve --shape 3x3 --corner 1,0,0 --start now --duration 50 --dry-run
	run -1 reserve --shape 3x3 --corner 1,0,0 --start now --duration 70 --dry-run
	run -0 reserve --shape 3x3 --corner 1,0,0 --start now+125minutes --duration 10 --dry-run
	# For maintenance, jobs stay in the way, but neither reservations nor what is down.
	run -0 reserve --shape 4x3 --corner 0,0,0 --start now --duration 100 --flags MAINT --dry-run
	run -1 reserve --shape 4x4 --corner 0,0,0 --start now --duration 100 --flags MAINT --dry-run
	run -0 reserve --shape 4x4 --corner 0,0,0 --start now --duration 100 --dry-run \
		--flags MAINT,IGNORE_JOBS
}

@test "when no box is free it says why, and when one will be" {
	allocate --nodes=32 --time=40
	end=$(scontrol -o show job "$(squeue -h -o %A)" | sed -nE 's/.* EndTime=([^ ]*).*/\1/p')
	run -1 --separate-stderr reserve --shape 2x2 --start now --duration 30
	[[ -z $output && $stderr == *"no box 2x2 is free from "*"from $end on" ]]
	run -1 --separate-stderr reserve --shape 5x2 --start now --duration 30
	[[ $stderr == *"no box 5x2 on this machine, even if all its nodes were free"* ]]
	cluster_clear
	scontrol update NodeName=n[000-031] State=DRAIN Reason=test
	run -1 --separate-stderr reserve --shape 2x2 --start now --duration 30
	[[ $stderr == *"nor later, as nodes are down or drained"* ]]
	expect_equal "$(names)" ""
}

@test "a reservation that repeats is in the way whenever it comes again" {
	scontrol create reservation ReservationName=daily Nodes=ALL StartTime=now+1hour \
		Duration=60 Users=root Flags=DAILY
	run -0 reserve --shape 2x2 --start now+3hours --duration 60 --dry-run
	run -1 --separate-stderr reserve --shape 2x2 --start now+49hours --duration 60 --dry-run
	[[ $stderr == *"the first one after that"* ]]
	run -0 reserve --shape 2x2 --start now+51hours --duration 60 --dry-run
}

@test "what Slurm refuses is said, with status 2" {
	run -0 reserve --shape 2x2 --start now --duration 30 --name twice
	run -2 --separate-stderr reserve --shape 2x2 --start now --duration 30 --name twice
	[[ -z $output && $stderr == *"Slurm does not make the reservation: "* ]]
	# From 26.11 on Slurm makes it for users that it will only know later.
	if ! is_since 26.11; then
		run -2 --separate-stderr reserve --shape 2x2 --start now --duration 30 --users nobody-of-this-name
		[[ -z $output && $stderr == *"Slurm does not make the reservation: "* ]]
	fi
	run -2 --separate-stderr reserve --shape 2x2 --start now --duration 30 --corner 0,0
	[[ $stderr == *"--corner: '0,0' has 2 coordinates, the machine 3"* ]]
	run -2 --separate-stderr reserve --shape 2x2 --start now --duration 30 --corner 0,4,0
	[[ $stderr == *"--corner"*"outside of the 4x4x2 machine"* ]]
}
