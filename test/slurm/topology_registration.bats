#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes=by_registration and Slurm's own Topology=, from 25.05 on: dynamic nodes that say it
# when they register, "scontrol update", slurm.conf. A 4x4x2 torus: n[000-015] are on z=0 by
# slurm.conf, n016 is beside it and down, d[20-33] are for the tests to start. n[017-018] are
# powered down and have no place until they come; the tests start them, not ResumeProgram.

bats_require_minimum_version 1.5.0
load topology_support

cell_text() { echo "main:$(($1 % 4)):$(($1 / 4 % 4)):$(($1 / 16))"; }

setup_file()
{
	is_since 25.05 && has_dynamic_nodes || return 0
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		MaxNodeCount=60
		TreeWidth=65533
		NodeName=n[017-018] State=CLOUD
		ResumeProgram=/bin/true
		SuspendProgram=/bin/true
		SuspendExcNodes=n[000-016]
		SuspendTime=3600
		SuspendTimeout=5
		ResumeTimeout=120
	END
	for i in {0..15}; do
		printf 'NodeName=n%03d Features=a Topology=default:%s\n' "$i" "$(cell_text "$i")"
	done >>"$BATS_FILE_TMPDIR/conf"
	printf '%s\n' "TorusName=main Dims=4x4x2 Wrap=all Nodes=by_registration" \
		>"$BATS_FILE_TMPDIR/torus.conf"
	topology_start --nodes 19 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
	scontrol update nodename=n016 state=down reason=test
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }

setup()
{
	since 25.05
	need_dynamic_nodes
}

teardown()
{
	[ -d "$BATS_FILE_TMPDIR/cluster" ] || return 0
	cluster_cancel
	wait_until 60 eval '[ -z "$(squeue -h -o %A)" ]'
	for pid in "$CLUSTER"/run/slurmd.d*.pid; do
		[ ! -e "$pid" ] || dynamic_end "$(basename "$pid" .pid | sed 's/slurmd\.//')"
	done
}

# come NODE PLACE: a dynamic node that says that it is there
come()
{
	dynamic_start "$1" "Topology=default:$2"
	wait_until 120 node_is "$1" idle
}

up() { node_is 'n[000-015],d[20-23]' idle; }
nodes_sorted() { scontrol show hostnames "$(job_nodes "$1")" | sort | paste -sd ,; }
numbered() { printf "$1%03d\n" "${@:2}" | sort | paste -sd ,; }

@test "nodes are where slurm.conf has them, and register where they are" {
	job=$(allocate --network=torus:shape=4x4x1)
	expect_equal "$(nodes_sorted "$job")" "$(numbered n {0..15})" nodes
	expect_match "$(scontrol show node n005)" 'torus=main:1:1:0'
	# A box that waits for nodes which nobody has heard of.
	box=$(submit --network=torus:shape=2x2x1)
	sleep 1
	in_state "$box" PENDING
	for i in 0 1 2 3; do
		come "d$((20 + i))" "$(cell_text $((16 + i / 2 * 4 + i % 2)))"
	done
	wait_until 60 in_state "$box" RUNNING
	expect_equal "$(nodes_sorted "$box")" d20,d21,d22,d23 nodes
	# Tasks know where they are.
	wait_until 60 eval '[ "$(srun --jobid="$box" --overlap -w d23 -N1 -n1 printenv SLURM_TOPOLOGY_ADDR)" = main:1:1:1.d23 ]'
	in_state "$job" RUNNING
	# A node that leaves the torus changes nothing about a job that has ended.
	before=$(token "$box")
	scancel "$box"
	wait_until 60 node_is 'd[20-23]' idle
	scontrol update nodename=d23 availablefeatures= activefeatures=
	scancel "$(allocate -N 1 -w d20)"
	sleep 2
	expect_equal "$(token "$box")" "$before" "token of the job that has ended"
}

@test "a node that says a place that is taken is refused by name, once, and not drained" {
	log_mark
	come d20 main:2:1:0
	come d21 other:0
	logged "node d20 says main:2:1:0, where node n006 is"
	logged "node d21 says other:0, but torus.conf has no torus of that name"
	job=$(allocate -N 2 -w d20,d21)
	scancel "$job"
	wait_until 60 node_is 'd[20-21]' idle # or the end of the job never comes to slurmd
	# slurmd says it again each time.
	pid=$(cat "$CLUSTER/run/slurmd.d20.pid")
	kill "$pid"
	wait_until 30 eval '! kill -0 "$pid" 2>/dev/null' # its file goes before
	come d20 main:2:1:0
	expect_equal "$(log_since | grep -c 'node d20 says')" 1 "lines in the log"
	# Its place is free when it says so again.
	scontrol update nodename=n006 topology=default:main:0:0:1
	wait_until 60 eval 'scontrol update nodename=d20 topology=default:main:2:1:0; [[ $(scontrol show topology node=d20) == *"(2,1,0)"* || $(scontrol show node d20) == *torus=main:2:1:0* ]]'
	dynamic_end d20
	scontrol update nodename=n006 topology=default:main:2:1:0
}

