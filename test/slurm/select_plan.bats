#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus on the 320-node 8x8x5 torus: decisions about the future, that is
# reservations, and jobs that backfill plans.

bats_require_minimum_version 1.5.0
load select_support

setup_file() { cluster_start --dims 8x8x5 --wrap all --exclusive; }
teardown_file() { cluster_stop; }

teardown()
{
	local name
	cluster_cancel
	for name in $(scontrol -o show reservations | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p'); do
		wait_until 30 scontrol delete ReservationName="$name"
	done
	cluster_clear
}

# reserve NAME PARAMETER...: from now on, for half an hour
reserve()
{
	scontrol create reservation ReservationName="$1" StartTime=now Duration=30 \
		Users="$(id -un)" "${@:2}" >/dev/null
}

reserved_ranks() { ranks_of "$(scontrol -o show reservation "$1" | sed 's/.* Nodes=\([^ ]*\).*/\1/')"; }

# occupy_for MINUTES RANKS: as occupy, with a time limit
occupy_for()
{
	local nodes
	nodes=$(nodes_at "$2")
	allocate --time="$1" --nodelist="$nodes" -N "$(scontrol show hostnames "$nodes" | wc -l)"
}

# expect_plan JOB RANKS: that backfill plans it there, in its next plans, too
expect_plan()
{
	local cycle
	wait_until 60 planned_on "$1" "$2" ||
		fail "job $1 is planned on '$(ranks_of "$(planned_nodes "$1")")', not on $2" || return
	log_mark
	for cycle in 1 2; do
		touch_queue "$1"
		wait_until 30 planned_again "$1" "$cycle" || return
	done
	planned_on "$1" "$2" || fail "job $1 is now planned on $(ranks_of "$(planned_nodes "$1")")"
}

# touch_queue JOB: something has changed, so that backfill makes a new plan
touch_queue() { scontrol update JobId="$1" Comment=touched; }
planned_again() { [ "$(log_since | grep -c "$(decision "$1" will_run)")" -ge "$2" ]; }

@test "a reservation by node count is compact" {
	reserve first NodeCnt=20
	expect_equal "$(reserved_ranks first)" 0-19 "ranks of the reservation"
}

@test "a reservation by node count is compact among what is free" {
	occupy_all_but 10-14,40-69,100-122
	reserve first NodeCnt=23
	expect_equal "$(reserved_ranks first)" 100-122 "ranks of the reservation"
}

@test "a job in a reservation is compact within it" {
	reserve first Nodes="$(nodes_at 5-9,30-35,70-99)"
	job=$(allocate -N 6 --reservation=first)
	expect_ranks "$job" 30-35
	job=$(allocate -N 12 --reservation=first)
	expect_ranks "$job" 70-81
	job=$(allocate -N 23 --reservation=first)
	expect_ranks "$job" 5-9,82-99
}

@test "a job outside stays out of a reservation" {
	reserve first Nodes="$(nodes_at 5-9,30-35,70-99)"
	job=$(allocate -N 34)
	expect_ranks "$job" 36-69
	job=$(allocate -N 21)
	expect_placed "$job" 0-4,10-29,100-319 --nodes 21
}

@test "backfill plans a job on the interval that best fit will find" {
	occupy_for 5 0-14,50-60,100-111
	occupy_all_but 0-14,50-60,100-111
	job=$(submit -N 11)
	expect_plan "$job" 50-60
}

@test "a planned job starts on the planned nodes" {
	first=$(occupy_for 5 0-14,50-60,100-111)
	occupy_all_but 0-14,50-60,100-111
	job=$(submit -N 13)
	expect_plan "$job" 0-12
	scancel "$first"
	wait_running "$job"
	expect_ranks "$job" 0-12
}

@test "backfill plans a job that finds no interval on the smallest span" {
	occupy_for 5 10-14,16-20,100-109
	occupy_all_but 10-14,16-20,100-109
	job=$(submit -N 9)
	expect_plan "$job" 100-108
	scancel "$job"
	job=$(submit -N 12)
	expect_placed_plan "$job" 10-14,16-20,100-109 --nodes 12
}

# expect_placed_plan JOB FREE OPTION...: as expect_placed, for the plan
expect_placed_plan()
{
	local nodes
	nodes=$(engine_field nodes --free "$2" "${@:3}") && expect_plan "$1" "$(ranks_of "$nodes")"
}

@test "backfill plans at the first end that leaves enough nodes" {
	occupy_for 5 0-9,30-39
	occupy_for 10 10-29
	occupy_all_but 0-39
	early=$(submit -N 20)
	expect_plan "$early" 0-9,30-39
	scancel "$early"
	late=$(submit -N 21)
	expect_plan "$late" 0-20
}

# would_get OPTION...: the ranks that such a job would get, by a plan for it alone. Nothing is
# to wait, so that no cycle of backfill comes in between.
would_get()
{
	local said
	said=$(sbatch --test-only "$@" --wrap true 2>&1) || fail "$said" || return
	ranks_of "$(sed -n 's/.* nodes \([^ ]*\) in .*/\1/p' <<<"$said")"
}

@test "a plan follows a time limit that has been changed" {
	early=$(occupy_for 5 0-9)
	occupy_for 10 20-29
	occupy_all_but 0-9,20-29
	expect_equal "$(would_get -N 10)" 0-9 "plan"
	scontrol update JobId="$early" TimeLimit=20
	expect_equal "$(would_get -N 10)" 20-29 "plan"
	scontrol update JobId="$early" TimeLimit=5
	expect_equal "$(would_get -N 10)" 0-9 "plan"
}

@test "a short job is started before a planned one, beside its nodes" {
	occupy_for 30 0-99
	occupy_all_but 0-99,300-309
	job=$(submit -N 100)
	expect_placed_plan "$job" 0-99,300-309 --nodes 100
	short=$(submit -N 4 --time=2)
	wait_running "$short"
	expect_ranks "$short" 300-303
	# of a range what is free now, not more later
	range=$(submit -N 2-20 --time=2)
	wait_running "$range"
	expect_ranks "$range" 304-309
	expect_placed_plan "$job" 0-99,300-309 --nodes 100
	in_state "$job" PENDING
}

@test "a long job does not delay a planned one" {
	occupy_for 5 0-9
	occupy_all_but 0-9,20-24
	job=$(submit -N 15)
	expect_plan "$job" 0-9,20-24
	long=$(submit -N 3 --time=60)
	wait_until 60 has_reason "$long" Priority
	# two of its plans later it still waits, and the plan before it stands
	expect_plan "$job" 0-9,20-24
	in_state "$long" PENDING
}

@test "a plan keeps idle nodes from longer jobs only as far as it needs them" {
	occupy_for 10 0-159
	sleep 1
	occupy_for 10 160-259
	# The first end leaves just enough, with all that are idle now. Slurm looks at ends a
	# minute at a time, and after that minute all are free.
	job=$(submit -N 220)
	expect_plan "$job" 0-219
	long=$(submit -N 60 --time=60)
	wait_running "$long"
	expect_ranks "$long" 260-319
	in_state "$job" PENDING
}

@test "--contiguous is planned on an interval" {
	occupy_for 5 10-14,16-20
	occupy_for 15 100-109
	occupy_all_but 10-14,16-20,100-109
	job=$(submit -N 8 --contiguous)
	expect_plan "$job" 100-107
}

@test "a shape is planned on a box" {
	box=$(engine_field nodes --shape 3x2x2)
	box=$(ranks_of "$box")
	# every second rank: enough nodes, but no two are neighbours
	sparse=$(seq -s , 200 2 230)
	run ! engine --shape 3x2x2 --free "$sparse"
	occupy_for 15 "$box"
	occupy_for 5 "$sparse"
	occupy_all_but "$box,$sparse"
	job=$(submit --network=torus:shape=2x3x2)
	expect_plan "$job" "$box"
}

# From 24.11 on backfill asks about one window of time after the other: they end where the
# plans of other jobs begin or end.
@test "a window of time with no room for the job costs no question" {
	local first waiting job questions
	only_select "is asked by Slurm's plugin"
	for first in 0 64 128 192 256; do
		occupy_for $((60 + first * 2)) "$first-$((first + 63))"
	done
	for first in 1 2 3; do
		waiting=$(submit -N 64 --time=$((10 + first)))
	done
	wait_until 60 planned_again "$waiting" 1
	scontrol setdebugflags +SelectType
	log_mark
	job=$(submit -N 2-320 --time=10 --network=torus:shape=8x8x4)
	wait_until 60 planned_again "$job" 1
	questions=$(log_since | sed "\|$(decision "$job" will_run)|q" | grep -c "evaluating JobId=$job on")
	scontrol setdebugflags -SelectType
	[ "$questions" -gt 0 ] && [ "$questions" -le 8 ] || fail "$questions questions"
}
