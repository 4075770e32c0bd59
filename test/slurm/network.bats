#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --network: our item among Slurm's own, what nearly is one, and texts that would write
# lines of their own into slurmctld's log.

load select_support
bats_require_minimum_version 1.5.0

setup_file() { cluster_start --dims 4x4x2 --wrap all --exclusive; }
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# refused TEXT NETWORK: --network=NETWORK is refused, and slurmctld's log says TEXT, once
refused()
{
	local said
	log_mark
	if said=$(submit --network="$2" 2>&1); then
		fail "--network='$2' was accepted as job $said"
		return
	fi
	expect_match "$said" 'Batch job submission failed: ' || return
	expect_equal "$(log_since | grep -c "$DECIDER: .*--network=torus: ")" 1 \
		"lines for --network='$2'" || return
	log_since | grep -qF -- "$1" || fail "not in the log: $1" "$(log_since)"
}

@test "a shape among network types of Slurm's own" {
	local text
	for text in 'ib0,torus:shape=4x2x1' ' torus:shape=4x2x1' 'torus:shape=4x2x1,sn_single' \
		'Instances=4, TORUS : Shape = 4x2x1 ,User_Space' 'sn_all;torus:shape=4x2x1'; do
		job=$(allocate --network="$text")
		expect_match "$(token "$job")" 'nodes=8,.*,box=(4x2x1|2x4x1|4x1x2|1x4x2|2x1x4|1x2x4),' \
			"token of the job with --network='$text'"
		scancel "$job"
	done
}

# said_of_network: lines of ours about it since the mark
said_of_network() { log_since | grep -c "$DECIDER: .*--network=" || true; }

@test "texts without ours stay somebody else's" {
	local text
	for text in sn_all 'Instances=4,User_Space' torus2,devname=ib0 job_vni,tcs=best_effort; do
		log_mark
		# No box, no interval, no refusal, no word about it, and Slurm keeps the text.
		job=$(allocate -N 5 --network="$text")
		expect_ranks "$job" 0-4
		expect_equal "$(network_of "$job")" "$text" "Network of the job with --network='$text'"
		expect_equal "$(said_of_network)" 0 "lines about --network='$text'"
		scancel "$job"
		wait_until 60 all_idle
		# It waits for no box either, where there is none.
		hole=$(occupy_all_but 0,5,11,20)
		job=$(allocate -N 4 --network="$text")
		expect_ranks "$job" 0,5,11,20
		scancel "$job" "$hole"
		wait_until 60 all_idle
	done
}
network_of() { scontrol -o show job "$1" | sed -nE 's/.* Network=([^ ]*).*/\1/p'; }

@test "what nearly is a request is refused, naming the part" {
	refused "'torus' asks for nothing" torus
	refused "'Torus' asks for nothing" 'ib0, Torus'
	refused "'xtorus:shape=2x2': torus: must begin an item" ib0,xtorus:shape=2x2
	refused "'ib0 torus:shape=2x2': torus: must begin an item" 'ib0 torus:shape=2x2'
	refused "'torus:shape=2x2': torus: is given twice" torus:shape=2x2,torus:shape=2x2
	refused "'4' behind torus: the sides" torus:shape=2,4
	refused "'shape=2x2x2' looks like a request for a shape" shape=2x2x2
	refused "'torus3d:shape=2x2x2' looks like a request for a shape" torus3d:shape=2x2x2
	refused "written as in --network=torus:shape=4x4x2" torus2,shape=2x2
}

@test "a grid that cannot be is refused, naming the cure" {
	refused_grid 'grid 4x4x4 is for 64 tasks, and the job has 32: ask for --ntasks=64' \
		torus:grid=4x4x4 -n 32
	refused_grid 'grid 4x4 is for 16 tasks, and the job has 6: ask for --ntasks=16' \
		torus:grid=4x4 -n 6 -c 2
	refused_grid 'grid=4096x4096x16 is for 268435456 tasks, and the job could have 4 CPUs at most: give' \
		torus:grid=4096x4096x16 -N 2
	refused_grid 'grid=8x9 is for 72 tasks, and the job could have 64 CPUs at most: give' torus:grid=8x9
	refused "grid='4x' is not of the form" torus:grid=4x
	refused "'z' is not one of the dimensions xy" torus:grid=4x4,periodic=z
	refused "stencil '6' is not one of 5, 7, 9, 27" torus:grid=4x4,stencil=6
	refused "stencil= goes with a grid: give grid=8x8x4 or grid=auto, too" \
		torus:shape=2x2,stencil=9
	refused "unknown key 'gird=': the keys are shape=, chips=, grid=, periodic=, stencil=, order=, head=, within= and near=" \
		torus:gird=4x4
	refused "'grid=2x2' looks like a request for a shape or a grid" ib0,grid=2x2
}
# refused_grid TEXT NETWORK OPTION...: the same as refused, of a job with these options
refused_grid()
{
	local text=$1 network=$2 said
	shift 2
	log_mark
	if said=$(submit --network="$network" "$@" 2>&1); then
		fail "--network='$network' $* was accepted as job $said"
		return
	fi
	log_since | grep -qF -- "--network=torus: $text" ||
		fail "not in the log: $text" "$(log_since)"
}

@test "a grid is kept with the job, beside a shape and without a number of tasks, too" {
	job=$(allocate --network=torus:grid=4x2,periodic=1,0,stencil=9,sn_all -n 8 -N 8)
	expect_ranks "$job" 0-7
	expect_equal "$(network_of "$job")" torus:grid=4x2,periodic=1,0,stencil=9,sn_all
	job=$(allocate --network='torus:grid=auto;shape=4x2x1')
	expect_match "$(token "$job")" 'nodes=8,.*,box=(4x2x1|2x4x1|4x1x2|1x4x2|2x1x4|1x2x4),'
	job=$(allocate --network=torus:grid=4x2 -N 4)
	expect_equal "$(network_of "$job")" torus:grid=4x2
}

@test "control characters do not reach slurmctld's log raw" {
	local forged='[2026-01-01T00:00:00.000] error: Node n000 is on fire'
	refused "'2x2\\x0a$forged' is not of the form" $'torus:shape=2x2\n'"$forged"
	refused "'2x2\\x0a$forged' is not of the form" $'sn_all,torus:shape=2x2\n'"$forged"
	refused "unknown key '\\x0d\\x1b[2J\\xc2\\x9b31m='" $'torus:\r\e[2J\xc2\x9b31m=1'
	refused "'\\x9b31m' is not of the form" $'torus:\x9b31m'
	! grep -qF "$forged" <(grep -v "$DECIDER: " "$CONTROLLER_LOG") ||
		fail "$(grep -nF "$forged" "$CONTROLLER_LOG")"
	! LC_ALL=C grep -aqP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4])\x9b' \
		"$CONTROLLER_LOG" || fail "a control character in the log"
}