@test "moved by hand, drained first; slurmctld killed; to Slurm's own plugins and back" {
	for i in 0 1 2 3; do come "d$((20 + i))" "$(cell_text $((16 + i)))"; done
	job=$(allocate -N 4 -w 'd[20-23]')
	before=$(token "$job")
	log_mark
	scontrol update nodename=d20 topology=default:main:0:3:1
	sleep 1
	other=$(allocate -N 1 -w n000)
	logged "node d20 stays where it is until its jobs have ended"
	expect_equal "$(token "$job")" "$before" "token of the job that runs"
	scancel "$job" "$other"
	wait_until 60 node_is 'd[20-23]' idle
	# d20 is at (0,3,1): no line of four any more.
	line=$(submit --network=torus:shape=4x1x1 --exclude 'n[000-015]')
	sleep 2
	wait_until 60 in_state "$line" PENDING
	scancel "$line"
	# slurmctld saves a start soon; that a job which waited is cancelled it does not by itself.
	scancel "$(allocate -N 1 -w n000)"
	wait_saved
	minicluster restart-ctld KILL
	wait_until 120 up
	place_of_d20="$(scontrol show node d20)"
	expect_match "$place_of_d20" 'torus=main:0:3:1' "features of d20 after a kill"
	# What the administrator has written in slurm.conf, others cannot read.
	cp "$SLURM_CONF" "$BATS_FILE_TMPDIR/before"
	sed -i 's/ Topology=[^ ]*//' "$SLURM_CONF"
	for plugin in flat tree block; do
		case $plugin in
		tree) echo 'SwitchName=s Nodes=n[000-016]' ;;
		block) printf '%s\n' 'BlockName=b Nodes=n[000-015]' BlockSizes=16 ;;
		esac >"${SLURM_CONF%/*}/topology.conf"
		minicluster set TopologyPlugin=topology/$plugin
		minicluster restart-ctld
		wait_until 120 up
	done
	rm "${SLURM_CONF%/*}/topology.conf"
	cp "$BATS_FILE_TMPDIR/before" "$SLURM_CONF"
	minicluster restart-ctld KILL
	wait_until 120 up
	expect_match "$(scontrol show node d20)" 'torus=main:0:3:1' "features of d20 at the end"
	scontrol update nodename=d20 topology=default:main:0:0:1
	line=$(allocate --network=torus:shape=4x1x1 --exclude 'n[000-015]')
	expect_equal "$(nodes_sorted "$line")" d20,d21,d22,d23 nodes
}

@test "a node comes to a place in the midst of a job" {
	local i=20 around
	for around in 0:0:1 2:0:1 1:1:1 1:3:1; do
		come d$((i++)) "main:$around"
	done
	job=$(allocate -N 5 -w 'n001,d[20-23]') # all neighbours but one are of this job
	before=$(token "$job")
	line=$(submit --network=torus:shape=1x1x1 --exclude 'n[000-018]')
	sleep 2
	in_state "$line" PENDING
	come d24 main:1:0:1
	wait_until 60 in_state "$line" RUNNING
	expect_equal "$(nodes_sorted "$line")" d24 "node of the line"
	expect_match "$(token "$line")" '^torus=main,nodes=1,'
	in_state "$job" RUNNING
	expect_equal "$(token "$job")" "$before" "token of the job around it"
	expect_equal "$(place d24 | sed -n 's/.*Place=\([^ ]*\).*/\1/p')" main:1:0:1 "place of d24"
}

# again NODE PLACE [-b]: its slurmd starts anew, with -b as after a boot, and says that it is
again()
{
	kill "$(cat "$CLUSTER/run/slurmd.$1.pid")"
	wait_until 30 eval '[ ! -e "$CLUSTER/run/slurmd.'"$1"'.pid" ]'
	DYNAMIC_OPTIONS=${3-} dynamic_start "$1" "Topology=default:$2"
}

# said NODE: what Slurm has noted of what it says
said() { scontrol show node "$1" | sed -n 's/.*ActiveFeatures=.*torus=\([^, ]*\).*/\1/p'; }
# at NODE: where topology/torus has it
at() { place "$1" | sed -n 's/.*Place=\([^ ]*\).*/\1/p'; }

# not_moved NODE PLACE: scontrol says that it cannot be there, where updates are told from
# what slurmds say
not_moved()
{
	is_since 26.05 || { scontrol update nodename="$1" topology="default:$2"; return; }
	run -1 scontrol update nodename="$1" topology="default:$2"
	expect_match "$output" 'Requested topology configuration is not available'
}

@test "what is said of nodes on which jobs run" {
	come d20 main:0:0:1
	come d21 main:1:0:1
	job=$(allocate -N 2 -w d20,d21)
	before=$(token "$job")
	log_mark
	# Somebody else says that he is where the job is, and again.
	come d22 main:0:0:1
	logged "node d22 says main:0:0:1, where node d20 is"
	not_moved d22 main:0:0:1
	expect_equal "$(said d22)" "" "place of d22"
	expect_equal "$(log_since | grep -c 'node d22 says')" 1 "lines in the log"
	# Of a slurmd that only starts anew Slurm does not look at the place.
	again d20 main:2:0:1
	wait_until 60 node_is d20,d21 mix
	expect_equal "$(said d20)" main:0:0:1 "place of d20"
	# It says that it is elsewhere: the job keeps its places, and others cannot have them.
	not_moved d20 main:1:0:1
	expect_equal "$(said d20)" main:0:0:1 "place of d20"
	scontrol update nodename=d20 topology=default:main:2:0:1
	not_moved d22 main:0:0:1
	line=$(submit --network=torus:shape=2x1x1 --exclude 'n[000-015],d21')
	wait_until 60 logged 'node d20 stays where it is until its jobs have ended, though it says main:2:0:1 now'
	sleep 2
	in_state "$job" RUNNING
	in_state "$line" PENDING
	expect_equal "$(token "$job")" "$before" "token of the job that runs"
	expect_equal "$(at d20)" main:0:0:1 "place of d20"
	expect_equal "$(said d22)" "" "place of d22"
	scancel "$line" "$job"
	wait_until 60 node_is d20,d21 idle
	line=$(allocate --network=torus:shape=2x1x1 --exclude 'n[000-015]')
	expect_equal "$(nodes_sorted "$line")" d20,d21 "nodes of the line x=1, x=2"
	expect_equal "$(at d20)" main:2:0:1 "place of d20"
	# What it left is free.
	scontrol update nodename=d22 topology=default:main:0:0:1
	expect_equal "$(said d22)" main:0:0:1 "place of d22"
	scancel "$line"
	wait_until 60 node_is d20,d21,d22 idle
	# After a boot Slurm looks, from 26.05 on.
	is_since 26.05 || return 0
	again d22 main:3:0:1 -b
	wait_until 60 eval '[ "$(said d22)" = main:3:0:1 ]'
}

# resume NODE PLACE: a node that was powered down comes up there. slurmctld 26.05.3 does not
# take Topology= from the registration of a node that it has powered up itself.
resume()
{
	scontrol update nodename="$1" state=power_up
	wait_until 30 eval '[[ $(sinfo -h -n "'"$1"'" -o %t) != *"~" ]]'
	slurmd_comes -N "$1" -b
	wait_until 120 node_is "$1" idle
	scontrol update nodename="$1" topology="default:$2"
}

# suspend NODE: it is powered down again
suspend()
{
	scontrol update nodename="$1" state=power_down_force
	kill "$(cat "$CLUSTER/run/slurmd.$1.pid")"
	wait_until 60 node_is "$1" idle~
}

@test "nodes that are powered down come back elsewhere, also where another one was" {
	resume n017 main:0:0:1
	expect_match "$(scontrol show node n017)" 'torus=main:0:0:1' "features of n017"
	suspend n017
	resume n018 main:0:0:1
	resume n017 main:1:0:1
	job=$(allocate --network=torus:shape=2x1x1 --exclude 'n[000-015]')
	expect_equal "$(nodes_sorted "$job")" n017,n018 nodes
	scontrol show topology node=n018 | grep -q 'Place=main:0:0:1'
	scontrol show topology node=n017 | grep -q 'Place=main:1:0:1'
	scancel "$job"
	wait_until 60 node_is 'n[017-018]' idle
	suspend n017
	suspend n018
}
